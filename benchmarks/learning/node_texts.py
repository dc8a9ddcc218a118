"""What the node reasoner (L2) gains where the query cannot decide: questions about what nodes' texts say.

    python -m benchmarks.learning.node_texts --json FILE          # trains a small model, on one core of a CPU
    python -m benchmarks.learning.node_texts --quick              # a few steps: shows that it runs

The set is synthesised like the questions of STaRK: a query finds the papers of an author, all of which fit the pattern,
and the question names a subject that only the papers' abstracts tell. A second query finds papers of a co-author that
may be about the same subject, and are wrong. Union, prompt, training examples, training and selection are Clew's own;
nothing needs a database. Authors and titles of the test are in no training example. Compared on one union: the order of
the queries, and the selection of L2.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch

from clew.agents.answering.node_reasoner import NodeReasoner, node_examples
from clew.agents.answering.union import Union
from clew.agents.generating.chooser import LocalChooser
from clew.app.evaluation.evaluation import Scores, score
from clew.tools.graph.entity import Entity
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.fresh import fresh_model
from clew.tools.learning.generation.numbered_names import with_numbers
from clew.tools.learning.generation.recipe import L2
from clew.tools.learning.generation.training import train
from clew.tools.queries.space.query import Chain, Hop, Query

SUBJECTS = ("glaciers", "magnets", "viruses", "comets", "enzymes", "lasers", "volcanoes", "neurons")
OF_AUTHOR, OF_OTHER = 4, 2
_SYLLABLES = ("ka", "lo", "mi", "ren", "tus", "vel", "dor", "pha", "zin", "bex", "qua", "sil")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the union of its queries' nodes, and the right titles."""

    question: str
    union: Union
    answers: tuple[str, ...]


def questions(count: int, seed: int) -> list[Asked]:
    """Random questions; every one has one or two right papers among those of the author."""
    chance = random.Random(seed)

    def name() -> str:
        return "".join(chance.choices(_SYLLABLES, k=3)).capitalize()

    found = []
    for _ in range(count):
        author, other, subject = name(), name(), chance.choice(SUBJECTS)
        union, right = Union(), []
        for person, papers, wanted, weight in (
            (author, OF_AUTHOR, chance.choice((1, 1, 2)), 0.6), (other, OF_OTHER, chance.choice((0, 1)), 0.3),
        ):  # fmt: skip
            others = [each for each in SUBJECTS if each != subject]
            said = [subject] * wanted + chance.choices(others, k=papers - wanted)
            chance.shuffle(said)
            titles = [name() for _ in said]
            query = Query((Chain(Entity(person, person, "Author"), (Hop("wrote", True, "Paper"),)),))
            union.add(query, [(title, title, "Paper") for title in titles], weight)
            for node in union.nodes:
                if node.id in titles:
                    node.details = {"about": said[titles.index(node.id)]}
            right += [title for title, each in zip(titles, said, strict=True) if each == subject and person == author]
        found.append(Asked(f"Which papers of {author} are about {subject}?", union, tuple(right)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=3000, help="to train with (%(default)s)")
    parser.add_argument("--test", type=int, default=150)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--out", type=Path, help="where the model is kept; training continues there")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    if given.quick:
        given.questions, given.test, given.epochs = 40, 10, 1
    torch.set_num_threads(1)
    folder = given.out or Path(tempfile.mkdtemp(prefix="clew-nodes-"))
    examples = [
        example
        for asked in questions(given.questions, 1)
        for example in node_examples(asked.question, asked.union, asked.answers)
    ]
    began = time.process_time()
    trained = _trained(examples, folder, given.epochs)
    report = {
        "command": " ".join(["python", "-m", "benchmarks.learning.node_texts", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, one thread",
        "trained": trained | {"cpu_s": round(time.process_time() - began, 1)},
        "test": _compared(questions(given.test, 2), NodeReasoner(LocalChooser(str(folder), options={"device": "cpu"}))),
    }
    text = json.dumps(report, indent=2) + "\n"
    print(text, end="")
    if given.json:
        given.json.write_text(text, encoding="utf-8")


def _trained(examples: Sequence[Example], folder: Path, epochs: int) -> dict[str, Any]:
    recipe = replace(
        L2, epochs=epochs, learning_rate=3e-3, batch=8, accumulate=1, warmup=40, longest=2000, schedule="cosine",
        number_names=True, held_back=0.03, patience=epochs,
    )  # fmt: skip
    texts = [f"{each.prompt}\n{each.target}" for each in map(with_numbers, examples[:200])]
    model = fresh_model(texts, vocabulary=600, hidden=64, layers=3, heads=4)
    found = train(model, examples, folder, recipe)
    parameters = sum(parameter.numel() for parameter in model.model.parameters())
    return {
        "examples": len(examples), "parameters": parameters, "steps": found.steps, "epochs": found.epochs,
        "held_back_right": [found.before.right, found.after.right], "keep_from": found.keep_from,
    }  # fmt: skip


def _compared(asked: Sequence[Asked], reasoner: NodeReasoner) -> dict[str, dict[str, float]]:
    by_query, by_reasoner = [], []
    for each in asked:
        by_query.append(score([node.name for node in each.union.nodes], each.answers))
        selection = reasoner.select(each.question, each.union, seconds=60.0)
        by_reasoner.append(score([node.name for node, _ in selection.kept], each.answers))
    return {"order of the queries": _means(by_query), "node reasoner (L2)": _means(by_reasoner)}


def _means(scores: Sequence[Scores]) -> dict[str, float]:
    metrics = ("hits_at_1", "hits_at_5", "recall_at_20", "mrr", "set_f1", "exact_set")
    return {"n": len(scores), **{name: round(fmean(getattr(s, name) for s in scores), 4) for name in metrics}}


if __name__ == "__main__":
    main()
