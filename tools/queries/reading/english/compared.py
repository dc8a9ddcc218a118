"""Other words for comparisons with an average, with all others, and for what occurs most often."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.ranks import ranks
from clew.tools.queries.reading.english.words import listed

_ONES = frozenset({"ones", "those"})
_EXCEPT = (("other", "than"), ("except",), ("except", "for"), ("apart", "from"), ("excluding",), ("but", "not"))
_OCCURS = frozenset({"occurs", "occur", "appears", "appear", "comes", "is", "are", "shows", "used", "found"})
_OFTEN = frozenset({"often", "frequently", "commonly"})
_HIGHER = {
    "higher": "more", "larger": "more", "greater": "more", "bigger": "more", "lower": "fewer", "smaller": "fewer",
    "highest": "most", "largest": "most", "greatest": "most", "lowest": "fewest", "smallest": "fewest",
}  # fmt: skip


def compared(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token]:
    """The words of a question with its comparison in the words that are read.

    Args:
        tokens: The words.
        is_property: As of `rewording.in_order`.
    """
    said = list(_numbers(tokens, stored=is_property("quantity")))
    rewordings = (_than_average, _above_average, _except)
    found = (reword(said) for reword in rewordings)
    return (
        next((words for words in found if words is not None), None)
        or ranks(said, is_property)
        or _often(said, is_property)
        or said
    )


def _numbers(tokens: Sequence[Token], *, stored: bool) -> Iterator[Token]:
    """ "more orders" for "a higher number of orders", and "a higher quantity of orders" if no quantity is `stored`."""
    texts = [token.text for token in tokens]
    i = 0
    while i < len(tokens):
        if texts[i] in ("overall", "general") and texts[i + 1 : i + 2] in (["average"], ["mean"]):
            i += 1
            continue
        numbers = ["numbers", "of"] if _HIGHER.get(texts[i]) in ("most", "fewest") else ["number", "of"]
        of = texts[i + 1 : i + 3]
        many = texts[i] in _HIGHER and (of in (numbers, ["count", "of"]) or (of == ["quantity", "of"] and not stored))
        yield replace(tokens[i], text=_HIGHER[texts[i]]) if many else tokens[i]
        i += 3 if many else 1


def _than_average(tokens: Sequence[Token]) -> list[Token] | None:
    """ "a salary above average" for "a higher salary than the average"."""
    texts = [token.text for token in tokens]
    end = len(texts) - (texts[-1:] in (["average"], ["mean"]))
    than = end - 1 - (texts[end - 1 : end] == ["the"])
    if end == len(texts) or than < 2 or texts[than] != "than":
        return None
    degree = next((i for i in range(than - 2, -1, -1) if _HIGHER.get(texts[i]) in ("more", "fewer")), None)
    if degree is None:
        return None
    way = "above" if _HIGHER[texts[degree]] == "more" else "below"
    return [*tokens[:degree], *tokens[degree + 1 : than], replace(tokens[degree], text=way), tokens[-1]]


def _above_average(tokens: Sequence[Token]) -> list[Token] | None:
    """ "doctors with above average salary" for "doctors are above the average salary of all doctors"."""
    texts = [token.text for token in tokens]
    for i in range(2, len(texts) - 3):
        if texts[i] not in ("above", "below") or texts[i - 1] not in ("are", "is", "lie", "lies"):
            continue
        average = i + 1 + (texts[i + 1] == "the")
        of = _first(texts, ("of",), average)
        if texts[average] not in ("average", "mean") or of is None or of < average + 2:
            continue
        kind = [text for text in texts[of + 1 :] if text not in ("all", "the", "other")]
        if kind and any(texts[j : j + len(kind)] == kind for j in range(i - 1)):
            return [*tokens[: i - 1], replace(tokens[i - 1], text="with"), tokens[i], *tokens[average:of]]
    return None


def _often(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token] | None:
    """ "most common grade of doctors" for "which grade occurs most often among the doctors", "what grade do the most
    doctors have" for "the grade that the most doctors have"."""
    texts = [token.text for token in tokens]
    if texts[:1] in (["which"], ["what"]) and (found := _is_commonest(tokens, texts, is_property)):
        return found
    often = next((i for i in range(2, len(texts) - 2) if texts[i] == "most" and texts[i + 1] in _OFTEN), None)
    occurs = often - 1 - (texts[often - 1] == "up") if often is not None else 0
    if often is not None and texts[0] in ("which", "what") and texts[occurs] in _OCCURS:
        behind = [token for token in tokens[often + 2 :] if token.text not in ("the", "all")]
        if (
            is_property(" ".join(texts[1:occurs]))
            and behind[:1]
            and behind[0].text in ("among", "in", "for", "of", "across", "with")
        ):
            common = [replace(tokens[0], text="most"), replace(tokens[0], text="common")]
            return [*common, *tokens[1:occurs], replace(behind[0], text="of"), *behind[1:]]
    that = next(
        (i for i in range(2, len(texts) - 2) if texts[i : i + 2] == ["that", "the"] and _most(texts[i + 2 :])), None
    )
    if that is not None and texts[-1] in ("have", "has") and "the" in texts[:that]:
        named = that - 1 - texts[:that][::-1].index("the")
        return [
            replace(tokens[named], text="what"),
            *tokens[named + 1 : that],
            replace(tokens[that], text="do"),
            *tokens[that + 1 :],
        ]
    return None


def _is_commonest(
    tokens: Sequence[Token], texts: Sequence[str], is_property: Callable[[str], bool]
) -> list[Token] | None:
    """ "most common grade of doctors" for "which grade is the most frequent in the doctors"."""
    is_ = _first(texts, ("is", "was"), 2)
    most = is_ + 1 + (texts[is_ + 1 : is_ + 2] == ["the"]) if is_ is not None else len(texts)
    if (
        is_ is None
        or most + 2 >= len(texts)
        or texts[most] != "most"
        or texts[most + 1] not in listed("ordering", "frequency")
    ):
        return None
    behind = most + 2 + (texts[most + 2] == "one")
    if (
        behind + 1 >= len(texts)
        or texts[behind] not in ("in", "among", "of", "for", "across")
        or not is_property(" ".join(texts[1:is_]))
    ):
        return None
    counted = [token for token in tokens[behind + 1 :] if token.text not in ("the", "all", "our")]
    common = [tokens[most], replace(tokens[most + 1], text="common")]
    return [*common, *tokens[1:is_], replace(tokens[behind], text="of"), *counted]


def _most(texts: Sequence[str]) -> bool:
    """Whether words begin with "most" or "highest number of"."""
    return texts[:1] == ["most"] or (texts[1:3] == ["number", "of"] and _HIGHER.get(texts[0]) == "most")


def _except(tokens: Sequence[Token]) -> list[Token] | None:
    """ "the doctors not in Cardiology" for "the doctors other than the ones in Cardiology"."""
    texts = [token.text for token in tokens]
    for i in range(1, len(texts) - 2):
        lead = next((len(each) for each in _EXCEPT if tuple(texts[i : i + len(each)]) == each), 0)
        start = i + lead + (texts[i + lead : i + lead + 1] == ["the"])
        if lead and start + 1 < len(texts) and texts[start] in _ONES:
            return [*tokens[:i], replace(tokens[i], text="not"), *tokens[start + 1 :]]
    return None


def _first(texts: Sequence[str], words: tuple[str, ...], start: int) -> int | None:
    return next((i for i in range(start, len(texts)) if texts[i] in words), None)
