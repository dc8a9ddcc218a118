"""A whole statement checked by asking: it is read as a yes-or-no question, or the number in it is asked for.

The reader of questions knows more of English than a claim about two names needs: "every", superlatives, totals. A
reading judges only if it says all of the statement (`trusted`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from clew.agents.answering.confidence import of_reading
from clew.agents.linking.index_linker import read
from clew.agents.verifying.claims import Claim, Conjunction, Formula, Negation
from clew.agents.verifying.unknown_names import is_like_names, sure_links
from clew.agents.verifying.verdicts import SUPPORTED, UNKNOWN, Finding
from clew.graphs.reading_signs import reading_signs
from clew.graphs.verify.form_check import FormCheck
from clew.graphs.verify.forms import OF_ALL_OF_THEM, unnamed
from clew.graphs.verify.lookup import ClaimLookup
from clew.graphs.verify.trusted import TOGETHER, says_all
from clew.tools.graph.entity import Mention
from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form import Form, sets
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader, Reading
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import MONTH

_ALIKE = 0.02
"""What a reading may cost more than the best one, where that one does not say all."""
ENOUGH, _OF_TWO = 0.7, 0.8
"""Confidence below which a reading is not used, and below which it does not support a relation of two names."""
ONLY = re.compile(r"\bonly\b(?!\s+(?:\d|one|two|three|four|five|six|seven|eight|nine|ten)\b)", re.I)
"""What no question says: “only sells bread”."""
_NOT = re.compile(r"\b(?:not|never)\b", re.I)
"""A clause with several of them is read as it stands."""
_OF_A_PART = re.compile(r"\b(?:all|every|each|both|none|no|nobody|only|neither|nor|some|who|which|that)\b", re.I)
"""Words beside which "not" may deny a part of the clause alone."""
_NOBODY = re.compile(r"(?:he|she|it|they|you|i)\b", re.I)
_QUANTITY = re.compile(
    r"\b(?:all|every|each|both|none|no|nobody|not|never|total|average|altogether|together|\d[\d,.]*)\b", re.I
)
_JOINT = re.compile(r",?\s+(?:but|while|whereas|and)\s+(?=[A-Z\u201c\"]|the [A-Z])|;\s+")
"""Between two clauses, the second of which names what it is about, …"""
_JOINT_AT_NUMBER = re.compile(
    r",\s+(?:but|while|whereas|and)\s+(?=(?:there|all|every|no|each|exactly|at least|at most|only|\d+"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)"
)
"""… or says how many of something there are."""
_DENIAL = re.compile(
    r"\b(?P<verb>is|are|was|were|do|does|did|has|have|had|can|could|will|would) (?:not|never) (?!all\b|every|only\b)",
    re.I,
)
"""What denies a whole clause: “is not one of the authors of B” denies that it is one."""
_NONE = re.compile(
    r"(?:none\s+of\s+(?:the|our|my|these|those)|no)\s+(?P<kind>[a-z]+(?:\s+[a-z]+){0,2}?)\s+(?P<verb>has|have|had|is|are|was|were)\s+",
    re.I,
)
_OF_SEVERAL = {"has": "have", "is": "are", "was": "were"}
_CLAUSE = 3  # The least number of words of a clause.
_OF_ALL = re.compile(r",?\s+(?:of|among) (?:all|any) (?:(?:the|our) )?[\w ]+$", re.I)
"""“… of all departments” behind a superlative says nothing more."""
_NEARLY = re.compile(
    r"\b(?:just|a little|a bit|slightly|well|far|somewhat)\s+(?=(?:over|under|above|below|more|less)\b)", re.I
)
_BOUNDS: dict[str, Comparison] = {
    "more than": ">", "over": ">", "above": ">", "less than": "<", "fewer than": "<", "under": "<", "below": "<",
    "at least": ">=", "at most": "<=", "exactly": "=", "only": "=", "just": "=", "a total of": "=",
}  # fmt: skip
_NUMBER = re.compile(
    rf"(?<![\w-])(?:\b(?P<bound>{'|'.join(_BOUNDS)})\s+)?(?P<sign>[$£€]\s?)?"
    r"(?P<number>\d[\d,]*(?:\.\d+)?|\b[a-z]+\b)(?![\w-])",
    re.I,
)
_ONE_OF = re.compile(r"one\s+of\b", re.I)
_HAS_MORE = re.compile(r"(?P<one>.+?)\s+ha(?:s|ve|d)\s+(?P<more>(?:an?|more|fewer|less)\s.*\bthan\b.+)", re.I | re.S)
_HAVING = re.compile(r"(.+) (?:has|have|had)", re.I)
_IN_DATE = re.compile(rf"\b(?:{MONTH}|in|since|until)\s+$", re.I)
_DAY_OF = re.compile(rf"(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{MONTH})\b", re.I)
_SECONDS, _SHOWN = 1.0, 3
_WHOLE = 0.95  # The link score of a whole name.
_BOTH, _CLEARLY, _RIVAL = 2, 0.05, 0.15


def asked_statement(lookup: ClaimLookup, text: str, names: Sequence[Mention]) -> tuple[Formula, list[Finding]] | None:
    """A statement as one claim, or as its clauses, each with what was found; None if not all of it is decided.

    Args:
        lookup: Looks up what the graph has.
        text: The statement.
        names: The names in it; those that the graph does not have are without candidates.
    """
    if (counted := _clauses(lookup, text, names, _JOINT_AT_NUMBER)) is not None:
        return counted
    if is_asked_first(text, names) and (whole := _clause(lookup, text, names)) is not None:
        return whole[0], [whole[1]]
    return _clauses(lookup, text, names, _JOINT)


def _clauses(
    lookup: ClaimLookup, text: str, names: Sequence[Mention], joints: re.Pattern[str]
) -> tuple[Formula, list[Finding]] | None:
    """A statement as two clauses, each with its finding; None if not both are decided."""
    for joint in joints.finditer(text):
        if any(name.start < joint.end() and joint.start() < name.end for name in names):
            continue
        spans = (0, joint.start()), (joint.end(), len(text))
        found: list[tuple[Formula, Finding]] = []
        for start, end in spans if all(len(text[start:end].split()) >= _CLAUSE for start, end in spans) else ():
            inside = [replace(m, start=m.start - start, end=m.end - start) for m in names if start <= m.start < end]
            one = _clause(lookup, text[start:end], inside)
            found += [] if one is None else [one]
        if len(found) == len(spans):
            return Conjunction(tuple(formula for formula, _ in found)), [finding for _, finding in found]
    return None


def _clause(lookup: ClaimLookup, text: str, names: Sequence[Mention]) -> tuple[Formula, Finding] | None:
    """A clause with its finding: if it denies something, that with what was found about it."""
    if (some := without_none(text, names)) is not None:
        found = check_asked(lookup, some, names)
        return None if found is None else (Negation(Claim(some, ())), found)
    denials = [each for each in _DENIAL.finditer(text) if not any(n.start <= each.start() < n.end for n in names)]
    if len(denials) != 1 or len(_NOT.findall(text)) > 1 or _OF_A_PART.search(text):
        found = check_asked(lookup, text, names)
        return None if found is None else (Claim(text, ()), found)
    begin, end = denials[0].end("verb"), denials[0].end() - 1
    said = text[:begin] + text[end:]
    moved = [
        replace(m, start=m.start - (end - begin), end=m.end - (end - begin)) if m.start >= end else m for m in names
    ]
    found = check_asked(lookup, said, moved)
    return None if found is None else (Negation(Claim(said, ())), found)


def without_none(text: str, names: Sequence[Mention]) -> str | None:
    """ "There are pubs that have a high risk level", which "none of the pubs has a high risk level" denies; None if a
    text denies nothing in this way, or names something."""
    match = _NONE.match(text) if not names else None
    if match is None:
        return None
    several = is_plural(match["kind"].lower().split()[-1])
    verb = _OF_SEVERAL.get(match["verb"].lower(), match["verb"]) if several else match["verb"]
    return f"There {'are' if several else 'is a'} {match['kind']} that {verb} {text[match.end() :]}"


def is_asked_first(text: str, names: Sequence[Mention]) -> bool:
    """Whether the grammar of statements, which knows what relates two names, knows too little of a text: it names
    fewer than two things, or speaks of all of them, of none, or of a number."""
    linked = [name for name in names if name.candidates]
    return len(linked) < 2 or _QUANTITY.search(unnamed(text, linked)) is not None


def check_asked(lookup: ClaimLookup, text: str, names: Sequence[Mention]) -> Finding | None:
    """The finding of the surest reading of a text as a question; None if none is sure enough, or decides it.

    Args:
        lookup: Looks up what the graph has.
        text: The whole statement, or one claim of it.
        names: The names in the text; those that the graph does not have are without candidates.
    """
    if text not in lookup.asked:
        lookup.asked[text] = _asked(lookup, text, names)
    return lookup.asked[text]


def _asked(lookup: ClaimLookup, text: str, names: Sequence[Mention]) -> Finding | None:
    found = max(_readings(lookup, _NEARLY.sub("", text), names), key=lambda each: each[1], default=None)
    if found is None or found[1] < ENOUGH:
        return None
    reading, sure, rivals = found
    check = FormCheck(lookup, Claim(text, ()), reading, sure)
    finding = check.supported() or check.refuted()
    supported, related = finding["verdict"] == SUPPORTED, sum(bool(name.candidates) for name in names) >= _BOTH
    if supported and related and (sure < _OF_TWO or _is_turned(lookup, text, names, reading)):
        return None
    if supported and any(FormCheck(lookup, Claim(text, ()), each, sure).supported() is None for each in rivals):
        return None
    if finding["verdict"] == UNKNOWN:
        return None
    lookup.span.event("claim", **finding)
    return finding


def _readings(
    lookup: ClaimLookup, text: str, names: Sequence[Mention]
) -> Iterator[tuple[Reading, float, list[Reading]]]:
    """The best reading of each question that a text answers, if it explains all words, its confidence, and its
    rivals."""
    context = lookup.context
    tools = context.tools
    if tools.reader is None or not _knows(text, names, tools.reader) or _NOBODY.match(text) or ONLY.search(text):
        return
    text = _OF_ALL.sub("", text)
    lost = {token.start for token in tools.reader.unmatched(text, [name for name in names if name.candidates])}
    of_all = OF_ALL_OF_THEM.search(unnamed(text, names)) is not None
    for question, bound in _questions(text, lost):
        if of_all and bound is not None and not TOGETHER.search(text):
            continue  # "Every A is over 5" counts nothing.
        readings = _read(lookup, question, names)
        if of_all and bound is None:  # "Every A is B": some are not enough.
            readings = [each for each in readings if each.form.whole is not None]
        shown = [{"words": words(each.form), "cost": round(each.cost, 3), "unexplained": list(each.unexplained)}
                 for each in readings[:_SHOWN]]  # fmt: skip
        lookup.span.event("asked", question=question, readings=shown)
        best = [each for each in readings if each.cost <= readings[0].cost + _ALIKE]
        formed = [(each, form) for each in best if (form := _truth(each.form, bound)) is not None]
        judging = (each for each in formed if says_all(replace(each[0], form=each[1]), text, names, context))
        reading, form = next(judging, (None, None))
        if reading is None or form is None:
            continue
        signs = reading_signs(reading, readings, question, context, answers=1)
        candidates = (c for name in names for c in name.candidates[:1])
        scores = [candidate.score for candidate in candidates if candidate.entity in form.entities]
        yield replace(reading, form=form), of_reading(signs, scores, truncated=False), _rivals(reading, readings)


def _read(lookup: ClaimLookup, question: str, names: Sequence[Mention]) -> list[Reading]:
    """The readings of a question about names that are known, or that are whole names."""
    tools = lookup.context.tools
    assert tools.reader is not None
    linked, known = read(question, tools.index), {mention.text for mention in names if mention.candidates}
    mentions, others = (
        [each for each in sure_links(found) if each.text in known or _is_whole(each)]
        for found in (linked.mentions, linked.alternatives)
    )
    return tools.reader.read(question, mentions, others, min(_SECONDS, lookup.context.run.deadline.remaining))


def _knows(text: str, names: Sequence[Mention], reader: Reader) -> bool:
    """Whether the words of all names mean something in the graph: a value, a nationality, a kind of thing."""
    linked = [mention for mention in names if mention.candidates]
    lost = reader.unmatched(text, linked)
    unknown = [mention for mention in names if not mention.candidates]
    if any(is_like_names(mention.text, reader.names.partly) for mention in unknown):
        return False
    identified = any(not character.isalpha() and character not in " '\u2019." for m in unknown for character in m.text)
    return not identified and not any(m.start <= token.start < m.end for m in unknown for token in lost)


def _is_whole(mention: Mention) -> bool:
    """Whether a mention is the whole name of something."""
    return mention.candidates[0].matcher in ("exact", "normalised") and mention.candidates[0].score >= _WHOLE


def _truth(form: Form, bound: tuple[Comparison, float] | None) -> Form | None:
    """The form of a question as that of what is stated."""
    if bound is None:
        return form if form.asks == "truth" else None
    if form.asks != "number" or form.whole is not None or (form.value is None and not bound[1].is_integer()):
        return None
    return replace(form, asks="truth", bound=bound)


def _is_turned(lookup: ClaimLookup, text: str, names: Sequence[Mention], reading: Reading) -> bool:
    """Whether the words of a relation between two names fit better with the names exchanged: "the birthplace of Oslo
    is Ann"."""
    linked = sorted((name for name in names if name.candidates), key=lambda each: each.start)
    if len(linked) != _BOTH or not (reading.form.nodes.links or reading.form.nodes.within):
        return False
    (one, other), reader = linked, lookup.context.tools.reader
    turned = text[: one.start] + other.text + text[one.end : other.start] + one.text + text[other.end :]
    others = _read(lookup, f"is it true that {turned}?", names) if reader is not None else []
    return bool(others) and not others[0].unexplained and others[0].cost < reading.cost - _CLEARLY


def _rivals(reading: Reading, readings: Sequence[Reading]) -> list[Reading]:
    """The readings that compare another property, as likely as that which a reading compares: "charges more per hour"
    of an hourly rate, and of what all of one's work has cost."""
    if not any(each.than is not None for nodes in sets(reading.form.nodes) for each in nodes.conditions):
        return []
    near = [each for each in readings if each.cost <= reading.cost + _RIVAL and not each.unexplained]
    return [each for each in near if each.form.asks == "truth" and each.form != reading.form]


def _questions(text: str, lost: Set[int]) -> Iterator[tuple[str, tuple[Comparison, float] | None]]:
    """The statement as a yes-or-no question; and those for its numbers, each with what it is said to be. What stands
    behind a number must mean something: `lost` are the beginnings of the words that do not."""
    yield f"is it true that {text}?", None
    if (compared := _HAS_MORE.fullmatch(text.strip(" ."))) is not None:
        yield f"does {compared['one']} have {compared['more']}?", None
    for found in _NUMBER.finditer(text):
        said = number(found["number"].lower())
        if said is None or _IN_DATE.search(text[: found.start()]) or _DAY_OF.match(text, found.end()):
            continue
        if _ONE_OF.match(text, found.start("number")):
            continue  # "Ann is one of the writers."
        counted = [token.start in lost for token in tokens(text) if token.start >= found.end()][:2]
        if counted and all(counted):
            continue
        bound = _BOUNDS.get((found["bound"] or "").lower(), "=")
        before, behind = text[: found.start()].strip(), text[found.end() :].strip()
        having = _HAVING.fullmatch(before)
        before = f"does {having[1]} have" if having and not behind.startswith("of ") else before
        asked = f"how many {behind} {before}" if found["sign"] is None else f"how much do {before} {behind}"
        yield f"{' '.join(asked.split())}?", (bound, said)
