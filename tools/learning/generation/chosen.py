"""What was chosen among texts, and how many of them take part; needs no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from clew.tools.errors import BadInput

MOST_TEXTS = 2000
MOST_CHARACTERS = 400_000
"""Of all texts of one question together."""


@dataclass(frozen=True, slots=True)
class Step:
    """A branching node of the trie on the way to a text: what could follow, and what did."""

    taken: str
    """The token; empty where the text ends."""
    probability: float
    options: tuple[tuple[str, float], ...]
    """The likeliest tokens with their probabilities."""
    of: int
    """How many tokens could follow."""


@dataclass(frozen=True, slots=True)
class ChosenText:
    """A text, and how likely it is among all that were offered."""

    index: int
    probability: float
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The likeliest texts, best first."""

    chosen: tuple[ChosenText, ...]
    exact: bool
    """False where time ran out, or where a server is greedy: others may be likelier."""
    considered: int
    """Texts that took part; those offered beyond the budget do not."""
    passes: int
    """Of the model."""
    ms: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any], texts: int) -> Choice:
        """What `to_json` wrote. Raises ValueError where it is malformed or names a text that was not offered."""
        from pydantic import TypeAdapter, ValidationError  # only clients of a server need it

        try:
            found = TypeAdapter(cls).validate_python(value)
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        if any(not 0 <= each.index < texts or not 0 <= each.probability <= 1.001 for each in found.chosen):
            raise ValueError("it chose what was not offered")
        return found


def within_budget(texts: Sequence[str], most: int = MOST_TEXTS) -> list[str]:
    """The first texts, as many as may take part. Raises BadInput where there is none."""
    kept: list[str] = []
    characters = 0
    for text in texts[:most]:
        characters += len(text)
        if kept and characters > MOST_CHARACTERS:
            break
        kept.append(text)
    if not kept:
        raise BadInput("There is nothing to choose from.", "Give at least one candidate.")
    return kept
