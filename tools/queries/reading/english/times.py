"""Other words for years and for what came last: "between 1990 and 1995" for "1990-1995"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import unit_measure
from clew.tools.queries.values import MONTHS

_RANGES: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = (
    (("in", "the", "range"), (("to",), ("and",))),
    (("at", "least"), (("and", "at", "most"), ("but", "at", "most"), ("and", "no", "more", "than"))),
)
_TO = (("to",), ("through",), ("thru",), ("till",), ("until",), ("up", "to"), ("up", "to", "and", "including"))
_FROM = (
    ("from",),
    ("between",),
    ("in", "the", "years"),
    ("in",),
    ("during",),
    ("no", "earlier", "than"),
    ("the", "years"),
)
_ENDS = (*_TO, ("and",), ("and", "no", "later", "than"), ("and", "not", "later", "than"))
_RATES = {"yearly": "year", "annual": "year", "monthly": "month", "quarterly": "quarter"}
_ENDMOST = {"last": "last", "latest": "last", "first": "first", "earliest": "first"}
_PARTICIPLES = frozenset({"born", "built", "made", "held", "sent", "sold", "begun", "written", "won", "bought"})
_WORKED_OUT = frozenset({"divided", "exceeded", "increased", "multiplied", "reduced", "sorted", "ordered", "ranked"})
_ONWARDS = frozenset({"on", "onward", "onwards", "forward", "upwards"})
_HAPPENED = {
    ("took", "place"): "happened", ("take", "place"): "happen", ("takes", "place"): "happens",
    ("taken", "place"): "happened", ("was", "held"): "happened", ("were", "held"): "happened",
}  # fmt: skip
_BOUNDS = {
    **dict.fromkeys(("after", "later", "newer", "since"), "since"),
    **dict.fromkeys(("before", "earlier", "older", "sooner"), "until"),
}
_OF_TIMES = frozenset({"on", "in", "before", "after", "between", "since", "during", "from"})
_LONGEST_KIND = 3
"""Words that name a kind of thing, at most."""


def in_times(tokens: Sequence[Token]) -> list[Token]:
    """The words of a question with its years, and what came first or last, in the words that are read."""
    said = _within(_or_later(_dated(_done_by(_onwards(_on_or_after(_happened(tokens)))))))
    return _endmost(_year_first(_each_year(_years(_ranges(_apart(said))))))


def _happened(tokens: Sequence[Token]) -> list[Token]:
    """ "happened on 3 May" for "took place on 3 May" and "was held on 3 May"; "when did it happen"."""
    texts = [token.text for token in tokens]
    for at, pair in enumerate(pairwise(texts)):
        verb = _HAPPENED.get(pair)
        if verb and (_asks_when(texts) or _is_time(texts[at + 2 : at + 4])):
            return [*tokens[:at], replace(tokens[at], text=verb, end=tokens[at + 1].end), *tokens[at + 2 :]]
    return list(tokens)


def _asks_when(texts: Sequence[str]) -> bool:
    return "when" in texts[:1] or ("date" in texts[:3] and "take" in texts)


def _is_time(texts: Sequence[str]) -> bool:
    """Whether words are a preposition and the beginning of a date."""
    return len(texts) > 1 and texts[0] in _OF_TIMES and (texts[1][0].isdecimal() or texts[1] in MONTHS)


def _onwards(tokens: Sequence[Token]) -> list[Token]:
    """ "since May 2024" for "from May 2024 onwards"; but not "from platform 4 on Friday"."""
    texts = [token.text for token in tokens]
    for end, text in enumerate(texts):
        if text not in _ONWARDS or "from" not in texts[:end] or (text == "on" and end + 1 < len(texts)):
            continue
        begin = max(i for i in range(end) if texts[i] == "from")
        if any(each.isdecimal() for each in texts[begin:end]):
            since = replace(tokens[begin], text="since")
            return [*tokens[:begin], since, *tokens[begin + 1 : end], *tokens[end + 1 :]]
    return list(tokens)


def _on_or_after(tokens: Sequence[Token]) -> list[Token]:
    """ "since July 2024" for "in or after July 2024", "until 3 May" for "on or before 3 May"."""
    texts = [token.text for token in tokens]
    for at in range(len(texts) - 3):
        bound = _BOUNDS.get(texts[at + 2]) if texts[at] in ("in", "on", "from") and texts[at + 1] == "or" else None
        if bound is not None:
            return [*tokens[:at], replace(tokens[at], text=bound, end=tokens[at + 2].end), *tokens[at + 3 :]]
    return list(tokens)


def _within(tokens: Sequence[Token]) -> list[Token]:
    """ "up to 5 days" for "within 5 days", but not "within 5 days of the order"."""
    texts = [token.text for token in tokens]
    for at, text in enumerate(texts[:-2]):
        of = texts[at + 3 : at + 4] and texts[at + 3] in ("of", "from", "after", "before")
        if text == "within" and _is_number(tokens[at + 1]) and unit_measure(singular(texts[at + 2])) and not of:
            up = replace(tokens[at], text="up", end=tokens[at].start)
            return [*tokens[:at], up, replace(tokens[at], text="to"), *tokens[at + 1 :]]
    return list(tokens)


def _or_later(tokens: Sequence[Token]) -> list[Token]:
    """ "since 2019" for "in 2019 or later", "until May 2024" for "from May 2024 or before"."""
    texts = [token.text for token in tokens]
    for at in range(2, len(texts) - 1):
        bound = _BOUNDS.get(texts[at + 1]) if texts[at] == "or" and _is_year(tokens[at - 1]) else None
        begin = at - 2 - (at > 2 and texts[at - 2] in MONTHS)
        if bound is not None and texts[begin] in ("in", "from", "during"):
            since = replace(tokens[begin], text=bound)
            return [*tokens[:begin], since, *tokens[begin + 1 : at], *tokens[at + 2 :]]
    return list(tokens)


def _done_by(tokens: Sequence[Token]) -> list[Token]:
    """ "resolved until March 2023" for "resolved by March 2023"; "multiplied by 2000" is no time."""
    found = list(tokens)
    for at in range(1, len(tokens) - 1):
        before, last = tokens[at - 1].text, tokens[at + 1 : at + 3]
        month = last[0].text in MONTHS and len(last) > 1 and _is_year(last[1])
        done = _is_participle(before) and before not in _WORKED_OUT
        if tokens[at].text == "by" and done and (month or _is_year(last[0])):
            found[at] = replace(tokens[at], text="until")
    return found


def _dated(tokens: Sequence[Token]) -> list[Token]:
    """ "published in 1951" for "published 1951" and "published back in 1951"."""
    found: list[Token] = []
    for place, token in enumerate(tokens):
        before = found[-1].text if found else ""
        if token.text == "back" and [each.text for each in tokens[place + 1 : place + 2]] == ["in"]:
            continue
        if _is_year(token) and _is_participle(before):
            found.append(replace(token, text="in", end=token.start))
        found.append(token)
    return found


def _apart(tokens: Sequence[Token]) -> list[Token]:
    """ "1990 to 1995" for "1990-1995", whose words are 1990 and -1995."""
    found: list[Token] = []
    for token in tokens:
        second = replace(token, text=token.text.lstrip("-\u2013"), start=token.start + 1)
        adjacent = bool(found) and token.start == found[-1].end and token.text != second.text
        numbers = adjacent and found[-1].text.isdecimal() and second.text.isdecimal()
        if numbers and _is_year(found[-1]) and _is_year(second):
            found += [replace(token, text="to", end=token.start), second]
        elif numbers and int(found[-1].text) < int(second.text):
            low = found.pop()
            found += [
                replace(low, text="between", end=low.start),
                low,
                replace(token, text="and", end=token.start),
                second,
            ]
        else:
            found.append(token)
    return found


def _years(tokens: Sequence[Token]) -> list[Token]:
    """ "between 1990 and 1995" for "from 1990 through 1995" and the like."""
    texts = [token.text for token in tokens]
    for place, token in enumerate(tokens):
        joined = _at(texts, place + 1, _ENDS)
        other = place + 1 + joined
        if not (joined and _is_year(token) and other < len(tokens) and _is_year(tokens[other])):
            continue
        lead = max((len(each) for each in _FROM if tuple(texts[max(0, place - len(each)) : place]) == each), default=0)
        between = [replace(token, text="between", end=token.start), token]
        and_ = replace(tokens[place + 1], text="and")
        return [*tokens[: place - lead], *between, and_, *tokens[other:]]
    return list(tokens)


def _ranges(tokens: Sequence[Token]) -> list[Token]:
    """ "between 5 and 10" for "in the range 5 to 10" and "at least 5 and at most 10"."""
    texts = [token.text for token in tokens]
    for begins, ends in _RANGES:
        lead = next((i for i in range(len(texts)) if tuple(texts[i : i + len(begins)]) == begins), None)
        low = lead + len(begins) if lead is not None else len(texts)
        low += texts[low : low + 1] in (["from"], ["of"])
        joined = next((len(each) for each in ends if tuple(texts[low + 1 : low + 1 + len(each)]) == each), 0)
        high = low + 1 + joined
        if lead is not None and joined and high < len(texts) and _is_number(tokens[low]) and _is_number(tokens[high]):
            between, and_ = replace(tokens[lead], text="between"), replace(tokens[low + 1], text="and")
            return [*tokens[:lead], between, tokens[low], and_, *tokens[high:]]
    return list(tokens)


def _is_number(token: Token) -> bool:
    return not token.quoted and token.text[:1].isdecimal()


def _each_year(tokens: Sequence[Token]) -> list[Token]:
    """ "number of orders per year" for "yearly number of orders" and "year by year, how many orders"."""
    texts = [token.text for token in tokens]
    if texts[1:2] == ["by"] and texts[:1] == texts[2:3] and texts[0] in _RATES.values():
        return [*tokens[3:], replace(tokens[1], text="per"), tokens[2]]
    for place, text in enumerate(texts[:-2]):
        if text in _RATES and texts[place + 1] in ("number", "count") and texts[place + 2] == "of":
            per = [replace(tokens[place], text="per"), replace(tokens[place], text=_RATES[text])]
            number = replace(tokens[place + 1], text="number")
            return [*tokens[:place], number, *tokens[place + 2 :], *per]
    return list(tokens)


def _year_first(tokens: Sequence[Token]) -> list[Token]:
    """ "orders in 1997 per month" for "orders per month in 1997"."""
    texts = [token.text for token in tokens]
    dated = len(texts) > 4 and texts[-2] in ("in", "during", "of", "for") and _is_year(tokens[-1])
    if dated and texts[-4] in ("per", "each", "every", "by") and texts[-3] in ("year", "month", "quarter"):
        return [*tokens[:-4], replace(tokens[-2], text="in"), tokens[-1], *tokens[-4:-2]]
    return list(tokens)


def _endmost(tokens: Sequence[Token]) -> list[Token]:
    """ "which employee was hired last" for "the last employee to be hired" and "which one was the last to be hired"."""
    texts = [token.text for token in tokens]
    place = next((i for i in range(len(texts) - 2) if texts[i : i + 2] == ["to", "be"]), None)
    first = next((i for i, text in enumerate(texts[:place]) if text in _ENDMOST), None) if place else None
    if place is None or first is None or place - first > _LONGEST_KIND:
        return list(tokens)
    kind, done, rest = tokens[first + 1 : place], tokens[place + 2], tokens[place + 3 :]
    last = replace(tokens[first], text=_ENDMOST[texts[first]])
    if not kind or [token.text for token in kind] == ["one"]:
        before = tokens[: first - (texts[first - 1] == "the")]
        return [*before, done, last, *rest]
    return [replace(tokens[place], text="which"), *kind, replace(tokens[place + 1], text="was"), done, last, *rest]


def _at(texts: Sequence[str], place: int, phrases: Sequence[tuple[str, ...]]) -> int:
    """How many words of the longest of some phrases stand at a place."""
    return max((len(each) for each in phrases if tuple(texts[place : place + len(each)]) == each), default=0)


def _is_participle(text: str) -> bool:
    return text.endswith("ed") or text in _PARTICIPLES


def _is_year(token: Token) -> bool:
    return not token.quoted and token.text.isdecimal() and len(token.text) == 4 and "1500" <= token.text < "2100"
