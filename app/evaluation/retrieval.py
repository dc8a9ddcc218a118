"""Scores of retrieval from documents (`clew eval --coverage`, `--recall-at`), with and without each channel.

Coverage is the share of questions of which an answer, as lower-case text, is in the passages that fit into a number of
tokens (KET-RAG, section 5.1). Recall at k is the mean share of a question's gold documents or chunks among those of the
first k passages.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from clew.app.evaluation.evaluation import percentiles
from clew.app.evaluation.questions import ItemFile, read_items
from clew.app.graph_context import document_search_of
from clew.app.settings import Settings
from clew.tools.documents.collection import Collection
from clew.tools.documents.index.channels import CHANNELS, Channel
from clew.tools.documents.index.index import DEFAULT, DocumentHit, DocumentIndex
from clew.tools.documents.search_options import THETA
from clew.tools.documents.searching import DocumentSearch
from clew.tools.documents.skeleton.retrieval import TwoChannels

_EXAMPLE = '{"question": "who wrote Emma?", "answers": ["Jane Austen"], "passages": ["Emma (novel)"]}'


@dataclass(frozen=True, slots=True)
class PassageQuestion:
    """A question, and what the passages that answer it have."""

    text: str
    answers: tuple[str, ...] = ()
    passages: frozenset[str] = frozenset()
    """Gold: titles, ids or sources of documents, or ids of chunks."""


@dataclass(frozen=True, slots=True)
class RetrievalMeasures:
    """What to measure."""

    tokens: tuple[int, ...] = ()
    """Sizes of contexts for coverage."""
    ks: tuple[int, ...] = ()
    """For recall at k."""

    @property
    def most(self) -> int:
        return max((*self.ks, 1))


@dataclass(slots=True)
class Figures:
    """Of one way to search."""

    covered: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    recalled: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    ms: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Means; a measure that no question has gold for is left out."""
        return {
            "coverage": {str(tokens): round(fmean(found), 4) for tokens, found in self.covered.items()},
            "recall_at": {str(k): round(fmean(found), 4) for k, found in self.recalled.items()},
            "latency_ms": {name: round(value or 0, 1) for name, value in percentiles(self.ms).items()},
        }


def read_passage_questions(path: Path) -> ItemFile[PassageQuestion]:
    """Read questions from JSON lines, plain or gzipped. Raises BadInput."""
    return read_items(path, _question, _EXAMPLE)


def _question(value: Any) -> PassageQuestion:
    if not isinstance(value, Mapping) or not str(value.get("question") or "").strip():
        raise ValueError("no `question`")
    answers = value.get("answers", value.get("answer", []))
    passages = value.get("passages", [])
    listed = [[each] if isinstance(each, str) else each for each in (answers, passages)]
    if not all(isinstance(each, list) for each in listed):
        raise ValueError("`answers` and `passages` are lists of texts")
    if not any(listed):
        raise ValueError("no `answers` and no `passages`")
    return PassageQuestion(str(value["question"]), tuple(map(str, listed[0])), frozenset(map(str, listed[1])))


@dataclass(frozen=True, slots=True)
class Way:
    """One way to search."""

    channels: tuple[Channel, ...] = DEFAULT
    theta: float = 0.0
    """The skeleton's share."""
    search: DocumentSearch | None = None
    """Searches in place of both, in a mode of its own."""


def ways(
    ablate: bool,
    skeleton: str | None = None,
    theta: float | None = None,
    searches: Mapping[str, DocumentSearch] | None = None,
) -> dict[str, Way]:
    """The ways to search that are compared.

    Args:
        ablate: Besides the usual way, compare each channel alone, and the usual way without each channel.
        skeleton: How the skeleton was made: "model", "rules", or None if there is none. The usual way uses it if a
            model made it, or `theta` is given.
        theta: The skeleton's share of the tokens.
        searches: Besides these, with `ablate`, further ways by their names.
    """
    share = THETA if theta is None else theta
    usual = share if skeleton == "model" or (skeleton and theta is not None) else 0.0
    found = {"all": Way(theta=usual)}
    if ablate:
        found |= {name: Way((name,)) for name in CHANNELS}
        without = {name: tuple(each for each in DEFAULT if each != name) for name in DEFAULT}
        found |= {f"without {name}": Way(channels, usual) for name, channels in without.items()}
    if ablate and skeleton is not None:
        found["skeleton"] = Way(theta=1.0)
        found |= {"without skeleton": Way()} if usual else {"with skeleton": Way(theta=share)}
    if ablate:
        found |= {name: Way(search=search) for name, search in (searches or {}).items()}
    return found


def paper_searches(collection: Collection, settings: Settings, theta: float | None = None) -> dict[str, DocumentSearch]:
    """SAGE's and KET-RAG's ways to search with the options of the settings, as far as their indexes are there; `theta`
    in place of that of the settings."""
    options = document_search_of(settings)
    options = options if theta is None else replace(options, theta=theta)
    searches = {
        "sage": DocumentSearch(collection, replace(options, mode="sage")),
        "sage without edges": DocumentSearch(collection, replace(options, mode="sage", edges=())),
        "ket": DocumentSearch(collection, replace(options, mode="ket")),
    }
    return {name: search for name, search in searches.items() if search.is_ready}


def passage_search(collection: Collection) -> DocumentIndex | TwoChannels:
    """The search that questions use: the index, and the skeleton if there is one."""
    skeleton = collection.skeleton
    return collection.index if skeleton is None else TwoChannels(collection.index, skeleton)


def source_names(collection: Collection) -> dict[str, tuple[str, ...]]:
    """The names by which gold passages call a document, by its id."""
    return {d.id: (d.id, d.title, d.source, Path(d.source).name) for d in collection.store.documents()}


def measure(
    searched: DocumentIndex | TwoChannels,
    sources: Mapping[str, Iterable[str]],
    questions: Sequence[PassageQuestion],
    measures: RetrievalMeasures,
    compared: Mapping[str, Way],
    done: Callable[[], None],
) -> dict[str, Figures]:
    """Figures by the names of `compared`. `sources` are the `source_names`."""
    figures = {name: Figures() for name in compared}
    for question in questions:
        for name, way in compared.items():
            _score(figures[name], searched, sources, question, measures, way)
        done()
    return figures


def _score(
    figures: Figures,
    searched: DocumentIndex | TwoChannels,
    sources: Mapping[str, Iterable[str]],
    question: PassageQuestion,
    measures: RetrievalMeasures,
    way: Way,
) -> None:
    started = time.perf_counter()
    hits = _hits(searched, question.text, measures.most, way) if measures.ks and question.passages else []
    contexts = {n: _texts(searched, question.text, n, way) for n in measures.tokens if question.answers}
    figures.ms.append((time.perf_counter() - started) * 1000)
    for tokens, texts in contexts.items():
        text = "\n".join(texts).lower()
        figures.covered[tokens].append(float(any(answer.lower() in text for answer in question.answers)))
    for k in measures.ks if question.passages else ():
        figures.recalled[k].append(_recall(hits[:k], sources, question.passages))


def _hits(searched: DocumentIndex | TwoChannels, question: str, k: int, way: Way) -> list[DocumentHit]:
    if way.search is not None:
        return way.search.hits(question, k)
    if isinstance(searched, TwoChannels):
        return searched.search(question, k, way.theta, way.channels)
    return searched.search(question, k, way.channels)


def _texts(searched: DocumentIndex | TwoChannels, question: str, tokens: int, way: Way) -> list[str]:
    """What a model would be shown."""
    if way.search is not None:
        return way.search.texts(question, tokens)
    if isinstance(searched, TwoChannels):
        return searched.context(question, tokens, way.theta, way.channels).texts
    return [hit.chunk.text for hit in searched.context(question, tokens, way.channels)]


def _recall(hits: Sequence[DocumentHit], sources: Mapping[str, Iterable[str]], gold: frozenset[str]) -> float:
    names = {name for hit in hits for name in (hit.chunk.id, hit.chunk.title, *sources.get(hit.chunk.document, ()))}
    return len(gold & names) / len(gold)
