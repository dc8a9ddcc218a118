"""What the words of a claim say: the paths of the schema between two entities, or from one, that explain them best.

A question's ranker only looks at paths that an entity has, since a question has an answer. A claim may be wrong, so
here every path that the schema allows between the two labels competes, and the graph is not asked. Which path the words
mean is thus settled before it is known whether the claim is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.lexical import FUNCTION_WORDS, stem, tokens
from clew.tools.queries.ranking.path_scores import PathScorer, ScoredPath
from clew.tools.queries.ranking.reading import AUXILIARIES, BE, DETERMINERS, TextSpan, read_claim
from clew.tools.queries.ranking.similarity import SchemaPhrases
from clew.tools.queries.space.moves import Moves
from clew.tools.queries.space.query import Hop
from clew.tools.queries.space.words import form_of

LONGEST = 3
_UNREACHED = 0.25
"""How far below the worst path a path is taken to be that only one of two readings has."""
_FRAME = 0.2
"""For a relation that points the way in which the sentence puts the two, and against the other."""
_LIKE = 0.75
"""Taken off the cosine of a noun and what the end of a relation is called, to compare with scores of paths."""
_USUAL = 0.01
"""Share of a relation's ends that a label must have; rarer ones are noise of the data."""
_TELLING = 0.2
"""Difference of two cosines that distinguishes the two ends of a relation."""
_FURTHER = 0.1
"""Against every further hop where a claim has one entity only."""
_OF = frozenset({"of", "to", "for"})
Subject = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class ClaimPath:
    """A path that the words may mean, from the first entity of a claim; how well it explains them."""

    hops: tuple[Hop, ...]
    score: float
    property_name: str | None = None
    """Of the node where the hops end."""

    @property
    def key(self) -> tuple[object, ...]:
        return (*((hop.relation, hop.forward) for hop in self.hops), self.property_name)


class ClaimReader:
    """Reads claims for one schema; thread-safe."""

    def __init__(self, moves: Moves, scorer: PathScorer, phrases: SchemaPhrases) -> None:
        self._moves = moves
        self._scorer = scorer
        self._phrases = phrases

    def between(self, text: str, first: TextSpan, source: Entity, second: TextSpan, target: Entity) -> list[ClaimPath]:
        """The paths from `source` to the label of `target`, best first: each by how well it explains the words read
        outward from the one and, backwards, from the other."""
        ahead = self._paths(text, first, second, source.label)
        back = self._paths(text, second, first, target.label)
        there = self._ending(ahead, target.label)
        here = {_reversed(key): score for key, score in self._ending(back, source.label).items()}
        least = min([*there.values(), *here.values()], default=0.0) - _UNREACHED
        ways = _Ways(self, text, first, second)
        found = []
        for key in (keys := dict.fromkeys([*there, *here])):
            score = (there.get(key, least) + here.get(key, least)) / 2
            if len(key) == 1 and _reversed(key) in keys:
                score += _FRAME * ways.agrees(*key[0])
            found.append(ClaimPath(self._hops(key, target.label), score))
        return sorted(found, key=lambda path: (-path.score, len(path.hops), str(path.key)))

    def wordless(self, source: Entity, target: Entity) -> list[ClaimPath]:
        """The single hops between two labels, where no word says which is meant: each by the smaller share that either
        label has of its ends."""
        moves, column = self._moves, self._moves.label_ids.get(target.label)
        found = []
        for step in self._starting_at(source.label):
            if column is not None and step < len(moves.hops) and not moves.hops[step].typed:
                share = min(float(moves.targets[step, column]), self._share(step, source.label))
                if share >= _USUAL:
                    found.append(ClaimPath((replace(moves.hops[step], target=target.label),), share))
        return sorted(found, key=lambda path: (-path.score, str(path.key)))

    def beyond(self, text: str, first: TextSpan, source: Entity) -> list[ClaimPath]:
        """The paths from `source` to anything, or to a property, best first."""
        if (noun := _is_a(text, first)) is not None:
            return self._being(noun, source.label)
        ways = _Ways(self, text, first, None)
        found: dict[object, ClaimPath] = {}
        for path in self._paths(text, first, None, source.label):
            said = self._said(path)
            score = said.score - _FURTHER * (len(path.steps) - 1)
            if len(said.hops) == 1 and said.hops[0].target == source.label:
                score += _FRAME * ways.agrees(said.hops[0].relation, said.hops[0].forward)
            said = replace(said, score=score)
            if said.key not in found or found[said.key].score < said.score:
                found[said.key] = said
        return sorted(found.values(), key=lambda path: (-path.score, len(path.hops), str(path.key)))

    def _being(self, noun: str, label: str) -> list[ClaimPath]:
        """ "X is a director": the single hops whose near end is called so."""
        hops = [self._moves.hops[step] for step in self._starting_at(label) if step < len(self._moves.hops)]
        found = [
            ClaimPath((hop,), self.likeness(noun, hop.relation, not hop.forward) - _LIKE)
            for hop in hops
            if not hop.typed
        ]
        return sorted(found, key=lambda path: (-path.score, str(path.key)))

    def _paths(self, text: str, start: TextSpan, masked: TextSpan | None, label: str) -> list[ScoredPath]:
        reading = read_claim(text, start, masked)
        return self._scorer.score(reading, label, self._starting_at(label), LONGEST)

    def _starting_at(self, label: str) -> list[int]:
        """The steps that nodes of the label have other than by mistakes of the data."""
        hops = len(self._moves.hops)
        return [step for step in self._moves.starting_at(label) if step >= hops or self._share(step, label) >= _USUAL]

    def _share(self, step: int, source: str) -> float:
        """The share of a hop's relationships that starts from a label."""
        hop, column = self._moves.hops[step], self._moves.label_ids[source]
        back = next(
            i for i, h in enumerate(self._moves.hops) if (h.relation, h.forward) == (hop.relation, not hop.forward)
        )
        return float(self._moves.targets[back, column])

    def _ending(self, paths: Sequence[ScoredPath], label: str) -> dict[tuple[tuple[str, bool], ...], float]:
        """By relations and directions, the best score of the paths that can end at a label."""
        moves, column = self._moves, self._moves.label_ids.get(label)
        found: dict[tuple[tuple[str, bool], ...], float] = {}
        for path in paths:
            last = path.steps[-1]
            if column is None or last >= len(moves.hops) or moves.targets[last, column] < _USUAL:
                continue
            key = tuple((moves.hops[step].relation, moves.hops[step].forward) for step in path.steps)
            found[key] = max(path.score, found.get(key, path.score))
        return found

    def _said(self, path: ScoredPath) -> ClaimPath:
        moves = self._moves
        hops = tuple(moves.hops[step] for step in path.steps if step < len(moves.hops))
        last = path.steps[-1] - len(moves.hops)
        return ClaimPath(hops, path.score, moves.properties[last].name if last >= 0 else None)

    def _hops(self, key: Sequence[tuple[str, bool]], label: str) -> tuple[Hop, ...]:
        """The hops without the labels that some variants of them ask for; the last one leads to `label`."""
        hops = [self._open(relation, forward) for relation, forward in key]
        return (*hops[:-1], replace(hops[-1], target=label))

    def _open(self, relation: str, forward: bool) -> Hop:
        return next(h for h in self._moves.hops if (h.relation, h.forward, h.typed) == (relation, forward, False))

    def likeness(self, text: str, relation: str, forward: bool) -> float:
        """Cosine of a text and what is said for the end that a hop leads to."""
        cosines = self._phrases.compare([text]).steps[0]
        return max(
            float(cosine)
            for hop, cosine in zip(self._moves.hops, cosines, strict=False)
            if (hop.relation, hop.forward) == (relation, forward)
        )


class _Ways:
    """Which way a relation goes that could go either way between two things of one kind."""

    def __init__(self, reader: ClaimReader, text: str, first: TextSpan, second: TextSpan | None) -> None:
        self._reader = reader
        self._subject = _owner(text, first) if second is None else _subject(text, first, second)
        seen = read_claim(text, first, second)
        self._words = " ".join((*seen.left, *seen.right))
        self._said = {stem(word) for word in self._words.split()}

    def agrees(self, relation: str, forward: bool) -> float:
        """1 where a hop from the first thing points the way in which the sentence puts the two, -1 where it points the
        other, 0 where neither its own name nor what is said for its ends decides."""
        if self._subject is None or not self._words:
            return 0.0
        leads = _leads(relation)
        if leads is not None and _stems(relation) <= self._said:
            return 1.0 if (leads == "head") == (forward == (self._subject == "first")) else -1.0
        to_subject = forward == (self._subject == "second")
        like = self._reader.likeness(self._words, relation, to_subject)
        unlike = self._reader.likeness(self._words, relation, not to_subject)
        # The hop as it is taken leads to the subject or from it; it fits if that end is what the words name.
        return max(-1.0, min(1.0, (like - unlike) / _TELLING))


def _subject(text: str, first: TextSpan, second: TextSpan) -> Subject | None:
    """Which of two things "is W of" or "does W to" the other; None where the sentence is not plain."""
    early, late = sorted((first, second), key=lambda place: place.start)
    before = [token.text for token in tokens(text[: early.start])]
    between = [token.text for token in tokens(text[early.end : late.start])]
    after = [token.text for token in tokens(text[late.end :])]
    found: TextSpan | None
    if between[-1:] == ["by"]:
        found = late
    elif before[-1:] and before[-1] in _OF and any(word in BE for word in between):
        found = late  # "the W of A is B"
    elif between[:1] in (["'s"], ["\u2019s"]) and any(word in BE for word in between):
        found = late  # "A's W is B"
    elif between[:1] in (["has"], ["had"]) and between[-1:] == ["as"]:
        found = late  # "A has B as W"
    elif any(word in BE for word in between[:2]) and (between[-1] in _OF or after):
        found = early  # "A is the W of B", "A is B's W"
    elif any(word not in FUNCTION_WORDS for word in between):
        found = early  # "A Ws B"
    else:
        return None
    return "first" if found is first else "second"


def _owner(text: str, place: TextSpan) -> Subject | None:
    """In "A has a W" what is sought is the W of A, in "A is a W" A is the W of something."""
    after = [token.text for token in tokens(text[place.end :])]
    before = [token.text for token in tokens(text[: place.start])]
    if after[:1] in (["has"], ["had"], ["have"], ["'s"]) or (before and before[-1] in _OF):
        return "second"
    if before and before[-1] == "by":
        return "first"
    return "first" if after and after[0] in BE and after[1:2] and after[1] in DETERMINERS else None


def _is_a(text: str, place: TextSpan) -> str | None:
    """W, where the text is "X is a W" and no more."""
    found = tokens(text)
    after = [token.text for token in found if token.start >= place.end]
    if any(token.end <= place.start and token.content for token in found) or len(after) < 3:
        return None
    plain = after[0] in BE and after[1] in DETERMINERS and not any(word in FUNCTION_WORDS for word in after[2:])
    return " ".join(after[2:]) if plain else None


def _leads(relation: str) -> Literal["head", "tail"] | None:
    """Which end of a relation is the subject in its own words: `SEQUEL_OF` and `HUNTS` the head, `DIRECTOR` and
    `DRIVEN_BY` the tail."""
    form, words = form_of(relation), bare_words(relation)
    if form == "noun":
        return "tail"
    if form == "passive" and words[-1] == "by":
        return "tail"
    return None if form == "verb and object" else "head"


def _stems(relation: str) -> frozenset[str]:
    return frozenset(stem(word) for word in bare_words(relation) if word not in FUNCTION_WORDS | AUXILIARIES)


def _reversed(key: Sequence[tuple[str, bool]]) -> tuple[tuple[str, bool], ...]:
    return tuple((relation, not forward) for relation, forward in reversed(key))
