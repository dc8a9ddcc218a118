"""The ranked queries of a strategy's input, and their variants for the members of a group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest

from clew.graphs.context import Context
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.names import CANDIDATES
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.linking.mentions import Linking
from clew.tools.queries.space.query import Query, RankedQuery

_UNMENTIONED = 0.8
"""Link score of an entity without a mention."""


def ranked_queries(state: StrategyInput, context: Context) -> list[RankedQuery]:
    """The ranked queries, best first.

    Of a group of entities ("they"), only the first takes part; `for_members` substitutes the others. Entities that a
    model proposed without words of the question are left out, and a reading that adds only those is not ranked again.
    """
    located = [mention for mention in state["mentions"] if mention.start < mention.end]
    if state["iteration"] > 1 and not {c.entity.id for m in located for c in m.candidates} & set(state["fresh"]):
        return []
    leading = tuple(replace(m, candidates=m.candidates[:1]) if m.group else m for m in located)
    question, linking = state["question"], Linking(leading, tuple(state["alternatives"]))
    return context.run.ranking.get((question, linking), lambda: context.tools.ranker.rank(question, linking))


def for_members(query: Query, state: StrategyInput) -> Iterator[Query]:
    """`query`, and its variants for the other members of the group that it starts from."""
    yield query
    anchors = {entity.id for entity in anchors_of(query)}
    for mention in state["mentions"]:
        members = [candidate.entity for candidate in mention.candidates]
        if mention.group and members[0].id in anchors:
            for member in members[1:]:
                chains = tuple(replace(c, anchor=member) if c.anchor == members[0] else c for c in query.chains)
                yield replace(query, chains=chains)


def link_scores(entities: Iterable[Entity], state: StrategyInput) -> list[float]:
    """The link score of each entity, 0 to 1. A mention has a few candidates; further nodes of their names are linked as
    well."""
    every = [mention.candidates for mention in state["mentions"]]
    scores = {candidate.entity.id: candidate.score for candidates in every for candidate in candidates}
    cut = [candidate for candidates in every if len(candidates) >= CANDIDATES for candidate in candidates]
    named = {(candidate.entity.name, candidate.entity.label): candidate.score for candidate in cut}
    return [scores.get(e.id, named.get((e.name, e.label), _UNMENTIONED)) for e in entities]


def namesakes(query: Query, state: StrategyInput) -> int:
    """How many entities the question may mean by a name of which the query takes one: those of one name and label,
    linked equally well."""
    anchors = {entity.id for entity in anchors_of(query)}
    most = 1
    for mention in state["mentions"]:
        if mention.group:
            continue
        for taken in (candidate for candidate in mention.candidates if candidate.entity.id in anchors):
            alike = [c.entity for c in mention.candidates if _alike(c) == _alike(taken)]
            most = max(most, len({entity.id for entity in alike} - anchors) + 1)
    return most


def _alike(candidate: Candidate) -> tuple[str, str, float]:
    return candidate.entity.name, candidate.entity.label, candidate.score


def first_candidates(mentions: Iterable[Mention]) -> list[Entity]:
    """The distinct candidates of the mentions: the first candidate of every mention before any second one."""
    columns = zip_longest(*(mention.candidates for mention in mentions))
    return list(dict.fromkeys(each.entity for column in columns for each in column if each is not None))


def anchors_of(query: Query) -> list[Entity]:
    return [chain.anchor for chain in query.chains if isinstance(chain.anchor, Entity)]
