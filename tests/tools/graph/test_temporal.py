"""Times of facts: periods, and how graphs write them."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from neo4j.time import Date, DateTime

from clew.tools.graph.temporal import (
    FIRST_YEAR,
    LAST_YEAR,
    Moment,
    Period,
    period_of,
    read_period,
    role_of,
    split_relation,
)

YEARS = st.integers(FIRST_YEAR, LAST_YEAR)
DAYS = st.dates(date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 12, 31))
MOMENTS = YEARS | DAYS


@st.composite
def periods(draw: st.DrawFn, moments: st.SearchStrategy[Moment] = MOMENTS) -> Period:
    """Any period; at most one end is open."""
    one, other = draw(moments), draw(moments)
    start, end = (one, other) if first(one) <= last(other) else (other, one)
    kept = draw(st.sampled_from(["both", "start", "end"]))
    return Period(None if kept == "end" else start, None if kept == "start" else end)


def first(moment: Moment) -> date:
    return moment if isinstance(moment, date) else date(moment, 1, 1)


def last(moment: Moment) -> date:
    return moment if isinstance(moment, date) else date(moment, 12, 31)


def test_a_period_needs_an_end_and_their_order() -> None:
    with pytest.raises(ValueError, match="needs a start or an end"):
        Period(None, None)
    with pytest.raises(ValueError, match="1983 > 1979"):
        Period(1983, 1979)
    period = Period(1979, date(1979, 1, 1))
    assert period.first == period.last


WORDS = [
    (Period(1979, 1983), "1979\u20131983"),
    (Period(1990, None), "since 1990"),
    (Period(None, 1983), "until 1983"),
    (Period(1981, 1981), "1981"),
    (Period(date(1981, 5, 3), date(1981, 5, 3)), "1981-05-03"),
    (Period(date(1981, 5, 3), 1983), "1981-05-03\u20131983"),
    (Period(date(1980, 2, 1), date(1980, 2, 29)), "1980-02"),
]


@pytest.mark.parametrize(("period", "words"), WORDS)
def test_words(period: Period, words: str) -> None:
    assert period.words() == words


@given(periods())
def test_words_are_read_back(period: Period) -> None:
    read = read_period(period.words())
    assert read is not None
    assert (read.first, read.last) == (period.first, period.last)


VALUES = [
    (1979, "1979"),
    (1979.0, "1979"),
    ("1979", "1979"),
    ("1979-05", "1979-05"),
    ("1979-05-03", "1979-05-03"),
    ("1979-05-03T12:00:00.000000000Z", "1979-05-03"),
    ("+1979-00-00T00:00:00Z", "1979"),
    (date(1979, 5, 3), "1979-05-03"),
    (datetime(1979, 5, 3, 23, tzinfo=UTC), "1979-05-03"),
    (Date(1979, 5, 3), "1979-05-03"),
    (DateTime(1979, 5, 3, 1, 2, 3), "1979-05-03"),
    ("1979 - 1983", "1979\u20131983"),
    ("1979\u201383", "1979\u20131983"),
    ("1979-83", "1979\u20131983"),
    ("1979-12", "1979-12"),
    ("1979 to 1983", "1979\u20131983"),
    ("1979-05-03/1983-06-08", "1979-05-03\u20131983-06-08"),
    ("1979-present", "since 1979"),
    ("1979 \u2013", "since 1979"),
    ("since 1979", "since 1979"),
    ("until 1983", "until 1983"),
]


@pytest.mark.parametrize(("value", "words"), VALUES)
def test_values_that_are_times(value: object, words: str) -> None:
    found = read_period(value)
    assert found is not None
    assert found.words() == words


@pytest.mark.parametrize(
    "value", [999, 2101, 99, True, None, 1979.5, float("nan"), float("inf"), "", "abc", "12345", "1979-02-30", [1979]]
)
def test_values_that_are_none(value: object) -> None:
    assert read_period(value) is None


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | st.datetimes())
def test_any_value_can_be_read(value: object) -> None:
    found = read_period(value)
    assert found is None or found.first <= found.last


@given(YEARS, st.integers(1, 12))
def test_a_month_is_all_its_days(year: int, month: int) -> None:
    found = read_period(f"{year}-{month:02}")
    assert found is not None
    assert (found.first, found.last) == (date(year, month, 1), date(year, month, monthrange(year, month)[1]))


ROLES = {
    "start": ["start", "start_time", "startDate", "START_YEAR", "since", "from", "valid_from", "validFrom", "begin"],
    "end": ["end", "end_time", "endYear", "until", "to", "valid_to", "VALID_UNTIL"],
    "at": ["year", "date", "point_in_time", "pointInTime", "time", "timestamp", "period", "years"],
    None: ["", "name", "on", "createdAt", "birth_date", "from_station", "distance_to", "weight", "timetable"],
}


@pytest.mark.parametrize(("role", "names"), ROLES.items())
def test_names_of_properties(role: str | None, names: list[str]) -> None:
    assert {name: role_of(name) for name in names} == dict.fromkeys(names, role)


PROPERTIES = [
    ({"start_time": 1979, "end_time": 1983}, "1979\u20131983"),
    ({"since": 1990, "weight": 3}, "since 1990"),
    ({"since": 1990, "until": None}, "since 1990"),
    ({"start": 1990, "end": "present"}, "since 1990"),
    ({"to": "1983-05-03"}, "until 1983-05-03"),
    ({"year": 1981}, "1981"),
    ({"point_in_time": "1981-05-03T00:00:00Z", "rank": "best"}, "1981-05-03"),
    ({"year": 1981, "start": 1979, "end": 1983}, "1979\u20131983"),
    ({"period": "1979 - 1983"}, "1979\u20131983"),
    ({"note": "1979 - 1983"}, "1979\u20131983"),
    ({"from": "1979", "to": "1983-02"}, "1979\u20131983-02-28"),
]


@pytest.mark.parametrize(("properties", "words"), PROPERTIES)
def test_properties_of_a_relationship(properties: dict[str, object], words: str) -> None:
    found = period_of(properties)
    assert found is not None
    assert found.words() == words


@pytest.mark.parametrize("properties", [{}, {"weight": 1979}, {"from": "Paris"}, {"start": 1983, "end": 1979}])
def test_properties_without_a_time(properties: dict[str, object]) -> None:
    assert period_of(properties) is None


NAMES = [
    ("position held (1979 - 1983)", "position held", "1979\u20131983"),
    ("position held: 1979 - 1983", "position held", "1979\u20131983"),
    ("position held (1979)", "position held", "1979"),
    ("position_held_1979_1983", "position_held", "1979\u20131983"),
    ("plays for [1979, 1983]", "plays for", "1979\u20131983"),
    ("position held (since 1979)", "position held", "since 1979"),
    ("signed: 1979-05-03", "signed", "1979-05-03"),
]


@pytest.mark.parametrize(("relation", "name", "words"), NAMES)
def test_relations_that_end_in_a_time(relation: str, name: str, words: str) -> None:
    bare, found = split_relation(relation)
    assert found is not None
    assert (bare, found.words()) == (name, words)
    assert period_of({}, relation) == found


@pytest.mark.parametrize("relation", ["", "MEMBER_OF", "route66", "1979", "_1979", "held (12)", "held (1979 times)"])
def test_relations_that_do_not(relation: str) -> None:
    assert split_relation(relation) == (relation, None)


@given(st.text())
def test_any_relation_can_be_split(relation: str) -> None:
    name, found = split_relation(relation)
    assert name == relation if found is None else relation.startswith(name)
