"""A small model, made and trained by the path of `clew teach` and `clew generator train --fresh`, with ever more
questions.

Every size has its own teaching: the graph is taught with that many questions, their examples are made with the ranker
so taught, a model is trained from nothing on them, and the test questions are asked: the ranker as it is and as
taught, the model kept to the valid queries, and the model left to itself (greedy; its text is run read-only as it
stands). Models read `#1` in the place of names; of some sizes there is one that reads the names. Everything lies in a
folder and is not made twice.
"""

from __future__ import annotations

import gzip
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from statistics import fmean, median
from typing import Any

import torch

from clew.agents.generating.chooser import LocalChooser
from clew.agents.generating.cypher_generator import Chosen, CypherGenerator, query_prompt, with_others
from clew.agents.generating.written_query import written
from clew.app.container import Container
from clew.app.evaluation.evaluation import Scores, score
from clew.app.training.generator_examples import SkippedQuestions, query_examples
from clew.app.training.teaching import Teaching
from clew.tools.errors import ClewError, QueryFailed
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.ingest import ImportOptions
from clew.tools.ingest import load as import_files
from clew.tools.learning.generation.examples import Example, read_examples, write_examples
from clew.tools.learning.generation.fresh import fresh_model
from clew.tools.learning.generation.loading import LanguageModel, load, prompt_ids
from clew.tools.learning.generation.numbered_names import NumberedNames, with_numbers
from clew.tools.learning.generation.recipe import L1
from clew.tools.learning.generation.training import train
from clew.tools.learning.teaching.synthesis import Pair
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.space.around import entities_of, queries_around
from clew.tools.queries.space.query import Query, RankedQuery
from clew.tools.queries.space.space import QuerySpace

SIZES = (30, 100, 300, 1000, 3000)
WAYS = ("numbers", "names")
RECIPE = replace(L1, learning_rate=2e-3, batch=16, warmup=20, schedule="linear")
VOCABULARY = 512
WITH_NAMES = (300, 3000)
"""Sizes for which there is a model that reads names as well."""
EXAMPLES_SEEN = 12_000
"""In training, all epochs together."""
MOST_EPOCHS = 40
SET_ASIDE = 100
"""Questions of a hop that are not taught with; the first of them are tested on."""
TRIED = 5
"""Queries, of which the first with an answer gives the answers."""
LONGEST = 160
"""Tokens of a query that the model says by itself."""
LIMITS = Limits(timeout_s=10.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A test question with what the graph and the ranker say of it."""

    row: dict[str, Any]
    untaught: list[RankedQuery]
    taught: list[RankedQuery]
    candidates: list[RankedQuery]


class Remembered:
    """What teaching does not change: the answers of queries, the untaught ranker's queries, and those around entities,
    by question."""

    def __init__(self, space: QuerySpace) -> None:
        self.space = space
        self.untaught: dict[str, list[RankedQuery]] = {}
        self.around: dict[str, list[Query]] = {}
        self._names: dict[Any, list[str] | None] = {}

    def names(self, query: Query) -> list[str] | None:
        """None where the database refuses it."""
        key = query.key()
        if key not in self._names:
            try:
                self._names[key] = [row.name for row in self.space.execute(query, LIMITS).rows]
            except QueryFailed:
                self._names[key] = None
        return self._names[key]


Groups = Mapping[str, Sequence[Asked]]


def curve(
    container: Container,
    graph: str,
    data: Path,
    sizes: Sequence[int],
    test: int,
    seed: int,
    out: Path | None,
) -> dict[str, Any]:
    """Figures by size; written to `out` as they come, and what is there already is not measured again."""
    folder = container.settings.home / "generator-curve"
    folder.mkdir(parents=True, exist_ok=True)
    teach, tests = _questions(data, test, seed)
    _import(container, graph, data)
    context = container.context(graph)
    space = Remembered(QuerySpace(context.tools.store, context.tools.schema))
    report = json.loads(out.read_text(encoding="utf-8")) if out and out.exists() else {}
    facts = {"test_questions": {name: len(rows) for name, rows in tests.items()}, "seed": seed}
    report |= {"date": time.strftime("%Y-%m-%d"), **facts}
    sized = report.setdefault("sizes", {})
    for size in sizes:
        found = sized.setdefault(str(size), {})
        ways = [way for way in WAYS if way == "numbers" or size in WITH_NAMES]
        if set(ways) <= found.keys():
            continue
        found["teaching"] = _taught(container, graph, teach[:size])
        examples = _examples(container, graph, teach[:size], folder / f"examples-{size}.jsonl")
        asked = {name: [_asked(container, graph, space, row) for row in rows] for name, rows in tests.items()}
        found["untaught ranker"] = _chosen_scores(asked, lambda each: _queries(each.untaught), space)
        found["taught ranker"] = _chosen_scores(asked, lambda each: _queries(each.taught), space)
        for way in ways:
            model = folder / f"model-{size}-{way}"
            found[way] = _trained(model, examples, way) | _generated(model, asked, space, context.tools.store)
            print(size, way, json.dumps(found[way]), flush=True)
            if out:
                out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return report


def _import(container: Container, graph: str, data: Path) -> None:
    if not container.database.exists(graph):
        store = container.database.open(graph, create=True)
        import_files(store, [data / "metaqa/kb.txt.gz"], ImportOptions(container.folder(graph) / "import"))


def _questions(data: Path, test: int, seed: int) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """Those to teach with, hops taking turns, and those to test on. None is in both."""
    teach: list[list[dict[str, Any]]] = []
    tests: dict[str, list[dict[str, Any]]] = {}
    for hops in (1, 2, 3):
        with gzip.open(data / f"metaqa/dev_{hops}hop.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        random.Random(seed).shuffle(rows)
        tests[f"{hops} hop"] = rows[:test]
        aside = {row["question"] for row in rows[:SET_ASIDE]}
        teach.append([row for row in rows[SET_ASIDE:] if row["question"] not in aside])
    return [row for turn in zip_longest(*teach) for row in turn if row is not None], tests


def _taught(container: Container, graph: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    teaching = Teaching(container, graph)
    lessons = teaching.synthesise(_pairs(rows), threads=4)
    report = teaching.teach(lessons)
    return {"questions": len(rows), "found": report.statuses.get("found", 0), "mean_f1": round(report.mean_f1, 4)}


def _pairs(rows: Sequence[dict[str, Any]]) -> list[Pair]:
    return [Pair(row["question"], tuple(str(answer) for answer in row["answers"])) for row in rows]


def _examples(container: Container, graph: str, rows: Sequence[dict[str, Any]], path: Path) -> list[Example]:
    if not path.exists():
        lessons = Teaching(container, graph).synthesise(_pairs(rows), threads=4)
        draft = path.with_suffix(".draft")
        write_examples(draft, query_examples(container, graph, lessons, SkippedQuestions()))
        draft.replace(path)
    return read_examples(path)


def _asked(container: Container, graph: str, space: Remembered, row: dict[str, Any]) -> Asked:
    context, question = container.context(graph), row["question"]
    linking = find_mentions(question, context.tools.index)
    taught = context.tools.ranker.rank(question, linking)
    if question not in space.untaught:
        space.untaught[question] = container.untaught_ranker(graph).rank(question, linking)
        space.around[question] = list(queries_around(space.space, entities_of(linking.mentions)))
    return Asked(row, space.untaught[question], taught, with_others(taught, space.around[question]))


def _trained(folder: Path, examples: Sequence[Example], way: str) -> dict[str, Any]:
    """Figures of the training, which is not done twice."""
    if not (folder / "figures.json").exists():
        epochs = max(2, min(MOST_EPOCHS, EXAMPLES_SEEN // len(examples)))
        recipe = replace(RECIPE, epochs=epochs, patience=epochs, number_names=way == "numbers")
        learned = list(map(with_numbers, examples)) if recipe.number_names else examples
        model = fresh_model([f"{each.prompt}\n{each.target}" for each in learned], vocabulary=VOCABULARY)
        began = time.process_time()
        trained = train(model, examples, folder, recipe)
        figures = {
            "examples": len(examples),
            "parameters": sum(p.numel() for p in model.model.parameters()),
            "epochs": trained.epochs,
            "train_cpu_s": round(time.process_time() - began, 1),
            "held_back_right": trained.after.right,
            "temperature": trained.temperature,
        }
        (folder / "figures.json").write_text(json.dumps(figures), encoding="utf-8")
    kept: dict[str, Any] = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    return kept


def _generated(folder: Path, asked: Groups, space: Remembered, store: GraphStore) -> dict[str, Any]:
    generator = CypherGenerator(LocalChooser(str(folder), device="cpu"))
    chosen: dict[str, list[Chosen]] = {}
    seconds = []
    for each in (each for group in asked.values() for each in group):
        began = time.process_time()
        found = generator.choose(each.row["question"], each.candidates, TRIED, seconds=60.0).chosen
        seconds.append(time.process_time() - began)
        chosen[each.row["question"]] = list(found)

    def queries(each: Asked) -> list[Query]:
        return [one.ranked.query for one in chosen[each.row["question"]]]

    kept = _chosen_scores(asked, queries, space)
    sure = fmean(found[0].probability or 0.0 for found in chosen.values())
    model = load(str(folder), device="cpu")
    return {
        "kept to valid queries": kept | {"cpu_ms_median": round(1000 * median(seconds), 1), "mean_confidence": sure},
        "left to itself": {
            name: _free_scores([_run(_said(model, each), each.row, store) for each in group])
            for name, group in asked.items()
        },
    }


def _chosen_scores(asked: Groups, queries: Callable[[Asked], list[Query]], space: Remembered) -> dict[str, Any]:
    """Of the answers of the first query that has any; and how many of the queries run."""
    figures: dict[str, Any] = {}
    for name, group in asked.items():
        scores, first_right, ran, run = [], [], 0, 0
        for each in group:
            answers: list[list[str]] = []
            for query in queries(each)[:TRIED]:
                run += 1
                found = space.names(query)
                ran += found is not None
                answers.append(found or [])
            scores.append(score(next((a for a in answers if a), []), each.row["answers"]))
            first_right.append(score(answers[0] if answers else [], each.row["answers"]).hits_at_1)
        figures[name] = {"n": len(group), "queries_that_run": f"{ran} of {run}", **_means(scores)}
        figures[name]["first_query_hits_at_1"] = round(fmean(first_right), 4)
    return figures


def _queries(ranked: Sequence[RankedQuery]) -> list[Query]:
    return [each.query for each in ranked]


def _means(scores: Sequence[Scores]) -> dict[str, float]:
    return {
        "hits_at_1": round(fmean(s.hits_at_1 for s in scores), 4),
        "set_f1": round(fmean(s.set_f1 for s in scores), 4),
    }


def _said(model: LanguageModel, each: Asked) -> str:
    """What the model says by itself, greedily. One that reads numbers is shown those of the linked names."""
    prompt = query_prompt(each.row["question"])
    numbered = NumberedNames.of(prompt, [written(one.query) for one in each.candidates])
    ids = prompt_ids(model, numbered.in_prompt(prompt) if model.numbers_names else prompt)
    with torch.no_grad():
        out = model.model.generate(
            torch.tensor([ids]), do_sample=False, max_new_tokens=LONGEST, eos_token_id=model.end_token
        )
    text = model.tokenizer.decode(out[0, len(ids) :], skip_special_tokens=True).strip()
    return numbered.restored(text) if model.numbers_names else text


@dataclass(frozen=True, slots=True)
class Run:
    """What came of the model's own text."""

    ran: bool
    names: tuple[str, ...]
    scores: Scores


def _run(text: str, row: dict[str, Any], store: GraphStore) -> Run:
    """The text as it stands, by the read-only user, in the limits of a question."""
    try:
        records = store.read(text, limits=LIMITS).records
    except ClewError:
        return Run(False, (), score([], row["answers"]))
    values = [value for record in records for value in record.values()]
    names = tuple(str(value.get("name", "")) if isinstance(value, dict) else str(value) for value in values)
    return Run(True, names, score(names, row["answers"]))


def _free_scores(runs: Sequence[Run]) -> dict[str, Any]:
    return {
        "n": len(runs),
        "runs": round(fmean(run.ran for run in runs), 4),
        "returns_anything": round(fmean(bool(run.names) for run in runs), 4),
        **_means([run.scores for run in runs]),
    }
