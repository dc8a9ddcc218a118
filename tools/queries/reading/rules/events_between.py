"""The events between two named things, as things of which something is asked: "when did A beat B", "why did A kill
B"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link, Nodes, Path
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.schema.event_roles import is_mutual, is_role, role_direction, role_paths
from clew.tools.queries.relation_names import types_of

_THINGS = [["what", verb] for verb in ("do", "does", "did", "has", "have")]
"""What asks for things, not for events: "what did he use to slay it?"."""


def events_between(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """The events of which a verb tells, of two named things."""
    a, b = left.meaning.nodes, right.meaning.nodes
    if not b.entities or grammar.asks_truth or grammar.statement:
        return
    if not (a.entities or left.meaning.wild):
        yield from _taken_part_in(Pair(left, between, right, grammar), left.meaning, b)
    if not (a.entities or left.meaning.wild == "who"):
        return
    if [token.text for token in grammar.tokens[:2]] in _THINGS:
        return
    pair = Pair(left, between, right, grammar)
    for i, (last, said) in enumerate(pair.verbs()):
        label = a.label if a.entities else b.label
        paths = [
            path
            for path in role_paths(grammar.joins, label, b.label, said)
            if not role_direction(path, said, subject=i == 0)
        ]
        if a.entities:
            sets = [_event(path, a, b) for path in paths]
        else:
            sets = [Nodes(label, links=(Link(path, b),)) for path in paths] if is_mutual(said) else []
        for nodes in _either(sets) if is_mutual(said) else sets:
            noun = replace(left.meaning, nodes=nodes, wild="") if not a.entities else Noun(nodes, plural=False)
            yield pair.item(noun, ("bare join", 1.0), last=last)


def _taken_part_in(pair: Pair, events: Noun, taker: Nodes) -> Iterator[AnyItem]:
    """Events in which somebody is the one or the other: "the matches that Ann played"."""
    behind = [token.text for token in pair.grammar.tokens[pair.right.last : pair.right.last + 1]]
    ends = [*pair.verbs(), *((pair.right.last + 1, (text,)) for text in behind)]  # "Play" says little by itself.
    for last, said in ends:
        steps = [step for step in pair.grammar.joins.direct(events.nodes.label, taker.label) if is_role(step, said)]
        if any(len(types_of(step.relation)) > 1 for step in steps):
            continue  # There is a relation to both.
        if len(steps) > 1:
            either = tuple(Nodes(events.nodes.label, links=(Link((step,), taker),)) for step in steps)
            noun = replace(events, nodes=replace(events.nodes, either=either))
            yield pair.item(noun, last=last)


def _event(path: Path, a: Nodes, b: Nodes) -> Nodes:
    """The events that lead from one to the other."""
    first, second = path
    return Nodes(first.target, links=(Link((first.back(a.label),), a), Link((second,), b)))


def _either(sets: Sequence[Nodes]) -> list[Nodes]:
    """One set for those of one label: it does not matter who was the one and who the other."""
    labels = dict.fromkeys(nodes.label for nodes in sets)
    alike = ([nodes for nodes in sets if nodes.label == label] for label in labels)
    return [Nodes(each[0].label, either=tuple(each)) if len(each) > 1 else each[0] for each in alike]
