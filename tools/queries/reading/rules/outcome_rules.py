"""Who won: what a verb such as "beat", "lost to" or "drew with" says of the two sides of an event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.schema.contests import OPPOSITE, Contest, outcome_of


def outcomes(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "teams that beat X", "who won the final", "when did X beat Y"."""
    a, b = left.meaning, right.meaning
    if b.wild or b.each or not grammar.words.contests:
        return
    pair = Pair(left, between, right, grammar)
    for i, (last, said) in enumerate(pair.verbs()):
        outcome = outcome_of(said)
        if outcome is None:
            continue
        subject = i == 0  # The left one does what the verb says.
        for contest in grammar.words.contests:
            first = outcome if subject else OPPOSITE[outcome]
            for nodes in _meant(a, b, contest, first, grammar, negated=between.negated):
                yield pair.item(replace(a, nodes=nodes, wild=""), ("bare join", 1.0), last=last)


def _meant(a: Noun, b: Noun, contest: Contest, outcome: str, grammar: Grammar, *, negated: bool) -> Iterator[Nodes]:
    """The sets that are meant, where the first noun has an outcome."""
    if a.wild != "who" and (a.wild or a.nodes.label != contest.target):
        return
    side = Nodes(contest.target) if a.wild else a.nodes
    if b.nodes.label == contest.source:
        yield side.linked(replace(contest.played(b.nodes, outcome), negated=negated))
    elif b.nodes.label == contest.target:
        against = Nodes(contest.source, links=(contest.side(b.nodes),))
        yield side.linked(replace(contest.played(against, outcome), negated=negated))
        if not negated and a.nodes.entities and b.nodes.entities and not (grammar.asks_truth or grammar.statement):
            yield Nodes(contest.source, links=(contest.side(a.nodes, outcome), contest.side(b.nodes)))
