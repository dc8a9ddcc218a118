"""The kind of answer that the first words of a question ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import tokens

_TELLING = [[each] for each in ("tell", "show", "list", "give", "find", "name", "say", "get", "please", "look", "help")]
_KNOWING = [[each] for each in ("know", "have", "remember", "happen", "think", "see", "offer", "sell")]
_MAY, _GETTING = [["can"], ["could"], ["may"]], [["have"], ["get"], ["see"], ["know"], ["ask"]]
_TRUTH = frozenset({
    "is", "are", "was", "were", "does", "do", "did", "has", "have", "had", "can", "could", "may", "might",
    "should", "will",
})  # fmt: skip


def expects(question: str) -> Literal["truth", "number", ""]:
    """The kind of answer that a question's first words ask for."""
    said = [token.text for token in tokens(question)[:3]]
    polite = said[1:2] == ["you"] and said[2:3] in (_TELLING if said[0] in ("can", "could", "will") else _KNOWING)
    polite = polite or (said[:1] in _MAY and said[1:2] in (["i"], ["we"]) and said[2:3] in _GETTING)
    if said and said[0] in _TRUTH and not polite:
        return "truth"
    counting = (
        said[:2] in (["how", "many"], ["how", "often"]) or said[:2] == ["number", "of"] or said[1:] == ["number", "of"]
    )
    return "number" if counting else ""


def asks_what_is_done(question: Sequence[Token]) -> bool:
    """Whether somebody's profession is asked for: "what does Ann do"."""
    asks = question[0].text == "what" and question[-1].text in ("do", "living")
    return asks and question[1].text in ("do", "does", "did", "is", "was")
