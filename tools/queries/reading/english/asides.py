"""What a question adds on the side: "cancelled ones not counted", "between the start of May and the end of June"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.values import MONTHS

_ONES = "ones"
_OUT = (("not", "counted"), ("not", "included"), ("left", "out"), ("excluded",), ("aside",), ("do", "not", "count"))
_IN = (("included",), ("counted",), ("as", "well"), ("too",))
_BEFORE = (("without",), ("excluding",), ("except",), ("leaving", "out"), ("not", "counting"), ("not", "including"))
_TAXES = frozenset({"vat", "gst", "tax", "taxes"})
_WITH_TAX = frozenset({"including", "incl", "inc", "inclusive", "plus", "with"})
_EDGES = frozenset({"start", "beginning", "end"})
_FROM = frozenset({"between", "from", "and", "to", "until", "till"})


def asides(tokens: Sequence[Token]) -> list[Token]:
    """ "Not cancelled" for "cancelled ones not counted" and "without the cancelled ones"; nothing for "cancelled ones
    included"; a period for its start or its end where a range begins or ends there."""
    found: list[Token] = []
    i = 0
    while i < len(tokens):
        if tokens[i].text == _ONES and found:
            behind = [token.text for token in tokens[i + 1 : i + 4]]
            out = next((each for each in _OUT if tuple(behind[: len(each)]) == each), None)
            also = next((each for each in _IN if tuple(behind[: len(each)]) == each), None)
            before = _before(found)
            if out is not None or before:
                said = found.pop()
                del found[len(found) - before :]
                found += [replace(said, text="not"), said]
                i += 1 + len(out or ())
                continue
            if also is not None:
                found.pop()
                i += 1 + len(also)
                continue
        i += _edge(tokens, i)
        found.append(tokens[i])
        i += 1
    return found


def tax_included(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token]:
    """A question without "including VAT" or "GST included", where a total is stored beside the tax."""
    texts = [token.text for token in tokens]
    at = next((i for i, text in enumerate(texts) if text in _TAXES), None)
    if at is None or not (is_property("word total") or is_property("word gross")):
        return list(tokens)
    if texts[at - 1 : at] and texts[at - 1] in _WITH_TAX:
        return [*tokens[: at - 1], *tokens[at + 1 :]]
    if texts[at + 1 : at + 2] and texts[at + 1] in ("included", "inclusive"):
        return [*tokens[:at], *tokens[at + 2 :]]
    return list(tokens)


def _before(found: Sequence[Token]) -> int:
    """How many words before the last one say that it is left out."""
    texts = [token.text for token in found[:-1]]
    article = texts[-1:] == ["the"]
    kept = texts[: len(texts) - article]
    return next((len(each) + article for each in _BEFORE if tuple(kept[-len(each) :]) == each), 0)


def _edge(tokens: Sequence[Token], first: int) -> int:
    """How many words say no more than where a period begins or ends: "from *the start of* May"."""
    texts = [token.text for token in tokens[first : first + 4]]
    edge = 1 if texts[:1] == ["the"] else 0
    said = texts[edge : edge + 1] and texts[edge] in _EDGES and texts[edge + 1 : edge + 2] == ["of"]
    if not said or len(texts) < edge + 3 or not first or tokens[first - 1].text not in _FROM:
        return 0
    return edge + 2 if texts[edge + 2] in MONTHS or texts[edge + 2].isdecimal() else 0
