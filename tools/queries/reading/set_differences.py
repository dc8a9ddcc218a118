"""Readings of denials as differences of two sets, each read as a question of its own.

"Halls in which not a single concert took place" are the halls without those in which a concert took place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.choosing.shape import negates
from clew.tools.queries.reading.forms.form import Form, Nodes, sets
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import cost, with_features
from clew.tools.queries.reading.presentation.said import LONGEST
from clew.tools.queries.reading.question_parts import Named, Parts, trimmed

_DONE = r"(?:\w+(?:ed|en)|caught|sold|paid|sent|made|held|met|won|lost|given|led|done|built|bought|taught|used|let)\b"
_AGAIN = r"(?: (?:yet|ever|once|even|been))*"
_CUES = tuple(
    re.compile(each, re.IGNORECASE)
    for each in (
        rf"\b(?P<kept>has|have|had|is|are|was|were)(?: never| not|n['\u2019]t){_AGAIN}\b",
        rf"\b(?:did|do|does)(?: never| not|n['\u2019]t){_AGAIN}\b",
        r"\b(?:has|have|had) yet to\b",
        r"\b(?P<kept>with)out(?: (?:a single|any|even one|so much as)\b)?",
        rf"\bnever{_AGAIN}\b",
        rf"\bnot(?: yet)? (?={_DONE})",
        r"\bnot (?:a single|one|any)\b", r"\bnone of\b",
        r"\bno (?!(?:more|less|fewer|longer|later|earlier|idea|on|to|in|for|at|by|and|or|votes?)\b)(?=[a-z])",
    )
)  # fmt: skip
"""What denies; what is kept of it says the same of those of which it is true."""
_RELATIVES = re.compile(
    r"\b(?:(?:in|at|on|to|for|of|with|by|from) (?:which|whom)|who|that|which|whose|whom|where)\b", re.IGNORECASE
)
_SUBJECTS = re.compile(r"\b(?:we|you|they|i|he|she)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE)
_REST = re.compile(
    r"\b(?:a single|at all|so far|until now|to date|as yet|any)\b|,?\s*(?:please)?\s*[?.!]*\s*\Z", re.IGNORECASE
)
_LEFT_OUT = r"(?:except(?: for)?|apart from|other than|besides|leaving out|not counting|excluding)\s+"
_EXCEPT = re.compile(rf"\A\W*{_LEFT_OUT}(?P<left>[^,:]+)[,:]\s*", re.IGNORECASE)
_EXCEPT_AT_END = re.compile(rf",?\s+{_LEFT_OUT}(?P<left>[^,:?]+?)\s*[?.!]*\s*\Z", re.IGNORECASE)
_COUNTS = re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)
_POINTING = re.compile(r"\b(?:it|its|them|their|they|he|she|his|her|him)\b", re.IGNORECASE)
"""What stands for the thing that is left out."""
_SURELY, _AGREES = 1.0, 3.0
"""Costs below which a reading that denies something stands, whatever is left out, and whatever is not true."""
_DEAREST, _KEPT = 4.0, 3
"""Cost above which the reading of a part is not trusted, and readings of each part that are tried."""
_GUESS, _AFFIRMED = ("guess", 0.3), ("unexplained", 1.0)


def with_differences(readings: Sequence[Reading], parts: Parts) -> list[Reading]:
    """The readings of a question, with those in which what it denies is taken from a set.

    Args:
        readings: Those of the question as a whole.
        parts: The question, and how its parts are read.
    """
    denies = [each for each in readings if _denies_value(each.form) or _denies_link(each.form)]
    least = min((each.cost for each in denies if not each.unexplained), default=_AGREES)
    if len(parts.question) > LONGEST or least < _SURELY:
        return list(readings)
    found = list(_without(parts)) if least >= _AGREES else []
    found += _left_out(parts)
    if not found:
        return list(readings)
    others = [each if each in denies else _against(each) for each in readings]
    return sorted([*found, *others], key=lambda each: each.cost)


def _denies_value(form: Form) -> bool:
    """Whether a value of the set itself is denied."""
    return negates([replace(form.nodes, links=(), without=())])


def _denies_link(form: Form) -> bool:
    """Whether a relation is denied, or a set left out; "fined, but not for speeding" is less than "not fined"."""
    every = sets(form.nodes)
    links = [link for nodes in every for link in nodes.links]
    nothing = [link.path for link in links if link.negated and link.other.bare]
    contradicts = any(link.positive and link.path in nothing for link in links)  # Led by Ann, but by nobody.
    return not contradicts and (any(link.negated for link in links) or any(nodes.without for nodes in every))


def _without(parts: Parts) -> Iterator[Reading]:
    """Those of a kind of which something is not true."""
    question, named = parts.question, parts.named
    names = [(m.start, m.end) for m in named[0]]
    cues = (each for pattern in _CUES for each in pattern.finditer(question))
    cue = next((each for each in cues if not any(s < each.end() and each.start() < e for s, e in names)), None)
    end = _end_of_whole(question, cue.start(), named) if cue is not None else 0
    if cue is None or not end:
        return
    kept = cue.span("kept") if cue.groupdict().get("kept") else (cue.start(), cue.start())
    affirmed = _spans(question, [(0, kept[1]), (cue.end(), len(question))])
    whole, part = (_read(parts, spans) for spans in (_spans(question, [(0, end)]), affirmed))
    for every in whole:
        for some in part:
            form = _difference(every.form, some.form.nodes)
            if form is not None:
                counted = form.asks == "nodes" and _COUNTS.search(question) is not None
                form = replace(form, asks="number", function="count") if counted else form
                features = (*every.features, *some.features, _GUESS)
                dear = max(every.cost, some.cost) + cost([_GUESS])
                yield Reading(form, dear, features, tuple(dict.fromkeys((*every.unexplained, *some.unexplained))))


def _end_of_whole(question: str, cue: int, named: Named) -> int:
    """Where the words for the whole set end, before what is denied of it; 0 where there are none."""
    before = question[:cue]
    relatives = [each.start() for each in _RELATIVES.finditer(before) if before[: each.start()].strip()]
    subject = _SUBJECTS.search(before)
    adjacent = [m.start for m in named[0] if m.end <= cue and not before[m.end :].strip() and m.start]
    ends = [*relatives[-1:], *([subject.start()] if subject is not None else []), *adjacent]
    return min(ends) if relatives else max(ends, default=len(before.rstrip()))


def _spans(question: str, parts: Sequence[Span]) -> list[Span]:
    """Parts of a question without the words that only stress a denial."""
    found: list[Span] = []
    for start, end in parts:
        at = start
        for each in _REST.finditer(question, start, end):
            found.append((at, each.start()))
            at = each.end()
        found.append((at, end))
    return [span for span in (trimmed(question, each) for each in found) if span[0] < span[1]]


def _read(parts: Parts, spans: Sequence[Span]) -> list[Reading]:
    return [each for each in parts.readings(*spans) if each.cost <= _DEAREST][:_KEPT]


def _difference(form: Form, part: Nodes) -> Form | None:
    """A form without the nodes of a part of its set; None where it is no part."""
    whole = form.nodes
    more = (part.links, part.conditions, part.entities) != (whole.links, whole.conditions, whole.entities)
    if whole.label != part.label or not more or whole.entities or part.order is not None or negates([part]):
        return None
    own = replace(
        part,
        links=tuple(each for each in part.links if each not in whole.links),
        conditions=tuple(each for each in part.conditions if each not in whole.conditions),
    )
    return replace(form, nodes=replace(whole, without=(*whole.without, own))) if not own.bare else None


def _left_out(parts: Parts) -> Iterator[Reading]:
    """All but what is named first, or last: "apart from the depot, where do we keep it?"."""
    question = parts.question
    found = _EXCEPT.match(question) or _EXCEPT_AT_END.search(question)
    if found is None or _POINTING.search(question, found.end()):
        return
    rest = (found.end(), len(question)) if found.end() < len(question) else (0, found.start())
    mention = next((each for each in parts.named_in(found.span("left")) if each.candidates), None)
    for reading in _read(parts, _spans(question, [rest])):
        label = reading.form.nodes.label
        of = [each.entity for each in mention.candidates if each.entity.label == label] if mention is not None else []
        if of:
            nodes = replace(reading.form.nodes, without=(*reading.form.nodes.without, Nodes(label, (of[0],))))
            yield with_features(replace(reading, form=replace(reading.form, nodes=nodes)), _GUESS)


def _against(reading: Reading) -> Reading:
    """A reading that denies nothing, at a cost."""
    return with_features(reading, _AFFIRMED)
