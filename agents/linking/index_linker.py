"""KG-Linker without a model: the parts of a question that name something, and what else they might name.

Source: ByoKG-RAG sections 3.1 and 3.6. There a language model writes artifacts for the graph tools to link, and FINISH
when it has nothing new. Here the entity index reads the question, and a further call takes the readings that it ranked
lower.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clew.agents.linking.clarifying import TIE
from clew.tools.graph.entity import Candidate, Mention

if TYPE_CHECKING:
    from clew.tools.linking.index import EntityIndex

_WORD = re.compile(r"\w+(?:['\u2019]\w+)?")
CANDIDATES = 3
"""Maximum number of entities per mention and matcher (m in ByoKG-RAG section 3.2)."""
MOST_NAMESAKES = 10
"""Maximum number of entities that a part of a name fits equally well."""
_LEAST_SCORE = 0.8
"""Least score of a candidate of a lower reading; below it the words are unlikely to be that name."""


@dataclass(frozen=True, slots=True)
class Artifacts:
    """What the linker gives to the graph tools."""

    mentions: tuple[Mention, ...]
    """The chosen reading: spans that do not overlap. Mentions without candidates are still to be looked up."""
    alternatives: tuple[Mention, ...]
    """The other readings, best first."""
    finished: bool = False
    """Whether everything that can be linked has been tried."""


def read(question: str, index: EntityIndex, given: Sequence[Mention] = ()) -> Artifacts:
    """The likeliest reading of `question`. Spans in `given` are already known and exclude any other reading."""
    from clew.tools.linking.mentions import find_mentions

    found = find_mentions(question, index, MOST_NAMESAKES)
    chosen, others = (tuple(map(_likeliest, mentions)) for mentions in (found.mentions, found.alternatives))
    mentions = sorted([*given, *_apart_from(given, chosen)], key=lambda m: m.start)
    return Artifacts(tuple(mentions), tuple(_apart_from(given, others)))


def _likeliest(mention: Mention) -> Mention:
    """The mention with the candidates that are worth trying."""
    return replace(mention, candidates=likeliest(mention.candidates, CANDIDATES))


def likeliest(candidates: Sequence[Candidate], most: int) -> tuple[Candidate, ...]:
    """The first `most` candidates, and all others that fit as well as the first by a part of their name: everybody with
    a surname.

    Args:
        candidates: Best first.
        most: The number of candidates to keep of those that fit differently.
    """
    if not candidates or candidates[0].matcher != "partial":
        return tuple(candidates[:most])
    return tuple(c for i, c in enumerate(candidates) if i < most or c.score >= candidates[0].score - TIE)


def read_again(question: str, before: Artifacts, tried: Collection[str]) -> Artifacts:
    """The next reading, given the ids of the entities tried so far: lower readings with other entities, else the runs
    of words that no mention covers, to be looked up by meaning."""
    fresh = [m for m in (_untried(m, tried) for m in before.alternatives) if m is not None]
    chosen: list[Mention] = []
    for mention in fresh:
        chosen += _apart_from(chosen, [mention])
    if not chosen:
        chosen = _apart_from(before.mentions, _runs(question))
    kept = _apart_from(chosen, before.mentions)
    mentions = tuple(sorted([*kept, *chosen], key=lambda m: m.start))
    return Artifacts(mentions, tuple(m for m in fresh if m not in chosen), finished=not chosen)


def _untried(mention: Mention, tried: Collection[str]) -> Mention | None:
    candidates = tuple(c for c in mention.candidates if c.entity.id not in tried and c.score >= _LEAST_SCORE)
    return replace(mention, candidates=candidates) if candidates else None


def _apart_from(taken: Iterable[Mention], mentions: Iterable[Mention]) -> list[Mention]:
    """The `mentions` that share no character with any of `taken`."""
    spans = [(m.start, m.end) for m in taken]
    return [m for m in mentions if all(m.end <= start or end <= m.start for start, end in spans)]


def _runs(question: str) -> list[Mention]:
    """Runs of content words as mentions without candidates, longest first."""
    from clew.tools.linking.ordinary import word_class

    runs: list[tuple[int, int]] = []
    for match in _WORD.finditer(question):
        word = match.group().casefold()
        if word_class(word) == "function":
            continue
        if runs and not question[runs[-1][1] : match.start()].strip():
            runs[-1] = (runs[-1][0], match.end())
        else:
            runs.append(match.span())
    runs.sort(key=lambda run: run[0] - run[1])
    return [Mention(start, end, question[start:end], ()) for start, end in runs]
