"""People compared with those whom they are related to, times with their units, years, and verbs of an event."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from clew.tools.cypher.quoting import quoted
from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading

HAULIERS = Schema(
    {"Employee": 30, "Truck": 12, "Breakdown": 20, "Permit": 8, "Course": 5},
    (
        Relation("reports_to", "Employee", "Employee", 27), Relation("drives", "Employee", "Truck", 12),
        Relation("bd_truck", "Breakdown", "Truck", 20), Relation("fixed_by", "Breakdown", "Employee", 20),
        Relation("trainedUnder", "Employee", "Employee", 14),
    ),
    (
        Property("Employee", "job", "STRING", 30, ("driver", "mechanic")),
        Property("Employee", "dob", "DATE", 30, ("1971-03-01", "1990-08-05")),
        Property("Employee", "salary_eur", "INTEGER", 30, (31000, 52000), 24000, 88000),
        Property("Employee", "phone_ext", "STRING", 30, ("201", "202")),
        Property("Breakdown", "cost_eur", "INTEGER", 20, (1200, 1850), 150, 9000),
        Property("Breakdown", "happened", "DATE", 20, ("2023-01-05", "2024-02-03")),
        Property("Breakdown", "dur_min", "INTEGER", 20, (30, 400)),
        Property("Permit", "valid_from", "DATE", 8, ("2022-01-05", "2024-02-03")),
        Property("Permit", "valid_to", "DATE", 8, ("2025-01-05", "2026-02-03")),
    ),
    "1",
)  # fmt: skip
_NAMES = {
    "Joyce": Entity("e1", "Joyce", "Employee"), "T08": Entity("t1", "T08", "Truck"),
    "P-17": Entity("p1", "P-17", "Permit"),
}  # fmt: skip
_VALUES = {"driver": ["driver"], "mechanic": ["mechanic"]}


@pytest.fixture(scope="module")
def reader() -> Reader:
    def held(text: str) -> dict[tuple[str, str, bool], list[str]]:
        found = _VALUES.get(text.lower().removesuffix("s"))
        return {("Employee", "job", False): found} if found else {}

    return Reader(
        HAULIERS, GraphNames(lambda name: [_NAMES[name]] if name in _NAMES else [], held), MiniLM(), Glosses()
    )


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("which employees are older than their own boss?", "with date of birth lower than that of the ones that they "),
        ("employees who earn more than their manager", "salary eur higher than that of the ones that they report to"),
        ("which employees are younger than the employee who trained them?", "the ones that they trained under"),
        ("who trained Joyce?", "Employees that Joyce trained under"),
        ("who did Joyce train under?", "Employees that Joyce trained under"),
        ("how many drivers do we employ?", "Number of employees with job = driver"),
        ("who's the youngest driver on our payroll?", "Employees with job = driver, by date of birth, highest first"),
        ("which mechanics repaired T08?", "Employees that breakdowns with bd truck T08 are fixed by"),
        ("how much did all breakdowns in 2023 cost?", "Total cost eur of breakdowns with happened = 2023"),
        ("breakdowns that took longer than an hour", "Breakdowns with duration min > 60"),
        ("breakdowns longer than half an hour", "Breakdowns with duration min > 30"),
        ("employees on over 45000 a year", "Employees with salary eur > 45000"),
        ("until when is P-17 valid?", "valid to of P-17"),
        ("nr of breakdowns", "Number of breakdowns"),
    ],
)
def test_hauliers(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, _NAMES).form)


def test_a_misspelt_word_of_the_schema_names_something(reader: Reader) -> None:
    left = [token.text for token in reader.unmatched("breakdwns that employes zapped in Atlantis", ())]
    assert left == ["zapped", "atlantis"]


@pytest.fixture(scope="module")
def staff(any_database: BoltDatabase) -> Iterator[tuple[GraphStore, list[dict[str, Any]]]]:
    """Employees, most of whom report to another one, some of them to two."""
    graph = any_database.open(f"staff-{uuid.uuid4().hex[:12]}", create=True)
    chance = random.Random(5)
    rows = [
        {
            "nodeId": f"e{i}",
            "name": f"E{i}",
            "salary_eur": None if i % 9 == 0 else chance.randrange(20, 60) * 1000,
            "bosses": sorted({f"e{chance.randrange(40)}" for _ in range(chance.choice((0, 1, 1, 1, 2)))} - {f"e{i}"}),
        }
        for i in range(40)
    ]
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    graph.ensure_index("Employee", "nodeId")
    kept = [{k: v for k, v in row.items() if k != "bosses" and v is not None} for row in rows]
    graph.write(f"UNWIND $rows AS row CREATE (n:Employee{scope}) SET n = row", {"rows": kept})
    graph.write(
        f"UNWIND $rows AS row UNWIND row.bosses AS boss MATCH (a:Employee{scope} {{nodeId: row.nodeId}}), "
        f"(b:Employee{scope} {{nodeId: boss}}) CREATE (a)-[:reports_to]->(b)",
        {"rows": rows},
    )
    yield graph, rows
    any_database.drop(graph.name)


def test_those_who_earn_more_than_a_boss_of_theirs(
    reader: Reader, staff: tuple[GraphStore, list[dict[str, Any]]]
) -> None:
    graph, rows = staff
    form = best_reading(reader, "employees who earn more than their boss", _NAMES).form
    query = render(form, NodeTerms(), {})
    pay = {row["nodeId"]: row["salary_eur"] for row in rows}
    more = {
        r["name"] for r in rows if any(pay[b] and pay[r["nodeId"]] and pay[r["nodeId"]] > pay[b] for b in r["bosses"])
    }
    assert {row["name"] for row in graph.read(query.cypher, query.parameters).records} == more
    assert more
