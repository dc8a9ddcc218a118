"""The chosen texts, and the limit of candidates; does not import torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from clew.tools.errors import BadInput

Decoding = Literal["exact", "beam", "greedy", "free"]
"""How a model chooses: `exact` the likeliest texts, by search; `beam` by beam search, and `greedy` token by token, both
kept to the texts; `free` token by token without that constraint."""
MOST_TEXTS = 2000
MOST_CHARACTERS = 400_000
"""Maximum characters of all texts of one question."""


@dataclass(frozen=True, slots=True)
class Step:
    """A branching node of the trie on the path to a text: the alternatives and the choice."""

    taken: str
    """The token; empty at the end of the text."""
    probability: float
    options: tuple[tuple[str, float], ...]
    """The likeliest tokens with their probabilities."""
    of: int
    """The number of valid tokens."""


@dataclass(frozen=True, slots=True)
class ChosenText:
    """A text and its probability among all candidates."""

    index: int
    probability: float
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The most likely texts, best first."""

    chosen: tuple[ChosenText, ...]
    exact: bool
    """False after a timeout or for a greedy server: other texts may be more likely."""
    considered: int
    """The number of candidates considered; those beyond the limit are not."""
    passes: int
    """The number of passes of the model."""
    ms: float
    keep_from: float = 0.0
    """For a choice of several texts: the share of the likeliest one's probability below which a text is no answer, as
    training found it; 0 if it found none."""
    written: str | None = None
    """What a model without constraint wrote; `chosen` is empty then if that is none of the texts."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any], texts: int) -> Choice:
        """Parse the output of `to_json`. Raises ValueError if it is malformed or names a text that was not offered."""
        from pydantic import TypeAdapter, ValidationError  # only clients of a server need it

        try:
            found = TypeAdapter(cls).validate_python(value)
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        if any(not 0 <= each.index < texts or not 0 <= each.probability <= 1.001 for each in found.chosen):
            raise ValueError("it chose what was not offered")
        return found


@dataclass(frozen=True, slots=True)
class Request:
    """What one choice is asked for: `m` of the texts after a prompt, within `seconds`."""

    prompt: str
    texts: tuple[str, ...]
    m: int
    seconds: float | None = None


def within_budget(texts: Sequence[str], most: int = MOST_TEXTS) -> list[str]:
    """The first texts within the limit. Raises BadInput if there is none."""
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
