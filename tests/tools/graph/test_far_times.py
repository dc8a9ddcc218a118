"""Times beyond the years of the driver, 1 to 9999, come back as text."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.errors import QueryFailed
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.far_times import time_text
from clew.tools.graph.store.graph_store import GraphStore

FAR = {
    "date('+999999999-01-01')": "+999999999-01-01",
    "date('-0001-12-31')": "-0001-12-31",
    "date({year: 0, month: 2, day: 29})": "0000-02-29",
    "date({year: 9999, month: 12, day: 31}) + duration({days: 1})": "+10000-01-01",
    "localdatetime('+999999999-01-01T10:00:00')": "+999999999-01-01T10:00:00.000000000",
    "localdatetime({year: -5, month: 1, day: 2, hour: 3, second: 4})": "-0005-01-02T03:00:04.000000000",
    "datetime({year: 12000, month: 1, day: 2, timezone: '+02:30'})": "+12000-01-02T00:00:00.000000000+02:30",
    "datetime({year: 12000, month: 1, day: 2, timezone: 'Europe/Berlin'})": (
        "+12000-01-01T23:00:00.000000000Z[Europe/Berlin]"
    ),
    "duration({years: 999999999999, days: 3})": "P11999999999988M3DT0S",
    "[date('+12345-06-07')]": ["+12345-06-07"],
    "{day: date('+12345-06-07'), other: 1}": {"day": "+12345-06-07", "other": 1},
}


@pytest.fixture(scope="module")
def store(database: BoltDatabase) -> GraphStore:
    return database.open("far-times", create=True)


@pytest.mark.parametrize(("expression", "text"), FAR.items())
def test_far_times_are_text(store: GraphStore, expression: str, text: object) -> None:
    query = f"RETURN {expression} AS v, 1 AS one"
    assert store.read(query).records == [{"v": text, "one": 1}]
    assert list(store.scan(query)) == [{"v": text, "one": 1}]


def test_far_times_of_nodes_are_text(store: GraphStore) -> None:
    store.write("CREATE (:Comet {name: 'x', seen: date('+99999-01-01')})")
    assert store.read("MATCH (n:Comet) RETURN n").records == [{"n": {"name": "x", "seen": "+99999-01-01"}}]
    assert store.read("MATCH (n:Comet) RETURN n.seen AS seen").records == [{"seen": "+99999-01-01"}]


@given(st.dates(), st.integers(-10_000, 10_000))
def test_the_calendar_goes_on_as_it_was(day: date, cycles: int) -> None:
    days = day.toordinal() - date(1970, 1, 1).toordinal() + cycles * 146_097
    year = day.year + cycles * 400
    sign = "+" if year > 9999 else "-" if year < 0 else ""
    assert time_text(SimpleNamespace(tag=b"D", fields=[days])) == f"{sign}{abs(year):04}-{day:%m-%d}"


@given(st.datetimes(), st.integers(-1080, 1080))
def test_moments_are_as_python_writes_them(moment: datetime, minutes: int) -> None:
    past = moment - datetime(1970, 1, 1)
    seconds, nanoseconds = past.days * 86_400 + past.seconds, past.microseconds * 1000
    text = moment.isoformat(timespec="microseconds") + "000"
    assert time_text(SimpleNamespace(tag=b"d", fields=[seconds, nanoseconds])) == text
    sign, offset = "-" if minutes < 0 else "+", timedelta(minutes=abs(minutes))
    zoned = f"{text}{sign}{(datetime.min + offset):%H:%M}"
    fields = [seconds - minutes * 60, nanoseconds, minutes * 60]
    assert time_text(SimpleNamespace(tag=b"I", fields=fields)) == zoned


def test_a_value_that_is_no_time_is_named() -> None:
    with pytest.raises(QueryFailed, match=r"cannot be read: .*tag=b.V."):
        time_text(SimpleNamespace(tag=b"V", fields=[b"\x00", 1]))
