"""Numbers over all that has a property, values of relationships, numbers in words, and other forms of values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.literals import literals
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.english.clause_order import asking_first
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading

SKI = Schema(
    {"Skier": 30, "Race": 12, "Course": 5, "Resort": 4, "SkiClub": 6, "Company": 3, "PassType": 4},
    (
        Relation("RACED_IN", "Skier", "Race", 90), Relation("HELD_AT", "Race", "Course", 12),
        Relation("LOCATED_IN", "Course", "Resort", 5), Relation("MEMBER_OF", "Skier", "SkiClub", 30),
        Relation("BRANCH_OF", "SkiClub", "SkiClub", 3), Relation("OFFERS", "Resort", "PassType", 12),
    ),
    (
        Property("Skier", "nation", "STRING", 30, ("Norway", "Italy")),
        Property("Skier", "yob", "INTEGER", 30, (1988, 1999)),
        Property("Race", "attendance", "INTEGER", 12, (800, 4200)),
        Property("Race", "purse_eur", "INTEGER", 12, (1000, 9000)),
        Property("Race", "ranOn", "DATE", 12, ("2024-01-05", "2025-02-03")),
        Property("Course", "length_m", "INTEGER", 5, (1200, 3400)),
        Property("Course", "floodlit", "BOOLEAN", 5, (True, False)),
        Property("Resort", "country", "STRING", 4, ("Austria", "France")),
        Property("SkiClub", "founded", "INTEGER", 6, (1921, 1988)),
        Property("SkiClub", "catNo", "STRING", 6, ("A-1", "B-7")),
        Property("Company", "employees", "INTEGER", 3, (30, 70)),
    ),
    "1",
    (
        Property("RACED_IN", "secs", "FLOAT", 90, (71.2, 80.4)),
        Property("RACED_IN", "bonusEur", "INTEGER", 90, (10, 90)),
        Property("RACED_IN", "result", "STRING", 90, ("finisher", "disqualified")),
        Property("MEMBER_OF", "role", "STRING", 30, ("coach", "racer")),
        Property("OFFERS", "price_eur", "FLOAT", 12, (30.0, 60.5)),
    ),
)  # fmt: skip
_NAMES = {
    "Anna": Entity("s1", "Anna", "Skier"), "Ben": Entity("s2", "Ben", "Skier"), "Cup": Entity("r1", "Cup", "Race"),
    "Alpina": Entity("c1", "Alpina", "SkiClub"), "Kogel": Entity("p1", "Kogel", "Resort"),
    "Wand": Entity("k1", "Wand", "Course"),
}  # fmt: skip
_VALUES = {
    "disqualified": {("RACED_IN", "result", True): ["disqualified"]},
    "coach": {("MEMBER_OF", "role", True): ["coach"]},
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    names = GraphNames(
        lambda name: [_NAMES[name]] if name in _NAMES else [], lambda text: dict(_VALUES.get(text.lower(), {}))
    )
    return Reader(SKI, names, MiniLM(), Glosses())


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what's the most common nation among our skiers?", "Most common nation of skiers"),
        ("rarest nation of skiers", "Least common nation of skiers"),
        ("what is the average purse", "Average purse eur of races"),
        ("total purse in 2024", "Total purse eur of races with ran on"),
        ("what is the highest purse?", "Highest purse eur of races"),
        ("Who made the most bonus at Cup?", "by total bonus eur"),
        ("Who got the biggest bonus?", "Skiers, by highest bonus eur"),
        ("Who won more bonus at Cup, Anna or Ben?", "bonus eur of Cup, highest first"),
        ("the dearest pass at Kogel", "by highest price eur of Kogel"),
        ("which country was Cup in", "Country of resorts"),
        ("is anything floodlit in Kogel?", "Whether there are courses located in Kogel and with floodlit = True"),
        ("how many times has Anna raced on Wand", "Number of races"),
        ("what did Anna do at Alpina?", "Role of Alpina"),
        ("catalogue number of Alpina", "Cat no of Alpina"),
        ("parent club of Alpina", "Ski clubs whose branch is Alpina"),
        ("youngest skier", "by year of birth, highest first"),
        ("which club's been around the longest?", "Ski clubs, by founded, lowest first"),
        ("how many people turned up at Cup", "Attendance of Cup"),
        ("races with over half a million in attendance", "attendance > 500000"),
        ("courses longer than a thousand metres", "length m > 1000"),
        ("clubs founded since the start of 1950", "founded >= 1950"),
        ("which firm has more than 50 staff", "Companies with employees > 50"),
    ],
)
def test_questions_about_amounts(reader: Reader, question: str, read: str) -> None:
    assert read.lower() in words(best_reading(reader, question, _NAMES).form).lower()


def test_a_question_for_one_set_is_not_about_the_one_that_does_it(reader: Reader) -> None:
    form = best_reading(reader, "which race do the skiers race in most often", _NAMES).form
    assert (form.nodes.label, form.nodes.order is not None) == ("Race", True)


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("Anna or Ben: who is older", "who is older Anna or Ben"),
        ("Anna vs Ben - which is older", "which is older Anna or Ben"),
        ("between Anna and Ben who is older", "who is older Anna or Ben"),
        ("who is older, Anna or Ben", "who is older Anna or Ben"),
        ("is Anna or Ben the one who is older", "is Anna or Ben the one who is older"),
        ("skiers of Alpina who raced in Cup", "skiers of Alpina who raced in Cup"),
        ("Alpina - is that a team", "is Alpina a team"),
        ("Anna, does she race in Cup", "does Anna race in Cup"),
        ("is it true that Anna races", "is it true that Anna races"),
        ("Anna races in Cup, right?", "does Anna races in Cup"),
        ("Anna races in Cup, doesn't she?", "does Anna races in Cup"),
        ("who races in Cup, right?", "who races in Cup right"),
        ("skiers who turn right", "skiers who turn right"),
    ],
)
def test_the_question_word_comes_first(question: str, order: str) -> None:
    assert [token.text for token in asking_first(tokens(question))] == order.lower().split()


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Anna or Ben: who is younger", "nodes"), ("how many clubs are there altogether", "number"),
        ("does Anna race in Cup?", "truth"), ("could Anna race in Cup", "truth"),
        ("could you list the skiers of Alpina", "nodes"),
    ],
)  # fmt: skip
def test_an_answer_is_of_the_kind_that_is_asked_for(reader: Reader, question: str, asks: str) -> None:
    assert best_reading(reader, question, _NAMES).form.asks == asks


@pytest.mark.parametrize(("word", "label"), [("reso", "Resort"), ("comp", "Company"), ("s", "")])
def test_kinds_are_known_by_their_beginnings(reader: Reader, word: str, label: str) -> None:
    assert [found for found, _ in reader.words.shortened_labels(word)] == ([label] if label else [])


def test_what_is_named_is_no_answer_about_itself(reader: Reader) -> None:
    assert best_reading(reader, "how long is Wand", _NAMES).cost < 1
    assert best_reading(reader, "what became of race Cup", _NAMES).cost > 1


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("convictions", "convicted"),
        ("headlined", "headliner"),
        ("prosecutors", "prosecution"),
        ("acquittal", "acquitted"),
    ],
)
def test_other_forms_of_a_value_are_found(said: str, value: str) -> None:
    def values(text: str) -> dict[tuple[str, str, bool], list[str]]:
        return {("Case", "outcome", False): [value]} if text == value else {}

    (found,) = literals(said, tokens(said), values)
    assert found.meaning.values == (value,)
    assert not list(literals(said, tokens(said), values, lambda word: True))  # It is a word of the schema.


_ALONE = {"a": 1.0, "2": 2.0, "three": 3.0, "1.5": 1.5}


@given(
    st.sampled_from(sorted(_ALONE)),
    st.sampled_from([("hundred", 100), ("thousand", 1e3), ("million", 1e6), ("dozen", 12)]),
    st.sampled_from(["", " and a half"]),
)
def test_numbers_of_several_words(one: str, multiple: tuple[str, float], half: str) -> None:
    said = f"{one} {multiple[0]}{half}"
    found = [i for i in literals(said, tokens(said), lambda text: {}) if (i.first, i.last) == (0, len(tokens(said)))]
    expected = (_ALONE[one] + (0.5 if half else 0)) * multiple[1]
    assert [item.meaning.value for item in found] == [expected]


@pytest.mark.parametrize(
    ("said", "number"),
    [("half an hour", 0.5), ("four and a half hours", 4.5), ("50k", 50_000), ("half a million", 500_000)],
)
def test_halves_and_thousands(said: str, number: float) -> None:
    longest = max(literals(said, tokens(said), lambda text: {}), key=lambda item: item.last - item.first)
    assert longest.meaning.value == number
