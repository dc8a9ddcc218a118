"""A question and a logical form in words, as two texts that should mean the same (Berant and Liang 2014)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from clew.tools.embedding import Embedder
from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.items import Reading

_AGREES = 0.75
"""Cost below which a reading that explains every word agrees with the question."""


def nearness(reading: Reading, question: str, embedder: Embedder) -> float | None:
    """The cosine between a question and its reading in words, without names; None where the reading agrees with the
    question so well that it would say no more."""
    if not _is_compared(reading):
        return None
    asked, read_as = embedder.embed(paraphrase(question, reading.form))
    return float(asked @ read_as)


def embed_together(readings: Iterable[Reading], question: str, embedder: Embedder) -> None:
    """Embed in one call what `nearness` needs of each reading: of a caching embedder, a fraction of the time."""
    texts = [text for each in readings if _is_compared(each) for text in paraphrase(question, each.form)]
    if texts:
        embedder.embed(texts)


def _is_compared(reading: Reading) -> bool:
    return reading.cost >= _AGREES or bool(reading.unexplained)


def paraphrase(question: str, form: Form) -> tuple[str, str]:
    """The question and the form in words, both in lower case. The names of entities that stand in both are replaced by
    their labels, since the film "Heat" is nothing warm."""
    read_as = words(form)
    for entity in sorted(form.entities, key=lambda each: -len(each.name)):
        name = re.compile(rf"(?<!\w){re.escape(entity.name)}(?!\w)", re.IGNORECASE)
        if name.search(question):
            label = " ".join(bare_words(entity.label)) or "thing"
            question, read_as = label.join(name.split(question)), label.join(name.split(read_as))
    return question.lower(), read_as.lower()
