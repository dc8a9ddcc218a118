"""Piles of documents as people have them, with questions in their own words: minutes, manuals, letters, tables, pages.

Each pile has 40 questions of ten kinds, two of which it does not answer. Writers who saw no reader wrote documents and
questions. A question is answered exactly if the first answer is a span that equals a right one (as SQuAD compares
them); it is told if the first answer, a span or a sentence, has a right one in it. Of lists, all names count; a
question for a yes or no is told, and counts as exact, if the first sentence is one of the document that tells it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.documents.answer_spans import normalised
from clew.agents.answering.confidence import ENOUGH
from clew.graphs.strategies.passage_answers import ALONE, LEAST_CONFIDENCE
from clew.tools.answer_spans.best_sentences import best_sentences
from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.reader import listed_with, read
from clew.tools.answer_spans.reading import Reading
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.chunking.cutting import chunks_of
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.documents.reading import read as read_document
from clew.tools.embedding import Embedder, MiniLM

HERE = Path(__file__).with_name("piles")
HELD = ("church", "band", "research", "bakery", "sailing", "firm", "ngo", "theatre")
"""The piles whose questions took no part in anything: neither in the weights nor in the rules."""
_FOUND = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a pile, and what the reader knows of it."""

    pile: str
    kind: str
    text: str
    gold: tuple[str, ...]
    """() if the documents do not answer it."""
    files: frozenset[str]
    reading: Reading
    corpus: Corpus

    def is_exact(self, text: str) -> bool:
        return any(words(text) == words(gold) for gold in self.gold)

    def is_told(self, text: str, chunk: Chunk) -> bool:
        """Whether a text of a chunk has a right answer in it (of a list, all), in a document that tells it."""
        if chunk.document not in self.files:
            return False
        if self.kind == "yesno":
            return True
        said = f" {words(text)} "
        return (all if self.kind == "list" else any)(f" {words(gold)} " in said for gold in self.gold)


def words(text: str) -> str:
    """A text as it is compared."""
    return " ".join(normalised(text))


def names(held: bool | None = None) -> list[str]:
    """The piles; those held back, the others, or all."""
    every = sorted(each.name for each in HERE.iterdir() if each.is_dir())
    return [name for name in every if held is None or (name in HELD) == held]


def run(home: Path) -> dict[str, Any]:
    """The figures of the piles that are held back, and of those that the weights were learned on."""
    embedder = MiniLM()
    report = {}
    for title, held in (("held back", True), ("learned on", False)):
        found = [answered(each) for name in names(held) for each in asked_of(name, home, embedder)]
        report[title] = {**figures(found), "exact / told by the first": by_kind(found)}
    return report


def asked_of(pile: str, home: Path, embedder: Embedder) -> Iterator[Asked]:
    """The questions of a pile, with the passages that are found for each."""
    folder = HERE / pile
    return asked_in(pile, sorted((folder / "docs").iterdir()), folder / "questions.jsonl", home, embedder)


def asked_in(pile: str, files: Sequence[Path], questions: Path, home: Path, embedder: Embedder) -> Iterator[Asked]:
    """The questions about some files; all files may answer one that names none."""
    chunks = [chunk for path in files for chunk in chunks_of(path.name, read_document(path), Chunking())]
    index = DocumentIndex.build(chunks, home / pile, "1", embedder)
    corpus = Corpus.of(index)
    every = [path.name for path in files]
    for line in questions.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        found = [hit.chunk for hit in index.search(entry["question"], _FOUND)]
        reading = Reading.of(entry["question"], found, embedder, corpus)
        gold, told_in = tuple(entry["answers"]), frozenset(entry.get("passages", every))
        yield Asked(pile, entry.get("kind", "what"), entry["question"], gold, told_in, reading, corpus)


def answered(asked: Asked) -> dict[str, Any]:
    """What the reader answers, and whether it is right."""
    spans = read(asked.reading, asked.corpus)
    given = spans[0] if spans and spans[0].confidence >= LEAST_CONFIDENCE else None
    if given is not None:
        listed = listed_with(given, spans, asked.reading.question.asked)
        texts = [each.text for each in listed]
        exact = {words(text) for text in texts} == {words(gold) for gold in asked.gold}
        exact = exact if asked.kind == "list" else asked.is_exact(texts[0])
        told = asked.is_told(" , ".join(texts), given.chunk)
        beside = [] if given.confidence >= ALONE else best_sentences(asked.reading, 2)
        among = told or any(asked.is_told(each.text, each.chunk) for each in beside)
        return _outcome(asked, texts, given.confidence, exact, told, among)
    found = best_sentences(asked.reading)
    told_by = [asked.is_told(each.text, each.chunk) for each in found]
    return _outcome(asked, [each.text for each in found], 0.0, False, any(told_by[:1]), any(told_by))


def _outcome(asked: Asked, texts: list[str], confidence: float, exact: bool, told: bool, among: bool) -> dict[str, Any]:
    return {
        "pile": asked.pile, "kind": asked.kind, "question": asked.text, "gold": asked.gold, "answers": texts,
        "confidence": confidence, "exact": exact or (told and asked.kind == "yesno"), "told": told, "among": among,
    }  # fmt: skip


def figures(outcomes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The shares of answerable questions, and of the spans given."""
    answerable = [each for each in outcomes if each["gold"]]
    given = [each for each in outcomes if each["confidence"]]
    sure = [each for each in given if each["confidence"] >= ENOUGH]
    return {
        "questions": len(answerable),
        "exact": _share(answerable, "exact"),
        "told by the first": _share(answerable, "told"),
        "told by an answer": _share(answerable, "among"),
        "spans": len(given),
        "of them exact": _share(given, "exact"),
        "surely": len(sure),
        "of them exact or told": _share(sure, "told"),
        "unanswerable": len(outcomes) - len(answerable),
        "of them with a sure answer": sum(not each["gold"] for each in sure),
    }


def by_kind(outcomes: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Exact and told shares of each kind."""
    kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in outcomes:
        kinds[each["kind"]].append(each)
    return {kind: f"{_share(held, 'exact')} / {_share(held, 'told')}" for kind, held in kinds.items()}


def _share(outcomes: Sequence[dict[str, Any]], key: str) -> float | None:
    return round(float(np.mean([each[key] for each in outcomes])), 3) if outcomes else None
