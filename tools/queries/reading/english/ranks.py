"""Other words for what ranks first, second or last: "which city has the highest average rent" for "in which city is the
average rent highest"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import adjectives, is_superlative, listed, meaning_of

_ORDINALS = frozenset({"first", "second", "third", "fourth", "fifth", "2nd", "3rd", "4th", "5th"})
_RANKING = frozenset({"ranks", "rank", "ranked", "comes", "come", "is", "came"})
_NUMBERS = {"two": "second", "2": "second", "three": "third", "3": "third", "four": "fourth", "4": "fourth"}
_MOST = {
    "largest": "most", "biggest": "most", "top": "most", "greatest": "most", "best": "most", "smallest": "fewest",
    "lowest": "fewest", "highest": "most",
}  # fmt: skip
_FOR = (("when", "it", "comes", "to"), ("for",), ("by",), ("in",), ("on",), ("with",))
_ENDS = {"bottom": "lowest", "top": "highest"}
_WORKED_OUT = ("avg", "median", "sum")


def ranks(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token] | None:
    """The words of a question with its rank in the words that are read; None where there is nothing to change.

    Args:
        tokens: The words.
        is_property: Whether a phrase names a property.
    """
    tokens = _numbered(tokens)
    texts = [token.text for token in tokens]
    return (
        _by_property(tokens, texts, is_property)
        or _by_number(tokens, texts)
        or _average_last(tokens, texts)
        or _placed(tokens, texts)
        or _at_the_end(tokens, texts)
    )


def _numbered(tokens: Sequence[Token]) -> Sequence[Token]:
    """ "which X is second for P" for "which X is number two for P"."""
    texts = [token.text for token in tokens]
    for i in range(len(texts) - 2):
        ranked = i == 0 or texts[i - 1] in (*_RANKING, "are", "the", "whos")
        if ranked and texts[i] in ("number", "no", "nr") and texts[i + 1] in _NUMBERS:
            is_ = [replace(tokens[i], text="is")] if i == 0 else []
            return [*tokens[:i], *is_, replace(tokens[i + 1], text=_NUMBERS[texts[i + 1]]), *tokens[i + 2 :]]
    return tokens


def _by_property(
    tokens: Sequence[Token], texts: Sequence[str], is_property: Callable[[str], bool]
) -> list[Token] | None:
    """ "articles with the highest number of words" for "longest articles by number of words"."""
    by = max((i for i in range(2, len(texts) - 1) if texts[i] == "by"), default=0)
    degree = next(
        (i for i in range(max(0, by - 4), by - 1) if is_superlative(texts[i]) and texts[i] not in _MOST), None
    )
    first = by + 1 + (texts[by + 1 : by + 2] in (["the"], ["their"]))
    if not by or degree is None or not is_property(" ".join(texts[first:])):
        return None
    entry = adjectives().get(texts[degree])
    lowest = entry is not None and (bool(set(entry.down) & set(texts[first:])) or (bool(entry.down) and not entry.up))
    highest = "lowest" if lowest else "highest"
    most = [replace(tokens[degree], text=text) for text in ("with", "the", highest)]
    return [*tokens[:degree], *tokens[degree + 1 : by], *most, *tokens[first:]]


def _by_number(tokens: Sequence[Token], texts: Sequence[str]) -> list[Token] | None:
    """ "customer with the most orders" for "largest customer by number of orders"."""
    by = next((i for i in range(2, len(texts) - 3) if texts[i] in ("by", "in") and "number" in texts[i + 1 : i + 3]), 0)
    degree = next((i for i in range(max(0, by - 4), by - 1) if texts[i] in _MOST), None)
    if degree is None:
        return None
    of = texts.index("number", by) + 1
    if texts[of : of + 1] != ["of"]:
        return None
    most = [replace(tokens[degree], text=text) for text in ("with", "the", _MOST[texts[degree]])]
    return [*tokens[:degree], *tokens[degree + 1 : by], *most, *tokens[of + 1 :]]


def _average_last(tokens: Sequence[Token], texts: Sequence[str]) -> list[Token] | None:
    """ "which city has the highest average rent" for "in which city is the average rent (the) highest"."""
    which = next((i for i, text in enumerate(texts[:2]) if text in ("which", "what")), None)
    if which is None or not (is_superlative(texts[-1]) or texts[-1] in listed("ordering", "degrees")):
        return None
    average = next(
        (i for i in range(which + 2, len(texts) - 1) if meaning_of("functions", texts[i]) in _WORKED_OUT), None
    )
    if average is None:
        return None
    end = len(texts) - 1 - (texts[-2] == "the")
    is_ = end - 1 if texts[end - 1] in ("is", "are", "was") else None
    of = [token for token in tokens[which + 1 : average] if token.text not in ("the", "is", "are", "was")]
    measured = tokens[average : end if is_ is None else is_]
    if not of or not measured or (is_ is None and texts[average - 1] not in ("is", "are", "the")):
        return None
    has, the = (replace(tokens[-1], text=text) for text in ("has", "the"))
    return [tokens[which], *of, has, the, tokens[-1], *measured]


def _placed(tokens: Sequence[Token], texts: Sequence[str]) -> list[Token] | None:
    """ "has the second highest price" for "ranks second when it comes to highest price"."""
    for i in range(1, len(texts) - 2):
        verb = i - 1 - (texts[i - 1] == "in")
        if texts[i] not in _ORDINALS or texts[verb] not in _RANKING:
            continue
        start = i + 1 + (texts[i + 1] == "place")
        lead = next((len(each) for each in _FOR if tuple(texts[start : start + len(each)]) == each), 0)
        first = start + lead + (texts[start + lead : start + lead + 1] == ["the"])
        if not lead or first >= len(texts):
            continue
        degree = tokens[first : first + 1] if meaning_of("degree", texts[first]) or is_superlative(texts[first]) else []
        highest = degree or [replace(tokens[i], text="highest")]
        has, the = (replace(tokens[verb], text=text) for text in ("has", "the"))
        return [*tokens[:verb], has, the, tokens[i], *highest, *tokens[first + len(degree) :]]
    return None


def _at_the_end(tokens: Sequence[Token], texts: Sequence[str]) -> list[Token] | None:
    """ "has the lowest price" for "is at the (very) bottom for price"."""
    for i in range(1, len(texts) - 3):
        end = i + 2 + (texts[i + 2] == "very")
        if texts[i : i + 2] != ["at", "the"] or texts[i - 1] not in ("is", "are", "was") or end + 2 >= len(texts):
            continue
        if texts[end] in _ENDS and texts[end + 1] in ("for", "in", "by", "on"):
            has, the = (replace(tokens[i], text=text) for text in ("has", "the"))
            return [*tokens[: i - 1], has, the, replace(tokens[end], text=_ENDS[texts[end]]), *tokens[end + 2 :]]
    return None
