"""Spans as answers: exact match and F1 over all documents of a set, and how many unanswerable questions are told.

`written`: five documents of different kinds, with questions written for this benchmark before the reader was run on
them. `demo`: questions about the bundled documents, on which the reader was developed. `ottqa`: the gold passage of 150
of OTT-QA's questions among four others that the same table links; most of them need the table too, so that few can be
answered.
"""

from __future__ import annotations

import json
import math
import re
import string
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.documents import reading
from benchmarks.documents.metrics import milliseconds
from clew.graphs.strategies.passage_answers import LEAST_CONFIDENCE
from clew.tools.answer_spans.best_sentences import best_sentences
from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.passages import name_terms
from clew.tools.answer_spans.reader import AnswerSpan, read
from clew.tools.answer_spans.reading import Reading
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.chunking.cutting import chunks_of
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.documents.reading.markdown_text import read_markdown
from clew.tools.embedding import Embedder, MiniLM

SETS = Path(__file__).with_name("span_sets")
DEMO = Path(__file__).resolve().parents[2] / "demo" / "documents"
_FOUND = 10
_BESIDE = 4
_OTTQA = 150
"""Number of questions of OTT-QA, taken at equal distances."""
_BINS = 10
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question."""

    gold: Sequence[str]
    """() if the documents do not answer it."""
    span: str
    """The span of the answer; "" for none."""
    confidence: float
    passages: int
    """Sentences that are answers instead of a span."""
    seconds: float

    @property
    def exact(self) -> bool:
        return bool(self.span) and any(normalised(self.span) == normalised(gold) for gold in self.gold)

    @property
    def f1(self) -> float:
        return max((overlap(self.span, gold) for gold in self.gold), default=0.0)


def run(data: Path | None, home: Path) -> dict[str, Any]:
    """The figures of every set; `ottqa` where its data are there."""
    embedder = MiniLM()
    embedder.embed(["warm"])
    report = {
        "written": figures(_asked(SETS / "documents", SETS / "written.jsonl", home / "written", embedder)),
        "demo": figures(_asked(DEMO, SETS / "demo.jsonl", home / "demo", embedder)),
    }
    if data is not None and (data / "ottqa").exists():
        report["ottqa, gold passage among five"] = figures(_ottqa(data / "ottqa", embedder))
    return report


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Over all questions; `precision` is of the spans that are given, of which `calibration_error` is, too."""
    answerable = [each for each in outcomes if each.gold]
    unanswerable = [each for each in outcomes if not each.gold]
    given = [each for each in outcomes if each.span]
    return {
        "questions": len(answerable),
        "exact": _share([each.exact for each in answerable]),
        "f1": _share([each.f1 for each in answerable]),
        "spans_given": len(given),
        "precision": _share([each.exact for each in given]),
        "passages_instead": sum(each.passages > 0 for each in answerable),
        "calibration_error": _calibration_error(given),
        "unanswerable": len(unanswerable),
        "told_no_answer": sum(not each.span and not each.passages for each in unanswerable),
        "latency_ms": milliseconds([each.seconds for each in outcomes]),
    }


def _asked(folder: Path, questions: Path, home: Path, embedder: Embedder) -> list[Outcome]:
    chunks: list[Chunk] = []
    for path in sorted(folder.glob("*.md")):
        chunks += chunks_of(path.name, read_markdown(path), Chunking())
    index = DocumentIndex.build(chunks, home, "1", embedder)
    corpus = Corpus.of(index)
    outcomes = []
    for line in questions.read_text(encoding="utf-8").splitlines():
        asked = json.loads(line)

        def found(question: str = asked["question"]) -> list[Chunk]:
            return [hit.chunk for hit in index.search(question, _FOUND)]

        outcomes.append(_outcome(asked["question"], asked["answers"], found, embedder, corpus))
    return outcomes


def _outcome(
    question: str, gold: Sequence[str], search: Callable[[], list[Chunk]], embedder: Embedder, corpus: Corpus
) -> Outcome:
    began = time.perf_counter()
    chunks = search()
    reading = Reading.of(question, chunks, embedder, corpus)
    spans: list[AnswerSpan] = read(reading, corpus)
    given = spans[0] if spans and spans[0].confidence >= LEAST_CONFIDENCE else None
    passages = 0 if given else len(best_sentences(reading))
    confidence = given.confidence if given else 0.0
    return Outcome(gold, given.text if given else "", confidence, passages, time.perf_counter() - began)


def _ottqa(folder: Path, embedder: Embedder) -> list[Outcome]:
    loaded = reading.ottqa(folder)
    by_id = {chunk.id: chunk for chunk in loaded.chunks}
    of_row: dict[str, list[str]] = {}
    for row, passage in loaded.links:
        of_row.setdefault(row, []).append(passage)
    texts = [chunk for chunk in loaded.chunks if chunk.kind == "text"]
    held = Counter(term for chunk in texts for term in {*name_terms(chunk.text)})

    def rarity(term: str) -> float:
        return math.log(1 + (len(texts) - held[term] + 0.5) / (held[term] + 0.5))

    outcomes = []
    questions = [asked for asked in loaded.questions if len(asked.slots) > 1]
    for asked in questions[:: max(1, len(questions) // _OTTQA)][:_OTTQA]:
        gold = sorted(asked.slots[1])[:1]
        others = sorted({passage for row in asked.slots[0] for passage in of_row.get(row, [])} - asked.slots[1])
        ranked = [by_id[id] for id in sorted((*gold, *others[:_BESIDE]))]
        outcomes.append(_outcome(asked.text, [asked.answer], lambda ranked=ranked: ranked, embedder, Corpus(rarity)))  # type: ignore[misc]
    return outcomes


def normalised(text: str) -> list[str]:
    """The words as SQuAD's evaluation compares them (Rajpurkar et al. 2016): no case, articles or punctuation."""
    plain = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return _ARTICLES.sub(" ", plain).split()


def overlap(one: str, other: str) -> float:
    """F1 of the words of two texts."""
    left, right = Counter(normalised(one)), Counter(normalised(other))
    common = (left & right).total()
    return 2 * common / (left.total() + right.total()) if common else 0.0


def _share(values: Sequence[float]) -> float | None:
    return round(float(np.mean(values)), 3) if values else None


def _calibration_error(given: Sequence[Outcome]) -> float | None:
    """The expected calibration error, in bins of equal width."""
    if not given:
        return None
    bins: dict[int, list[Outcome]] = {}
    for each in given:
        bins.setdefault(min(_BINS - 1, int(each.confidence * _BINS)), []).append(each)
    gaps = [abs(sum(e.exact for e in held) - sum(e.confidence for e in held)) for held in bins.values()]
    return round(sum(gaps) / len(given), 3)
