"""Follow-up questions without a model: "it", "they", "that film" and "what about X?" are resolved from a conversation.

Rules over the entities and answers of earlier turns. The kind of a label decides what a pronoun may refer to, and the
nearest turn wins. If several entities fit, all are given, likeliest first, and the ranking of queries chooses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from clew.agents.kinds import Kind, label_kind, names_label, noun_kind
from clew.tools.graph.entity import Entity, Mention

Find = Callable[[str], Sequence[Mention]]
"""Finds the mentions in a text, as the linker does."""

_MOST_TOGETHER, _MOST_CHOICES = 10, 3
_REACH = 5
"""Turns back to which a pronoun may refer."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An earlier question and its answers."""

    resolved: str
    mentions: tuple[Mention, ...]
    """The question's entities, with their spans in `resolved`."""
    answers: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """`question[start:end]` stands for these entities: one of them, or all of them together."""

    start: int
    end: int
    entities: tuple[Entity, ...]
    together: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """A question that can be understood without the conversation."""

    question: str
    given: tuple[Given, ...] = ()
    rule: str = ""
    """What was done, for people; "" if nothing was taken from the conversation."""


def resolve(question: str, turns: Sequence[PastTurn], find: Find) -> Resolution:
    """The question with everything that it takes from `turns` (oldest first) written out."""
    rules = (_repeated, _with_pronouns, _with_omissions) if turns else ()
    return next((found for rule in rules if (found := rule(question, turns, find)) is not None), Resolution(question))


ABOUT_ANOTHER = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay)\W+)*(?:(?:what|how)\s+about|and|or)\s+(?:(?P<to>for|in|of|by|with|from|to|and)\s+)?(?P<x>.+?)\W*$",
    re.I,
)
_QUESTION_WORD = re.compile(r"^(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|did|do|does)\b", re.I)
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")


def _repeated(question: str, turns: Sequence[PastTurn], find: Find) -> Resolution | None:
    """ "What about X?" is the last question again, about X."""
    match = ABOUT_ANOTHER.match(question)
    if match is None or _QUESTION_WORD.match(match["x"]) or _REFERRING.search(match["x"]):
        return None
    last, text = turns[-1], match["x"]
    found = [m for m in find(text) if m.candidates and m.end - m.start >= 0.6 * len(text)]
    if not found or not last.mentions:
        year, before = _YEAR.fullmatch(text), _YEAR.search(last.resolved)
        if year is None or before is None:
            return None
        return Resolution(
            last.resolved[: before.start()] + text + last.resolved[before.end() :], (), f"again, for {text}"
        )
    labels = {c.entity.label for c in found[0].candidates}
    alike = [m for m in last.mentions if m.candidates[0].entity.label in labels]
    behind = [m for m in alike if match["to"] and last.resolved[: m.start].rstrip().endswith(f" {match['to'].lower()}")]
    old = (behind or alike or last.mentions)[0]
    same = tuple(c.entity for c in found[0].candidates if c.entity.label == old.candidates[0].entity.label)
    repeated = last.resolved[: old.start] + text + last.resolved[old.end :]
    shift = len(text) - (old.end - old.start)
    kept = [
        Given(m.start + shift * (m.start > old.start), m.end + shift * (m.start > old.start), (m.candidates[0].entity,))
        for m in last.mentions
        if m is not old
    ]
    named = [Given(old.start, old.start + len(text), same[:_MOST_CHOICES])] if same else []
    return Resolution(repeated, tuple(kept + named), f"the last question again, about {text}")


_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_REFERRING = re.compile(
    r"\b(?:(?P<pronoun>he|him|his|she|her|hers|it|its|they|them|their|theirs|there)"
    rf"|the\s+(?P<ordinal>{'|'.join(_ORDINALS)})(?:\s+one)"
    r"|(?P<pointer>this|that|these|those|the\s+same|the|said)\s+(?P<noun>[a-z]+)"
    r"|(?P<alone>this|that|these|those)(?=\W*$))\b",
    re.I,
)
_POSSESSIVE = {"his", "its", "their"}
_PLURAL = {"they", "them", "their", "theirs", "these", "those"}
_ACCEPTS = {"it": "thing", "its": "thing", "there": "place"} | dict.fromkeys(
    ("he", "him", "his", "she", "her", "hers"), "person"
)
_FITS: dict[str, dict[Kind, int]] = {
    "person": {"person": 0, "unknown": 1},
    "thing": {"thing": 0, "place": 0, "unknown": 1},
    "place": {"place": 0, "unknown": 1, "thing": 2},
    "any": {"person": 0, "thing": 0, "place": 0, "unknown": 0},
}
"""The kinds that a reference accepts; lower is better."""
_NOT_POSSESSED = re.compile(
    r"^\W*(?:$|(?:in|on|at|of|for|from|with|by|to|as|and|or|the|a|an|when|where|who|that)\b)", re.I
)
_CLAUSE = re.compile(r"[,;]|\b(?:and|but|who|whom|whose|which|that|when|where|because|while)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Reference:
    """A word or phrase of the question that may refer to something said before."""

    start: int
    end: int
    accepts: str
    """A key of _FITS."""
    plural: bool = False
    possessive: bool = False
    noun: str = ""
    place_in_list: int | None = None


def _with_pronouns(question: str, turns: Sequence[PastTurn], find: Find) -> Resolution | None:
    references = list(_references(question))
    if not references:
        return None
    own = [m for m in find(question) if not any(m.start < r.end and r.start < m.end for r in references)]
    written, given, applied, at = "", [], [], 0
    resolved: set[str] = set()
    for reference in references:
        if reference.accepts in resolved or _within(reference, question, own):
            continue
        if reference.noun and own and not question[reference.start :].casefold().startswith(_POINTERS):
            continue
        entities, together = _antecedents(reference, turns)
        if not entities:
            continue
        name = _name_list(entities if together else entities[:1])
        before = "in " if reference.accepts == "place" and not reference.noun else ""
        written += question[at : reference.start] + before
        given.append(Given(len(written), len(written) + len(name), entities, together))
        written += name + ("'s" if reference.possessive else "")
        applied.append(f"“{question[reference.start : reference.end]}” is {name}")
        at = reference.end
        resolved.add(reference.accepts)
    return Resolution(written + question[at:], tuple(given), "; ".join(applied)) if given else None


_POINTERS = ("this", "that", "these", "those", "the same", "said")


def _references(question: str) -> Iterable[_Reference]:
    for match in _REFERRING.finditer(question):
        text, (start, end) = match.group().casefold(), match.span()
        rest = question[end:]
        if match["pronoun"]:
            if text == "it" and question[start].isupper() and start > 0:
                continue  # "Who directed It?": a name
            if text == "there" and re.search(r"\b(?:is|are|was|were)\W*$", question[:start], re.I):
                continue  # "is there a film …"
            owns = (text in _POSSESSIVE or text == "her") and not _NOT_POSSESSED.match(rest)
            yield _Reference(start, end, _ACCEPTS.get(text, "any"), plural=text in _PLURAL, possessive=owns)
        elif match["ordinal"]:
            yield _Reference(start, end, "any", place_in_list=_ORDINALS[match["ordinal"].casefold()])
        elif match["noun"]:
            noun, kind = match["noun"].casefold(), noun_kind(match["noun"])
            if kind in ("unknown", "value") and noun not in ("one", "ones"):
                continue
            if match["pointer"].casefold() == "the" and re.match(r"\s*(?:[A-Z\"“]|of\b|that\b|who\b|with\b)", rest):
                continue  # "the film Alien", "the director of …"
            wants = "any" if noun in ("one", "ones") else kind
            plural = match["pointer"].casefold() in _PLURAL or (noun.endswith("s") and noun != "series")
            yield _Reference(start, end, wants, plural=plural, noun="" if noun in ("one", "ones") else noun)
        else:
            yield _Reference(start, end, "any", plural=text in _PLURAL)


def _within(reference: _Reference, question: str, own: Sequence[Mention]) -> bool:
    """Whether it refers to an earlier name in the question, in another clause or as an owner ("Who directed Alien and
    when was it released?", "Picasso and his wife")."""
    return any(
        label_kind(mention.candidates[0].entity.label) in _FITS[reference.accepts]
        and (reference.possessive or _CLAUSE.search(question[mention.end : reference.start]))
        for mention in own
        if mention.end <= reference.start and mention.candidates
    )


def _antecedents(reference: _Reference, turns: Sequence[PastTurn]) -> tuple[tuple[Entity, ...], bool]:
    """The entities to which a reference may refer, likeliest first, and whether it refers to all of them together."""
    recent = list(reversed(turns[-_REACH:]))
    if reference.place_in_list is not None:
        place = reference.place_in_list
        return next(((turn.answers[place],) for turn in recent if len(turn.answers) > max(place, 0)), ()), False
    if reference.plural:
        for turn in recent:
            several = [a for a in turn.answers if not reference.noun or _is_a(reference.noun, a, turn)]
            if len(several) > 1:
                return tuple(several[:_MOST_TOGETHER]), True

    def fit(entity: Entity, kind: Kind, turn: PastTurn) -> int | None:
        """How well an entity of `kind` fits, 0 being best; None if it does not."""
        if reference.noun:
            return 0 if _is_a(reference.noun, entity, turn) else None
        return _FITS[reference.accepts].get(kind)

    ranked = [
        (fit(entity, kind, turn), distance, order, entity)
        for distance, turn in enumerate(recent)
        for order, (entity, kind) in enumerate(_said(turn, answers_first=reference.accepts == "person"))
    ]
    fitting = sorted((r for r in ranked if r[0] is not None), key=lambda r: (r[0] or 0, r[1], r[2]))
    nearest = [r[3] for r in fitting if (r[0], r[1]) == (fitting[0][0], fitting[0][1])]
    return tuple(dict.fromkeys(nearest))[:_MOST_CHOICES], False


def _is_a(noun: str, entity: Entity, turn: PastTurn) -> bool:
    """Whether its label has that noun; an answer with an unspecific label is what its question asked for."""
    if names_label(noun, entity.label):
        return True
    asked = re.search(rf"\b(?:which|what)\s+(?:\w+\s+)?{re.escape(noun.rstrip('s'))}", turn.resolved, re.I)
    kind = label_kind(entity.label)
    return kind == "unknown" and ((entity in turn.answers and asked is not None) or noun_kind(noun) == "person")


_ASKED_KINDS: dict[str, Kind] = {"who": "person", "whom": "person", "where": "place", "when": "value", "how": "value"}


def _said(turn: PastTurn, *, answers_first: bool) -> list[tuple[Entity, Kind]]:
    """A turn's entities with their kinds. The topic stays the topic, unless the answer has its label."""
    topics = [m.candidates[0].entity for m in turn.mentions if m.candidates]
    answers, several = [*turn.answers[:1]], len(turn.answers) > 1
    if answers and answers[0].label in {topic.label for topic in topics}:
        answers_first = not several  # "Who does Ann know?" "Where does she live?"
    asked = _ASKED_KINDS.get(turn.resolved.strip().split(" ")[0].casefold(), "unknown")
    said_answers = [(a, k if (k := label_kind(a.label)) != "unknown" else asked) for a in answers]
    said_topics = [(t, label_kind(t.label)) for t in topics]
    return [*said_answers, *said_topics] if answers_first else [*said_topics, *said_answers]


def _name_list(entities: Sequence[Entity]) -> str:
    """Names as a list: "A, B and C", "A, B, C and 4 more"."""
    names = [entity.name for entity in entities]
    if len(names) > 3:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


_ADDITION = re.compile(r"^\W*(?:(?:and|or|but|also|then|(?:what|how)\s+about)\s+)+(?P<rest>.+?)\W*$", re.I)
_ONLY_QUESTION_WORD = re.compile(r"^(?:who|where|when|why|how)$", re.I)
_LEADING = re.compile(
    r"^(?:who|where|when|why|how|what\s+year|in\s+which\s+\w+|which\s+\w+|what)\b"
    r"(?=\s+(?:is|are|was|were|did|do|does|has|have|had|can|will)\b)",
    re.I,
)


def _with_omissions(question: str, turns: Sequence[PastTurn], find: Find) -> Resolution | None:
    """ "And when?" is the last question with another question word; "and the director?" is about its topic."""
    match, last = _ADDITION.match(question), turns[-1]
    if match is None:
        return None
    rest = match["rest"]
    if _ONLY_QUESTION_WORD.match(rest) and (other := _other_question_word(rest, last)) is not None:
        return other
    if find(rest):
        return None
    topics = [entity for entity, kind in _said(last, answers_first=False) if kind != "value"]
    if not topics:
        return None
    topic, link = topics[0], " " if _QUESTION_WORD.match(rest) else " of "
    start = len(rest) + len(link)
    given = Given(start, start + len(topic.name), tuple(dict.fromkeys(topics))[:_MOST_CHOICES])
    return Resolution(f"{rest}{link}{topic.name}?", (given,), f"about {topic.name}")


def _other_question_word(word: str, last: PastTurn) -> Resolution | None:
    leading = _LEADING.match(last.resolved)
    if leading is None:
        return None
    shift = len(word) - leading.end()
    placed = [m for m in last.mentions if m.end > m.start >= leading.end()]
    again = [replace(m, start=m.start + shift, end=m.end + shift) for m in placed]
    given = tuple(Given(m.start, m.end, (m.candidates[0].entity,)) for m in again if m.candidates)
    return Resolution(word.capitalize() + last.resolved[leading.end() :], given, f"the last question, asking {word}")
