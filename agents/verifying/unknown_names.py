"""Names in a statement that the graph does not have. Such a name stands for nobody, so no claim about it is checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from rapidfuzz.distance import OSA

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.linking.normalise import fold
from clew.tools.linking.tokens import Token, words_of

_SEVERAL = 3
"""Names that end alike, as the names of a kind of thing do."""
_PARTIAL = 0.9
"""Link score of a part of a name, such as a surname."""
_TITLES = frozenset({
    "dr", "doctor", "mr", "mrs", "ms", "miss", "prof", "professor", "sir", "dame", "lord", "lady", "saint", "st", "jr",
    "sr", "md", "phd",
})  # fmt: skip
_INSIDE = frozenset({"of", "the", "de", "la", "von", "van", "der", "del", "da", "di", "le", "du", "al", "el", "and"})
_MOST_EDITS = {0: 0, 1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 1}
"""Typing errors allowed in a word, by its number of letters; two in a longer one."""


def is_near(said: str, name: str) -> bool:
    """Whether a text can be a misspelling of a name: word for word, with few typing errors."""
    ours, theirs = fold(said).split(), fold(name).split()
    if re.findall(r"\d+", said) != re.findall(r"\d+", name):
        return False
    if len(ours) != len(theirs):
        return "".join(ours) == "".join(theirs)
    edits = [OSA.distance(one, other) for one, other in zip(ours, theirs, strict=True)]
    if len(ours) == 1:
        return edits[0] <= (len(ours[0]) > 4)
    return all(n <= _MOST_EDITS.get(min(len(w), 7), 2) for n, w in zip(edits, ours, strict=True)) and sum(edits) <= 3


def sure_links(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions with the candidates whose names they spell, or nearly; those with none are not links."""
    found = []
    for mention in mentions:
        kept = tuple(c for c in mention.candidates if c.matcher != "fuzzy" or is_near(mention.text, c.matched))
        if kept:
            found.append(replace(mention, candidates=kept))
    return found


def with_unknown_names(
    text: str, linked: Sequence[Mention], known: Callable[[str], bool], partly: Callable[[str], list[Entity]]
) -> list[Mention]:
    """The mentions of a text with those added whose names nothing in the graph has: these have no candidates.

    Args:
        text: The statement.
        linked: Its linked names.
        known: Whether a phrase is a word of the schema or a value of a property.
        partly: All entities with a word in their name.
    """
    found = list(linked)
    for first, last, tokens in _runs(text, linked, known, partly):
        beside = [m for m in found if _touches(text, m, first, last)]
        start, end = min([first, *(m.start for m in beside)]), max([last, *(m.end for m in beside)])
        candidates = _named_partly(tokens, partly) if not beside else ()
        found = [m for m in found if m not in beside]
        found.append(Mention(start, end, text[start:end], candidates))
    return sorted(found, key=lambda mention: mention.start)


def _runs(
    text: str, linked: Sequence[Mention], known: Callable[[str], bool], partly: Callable[[str], list[Entity]]
) -> Iterator[tuple[int, int, list[Token]]]:
    """The runs of words that look like a name and that neither a link nor a word of the schema explains."""
    tokens = [t for t in words_of(text).tokens if not any(m.start <= t.start < m.end for m in linked)]
    names = [i for i, token in enumerate(tokens) if _is_name(text, token)]
    taken = _known_phrases(text, tokens, names, known) - _named_alike(text, tokens, names, known, partly)
    run: list[Token] = []
    for i in names:
        token = tokens[i]
        if i in taken or (token.folded in _TITLES and not token.joined):
            continue
        if run and not _adjoins(text, run[-1].end, token.start):
            yield run[0].start, run[-1].end, run
            run = []
        run.append(token)
    if run:
        yield run[0].start, run[-1].end, run


def _is_name(text: str, token: Token) -> bool:
    """A capitalised or quoted word, except a common word that begins the sentence."""
    if token.kind in ("clitic", "question", "number", "symbol") and not token.marked:
        return False
    return token.marked or (text[token.start].isupper() and token.kind == "rare")


def _known_phrases(text: str, tokens: Sequence[Token], names: Sequence[int], known: Callable[[str], bool]) -> set[int]:
    """The places of words that belong to a phrase of the schema, or to a value."""
    taken: set[int] = set()
    for i in names:
        for last in range(min(i + 5, len(tokens)), i, -1):
            if known(text[tokens[i].start : tokens[last - 1].end]):
                taken |= set(range(i, last))
                break
    return taken


def _named_alike(
    text: str,
    tokens: Sequence[Token],
    names: Sequence[int],
    known: Callable[[str], bool],
    partly: Callable[[str], list[Entity]],
) -> set[int]:
    """The places of two words that are like the names of several things, and name none."""
    found: set[int] = set()
    for one, other in pairwise(names):
        first, last = tokens[one], tokens[other]
        if other != one + 1 or not _adjoins(text, first.end, last.start) or known(text[first.start : last.end]):
            continue
        if is_like_names(text[first.start : last.end], partly):
            found |= {one, other}
    return found


def is_like_names(text: str, partly: Callable[[str], list[Entity]]) -> bool:
    """Whether a text ends as the names of several things do, and names none: "Silver Line", where the graph has a Red
    Line and a Blue Line."""
    *others, last = fold(text).split()
    having = [fold(entity.name).split() for entity in partly(last)] if others else []
    alike = [name for name in having if name[-1] == last]
    return len(alike) >= _SEVERAL and not any(set(others) & set(name) for name in having)


def _adjoins(text: str, end: int, start: int) -> bool:
    between = text[end:start].strip(" .'\u2019\"-")
    return not between or between.lower() in _INSIDE - {"and"}


def _touches(text: str, mention: Mention, first: int, last: int) -> bool:
    """Whether a linked name is a part of a longer one: "Paris" in "Paris Hilton"."""
    gap = text[mention.end : first] if mention.end <= first else text[last : mention.start]
    return gap in ("", " ", "-") and text[mention.start : mention.start + 1].isupper()


def _named_partly(tokens: Sequence[Token], partly: Callable[[str], list[Entity]]) -> tuple[Candidate, ...]:
    """The entities with all these words in their name."""
    found: list[Entity] | None = None
    for token in tokens:
        having = partly(token.folded)
        found = having if found is None else [entity for entity in found if entity in having]
    return tuple(Candidate(entity, _PARTIAL, "normalised", entity.name) for entity in found or ())
