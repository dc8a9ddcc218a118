"""Scores of answers against gold answers (`clew eval`).

All scores are fractions of 1 and means over questions; a question that failed counts as one without answers. Answers
are compared by node id if the question has gold ids, else by name, after Unicode NFC, case folding, and folding of
white space. A question without gold answers is right when there is no answer.
"""

from __future__ import annotations

import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.app.evaluation.questions import Question
from clew.tools.errors import ClewError, DatabaseUnavailable

Answer = Mapping[str, Any]
"""What `clew ask --json` prints. Its `answers` (ranked, each with a `name` and an `id`, None for a value) and `linked`
(each a mention with ranked `candidates`) are scored."""

ERRORS_KEPT = 20


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one question, each 0 to 1."""

    hits_at_1: float
    """The first answer is correct."""
    hits_at_5: float
    """One of the first five is correct."""
    recall_at_20: float
    """Share of all gold answers that are among the first 20 answers (below 1 where there are more than 20)."""
    mrr: float
    """1 / rank of the first correct answer, 0 where there is none."""
    set_precision: float
    """Share of all answers, however many, that are correct."""
    set_recall: float
    """Share of all gold answers among all answers."""
    set_f1: float
    """Harmonic mean of the two, per question."""
    exact_set: float
    """The set of answers is the set of gold answers."""
    answered: float
    """There was at least one answer."""


METRICS = tuple(Scores.__dataclass_fields__)


def folded(name: str) -> str:
    """The form in which names are compared."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def score(answers: Sequence[str], gold: Iterable[str]) -> Scores:
    """Score ranked answer names. Nodes of one name count once, at their best rank."""
    return _scored([folded(name) for name in answers], {folded(name) for name in gold})


def score_ids(answers: Sequence[str | None], gold: Iterable[str]) -> Scores:
    """Score the node ids of ranked answers. An answer without an id (a number, a property's value) keeps its rank, and
    is wrong."""
    return _scored([(rank,) if key is None else key for rank, key in enumerate(answers)], set(gold))


def _scored(answers: Sequence[Hashable], gold: set[str]) -> Scores:
    ranked = list(dict.fromkeys(answers))
    if not gold:
        right = float(not ranked)
        return Scores(**{**dict.fromkeys(METRICS, right), "answered": float(bool(ranked))})
    found = gold.intersection(ranked)
    first = next((rank for rank, name in enumerate(ranked, start=1) if name in gold), None)
    precision = len(found) / len(ranked) if ranked else 0.0
    recall = len(found) / len(gold)
    return Scores(
        hits_at_1=float(first == 1),
        hits_at_5=float(first is not None and first <= 5),
        recall_at_20=len(gold.intersection(ranked[:20])) / len(gold),
        mrr=1 / first if first else 0.0,
        set_precision=precision,
        set_recall=recall,
        set_f1=2 * len(found) / (len(ranked) + len(gold)),
        exact_set=float(gold == set(ranked)),
        answered=float(bool(ranked)),
    )


def linked_at_1(answer: Answer, topics: Iterable[str]) -> float:
    """1 if every topic is the name of the first candidate of some mention, else 0."""
    first = {folded(m["candidates"][0]["name"]) for m in answer.get("linked", []) if m["candidates"]}
    return float(all(folded(topic) in first for topic in topics))


def percentile(values: Sequence[float], share: float) -> float | None:
    """The `share` quantile, by linear interpolation between closest ranks; None without values."""
    if not values:
        return None
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


Timed = tuple[Answer | None, float, str]
"""A result, its milliseconds, and what went wrong ("" for nothing)."""


def timed(call: Callable[[str], Answer], text: str) -> Timed:
    """The result of a call, its milliseconds, and what went wrong. DatabaseUnavailable is raised, since later calls
    would fail too."""
    began = time.perf_counter()
    result, failed = None, ""
    try:
        result = call(text)
    except DatabaseUnavailable:
        raise
    except ClewError as error:
        failed = error.message
    except Exception as error:
        failed = f"{type(error).__name__}: {error}"
    return result, (time.perf_counter() - began) * 1000, failed


def percentiles(ms: Sequence[float]) -> dict[str, float | None]:
    """The median and the 95th percentile."""
    return {"p50": percentile(ms, 0.5), "p95": percentile(ms, 0.95)}


@dataclass(slots=True)
class Tally:
    """Sums the scores of questions, of all or of one gold path."""

    scores: list[Scores] = field(default_factory=list)
    linking: list[float] = field(default_factory=list)
    errors: int = 0
    ms: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """Means by metric name. Latencies are wall-clock milliseconds, of failed questions too."""
        n = len(self.scores)
        means = {m: (round(sum(getattr(s, m) for s in self.scores) / n, 6) if n else None) for m in METRICS}
        return {
            "n": n,
            **means,
            "errors": self.errors,
            "latency_ms": {name: _rounded(value) for name, value in percentiles(self.ms).items()},
            "linking_at_1": round(sum(self.linking) / len(self.linking), 6) if self.linking else None,
        }


@dataclass(slots=True)
class Costs:
    """Sums what language models took."""

    questions: int = 0
    calls: int = 0
    most_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    price: float | None = 0.0
    """US dollars; None once the price of a call is unknown."""

    def add(self, cost: Mapping[str, Any]) -> None:
        """The `model` of one answer."""
        self.questions += 1
        self.calls += cost["calls"]
        self.most_calls = max(self.most_calls, cost["calls"])
        self.input_tokens += cost["input_tokens"]
        self.output_tokens += cost["output_tokens"]
        self.estimated = self.estimated or cost["estimated"]
        if cost["calls"]:
            known = self.price is not None and cost["price"] is not None
            self.price = self.price + cost["price"] if known else None

    def figures(self) -> dict[str, Any] | None:
        """None if no question was answered with a model."""
        if not self.questions:
            return None
        return {
            "calls": self.calls,
            "calls_per_question": round(self.calls / self.questions, 3),
            "most_calls": self.most_calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "estimated": self.estimated,
            "price": self.price,
        }


@dataclass(slots=True)
class Evaluation:
    """A run over questions. `figures()` may be called at any time, also after an interruption."""

    overall: Tally = field(default_factory=Tally)
    scored_by_id: int = 0
    """Questions whose gold answers are node ids."""
    by_path: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    error_messages: list[str] = field(default_factory=list)
    costs: Costs = field(default_factory=Costs)

    def run(
        self, questions: Iterable[Question], ask: Callable[[str], Answer], done: Callable[[], None] = lambda: None
    ) -> None:
        """Ask every question and score the answer; `ask` gets the question's text alone. Raises as `timed`."""
        asked = list(questions)
        self.score_all(asked, (timed(ask, question.text) for question in asked), done)

    def score_all(
        self, questions: Iterable[Question], results: Iterable[Timed], done: Callable[[], None] = lambda: None
    ) -> None:
        """Score the answers to the questions, in their order, as they come."""
        for question, (answer, ms, failed) in zip(questions, results, strict=True):
            self._add(question, answer or {}, ms, failed)
            done()

    def _add(self, question: Question, answer: Answer, ms: float, failed: str) -> None:
        if answer.get("model"):
            self.costs.add(answer["model"])
        scores = self._scores(question, answer.get("answers", []))
        if failed:
            scores = Scores(**dict.fromkeys(METRICS, 0.0))
            if len(self.error_messages) < ERRORS_KEPT:
                self.error_messages.append(f"{question.text}: {failed}")
        for tally in [self.overall, *([self.by_path[question.path]] if question.path else [])]:
            tally.scores.append(scores)
            tally.ms.append(ms)
            tally.errors += bool(failed)
            if question.topics:
                tally.linking.append(linked_at_1(answer, question.topics))

    def _scores(self, question: Question, answers: Sequence[Mapping[str, Any]]) -> Scores:
        if question.answer_ids is None:
            return score([str(each["name"]) for each in answers], question.answers)
        self.scored_by_id += 1
        return score_ids([each.get("id") for each in answers], question.answer_ids)

    def figures(self) -> dict[str, Any]:
        """The overall figures, `by_path` (largest group first), the `model`'s costs and up to 20 `error_messages`."""
        groups = sorted(self.by_path.items(), key=lambda item: (-len(item[1].scores), item[0]))
        return {
            **self.overall.figures(),
            "scored_by_id": self.scored_by_id,
            "by_path": {path: tally.figures() for path, tally in groups},
            "model": self.costs.figures(),
            "error_messages": self.error_messages,
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
