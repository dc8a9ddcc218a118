"""Fits the confidence of readings and of ranked queries, and reports every graph left out of the fit in turn.

Of each development question the best reading and the best ranked query are run, with the features of their confidence
and whether their answers are exactly the gold ones. A logistic regression for each, every graph with the same weight,
gives the probabilities; the surer of the two answers. `left out` is measured on a graph whose questions took no part in
the fit. Only the confidence is fitted here: the rules and the costs of the reader are written by hand, with geography,
Northwind and the demo in view.

The graphs must have been imported under the names in SETS into the home that is given.

    python -m benchmarks.queries.confidence_fit --data ../shared/data --home HOME --json fit.json
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from benchmarks.queries.reading import SETS as WRITTEN  # noqa: E402
from benchmarks.queries.reading import gold_of, spelling  # noqa: E402
from clew.agents.answering.confidence import CERTAIN, ENOUGH, USUAL_NEARNESS  # noqa: E402
from clew.app.container import Container  # noqa: E402
from clew.app.progress import NoProgress  # noqa: E402
from clew.app.settings import load_settings  # noqa: E402
from clew.graphs.context import GraphTools  # noqa: E402
from clew.graphs.strategies.read import MOST_COST, MOST_TRIED  # noqa: E402
from clew.tools.errors import QueryFailed  # noqa: E402
from clew.tools.graph.store.graph_store import Limits  # noqa: E402
from clew.tools.linking.mentions import Linking, find_mentions  # noqa: E402
from clew.tools.queries.reading.forms.form import Form  # noqa: E402
from clew.tools.queries.reading.forms.form_cypher import render  # noqa: E402
from clew.tools.queries.reading.forms.paraphrase import nearness  # noqa: E402

_HERE = [name for name in WRITTEN if (HERE / name / "questions.jsonl").exists()]
SETS: dict[str, tuple[str, str, int | None]] = {
    "geography": ("geography", "geography/questions.jsonl", None),
    "demo": ("demo", str(HERE.parents[1] / "demo" / "questions.jsonl"), None),
    **{name: (name, str(HERE / name / "questions.jsonl"), None) for name in _HERE},
    "metaqa 1": ("metaqa", "metaqa/dev_1hop.jsonl.gz", 100),
    "metaqa 2": ("metaqa", "metaqa/dev_2hop.jsonl.gz", 200),
    "metaqa 3": ("metaqa", "metaqa/dev_3hop.jsonl.gz", 100),
    "pathquestions 2": ("pq2", "pathquestions/PQ-2H.dev.jsonl", 100),
    "pathquestions 3": ("pq3", "pathquestions/PQ-3H.dev.jsonl", 200),
}
"""Set → its graph, its questions, in the data folder or here, and how many of them are drawn."""
LIMITS = Limits(5, 2000)
_QUERIES = 5
_AGREED = 0.25
"""Share of the doubt that is removed where both strategies have the same answers."""
_RIDGE = 0.003
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Outcome:
    """What one strategy made of a question."""

    features: list[float]
    """A 1 for the base, then those of clew.agents.answering.confidence."""
    right: bool
    answers: frozenset[str]


Pair = tuple[Outcome | None, Outcome | None]


def read(tools: GraphTools, question: str, linking: Linking, gold: frozenset[str]) -> Outcome | None:
    assert tools.reader is not None
    found = tools.reader.read(question, linking.mentions, linking.alternatives)
    readings = [each for each in found if each.cost <= MOST_COST]
    readings = [each for each in readings if each.cost <= readings[0].cost + 1.5]
    outcomes = []
    for reading in readings[:MOST_TRIED]:
        query, form = render(reading.form, tools.store.terms, tools.reader.wider), reading.form
        try:
            answers = spelled(form, tools.store.read(query.cypher, query.parameters, LIMITS).records)
        except QueryFailed:
            continue
        margin = min((abs(e.cost - reading.cost) for e in readings if e.form != form), default=1.0)
        plain = float(form.plain)
        near = nearness(reading, question, tools.fitted_embedder)
        features = [
            1.0, reading.cost, min(margin, 1.0), float(min(len(reading.unexplained), 3)), float(not answers), plain,
            plain * min(form.hops, 4), math.log1p(len(answers)),
            USUAL_NEARNESS if near is None else near,
            *(min(each, 3.0) for each in tools.reader.misfit(question, reading)),
        ]  # fmt: skip
        outcomes.append(Outcome(features, answers == gold, answers))
        if answers:
            return outcomes[-1]
    return outcomes[0] if outcomes else None


def spelled(form: Form, rows: Iterable[dict[str, Any]]) -> frozenset[str]:
    key = "name" if form.asks in ("nodes", "groups") else "value"
    given = [row[key] for row in rows if row[key] is not None]
    values = [one for value in given for one in (value if isinstance(value, list) else [value])]
    named = ["yes" if value is True else "no" if value is False else str(value) for value in values]
    return frozenset(map(spelling, named))


def ranked(tools: GraphTools, question: str, linking: Linking, gold: frozenset[str]) -> Outcome | None:
    assert tools.planner is not None
    found: Any = tools.ranker.rank(question, linking)
    for rank, each in enumerate(found[:_QUERIES]):
        query = each.query
        rows = tools.space.execute(query, LIMITS).rows
        topics = {chain.anchor.id for chain in query.chains if not isinstance(chain.anchor, str)}
        names = [row.name for row in rows if row.id not in topics] or [row.name for row in rows]
        if names:
            lead = found[0].score - found[1].score if len(found) > 1 else 0.5
            left = tools.planner.unexplained(question, list(linking.mentions), query)[1]
            plain = query.returns == "nodes" and not (query.filters or query.order or query.timed)
            features = [1.0, each.score, min(lead, 0.5) if rank == 0 else 0.0, left, float(plain)]
            answers = frozenset(map(spelling, names))
            return Outcome(features, answers == gold, answers)
    return None


def entries_of(name: str, data: Path, most: int | None = None) -> list[dict[str, Any]]:
    """The questions of a set; a sample of `most`, else of as many as SETS says."""
    _, where, drawn = SETS[name]
    opened = gzip.open if where.endswith("gz") else open
    with opened(data / where, "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    most = most or drawn
    return random.Random(0).sample(entries, min(most, len(entries))) if most else entries


def gathered(name: str, tools: GraphTools, data: Path) -> list[Pair]:
    pairs = []
    for entry in entries_of(name, data):
        gold, linking = frozenset(gold_of(entry)), find_mentions(entry["question"], tools.index)
        asked = (tools, entry["question"], linking, gold)
        pairs.append((read(*asked), ranked(*asked)))
    return pairs


def family(name: str) -> str:
    """The graph of a set; both of PathQuestions count as one."""
    return name.split()[0]


def fitted(outcomes: Sequence[tuple[Outcome, float]]) -> Floats:
    """The weights that make the right outcomes likeliest; each outcome comes with its own weight."""
    x = np.array([outcome.features for outcome, _ in outcomes])
    right = np.array([float(outcome.right) for outcome, _ in outcomes])
    share = np.array([weight for _, weight in outcomes])

    def loss(weights: Floats) -> tuple[float, Floats]:
        z = x @ weights
        doubt = np.logaddexp(0, -z) * right + np.logaddexp(0, z) * (1 - right)
        ridge = np.concatenate([[0.0], weights[1:]]) * _RIDGE
        return float((share * doubt).sum() + ridge @ weights), x.T @ (share * (expit(z) - right)) + 2 * ridge

    return np.asarray(minimize(loss, np.zeros(x.shape[1]), jac=True).x)


def fit(pairs: dict[str, list[Pair]], names: Iterable[str]) -> tuple[Floats, Floats]:
    chosen = list(names)
    sets = Counter(map(family, chosen))
    kept = [(pair, 100 / len(pairs[name]) / sets[family(name)]) for name in chosen for pair in pairs[name]]
    readings, queries = ([(p[i], w) for p, w in kept if p[i] is not None] for i in (0, 1))
    return fitted(readings), fitted(queries)  # type: ignore[arg-type]


def measured(pairs: Sequence[Pair], weights: tuple[Floats, Floats]) -> dict[str, float]:
    """Exact answers of the surer strategy, and the expected calibration error in ten bins."""
    chosen: list[tuple[float, bool]] = []
    for one, other in pairs:
        a, b = (
            float(expit(w @ np.array(o.features))) if o else 0.0 for o, w in zip((one, other), weights, strict=True)
        )
        b = 0.0 if a >= CERTAIN else b  # Then `cypher` does not run.
        best = one if a >= b else other
        sure = max(a, b)
        if b and one and other and one.answers == other.answers:
            sure += (1 - sure) * _AGREED
        chosen.append((sure, bool(best and best.right)))
    bins: dict[int, list[float]] = {}
    for sure, right in chosen:
        bins.setdefault(min(9, int(sure * 10)), []).append(right - sure)
    error = sum(abs(sum(part)) for part in bins.values()) / len(chosen)
    answered = [right for sure, right in chosen if sure >= ENOUGH]
    return {
        "exact": round(float(np.mean([r for _, r in chosen])), 4),
        "answered": round(len(answered) / len(chosen), 4),
        "precision": round(float(np.mean(answered)), 4) if answered else 0.0,
        "calibration_error": round(error, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the development data")
    parser.add_argument("--home", type=Path, required=True, help="CLEW_HOME with the imported graphs")
    parser.add_argument("--json", type=Path, help="write the figures here")
    args = parser.parse_args()
    with Container(load_settings(home=args.home), NoProgress()) as container:
        pairs = {}
        for name, (graph, _, _) in SETS.items():
            pairs[name] = gathered(name, container.context(graph).tools, args.data)
            print(f"{name}: {len(pairs[name])} questions", file=sys.stderr, flush=True)
    weights = fit(pairs, pairs)
    figures: dict[str, Any] = {"reading": weights[0].round(2).tolist(), "query": weights[1].round(2).tolist()}
    for name, own in pairs.items():
        others = fit(pairs, [other for other in pairs if family(other) != family(name)])
        figures[name] = {"n": len(own), "all graphs": measured(own, weights), "left out": measured(own, others)}
    text = json.dumps(figures, indent=1)
    print(text)
    if args.json:
        args.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
