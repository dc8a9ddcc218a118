"""What the node reasoner (L2) gains where the query cannot decide: questions about what nodes' texts say.

    python -m benchmarks.learning.node_texts --out FOLDER --json FILE   # trains a small model, on one core of a CPU
    python -m benchmarks.learning.node_texts --quick                    # a few steps: shows that it runs

The set is synthesised like the questions of STaRK: a query finds the papers of an author, all of which fit the
pattern, and the question asks for a kind of paper that only their abstracts tell, in other words than the question's.
In the whole task a second query finds papers of another author, which are wrong. Union, prompt, training examples,
training and selection are Clew's own; nothing needs a database. Authors and titles of the tests are in no training
example.

The model has fresh weights. It learns in lessons, each of which starts from the model of the one before: two papers
of two kinds with one wording each, then all kinds and wordings, then up to three papers, then the whole task. Its
first layer looks back a few tokens only. After each lesson, the order of the queries is compared with the selection
of L2 on the same unions.
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
import transformers

from clew.agents.answering.node_reasoner import NodeReasoner, node_examples
from clew.agents.answering.union import Union
from clew.agents.generating.chooser import LocalChooser
from clew.app.evaluation.evaluation import Scores, score
from clew.tools.graph.entity import Entity
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.fresh import LONGEST, fresh_tokenizer
from clew.tools.learning.generation.loading import LanguageModel, language_model, load
from clew.tools.learning.generation.numbered_names import with_numbers
from clew.tools.learning.generation.recipe import L2
from clew.tools.learning.generation.training import train
from clew.tools.queries.space.query import Chain, Hop, Query

KINDS = {
    "experiments": ("measured", "tested", "observed", "weighed", "sampled"),
    "proofs": ("proved", "derived", "deduced", "refuted", "axiomatised"),
    "surveys": ("reviewed", "summarised", "compared", "classified", "listed"),
    "tools": ("built", "programmed", "released", "engineered", "automated"),
}
"""What a question asks for, and what abstracts of that kind say."""
OBJECTS = (
    "the flow of heat", "magnets in ice", "the growth of moss", "light from comets", "waves in sand",
    "the sleep of bees", "signals in nerves", "the age of rocks",
)  # fmt: skip
_SYLLABLES = ("ka", "lo", "mi", "ren", "tus", "vel", "dor", "pha", "zin", "bex", "qua", "sil")
LOOKS_BACK = 14
"""Tokens that the first layer sees: from a word of an abstract, the name of its node."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Questions of one difficulty."""

    questions: int
    kinds: int = len(KINDS)
    wordings: int = 5
    papers: tuple[int, int] = (2, 4)
    """Fewest and most of the author."""
    of_other: int = 2
    """Most papers of the co-author."""
    epochs: int = 1


LESSONS = (
    Lesson(16_000, kinds=2, wordings=1, papers=(2, 2), of_other=0),
    Lesson(16_000, papers=(2, 2), of_other=0),
    Lesson(6_000, papers=(2, 3), of_other=0),
    Lesson(16_000),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the union of its queries' nodes, and the right titles."""

    question: str
    union: Union
    answers: tuple[str, ...]


def questions(lesson: Lesson, seed: int) -> list[Asked]:
    """Random questions; every one has one or two right papers among those of the author."""
    chance = random.Random(seed)
    kinds = list(KINDS)[: lesson.kinds]

    def name() -> str:
        return "".join(chance.choices(_SYLLABLES, k=4)).capitalize()

    found = []
    for _ in range(lesson.questions):
        author, asked = name(), chance.choice(kinds)
        papers = chance.randint(*lesson.papers)
        wanted = chance.choice((1, 1, 2)) if papers > 2 else 1
        said = [asked] * wanted + chance.choices([kind for kind in kinds if kind != asked], k=papers - wanted)
        chance.shuffle(said)
        union = Union()
        own = _add(union, author, said, lesson, chance, name, 0.6)
        others = chance.choices(kinds, k=chance.randint(0, lesson.of_other))
        _add(union, name(), others, lesson, chance, name, 0.3)
        right = tuple(title for title, kind in zip(own, said, strict=True) if kind == asked)
        found.append(Asked(f"Which papers of {author} are {asked}?", union, right))
    return found


def _add(
    union: Union, author: str, kinds: Sequence[str], lesson: Lesson, chance: random.Random, name: Any, weight: float
) -> list[str]:
    """The titles of an author's papers of these kinds, which the union then has with their abstracts."""
    texts = {
        f"{name()} {number}": f"We {chance.choice(KINDS[kind][: lesson.wordings])} {chance.choice(OBJECTS)}."
        for number, kind in enumerate(kinds, start=1)
    }
    if texts:
        query = Query((Chain(Entity(author, author, "Author"), (Hop("wrote", True, "Paper"),)),))
        union.add(query, [(title, title, "Paper") for title in texts], weight)
    for node in union.nodes:
        if node.id in texts:
            node.details = {"abstract": texts[node.id]}
    return list(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lessons", type=int, default=3, help="the first ones; 4 with the whole task (%(default)s)")
    parser.add_argument("--test", type=int, default=300, help="questions to test each lesson with (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of weights and training questions")
    parser.add_argument("--out", type=Path, help="where the models are kept; training continues there")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    lessons = [replace(each, questions=40) if given.quick else each for each in LESSONS[: given.lessons]]
    torch.set_num_threads(1)
    folder = given.out or Path(tempfile.mkdtemp(prefix="clew-nodes-"))
    learned = _learned(lessons, folder, given.seed, 10 if given.quick else given.test)
    report = {
        "command": " ".join(["python", "-m", "benchmarks.learning.node_texts", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, one thread",
        "lessons": learned,
    }
    text = json.dumps(report, indent=2) + "\n"
    print(text, end="")
    if given.json:
        given.json.write_text(text, encoding="utf-8")


def _learned(lessons: Sequence[Lesson], folder: Path, seed: int, tested: int) -> list[dict[str, Any]]:
    """What each lesson took, and its test: other questions of the same form."""
    model, found = _fresh(seed), []
    for number, lesson in enumerate(lessons, start=1):
        place, told = folder / str(number), folder / f"{number}.json"
        if told.exists():
            model = load(str(place), to_train=True)
        else:
            model, took = _trained(model, lesson, place, seed * 100 + number)
            took |= _tested(questions(replace(lesson, questions=tested), -1), place)
            told.write_text(json.dumps(took), encoding="utf-8")
        found.append(json.loads(told.read_text(encoding="utf-8")))
        print(json.dumps(found[-1]), flush=True)
    return found


def _fresh(seed: int) -> LanguageModel:
    """A Qwen3 of fresh weights, larger ones than usual: so narrow a model learns slowly from small ones."""
    examples = _examples(replace(LESSONS[-1], questions=200), seed)
    tokenizer = fresh_tokenizer([f"{each.prompt}\n{each.target}" for each in map(with_numbers, examples)], 600)
    config = transformers.Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=192, num_hidden_layers=3, num_attention_heads=4,
        num_key_value_heads=4, head_dim=16, max_position_embeddings=LONGEST, tie_word_embeddings=True,
        use_sliding_window=True, sliding_window=LOOKS_BACK, initializer_range=0.1,
        layer_types=["sliding_attention", "full_attention", "full_attention"],
        bos_token_id=None, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    torch.manual_seed(seed)
    model = transformers.AutoModelForCausalLM.from_config(config)
    return language_model(model.eval(), tokenizer, "fresh", "fresh")


def _examples(lesson: Lesson, seed: int) -> list[Example]:
    asked = questions(lesson, seed)
    return [example for each in asked for example in node_examples(each.question, each.union, each.answers)]


def _trained(model: LanguageModel, lesson: Lesson, place: Path, seed: int) -> tuple[LanguageModel, dict[str, Any]]:
    """The model after a lesson."""
    recipe = replace(
        L2, epochs=lesson.epochs, learning_rate=2e-3, beta2=0.99, batch=32, accumulate=1, warmup=30,
        longest=2000, schedule="linear", number_names=True, held_back=0.02, patience=lesson.epochs, save_every=50,
    )  # fmt: skip
    examples = _examples(lesson, seed)
    began = time.process_time()
    found = train(model, examples, place, recipe, lambda step: print(step, flush=True) if step % 50 == 0 else None)
    return load(str(place), to_train=True), {
        "examples": len(examples), "steps": found.steps,
        "parameters": sum(parameter.numel() for parameter in model.model.parameters()),
        "held_back_loss": [round(found.before.loss, 3), round(found.after.loss, 3)],
        "held_back_right": [found.before.right, found.after.right],
        "keep_from": found.keep_from, "cpu_s": round(time.process_time() - began, 1),
    }  # fmt: skip


def _tested(asked: Sequence[Asked], place: Path) -> dict[str, dict[str, float]]:
    reasoner = NodeReasoner(LocalChooser(str(place), options={"device": "cpu"}))
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
