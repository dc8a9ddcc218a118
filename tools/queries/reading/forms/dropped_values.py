"""Values of properties that a question says and a form leaves out: "voted *against*" without `vote = against`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, sets
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Feature, Noun

AS_WRITTEN = 0.35
"""What a value costs at most that is written as in the graph."""
_PARTICLES = frozenset({"no", "not", "in", "on", "off", "out", "up", "down", "over", "back", "away"})
"""Values that are denials, or parts of verbs, too: "hired out"."""


_WINNERS = frozenset({"winner", "winners", "won", "win", "wins", "winning", "victor"})


@dataclass(frozen=True, slots=True)
class SaidValue:
    """Words that are the value of a property and nothing else in the graph."""

    owners: frozenset[str]
    """The labels and relationship types with a property that has the value."""
    values: frozenset[str]
    """The value, in lower case."""
    of_owners: bool = False
    """Whether other relations may say it: "won" is place 1, or a HAS_WINNER."""


def said_values(items: Iterable[AnyItem], no_verbs: Sequence[bool]) -> list[SaidValue]:
    """The values that the anchors of a question find and that no other anchor explains.

    Args:
        items: The anchors.
        no_verbs: Which tokens are values and no verbs of a relation.
    """
    every = list(items)
    values: dict[tuple[int, int], list[AnyItem]] = defaultdict(list)
    for item in every:
        if _is_value(item) and all(no_verbs[item.first : item.last]):
            values[item.first, item.last].append(item)
    others = [item for item in every if not isinstance(item.meaning, ConditionNoun) and not _is_loose(item)]
    found = {span: _said(items) for span, items in values.items()}
    won = [
        SaidValue(frozenset(choice.label for choice in item.meaning.choices), frozenset({"1"}), of_owners=True)
        for item in every
        if isinstance(item.meaning, ConditionNoun) and item.meaning.winning
    ]
    free = [s for s in found if not any(_explains(other, s, found[s]) for other in others)]
    return [*won, *(found[s] for s in free if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in found))]


def _explains(item: AnyItem, span: tuple[int, int], value: SaidValue) -> bool:
    """Whether an anchor says words better than the value that they are: not a synonym ("mothers" of parents), unless of
    the kind of thing that has the value ("goods" of commodities, one of whose categories is goods)."""
    if item.first >= span[1] or item.last <= span[0]:
        return False
    label = item.meaning.nodes.label if isinstance(item.meaning, Noun) else ""
    return item.cost <= AS_WRITTEN or label in value.owners


def dropped(form: Form, said: Sequence[SaidValue]) -> Iterator[Feature]:
    """What it costs that a form has what a value is said of, without the value.

    Args:
        form: The form.
        said: The values that its question says.
    """
    if not said:
        return
    owners, told = _owners_and_values(form)
    for each in said:
        elsewhere = each.owners.isdisjoint(owners)
        otherwise = elsewhere and each.of_owners and any(_WINNERS & set(identifier_words(name)) for name in owners)
        if each.values.isdisjoint(told) and not otherwise:
            yield "dropped value", 0.5 if elsewhere else 1.0


def _is_value(item: AnyItem) -> bool:
    meaning = item.meaning
    if not isinstance(meaning, ConditionNoun) or item.cost > AS_WRITTEN or not meaning.choices:
        return False
    if _PARTICLES.issuperset(map(str, meaning.values)):
        return False
    return meaning.comparison == "=" and not meaning.test and any(isinstance(each, str) for each in meaning.values)


def _is_loose(item: AnyItem) -> bool:
    """Whether a noun is a question word alone, or itself made of a value: "the singles"."""
    noun = item.meaning if isinstance(item.meaning, Noun) else None
    if noun is None:
        return False
    alone = bool(noun.wild) and item.last - item.first == 1  # "Which shipping line" costs what it does not know.
    return bool(alone or noun.nodes.conditions or any(link.other.conditions for link in noun.nodes.links))


def _said(items: Sequence[AnyItem]) -> SaidValue:
    meanings = [item.meaning for item in items if isinstance(item.meaning, ConditionNoun)]
    owners = frozenset(choice.label for each in meanings for choice in each.choices)
    return SaidValue(owners, frozenset(str(value).lower() for each in meanings for value in each.values))


def _owners_and_values(form: Form) -> tuple[Set[str], Set[str]]:
    """The labels and relationship types of a form, and the values of its conditions."""
    roots = [form.nodes, *([form.whole] if form.whole is not None else [])]
    links = [form.value.link] if form.value is not None and form.value.link is not None else []
    links += [column.link for column in form.columns if column.link is not None]
    every = [each for root in [*roots, *(link.other for link in links)] for each in sets(root)]
    links += [link for nodes in every for link in _links(nodes)]
    tests = [test for link in links for test in link.conditions]
    for nodes in every:
        for condition in nodes.conditions:
            tests += [*([condition.predicate] if condition.predicate is not None else []), *condition.alternatives]
    steps = [step for link in links for step in link.path]
    owners = {each.label for each in every} | {name for step in steps for name in (step.relation, step.target)}
    return owners, {str(test.value).lower() for test in tests}


def _links(nodes: Nodes) -> list[Link]:
    by = nodes.order.by.link if nodes.order is not None else None
    return [*nodes.links, *([by] if by is not None else [])]
