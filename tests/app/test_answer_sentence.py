"""Answers as sentences: by the reading where it has a template, with their names in any case."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.app.answer_sentence import NAMED, answer_sentence, listed
from clew.app.answer_text import answer_text
from clew.app.cli.render import answer_lines
from clew.app.examples import example_question
from clew.tools.queries.space.query import Hop


def result(
    reading: str, names: list[str], linked: tuple[str, ...] = (), values: bool = False, label: str = "X"
) -> dict[str, Any]:
    answers = [{"id": None if values else name, "name": name, "label": "value" if values else label} for name in names]
    return {"reading": reading, "answers": answers, "linked": [{"candidates": [{"name": each}]} for each in linked]}


@pytest.mark.parametrize(
    ("reading", "names", "linked", "expected"),
    [
        ("Person that directed Heat", ["Michael Mann"], ("Heat",), "Michael Mann directed Heat."),
        ("People that wrote Heat", ["Ann"], ("Heat",), "Ann wrote Heat."),
        ("People that wrote Heat", ["Ann", "Bob"], ("Heat",), "Ann and Bob wrote Heat."),
        ("States that border Texas", ["Utah"], ("Texas",), "Utah borders Texas."),
        ("State that borders Texas", ["Utah", "Iowa"], ("Texas",), "Utah and Iowa border Texas."),
        ("Dishes that are part of Lunch", ["Soup"], ("Lunch",), "Soup is part of Lunch."),
        ("Films that Ann directed", ["Heat", "Ali"], ("Ann",), "Ann directed Heat and Ali."),
        ("People that Heat is directed by", ["Ann"], ("Heat",), "Heat is directed by Ann."),
        ("Films, by runtime, highest first: 1", ["Heat"], (), "Heat has the highest runtime of the films."),
        ("Cities located in Texas, by area, lowest first: 1", ["Waco"], ("Texas",),
         "Waco has the lowest area of the cities located in Texas."),
        # What is ordered may be the states.
        ("Cities that are capital of states, by area, highest first: 1", ["Juneau"], (), "The answer is Juneau."),
        ("People that acted in films that Ann directed and that Bob wrote", ["Eve"], ("Bob",), "The answer is Eve."),
        ("Films with oscars > 5", ["Heat", "Ali"], (), "There are 2 answers: Heat and Ali."),
    ],
)  # fmt: skip
def test_nodes(reading: str, names: list[str], linked: tuple[str, ...], expected: str) -> None:
    assert answer_sentence(result(reading, names, linked)) == expected


def test_the_reading_is_said_of_its_own_answers_alone() -> None:
    """Neither of what further queries found (`--method graphraft`), nor of what is merely near."""
    found = result("Person that directed Heat", ["Ann", "Bob", "Eve"], ("Heat",)) | {"evidence": []}
    for answer, queries in zip(found["answers"], ([1, 4], [2], [2, 3]), strict=True):
        answer["queries"] = queries
    assert answer_sentence(found) == "Ann directed Heat."
    assert answer_text(found).answer == "Ann directed Heat. Further queries found: Bob and Eve."
    left_out = {**found, "answers": found["answers"][1:]}
    assert answer_sentence(left_out) == ""
    assert answer_text(left_out).answer == "Further queries found: Bob and Eve."
    near = result("Person that directed Heat", ["Ann", "Bob"], ("Heat",)) | {"evidence": []}
    near["answers"][1]["near"] = True
    assert answer_sentence(near) == "Ann directed Heat."
    assert answer_text(near).answer == "Ann directed Heat. Near to it: Bob."


@pytest.mark.parametrize(
    ("reading", "label", "expected"),
    [
        ("Products with supplier Exotic", "Product", "The products with supplier Exotic are Ann and Bob."),
        ("Films that Ann directed and with year >= 1990 and with year < 2000", "Film",
         "The films that Ann directed and with year at least 1990 and with year under 2000 are Ann and Bob."),
        ("Order lines with amount = 3", "OrderLine", "The order lines with amount 3 are Ann and Bob."),
        ("Customer of the order with product Chai", "Customer", "There are 2 answers: Ann and Bob."),
        ("Films, by year, highest first: 2", "Film", "There are 2 answers: Ann and Bob."),
        ("Films with genre Drama", "Person", "There are 2 answers: Ann and Bob."),
        ("", "Film", "There are 2 answers: Ann and Bob."),
    ],
)  # fmt: skip
def test_sets_of_nodes(reading: str, label: str, expected: str) -> None:
    assert answer_sentence(result(reading, ["Ann", "Bob"], label=label)) == expected


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        ("Products with supplier Exotic", "The product with supplier Exotic is Ann."),
        ("Product of the order with amount = 3", "The product of the order with amount 3 is Ann."),
        ("Products that have suppliers with city Oslo", "The product that has suppliers with city Oslo is Ann."),
        (
            "Products that Bob sells in shops of Oslo with staff",
            "The product that Bob sells in shops of Oslo with staff is Ann.",
        ),
        ("Products that have parts and that are sold", "The answer is Ann."),
        ("Products, by price, highest first: 1, 2", "The answer is Ann."),
        ("Shops with city Oslo", "The answer is Ann."),
    ],
)
def test_one_node(reading: str, expected: str) -> None:
    assert answer_sentence(result(reading, ["Ann"], ("Bob",), label="Product")) == expected


@pytest.mark.parametrize(
    ("reading", "value", "linked", "expected"),
    [
        ("Runtime of Heat", "170", ("Heat",), "The runtime of Heat is 170."),
        ("Oscars of Heat", "0", ("Heat",), "The oscars of Heat are 0."),
        ("Number of customers with country = Peru", "7", (), "There are 7 customers with country Peru."),
        ("Born of Ann", "1946", ("Ann",), "Ann: born 1946."),
        ("Number of films that Ann directed", "7", ("Ann",), "There are 7 films that Ann directed."),
        ("Number of films that Ann directed", "1", ("Ann",), "The number of films that Ann directed is 1."),
        ("Whether Ann is one of the people that directed Heat", "yes", ("Ann",), "Yes, Ann directed Heat."),
        ("Whether Ann is one of the people that directed Heat", "no", ("Ann",),
         "No, Ann is not one of the people that directed Heat."),
        ("Whether there are films with year > 2030", "no", (), "No, there are no films with year over 2030."),
        ("Whether number of cats > number of dogs", "no", (),
         "No, the number of cats is not higher than the number of dogs."),
        ("Whether total price of jobs with hours > 3 >= total price of jobs", "yes", (),
         "Yes, the total price of jobs with hours over 3 is at least the total price of jobs."),
        ("Number of films, for each genre", "7", (), "The answer is 7."),
        ("Number of times that Ann reviewed films", "7", ("Ann",), "Ann reviewed films: 7 times."),
        ("Number of times that people reviewed Heat", "1", ("Heat",), "People reviewed Heat: 1 time."),
        ("Ratio of the height of Ann or Bob", "1.5", ("Ann", "Bob"), "The ratio of the height of Ann or Bob is 1.5."),
    ],
)  # fmt: skip
def test_values(reading: str, value: str, linked: tuple[str, ...], expected: str) -> None:
    assert answer_sentence(result(reading, [value], linked, values=True)) == expected


def test_a_yes_names_what_there_is() -> None:
    found = result("Whether there are films with year > 2030", ["yes"], (), values=True)
    found["answers"][0]["detail"] = "Heat, Ali and more"
    assert answer_sentence(found) == "Yes, there are films with year over 2030: Heat, Ali and more."


@pytest.mark.parametrize(
    ("reading", "names", "first"),
    [
        ("Person that directed Heat", ["Ann", "Bob"], ["Ann and Bob directed Heat.", "Ann  (X)", "Bob  (X)"]),
        ("", ["Ann"], ["Ann  (X)"]),
        ("Films with oscars > 5", ["Ann", "Bob"], ["Ann  (X)", "Bob  (X)"]),
    ],
)
def test_the_command_line_says_the_sentence_where_it_says_more_than_the_names(
    reading: str, names: list[str], first: list[str]
) -> None:
    rest = {"evidence": [], "confidence": 1.0, "ms": 1.0, "trace_id": "t"}
    lines = list(answer_lines({**result(reading, names, ("Heat",)), **rest}))
    assert lines[: len(first)] == first
    assert "There are" not in "".join(lines)


def test_without_answers_there_is_no_sentence() -> None:
    assert answer_sentence(result("Person that directed Heat", [], ("Heat",))) == ""


WORDS = st.text("abcdefghij ,.:-", min_size=1).map(str.strip).filter(bool)


@given(
    st.one_of(WORDS, WORDS.map("Things that {} Heat".format), WORDS.map("Things, by {}, highest first: 1".format)),
    st.lists(WORDS, min_size=1, max_size=9),
    st.booleans(),
)
def test_every_sentence_names_its_answers_and_ends(reading: str, names: list[str], values: bool) -> None:
    said = answer_sentence(result(reading, names, ("Heat",), values))
    assert listed(names, NAMED).lower() in said.lower()
    assert said.endswith(".")


# ---- example questions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relation", "forward", "target", "expected"),
    [
        ("BORDERS", False, "State", "Which states border Utah?"),
        ("CARRIES", False, "Ship", "Which ships carry Utah?"),
        ("DIRECTED", False, "Person", "Who directed Utah?"),
        ("directed_by", True, "Person", "Who is Utah directed by?"),
        ("PRODUCED_BY", False, "Film", "Which films are produced by Utah?"),
        ("LOCATED_IN", True, "State", "Which states is Utah located in?"),
        ("FLOWS_THROUGH", True, "State", "What are the states that Utah flows through?"),
        ("HAS_GENRE", False, "Film", "Which films have the genre Utah?"),
        ("INTO", False, "PullRequest", None),
        ("BORN_IN", False, "Person", "Who was born in Utah?"),
        ("BORN_IN", True, "City", "Which cities was Utah born in?"),
    ],
)
def test_examples_are_asked_as_people_ask(relation: str, forward: bool, target: str, expected: str | None) -> None:
    assert example_question(Hop(relation, forward, target), "Utah") == expected
