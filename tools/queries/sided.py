"""Properties of the two sides of one event: the goals of the home team and of the away team of a match, and who won.

A node with two relations to the same kind of node often has a property for each of the two: `home_goals` and
`away_goals` beside HAS_HOME_TEAM and HAS_AWAY_TEAM. Seen from the relationship to one side they are one property, its
goals; the other one is what it conceded, and the greater one won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from clew.tools.cypher.quoting import quoted, quoted_text
from clew.tools.queries.calculated import Expressed

Told = Literal["own", "other", "outcome"]
WIN, LOSS, DRAW = "win", "loss", "draw"
"""The outcomes of a side."""
OPPOSITE = {WIN: LOSS, LOSS: WIN, DRAW: DRAW}
"""The outcome of the other side."""
SAID = {
    **dict.fromkeys(("win", "wins", "won", "winning", "winner", "winners", "victory", "victories", "victorious"), WIN),
    **dict.fromkeys(
        ("lose", "loses", "lost", "losing", "loss", "losses", "loser", "losers", "defeat", "defeats"), LOSS
    ),
    **dict.fromkeys(("draw", "draws", "drew", "drawn", "tie", "ties", "tied", "stalemate", "stalemates"), DRAW),
}
"""What people say for an outcome …"""
NOUNS = frozenset({
    "win", "wins", "winner", "winners", "victory", "victories", "loss", "losses", "loser", "losers", "defeat",
    "defeats", "draws", "ties", "stalemate", "stalemates",
})  # fmt: skip
"""… those of these words that are nouns, …"""
COUNTED = frozenset({"wins", "victories", "losses", "defeats", "draws", "ties"})
"""… those that are counted, …"""
VERBS = {
    WIN: "beat beats beaten defeat defeats defeated thrash thrashed overcame outplayed win wins won winning",
    LOSS: "lose loses lost losing",
    DRAW: "draw draws drew drawn tie ties tied",
}
"""… and the verbs that give it to their subject."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Two relationship types from one node, and what the node says of each of their ends."""

    first_type: str
    first: str
    second: str
    """The property for the second relationship type; or the same one, whose text has both: "3-1"."""


class Sided(Expressed):
    """The name of a property of a relationship to one of two sides: "goals"."""

    __slots__ = ("sides", "told")
    sides: Sides
    told: Told

    def __new__(cls, name: str, sides: Sides, told: Told = "own") -> Self:
        made = super().__new__(cls, name)
        made.sides, made.told = sides, told
        return made

    def __getnewargs__(self) -> tuple[str, Sides, Told]:  # type: ignore[override]
        return str(self), self.sides, self.told

    def cypher(self, owner: str) -> str:
        """The property of the relationship in a variable, as a Cypher expression."""
        first, second = self._values(f"startNode({owner})")
        is_first = f"type({owner}) = {quoted_text(self.sides.first_type)}"
        if self.told == "outcome":
            return (
                f"CASE WHEN {first} = {second} THEN '{DRAW}' WHEN {first} > {second} THEN "
                f"CASE WHEN {is_first} THEN '{WIN}' ELSE '{LOSS}' END WHEN {first} < {second} THEN "
                f"CASE WHEN {is_first} THEN '{LOSS}' ELSE '{WIN}' END END"
            )
        own, other = (first, second) if self.told == "own" else (second, first)
        return f"CASE WHEN {is_first} THEN {own} ELSE {other} END"

    def _values(self, node: str) -> tuple[str, str]:
        sides = self.sides
        if sides.first != sides.second:
            return f"{node}.{quoted(sides.first)}", f"{node}.{quoted(sides.second)}"
        parts = f"split(replace({node}.{quoted(sides.first)}, ' ', ''), '-')"
        return f"toFloat(split({parts}[0], '/')[0])", f"toFloat(split({parts}[1], '/')[0])"
