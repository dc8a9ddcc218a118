"""Pattern graphs of questions and statements, written by a model. Source: SimGRAG section 4.1.

The reply is data: triples of texts, parsed tolerantly and checked. A reply that is not a pattern is sent back once with
its problem; after that the pattern that is written without a model is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clew.agents.models.calls import Model, ModelFailed
from clew.agents.prompting import prompt
from clew.agents.replies import read_json
from clew.tools.errors import BadInput
from clew.tools.patterns import Pattern, PatternEdge, PatternNode

LONGEST_TEXT = 200
MOST_TRIPLES = 24
MOST_NOTES = 10
_REPLY_SHOWN = 3000
_UNKNOWN = re.compile(r"[\s\W]*unknown\b[\s_:#-]*(.*)", re.I | re.S)
_NUMBERED = re.compile(r"[\s_#-]*\d+\W*$")
_KEYS = (
    ("head", "subject", "source", "from", "s", "h"),
    ("relation", "predicate", "edge", "type", "p", "r"),
    ("tail", "object", "target", "to", "o", "t"),
)


@dataclass(frozen=True, slots=True)
class WrittenPattern:
    """A pattern, and its origin."""

    pattern: Pattern
    segments: tuple[str, ...] = ()
    by_model: bool = False
    notes: tuple[str, ...] = ()
    """Corrections, relaxations and omissions."""


@dataclass(frozen=True, slots=True)
class PatternReply:
    """The outcome of a call: a pattern, or why there is none."""

    written: WrittenPattern | None
    degraded: str = ""
    """Why the pattern without a model is used; "" if the model wrote one."""


class UnusableReply(Exception):
    """A reply without a pattern; the text says why, for the model."""


def write(model: Model, text: str, schema_text: str, *, asks: bool, examples: str = "") -> PatternReply:
    """The pattern of a question (`asks`) or a statement. Never raises for what a model does or writes.

    Args:
        examples: From `clew.agents.patterns.query_patterns`.
    """
    asked = prompt("pattern", text=text, schema=schema_text, examples=examples or "(none)")
    try:
        reply = model.ask(asked, json=True).text
    except ModelFailed as failed:
        return PatternReply(None, failed.message)
    try:
        return PatternReply(read(reply, asks=asks))
    except UnusableReply as fault:
        problem = str(fault)
    asked = prompt("repair_pattern", text=text, schema=schema_text, reply=reply[:_REPLY_SHOWN], problem=problem)
    try:
        again = read(model.ask(asked, json=True).text, asks=asks)
    except ModelFailed as failed:
        return PatternReply(None, f"{problem}; asked again: {failed.message}")
    except UnusableReply as fault:
        return PatternReply(None, f"{problem}; asked again: {fault}")
    return PatternReply(replace(again, notes=(f"asked again: {problem}", *again.notes)))


def read(text: str, *, asks: bool) -> WrittenPattern:
    """The pattern in a model's reply. Raises UnusableReply, whose text says what is wrong."""
    json = read_json(text)
    data = {"triples": json.value} if isinstance(json.value, list) else json.value
    if not isinstance(data, Mapping):
        raise UnusableReply("the reply is no JSON object with `triples`")
    rows = data.get("triples", data.get("triplets", data.get("edges")))
    if not isinstance(rows, list) or not rows:
        raise UnusableReply("there is no list `triples`, or it is empty")
    notes: list[str] = []
    triples = _triples(rows, notes)
    if not triples:
        raise UnusableReply("no triple is a list of three texts")
    places: dict[str, int] = {}
    for head, _, tail in triples:
        places.setdefault(_key(head), len(places))
        places.setdefault(_key(tail), len(places))
    if json.cut_off and _key(" ".join(str(data.get("asked")).split())) not in places:
        raise UnusableReply("the reply breaks off within the pattern")
    texts = {_key(end): end for head, _, tail in reversed(triples) for end in (head, tail)}
    nodes = tuple(_node(texts[key]) for key in places)
    edges = tuple(
        PatternEdge(places[_key(head)], places[_key(tail)], None if _UNKNOWN.match(relation) else relation)
        for head, relation, tail in triples
    )
    asked = _asked(data.get("asked"), places, nodes, edges, notes) if asks else None
    if not any(node.known for node in nodes):
        raise UnusableReply("no thing in it has a name: at least one has to be known")
    try:
        pattern = Pattern(nodes, edges, asked)
    except BadInput as fault:
        raise UnusableReply(f"{fault.message} {fault.remedy}") from None
    segments = data.get("segments")
    shown = [str(s)[:LONGEST_TEXT] for s in segments[:MOST_TRIPLES]] if isinstance(segments, list) else []
    return WrittenPattern(pattern, tuple(shown), True, tuple(notes[:MOST_NOTES]))


def _triples(rows: Sequence[object], notes: list[str]) -> list[tuple[str, str, str]]:
    found: dict[tuple[str, str, str], None] = {}
    for row in rows:
        parts = _parts(row)
        if parts is None:
            notes.append("a triple without three texts left out")
        elif len(found) < MOST_TRIPLES:
            found[parts] = None
    return list(found)


def _parts(row: object) -> tuple[str, str, str] | None:
    """Head, relation, tail of a list of three, an object, or a text such as "a -> b -> c"."""
    if isinstance(row, str):
        row = [part for part in re.split(r"\s*(?:->|\u2192|\|)\s*", row.strip("()[] ")) if part]
    if isinstance(row, Mapping):
        row = [next((row[key] for key in keys if key in row), None) for keys in _KEYS]
    if not isinstance(row, list) or len(row) != 3:
        return None
    texts = [" ".join(str(part).split()) for part in row if isinstance(part, str | int | float)]
    texts = ["".join(c for c in text if c.isprintable())[:LONGEST_TEXT] for text in texts]
    return (texts[0], texts[1], texts[2]) if len(texts) == 3 and all(texts) else None


def _key(text: str) -> str:
    return text.casefold()


def _node(text: str) -> PatternNode:
    unknown = _UNKNOWN.match(text)
    if unknown is None:
        return PatternNode(text)
    kind = _NUMBERED.sub("", unknown.group(1)).strip(" _:#-\"'()[]")
    return PatternNode(None, kind or None)


def _asked(
    data: object,
    places: Mapping[str, int],
    nodes: Sequence[PatternNode],
    edges: Sequence[PatternEdge],
    notes: list[str],
) -> int:
    """The asked node: as the reply says, else the first unknown one with the fewest edges."""
    place = places.get(_key(" ".join(data.split()))) if isinstance(data, str) else None
    if place is not None and not nodes[place].known:
        return place
    unknown = [i for i, node in enumerate(nodes) if not node.known]
    if not unknown:
        raise UnusableReply("nothing in it is UNKNOWN, so that it asks for nothing")
    notes.append("it does not say which of the unknown things is asked for")
    return min(unknown, key=lambda i: (sum(i in (edge.head, edge.tail) for edge in edges), i))
