"""Questions about the services of a company: since when, of which tier, with which result."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

SERVICES = Schema(
    {"Service": 49, "Deployment": 250, "Person": 51, "Office": 6, "Desk": 60},
    (
        Relation("HAS_SERVICE", "Deployment", "Service", 250), Relation("DEPENDS_ON", "Service", "Service", 120),
        Relation("BELONGS_TO", "Desk", "Person", 48),
        Relation("LIES_IN", "Service", "Office", 49),
    ),
    (
        Property("Service", "name", "STRING", 49, ("cart", "auth")),
        Property("Service", "tier", "INTEGER", 49, (1, 2, 3), 1, 3),
        Property("Service", "quality", "STRING", 49, ("good", "poor")),
        Property("Service", "fine_oz", "INTEGER", 49, (12, 90), 2, 400),
        Property("Service", "outcome", "STRING", 49, ("settled", "open")),
        Property("Deployment", "name", "STRING", 250, ("dep-1", "dep-2")),
        Property("Deployment", "status", "STRING", 250, ("success", "failed")),
        Property("Person", "name", "STRING", 51, ("Ann Lee",)),
        Property("Person", "pay", "STRING", 51, ("high", "low")),
        Property("Person", "joined", "DATE", 51, ("2021-02-03",), "2012-01-01", "2024-06-01"),
        Property("Desk", "floor", "STRING", 60, ("top", "ground")),
        Property("Desk", "name", "STRING", 60, ("D1", "D2")),
        Property("Office", "name", "STRING", 6, ("Dublin",)),
    ),
    "1",
)  # fmt: skip
NAMES = {"cart": Entity("s1", "cart", "Service"), "Dublin": Entity("o1", "Dublin", "Office")}
_VALUES = {
    "success": {("Deployment", "status", False): ["success"]},
    "good": {("Service", "quality", False): ["good"]},
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(SERVICES, NAMES, lambda text: _VALUES.get(text, {}))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("people who joined since 2022", "People with joined >= 2022"),
        ("people who joined in 2022 or later", "People with joined >= 2022"),
        ("people who signed up since March 2022", "People with joined >= 2022-03"),
        ("people who joined in 2022", "People with joined = 2022"),
        ("people who joined by March 2022", "People with joined <= 2022-03"),
        ("what exactly does cart depend on?", "Services that cart depends on"),
        ("For 2022, how many people joined at each pay level?", "Number of people with joined = 2022, for each pay"),
        ("which desks are vacant?", "Desks except those that belong to people"),
        ("number of vacant desks for each floor", "Number of desks except those that belong to people, for each floor"),
        ("how many vacant desks are there", "Number of desks except those that belong to people"),
        ("tier 2 services that depend on cart", "Services that depend on cart and with tier = 2"),
        ("how many successful deployments", "Number of deployments with status = success"),
        ("Dublin services that I marked as good", "Services that lie in Dublin and with quality = good"),
        ("Top three services by fine?", "Services, by fine oz, highest first: 3"),
    ],
)
def test_what_is_said_of_services(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read
