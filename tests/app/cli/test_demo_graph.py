"""The bundled demo: the CSV files are sound and built from their sources, and the questions' answers follow from them.

The gold specification of a question is evaluated here in plain Python, so that neither the database nor
Clew's own query space takes part in saying what is right.
"""

from __future__ import annotations

import csv
import json
import operator
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DEMO = Path(__file__).resolve().parents[3] / "demo"
TYPES = {
    "ACTED_IN": ({"Person"}, {"Film"}),
    "APPEARS_IN": ({"Character"}, {"Film"}),
    "AUTHORED": ({"Person"}, {"Book"}),
    "BASED_ON": ({"Film"}, {"Book"}),
    "BORN_IN": ({"Person"}, {"City", "Place", "Country"}),
    "CHILD_OF": ({"Person"}, {"Person"}),
    "COMPOSED_MUSIC_FOR": ({"Person"}, {"Film"}),
    "DIRECTED": ({"Person"}, {"Film"}),
    "FEATURED_IN": ({"Song"}, {"Film"}),
    "FILMED_IN": ({"Film"}, {"City", "Place", "Country"}),
    "HAS_GENRE": ({"Film"}, {"Genre"}),
    "LOCATED_IN": ({"City", "Place", "Studio"}, {"Country", "City"}),
    "MARRIED_TO": ({"Person"}, {"Person"}),
    "PERFORMED": ({"Person"}, {"Song"}),
    "PLAYED": ({"Person"}, {"Character"}),
    "PRODUCED_BY": ({"Film"}, {"Studio"}),
    "SEQUEL_OF": ({"Film"}, {"Film"}),
    "SET_IN": ({"Film"}, {"City", "Place", "Country"}),
    "SIBLING_OF": ({"Person"}, {"Person"}),
    "WON": ({"Person", "Film", "Song", "Book"}, {"Award"}),
    "WROTE": ({"Person"}, {"Film"}),
}
LABELS = {label for ends in TYPES.values() for side in ends for label in side}
COMPARISONS = {"=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
Row = dict[str, str]


@cache
def node_rows() -> list[Row]:
    rows: list[Row] = []
    for path in sorted((DEMO / "graph").glob("nodes-*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows += csv.DictReader(file)
    return rows


@cache
def edge_rows() -> list[Row]:
    with (DEMO / "graph" / "edges.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def nodes() -> dict[str, Row]:
    return {row["id:ID"]: row for row in node_rows()}


@cache
def neighbours() -> dict[tuple[str, str], list[str]]:
    """(node id, hop) → node ids; "^TYPE" follows the type against its direction."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in edge_rows():
        found[row[":START_ID"], row[":TYPE"]].append(row[":END_ID"])
        found[row[":END_ID"], "^" + row[":TYPE"]].append(row[":START_ID"])
    return found


def questions(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DEMO / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def property_of(node: str, name: str) -> int | None:
    """A numeric property, None where the node has none."""
    return next((int(value) for column, value in nodes()[node].items() if column == f"{name}:int" and value), None)


def step(node: str, hop: str) -> set[str]:
    """The nodes one hop away; "TYPE:Label" keeps those with the label."""
    relation, _, label = hop.partition(":")
    return {end for end in neighbours().get((node, relation), ()) if not label or nodes()[end][":LABEL"] == label}


def reached(chain: dict[str, Any]) -> set[str]:
    """Where a chain ends: from one node ("from"), never that node itself, or all nodes of a label ("label")."""
    if "label" in chain:
        found = {node for node, row in nodes().items() if row[":LABEL"] == chain["label"]}
    else:
        assert chain["from"] in nodes()
        found = {chain["from"]}
    for hop in chain["hops"]:
        found = {end for node in found for end in step(node, hop)}
    return found - {chain.get("from")} if chain["hops"] else found


def extreme(found: set[str], by: str, best: Any) -> set[str]:
    """The nodes with the most or least of a property, or, where `by` is a hop, of neighbours along it."""
    relation = by.lstrip("^").partition(":")[0]
    values = {node: len(step(node, by)) if relation in TYPES else property_of(node, by) for node in found}
    known = {node: value for node, value in values.items() if value is not None}
    limit = best(known.values())
    return {node for node, value in known.items() if value == limit}


def answers(gold: dict[str, Any]) -> list[str]:
    """The names, the number or the property values that a gold specification asks for, in order."""
    found = set.intersection(*(reached(chain) for chain in gold["chains"]))
    for name, comparison, value in gold.get("filters", []):
        kept = {node: property_of(node, name) for node in found}
        found = {node for node, has in kept.items() if has is not None and COMPARISONS[comparison](has, value)}
    for key, best in (("max", max), ("min", min)):
        if key in gold:
            found = extreme(found, gold[key], best)
    returns = gold.get("returns", "nodes")
    if returns == "count":
        return [str(len(found))]
    if returns == "nodes":
        return sorted(nodes()[node]["name"] for node in found)
    return sorted(str(value) for node in found if (value := property_of(node, returns)) is not None)


def path(gold: dict[str, Any]) -> list[str]:
    """The hops of every chain, "&" between chains, then filters, superlative and what is returned."""
    parts: list[str] = []
    for chain in gold["chains"]:
        parts += [*(["&"] if parts else []), *chain["hops"]]
    parts += [" ".join(map(str, condition)) for condition in gold.get("filters", [])]
    parts += [f"{key} {gold[key]}" for key in ("max", "min") if key in gold]
    return [*parts, gold["returns"]] if "returns" in gold else parts


def kind(gold: dict[str, Any]) -> str:
    if "max" in gold or "min" in gold:
        return "superlative"
    if gold.get("returns") == "count":
        return "count"
    if len(gold["chains"]) > 1:
        return "conjunction"
    return f"{max(1, len(gold['chains'][0]['hops']))}-hop"


def test_the_graph_is_as_large_as_promised() -> None:
    assert len(node_rows()) >= 400
    assert len(edge_rows()) >= 1500


def test_ids_are_unique_and_names_are_given() -> None:
    assert len(nodes()) == len(node_rows())
    assert all(row["name"].strip() == row["name"] != "" for row in node_rows())


def test_labels_are_those_documented() -> None:
    assert {row[":LABEL"] for row in node_rows()} == LABELS


def test_names_are_unique_within_a_label() -> None:
    counts = Counter((row[":LABEL"], row["name"]) for row in node_rows())
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_edge_joins_nodes_of_the_labels_that_its_type_allows() -> None:
    wrong = [
        row
        for row in edge_rows()
        if nodes()[row[":START_ID"]][":LABEL"] not in TYPES[row[":TYPE"]][0]
        or nodes()[row[":END_ID"]][":LABEL"] not in TYPES[row[":TYPE"]][1]
    ]
    assert wrong == []
    assert {row[":TYPE"] for row in edge_rows()} == set(TYPES)


def test_no_edge_is_repeated_and_none_is_a_loop() -> None:
    counts = Counter(tuple(row.values()) for row in edge_rows())
    assert [edge for edge, count in counts.items() if count > 1] == []
    assert [row for row in edge_rows() if row[":START_ID"] == row[":END_ID"]] == []


def test_every_node_has_an_edge() -> None:
    ends = {row[key] for row in edge_rows() for key in (":START_ID", ":END_ID")}
    assert set(nodes()) - ends == set()


def test_symmetric_relations_are_stored_once() -> None:
    pairs = Counter(
        (row[":TYPE"], frozenset((row[":START_ID"], row[":END_ID"])))
        for row in edge_rows()
        if row[":TYPE"] in ("MARRIED_TO", "SIBLING_OF")
    )
    assert set(pairs.values()) == {1}


def test_numbers_are_plausible() -> None:
    for row in node_rows():
        if row[":LABEL"] == "Film":
            assert 1900 <= int(row["year:int"]) <= 2024, row
            assert not row["runtime:int"] or 60 <= int(row["runtime:int"]) <= 240, row
            assert not row["oscars:int"] or 0 <= int(row["oscars:int"]) <= 11, row
    works = {"ACTED_IN", "DIRECTED", "WROTE", "COMPOSED_MUSIC_FOR"}
    for edge in edge_rows():
        born, year = property_of(edge[":START_ID"], "born"), property_of(edge[":END_ID"], "year")
        if edge[":TYPE"] in works and born is not None and year is not None:
            assert 5 <= year - born <= 95, edge


def test_a_film_won_no_fewer_academy_awards_than_the_graph_names() -> None:
    named: dict[str, set[str]] = defaultdict(set)
    by_name = {row["name"]: row["id:ID"] for row in node_rows() if row[":LABEL"] == "Film"}
    for row in edge_rows():
        if row[":TYPE"] == "WON" and row[":END_ID"].startswith("award:academy-award"):
            start = row[":START_ID"]
            films = [by_name[row["film"]]] if row["film"] else [start, *step(start, "FEATURED_IN")]
            for film in films:
                named[film].add(row[":END_ID"])
    films_won = {film: awards for film, awards in named.items() if film.startswith("film:")}
    assert len(films_won) > 50
    for film, awards in films_won.items():
        won = property_of(film, "oscars")
        assert won is not None
        assert won >= len(awards), film


def test_the_csv_files_are_built_from_the_sources() -> None:
    command = [sys.executable, str(DEMO / "build.py"), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_there_are_questions_of_every_kind() -> None:
    kinds = Counter(question["kind"] for question in questions("questions"))
    assert sum(kinds.values()) >= 40
    assert set(kinds) == {"1-hop", "2-hop", "3-hop", "conjunction", "count", "superlative"}
    assert min(kinds.values()) >= 4


def test_the_tour_has_five_questions_of_five_kinds() -> None:
    tour = questions("tour")
    assert len(tour) == 5
    assert len({question["kind"] for question in tour}) == 5
    asked = {question["question"] for question in questions("questions")}
    assert {question["question"] for question in tour} <= asked


def test_two_questions_take_the_graph_and_a_document() -> None:
    """The document has the answer, by the surname of somebody whom the question does not name; the graph knows who."""
    both = questions("tour-documents")
    assert len(both) == 2
    names = {row["name"] for row in node_rows()}
    for question in both:
        (answer,), (passage,) = question["answers"], question["passages"]
        text = " ".join((DEMO / "documents" / passage).read_text(encoding="utf-8").split())
        assert answer in text
        assert question["graph"] in names
        assert question["graph"].split()[-1] in text
        assert question["graph"] not in question["question"]


@pytest.mark.parametrize("name", ["questions", "tour"])
def test_every_answer_follows_from_the_graph(name: str) -> None:
    for question in questions(name):
        gold = question["gold"]
        assert question["answers"] == answers(gold), question["question"]
        assert question["answers"], question["question"]
        assert (question["path"], question["kind"]) == (path(gold), kind(gold)), question["question"]
        topics = [nodes()[chain["from"]]["name"] for chain in gold["chains"] if "from" in chain]
        assert question["topics"] == topics, question["question"]


def test_questions_are_not_repeated() -> None:
    counts = Counter(question["question"].casefold() for question in questions("questions"))
    assert set(counts.values()) == {1}


def test_documents_are_short() -> None:
    documents = sorted((DEMO / "documents").glob("*.md"))
    assert 5 <= len(documents) <= 6
    for document in documents:
        assert 150 <= len(document.read_text(encoding="utf-8").split()) <= 400, document.name


def test_the_readme_states_the_counts() -> None:
    readme = (DEMO / "README.md").read_text(encoding="utf-8")
    assert f"{len(node_rows()):,} nodes" in readme
    assert f"{len(edge_rows()):,} relationships" in readme
    assert f"{len(questions('questions'))} questions" in readme
    kinds = Counter(row[":TYPE"] for row in edge_rows())
    labels = Counter(row[":LABEL"] for row in node_rows())
    for name, count in [*kinds.items(), *labels.items()]:
        assert f"| {name} | {count:,} |" in readme, name
