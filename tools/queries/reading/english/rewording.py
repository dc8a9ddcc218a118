"""Other words for orders and for numbers of each: "the most orders" for "more orders than any other customer"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.asides import asides, tax_included
from clew.tools.queries.reading.english.clause_order import (
    COMMA,
    asking_first,
    degree_by_number,
    times_in_numbers,
)
from clew.tools.queries.reading.english.compared import compared
from clew.tools.queries.reading.english.in_stock import in_stock
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.of_each_unit import of_each_unit
from clew.tools.queries.reading.english.phrasings import rephrased
from clew.tools.queries.reading.english.repeated import said_once
from clew.tools.queries.reading.english.times import in_times
from clew.tools.queries.reading.english.words import adjectives, is_superlative, listed

_ALL_OTHERS = (
    ("any", "other"), ("all", "other"), ("all", "others"), ("any", "others"), ("every", "other"),
    ("all", "the", "other"), ("anyone", "else"), ("anybody", "else"), ("anything", "else"), ("everyone", "else"),
    ("all", "the", "others"),
)  # fmt: skip
_GREATEST = {
    "more": "most", "fewer": "fewest", "less": "least", "higher": "highest", "lower": "lowest", "larger": "largest",
    "smaller": "smallest", "greater": "greatest", "bigger": "biggest",
}  # fmt: skip
_DIVIDED = frozenset({
    "grouped", "split", "divided", "separated", "added", "summed", "totalled", "totaled", "counted", "averaged",
    "broken", "break", "breakdown",
})  # fmt: skip
_SHARES = frozenset({"percent", "percentage", "%", "share", "proportion", "fraction"})
_OWNERS = frozenset({"its", "their", "his", "her", "the"})
_ARTICLES = frozenset({"the", "a", "an", "of", "to", "total"})
_BOUNDS = frozenset(
    {"by", "with", "whose", "where", "have", "has", "the", "a", "an", "of", "to", "show", "list", "what"}
)
_BEHIND_COUNT = frozenset({
    "by", "per", "for", "above", "over", "below", "under", "greater", "of", "in", "more", "less", "higher", "lower",
    "at", "each", "every", "between", "is", "and", ">", "<", ">=", "<=", "=",
})  # fmt: skip
_LONGEST_KIND = 3
"""Words that name a kind of thing, at most."""
_TAKING = frozenset({"and", "give", "show", "list", "take", "return", "just", "then", "only", "keep"})
_POLITE = frozenset(
    {"please", "can", "could", "you", "would", "kindly", "now", "and", "then", "i", "want", "to", "me", "let"}
)
"""Words before the verb of a request: "could you please sort …"."""
_BEFORE_HYPHENS = frozenset({
    "second", "third", "fourth", "fifth", "2nd", "3rd", "4th", "5th", "above", "below", "over", "under",
})  # fmt: skip


_PERIODS = frozenset({"year", "quarter", "month", "week", "day", "decade"})
_OF_UNITS = {"hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "year": "yearly"}
_BOUNDING = frozenset({"from", "since", "between", "after", "before", "until", "in"})
_BEHIND_HYPHENS = frozenset({"language", "born", "based"})


def in_order(tokens: Sequence[Token], is_property: Callable[[str], bool] = lambda text: False) -> list[Token]:
    """The words of a question in the order, and the forms, in which they are read.

    Args:
        tokens: The words.
        is_property: Whether a phrase names a property: a "member count" is no number of nodes.
    """
    said = tax_included(asides(apart(asked_plainly(tokens))), is_property)
    said = rephrased(in_stock(said, is_property), is_property)
    said = period_last(each_last(share_first(said_once(compared(in_times(said), is_property)))))
    said = number_of(per(of_each_unit(said, is_property), is_property), is_property)
    return times_in_numbers(degree_by_number(list_sorted(more_than_all(asking_first(said)))))


def asked_plainly(tokens: Sequence[Token]) -> Sequence[Token]:
    """ "is X in Y" for "is it true that X is in Y"."""
    texts = [token.text for token in tokens[:5]]
    if texts[:2] not in (["is", "it"], ["was", "it"]):
        return tokens
    that = 4 if texts[2:4] == ["the", "case"] else 3 if texts[2:3] in _TRUE else 0
    return [tokens[0], *tokens[that + (texts[that : that + 1] == ["that"]) :]] if that else tokens


_TRUE = [["true"], ["correct"], ["right"], ["so"]]


def apart(tokens: Sequence[Token]) -> list[Token]:
    """ "second highest" for "second-highest", "above average" for "above-average"; "part-time people" for
    "part-timers"."""
    found: list[Token] = []
    for token in tokens:
        if token.text in ("st", "nd", "rd", "th") and found and found[-1].end == token.start:
            found[-1] = Token(found[-1].text + token.text, found[-1].start, token.end)
            continue
        first, hyphen, last = token.text.partition("-")
        if last in ("timer", "timers") and first in ("full", "part"):
            found += [replace(token, text=f"{first}-time"), replace(token, text="people")]
            continue
        known = first in _BEFORE_HYPHENS or last in _BEHIND_HYPHENS or is_superlative(first)
        if token.quoted or not hyphen or not known or not last.isalpha():
            found.append(token)
        else:
            middle = token.start + len(first)
            found += [Token(first, token.start, middle), Token(last, middle + 1, token.end)]
    return found


def share_first(tokens: Sequence[Token]) -> list[Token]:
    """ "percentage of films that are in French" for "out of all films, what percent are in French" and for "films in
    French as a percentage of all films"."""
    texts = [token.text for token in tokens]
    place = next((i for i, text in enumerate(texts) if text in _SHARES), None)
    if place is None:
        return list(tokens)
    of = [tokens[place], replace(tokens[place], text="of")]
    if texts[:2] == ["out", "of"] or (texts[:1] == ["of"] and place > 1):
        asked = next((i for i in range(place, 0, -1) if _comma(tokens, i)), None)
        if asked is not None:
            return [*tokens[asked:place], *of, *tokens[texts.index("of") + 1 : asked], *tokens[place + 1 :]]
    if texts[max(0, place - 2) : place] in (["as", "a"], ["in", "a"]) and texts[place + 1 : place + 2] == ["of"]:
        whole = [token for token in tokens[place + 2 :] if token.text not in ("all", "the")]
        part = list(tokens[: place - 2])
        names = [token.text for token in whole]
        start = next((i for i in range(len(part)) if [t.text for t in part[i : i + len(names)]] == names), None)
        if start is not None:
            return [*of, *whole, replace(part[start], text="are"), *part[start + len(names) :]]
    return list(tokens)


def each_last(tokens: Sequence[Token]) -> list[Token]:
    """ "how many orders are there for each customer" for "for each customer, how many orders are there", "number of
    orders for each customer" for "each customer with its number of orders"."""
    texts = [token.text for token in tokens]
    for i, text in enumerate(texts):
        if text not in ("each", "every", "per") or tokens[i].quoted:
            continue
        leads = ("for", "in", "by", "at", "on") if i == 1 else ("for",)
        first = i - 1 if i and texts[i - 1] in leads else i
        ends = range(i + 2, min(i + 2 + _LONGEST_KIND, len(tokens)))
        if i > 1 and (one := next((e for e in ends if _comma(tokens, e) and texts[e : e + 2] == ["the", "one"]), None)):
            return [*_one_of(tokens[:first]), *tokens[one + 2 :], *tokens[first:one]]
        if first < i and (last := next((e for e in ends if _comma(tokens, e)), None)) is not None:
            return [*tokens[:first], *tokens[last:], *tokens[first:last]]
        by = next((e for e in ends if texts[e] == "by"), None)
        if by is not None and first == i and text == "per":  # "top 3 films per genre by runtime"
            return [*tokens[:i], *tokens[by:], *tokens[i:by]]
        joined = None if text == "per" else next((e for e in ends if texts[e] in ("with", "and")), None)
        if joined is not None and texts[joined + 1 : joined + 2] and texts[joined + 1] in _OWNERS:
            return [*tokens[:first], *tokens[joined + 2 :], replace(tokens[i], text="for"), *tokens[i:joined]]
    return list(tokens)


def period_last(tokens: Sequence[Token]) -> list[Token]:
    """ "films from 2015 to 2020 each year" for "films each year from 2015 to 2020"."""
    texts = [token.text for token in tokens]
    for i in range(1, len(tokens) - 2):
        if texts[i] in ("each", "every", "per") and texts[i + 1] in _PERIODS and texts[i + 2] in _BOUNDING:
            return [*tokens[:i], *tokens[i + 2 :], *tokens[i : i + 2]]
    return list(tokens)


def _one_of(tokens: Sequence[Token]) -> list[Token]:
    """ "the film" for "I need one film"."""
    place = next((i for i in range(len(tokens) - 1, -1, -1) if tokens[i].text in ("one", "a", "an", "the")), None)
    return list(tokens) if place is None else [replace(tokens[place], text="the"), *tokens[place + 1 :]]


def per(tokens: Sequence[Token], is_property: Callable[[str], bool] = lambda text: False) -> list[Token]:
    """ "per category" for "broken down by category", "number of" for "break down the number of", "count the", "hourly
    cost" for "cost per hour" where there is one; "price divided by weight" stays."""
    found, i = [], 0
    while i < len(tokens):
        texts = [token.text for token in tokens[i : i + 3]]
        if (len(texts) > 2 and texts[1:] == ["down", "by"] and texts[0] in ("broken", "break", "breakdown")) or (
            texts[1:] == ["up", "by"] and texts[0] in _DIVIDED
        ):
            found.append(replace(tokens[i + 2], text="per", start=tokens[i].start))
            i += 3
        elif (
            texts[:2] == ["divided", "by"] and i and is_property(tokens[i - 1].text) and is_property("".join(texts[2:]))
        ):
            found += tokens[i : i + 2]
            i += 2
        elif texts[1:2] == ["per"] and (of_unit := _OF_UNITS.get(texts[-1])) and is_property(f"{of_unit} {texts[0]}"):
            found += [replace(tokens[i + 2], text=of_unit), tokens[i]]  # "What does it cost per hour"
            i += 3
        elif texts[1:2] == ["by"] and texts[0] in _DIVIDED:
            found.append(replace(tokens[i + 1], text="per", start=tokens[i].start))
            i += 2
        elif i > 1 and len(texts) > 2 and texts[0] == texts[2] and texts[1] == "by":  # "category by category"
            found += [replace(tokens[i + 1], text="per"), tokens[i + 2]]
            i += 3
        elif texts[:2] == ["break", "down"]:
            i += 2
        elif texts in (["in", "terms", "of"], ["with", "regard", "to"], ["with", "respect", "to"]):
            found.append(replace(tokens[i + 2], text="by", start=tokens[i].start))
            i += 3
        elif texts[:2] == ["for", "every"]:
            found += [tokens[i], replace(tokens[i + 1], text="each")]
            i += 2
        elif texts[:2] == ["count", "the"] and not (i and tokens[i - 1].text in _ARTICLES):
            found += [replace(tokens[i], text="number"), replace(tokens[i + 1], text="of")]
            i += 2
        else:
            found.append(tokens[i])
            i += 1
    return found


def number_of(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token]:
    """ "number of films by director" for "films count by director"."""
    texts = [token.text for token in tokens]
    place = next((i for i, text in enumerate(texts) if text == "count" and i), 0)
    first = place
    while first and texts[first - 1] not in _BOUNDS and not tokens[first - 1].quoted and place - first < _LONGEST_KIND:
        first -= 1
    counted = tokens[first:place]
    behind = texts[place + 1 : place + 2]
    if not counted or texts[first] in _ARTICLES or (behind and behind[0] not in _BEHIND_COUNT):
        return list(tokens)
    if is_property(" ".join(texts[first : place + 1])):
        return list(tokens)
    number = [replace(tokens[place], text="number"), replace(tokens[place], text="of")]
    return [*tokens[:first], *number, *counted, *tokens[place + 1 :]]


def _comma(tokens: Sequence[Token], place: int) -> bool:
    """Whether a comma or a colon stands before a word."""
    return tokens[place].start - tokens[place - 1].end >= COMMA


def more_than_all(tokens: Sequence[Token]) -> list[Token]:
    """ "the most orders" for "more orders than any other customer"."""
    texts = [token.text for token in tokens]
    for than in (i for i, text in enumerate(texts) if text == "than"):
        start = than + 1 + (texts[than + 1 : than + 2] in (["in"], ["at"], ["of"], ["for"], ["on"]))
        others = next((len(each) for each in _ALL_OTHERS if texts[start : start + len(each)] == list(each)), None)
        degree = next((i for i in range(than - 1, -1, -1) if superlative_of(texts[i])), None)
        if others is None or degree is None:
            continue
        last = start + others
        kind = len(tokens) > last and texts[start:last][-1] != "else" and not _comma(tokens, last)
        most = replace(tokens[degree], text=superlative_of(texts[degree]) or "")
        return [*tokens[:degree], most, *tokens[degree + 1 : than], *tokens[last + kind :]]
    return list(tokens)


def superlative_of(text: str) -> str | None:
    """The superlative of a comparative."""
    degree = adjectives().get(text)
    most = _GREATEST.get(text) or (f"{text.removesuffix('er')}est" if degree and degree.comparative else None)
    return most if most in _GREATEST.values() or (most and is_superlative(most)) else None


def list_sorted(tokens: Sequence[Token]) -> list[Token]:
    """ "list the films sorted by year" for "sort the films by year"."""
    texts = [token.text for token in tokens]
    verb = next((i for i, text in enumerate(texts) if text not in _POLITE), len(texts))
    asked = texts[verb : verb + 1] != [] and texts[verb] in listed("ordering", "verbs")
    sets = texts[verb + 1 : verb + 2] in (["the"], ["all"], ["these"], ["those"], ["them"])
    place = max((i for i, text in enumerate(texts) if text == "by"), default=0)
    if not (asked and sets) or place <= verb + 1 or texts[place - 1] in listed("ordering", "sorted"):
        return list(tokens)  # "Order 10248 was shipped by whom?" is no request.
    said = "ranked" if texts[verb] == "rank" else "sorted"
    number_of_first = next((i for i in range(place, len(texts) - 1) if texts[i] in ("first", "top")), None)
    if number_of_first is not None and texts[number_of_first - 1] in ("the", "me") and number(texts[-1]) is not None:
        end = next(i for i in range(number_of_first, 0, -1) if texts[i - 1] not in ("the", "me", *_TAKING))
        top = [replace(tokens[number_of_first], text="top"), tokens[-1]]
        return [*top, *(t for t in tokens[verb + 1 : end] if t.text not in ("the", "all"))]
    lead, sort, kept = tokens[:verb], tokens[verb], tokens[verb + 1 : place]
    return [*lead, replace(sort, text="list"), *kept, replace(sort, text=said), *tokens[place:]]
