"""Training examples of the ranker: questions with rated candidate queries, as lines of JSON that people can edit.

A line holds `question`, `answers`, `status`, and `candidates`, best first. Of a candidate, `f1` says how well its
answers fit (people may correct it), `words` and `cypher` what it asks, and the rest what the ranker is taught by.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from clew.tools.errors import BadInput
from clew.tools.learning.teaching.options import CROSSED, FEATURES, Option, rival
from clew.tools.learning.teaching.pattern import Pattern

Status = Literal["found", "poor", "no query", "not linked", "not in the graph"]
"""`found`: some query is good enough to learn from. `poor`: none is. `no query`: none has an answer. `not linked`: no
entity was recognised. `not in the graph`: no node has the name of an answer, and no query gives one."""
RIVALS = 8
FLOOR = 0.3
"""Minimum F1 of a question's best query for training."""


@dataclass(frozen=True, slots=True)
class Rated:
    """An option with the numbers of its correct and of all answers."""

    option: Option
    hits: int
    total: int
    """The number of results, correct or not."""
    f1: float
    words: str = ""
    cypher: str = ""

    @property
    def precision(self) -> float:
        return self.hits / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """A question with its rated options."""

    question: str
    answers: tuple[str, ...]
    status: Status
    rated: tuple[Rated, ...] = field(default=())

    @property
    def quality(self) -> float:
        """F1 of the best option."""
        return max((rated.f1 for rated in self.rated), default=0.0)

    @property
    def found(self) -> bool:
        """Whether it can be used for training."""
        return self.status == "found"

    def to_json(self) -> dict[str, Any]:
        ordered = sorted(self.rated, key=lambda r: (-r.f1, -r.precision, r.option.pattern.length))
        return {
            "question": self.question,
            "answers": list(self.answers),
            "status": self.status,
            "candidates": [_rated_json(rated) for rated in ordered],
        }


def f1(hits: int, total: int, wanted: int) -> float:
    """F1 of `total` answers with `hits` correct ones, of `wanted` correct answers in all."""
    return 2 * hits / (total + wanted) if hits else 0.0


def preferred(examples: Sequence[TrainingExample]) -> list[TrainingExample]:
    """The examples with their best option first. Equal F1: higher precision, then fewer hops, then the pattern that is
    best for most questions of the whole corpus (GraphRAFT section 4.1 ranks by hits and results). Options that are as
    good as the first by chance are left out: they would teach the wrong pattern."""
    common: Counter[str] = Counter()
    for example in examples:
        if example.found:
            common.update({r.option.pattern.key for r in example.rated if r.f1 == example.quality})
    return [_settled(example, common) for example in examples]


def _settled(example: TrainingExample, common: Mapping[str, int]) -> TrainingExample:
    ordered = sorted(
        example.rated,
        key=lambda r: (
            -r.f1, -r.precision, -common.get(r.option.pattern.key, 0) if r.f1 == example.quality else 0,
            r.option.pattern.length,
        ),
    )  # fmt: skip
    kept = [r for r in ordered[1:] if r.f1 < ordered[0].f1 or r.option.pattern == ordered[0].option.pattern]
    return replace(example, rated=(*ordered[:1], *kept))


def patterns_of(examples: Iterable[TrainingExample]) -> list[Pattern]:
    """The patterns that are best for some example, each once; `examples` as `preferred` gives them."""
    return list({example.rated[0].option.pattern: None for example in examples if example.found})


def with_rivals(examples: Sequence[TrainingExample], seed: int = 0) -> list[TrainingExample]:
    """Add to each example up to RIVALS patterns that are best for others and could be proposed for it.

    From these the ranker learns when not to propose a pattern.
    """
    patterns = [pattern for pattern in patterns_of(examples) if pattern.can_be_asked and len(pattern.strands) == 1]
    chance = random.Random(seed)
    return [replace(example, rated=(*example.rated, *_rivals(example, patterns, chance))) for example in examples]


def _rivals(example: TrainingExample, patterns: Sequence[Pattern], chance: random.Random) -> list[Rated]:
    options = [rated.option for rated in example.rated]
    known = {option.pattern for option in options}
    starts = {(o.masked, o.pattern.strands[0].start): o for o in options if len(o.pattern.strands) == 1}
    made = [
        Rated(rival(options, like, pattern), 0, 0, 0.0)
        for (_, start), like in starts.items()
        for pattern in patterns
        if pattern.strands[0].start == start and pattern not in known
    ]
    return chance.sample(made, min(RIVALS, len(made)))


def example_key(question: str, answers: Iterable[str]) -> str:
    """Identifies a pair of question and answers."""
    return hashlib.sha256(json.dumps([question, sorted(answers)]).encode()).hexdigest()[:24]


def example_of(value: Mapping[str, Any]) -> TrainingExample:
    """Parse an example from its line of JSON. Raises KeyError, TypeError or ValueError."""
    rated = tuple(_rated(candidate) for candidate in value["candidates"])
    if value["status"] not in ("found", "poor", "no query", "not linked", "not in the graph"):
        raise ValueError(f"unknown `status` {value['status']!r}")
    return TrainingExample(str(value["question"]), tuple(str(a) for a in value["answers"]), value["status"], rated)


def write_training_examples(path: Path, examples: Iterable[TrainingExample]) -> None:
    """Write examples as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for example in examples:
            file.write(json.dumps(example.to_json(), ensure_ascii=False) + "\n")


def read_training_examples(path: Path) -> Iterator[TrainingExample]:
    """Raises BadInput naming the line that is not an example."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            yield example_of(json.loads(line))
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"{path}:{number}: not a training example: {error}.", "Training examples are what `clew teach` writes."
            ) from None


def _rated_json(rated: Rated) -> dict[str, Any]:
    option = rated.option
    return {
        "words": rated.words,
        "cypher": rated.cypher,
        "hits": rated.hits,
        "total": rated.total,
        "f1": round(rated.f1, 6),
        "masked": option.masked,
        "features": dict(zip(FEATURES, (round(x, 6) for x in option.features), strict=True)),
        "crossed": dict(zip(CROSSED, (round(x, 6) for x in option.crossed), strict=True)),
        "pattern": option.pattern.to_json(),
    }


def _rated(value: Mapping[str, Any]) -> Rated:
    option = Option(
        Pattern.from_json(value["pattern"]),
        str(value["masked"]),
        tuple(float(value["features"][name]) for name in FEATURES),
        tuple(float(value["crossed"][name]) for name in CROSSED),
    )
    return Rated(option, int(value["hits"]), int(value["total"]), float(value["f1"]), value["words"], value["cypher"])
