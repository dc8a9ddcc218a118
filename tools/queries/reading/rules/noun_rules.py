"""Two sets of nodes become one by a relation between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link, Nodes, Path, turned
from clew.tools.queries.reading.forms.group_forms import count_narrowed, order_narrowed
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Noun
from clew.tools.queries.reading.forms.plausible import is_own_role
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.rules.agreement import agreement, agrees, attached, comparing, direction, passed_over
from clew.tools.queries.reading.rules.grammar import HOW_OFTEN, LOST_NAME, Grammar, Pair
from clew.tools.queries.reading.rules.roles import fills_role, is_same_way, lost_role, narrowed_role, without_role
from clew.tools.queries.reading.rules.same_label import merged, same_label
from clew.tools.queries.reading.rules.side_rules import of_side, side_told
from clew.tools.queries.reading.rules.stated_relations import Joined, as_said, literally, states_relation
from clew.tools.queries.reading.rules.wild_kinds import wild_kind
from clew.tools.queries.reading.schema.event_roles import tells_roles
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.voice import source_is_subject

_LEAST_AGREEMENT = 0.5
_NAMED_HEAD, _SUBJECT = 1.2, 0.6
"""What it costs that something is said of a name, and of one that a yes-or-no question is about."""
_BESIDES = frozenset("besides except excluding for apart aside other than from else but".split())  # noqa: SIM905
_AUXILIARIES = frozenset({"has", "have", "had", "did", "do", "does"})
_CALLED = frozenset({"called", "named", "that", "who", "which", "is", "are", "were", "was"})


def join_nouns(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """All sets that two nouns and the words between them may mean."""
    a, b = left.meaning, right.meaning
    if a.nodes.label == b.nodes.label and not (a.wild or b.wild or between.possessive):
        yield from same_label(left, between, right, grammar)
    called = between.says("called", "named") and set(between.texts) <= _CALLED
    if called and b.named and b.nodes.entities and a.nodes.label == b.nodes.label:
        nodes = b.nodes if a.nodes.bare else merged(a.nodes, b.nodes)
        if nodes is not None:
            yield grammar.item(left, right, replace(b, nodes=nodes, plural=a.plural, asked=a.asked, named=False))
    if b.wild and (a.wild or between.empty or right.last < len(grammar.tokens)):
        return
    if b.wild and grammar.tokens[right.first].text not in QUESTION_WORDS:
        return  # "Without an agent" asks for no agent.
    if a.wild and b.asked and b.named and b.nodes.order is not None:
        by = b.nodes.order.by.link  # "Who is older, X or Y?", "Who scored more goals, X or Y?"
        told = by is not None and grammar.joins.agreement(between.words, by.path[0]) > _LEAST_AGREEMENT
        unsaid = [(name, -much) for name, much in right.features if name in ("rivals", "bare join")]
        yield grammar.item(left, right, b, *(unsaid if told else grammar.unexplained(between)), ("wild", -1.0))
        return
    if a.wild and b.named and between.texts and set(between.texts) <= _BESIDES and not a.nodes.without:
        yield grammar.item(left, right, replace(a, nodes=replace(a.nodes, without=(b.nodes,))))  # "Who besides X …"
        return
    yield from _neither(left, between, right, grammar)
    yield from _related(left, between, right, grammar)


def _neither(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "servers without an application" + "or a database": neither of the two."""
    a, b = left.meaning, right.meaning
    last = a.nodes.links[-1] if a.nodes.links else None
    if between.conjunction in ("or", "nor") and not between.heavy and last is not None and last.negated:
        for path in grammar.joins.paths(a.nodes.label, b.nodes.label) if not b.wild else ():
            noun = replace(a, nodes=a.nodes.linked(Link(path, b.nodes, negated=True)))
            yield grammar.item(left, right, noun, ("extra hop", float(len(path) - 1)))


def _related(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    a, b = left.meaning, right.meaning
    if between.empty and a.nodes.label == b.nodes.label and a.role is None and b.role is None:
        return  # "The linguistics department" is one.
    pair = Pair(left, between, right, grammar)
    verbs = pair.verbs()
    subject = grammar.asks_truth and bool(a.nodes.entities and b.nodes.entities)
    free = grammar.statement or (a.every and grammar.asks_truth)
    name = 0.0 if free else _SUBJECT if subject else _NAMED_HEAD
    for dear, head_left in _heads(a, between, b, name):
        for i, (last, said) in enumerate(verbs):
            features: list[Feature] = [("head", dear)] if dear else []
            features += [("unexplained", LOST_NAME)] * (
                bool(a.wild) and any(grammar.names[between.first : between.last])
            )
            if (a.asked and not head_left and not between.empty) or (b.asked and head_left and not a.asked):
                features.append(("not asked", 1.0))
            yield from _linked(pair, _Clause(head_left, said, last, head_left == (i == 0)), features)
    if set(between.texts) <= _AUXILIARIES and not between.empty and not a.named:
        denied = replace(pair, between=replace(between, negated=True))  # "which products has X never ordered"
        for last, said in grammar.verbs_behind(between, left, right, negated=True):
            yield from _linked(denied, _Clause(True, said, last, False), [])


@dataclass(frozen=True, slots=True)
class _Clause:
    """How two nouns stand in a sentence."""

    head_left: bool
    """Whether the right one says something about the left one."""
    said: tuple[str, ...]
    """The words of the relation …"""
    last: int
    """… and where they or the nouns end."""
    subject: bool
    """Whether the head stands where the verb's subject stands: before it."""


def _heads(a: Noun, between: Gap, b: Noun, name: float) -> list[tuple[float, bool]]:
    """Which of the two nouns is modified by the other, with what that costs: (cost, whether it is the left one).

    A name costs `name` as the head.
    """
    if between.empty and a.named and b.named:
        return [(0.0, True), (1.5, False)]
    if between.empty and b.role is not None and not a.named and not a.wild:
        return [(0.0, False)]
    if between.possessive and any(link.named for link in a.nodes.links):
        return [(0.0, False)]  # "Who is the boss of X" + "'s boss"
    if between.empty and a.asked and not (a.plural or a.named or a.wild or b.named or b.wild):
        return [(0.0, False), (1.0, True)]  # "which client contact"
    if a.wild or a.asked or (between.empty and a.role is not None and len(a.role) > 1 and b.named):
        return [(0.0, True)]
    if b.wild:  # "The films of X were written by whom?"
        return [(0.0, False)]
    found = []
    if between.possessive:
        return [(0.0, False)]
    if between.empty and b.named and any(_is_open(link, link.path) for link in a.nodes.links[-1:]):
        found.append((0.0, True))  # "who chairs" + "the budget committee"
    if between.says("whose") and not a.named:  # "Makers whose machines …"
        return [(0.0, True)]
    if between.empty:
        # "Oldest student society": the superlative is the society's.
        found.append((0.1 if a.named else 0.6 if a.nodes.order is None else 1.2, False))
        found.append((2.0, True))
    elif b.asked:
        found.append((0.1, False))
        found.append((1.0, True))
    else:
        found.append((name if a.named else 0.0, True))
        if a.named and between.words:
            found.append((1.5, False))
    return found


def _linked(pair: Pair, clause: _Clause, features: list[Feature]) -> Iterator[AnyItem]:
    """The head with a link to the other noun, for every relation between their labels."""
    between, grammar = pair.between, pair.grammar
    head, tail = (pair.left, pair.right) if clause.head_left else (pair.right, pair.left)
    a: Noun = head.meaning
    b: Noun = tail.meaning
    high = attached(a, between) if clause.head_left else []
    of_own = b.role is not None and len(b.nodes.links) == 1 and is_own_role(b.nodes.links[0], b.nodes.label)
    if (b.nodes.bare and b.role is None) or (of_own and replace(b.nodes, links=()).bare):
        features = [*features, ("bare set", 1.0)] if not a.wild else features
    early = clause.head_left and not between.heavy and clause.last == pair.right.last
    leads = grammar.verbs_before(pair.left.first) if early else []
    leads = [lead for lead in leads if not comparing() & set(lead[1])]
    most = inf if leads else grammar.limit(pair.left.first, clause.last) - pair.left.cost - pair.right.cost
    if not a.wild and cost(features) > most:
        return  # Nothing below lowers the cost of another head than a question word.
    for label, path in grammar.paths(a, b, clause.said):
        begun = next((len(link.path) for link in a.nodes.links if _is_open(link, path)), 0)
        placed = a.wild == "where" and any(each.open and each.path == turned(path, label) for each in b.nodes.links)
        filled = fills_role(a, b, path, clause.said) or begun == len(path) or placed
        told = side_told(pair, path, clause.said, does=not clause.subject)
        if clause.last != pair.right.last and not (told or agrees(clause.said, path, grammar)):
            continue
        if grammar.statement and not states_relation(pair, Joined(a, label, path, filled), clause.said, clause.last):
            continue
        own = [*features, *_absent(a, b, label, path, grammar), *([] if begun else high)]
        if a.wild == "who" and not clause.said and not b.nodes.entities and b.nodes.label in grammar.words.persons:
            own.append(("guess", 1.0))
        start = path[begun - 1].target if begun else label
        own += of_side(told)
        if filled or not told:
            rest = path[begun:]
            own += passed_over(between) if filled else agreement(rest, start, clause.said, between, grammar, b.nodes)
        stated = None
        ends = grammar.asks_truth and bool(a.nodes.entities and b.nodes.entities)
        asserted = grammar.statement or (ends and source_is_subject(path[0]) is not None)
        if asserted and not filled and not a.wild and clause.last == pair.right.last:
            stated = as_said(path, between, grammar, head_left=clause.head_left)
            path = stated or path
            own += literally(path, clause.said) if grammar.statement else []
        own += lost_role(a, b, path) if not grammar.statement else []
        if between.says("same") and b.role is not None and path[-1].relation != b.role[0].relation:
            own.append(("role", 1.0))  # "films with the same director as X": by their own director
        alike = stated is None and (len(path) == 1 or tells_roles(path, clause.said)) and not path[0].either
        if alike and grammar.joins.alike(label, b.nodes.label):
            own += direction(path, clause.said, clause.subject, grammar)
        own += wild_kind(a, b, label, path, clause.said, grammar) if a.wild else []
        if cost(own) > most:
            continue
        for nodes in _with_link(a, label, path, b, between, grammar):
            noun = replace(a, nodes=nodes, wild="", asked=a.asked or (between.empty and b.asked))
            yield pair.item(noun, *own, last=clause.last)
            for first, words in leads if not a.wild else ():
                yield pair.item(noun, *features, *high, *agreement(path, label, words, between, grammar), first=first)


def _absent(a: Noun, b: Noun, label: str, path: Path, grammar: Grammar) -> list[Feature]:
    """What it costs that the nodes of a name have no such relation, where it is not the question whether they have."""
    if grammar.statement or a.nodes.entities or not grammar.knows(b.nodes):
        return []
    start = path[-2].target if len(path) > 1 else label
    return [] if grammar.number(b.nodes, path[-1].back(start)) else [("absent", 1.0)]


def _with_link(a: Noun, label: str, path: Path, b: Noun, between: Gap, grammar: Grammar) -> Iterator[Nodes]:
    """The head's nodes with the link; a role's own relation is narrowed, not added once more."""
    nodes, negated = _of_label(a, label, grammar), between.negated
    each = b.members and b.every and not negated
    if each and path == a.role and between.says("do", "does", "did"):
        nodes = without_role(a)  # "Which genres do X and Y have?", but "the genres of X and Y"
    elif a.role is not None and is_same_way(path[: len(a.role)], a.role) and not negated:
        narrowed = tuple(narrowed_role(link, path, b) for link in nodes.links)
        if narrowed != nodes.links:  # Else it is the director of somebody already: "and also of Y" is a second one.
            yield replace(nodes, links=narrowed)
            return
    for denied in b.denied:
        nodes = nodes.linked(Link(path, denied, negated=True))  # "who ordered X but not Y"
    if each:
        for member in b.members:
            nodes = nodes.linked(Link(path, member))
        yield nodes
        return
    if a.members and a.every and between.says("same") and b.nodes.bare and not negated:
        one, *others = a.members
        back = turned(path, label)
        yield one.linked(Link(path, replace(b.nodes, links=tuple(Link(back, other) for other in others))))
        return
    each_own = b.plural and b.nodes.bare  # "Have X and Y won awards?": not the same ones
    if a.members and a.every and not (negated or each_own) and grammar.asks_truth:
        shared = b.nodes  # "Did X and Y direct Z?": both of them
        for member in a.members:
            shared = shared.linked(Link(turned(path, label), member))
        yield shared
        return
    open_link = next((i for i, link in enumerate(nodes.links) if _is_open(link, path)), None)
    if open_link is not None and not negated:
        opened = nodes.links[open_link]
        rest = path[len(opened.path) :]  # "voted no on the Bill": in a division on it
        filled = replace(opened, other=opened.other.linked(Link(rest, b.nodes)) if rest else b.nodes)
        yield replace(nodes, links=(*nodes.links[:open_link], filled, *nodes.links[open_link + 1 :]))
        return
    if negated and a.role is not None and path == a.role:
        nodes = without_role(a)  # "customers" who never bought anything
    other, conditions = _without_open(b.nodes, path, label)
    if b.role is not None and len(path) == 1 and path[0].relation == b.role[0].relation:
        other = without_role(replace(b, nodes=other))
    if between.having and not grammar.joins.is_placing(path[-1]):
        other = _ordered_within(other, path, nodes)
    linked = Link(path, other, negated=between.negated, conditions=conditions)
    counted = count_narrowed(nodes, linked) if _says_who(between, grammar) else None
    yield order_narrowed(nodes, linked).linked(linked) if counted is None else counted


def _says_who(between: Gap, grammar: Grammar) -> bool:
    """Whether what follows tells whose things are counted: "most often *ordered by*", "most ordered *by*"."""
    before = grammar.tokens[max(0, between.first - 1) : between.first]
    often = any(token.text in HOW_OFTEN for token in before) and not between.relative
    said = between.texts or tuple(token.text for token in before)
    return often or (bool(said) and set(said) <= PREPOSITIONS)


def _of_label(a: Noun, label: str, grammar: Grammar) -> Nodes:
    """The head's nodes; those of a question word are of the label that fits."""
    if not a.wild:
        return a.nodes
    return Nodes(label, without=tuple(each for each in a.nodes.without if grammar.joins.alike(label, each.label)))


def _is_open(link: Link, path: Path) -> bool:
    """Whether a link says something of the relationship that a path begins with, but not yet where it leads: "an
    allocation of 80 percent"."""
    begins = link.path == path[: len(link.path)]
    return begins and bool(link.conditions) and link.other.bare and not link.negated


def _without_open(other: Nodes, path: Path, label: str) -> tuple[Nodes, tuple[Predicate, ...]]:
    """The far set without what was said of the relationship that leads to it, and that: "who had [a severe stroke]"."""
    back = turned(path, label)
    for i, link in enumerate(other.links):
        if len(path) == 1 and _is_open(link, back):
            return replace(other, links=(*other.links[:i], *other.links[i + 1 :])), link.conditions
    return other, ()


def _ordered_within(other: Nodes, path: Path, head: Nodes) -> Nodes:
    """ "the state with the largest capital": the largest is looked for among those that any state has."""
    if other.order is None or other.entities:
        return other
    back = turned(path, head.label)
    if any(link.path == back for link in other.links):
        return other
    return other.linked(Link(back, Nodes(head.label)))
