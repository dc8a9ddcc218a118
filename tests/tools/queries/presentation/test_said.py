"""The words of a question that say how its answers are shown, and what is left of it."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.queries.reading.presentation.said import FEW, presentation

DEFAULTS = {
    "order": "", "of": "", "turned": False, "some": None, "percent": False, "apart": "", "in_years": False,
    "times": False, "listed": False, "each": False, "any_year": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "left", "said"),
    [
        ("boats by length, longest first", "boats by length", {"order": "longest"}),
        ("list the boats, fewest berths at the top", "list the boats", {"order": "fewest", "of": "berths"}),
        ("boats from shortest to longest", "boats", {"order": "shortest"}),
        ("boats, newest last", "boats", {"order": "newest", "turned": True}),
        ("staff in the order they were hired", "staff", {"order": "hired"}),
        ("boats starting with the one that was built first", "boats", {"order": "built"}),
        ("open claims - biggest sum on top, smallest at the bottom", "open claims", {"order": "biggest", "of": "sum"}),
        ("all boats in alphabetical order", "all boats", {"order": "name"}),
        ("all boats, Z to A", "all boats,", {"order": "name", "turned": True}),
        ("meetings in reverse chronological order", "meetings", {"order": "date", "turned": True}),
        ("give me an example of a boat", "give me boat", {"some": 1}),
        ("pick three boats at random", "three boats", {"some": 1}),
        ("a few boats from Leeds", "boats from Leeds", {"some": FEW}),
        ("two boats without an engine, doesn't matter which", "two boats without an engine", {"some": 1}),
        ("a couple of boats", "boats", {"some": 2}),
        ("who could repair it? One yard is enough", "who could repair it?", {"some": 1}),
        ("boats by type, in percent", "boats by type", {"percent": True}),
        ("percentage breakdown of boats by type", "boats by type", {"percent": True}),
        ("visits per month, all years together", "visits per month", {"any_year": True}),
        ("visits per calendar month", "visits per month", {"any_year": True}),
        ("average price of sloops and ketches respectively", "average price of sloops and ketches", {"each": True}),
        ("are there boats without a berth? Which ones?", "are there boats without a berth?", {"listed": True}),
        ("the oldest and the newest boat", "the oldest boat", {"apart": "both"}),
        ("when was the first visit and when the last one?", "when was the first visit ?", {"apart": "both"}),
        ("price gap between the dearest and the cheapest boat", "price of the dearest boat", {"apart": "ends"}),
        ("the gap between the longest boat and the runner-up", "the longest boat", {"apart": "first two"}),
        ("how many years lie between the oldest boat and the newest", "the oldest boat",
         {"apart": "ends", "in_years": True}),
        ("how many times longer is A than B", "how much longer is A than B", {"times": True}),
    ],
)  # fmt: skip
def test_what_is_said_and_what_is_left(question: str, left: str, said: dict[str, Any]) -> None:
    shown = presentation(question)
    assert shown is not None
    assert " ".join(shown.text.split()) == left
    assert {name: value for name, value in asdict(shown).items() if name != "text"} == DEFAULTS | said


@pytest.mark.parametrize(
    "question",
    [
        "who was hired first?",
        "which boats have no berth?",
        "has Ann sold any?",
        "boats in as few colours as possible",
        "which of the two is the largest and most expensive boat?",
        "subsidiaries of which the parent owns less than 60 percent",
        "vacancy with the widest gap between its lowest and highest salary",
        "who did the team pick in 2020?",
        "random",
        "find some connection between A and B",
    ],
)
def test_other_questions_stay(question: str) -> None:
    assert presentation(question) is None


CUES = st.sampled_from([
    "longest first", "in percent", "at random", "a few", "from A to Z", "any one will do", "the oldest and the newest",
    "gap between the longest and the shortest", "how many times longer", "respectively", "which ones?",
])  # fmt: skip


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12) | CUES, max_size=6))
def test_offsets_stay(parts: list[str]) -> None:
    question = " ".join(parts)
    shown = presentation(question)
    if shown is not None:
        assert len(shown.text) == len(question)
        kept = [new for old, new in zip(question, shown.text, strict=True) if new not in (old, " ")]
        assert set(kept) <= set("ofuch")  # "Of" and "how much" take the place of other words.


@pytest.mark.parametrize(
    "part", [" ", "the oldest and the ", "in percent ", "each as a percentage of x ", "show ", ", "]
)
@pytest.mark.parametrize("length", [400, 4000])
def test_hostile_questions_take_no_time(part: str, length: int) -> None:
    began = time.process_time()
    presentation((part * length)[:length])
    assert time.process_time() - began < 1
