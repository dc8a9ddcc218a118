"""Learns the weights by which the reader chooses among readings (`tools/queries/reading/choosing/weights.json`).

Of each development question all candidates are run, and it is noted which give exactly the gold answers, or, where
these are rows, as many rows with all their values. The sets are those of `confidence_fit`, the networks and the
offices. The weights maximise the probability of those (a softmax over the candidates of each question, every graph with
the same weight).
`left out` is measured on a graph whose questions took no part in the fit. Questions with a reading that agrees in full
count for the fit as well, though the costs choose there.

The graphs must have been imported under the names in SETS into the home that is given.

    python -m benchmarks.queries.choice_fit --data ../shared/data --home HOME [--sets a,b] [--write]
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from benchmarks.queries import confidence_fit as confidence  # noqa: E402
from benchmarks.queries.networks import NETWORKS  # noqa: E402
from benchmarks.queries.offices import OFFICES  # noqa: E402
from benchmarks.queries.reading import gold_of, spelling  # noqa: E402
from clew.app.container import Container  # noqa: E402
from clew.app.progress import NoProgress  # noqa: E402
from clew.app.settings import load_settings  # noqa: E402
from clew.graphs.context import GraphTools  # noqa: E402
from clew.graphs.strategies.read import MOST_TRIED  # noqa: E402
from clew.tools.linking.mentions import find_mentions  # noqa: E402
from clew.tools.queries.reading.choosing.chooser import AGREED, COMPARED  # noqa: E402
from clew.tools.queries.reading.choosing.signs import QuestionFeatures, Signs, signs  # noqa: E402
from clew.tools.queries.reading.forms.form_cypher import render  # noqa: E402
from clew.tools.queries.reading.forms.paraphrase import paraphrase  # noqa: E402

WEIGHTS = HERE.parents[1] / "tools" / "queries" / "reading" / "choosing" / "weights.json"
_MOST = {"geography": 300, "metaqa 1": 100, "metaqa 2": 100, "metaqa 3": 100, "pathquestions 2": 100,
         "pathquestions 3": 100}  # fmt: skip
SETS: dict[str, tuple[str, str]] = {
    **{name: (graph, where) for name, (graph, where, _) in confidence.SETS.items()},
    **{f"network {name}": (f"network-{name}", str(HERE / "networks" / name / "questions.jsonl")) for name in NETWORKS},
    **{f"office {name}": (name, str(HERE / "offices" / name / "questions.jsonl")) for name in OFFICES},
}
"""Set → its graph and its questions, in the data folder or here."""
_SECONDS = 20.0
_LEAST_SEEN = 60
"""Candidates that must have a sign for it to get a weight."""
_RIDGE = 0.002
_OF_SEVERAL = ("network", "office")
"""How the names of sets begin of which each is a graph of its own."""
_PRIOR = {"cost": -1.0, "unexplained": -0.5}
"""Weights that the ridge pulls towards; the others towards 0."""
Matrix = npt.NDArray[np.float64]
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Candidate:
    signs: Signs
    right: bool
    empty: bool


@dataclass(frozen=True)
class Question:
    candidates: list[Candidate]
    answerable: bool

    @property
    def agreed(self) -> bool:
        return not self.candidates or self.candidates[0].signs["cost"] <= AGREED

    def pick(self, scores: Sequence[float]) -> bool:
        """Whether the first of the best readings that has a result is right, as the strategy `read` runs them."""
        order = sorted(range(len(scores)), key=lambda i: -scores[i])[:MOST_TRIED]
        chosen = next((i for i in order if not self.candidates[i].empty), order[0]) if order else None
        return chosen is not None and self.candidates[chosen].right


def gather(name: str, tools: GraphTools, data: Path) -> Iterator[Question]:
    """The questions of a set with their candidates."""
    reader = tools.reader
    assert reader is not None
    for entry in entries_of(name, data):
        text, gold = entry["question"], entry["answers"]
        linking = find_mentions(text, tools.index)
        found = reader.candidates(text, linking.mentions, linking.alternatives, _SECONDS)
        asked = QuestionFeatures(text, reader.words.persons, reader.places)
        pairs = [paraphrase(text, each.form) for each in found]
        vectors = reader.embedder.embed([part for pair in pairs for part in pair]) if pairs else []
        candidates = []
        for i, reading in enumerate(found):
            own = signs(asked, reading) | {"nearness": float(vectors[2 * i] @ vectors[2 * i + 1])}
            rows = rows_of(reading.form, tools)
            right = bool(rows) and _is_right(reading.form, rows, entry)
            candidates.append(Candidate(own, right, not rows or not confidence.spelled(reading.form, rows)))
        yield Question(candidates, bool(gold))


def entries_of(name: str, data: Path) -> list[dict[str, Any]]:
    """The questions of a set; a sample where `_MOST` or `confidence.SETS` says so."""
    if name in confidence.SETS:
        return confidence.entries_of(name, data, _MOST.get(name))
    return [json.loads(line) for line in Path(SETS[name][1]).read_text(encoding="utf-8").splitlines()]


def rows_of(form: Any, tools: GraphTools) -> Rows:
    """The rows of a form; none where it cannot be run."""
    try:
        query = render(form, tools.store.terms, tools.reader.wider)  # type: ignore[union-attr]
        return [dict(row) for row in tools.store.read(query.cypher, query.parameters, confidence.LIMITS).records]
    except Exception:  # A reading that cannot be run is not chosen.
        return []


def _is_right(form: Any, rows: Rows, entry: dict[str, Any]) -> bool:
    """Whether rows are exactly the answers; of answers that are rows, as many with all their values."""
    gold = entry["answers"]
    if not gold or not isinstance(gold[0], list):
        return bool(gold) and confidence.spelled(form, rows) == frozenset(gold_of(entry))
    told = {frozenset(spelling(str(v)) for n, v in row.items() if n not in ("id", "label")) for row in rows}
    return len(told) == len(gold) and all(any({spelling(str(v)) for v in row} <= each for each in told) for row in gold)


class Fit:
    """Weights of signs, learned from the questions of some graphs."""

    def __init__(self, sets: dict[str, list[Question]], names: list[str]) -> None:
        self.names = names
        rows = [self._matrix(each) for every in sets.values() for each in every if each.candidates]
        self._scale = np.concatenate(rows).std(0) + 1e-9
        self._start = np.zeros(len(names))
        for name, prior in _PRIOR.items():
            self._start[names.index(name)] = prior * self._scale[names.index(name)]
        self._weights = self._fitted(sets)

    def _matrix(self, question: Question) -> Matrix:
        return np.array([[each.signs.get(name, 0.0) for name in self.names] for each in question.candidates])

    def _fitted(self, sets: dict[str, list[Question]]) -> Matrix:
        parts, rights, shares = [], [], []
        for every in sets.values():
            for each in every:
                kept = [c for c in each.candidates if c.right or not c.empty]
                right = np.array([c.right for c in kept])
                if each.answerable and right.any() and not right.all():
                    parts.append(self._matrix(Question(kept, True)) / self._scale)
                    rights.append(right)
                    shares.append(1 / len(every) / len(sets))
        matrix, right = np.concatenate(parts), np.concatenate(rights).astype(float)
        group = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        starts, share = np.flatnonzero(np.diff(group, prepend=-1)), np.array(shares)

        def loss(weights: Matrix) -> tuple[float, Matrix]:
            scores = matrix @ weights
            grown = np.exp(scores - np.maximum.reduceat(scores, starts)[group])
            every, good = np.add.reduceat(grown, starts), np.add.reduceat(grown * right, starts)
            towards = (grown / every[group] - grown * right / (good[group] + 1e-12)) * share[group]
            far = weights - self._start
            value = -(share * np.log(good / every + 1e-12)).sum() + _RIDGE * float(far @ far)
            return value, matrix.T @ towards + 2 * _RIDGE * far

        found: Matrix = minimize(loss, self._start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
        return found

    @property
    def weights(self) -> dict[str, float]:
        return {name: round(float(w), 3) for name, w in zip(self.names, self._weights / self._scale, strict=True)}

    def right(self, questions: list[Question]) -> float:
        """The share of answerable questions whose chosen reading is right."""
        return float(np.mean([self._is_right(each) for each in questions if each.answerable]))

    def _is_right(self, question: Question) -> bool:
        if question.agreed:
            return question.pick([-each.signs["cost"] for each in question.candidates])
        known = self.weights
        apart = [sum(known.get(n, 0.0) * v for n, v in c.signs.items() if n != "nearness") for c in question.candidates]
        compared = sorted(range(len(apart)), key=lambda i: -apart[i])[:COMPARED]
        scores = [-np.inf] * len(apart)
        for i in compared:
            scores[i] = apart[i] + known["nearness"] * question.candidates[i].signs["nearness"]
        return question.pick(scores)


def report(sets: dict[str, list[Question]], names: list[str]) -> dict[str, tuple[float, float, float]]:
    """By set: right by the costs alone, by the weights of the other graphs, and by the best choice there is."""
    found = {}
    for name, every in sets.items():
        others = {other: each for other, each in sets.items() if _family(other) != _family(name)}
        questions = [each for each in every if each.answerable]
        costs = np.mean([each.pick([-c.signs["cost"] for c in each.candidates]) for each in questions])
        best = np.mean([any(c.right for c in each.candidates) for each in questions])
        found[name] = (float(costs), Fit(others, names).right(every), float(best))
        print(f"{name:16s} {len(questions):4d}  costs {found[name][0]:.3f}  left out {found[name][1]:.3f}  "
              f"best {found[name][2]:.3f}", flush=True)  # fmt: skip
    means = np.mean(list(found.values()), axis=0)
    print(f"{'mean':16s}       costs {means[0]:.3f}  left out {means[1]:.3f}  best {means[2]:.3f}")
    return found


def _family(name: str) -> str:
    first, *rest = name.split()
    return rest[0] if first in _OF_SEVERAL else first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the development data")
    parser.add_argument("--home", type=Path, required=True, help="the home with the imported graphs")
    parser.add_argument("--sets", default=",".join(SETS), help="sets, separated by commas")
    parser.add_argument("--candidates", type=Path, help="a file that keeps the candidates for another fit")
    parser.add_argument("--write", action="store_true", help="write the weights of the fit on all sets")
    options = parser.parse_args()
    kept = options.candidates
    if kept is not None and kept.exists():
        sets: dict[str, list[Question]] = pickle.loads(kept.read_bytes())
    else:
        sets = {}
        with Container(load_settings(home=options.home), NoProgress()) as container:
            for name in options.sets.split(","):
                sets[name] = list(gather(name, container.context(SETS[name][0]).tools, options.data))
                print(f"{name}: {len(sets[name])} questions", file=sys.stderr, flush=True)
        if kept is not None:
            kept.write_bytes(pickle.dumps(sets))
    seen = Counter(name for every in sets.values() for each in every for c in each.candidates for name in c.signs)
    names = sorted(name for name, count in seen.items() if count >= _LEAST_SEEN)
    report(sets, names)
    if options.write:
        found = Fit(sets, names).weights
        WEIGHTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
