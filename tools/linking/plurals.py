"""Names said in the plural: "which musicals …" for the genre Musical, "the defenders of …" for Defender."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.graph.entity import Candidate, Mention
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.tokens import Token

_SCORE = 0.94
_SHORTEST = 4


def plural_mentions(question: str, tokens: Sequence[Token], index: EntityIndex, m: int) -> list[Mention]:
    """Single words whose English singular is spelled like a name; scored below every name as written."""
    found = []
    for token in tokens:
        singulars = _singulars(token.folded)
        for singular, keys in zip(singulars, index.keys_spelled(singulars), strict=True):
            candidates = index.spelled(singular, keys)[:m]
            if candidates:
                scored = tuple(_lowered(candidate) for candidate in candidates)
                found.append(Mention(token.start, token.end, question[token.start : token.end], scored))
                break
    return found


def _singulars(word: str) -> list[str]:
    if len(word) < _SHORTEST or not word.endswith("s") or word.endswith("ss"):
        return []
    found = [word[:-1]]
    if word.endswith("ies"):
        found.insert(0, word[:-3] + "y")
    elif word.endswith("es"):
        found.append(word[:-2])
    return found


def _lowered(candidate: Candidate) -> Candidate:
    return Candidate(candidate.entity, min(candidate.score, _SCORE), "normalised", candidate.matched)
