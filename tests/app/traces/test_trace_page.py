"""The exported file: what a trace holds comes back as it was, and nothing of it becomes a part of the page."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.app.cli import run as clew
from clew.app.traces.page import embedded, trace_page
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.store import TraceStore
from clew.app.web import bundle
from clew.app.web.bundle import NotBundled, bundled

MARKUP = ["</script>", "</SCRIPT ", "<script>", "<!--", "-->", "]]>", "</style", "&lt;", "&", '"', "'"]
PIECES = st.sampled_from([*MARKUP, "\u2028", "\u2029", "\\", "\x00", "\ud800", "🧵", "{policy}", "$&", "\n"])
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=8).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


class Parts(HTMLParser):
    """The scripts, styles and tags of a page, as a browser takes it apart."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._in = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in = tag
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in:
            self.texts[self._in][-1] += data


def run_with(question: str, **more: Any) -> dict[str, Any]:
    return {"id": "a1", "question": question, "spans": [], "outcome": {}, **more}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(VALUES)
def test_what_is_embedded_is_the_same_again_and_ends_nothing(value: Any) -> None:
    text = embedded(value)
    assert json.loads(text) == value
    assert text.isascii()
    assert not re.search(r"[<>&]", text)


@given(TEXTS, VALUES)
def test_a_page_holds_its_run_whatever_that_says(question: str, value: Any) -> None:
    page = trace_page(run_with(question, outcome=value))
    parts = Parts(page)
    theme, data, script = parts.texts["script"]
    assert json.loads(data) == run_with(question, outcome=value)
    plain = Parts(trace_page(run_with("")))
    assert [tag for tag, _ in parts.tags] == [tag for tag, _ in plain.tags]
    assert (theme, script) == (plain.texts["script"][0], plain.texts["script"][2])


def test_the_policy_lets_run_what_came_with_it_and_load_nothing() -> None:
    parts = Parts(trace_page(run_with("Who?")))
    [policy] = [attrs["content"] for tag, attrs in parts.tags if attrs.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    theme, _, script = parts.texts["script"]
    hashes = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (theme, script)]
    assert rules["script-src"].split() == hashes
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy
    names = {name for _, attrs in parts.tags for name in attrs}
    assert not [name for name in names if name in ("src", "href", "style") or name.startswith("on")]


def test_every_module_of_the_pages_is_in_the_package() -> None:
    script = bundled("trace_file_page.js")
    for name in ("dom", "trace_run", "trace_step", "picture", "cypher"):
        assert script.count(f"const module_{name} = ") == 1
    assert not re.search(r"^(import|export)\b", script, re.M)
    assert "fetch(" not in script
    assert (files("clew.app.web") / "traces.html").is_file()


@pytest.mark.parametrize(
    ("modules", "fault"),
    [
        (
            {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\nexport const b = 1;'},
            "each other",
        ),
        ({"a.js": 'import b from "./b.js";\n'}, "import b"),
        ({"a.js": "export default 1;\n"}, "export default"),
        ({"a.js": 'const late = () => import("./b.js");\n'}, "import"),
        ({"a.js": 'const text = "</script>";\n'}, "</script"),
    ],
)
def test_a_module_that_a_bundle_cannot_hold_is_refused(
    monkeypatch: pytest.MonkeyPatch, modules: dict[str, str], fault: str
) -> None:
    monkeypatch.setattr(bundle, "web_file", modules.__getitem__)
    with pytest.raises(NotBundled, match=re.escape(fault)):
        bundled("a.js")


def test_names_that_are_taken_under_another_one_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {
        "a.js": 'import { b as c } from "./b.js";\nimport * as every from "./b.js";\nsaid(c, every.f());\n',
        "b.js": "export const b = 1;\nexport function f() {\n  return b;\n}\n",
    }
    monkeypatch.setattr(bundle, "web_file", modules.__getitem__)
    script = bundled("a.js")
    assert script.index("module_b =") < script.index("module_a =")
    assert "const { b: c } = module_b;" in script
    assert "const every = module_b;" in script
    assert "return { b, f };" in script


def test_a_run_is_exported_by_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with TraceRecorder(TraceStore(tmp_path / "traces.sqlite")).begin(graph="g", question="Who?", thread_id=None) as run:
        run.outcome({"answers": []})
    home, file = ["--home", str(tmp_path)], tmp_path / "why.html"
    assert clew([*home, "trace", "export", run.id]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole["question"] == "Who?"
    assert clew([*home, "trace", "export", run.id[:6], "--format", "html", "--out", str(file)]) == 0
    assert json.loads(Parts(file.read_text("utf-8")).texts["script"][1]) == whole
    assert clew([*home, "trace", "export", "nosuch"]) == 1
