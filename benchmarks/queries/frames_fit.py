"""Learns which frame a question is (`tools/queries/reading/frames/weights.npz`), from wordings of several authors.

Each wording is filled in from the words of eight graphs and masked as the reader masks it. Development questions that
the reader answers right are further examples: of the frame whose canonical words are read as the same form, or of no
frame ("other"). The weights are those of a multinomial logistic regression. `left out` is measured on an author whose
wordings took no part in the fit, filled in from four graphs that took no part either; "other" on the half of the sets
that took no part.

The graphs must have been imported under their names into the home that is given.

    python -m benchmarks.queries.frames_fit --data ../shared/data --home HOME [--samples FILE] [--write]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import log_softmax

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries import confidence_fit as confidence  # noqa: E402
from benchmarks.queries.analytic import FOLDER, cases  # noqa: E402
from benchmarks.queries.analytic_kinds import Facts  # noqa: E402
from benchmarks.queries.choice_fit import answers_of  # noqa: E402
from benchmarks.queries.reading import gold_of  # noqa: E402
from clew.app.container import Container  # noqa: E402
from clew.app.progress import NoProgress  # noqa: E402
from clew.app.settings import load_settings  # noqa: E402
from clew.graphs.context import GraphTools  # noqa: E402
from clew.tools.embedding.minilm import shared_minilm  # noqa: E402
from clew.tools.linking.mentions import find_mentions  # noqa: E402
from clew.tools.queries.lexical import Token  # noqa: E402
from clew.tools.queries.reading.charted import Charted  # noqa: E402
from clew.tools.queries.reading.english.words import tokens  # noqa: E402
from clew.tools.queries.reading.framed import framed  # noqa: E402
from clew.tools.queries.reading.frames.canonical import TURNED  # noqa: E402
from clew.tools.queries.reading.frames.classifier import PROBABLE, Classifier, features  # noqa: E402
from clew.tools.queries.reading.frames.slots import counts, masked, slots_of  # noqa: E402
from clew.tools.queries.reading.reader import Named  # noqa: E402
from clew.tools.queries.reading.whole_readings import best_readings  # noqa: E402

WEIGHTS = HERE.parents[1] / "tools" / "queries" / "reading" / "frames" / "weights.npz"
AUTHORS = ("wordings", "wordings_other", "wordings_third", "wordings_fourth", "wordings_bounds", "wordings_sixth",
           "wordings_seventh", "wordings_eighth")  # fmt: skip
"""The files of wordings that the fit uses. Those named "blind" are kept for measuring."""
OTHER = "other"
_SHARE_OF_OTHER = 0.6
"""The weight of an example of no frame: there are far more of them than of any frame."""
_PENALTY = 1 / 30
_LEAST = 8
"""Examples that a frame needs."""
_SECONDS = 20.0
_LIKELY = 0.5
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """A masked question."""

    source: str
    """The author of its wording, or the development set …"""
    graph: str
    """… and the graph whose words fill it."""
    frame: str
    text: str
    counts: tuple[float, ...]


def turned(wording: str) -> bool:
    """Whether a wording says the groups before their members."""
    first = {role: wording.find("{" + role) for role in ("a", "b")}
    return 0 <= first["b"] < first["a"]


def of_wordings(name: str, tools: GraphTools, facts: Facts, authors: Iterable[str]) -> Iterator[Sample]:
    """Each wording of some authors, filled in once from the words of a graph."""
    for author in authors:
        path = FOLDER / f"{author}.json"
        wordings: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
        for kind, texts in wordings.items():
            for i, text in enumerate(texts):
                frame = kind + TURNED * turned(text)
                for case in cases(f"{name} {i}", facts, {kind: [text]}, 1, 0):
                    chart = _chart(case.question, _named(case.question, tools), tools)
                    if chart is not None:
                        yield _sample(author, name, frame, chart)


def _named(question: str, tools: GraphTools) -> Named:
    linking = find_mentions(question, tools.index)
    return linking.mentions, linking.alternatives, {}


def _chart(question: str, named: Named, tools: GraphTools) -> Charted | None:
    assert tools.reader is not None
    return tools.reader.charted(question, named, _SECONDS)


def _sample(source: str, graph: str, frame: str, chart: Charted) -> Sample:
    slots = slots_of(chart.anchors, chart.grammar.tokens)
    return Sample(source, graph, frame, masked(chart.grammar.tokens, slots), tuple(counts(slots)))


def of_development(name: str, tools: GraphTools, data: Path, classifier: Classifier | None) -> Iterator[Sample]:
    """The questions of a set that are read right, each with the frame that is read in the same way."""
    reader = tools.reader
    assert reader is not None
    for entry in confidence.entries_of(name, data):
        named = _named(entry["question"], tools)
        chart = _chart(entry["question"], named, tools)
        readings = [] if chart is None else best_readings(chart.floated())
        if chart is None or not readings or answers_of(readings[0].form, tools) != frozenset(gold_of(entry)):
            continue

        def reworded(words: Sequence[Token], text: str = chart.text, named: Named = named) -> Charted | None:
            return reader.chart(text, words, named, _SECONDS)

        same = (each.frame for each in framed(chart, reworded, reader.embedder, classifier)
                if each.readings[0].form == readings[0].form and not each.lost)  # fmt: skip
        yield _sample(name, name, next(same, OTHER), chart)


def fitted(samples: Iterable[Sample], vectors: dict[str, Any], words: Iterable[str]) -> Classifier:
    """The model of some samples."""
    rows = sorted({(each.text, each.counts, each.frame) for each in samples})
    numbers = Counter(frame for *_, frame in rows)
    rows = [row for row in rows if numbers[row[2]] >= _LEAST]
    frames = sorted({frame for *_, frame in rows})
    x = np.array([_with_constant(features(vectors[text], numbered)) for text, numbered, _ in rows])
    y = np.array([frames.index(frame) for *_, frame in rows])
    weight = np.array([_SHARE_OF_OTHER if frame == OTHER else 1.0 for *_, frame in rows])
    every = np.arange(len(rows))

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        w = flat.reshape(len(frames), -1)
        logs = log_softmax(x @ w.T, axis=1)
        wrong = np.exp(logs)
        wrong[every, y] -= 1
        plain = w.copy()
        plain[:, -1] = 0
        gradient = (wrong * weight[:, None]).T @ x + _PENALTY * plain
        return float(-(weight * logs[every, y]).sum() + _PENALTY / 2 * (plain**2).sum()), gradient.ravel()

    found = minimize(loss, np.zeros(len(frames) * x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    return Classifier(tuple(frames), found.x.reshape(len(frames), -1).astype(np.float32), frozenset(words))


def _with_constant(row: Any) -> Matrix:
    return np.concatenate([row, [1.0]]).astype(np.float64)


def words_of(authors: Iterable[str]) -> set[str]:
    """The words of wordings outside of their slots."""
    texts = (text for author in authors for texts in json.loads((FOLDER / f"{author}.json").read_text()).values()
             for text in texts)  # fmt: skip
    return {token.text for text in texts for token in tokens(re.sub(r"\{\w+\}", " ", text))}


def left_out(samples: Sequence[Sample], vectors: dict[str, Any], held: set[str]) -> dict[str, Any]:
    """The figures of each author who takes no part in the fit, and of half of the sets."""
    sets = sorted({each.source for each in samples if each.source not in AUTHORS})
    half = set(sets[::2])
    figures: dict[str, Any] = {}
    rest = [s for s in samples if s.source in set(sets) - half and s.frame == OTHER]
    for author in AUTHORS:
        of_others = (s for s in samples if s.source in AUTHORS and s.source != author and s.graph not in held)
        model = fitted([*of_others, *(s for s in samples if s.source in half)], vectors, ())
        own = sorted({(s.text, s.counts, s.frame) for s in samples if s.source == author and s.graph in held})
        shares = [_shares(model, vectors[text], numbered) for text, numbered, _ in own]
        frames = [frame for *_, frame in own]
        best = [max(share, key=lambda each: share[each]) for share in shares]
        right = [one.rstrip(TURNED) == frame.rstrip(TURNED) for one, frame in zip(best, frames, strict=True)]
        taken = [1 - _shares(model, vectors[s.text], s.counts).get(OTHER, 0) >= _LIKELY for s in rest]
        figures[author] = {
            "n": len(own),
            "accuracy": _mean(right),
            "probable": _mean(share.get(frame, 0.0) >= PROBABLE for share, frame in zip(shares, frames, strict=True)),
            "taken for no frame": _mean(share.get(OTHER, 0.0) >= _LIKELY for share in shares),
            "others taken for a frame": _mean(taken),
        }
        print(author, figures[author], file=sys.stderr, flush=True)
    return figures


def _mean(values: Iterable[bool]) -> float:
    return round(float(np.mean(list(values))), 3)


def _shares(model: Classifier, vector: Any, numbered: Sequence[float]) -> dict[str, float]:
    return dict(zip(model.classes, model.shares(features(vector, numbered)), strict=True))


def gathered(args: argparse.Namespace, samples: list[Sample]) -> list[Sample]:
    """All samples: those that there are, of the other authors, and of the other sets, which need a model first."""
    known = {each.source for each in samples}
    authors = [each for each in AUTHORS if each not in known]
    with Container(load_settings(home=args.home), NoProgress()) as container:
        for name, words in vocabulary().items() if authors else ():
            facts = Facts(clew.connect(name, home=args.home), words)
            samples += of_wordings(name, container.context(name).tools, facts, authors)
            print(f"{name}: {len(samples)} samples", file=sys.stderr, flush=True)
        sets = {name: graph for name, (graph, _, _) in confidence.SETS.items() if name not in known}
        first = (
            fitted([s for s in samples if s.source in AUTHORS], embedded(samples), words_of(AUTHORS)) if sets else None
        )
        for name, graph in sets.items():
            samples += of_development(name, container.context(graph).tools, args.data, first)
            print(f"{name}: {len(samples)} samples", file=sys.stderr, flush=True)
    return samples


def vocabulary() -> dict[str, dict[str, Any]]:
    """The words of the graphs."""
    return tomllib.loads((FOLDER / "vocabulary.toml").read_text(encoding="utf-8"))


def embedded(samples: Iterable[Sample]) -> dict[str, Any]:
    texts = sorted({each.text for each in samples})
    return dict(zip(texts, shared_minilm().embed(texts), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the development data")
    parser.add_argument("--home", type=Path, required=True, help="CLEW_HOME with the imported graphs")
    parser.add_argument("--samples", type=Path, help="samples that there are; the missing ones are added")
    parser.add_argument("--json", type=Path, help="write the figures of what is left out here")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    args = parser.parse_args()
    lines = json.loads(args.samples.read_text(encoding="utf-8")) if args.samples and args.samples.exists() else []
    samples = gathered(args, [Sample(**{**each, "counts": tuple(each["counts"])}) for each in lines])
    if args.samples:
        args.samples.write_text(json.dumps([asdict(each) for each in samples]), encoding="utf-8")
    vectors = embedded(samples)
    if args.json:
        held = {name for name, words in vocabulary().items() if words.get("held_out")}
        args.json.write_text(json.dumps(left_out(samples, vectors, held), indent=1) + "\n", encoding="utf-8")
    if args.write:
        fitted(samples, vectors, words_of(AUTHORS)).save(WEIGHTS)


if __name__ == "__main__":
    main()
