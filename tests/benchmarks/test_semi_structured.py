"""The semi-structured benchmark: facts never asked in their texts' words, gold that follows from the files, peers."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.text_search.semi_structured.__main__ import QUESTIONS, build, read_lines
from benchmarks.text_search.semi_structured.asking import MOST_ANSWERS, QUOTA
from benchmarks.text_search.semi_structured.baselines import Bm25, by_type, read_texts
from benchmarks.text_search.semi_structured.gold import Comparison, Gold, Relation, Wanted, key
from benchmarks.text_search.semi_structured.lexicon import Fact, half, read_facts, shared_words
from benchmarks.text_search.semi_structured.scripted import hostile, plan_of, spoilt
from benchmarks.text_search.semi_structured.world import COUNTS, World, make_world
from clew.agents.planning.plan_writer import read_plan
from clew.tools.ingest.formats import detect
from clew.tools.queries.plans.plan import Search

SCALE = 0.1
FACTS = [fact for facts in read_facts().values() for fact in facts]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built")
    build(path, 0, SCALE)
    return path


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(0, SCALE)


def test_questions_use_no_word_of_the_texts() -> None:
    assert len(FACTS) > 200
    assert all(len(fact.texts) >= 2 and len(fact.asked) >= 2 for fact in FACTS)
    assert {fact: shared for fact in FACTS if (shared := shared_words(fact))} == {}


def test_a_shared_word_is_found_in_another_form() -> None:
    assert shared_words(Fact("A", "b", 0, ("heals wounds",), ("is for the wounded",))) == {"wound"}


def test_even_and_odd_seeds_share_no_fact() -> None:
    facts = read_facts()
    even, odd = ({key(fact) for listed in half(facts, seed).values() for fact in listed} for seed in (0, 1))
    assert not even & odd
    assert len(even | odd) == len(FACTS)


def test_texts_apart_are_nodes_about_the_same_nodes(folder: Path, tmp_path: Path) -> None:
    build(tmp_path, 0, SCALE, apart=True)

    def read(path: Path) -> list[dict[str, str]]:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    texts = {row[":ID"]: row["text"] for row in read(tmp_path / "text.csv")}
    about = {row[":END_ID"]: texts[row[":START_ID"]] for row in read(tmp_path / "about.csv")}
    papers = read(folder / "paper.csv")
    assert {row[":ID"]: row["abstract"] for row in papers}.items() <= about.items()
    assert all("abstract" not in row for row in read(tmp_path / "paper.csv"))
    assert (tmp_path / QUESTIONS).read_bytes() == (folder / QUESTIONS).read_bytes()


def test_a_seed_gives_the_same_files_again(folder: Path, tmp_path: Path) -> None:
    build(tmp_path, 0, SCALE)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {p.name: p.read_bytes() for p in folder.iterdir()}


def test_files_are_what_the_importer_reads(folder: Path) -> None:
    formats = {path.name: detect(path).kind for path in folder.glob("*.csv")}
    assert len(formats) == 16
    assert set(formats.values()) == {"csv"}


def test_every_type_has_its_questions_and_few_answers(folder: Path) -> None:
    lines = read_lines(folder / QUESTIONS)
    assert {line["type"] for line in lines} == set(QUOTA)
    assert all(1 <= len(line["answer_ids"]) <= MOST_ANSWERS for line in lines)
    assert len({line["question"] for line in lines}) == len(lines)


def test_gold_follows_from_the_files_and_the_hidden_facts(folder: Path, world: World) -> None:
    """Worked out again by walking the CSV files from every node of the label."""
    nodes, near = _files(folder)
    lines = [line for line in read_lines(folder / QUESTIONS) if line["gold"]["best"] is None]
    assert len(lines) > 20
    for line in lines:
        gold = line["gold"]
        found = [
            node
            for node, row in nodes.items()
            if row[":LABEL"] == gold["label"]
            and all(_leads(near, world, node, relation) for relation in gold["relations"])
            and all(_has(world, node, fact) for fact in gold["facts"])
            and (not gold["comparison"] or _holds(row, gold["comparison"]))
        ]
        assert sorted(found) == line["answer_ids"], line["question"]


def _files(folder: Path) -> tuple[dict[str, dict[str, str]], dict[tuple[str, str], dict[str, set[str]]]]:
    nodes: dict[str, dict[str, str]] = {}
    near: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in folder.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if ":ID" in row:
                    nodes[row[":ID"]] = row
                    continue
                head, kind, tail = row[":START_ID"], row[":TYPE"], row[":END_ID"]
                for side in ("out", "both"):
                    near[kind, side][head].add(tail)
                for side in ("in", "both"):
                    near[kind, side][tail].add(head)
    return nodes, near


def _leads(near: Any, world: World, node: str, relation: dict[str, Any]) -> bool:
    here = {node}
    for kind, side in relation["steps"]:
        here = {other for each in here for other in near[kind, side].get(each, ())}
    return relation["anchor"] in here if relation["anchor"] else any(_has(world, n, relation["fact"]) for n in here)


def _has(world: World, node: str, fact: list[Any]) -> bool:
    return any(key(own) == tuple(fact) for own in world.nodes[node].facts.values())


def _holds(row: dict[str, str], comparison: dict[str, Any]) -> bool:
    text = next(value for name, value in row.items() if name.split(":")[0] == comparison["property"])
    value = text if isinstance(comparison["value"], str) else float(text)
    if comparison["operator"] == "between":
        return bool(comparison["value"] <= value <= comparison["high"])
    return {"<": value < comparison["value"], ">": value > comparison["value"], ">=": value >= comparison["value"]}[
        comparison["operator"]
    ]


def test_the_most_and_the_least(world: World) -> None:
    gold = Gold(world)
    papers = {node.id: node.properties["citationCount"] for node in world.of_label["Paper"]}
    most = gold.answers(Wanted("Paper", best=("citationCount", "max")))
    assert most == sorted(node for node, count in papers.items() if count == max(papers.values()))
    few = gold.answers(Wanted("Paper", comparison=Comparison("citationCount", "<", 5), best=("citationCount", "max")))
    assert {papers[node] for node in few} == {max(count for count in papers.values() if count < 5)}


def test_either_direction_counts_where_a_relation_has_none(world: World) -> None:
    gold = Gold(world)
    head, tails = next(iter(world.out["INTERACTS_WITH"].items()))
    for tail in tails:
        assert head in gold.related(Relation((("INTERACTS_WITH", "both"),), tail))
        assert tail in gold.related(Relation((("INTERACTS_WITH", "both"),), head))


def test_texts_tell_every_fact_and_no_question(world: World) -> None:
    for node in world.nodes.values():
        told = node.text.lower()
        assert all(any(text.lower() in told for text in fact.texts) for fact in node.facts.values())


def test_bm25_prefers_rare_words_and_short_texts() -> None:
    index = Bm25(["a blue fish", "a red fish", "a red fish and a red cat and more"])
    blue, red = index.scores("blue"), index.scores("red")
    assert blue.argmax() == 0
    assert blue.max() > red.max()
    assert not index.scores("zebra").any()


def test_gold_rankings_score_one() -> None:
    lines = [{"type": "a", "answer_ids": ["1", "2"]}, {"type": "b", "answer_ids": ["3"]}]
    figures = by_type(lines, [["1", "2"], ["3"]])
    assert figures["all"] == {"n": 2, "hits_at_1": 1, "hits_at_5": 1, "recall_at_20": 1, "mrr": 1}
    assert by_type(lines, [["9", "2"], []])["all"]["mrr"] == 0.25
    assert json.dumps(figures)


def test_scripted_plans_are_read_as_they_are_meant(folder: Path) -> None:
    names = {key: text.partition(". ")[0] for key, text in read_texts(folder, [*COUNTS]).items()}
    chance = Random(0)
    for line in read_lines(folder / QUESTIONS):
        written = plan_of(line, names)
        plan = read_plan(json.dumps(written))
        assert [step.name for step in plan.steps] == [step["name"] for step in written["steps"]]
        assert plan.answer == plan.steps[-1].name
        searched = " ".join(step.text for step in plan.steps if isinstance(step, Search))
        assert all(phrase in searched for *_, phrase in line["phrases"])
        assert all(step.narrowing.where for step in plan.steps[-1:] if line["gold"]["comparison"])
        assert all(names[r["anchor"]] in json.dumps(written) for r in line["gold"]["relations"] if r["anchor"])
        for text in (spoilt(written, chance), hostile(line["gold"]["label"], chance)):
            assert text != json.dumps(written)
