"""Phrases that users define for their graph: what they mean, and what is wrong with those that mean nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.definitions import Definition
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.forms.form_words import words
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
        ("which ships are not big ships", "Ships except those with tonnage > 600"),
        ("retired ships excluding big ships", "Ships with retired = True except those with tonnage > 600"),
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
        ({"big ship": "a big ship"}, "It is defined by itself."),
        ({"big ship": "a Ship with tonnage > 600 or 800"}, "is compared with a number, not with “600 or 800”"),
        ({"big ship": "a Ship with tonnage > 6,00"}, "is compared with a number, not with “6,00”"),
        ({"big ship": "a ship from Atlantis with tonnage > 600"}, "Nothing in the graph explains"),
        ({"how many": "a Ship with tonnage > 600"}, "has another sense in questions"),
        ({"fleet": "ships"}, "It means all ships."),
        ({"...": "a Ship with tonnage > 600"}, "It has no words."),
    ],
)
def test_what_is_wrong_is_told_and_has_no_effect(texts: dict[str, str], problem: str) -> None:
    found, by_phrase = defined(texts)
    for each in by_phrase.values():
        assert problem in each.problem
        assert each.nodes is None
    assert not found.words.defined


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("a Ship with tonnage > 1,000", "Ships with tonnage > 1000"),
        ("a Ship with tonnage>1.5 thousand", "Ships with tonnage > 1500"),
        ("Ship whose tonnage <= ten and retired != yes", "Ships with tonnage <= 10 and with retired <> True"),
        ('a Harbour with name = "Bill and Ben"', "Harbours with name = Bill and Ben"),
        ("a ship berthed at Oban Quay with tonnage > 600", "Ships berthed at Oban Quay and with tonnage > 600"),
        ("a Ship with tonnage > 600 and berthed at Oban Quay", "Ships berthed at Oban Quay and with tonnage > 600"),
    ],
)
def test_values_and_conditions_beside_words(text: str, reading: str) -> None:
    found, by_phrase = defined({"odd one": text})
    assert not by_phrase["odd one"].problem
    assert read(found, "Which odd ones are there?") == reading


@pytest.mark.parametrize(
    ("phrase", "question"),
    [
        ("the big ship", "which big ships are there"),
        ("well-known ship", "which well known ships are there"),
        ("Well-Known Ship", "which well-known ships are there"),
        ("ship of the line", "which ships of the line are there"),
        ("U.S. giant", "which U.S. giants are there"),
        ("leviathan", "which leviatans are there"),
    ],
)
def test_forms_of_a_phrase(phrase: str, question: str) -> None:
    assert read(defined({phrase: "a Ship with tonnage > 600"})[0], question) == "Ships with tonnage > 600"


def test_a_property_of_the_same_name_is_no_use_of_the_phrase() -> None:
    found, by_phrase = defined({"retired": "a Ship with retired = true"})
    assert not by_phrase["retired"].problem
    assert read(found, "how many retireds are there") == "Number of ships with retired = True"


def test_the_same_phrase_twice_and_a_phrase_without_effect_are_told() -> None:
    texts = {
        "grand ship": "a Ship with tonnage > 600", "Grand Ships": "a Ship with tonnage > 900",
        "old ship": "a Ship with age > 50", "old quay": "harbours with old ships",
        "tall ship": "a wide ship", "wide ship": "a tall ship with tonnage > 1", "tall quay": "tall ship harbours",
    }  # fmt: skip
    found, by_phrase = defined(texts)
    assert {phrase: each.problem for phrase, each in by_phrase.items() if each.problem} == {
        "Grand Ships": "It is defined already, as “grand ship”.",
        "old ship": "Ship has no property age. It has homePage, launchDate, name, retired, tonnage.",
        "old quay": "It uses “old ship”, which has no effect.",
        "tall ship": "It is defined by itself. It uses “wide ship”, which uses it.",
        "wide ship": "It is defined by itself. It uses “tall ship”, which uses it.",
        "tall quay": "It uses “tall ship”, which has no effect.",
    }
    assert read(found, "which grand ships are there") == "Ships with tonnage > 600"


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
