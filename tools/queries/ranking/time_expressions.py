"""The times that a question speaks of, found by its words: "in 1979", "when X was Y", "before X", "when did …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from clew.tools.graph.entity import Mention
from clew.tools.graph.temporal import Moment, Period, read_period
from clew.tools.queries.lexical import Span, overlaps
from clew.tools.queries.values import MONTHS

Side = Literal["both", "start", "end"]

HINT = re.compile(
    r"\b(?:[12]\d{3}s?|when|while|whilst|since|until|till|during|before|after|prior|time|year|years|first|last|latest"
    r"|earliest|recent|recently|long|succeed\w*|success\w*|preced\w*|predecess\w*|replac\w*|follow\w*|took over)\b",
    re.I,
)
"""A question without any of these words speaks of no time."""

_MONTH = "(?:" + "|".join(form for form in MONTHS if form != "sept") + ")"
_YEAR = r"[12]\d{3}"
_MOMENT = (
    rf"(?:the )?(?:years? )?(?:{_YEAR}-\d\d(?:-\d\d)?|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\.?,? {_YEAR}"
    rf"|{_MONTH}\.? (?:\d{{1,2}}(?:st|nd|rd|th)?,? )?{_YEAR}|{_YEAR}s?)(?![\w-])"
)
_LEADING = re.compile(r"\W*(?:(?:since|until|from|till)\s+)?", re.I)
_A_MOMENT = re.compile(_MOMENT, re.I)
_AUXILIARY = re.compile(r"(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could)\b", re.I)
"""What follows a "when" that asks: "when was X, the Y, founded"."""
_BETWEEN = re.compile(
    rf"\b(?:(?:in|during|over|for) (?:the (?:years|period) )?)?(?:(?:between|from)\s+(?P<a>{_MOMENT})\s*"
    rf"(?:and|to|until|till|through|up to|-|\u2013)\s*(?P<b>{_MOMENT})|(?P<c>{_YEAR})\s?[-\u2013]\s?(?P<d>{_YEAR})\b)",
    re.I,
)
_ALONE = re.compile(
    rf"\b(?P<word>since|from|starting in|until|till|up to|before|prior to|earlier than|after|later than|following"
    rf"|in|during|on|of|for|at|as of|by)\s+(?P<moment>{_MOMENT})",
    re.I,
)
_STARTING = re.compile(
    r"\b(?:became|become|elected|appointed|inaugurated|installed|join(?:ed)?|took over|take over|took office|"
    r"takes? office|start(?:ed)?|began|begun|begin|signed|hired)\b",
    re.I,
)
_ENDING = re.compile(
    r"\b(?:left|leave|resign(?:ed)?|step(?:ped)? down|retired?|quit|ceased?|stop(?:ped)?|ended)\b", re.I
)
_ASKS_WHEN = re.compile(
    r"^\W*(?:(?:please )?(?:tell me|say) )?(?P<words>(?:(?:since|until|from|till) )?when\b|(?:in |during |for |since |"
    r"over )?(?:what|which) (?:years?|dates?|days?|months?|periods?(?: of time)?|times?)\b|at what time\b|"
    r"(?:for )?how long\b)",
    re.I,
)
_SIDES: tuple[tuple[re.Pattern[str], Side], ...] = ((_STARTING, "start"), (_ENDING, "end"))
_FIRST = re.compile(r"\b(?P<first>first|earliest)\b|\b(?:last|latest|most recent(?:ly)?)\b", re.I)
_LINK = (
    r"(?:while|whilst|during|(?:during|at|in) the (?:same )?(?:time|period|years?)(?: as)?"
    r"(?: of| that| when| in which)?|when|before|prior to|after|until|since|as soon as)"
)
_CONJUNCTION = re.compile(rf"\b(?P<word>{_LINK})\s+", re.I)
Order = Literal["before", "after"]
_SEQUENCE: tuple[tuple[re.Pattern[str], Order], ...] = (
    (re.compile(r"\b(?:succeeded|replaced|followed|took over from|taken over from|came after|comes after)\s+", re.I),
     "after"),
    (re.compile(r"\b(?:preceded|came before|comes before)\s+", re.I), "before"),
    (re.compile(r"\b(?:successors? (?:of|to)|(?:next|immediately|directly|right) after)\s+", re.I), "after"),
    (re.compile(r"\b(?:predecessors? (?:of|to)|(?:immediately|directly|right|just) before)\s+", re.I), "before"),
)  # fmt: skip
"""Words before the holder that another one came before or after."""
_SEQUENCE_BEHIND: tuple[tuple[re.Pattern[str], Order], ...] = (
    (re.compile(r"(?:'s|\u2019s?|')?\s+(?:immediate |direct )?successors?\b", re.I), "after"),
    (re.compile(r"(?:'s|\u2019s?|')?\s+(?:immediate |direct )?predecessors?\b", re.I), "before"),
    (re.compile(r"\s+(?:succeed|replace|follow|take over from|come after)\b", re.I), "before"),
    (re.compile(r"\s+(?:precede|come before)\b", re.I), "after"),
)
"""Words behind the holder: "did X succeed" asks for the one before X."""
_PASSIVE_BY = re.compile(r"\b(?P<word>succeeded|replaced|followed|preceded)\s+by\s+", re.I)
_NAMED_ALONE = re.compile(r"\s*(?:$|[,?.!;]|\b(?:as|at|in|of|for|on|to|with|who|which|what)\b)", re.I)
"""What follows an entity that stands for a time by itself: "before X", "after X as mayor", "during X, who …"."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A fact that gives the time: "when X was Y", "during X", "before X"; without a verb of its own it names X only."""

    relation: Literal["during", "before", "after"]
    span: Span
    holder: Mention | None
    """The only thing that it names, if it has no verb: a former holder, or an event."""


@dataclass(frozen=True, slots=True)
class TimeExpressions:
    """What a question says about time."""

    period: Period | None = None
    period_span: Span | None = None
    clause: Clause | None = None
    asks: Side | None = None
    """Which part of a fact's time the question asks for."""
    asks_span: Span | None = None
    turn: bool | None = None
    """True for the last, False for the first."""
    turn_span: Span | None = None
    certain: bool = False
    """Whether "first" or "last" is said of turns, rather than "latest", which may be said of anything with a year."""
    side: Side = "both"
    """Whether the facts asked for begin or end in the period: "who became …", "who left …"."""

    @property
    def spans(self) -> list[Span]:
        """The parts of the question that these words take up."""
        clause = self.clause.span if self.clause is not None else None
        found = (self.period_span, clause, self.asks_span, self.turn_span)
        return [span for span in found if span is not None]


def find_time_expressions(question: str, mentions: Sequence[Mention], names: Sequence[Span]) -> TimeExpressions | None:
    """What the question says about time, None where it says nothing; words inside `names` are names."""
    if HINT.search(question) is None:
        return None

    def free(start: int, end: int) -> bool:
        return not overlaps(start, end, names)

    clause = _clause(question, mentions, free)
    outside = [clause.span] if clause is not None else []
    found_period = next(_periods(question, free, outside), None)
    asks = _ASKS_WHEN.match(question)
    asked = (
        asks.span("words") if asks and free(*asks.span("words")) and not _inside(asks.span("words"), outside) else None
    )
    turn = next((m for m in _FIRST.finditer(question) if free(*m.span()) and not _inside(m.span(), outside)), None)
    if clause is None and found_period is None and asked is None and turn is None:
        return None
    side = _side(question, free, outside)
    return TimeExpressions(
        period=found_period[0] if found_period else None,
        period_span=found_period[1] if found_period else None,
        clause=clause,
        asks=None if asked is None else _asked_side(question[asked[0] : asked[1]], side),
        asks_span=asked,
        turn=None if turn is None else turn["first"] is None,
        turn_span=None if turn is None else turn.span(),
        certain=turn is not None and turn.group().lower() in ("first", "last"),
        side=side,
    )


def _inside(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < end and span[1] > start for start, end in others)


def _asked_side(words: str, side: Side) -> Side:
    """ "Since when" and "when did X become" ask for the start, "how long" for the whole."""
    first = words.lower().split()[0]
    if "long" in words.lower():
        return "both"
    return "start" if first in ("since", "from") else "end" if first in ("until", "till") else side


def _side(question: str, free: Callable[[int, int], bool], outside: Sequence[Span]) -> Side:
    for pattern, side in _SIDES:
        for match in pattern.finditer(question):
            if free(*match.span()) and not _inside(match.span(), outside):
                return side
    return "both"


# ---- periods ---------------------------------------------------------------------------------------------------------


def _periods(question: str, free: Callable[[int, int], bool], outside: Sequence[Span]) -> Iterator[tuple[Period, Span]]:
    """The periods that the question names, those with two ends first."""
    for match in _BETWEEN.finditer(question):
        since, to = _moment(match["a"] or match["c"]), _moment(match["b"] or match["d"])
        if since and to and since.first <= to.last and free(*match.span()) and not _inside(match.span(), outside):
            yield Period(since.start, to.end), match.span()
    for match in _ALONE.finditer(question):
        moment = _moment(match["moment"])
        if moment is not None and free(*match.span()) and not _inside(match.span(), outside):
            yield _open(match["word"].lower(), moment), match.span()


def _open(word: str, moment: Period) -> Period:
    """The period that a preposition makes of a moment."""
    if word in ("since", "from", "starting in"):
        return Period(moment.start, None)
    if word in ("until", "till", "up to", "by"):
        return Period(None, moment.end)
    if word in ("before", "prior to", "earlier than"):
        return Period(None, _next(moment.start, -1))
    if word in ("after", "later than", "following"):
        return Period(_next(moment.end, 1), None)
    return moment


def _next(moment: Moment | None, step: int) -> Moment | None:
    if isinstance(moment, date):
        return moment + timedelta(days=step)
    return None if moment is None else moment + step


def _moment(text: str) -> Period | None:
    """ "1979", "the 1980s", "May 1979", "3 May 1979", "1979-05-03"."""
    text = re.sub(r"^(?:the )?(?:years? )?", "", text.strip(), flags=re.I)
    if re.fullmatch(rf"{_YEAR}s", text):
        year = int(text[:4])
        return Period(year, year + (99 if year % 100 == 0 and year < 2000 else 9))
    month = re.search(rf"\b{_MONTH}", text, re.I)
    if month is None:
        return read_period(text)
    day = re.search(r"\b\d{1,2}(?=\D)", text)
    number = MONTHS[month.group().lower()[:3]]
    return read_period(f"{text[-4:]}-{number:02}" + (f"-{int(day.group()):02}" if day else ""))


# ---- clauses ---------------------------------------------------------------------------------------------------------


def _clause(question: str, mentions: Sequence[Mention], free: Callable[[int, int], bool]) -> Clause | None:
    """The part of the question that gives the time by another fact."""
    ordered = sorted(mentions, key=lambda m: m.start)
    return _sequence(question, ordered, free) or _subordinate(question, ordered, free)


def _sequence(question: str, mentions: Sequence[Mention], free: Callable[[int, int], bool]) -> Clause | None:
    """ "Succeeded X", "X's predecessor", "did X replace"."""
    for match in _PASSIVE_BY.finditer(question):
        holder = _following(question, match.end(), mentions)
        if holder is not None and free(*match.span()):
            earlier = match["word"].lower() != "preceded"
            return Clause("before" if earlier else "after", (match.start(), holder.end), holder)
    for pattern, relation in _SEQUENCE:
        for match in pattern.finditer(question):
            holder = _following(question, match.end(), mentions)
            if holder is not None and free(*match.span()):
                return Clause(relation, (match.start(), holder.end), holder)
    for holder in mentions:
        for pattern, relation in _SEQUENCE_BEHIND:
            behind = pattern.match(question, holder.end)
            if behind is not None and free(*behind.span()):
                return Clause(relation, (holder.start, behind.end()), holder)
    return None


def _subordinate(question: str, mentions: Sequence[Mention], free: Callable[[int, int], bool]) -> Clause | None:
    """A clause that a conjunction begins, up to the comma after it or the end; only as far as the name where no verb
    follows it."""
    for match in _CONJUNCTION.finditer(question):
        if not free(*match.span()):
            continue
        start, end = match.start(), _clause_end(question, match.end(), mentions)
        inside = [m for m in mentions if start < m.start and m.end <= end]
        leading = _LEADING.fullmatch(question[:start])
        asking = leading and (end >= len(question.rstrip(" ?.!")) or _AUXILIARY.match(question, match.end()))
        if not inside or asking or _A_MOMENT.match(question, match.end()):
            continue
        relation = _relation(match["word"].lower())
        holder = _following(question, match.end(), mentions)
        if holder is not None and _NAMED_ALONE.match(question, holder.end):
            return Clause(relation, (start, holder.end), holder)
        return Clause(relation, (start, end), None)
    return None


def _relation(word: str) -> Literal["during", "before", "after"]:
    if word in ("before", "prior to", "until"):
        return "before"
    return "after" if word in ("after", "since", "as soon as") else "during"


def _clause_end(question: str, start: int, mentions: Sequence[Mention]) -> int:
    """The first comma that is not part of a name, else the end."""
    for match in re.finditer(r",|[?!.;]\s*$", question[start:]):
        place = start + match.start()
        if not any(m.start <= place < m.end for m in mentions):
            return place
    return len(question)


def _following(question: str, start: int, mentions: Sequence[Mention]) -> Mention | None:
    """The mention that begins here, an article aside."""
    article = re.compile(r"(?:the |a |an )?", re.I).match(question, start)
    begin = article.end() if article else start
    return next((m for m in mentions if m.start in (start, begin)), None)
