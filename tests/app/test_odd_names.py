"""Graphs whose names hold control characters, backticks and the like: Clew's own queries for them are accepted."""

from __future__ import annotations

import csv
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.app.api.graph import Graph
from clew.tools.cypher.quoting import quoted
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.ingest.stored_names import stored_property, stored_type

ODD = {
    "control": "\x01", "delete": "\x7f", "backtick": "`", "escape": "\\u0060", "tab": "\t", "backslash": "\\",
    "line": "\u2028",
}  # fmt: skip


@pytest.fixture
def school(request: pytest.FixtureRequest, clew_home: Path, tmp_path: Path) -> Iterator[Graph]:
    """A graph with the odd text in the name of every label, relationship type and property."""
    odd = request.param
    rows: dict[str, list[list[object]]] = {
        "nodes.csv": [
            ["id:ID", "name", f"shoe{odd}size:int", ":LABEL"],
            [1, "Anna Berg", 38, f"Head{odd}teacher"],
            [2, "Boris Falk", 44, f"Head{odd}teacher"],
            [3, "Studio Blau", None, f"Dance{odd}school"],
            [4, "Studio Rot", None, f"Dance{odd}school"],
        ],
        "edges.csv": [
            [":START_ID", ":END_ID", ":TYPE", f"since{odd}year:int"],
            [1, 3, f"teaches{odd}at", 2001],
            [2, 4, f"teaches{odd}at", 2002],
        ],
    }
    for name, lines in rows.items():
        with (tmp_path / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(lines)
    with clew.connect(f"odd-{uuid.uuid4().hex[:8]}", home=clew_home) as graph:
        graph.import_files(tmp_path / "nodes.csv", tmp_path / "edges.csv")
        yield graph


@pytest.mark.parametrize("school", ODD.values(), ids=ODD, indirect=True)
def test_questions_about_odd_names_are_answered(school: Graph) -> None:
    def answers(question: str) -> list[str]:
        return sorted(answer.name for answer in school.ask(question).answers)

    assert answers("Where does Anna Berg teach?") == ["Studio Blau"]
    assert answers("Who teaches at Studio Rot?") == ["Boris Falk"]
    assert answers("Which dance schools are there?") == ["Studio Blau", "Studio Rot"]
    assert answers("What is the shoe size of Boris Falk?") == ["44"]
    assert answers("Since which year does Boris Falk teach at Studio Rot?") == ["2002"]


@pytest.mark.parametrize("odd", ["\0", "\x01", "\n", "\x0b", "\x7f", "\x85", "\u2028", "`", "\\u0060", "\\u005cu0060"])
def test_the_embedded_database_reads_a_quoted_name_as_it_is(database: BoltDatabase, odd: str) -> None:
    store = database.open("odd-names", create=True)
    label, relation, key = (quoted(f"{kind}{odd}name") for kind in ("label", "relation", "key"))
    store.write(f"CREATE (:{label} {{{key}: 1}})-[:{relation} {{{key}: 2}}]->(:{label})")
    query = (
        f"MATCH (a:{label} {{{key}: 1}})-[r:{relation}]->() WHERE r.{key} = 2 RETURN labels(a) + type(r) + keys(r) AS x"
    )
    assert store.read(query).records == [{"x": [f"{kind}{odd}name" for kind in ("label", "relation", "key")]}]


def test_an_escape_cannot_end_a_name_in_a_database_that_decodes_it() -> None:
    name = "a\\u0060]->() DETACH DELETE n //"
    assert "\\u" not in stored_type(name, "neo4j") + stored_property(name)
    assert stored_type(name, "arcadedb") == name
    assert stored_type(stored_type(name, "neo4j"), "neo4j") == stored_type(name, "neo4j")
