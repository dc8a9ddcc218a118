"""Questions that compare: what they mean, and their answers in each database."""

from __future__ import annotations

import random
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.reading.comparisons.described import sides
from clew.tools.queries.reading.comparisons.question import Question
from clew.tools.queries.reading.comparisons.said import comparisons
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

_DRAWN = random.Random(5)
FARMS: list[dict[str, Any]] = [
    {"name": name, "hectares": _DRAWN.randrange(20, 400), "founded": _DRAWN.randrange(1890, 2010), "village": village}
    for name, village in (
        ("Low Wood", "Alder"),
        ("Sandy Hill", "Birch"),
        ("Mill Lane", "Alder"),
        ("Long Acre", "Birch"),
    )
]  # fmt: skip
WORKERS: list[dict[str, Any]] = [
    {"name": f"Worker {n}", "wage": _DRAWN.randrange(12, 30), "farm": _DRAWN.choice(FARMS)["name"]} for n in range(17)
]
SALES: list[dict[str, Any]] = [
    {"name": f"S{n}", "tonnes": _DRAWN.randrange(1, 30), "crop": _DRAWN.choice(["wheat", "barley"]),
     "farm": _DRAWN.choice(FARMS)["name"]} for n in range(40)
]  # fmt: skip
NODES = {"Farm": FARMS, "Worker": WORKERS, "Sale": SALES}
NAMES = {row["name"]: Entity(f"Farm/{row['name']}", row["name"], "Farm") for row in FARMS}
SCHEMA = Schema(
    {label: len(rows) for label, rows in NODES.items()},
    (
        Relation("WORKS_AT", "Worker", "Farm", len(WORKERS)),
        Relation("SOLD_BY", "Sale", "Farm", len(SALES)),
    ),
    tuple(
        Property(label, name, "STRING" if isinstance(rows[0][name], str) else "INTEGER", len(rows),
                 tuple(row[name] for row in rows[:10]))
        for label, rows in NODES.items() for name in rows[0] if name != "farm"
    ),
    "1",
)  # fmt: skip


def of(name: str) -> dict[str, Any]:
    return next(row for row in FARMS if row["name"] == name)


def tonnes(name: str) -> int:
    return sum(row["tonnes"] for row in SALES if row["farm"] == name)


def workers(name: str) -> int:
    return sum(row["farm"] == name for row in WORKERS)


@pytest.fixture(scope="module")
def reader() -> Reader:
    places = {("Sale", "crop", False): ("wheat", "barley"), ("Farm", "village", False): ("Alder", "Birch")}

    def held(text: str) -> dict[tuple[str, str, bool], list[str]]:
        found = {place: [each for each in known if each.lower() == text.lower()] for place, known in places.items()}
        return {place: values for place, values in found.items() if values}

    return reader_of(SCHEMA, NAMES, held)


@pytest.fixture(scope="module")
def graph(any_database: BoltDatabase) -> Iterator[GraphStore]:
    store = any_database.open(f"farms-{uuid.uuid4().hex[:12]}", create=True)
    scope = f":{quoted(store.scope)}" if store.scope else ""
    for label, rows in NODES.items():
        store.ensure_index(label, "nodeId")
        stored = [{"nodeId": f"{label}/{row['name']}", **{k: v for k, v in row.items() if k != "farm"}} for row in rows]
        store.write(f"UNWIND $rows AS row CREATE (n:{label}{scope}) SET n = row", {"rows": stored})
    for label, relation in (("Worker", "WORKS_AT"), ("Sale", "SOLD_BY")):
        pairs = [{"a": f"{label}/{row['name']}", "b": f"Farm/{row['farm']}"} for row in NODES[label]]
        store.write(
            f"UNWIND $rows AS row MATCH (a:{label}{scope} {{nodeId: row.a}}), (b:Farm{scope} {{nodeId: row.b}}) "
            f"CREATE (a)-[:{relation}]->(b)",
            {"rows": pairs},
        )
    yield store
    any_database.drop(store.name)


def rows(reader: Reader, graph: GraphStore, question: str) -> list[dict[str, Any]]:
    query = render(best_reading(reader, question, NAMES).form, graph.terms, {})
    return [dict(row) for row in graph.read(query.cypher, query.parameters).records]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("is Low Wood a larger farm than Sandy Hill?", of("Low Wood")["hectares"] > of("Sandy Hill")["hectares"]),
        ("Pardon me, does Low Wood have more hectares than Mill Lane does?",
         of("Low Wood")["hectares"] > of("Mill Lane")["hectares"]),
        ("did Low Wood sell more tonnes than Sandy Hill did?", tonnes("Low Wood") > tonnes("Sandy Hill")),
        ("do more workers work at Low Wood than at Sandy Hill?", workers("Low Wood") > workers("Sandy Hill")),
        ("Long Acre vs Mill Lane: does the former have more hectares?",
         of("Long Acre")["hectares"] > of("Mill Lane")["hectares"]),
        ("by how many hectares does Low Wood beat Sandy Hill?",
         abs(of("Low Wood")["hectares"] - of("Sandy Hill")["hectares"])),
        ("what's the gap in hectares between Mill Lane and Long Acre", 
         abs(of("Mill Lane")["hectares"] - of("Long Acre")["hectares"])),
        ("how many more tonnes did Low Wood sell than Mill Lane?", abs(tonnes("Low Wood") - tonnes("Mill Lane"))),
        ("Low Wood sold how many more tonnes than Mill Lane?", abs(tonnes("Low Wood") - tonnes("Mill Lane"))),
        ("are there more wheat sales than barley sales?",
         sum(s["crop"] == "wheat" for s in SALES) > sum(s["crop"] == "barley" for s in SALES)),
        ("how many more wheat sales than barley sales are there?",
         abs(sum(s["crop"] == "wheat" for s in SALES) - sum(s["crop"] == "barley" for s in SALES))),
        ("are there more farms in Alder than in Birch?", False),
    ],
)  # fmt: skip
def test_two_things_compared(reader: Reader, graph: GraphStore, question: str, value: Any) -> None:
    assert [row["value"] for row in rows(reader, graph, question)] == [value]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("who sold more tonnes, Low Wood or Sandy Hill?", [max(("Low Wood", "Sandy Hill"), key=tonnes)]),
        ("Between Mill Lane and Long Acre, which has more hectares?",
         [max(("Mill Lane", "Long Acre"), key=lambda each: of(each)["hectares"])]),
        ("compare Mill Lane and Long Acre and tell me which one has more hectares",
         [max(("Mill Lane", "Long Acre"), key=lambda each: of(each)["hectares"])]),
        ("which of Mill Lane and Long Acre has been around longer?",
         [min(("Mill Lane", "Long Acre"), key=lambda each: of(each)["founded"])]),
        ("all farms whose hectares top those of Mill Lane",
         [row["name"] for row in FARMS if row["hectares"] > of("Mill Lane")["hectares"]]),
        ("which farms employ more workers than Mill Lane does?",
         [row["name"] for row in FARMS if workers(row["name"]) > workers("Mill Lane")]),
        ("I am keen to hear which farms in Birch sold more tonnes than Low Wood.",
         [row["name"] for row in FARMS if row["village"] == "Birch" and tonnes(row["name"]) > tonnes("Low Wood")]),
    ],
)  # fmt: skip
def test_the_ones_with_more(reader: Reader, graph: GraphStore, question: str, names: list[str]) -> None:
    assert {row["name"] for row in rows(reader, graph, question)} == {*names}


@pytest.mark.parametrize(
    "question", ["farms in Alder", "who works at Low Wood?", "how many tonnes did Low Wood and Mill Lane sell?"]
)
def test_other_questions_compare_nothing(reader: Reader, question: str) -> None:
    said = words(best_reading(reader, question, NAMES).form)
    assert "higher than" not in said
    assert "ifference" not in said


_SAID = re.findall(
    r"\S+",
    "is are did does has more fewer longer as much than Low_Wood Sandy_Hill farms with whose hectares tops beats by "
    "how many tonnes or vs which who sold between and the gap in difference that of there outnumber former "
    "each per we one higher gap those in at most ? , : -",
)


@settings(max_examples=400)
@given(st.lists(st.sampled_from(_SAID), max_size=20))
def test_what_is_compared_is_said_in_the_question(said: list[str]) -> None:
    text = " ".join(said).replace("_", " ")
    names = [
        Mention(start, start + len(name), name, (Candidate(NAMES[name], 1.0, "exact", name),))
        for name in ("Low Wood", "Sandy Hill")
        if (start := text.find(name)) >= 0
    ]
    question = Question(text, names, {"farm", "farms"})
    for found in comparisons(question):
        assert found.one != found.other
        assert 0 <= found.subject[0] <= found.subject[1] <= len(text)
        for metric in found.metrics:
            assert metric.parts.count(None) == 1
    for each in sides(question):
        for piece in (*each.one, *each.other):
            assert isinstance(piece, str) or 0 <= piece[0] < piece[1] <= len(text)
