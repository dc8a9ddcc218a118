"""What the words of a claim say: the paths of the schema between two entities, or from one, that explain them best.

A question's ranker only looks at paths that an entity has, since a question has an answer. A claim may be wrong, so
here every path that the schema allows between the two labels competes, and the graph is not asked. Which path the words
mean is thus settled before it is known whether the claim is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tools.identifiers import bare_words
from tools.linking.entity import Entity
from tools.query_space.moves import Moves
from tools.query_space.query import Hop
from tools.query_space.words import form_of
from tools.ranking.lexicon import stem
from tools.ranking.path_scores import PathScorer, ScoredPath
from tools.ranking.reading import AUXILIARIES, DETERMINERS, FUNCTION_WORDS, SAMENESS, Reading, Token, tokens

LONGEST = 3
_UNREACHED = 0.25
"""How far below the worst path a path is taken to be that only one of two readings has."""
_FRAME = 0.2
"""For a relation that points the way in which the sentence puts the two, where its own name is said; against the other."""
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "became", "becomes"})
_OF = frozenset({"of", "to", "for"})
_NOT_SAID = frozenset({
    "true", "actually", "really", "indeed", "also", "ever", "once", "there", "someone", "somebody", "something",
    "people", "everyone", "anyone", "well", "least", "most", "more", "fewer", "less", "exactly", "same", "who",
})  # fmt: skip
Subject = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class SaidPath:
    """A path that the words may mean, from the first entity of a claim; how well it explains them."""

    hops: tuple[Hop, ...]
    score: float
    property_name: str | None = None
    """Of the node where the hops end."""

    @property
    def key(self) -> tuple[object, ...]:
        return (*((hop.relation, hop.forward) for hop in self.hops), self.property_name)


@dataclass(frozen=True, slots=True)
class Place:
    """`text[start:end]` stands for an entity, or for a value of a property."""

    start: int
    end: int


class ClaimReader:
    """Reads claims for one schema; thread-safe."""

    def __init__(self, moves: Moves, scorer: PathScorer) -> None:
        self._moves = moves
        self._scorer = scorer

    def between(self, text: str, first: Place, source: Entity, second: Place, target: Entity) -> list[SaidPath]:
        """The paths from `source` to the label of `target`, best first: each by how well it explains the words read
        outward from the one and, backwards, from the other."""
        ahead = self._paths(text, first, second, source.label)
        back = self._paths(text, second, first, target.label)
        there = self._ending(ahead, target.label)
        here = {_reversed(key): score for key, score in self._ending(back, source.label).items()}
        least = min([*there.values(), *here.values()], default=0.0) - _UNREACHED
        subject = _subject(text, first, second)
        found = []
        for key in dict.fromkeys([*there, *here]):
            score = (there.get(key, least) + here.get(key, least)) / 2
            hops = self._hops(key, target.label)
            found.append(SaidPath(hops, score + _FRAME * self._agrees(text, hops, subject)))
        return sorted(found, key=lambda path: (-path.score, len(path.hops), str(path.key)))

    def beyond(self, text: str, first: Place, source: Entity) -> list[SaidPath]:
        """The paths from `source` to anything, or to a property, best first."""
        subject = _owner(text, first)
        found: dict[object, SaidPath] = {}
        for path in self._paths(text, first, None, source.label):
            said = self._said(path)
            said = replace(said, score=said.score + _FRAME * self._agrees(text, said.hops, subject))
            if said.key not in found or found[said.key].score < said.score:
                found[said.key] = said
        return sorted(found.values(), key=lambda path: (-path.score, len(path.hops), str(path.key)))

    def valued(self, text: str, first: Place, source: Entity, value: Place) -> list[SaidPath]:
        """The paths from `source` that end in a property, best first."""
        paths = [self._said(path) for path in self._paths(text, first, value, source.label)]
        return [path for path in paths if path.property_name is not None]

    def _paths(self, text: str, start: Place, masked: Place | None, label: str) -> list[ScoredPath]:
        reading = read(text, start, masked)
        return self._scorer.score(reading, label, self._moves.starting_at(label), LONGEST)

    def _ending(self, paths: Sequence[ScoredPath], label: str) -> dict[tuple[tuple[str, bool], ...], float]:
        """By relations and directions, the best score of the paths that can end at a label."""
        moves, column = self._moves, self._moves.label_ids.get(label)
        found: dict[tuple[tuple[str, bool], ...], float] = {}
        for path in paths:
            last = path.steps[-1]
            if column is None or last >= len(moves.hops) or not moves.targets[last, column]:
                continue
            key = tuple((moves.hops[step].relation, moves.hops[step].forward) for step in path.steps)
            found[key] = max(path.score, found.get(key, path.score))
        return found

    def _said(self, path: ScoredPath) -> SaidPath:
        moves = self._moves
        hops = tuple(moves.hops[step] for step in path.steps if step < len(moves.hops))
        last = path.steps[-1] - len(moves.hops)
        return SaidPath(hops, path.score, moves.properties[last].name if last >= 0 else None)

    def _hops(self, key: Sequence[tuple[str, bool]], label: str) -> tuple[Hop, ...]:
        """The hops without the labels that some variants of them ask for; the last one leads to `label`."""
        hops = [self._open(relation, forward) for relation, forward in key]
        return (*hops[:-1], replace(hops[-1], target=label))

    def _open(self, relation: str, forward: bool) -> Hop:
        return next(h for h in self._moves.hops if (h.relation, h.forward, h.typed) == (relation, forward, False))

    def _agrees(self, text: str, hops: Sequence[Hop], subject: Subject | None) -> float:
        """1 where a single hop points the way in which the sentence puts its ends, -1 where it points the other."""
        if subject is None or len(hops) != 1:
            return 0.0
        leads = _leads(hops[0].relation)
        said = {stem(token.text) for token in tokens(text)}
        if leads is None or not _stems(hops[0].relation) <= said:
            return 0.0
        head_first = hops[0].forward
        return 1.0 if (leads == "head") == (head_first == (subject == "first")) else -1.0


def read(text: str, start: Place, masked: Place | None) -> Reading:
    """The claim seen from one of its entities; what stands at `masked` is not a word of it."""
    spans = [(start.start, start.end), *([(masked.start, masked.end)] if masked else [])]
    words = [token for token in tokens(text) if not any(token.start < to and token.end > since for since, to in spans)]
    left = [token for token in words if token.end <= start.start]
    right = [token for token in words if token.start >= start.end]
    return Reading(
        tuple(token.text for token in left if _spoken(token)),
        tuple(token.text for token in right if _spoken(token)),
        bool(left) and _spoken(left[-1]),
        None,
        None,
        False,
        any(token.text in SAMENESS - {"also"} or token.text.startswith("co-") for token in words),
        _role(text, start, masked),
    )


def _spoken(token: Token) -> bool:
    return token.content and token.text not in _NOT_SAID and not token.text.isdigit()


def _role(text: str, start: Place, masked: Place | None) -> Literal["subject", "object"] | None:
    """The entity's part in a sentence with one active or passive verb."""
    if masked is None:
        return None
    first, second = sorted((start, masked), key=lambda place: place.start)
    between = [token.text for token in tokens(text[first.end : second.start])]
    content = [word for word in between if word not in FUNCTION_WORDS]
    if len(content) != 1:
        return None
    passive = between[-1:] == ["by"]
    if not passive and any(word in _BE for word in between):
        return None
    return "subject" if (start is first) != passive else "object"


def _subject(text: str, first: Place, second: Place) -> Subject | None:
    """Which of two entities is the one that "is W of" or "does W to" the other; None where the sentence is not plain."""
    early, late = sorted((first, second), key=lambda place: place.start)
    before = [token.text for token in tokens(text[: early.start])]
    between = [token.text for token in tokens(text[early.end : late.start])]
    after = [token.text for token in tokens(text[late.end :])]
    found: Place | None
    if between[-1:] == ["by"]:
        found = late
    elif before[-1:] and before[-1] in _OF and any(word in _BE for word in between):
        found = late  # "the W of A is B"
    elif between[:1] in (["'s"], ["\u2019s"]) and any(word in _BE for word in between):
        found = late  # "A's W is B"
    elif between[:1] in (["has"], ["had"]) and between[-1:] == ["as"]:
        found = late  # "A has B as W"
    elif any(word in _BE for word in between[:2]) and (between[-1] in _OF or after):
        found = early  # "A is the W of B", "A is B's W"
    elif any(word not in FUNCTION_WORDS for word in between):
        found = early  # "A Ws B"
    else:
        return None
    return "first" if found is first else "second"


def _owner(text: str, place: Place) -> Subject | None:
    """In "A has a W" what is sought is the W of A, in "A is a W" A is the W of something."""
    after = [token.text for token in tokens(text[place.end :])]
    before = [token.text for token in tokens(text[: place.start])]
    if after[:1] in (["has"], ["had"], ["have"], ["'s"]) or (before and before[-1] in _OF):
        return "second"
    if before and before[-1] == "by":
        return "first"
    return "first" if after and after[0] in _BE and after[1:2] and after[1] in DETERMINERS else None


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
