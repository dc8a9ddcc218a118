"""The answers that passages give without a model: a span where one is asked for, else the nearest sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from clew.agents.answering.confidence import of_texts
from clew.agents.evidence import PASSAGE, AnswerRef
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.strategies.skeleton import citation
from clew.tools.answer_spans.best_sentences import BestSentence, best_sentences
from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.expected_answer import ExpectedAnswer
from clew.tools.answer_spans.passages import name_terms
from clew.tools.answer_spans.question import Beside
from clew.tools.answer_spans.reader import AnswerSpan, listed_with, read
from clew.tools.answer_spans.reading import Reading
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.collection import Collection
from clew.tools.graph.entity import Entity

LEAST_CONFIDENCE = 0.38
"""Least confidence of a span that is an answer."""
ALONE = 0.5
"""Least confidence of a span beside which no sentences are answers."""
_SENTENCES = 3
"""Number of sentences that become answers."""
_BESIDE = 2
"""The same beside a span that is not sure."""
_RECORDED = 5
_READ = "It was read in a document; the passage is its evidence."
_UNANSWERED = "The documents do not answer it."


@dataclass(frozen=True, slots=True)
class PassageAnswers:
    """What the passages answer."""

    answers: list[AnswerRef]
    words: str
    confidence: float
    note: str = ""
    """What the explanation says of it."""


def passage_answers(
    question: str, chunks: Sequence[Chunk], beside: Beside, context: Context, span: Span
) -> PassageAnswers:
    """The answers of the passages `chunks`, best first; `beside` is what the graph answers."""
    collection = context.tools.documents
    assert collection is not None
    corpus = Corpus.of(collection.index, _nodes(chunks, collection, context))
    reading = Reading.of(question, chunks, context.tools.fitted_embedder, corpus, beside)
    asked, spans = reading.question.asked, read(reading, corpus)
    _record(asked, spans, span)
    if spans and spans[0].confidence >= LEAST_CONFIDENCE:
        best = spans[0]
        given = [_of_span(each) for each in listed_with(best, spans, asked)]
        if best.confidence < ALONE:
            given += map(_of_sentence, best_sentences(reading, _BESIDE))
        return PassageAnswers(given, f"{_KINDS[best.kind]} that a passage gives", best.confidence, _READ)
    found = best_sentences(reading, _SENTENCES)
    words = "passages that speak of it" + (f", and of {', '.join(beside.names)}" if beside.names else "")
    if not found:
        return PassageAnswers([], words, 0.0, unmentioned(asked.said_names, collection) or _UNANSWERED)
    answers = list(map(_of_sentence, found))
    return PassageAnswers(answers, words, of_texts(max(each.cosine for each in found)))


_KINDS = {
    "name": "the name", "number": "the number", "time": "the time", "quote": "the line", "code": "the code",
    "phrase": "the words",
}  # fmt: skip


def _of_sentence(found: BestSentence) -> AnswerRef:
    return {"id": found.chunk.id, "name": found.text, "label": PASSAGE, "support": 1, "detail": citation(found.chunk)}


def _of_span(span: AnswerSpan) -> AnswerRef:
    node = span.node
    return {
        "id": node.id if node else None,
        "name": node.name if node else " ".join(span.text.split()),
        "label": node.label if node else "",
        "support": 1,
        "detail": citation(span.chunk),
        "passage": {"id": span.chunk.id, "start": span.start, "end": span.end, "kind": span.kind},
    }


def _nodes(
    chunks: Sequence[Chunk], collection: Collection, context: Context
) -> Callable[[Chunk], Iterator[tuple[int, int, Entity]]]:
    """Where each chunk names one node of the graph, without doubt."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for mention in collection.store.mentions([chunk.id for chunk in chunks]):
        place = (mention.start, mention.start + len(mention.surface), mention.node)
        found.setdefault(mention.chunk, []).append(place)
    named = {node for places in found.values() for *_, node in places}
    known = {id: entity for id in named if (entity := context.tools.index.get(id)) is not None}

    def of_chunk(chunk: Chunk) -> Iterator[tuple[int, int, Entity]]:
        places = found.get(chunk.id, [])
        for start, end, node in places:
            alone = sum(1 for other in places if other[0] == start) == 1
            if alone and node in known:
                yield start, end, known[node]

    return of_chunk


def unmentioned(names: Iterable[str], collection: Collection) -> str:
    """A sentence about those names that no document has; "" if all are there."""
    postings = collection.index.sources.postings
    unknown = [name for name in names if not any(postings.holds(term) for term in name_terms(name))]
    return f"No document mentions {' or '.join(f'“{name}”' for name in unknown)}." if unknown else ""


def _record(asked: ExpectedAnswer, spans: Sequence[AnswerSpan], span: Span) -> None:
    span.event(
        "spans",
        asked=asked.kind,
        noun=" ".join(asked.head),
        words=list(asked.terms),
        found=[
            [
                each.text,
                each.kind,
                each.confidence,
                citation(each.chunk),
                {k: round(v, 3) for k, v in each.features.items()},
            ]
            for each in spans[:_RECORDED]
        ],
    )
