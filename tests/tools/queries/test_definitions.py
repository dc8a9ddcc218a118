"""Phrases that users define for their graph: what they mean, and what is wrong with those that mean nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.definitions import Definition
from clew.tools.queries.reading.form_words import words
from clew.tools.queries.reading.name_anchors import GraphNames
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.test_reading import COUNTRIES, EMBEDDER, by_name, ferries_schema, mentions

BIG = {"big ship": "a Ship with tonnage > 600"}


def reader() -> Reader:
    return Reader(ferries_schema(), GraphNames(by_name, COUNTRIES.find), EMBEDDER, Glosses())


def defined(texts: dict[str, str]) -> tuple[Reader, dict[str, Definition]]:
    found = reader()
    return found, {each.phrase: each for each in found.define(texts, mentions)}


def read(found: Reader, question: str) -> str:
    readings = found.read(question, mentions(question), seconds=60)
    assert readings, "nothing was read"
    assert not readings[0].unexplained
    return words(readings[0].form)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("Which big ships are there?", "Ships with tonnage > 600"),
        ("how many BIG SHIPS are retired", "Number of ships with tonnage > 600 and with retired = True"),
        ("which harbour has the most big ships", "Harbours, by number of ships with tonnage > 600, highest first: 1"),
    ],
)
def test_a_phrase_stands_for_its_set(question: str, reading: str) -> None:
    found, _ = defined(BIG)
    assert read(found, question) == reading


def test_a_phrase_is_also_defined_in_plain_words_and_by_others() -> None:
    texts = {"busy harbour": "a harbour with more than 2 big ships", "home ship": "ships berthed at Oban Quay", **BIG}
    found, by_phrase = defined(texts)
    assert not [each.problem for each in by_phrase.values() if each.problem]
    assert read(found, "list the home ships") == "Ships berthed at Oban Quay"
    assert "more than 2 ships with tonnage > 600" in read(found, "which busy harbours are in Scotland?")


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ({"big ship": "a Ship with tonage > 600"}, "Ship has no property tonage. It has "),
        ({"big ship": "a Boot with tonnage > 600"}, "The graph has no label boot. It has Harbour, Ship, Voyage."),
        ({"big ship": "a Ship with tonnage > heavy"}, "is compared with a number"),
        ({"big ship": "a Ship with tonnage > 600 and old"}, "is not a condition"),
        ({"big ship": "a ship painted turquoise"}, "Nothing in the graph explains"),
        ({"ship": "a Ship with tonnage > 600"}, "is the name of a label already"),
        ({"tall ship": "a grand ship", "grand ship": "a tall ship"}, "It is defined by itself."),
    ],
)
def test_what_is_wrong_is_told_and_has_no_effect(texts: dict[str, str], problem: str) -> None:
    found, by_phrase = defined(texts)
    for each in by_phrase.values():
        assert problem in each.problem
        assert each.nodes is None
    assert not found.words.defined


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2000), st.sampled_from(["<", "<=", ">", ">=", "="]))
def test_a_phrase_means_what_its_conditions_say(bound: int, sign: str) -> None:
    spelled = {"<": "below", "<=": "at most", ">": "above", ">=": "at least", "=": "of exactly"}[sign]
    found, _ = defined({"odd ship": f"a Ship with tonnage {sign} {bound}"})
    plain = read(reader(), f"Which ships have a tonnage {spelled} {bound}?")
    assert read(found, "Which odd ships are there?") == plain


@pytest.mark.parametrize("table", ["definitions = 3", '[definitions]\n"big ship" = 600', '[definitions]\n" " = "x"'])
def test_a_table_that_is_none_is_refused(table: str, tmp_path: Path) -> None:
    path = tmp_path / "glosses.toml"
    path.write_text(table)
    with pytest.raises(BadInput, match=r"glosses\.toml: \[definitions\] must be a table of phrases"):
        Glosses.load(path)
