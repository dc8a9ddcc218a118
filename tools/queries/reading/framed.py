"""The readings of a question in the canonical words of the frames that it is likely to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace

from clew.tools.embedding import Embedder
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.charted import Charted
from clew.tools.queries.reading.english.gap import denies
from clew.tools.queries.reading.forms.asked_kind import first_words, never_asked
from clew.tools.queries.reading.forms.depth import at_any_depth
from clew.tools.queries.reading.forms.dropped_values import dropped
from clew.tools.queries.reading.forms.form import Form, sets
from clew.tools.queries.reading.forms.items import AnyItem, Reading
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.frames.canonical import TRUTHS, canonical
from clew.tools.queries.reading.frames.classifier import Classifier, shipped
from clew.tools.queries.reading.frames.slots import masked, slots_of
from clew.tools.queries.reading.frames.weighing import Framed
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.whole_readings import best_readings

_COUNTING = frozenset({"number", "many", "count"})
_JOINING = frozenset({"or", "either", "and", "any"})
"""Words, one of which joins two things of which one is enough."""
_KEPT = 2
"""Readings of a frame that are kept."""


def classified(anchors: Iterable[AnyItem], said: Sequence[Token]) -> str:
    """The text whose vector `framed` needs; another one where words that are near to names are slots as well."""
    return masked(said, slots_of(anchors, said))


def framed(
    chart: Charted,
    reworded: Callable[[Sequence[Token]], Charted | None],
    embedder: Embedder,
    classifier: Classifier | None = None,
) -> list[Framed]:
    """What a question means as each of its likely frames.

    Args:
        chart: The question as it was asked.
        reworded: Gives the chart of the same question in other words.
        embedder: Of the question's masked words.
        classifier: The model; None for that of the package.
    """
    said = chart.grammar.tokens
    slots = slots_of(chart.anchors, said)
    if not slots:
        return []
    classifier = classifier or shipped()
    found = []
    said_texts = {token.text for token in said}
    denied = any(denies(said, i) for i in range(len(said)))
    requested = len(said) > 1 and said[1].text == "you"  # "Can you split them up by year?"
    truth = chart.grammar.asks_truth and not (chart.grammar.listed or requested)
    for frame, probability in classifier.likely(embedder.embed([masked(said, slots)])[0], slots):
        if (frame in TRUTHS) != truth or (frame == "either" and not said_texts & _JOINING):
            continue
        written = canonical(frame, said, slots, chart.items, classifier.words, chart.grammar.words.verbs)
        other = None if written is None else reworded(written.tokens)
        if written is None or other is None:
            continue
        every = other.readings(("reworded", 1.0), ("unexplained", float(len(written.lost))))
        every = _at_depth(every, denied=denied) if chart.grammar.deep else every
        fit = (each for each in every if not never_asked(each.form, *first_words(said)))
        readings = best_readings(each for each in fit if not _counts_amounts(each, said_texts, chart.grammar))
        if readings:
            kept = [_left(reading, written.lost, said_texts, chart.grammar) for reading in readings[:_KEPT]]
            found.append(Framed(frame, probability, kept, bool(written.lost)))
    return found


def _at_depth(readings: Iterable[Reading], *, denied: bool) -> list[Reading]:
    """Readings at any depth, which no frame says; those without a relation that has one are left out, and so are those
    that deny what the question does not: "through *other* companies"."""
    fit = [each for each in readings if denied or not _denies(each.form)]
    deep = ((each, at_any_depth(each.form)) for each in fit)
    return [replace(each, form=form) for each, form in deep if form is not None]


def _denies(form: Form) -> bool:
    return any(nodes.without or any(link.negated for link in nodes.links) for nodes in sets(form.nodes))


def _counts_amounts(reading: Reading, asked: Set[str], grammar: Grammar) -> bool:
    """Whether things are counted of which the total is asked for: "the total of all invoices" is of their amounts."""
    form = reading.form
    counts = form.asks == "number" and form.value is None and not asked & _COUNTING
    return counts and "total" in asked and any(c.label == form.nodes.label for c in grammar.words.property("total"))


def _left(reading: Reading, lost: Sequence[str], asked: Set[str], grammar: Grammar) -> Reading:
    """A reading of other words, with the words of the question that it does not explain, and the values that it
    leaves out."""
    if lost and all(name != "dropped value" for name, _ in reading.features):
        reading = with_features(reading, *dropped(reading.form, grammar.said_values))
    return replace(reading, unexplained=(*lost, *(word for word in reading.unexplained if word in asked)))
