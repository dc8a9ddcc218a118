"""Another name in the place of one of an earlier question: "and X?", "what about the sequel?", "no, I meant X"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.graph.entity import Entity, Mention
from clew.tools.queries.follow_ups.changes import spoken_sets, with_entities, with_set
from clew.tools.queries.follow_ups.merging import ASKS
from clew.tools.queries.follow_ups.past import BACK, REACH, PastReading
from clew.tools.queries.follow_ups.readings import Change, Find, FollowUpReading, Look, changed_form
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.forms.form import Form, Nodes
from clew.tools.queries.reading.forms.wider_labels import narrowed as labels_of
from clew.tools.queries.reading.reader import Reader

_OTHER_NAME = 0.3
"""What it costs that a name takes the place of one that the last question did not name."""
_LATER_PLACE, _RELATED = 0.2, 0.2
"""The same of a name that stands further inside, and of what is only related to the name."""


def replaced(
    parts: FollowUp, past: Sequence[PastReading], reader: Reader, find: Find, look: Look
) -> list[FollowUpReading]:
    """The form of the last turn with another name in the place of one of its own; of the turn before if the last one
    has no name of that kind, and so on.

    Args:
        parts: The question.
        past: The turns that were answered, the oldest first.
        reader: The reader of questions.
        find: Finds the names in a text.
        look: Looks up the first nodes of a set.
    """
    if not parts.begins or parts.begins == "not":
        return []
    text = parts.rest.strip(" ?.!")
    if ASKS.match(text):
        return []
    mentions = find(text)
    change: Change = "correct" if parts.begins == "instead" else "replace"
    for distance, turn in enumerate(reversed(past[-REACH:])):
        if turn.form is None:
            continue
        fresh = [*_named(text, mentions), *_of_kind(text, turn, reader)]
        fresh += _related(text, turn, reader, look) if not mentions and not distance else []
        changed = [
            changed_form(form, change, turn.number, text, turn.form.nodes, cost + BACK * distance)
            for nodes, lost in fresh
            for form, cost in _in_place(nodes, lost, turn.form, turn.named)
        ]
        if changed:
            return changed
    return []


def _in_place(nodes: Nodes, lost: float, form: Form, named: Sequence[Entity]) -> Iterator[tuple[Form, float]]:
    """A form with the nodes in the place of each name of their kind, those that its words name first, and the cost."""
    old = [e for e in form.entities if _alike(e.label, nodes.label) and e not in nodes.entities]
    for place, entity in enumerate(sorted(old, key=lambda e: e not in named)):
        cost = lost + _LATER_PLACE * place + (0.0 if entity in named else _OTHER_NAME)
        yield with_entities(form, entity, nodes), cost
    if not old:  # "The Hedgehogs", for the group that somebody leads.
        for each in spoken_sets(form)[1:]:
            if each.links and not each.entities and _alike(each.label, nodes.label):
                yield with_set(form, each, nodes), lost + _OTHER_NAME
                return


def _named(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[Nodes, float]]:
    """The nodes that a text names which is not much more than a name."""
    bare = text.lower().removeprefix("the ").removeprefix("in ").removeprefix("by ").removeprefix("for ")
    for mention in mentions:
        if mention.candidates and mention.end - mention.start >= 0.6 * len(bare):
            best = mention.candidates[0].score
            by_label: dict[str, list[Entity]] = {}
            for each in mention.candidates:
                if each.score >= best - 1e-6:
                    by_label.setdefault(each.entity.label, []).append(each.entity)
            for label, entities in by_label.items():
                yield Nodes(label, tuple(entities)), 1.0 - best


def _related(text: str, last: PastReading, reader: Reader, look: Look) -> Iterator[tuple[Nodes, float]]:
    """ "The sequel", "his brother": what a name in the last question is related to, of its own kind."""
    assert last.form is not None
    for old in last.form.entities[:2]:
        said = text if text.lower().startswith("the ") else f"the {text.split(' ', 1)[-1]}"
        written = f"{said} of them"
        given = {(len(written) - 4, len(written)): Nodes(old.label, (old,))}
        for reading in reader.read(written, (), (), given=given)[:2]:
            form = reading.form
            if form.asks == "nodes" and form.nodes.label == old.label and old in form.entities:
                found = tuple(look(form.nodes))
                yield Nodes(old.label, found) if found else form.nodes, _RELATED + reading.cost


def _of_kind(text: str, last: PastReading, reader: Reader) -> Iterator[tuple[Nodes, float]]:
    """ "The film", "the city": another node of the name that was meant."""
    assert last.form is not None
    word = text.lower().removeprefix("the ")
    labels = {label for label, _ in reader.words.labels.get(word, ())}
    used = set(last.form.entities)
    others = [e for e in last.named if e.label in labels and e not in used]
    for other in others[:1]:
        yield Nodes(other.label, (other,)), 0.0


def _alike(one: str, other: str) -> bool:
    return bool(set(labels_of(one)) & set(labels_of(other)))
