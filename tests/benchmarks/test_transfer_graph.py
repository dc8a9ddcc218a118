"""The transfer graph is sound, and its stored answers are what gold gives over the stored files."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from benchmarks.queries.transfer.build import main

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "queries" / "transfer"
FILES = ("nodes.csv", "edges.csv", "questions.jsonl", "questions.dev.jsonl", "questions.test.jsonl")
Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file)) if name.endswith(".csv") else [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def nodes() -> dict[str, Row]:
    return {row[":ID"]: row for row in rows("nodes.csv")}


@pytest.fixture(scope="module")
def edges() -> list[tuple[str, str, str]]:
    return [(row[":START_ID"], row[":TYPE"], row[":END_ID"]) for row in rows("edges.csv")]


@pytest.fixture(scope="module")
def questions() -> list[Row]:
    return rows("questions.jsonl")


def test_graph_is_large_and_varied_enough(nodes: dict[str, Row], edges: list[tuple[str, str, str]]) -> None:
    assert len(nodes) >= 800
    assert len(edges) >= 3000
    assert len({relation for _, relation, _ in edges}) >= 32
    between = defaultdict(set)
    for source, relation, target in edges:
        between[frozenset((nodes[source][":LABEL"], nodes[target][":LABEL"]))].add(relation)
    assert sum(len(relations) > 1 for relations in between.values()) >= 10
    assert any(len(labels) == 1 and len(relations) > 1 for labels, relations in between.items())


def test_ids_names_and_ends_are_sound(nodes: dict[str, Row], edges: list[tuple[str, str, str]]) -> None:
    assert len(nodes) == len(rows("nodes.csv"))
    named = Counter((row[":LABEL"], row["name"].casefold()) for row in nodes.values())
    assert max(named.values()) == 1
    assert len(set(edges)) == len(edges)
    assert {end for source, _, target in edges for end in (source, target)} <= nodes.keys()
    assert all(source != target for source, _, target in edges)


def test_relations_that_hold_both_ways_are_stored_both_ways(edges: list[tuple[str, str, str]]) -> None:
    both = [edge for edge in edges if edge[1] in {"rival_of", "interacts_with", "FERRY_LINK"}]
    assert both
    assert {(target, relation, source) for source, relation, target in both} == set(both)


def test_medicine_does_not_cause_what_it_treats(edges: list[tuple[str, str, str]]) -> None:
    treated = {(source, target) for source, relation, target in edges if relation == "treats"}
    harmful = {"side_effect", "contraindicated_in"}
    harmed = {(source, target) for source, relation, target in edges if relation in harmful}
    assert treated
    assert not treated & harmed


def test_questions_are_as_many_as_promised(questions: list[Row]) -> None:
    assert Counter(question["kind"] for question in questions) == {
        "1hop": 90,
        "2hop": 75,
        "3hop": 25,
        "conjunction": 12,
        "count": 10,
        "superlative": 8,
    }
    assert len({question["question"] for question in questions}) == 220
    phrasings = Counter(question["phrasing"] for question in questions)
    assert len(phrasings) >= 110
    assert max(phrasings.values()) <= 2


def test_split_keeps_phrasings_apart(questions: list[Row]) -> None:
    dev, test = rows("questions.dev.jsonl"), rows("questions.test.jsonl")
    assert (len(dev), len(test)) == (60, 160)
    assert sorted(dev + test, key=lambda question: question["id"]) == questions
    assert not {question["phrasing"] for question in dev} & {question["phrasing"] for question in test}
    assert {question["kind"] for question in dev} == {question["kind"] for question in test}


def test_topics_and_paths_agree_with_gold(questions: list[Row], nodes: dict[str, Row]) -> None:
    for question in questions:
        branches = question["gold"]["all_of"]
        assert question["topics"] == [nodes[branch["start"]]["name"] for branch in branches]
        paths = [branch["path"] for branch in branches]
        assert question["path"] == (paths if question["kind"] == "conjunction" else paths[0])
        if question["kind"].endswith("hop"):
            assert len(question["path"]) == int(question["kind"][0])
        for branch in branches:
            row = nodes[branch["start"]]
            known = (row["name"], row["aliases:string[]"] or row["name"], row["name"].removeprefix("The "))
            assert any(name.casefold() in question["question"].casefold() for name in known)


def test_answers_are_golds(questions: list[Row], nodes: dict[str, Row], edges: list[tuple[str, str, str]]) -> None:
    """Walks the stored edges one path at a time: another way than the builder's."""
    leaving = defaultdict(list)
    for source, relation, target in edges:
        leaving[source].append((relation, target))
        leaving[target].append(("<-" + relation, source))

    def ends(at: str, path: list[str], start: str) -> set[str]:
        if not path:
            return {at}
        return {
            end
            for relation, node in leaving[at]
            if relation == path[0] and node != start
            for end in ends(node, path[1:], start)
        }

    for question in questions:
        gold = question["gold"]
        reached = [ends(branch["start"], branch["path"], branch["start"]) for branch in gold["all_of"]]
        found = [nodes[node] for node in set.intersection(*reached) - {branch["start"] for branch in gold["all_of"]}]
        if "label" in gold:
            found = [row for row in found if row[":LABEL"] == gold["label"]]
        if "best" in gold:
            column = next(name for name in found[0] if name.partition(":")[0] == gold["best"]["property"])
            found.sort(key=lambda row: float(row[column]), reverse=gold["best"]["order"] == "most")
            assert found[0][column] != found[1][column]
            found = found[:1]
        expected = [str(len(found))] if gold.get("count") else sorted(row["name"] for row in found)
        assert question["answers"] == expected, question["id"]
        assert question["answers"]


def test_no_answer_stands_in_its_question(questions: list[Row]) -> None:
    for question in questions:
        assert not any(answer.casefold() in question["question"].casefold() for answer in question["answers"])


def test_builder_writes_the_same_files_again(tmp_path: Path) -> None:
    main(tmp_path)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name
