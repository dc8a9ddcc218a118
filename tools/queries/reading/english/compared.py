"""Other words for comparisons: "the difference in height between A and B" for "how much taller is A than B"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.clause_order import COMMA
from clew.tools.queries.reading.english.ranks import ranks
from clew.tools.queries.reading.english.words import adjectives, listed

_VERSUS = frozenset({"vs", "versus", "v", "and", "or"})
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
    rewordings = (_difference, _than_average, _above_average, _number_of_two, _of_two, _versus, _except)
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


def _difference(tokens: Sequence[Token]) -> list[Token] | None:
    """ "difference in P between S and T" for "how much higher is the P of S than that of T", "how much do S and T
    differ in P", "how far apart are S and T in P" and "P difference S vs T"."""
    texts = [token.text for token in tokens]
    much = _place(texts, ["how", "much"])
    if much is not None and "than" in texts and (is_ := _first(texts, ("is", "was", "are"), much)) is not None:
        than = texts.index("than")
        degree = adjectives().get(texts[much + 2]) if is_ == much + 3 else None
        of = _first(texts, ("of",), is_)
        if degree and degree.comparative and of is not None and of < than and texts[is_ + 1] == "the":
            other = than + 1 + 2 * (texts[than + 1 : than + 3] == ["that", "of"])
            return _between(tokens, much, (is_ + 2, of), (of + 1, than), (other, len(tokens)))
    differ = _first(texts, ("differ",), 0)
    do = _first(texts, ("do", "does", "did"), 0)
    do = much + 1 if do is None and much is not None else do
    apart = _place(texts, ["how", "far", "apart"])
    if differ is not None and do is not None and do < differ and texts[differ + 1 : differ + 2] == ["in"]:
        return _both(tokens, 0, (differ + 2, len(tokens)), (do + 1, differ))
    in_ = _first(texts, ("in", "on", "by"), apart + 3) if apart is not None else None
    if apart is not None and in_ is not None and in_ + 1 < len(texts):
        both = [i for i in range(apart + 3, in_) if texts[i] not in ("are", "is", "do", "lie")]
        return _both(tokens, 0, (in_ + 1, len(tokens)), (both[0], both[-1] + 1)) if both else None
    return _noun_difference(tokens, texts)


def _noun_difference(tokens: Sequence[Token], texts: Sequence[str]) -> list[Token] | None:
    place = _first(texts, ("difference",), 1)
    if place is None or texts[place - 1] in ("the", "a", "what") or place + 3 >= len(texts):
        return None
    if texts[place + 1] in ("in", "between", "of", "is") or not _VERSUS & set(texts[place + 1 :]):
        return None
    return _both(tokens, place, (0, place), (place + 1, len(tokens)))


def _both(tokens: Sequence[Token], lead: int, of: tuple[int, int], two: tuple[int, int]) -> list[Token] | None:
    middle = next((i for i in range(two[0] + 1, two[1] - 1) if tokens[i].text in _VERSUS), None)
    return None if middle is None else _between(tokens, lead, of, (two[0], middle), (middle + 1, two[1]))


def _between(
    tokens: Sequence[Token], lead: int, of: tuple[int, int], one: tuple[int, int], other: tuple[int, int]
) -> list[Token]:
    *said, between, and_ = (replace(tokens[lead], text=text) for text in ("difference", "in", "between", "and"))
    return [*said, *tokens[slice(*of)], between, *tokens[slice(*one)], and_, *tokens[slice(*other)]]


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


def _number_of_two(tokens: Sequence[Token]) -> list[Token] | None:
    """ "which has more orders, X or Y" for "is the number of orders larger for X or for Y"."""
    texts = [token.text for token in tokens]
    if texts[:4] not in (["is", "the", "number", "of"], ["are", "the", "number", "of"]) or "or" not in texts:
        return None
    degree = next((i for i, text in enumerate(texts) if _HIGHER.get(text) in ("more", "fewer")), None)
    if degree is None or degree == 4:  # Nothing is counted.
        return None
    lead = [replace(tokens[0], text=text) for text in ("which", "has", _HIGHER[texts[degree]])]
    two = [token for token in tokens[degree + 1 :] if token.text not in ("for", "in", "at", "of", "with")]
    return [*lead, *tokens[4:degree], *two]


def _of_two(tokens: Sequence[Token]) -> list[Token] | None:
    """ "which one has …, X or Y" for "compare X and Y and tell me which one has …"."""
    texts = [token.text for token in tokens]
    place, which = _first(texts, ("compare",), 0), _first(texts, ("which",), 0)
    if place is None or which is None or which < place + 4:
        return None
    end = which
    while end > place + 1 and texts[end - 1] in ("and", "tell", "me", "say", "show", "see", "find", "out"):
        end -= 1
    two = tokens[place + 1 : end]
    middle = next((i for i in range(len(two) - 2, 0, -1) if two[i].text in _VERSUS | {"with", "to"}), None)
    if middle is None:
        return None
    asked = [token for token in tokens[which:] if token.text not in ("one", "of", "them", "the", "two")]
    return [*asked, *two[:middle], replace(two[middle], text="or"), *two[middle + 1 :]]


def _versus(tokens: Sequence[Token]) -> list[Token] | None:
    """ "which has more orders, X or Y" for "X vs Y: more orders" and "does X have more orders or does Y"."""
    texts = [token.text for token in tokens]
    more = _first(texts, ("more", "fewer", "less"), 2)
    if more is None or more + 1 >= len(texts):
        return None
    versus = _first(texts[:more], ("vs", "versus", "vs."), 1)
    lead = [replace(tokens[more], text="which"), replace(tokens[more], text="has")]
    if versus is not None and versus + 1 < more and tokens[more].start - tokens[more - 1].end >= COMMA:
        return [*lead, *tokens[more:], *tokens[:versus], replace(tokens[versus], text="or"), *tokens[versus + 1 : more]]
    again = _place(texts, ["or", texts[0]])
    if (
        texts[0] in ("does", "do", "did", "has")
        and texts[more - 1] in ("have", "has")
        and again is not None
        and again > more
    ):
        return [*lead, *tokens[more:again], *tokens[1 : more - 1], tokens[again], *tokens[again + 2 :]]
    return None


def _except(tokens: Sequence[Token]) -> list[Token] | None:
    """ "the doctors not in Cardiology" for "the doctors other than the ones in Cardiology"."""
    texts = [token.text for token in tokens]
    for i in range(1, len(texts) - 2):
        lead = next((len(each) for each in _EXCEPT if tuple(texts[i : i + len(each)]) == each), 0)
        start = i + lead + (texts[i + lead : i + lead + 1] == ["the"])
        if lead and start + 1 < len(texts) and texts[start] in _ONES:
            return [*tokens[:i], replace(tokens[i], text="not"), *tokens[start + 1 :]]
    return None


def _place(texts: Sequence[str], words: list[str]) -> int | None:
    return next((i for i in range(len(texts)) if texts[i : i + len(words)] == words), None)


def _first(texts: Sequence[str], words: tuple[str, ...], start: int) -> int | None:
    return next((i for i in range(start, len(texts)) if texts[i] in words), None)
