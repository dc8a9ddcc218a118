"""Readings that do not look at word order, and the choice among readings."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clew.tools.graph.entity import Candidate, Mention
from clew.tools.queries.reading.choosing.chooser import AGREED, COMPARED, likeliest_first, weights
from clew.tools.queries.reading.choosing.signs import QuestionFeatures, signs
from clew.tools.queries.reading.english.clause_order import degree_by_number
from clew.tools.queries.reading.english.inflection import kin
from clew.tools.queries.reading.english.short_forms import written_out
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.floating import floating
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Step, Value
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.said_vectors import SaidVectors
from tests.tools.queries.coaches import NAMES, coach_reader
from tests.tools.queries.question_readings import best_reading

READER = coach_reader()
ANNA = Nodes("Driver", (NAMES["Anna"],))
ASKED = QuestionFeatures("how much did Anna never drive", frozenset({"Driver"}), frozenset({"Town"}))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("elevation with T100 stops", "elevation m of stops that t100 is paused at"),
        ("What date of birth is Anna on file with", "date of birth of anna"),
        ("passengers, on T100", "passengers count of t100"),
    ],
)
def test_parts_are_joined_where_no_rule_joins_them(question: str, expected: str) -> None:
    assert words(best_reading(READER, question, NAMES).form).lower() == expected


@settings(max_examples=30, deadline=None)
@given(st.permutations(["T100", "delay", "total"]))
def test_the_order_of_the_parts_means_nothing(order: list[str]) -> None:
    reading = best_reading(READER, " ".join(order), NAMES)
    assert reading.form.value is not None
    assert reading.form.value.property == "delay_min"
    assert NAMES["T100"] in reading.form.entities


WORDS = st.lists(st.sampled_from("T100 Anna trips drivers delay stops who not most in the 30 quagga".split()), min_size=1, max_size=7)  # fmt: skip  # noqa: E501, SIM905


def _named(question: str) -> list[Mention]:
    return [
        Mention(at, at + len(text), text, (Candidate(each, 1.0, "exact", text),))
        for text, each in NAMES.items()
        if (at := question.find(text)) >= 0
    ]


@settings(max_examples=40, deadline=None)
@given(WORDS)
def test_any_words_are_read_or_told(said: list[str]) -> None:
    question = " ".join(said)
    for reading in READER.candidates(question, _named(question), seconds=30):
        assert set(reading.unexplained) <= {token.text for token in tokens(question)}


@settings(max_examples=30, deadline=None)
@given(WORDS)
@example(["stops", "T100", "Anna", "stops", "trips"])
@example(["trips", "delay", "drivers", "drivers", "trips"])
def test_what_is_left_out_early_would_have_been_dropped(said: list[str]) -> None:
    question = " ".join(said)
    found = READER.candidates(question, _named(question), seconds=30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Grammar, "limit", lambda *_: math.inf)
        patch.setattr(floating, "_PRUNED", sys.maxsize)
        every = READER.candidates(question, _named(question), seconds=60)
    assert [each.cost for each in every] == [each.cost for each in found]
    last = found[-1].cost if found else 0.0  # Those that cost the same have no order, and the last are not all there.
    assert {repr(each) for each in every if each.cost < last} == {repr(each) for each in found if each.cost < last}


def test_a_question_has_the_vectors_of_its_own_words_alone() -> None:
    embedder = _Embedder()
    said = SaidVectors(embedder)  # type: ignore[arg-type]
    said.prepare(["held up", "steers"])
    assert said.vector("held up") is not None
    said.prepare(["steers", "closes"])
    assert said.vector("held up") is None
    assert said.vector("steers") is not None
    assert embedder.seen == ["held up", "steers", "closes"]


@pytest.mark.parametrize(
    ("question", "label", "may_be"),
    [
        ("Which drivers were born in Quay?", "Driver", True),
        ("Which drivers were born in Quay?", "Stop", False),
        ("Who was born in Quay?", "Stop", False),
        ("Which apprentices were born in Quay?", "Stop", False),
        ("Which apprentices were born in Quay?", "Driver", True),
        ("Which driver's stop is it?", "Stop", True),
        ("Which of them was born in Quay?", "Stop", True),
        ("Was a driver born in Quay?", "Stop", True),
    ],
)
def test_what_the_first_words_ask_for(question: str, label: str, may_be: bool) -> None:
    assert READER.may_be_asked(question, label) is may_be


def _reading(cost: float, form: Form) -> Reading:
    return Reading(form, cost, (), ())


class _Embedder(SimpleNamespace):
    def embed(self, texts: list[str]) -> list[np.ndarray]:
        self.seen = [*getattr(self, "seen", []), *texts]
        return [np.ones(4, dtype=np.float32) / 2 for _ in texts]


def test_readings_that_agree_keep_their_order_and_cost() -> None:
    readings = [_reading(AGREED, Form("nodes", ANNA)), _reading(AGREED + 1, Form("truth", ANNA))]
    embedder = _Embedder()
    assert likeliest_first(readings, ASKED, embedder) == readings  # type: ignore[arg-type]
    assert not hasattr(embedder, "seen")


def test_others_are_ordered_and_few_are_compared() -> None:
    drove = Step("DROVE", True, "Trip")
    links = [Link((drove,) * n, Nodes("Trip")) for n in range(1, COMPARED + 4)]
    readings = [_reading(AGREED + 1 + n / 10, Form("nodes", Nodes("Driver", links=(link,)))) for n, link in enumerate(links)]  # fmt: skip  # noqa: E501
    embedder = _Embedder()
    found = likeliest_first(readings, ASKED, embedder)  # type: ignore[arg-type]
    assert 1 < len(found) <= COMPARED  # Those that are far behind by their other signs are not compared.
    assert len(embedder.seen) == 2 * len(found)
    assert [each.cost for each in found] == sorted(each.cost for each in found)
    assert any(found[0].cost == pytest.approx(each.cost) for each in readings)


def test_signs_are_of_the_question_and_the_form() -> None:
    sum_of_trips = Form("value", ANNA, Value("delay_min", "sum", Link((Step("DROVE", True, "Trip"),), Nodes("Trip"))))
    found = signs(ASKED, _reading(2.0, sum_of_trips))
    assert found["negation lost"] == found["value unsaid"] == found["sum added"] == found["much|value number sum"] == 1
    assert found["order lost"] == found["named head"] == found["unexplained"] == 0
    assert len(set(found) & set(weights())) > len(found) / 2


@pytest.mark.parametrize(
    ("one", "other"), [("reservation", "reserved"), ("translator", "translated"), ("delivery", "delivered")]
)
def test_words_made_of_a_verb_are_its_kin(one: str, other: str) -> None:
    assert kin(one) == kin(other)
    assert kin("bus") == "bus"


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("lines with 4 stops or more", "lines with 4 or more stops"),
        ("stops of four metres or more", "stops of four metres or more"),
    ],
)
def test_a_degree_stands_by_its_number(said: str, read: str) -> None:
    assert " ".join(token.text for token in degree_by_number(tokens(said))) == read


def test_short_forms_are_written_out_unless_they_are_of_several_words() -> None:
    assert written_out("crLimit") == "credit limit"
    assert written_out("cat_no") == "cat no"
