"""The last answer shown in another way."""

from __future__ import annotations

import pytest

from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.shown_again import shown_again
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.forms.form import Form, Nodes, Order, Value
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

SCHEMA = Schema(
    {"Boat": 9, "Town": 3},
    (),
    (
        Property("Boat", "name", "STRING", 9, ("Heron",)),
        Property("Boat", "length_m", "FLOAT", 9, (4.0, 9.0)),
        Property("Boat", "rig", "STRING", 9, ("sloop",)),
        Property("Town", "name", "STRING", 3, ("Fowey",)),
    ),
    "1",
)
BOATS = Form("nodes", Nodes("Boat"))
LONGEST = Form("nodes", Nodes("Boat", order=Order(Value("length_m"), True, None, ties=False)))
PER_RIG = Form("groups", Nodes("Boat"), None, "count", "rig")


def again(question: str, last: Form) -> list[str]:
    found = shown_again(question, PastReading(1, last, count=9), SchemaWords(SCHEMA, Glosses(), {}))
    return [words(each.reading.form) for each in found]


@pytest.mark.parametrize(
    ("question", "last", "read"),
    [
        ("longest first", BOATS, "Boats, by length m, highest first"),
        ("alphabetically, please", BOATS, "Boats, by name, A to Z"),
        ("now shortest first", LONGEST, "Boats, by length m, lowest first"),
        ("just three of them", LONGEST, "Boats, by length m, highest first: 3"),
        ("only 2 of those", BOATS, "Boats, 2 of them"),
        ("pick one", BOATS, "Boats, 1 of them"),
        ("in percent?", PER_RIG, "Percentage of boats, for each rig"),
    ],
)
def test_what_says_only_how(question: str, last: Form, read: str) -> None:
    assert again(question, last) == [read]


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("which of them is the longest?", BOATS),
        ("longest first, without the sloops", BOATS),
        ("2019", BOATS),
        ("only the ones from 2019", BOATS),
        ("just the sloops", BOATS),
        ("longest first", Form("nodes", Nodes("Town"))),  # Towns have no length.
        ("in percent", Form("number", Nodes("Boat"))),
    ],
)
def test_what_says_more_or_cannot_be_shown_so(question: str, last: Form) -> None:
    assert again(question, last) == []
