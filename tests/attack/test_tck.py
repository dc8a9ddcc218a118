"""What the guard says to the queries of openCypher's Technology Compatibility Kit, without a database.

`test_hostile.py` runs those that it accepts.
"""

from __future__ import annotations

from clew.tools.cypher import guard
from clew.tools.errors import QueryForbidden
from tests.attack.tck import Scenario, scenarios

REFUSED = {
    "Match8.feature [2]": "MERGE is not allowed",
    "Aggregation3.feature [2]": "its range() would generate more than 1,000,000 elements",
    "Literals6.feature [10]": "it contains a \\u escape",
}
"""Scenarios that change nothing and are refused, with the reason: one that merges what is there, one that reads a
millionth element and one more, and an escape that Neo4j reads before it looks for quotes."""


def refusal(each: Scenario) -> str:
    try:
        guard.check(each.query)
    except QueryForbidden as refused:
        return str(refused)
    return ""


def test_every_scenario_that_reads_is_accepted() -> None:
    reading = [each for each in scenarios() if not (each.fails or each.changes or each.about_writing)]
    refused = {each.place: why for each in reading if (why := refusal(each))}
    procedures = {place for place, why in refused.items() if "the procedure test." in why}
    assert len(reading) > 2800
    assert len(procedures) < 40, "the kit's own procedures, which no database has"
    others = {place: why for place, why in refused.items() if place not in procedures}
    assert len(others) == len(REFUSED), others
    for place, why in REFUSED.items():
        assert any(place in other and why in told for other, told in others.items()), (place, others)


def test_every_scenario_that_writes_is_refused() -> None:
    writing = [each for each in scenarios() if not each.fails and (each.changes or each.about_writing)]
    assert len(writing) > 250
    passed = [each for each in writing if not refusal(each)]
    assert not passed, passed
