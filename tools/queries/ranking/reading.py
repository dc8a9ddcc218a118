"""How a question is read: the content words to the left and right of an entity, and what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import Literal

from clew.tools.queries.lexical import Span, Token, overlaps, tokens

WH_KINDS = {
    "who": frozenset({"person", "group"}),
    "whom": frozenset({"person"}),
    "when": frozenset({"time"}),
    "where": frozenset({"place", "country", "group"}),
}
AUXILIARIES = frozenset({
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "will", "would"
})  # fmt: skip
COUNTING = frozenset({"many"})
"""Read even where the words of a count are masked: "how many actors" asks for actors."""
INTERROGATIVE_DETERMINERS = frozenset({"what", "which", "whose"}) | COUNTING


DETERMINERS = frozenset({"the", "a", "an", "this"})
SAMENESS = frozenset({
    "same", "share", "shares", "shared", "sharing", "also", "other", "others", "another", "else", "fellow"
})  # fmt: skip
DO = frozenset({"do", "does", "did"})
NO_VERB_BEFORE = frozenset({"of", "by", "and", "or", "as", "than", "is", "are", "was", "were", "be", "'s", "\u2019s"})
RELATIVE = frozenset({"that", "which", "whom"})
Role = Literal["subject", "object"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A question seen from one mention: words to either side, in reading order."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    apposed: bool
    """True where the last word on the left stands directly before the mention ("the film X")."""
    kinds: frozenset[str] | None
    """The kinds of answer that who, when or where ask for."""
    asked: str | None
    """The noun after what or which ("which country …")."""
    fronted: bool = False
    """True where that noun leads the question."""
    same: bool = False
    """Whether it speaks of things that share something ("the same …", "also", "other")."""
    role: Role | None = None
    """The mention's part in the sentence: "what does X hunt" has it as subject, "what hunts X" as object."""

    def orders(self) -> list[list[tuple[str, int]]]:
        """The words outward from the mention, as (side, index), in the ways that English nests relations.

        Right side first ("X's mother's birthplace"), left side first ("the mother of X"), left side first with the
        noun of a leading "which country" last, since it names the answer, and one word of the right side before the
        left side ("where were the directors of the films that X scored born").
        """
        right = [("R", i) for i in range(len(self.right))]
        left = [("L", i) for i in reversed(range(len(self.left)))]
        if not left or not right:
            return [right + left]
        fronted = [left[:-1] + right + left[-1:]] if self.fronted and len(left) > 1 else []
        nested = [right[:1] + left + right[1:]] if len(right) > 1 else []
        return [right + left, left + right, *fronted, *nested]

    def span(self, part: Sequence[tuple[str, int]]) -> str:
        """The text of consecutive words of an order, each side in reading order."""
        left = sorted(i for side, i in part if side == "L")
        right = sorted(i for side, i in part if side == "R")
        return " ".join([*(self.left[i] for i in left), *(self.right[i] for i in right)])


def read(question: str, start: int, end: int, masked: Sequence[Span] = ()) -> Reading:
    """Read the question from the mention `question[start:end]`; spans in `masked` are not words of it
    (other mentions, and the words of a count or a comparison)."""
    words = [
        token
        for token in tokens(question)
        if token.text in COUNTING or not overlaps(token.start, token.end, (*masked, (start, end)))
    ]
    left = [token for token in words if token.end <= start]
    right = [token for token in words if token.start >= end]
    left_content = tuple(token.text for token in left if token.content)
    kinds = next((WH_KINDS[token.text] for token in words if token.text in WH_KINDS), None)
    asked = _asked(left) or _asked(right)
    if asked is None and kinds is None and left_content:
        asked = left_content[0]
    return Reading(
        left_content,
        tuple(token.text for token in right if token.content),
        bool(left) and left[-1].content,
        kinds,
        asked,
        bool(left_content) and _asked(left) in left_content[:2],
        any(token.text in SAMENESS or token.text.startswith("co-") for token in words),
        _role(left, right),
    )


def _role(left: Sequence[Token], right: Sequence[Token]) -> Role | None:
    """The mention's part in the sentence, by the words before it."""
    before = list(dropwhile(lambda token: token.text in DETERMINERS, reversed(left)))
    if not before:
        return None
    nearest = before[0].text
    if nearest in DO or (nearest in RELATIVE and any(token.content for token in right)):
        return "subject"
    if nearest in NO_VERB_BEFORE or nearest in AUXILIARIES or any(token.text in DO for token in before):
        return None
    return "object" if any(token.content for token in before) else None


def _asked(side: Sequence[Token]) -> str | None:
    """The noun that what or which asks for: the head of "what film genre is …", the first word of "which person wrote
    the …"."""
    for place, token in enumerate(side):
        if token.text in INTERROGATIVE_DETERMINERS:
            words = list(dropwhile(lambda later: not later.content, side[place + 1 :]))
            noun = list(takewhile(lambda later: later.content, words))
            follower = words[len(noun)].text if len(noun) < len(words) else ""
            if noun:
                return noun[-1].text if follower in AUXILIARIES else noun[0].text
    return None
