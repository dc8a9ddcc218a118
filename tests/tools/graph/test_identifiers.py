"""Identifiers as words, and names as people read them, in Python and on the page."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.graph.identifiers import shown, shown_label
from clew.tools.linking.normalise import compact, fold

SHOWN = {
    "Costa_Rica": "Costa Rica",
    "philip_iii_of_navarre": "philip iii of navarre",
    "saxe_coburg-gotha": "saxe coburg-gotha",
    "BlueRiverSystems": "Blue River Systems",
    "things that play for country Costa_Rica, by goals": "things that play for country Costa Rica, by goals",
    "TypeScript": "TypeScript",
    "McDonald": "McDonald",
    "harbor_core.py": "harbor_core.py",
    "CLEW_HOME": "CLEW_HOME",
    "BK_70084": "BK_70084",
    "a_b@example.org": "a_b@example.org",
    "https://example.org/a_b": "https://example.org/a_b",
    "`unit_price` is no property": "`unit_price` is no property",
    "Saint-Étienne_du_Rouvray": "Saint-Étienne du Rouvray",
    "!!!": "!!!",
}
LABELS = {
    "OrderDetail": "Order Detail", "order_detail": "order detail", "DVDCopy": "DVD Copy", "CITY": "CITY",
    "Émile": "Émile", "FilmeÜbersicht": "Filme Übersicht", "Chunk2Text": "Chunk2 Text",
}  # fmt: skip
WORDS_JS = Path(__file__).parents[3] / "app" / "web" / "words.js"


@pytest.mark.parametrize("name", SHOWN)
def test_a_name_as_it_is_shown(name: str) -> None:
    assert shown(name) == SHOWN[name]


@pytest.mark.parametrize("label", LABELS)
def test_a_label_as_it_is_shown(label: str) -> None:
    assert shown_label(label) == LABELS[label]


@given(st.text(alphabet="abcXY_ .-é1`", max_size=20))
def test_a_shown_name_links_to_the_same_node_and_stays(name: str) -> None:
    assert compact(fold(shown(name))) == compact(fold(name))
    assert shown(shown(name)) == shown(name)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_page_shows_names_alike() -> None:
    script = f"import {{ labelWords, shownName }} from {json.dumps(WORDS_JS.as_uri())};"
    shown_texts = f"{json.dumps(list(SHOWN))}.map(shownName), {json.dumps(list(LABELS))}.map(labelWords)"
    script += f"console.log(JSON.stringify([{shown_texts}]));"
    told = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=30
    )
    assert json.loads(told.stdout) == [list(SHOWN.values()), list(LABELS.values())]
