"""The features of a question's candidate queries for the learned ranker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.tools.graph.entity import Candidate, Entity
from clew.tools.learning.teaching.pattern import Pattern, anchors_in_order, pattern_of
from clew.tools.linking.mentions import Linking
from clew.tools.queries.space.query import Query, RankedQuery
from clew.tools.queries.space.words import noun_of

FEATURES = (
    "score", "first", "proposed", "alignment", "answer kind", "asked noun", "unused mentions", "length", "strands",
    "value",
)  # fmt: skip
"""The plain features of an option. `score` is the untaught ranker's score relative to the question's best option."""
CROSSED = ("always", "results", "named")
"""What is learned for every part of a pattern beside the words of the question: how likely it is at all, and how much
the number of its results (log 10, where it is known) and the way in which its entities are named count for it."""
UNRANKED = 0.3
"""A query that the untaught ranker does not offer scores this much less than its last one …"""
OFFERED = 12
"""… or than the one at this rank."""


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate query of a question."""

    pattern: Pattern
    masked: str
    """The question with the entities of this query masked."""
    features: tuple[float, ...]
    """Values of FEATURES."""
    crossed: tuple[float, ...]
    """Values of CROSSED."""

    @property
    def untaught(self) -> float:
        return self.features[0]


def options_of(
    question: str, linking: Linking, ranked: Sequence[RankedQuery], proposed: Sequence[Query] = ()
) -> list[Option]:
    """The options of a question: the untaught ranker's queries, best first, then proposed ones."""
    links = _links(linking)
    best = ranked[0].score if ranked else 0.0
    last = ranked[:OFFERED][-1].score if ranked else 0.0
    found = []
    for place, item in enumerate(ranked):
        reasons = [_number(item.reasons.get(name)) for name in FEATURES[3:7]]
        start = [item.score - best, float(place == 0), 0.0, *reasons]
        found.append(_option(question, linking, links, item.query, start))
    for query in proposed:
        unused = sum(1 for m in linking.mentions if not _names(m.candidates, query))
        start = [last - best - UNRANKED, 0.0, 1.0, 0.0, 0.0, 0.0, float(unused)]
        found.append(_option(question, linking, links, query, start))
    return found


def rival(known: Sequence[Option], like: Option, pattern: Pattern) -> Option:
    """The option that `pattern` makes from the entity that `like` starts from, had it been proposed."""
    last = min((option.untaught for option in known if not option.features[2]), default=0.0)
    unused = like.features[FEATURES.index("unused mentions")]
    value = float(pattern.returns != "nodes")
    features = (last - UNRANKED, 0.0, 1.0, 0.0, 0.0, 0.0, unused, float(pattern.length), 1.0, value)
    return Option(pattern, like.masked, features, like.crossed)


def _option(question: str, linking: Linking, links: dict[str, float], query: Query, start: Sequence[float]) -> Option:
    pattern, anchors = pattern_of(query), anchors_in_order(query)
    features = (*start, float(pattern.length), float(len(pattern.strands)), float(pattern.returns != "nodes"))
    named = min((links.get(anchor.id, 0.0) for anchor in anchors), default=0.0)
    return Option(pattern, masked(question, anchors, linking), features, (1.0, 0.0, named))


def _links(linking: Linking) -> dict[str, float]:
    """By entity, its link score in the question."""
    found: dict[str, float] = {}
    for mention in (*linking.alternatives, *linking.mentions):
        for candidate in mention.candidates:
            found[candidate.entity.id] = max(candidate.score, found.get(candidate.entity.id, 0.0))
    return found


def _names(candidates: Sequence[Candidate], query: Query) -> bool:
    ids = {anchor.id for anchor in query.anchors}
    return any(candidate.entity.id in ids for candidate in candidates)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def masked(question: str, anchors: Sequence[Entity], linking: Linking) -> str:
    """The question with every anchor that it names replaced by the noun of its label."""
    spans = []
    for anchor in anchors:
        for mention in (*linking.mentions, *linking.alternatives):
            if any(candidate.entity.id == anchor.id for candidate in mention.candidates):
                spans.append((mention.start, mention.end, noun_of(anchor.label)))
                break
    return replaced(question, spans)


def replaced(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """`text` with these spans replaced; of overlapping spans, the first counts."""
    out, done = [], 0
    for start, end, noun in sorted(spans):
        if start >= done:
            out += [text[done:start], noun]
            done = end
    return "".join([*out, text[done:]])
