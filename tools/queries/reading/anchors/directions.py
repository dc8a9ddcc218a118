"""Which way a list is ordered, as anchors: "highest first", "in descending order", "from longest to shortest"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import adjectives, is_superlative, listed, meaning_of
from clew.tools.queries.reading.forms.items import AnyItem, Direction, PropertyChoice
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_BEFORE = ("from", "in", "the", "starting", "beginning", "with", "sorted", "ordered", "ranked", "going")
_BEHIND: tuple[tuple[str, ...], ...] = (("first",), ("at", "the", "top"), ("on", "top"), ("at", "top"))
_ENDS = {"high": True, "low": False, "top": True, "bottom": False, "a": False, "z": True}
"""First words of "high to low", and whether they are the greater end."""
_LONGEST = 2


def directions(tokens: Sequence[Token], words: SchemaWords) -> list[AnyItem]:
    """The directions that a question names, each with the words before it that say no more."""
    return [_widened(item, tokens) for item in _named(tokens, words)]


def without_parts(items: Sequence[AnyItem]) -> list[AnyItem]:
    """The anchors of a question without those inside a direction: "highest first" asks for no highest one."""
    named = [item for item in items if isinstance(item.meaning, Direction)]
    inside = {i for item in named for i in range(item.first, item.last)}
    if not inside:
        return list(items)
    return [i for i in items if isinstance(i.meaning, Direction) or not inside & set(range(i.first, i.last))]


def _named(tokens: Sequence[Token], words: SchemaWords) -> Iterator[AnyItem]:
    texts = [token.text for token in tokens]
    for first in range(len(texts)):
        if texts[first] in listed("ordering", "descending"):
            yield _of_order(texts, first, True)
        elif texts[first] in listed("ordering", "ascending"):
            yield _of_order(texts, first, False)
        for last in range(first + 1, min(first + _LONGEST, len(texts)) + 1):
            degree = degree_of(" ".join(texts[first:last]), words)
            if degree is None:
                continue
            behind = next((each for each in _BEHIND if tuple(texts[last : last + len(each)]) == each), None)
            if behind is None and texts[max(0, first - 3) : first][:1] in (["starting"], ["beginning"]):
                behind = ()
            if behind is not None and (is_degree(texts[first:last]) or texts[first] not in _ENDS):
                yield anchor(first, last + len(behind), Direction(*degree))
            elif texts[last : last + 1] == ["to"]:
                start = last + 1 + (texts[last + 1 : last + 2] == ["the"])
                for end in range(start + 1, min(start + _LONGEST, len(texts)) + 1):
                    other = degree_of(" ".join(texts[start:end]), words)
                    if other is not None and other[0] != degree[0]:
                        yield anchor(first, end, Direction(*degree))


def is_degree(texts: Sequence[str]) -> bool:
    """Whether words are a superlative."""
    said = " ".join(texts)
    return is_superlative(said) or said.startswith(("most ", "least ")) or meaning_of("degree", said) is not None


def _of_order(texts: Sequence[str], first: int, descending: bool) -> AnyItem:
    last = first + 1 + (texts[first + 1 : first + 2] == ["order"])
    return anchor(first, last, Direction(descending))


def degree_of(said: str, words: SchemaWords) -> tuple[bool, tuple[PropertyChoice, ...]] | None:
    """Whether a superlative, or the end of a range, is the greater one, and the properties that it means."""
    if said in _ENDS:
        return _ENDS[said], ()
    if (degree := meaning_of("degree", said)) is not None:
        return degree in ("most", "high"), ()
    lead, _, form = said.rpartition(" ")
    entry = adjectives().get(form)
    if entry is None or lead not in ("", "most", "least") or (not lead and not entry.superlative):
        return None
    choices = tuple(words.adjective(form))
    turned = tuple(choice.turned for choice in choices) if lead == "least" else choices
    return bool(entry.up) != (lead == "least"), turned


def _widened(item: AnyItem, tokens: Sequence[Token]) -> AnyItem:
    first = item.first
    while first and tokens[first - 1].text in _BEFORE and not tokens[first - 1].quoted:
        first -= 1
    return anchor(first, item.last, item.meaning)
