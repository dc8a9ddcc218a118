"""Learns the weights of `tools/answer_spans` from questions and their answers, and measures them pile by pile.

Three conditional models, each linear in its features: which sentence has the answer, which candidate is it (both as
log-linear choices among all that there are, by their marginal likelihood), and whether the best candidate is right, by
the choices of piles that are left out. The sets of `spans`, a quarter of whose questions no document answers, take part
in all of it; the held-back piles take part in nothing.

    python -m benchmarks.documents.span_fit --home HOME [--write]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import numpy.typing as npt

from benchmarks.documents import answer_spans, piles
from clew.tools.answer_spans import weights
from clew.tools.answer_spans.features import Features
from clew.tools.answer_spans.reader import confidence_features, grouped, scored
from clew.tools.embedding import MiniLM

WEIGHTS = Path(weights.__file__).with_name("weights.json")
SETS = {"written": answer_spans.SETS / "documents", "demo": answer_spans.DEMO}
"""The sets of `spans`: name to the folder of its documents."""
_PENALTY = 0.03
"""Of the square of each weight, of a feature with variance 1."""
_SHRUNK = 0.45
"""The share of the confidence's log-odds that questions of piles that are left out bear out."""
_STEPS, _STEP = 250, 0.07
Model = dict[str, dict[str, float]]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives with their features, and which of them are right."""

    pile: str
    features: Sequence[Features]
    right: npt.NDArray[np.bool_]


def sentence_choice(asked: piles.Asked) -> Choice:
    by_rank = {passage.rank: passage for passage in asked.reading.passages}
    right = []
    for rank, place in asked.reading.sentences:
        chunk = by_rank[rank].chunk
        start, end = by_rank[rank].sentences[place]
        right.append(asked.kind not in ("yesno", "list") and asked.is_told(chunk.text[start:end], chunk))
    return Choice(asked.pile, list(asked.reading.sentences.values()), np.array(right, bool))


def span_choice(asked: piles.Asked) -> Choice:
    by_passage = asked.reading.question.asked.by_passage
    found = [] if by_passage else scored(asked.reading, asked.corpus)
    counted = asked.reading.question.asked.counted
    texts = [each.passage.chunk.text[slice(*each.candidate.spoken(counted=counted))] for each in found]
    return Choice(
        asked.pile, [each.features for each in found], np.array([asked.is_exact(text) for text in texts], bool)
    )


def fitted(choices: Sequence[Choice]) -> dict[str, float]:
    """The weights by which the right alternatives are likeliest."""
    useful = [each for each in choices if each.right.any() and not each.right.all()]
    names = sorted({name for each in useful for features in each.features for name in features})
    tables = [np.array([[f.get(name, 0.0) for name in names] for f in each.features]) for each in useful]
    spread = np.vstack(tables).std(axis=0) + 1e-6
    scaled = [table / spread for table in tables]

    def gradient(weight: Floats) -> Floats:
        total = _PENALTY * weight
        for table, each in zip(scaled, useful, strict=True):
            chosen = _softmax(table @ weight)
            right = chosen * each.right
            total = total + table.T @ (chosen - right / right.sum()) / len(useful)
        return total

    return dict(zip(names, _descended(gradient, len(names)) / spread, strict=True))


def confidence_fitted(rows: Sequence[tuple[Features, bool]]) -> dict[str, float]:
    """The weights of a logistic regression."""
    names = list(rows[0][0])
    table = np.array([[features[name] for name in names] for features, _ in rows])
    right = np.array([is_right for _, is_right in rows], float)
    spread = np.maximum(table.std(axis=0), 0.1)

    def gradient(weight: Floats) -> Floats:
        sure = 1 / (1 + np.exp(-(table / spread) @ weight))
        return (table / spread).T @ (sure - right) / len(right) + 1e-3 * weight

    return dict(zip(names, _descended(gradient, len(names)) / spread, strict=True))


def _softmax(scores: Floats) -> Floats:
    odds: Floats = np.exp(scores - scores.max())
    return odds / odds.sum()


def _descended(gradient: Callable[[Floats], Floats], size: int) -> Floats:
    """The minimum by Adam (Kingma and Ba 2015)."""
    weight, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, _STEPS + 1):
        slope = gradient(weight)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weight = weight - _STEP * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weight


class Fit:
    """The choices of all questions, and the models that are learned from some piles."""

    def __init__(self, questions: Sequence[piles.Asked]) -> None:
        self.questions = questions
        self._sentences = [sentence_choice(each) for each in questions]
        self._spans = [span_choice(each) for each in questions]

    def model(self, names: Sequence[str]) -> Model:
        """Learned from these piles; the confidence from choices of the other half of them."""
        found: Model = self._choosing(names)
        with using({**found, "confidence": {"base": 0.0}}):
            rows = [row for each in self.questions if each.pile in SETS for row in _first(each)]
        for half in (names[::2], names[1::2]):
            with using({**self._choosing([name for name in names if name not in half]), "confidence": {"base": 0.0}}):
                rows += [row for each in self.questions if each.pile in half for row in _first(each)]
        return {**found, "confidence": {k: _SHRUNK * v for k, v in confidence_fitted(rows).items()}}

    def _choosing(self, names: Sequence[str]) -> Model:
        used = {*names, *SETS}
        by_sentence = fitted([each for each in self._sentences if each.pile in used])
        spans = [each for each in self._spans if each.pile in used]
        for features in (features for each in spans for features in each.features):
            features["sentence"] = sum(by_sentence.get(k, 0.0) * v for k, v in features.items() if k in by_sentence)
        return {"sentence": by_sentence, "span": fitted(spans)}


def _first(asked: piles.Asked) -> list[tuple[Features, bool]]:
    """What the confidence in the best span depends on, and whether it is right."""
    if asked.kind in ("yesno", "list") or asked.reading.question.asked.by_passage:
        return []
    found = scored(asked.reading, asked.corpus)
    if not found:
        return []
    best = grouped(found, asked.reading.question.asked)[0]
    return [(confidence_features(best.share, best.features), asked.is_exact(best.text))]


def using(model: Model) -> mock._patch[Callable[[str], dict[str, float]]]:
    """Within the block, the reader has these weights."""
    return mock.patch.object(weights, "weights", lambda part: model[part])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True, help="where the indexes are kept")
    parser.add_argument("--write", action="store_true", help=f"write the weights of all piles to {WEIGHTS.name}")
    parser.add_argument("--json", type=Path, help="write every answer of the piles that are left out here")
    args = parser.parse_args()
    embedder, names = MiniLM(), piles.names(held=False)
    questions = [each for name in names for each in piles.asked_of(name, args.home, embedder)]
    for name, folder in SETS.items():
        files = sorted(folder.glob("*.md"))
        questions += piles.asked_in(name, files, answer_spans.SETS / f"{name}.jsonl", args.home, embedder)
    fit = Fit(questions)
    outcomes = []
    for name in names:
        with using(fit.model([other for other in names if other != name])):
            outcomes += [piles.answered(each) for each in fit.questions if each.pile == name]
        print(name, json.dumps(piles.figures([each for each in outcomes if each["pile"] == name])), flush=True)
    print("all, each left out", json.dumps(piles.figures(outcomes), indent=1))
    print(json.dumps(piles.by_kind(outcomes), indent=1))
    if args.json:
        args.json.write_text(json.dumps(outcomes, indent=1, ensure_ascii=False), encoding="utf-8")
    if args.write:
        rounded = {part: {k: round(v, 3) for k, v in found.items()} for part, found in fit.model(names).items()}
        WEIGHTS.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
