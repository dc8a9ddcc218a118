"""What events with two sides tell of either, as properties of the relationships: the goals of a team, and who won."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.reading.forms.wider_labels import Place
from clew.tools.queries.relation_names import JOINED, apart, first_side, relation_words
from clew.tools.queries.sided import DRAW, LOSS, SAID, WIN, Sided, Sides, Told
from clew.tools.queries.values import NUMBERS

RESULT = "result"
_DECIDING = frozenset({"goals", "goal", "score", "scores", "points", "pts", "sets", "runs", "games", "frames", "legs"})
"""What the side that has more of it wins by."""
_LETTERS = {"g": "goals", "s": "score", "p": "points"}
_SCORE = re.compile(r"\s*\d+(?:[./]\d+)?\s*[-\u2013:]\s*\d+(?:[./]\d+)?\s*")


def sided_properties(relation: str, source: str, schema: Schema) -> list[Property]:
    """The properties of a relation to two sides that the nodes it starts from tell.

    Args:
        relation: Two relationship types, joined.
        source: The label of those nodes.
        schema: Their properties.
    """
    own = [each for each in schema.properties if each.label == source]
    if relation.count(JOINED) > 1:
        return []
    first, second = sorted(relation.split(JOINED), key=lambda each: each != first_side(*relation.split(JOINED)))
    found: dict[str, Property] = {}
    for name, sides, owned in (*_pairs(first, second, own), *_scores(first, own)):
        decides = name.split()[-1] in _DECIDING
        told: list[tuple[str, Told, str]] = [(name, "own", owned.type)]
        told += [(f"{name} conceded", "other", owned.type), (RESULT, "outcome", "STRING")] if decides else []
        for called, way, kind in told:
            examples = (WIN, LOSS, DRAW) if way == "outcome" else owned.examples
            one = Property(relation, Sided(called, sides, way), kind, 2 * owned.count, examples)
            found.setdefault(called, one)
    return list(found.values())


def _pairs(first: str, second: str, own: list[Property]) -> Iterator[tuple[str, Sides, Property]]:
    """Two properties that differ as the types do: `home_goals` and `away_goals`."""
    _, one, other, _ = apart(relation_words(first), relation_words(second))
    if not (one and other):
        return
    initials = (one[0][0], other[0][0])
    for left, right in permutations([each for each in own if each.type in NUMBERS], 2):
        names = identifier_words(left.name), identifier_words(right.name)
        before, *differing, behind = apart(*names)
        if differing in ([one, other], [(initials[0],), (initials[1],)]):
            name = [word for word in (*before, *behind) if word not in ("p", "player", "team", "side")]
            yield " ".join(name) or "score", Sides(first, left.name, right.name), left
        elif len(names[0]) == len(names[1]) == 1 and (called := _by_letter(names[0][0], names[1][0], initials)):
            yield called, Sides(first, left.name, right.name), left


def _by_letter(one: str, other: str, initials: tuple[str, str]) -> str:
    """What `hg` and `ag`, or `fthg` and `ftag`, are for a home and an away team; "" if they are nothing."""
    if len(one) != len(other):
        return ""
    differing = [i for i in range(len(one)) if one[i] != other[i]]
    told = len(differing) == 1 and (one[differing[0]], other[differing[0]]) == initials
    return _LETTERS.get(one[-1], "") if told and differing[0] == len(one) - 2 else ""


def _scores(first: str, own: list[Property]) -> Iterator[tuple[str, Sides, Property]]:
    """A text with the scores of both: "3-1"."""
    for each in own:
        texts = [str(example) for example in each.examples]
        if each.type == "STRING" and texts and all(map(_SCORE.fullmatch, texts)):
            score = Property(each.label, each.name, "FLOAT", each.count, (0.0, 1.0))
            yield "score", Sides(first, each.name, each.name), score


def outcomes(text: str, schema: Schema) -> dict[Place, list[str]]:
    """The results that a word says, as values of properties."""
    if text not in SAID:
        return {}
    told = ((each.label, each.name) for each in schema.relation_properties if isinstance(each.name, Sided))
    return {(relation, name, True): [SAID[text]] for relation, name in told if name.told == "outcome"}
