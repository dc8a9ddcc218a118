"""Findings as numbered items that a model can read and cite.

Result sets come first, [Q1], [Q2], …: a query or chain in words, and its rows. Then facts, [F1], [F2], …: triplets with
one head and relation on a line, "head → relation (since 1979) → tail | tail". The subgraphs of a pattern are one item
each, [S1], [S2], …. Items that exceed the token limit are left out, never cut within a row or a name. Source: ByoKG-RAG
section 3.6 and Appendix E.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.agents.answering.agreement import answer_keys
from clew.agents.evidence import AnswerRef, Attempt, EntityRef, Evidence, Failure
from clew.tools.embedding.token_budget import counter
from clew.tools.graph.temporal import Period, period_of, role_of, split_relation

SETS = 6
"""Most result sets."""
TAILS = 20
"""Tails on one line; a longer list becomes several items."""
MOST_VAIN = 10
LONGEST_VAIN = 400
"""Failed attempts, and characters of each."""
_SHARE_OF_SETS = 0.5
"""Share of the tokens for all result sets; each takes at most half of what is left of it."""
_MISFITS = 5
"""Items that are too long and skipped before the rest is given up."""
_PROPERTIES = 3
_MARK = re.compile(r"\[([QFS]\d+)\]", re.I)


@dataclass(frozen=True, slots=True)
class ResultSet:
    """The rows of one or several attempts that gave the same answers."""

    attempts: tuple[str, ...]
    """Their keys, surest first."""
    shown: tuple[AnswerRef, ...]
    hidden: tuple[AnswerRef, ...]
    """Rows for which there was no room."""


@dataclass(frozen=True, slots=True)
class Verbalised:
    """A text, and the meaning of its marks."""

    text: str
    sets: dict[str, ResultSet] = field(default_factory=dict)
    """By mark, such as "Q1"."""
    facts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Mark to the keys of the evidence."""


def verbalised(attempts: Mapping[str, Attempt], evidence: Mapping[str, Evidence], max_tokens: int) -> Verbalised:
    """Attempts with answers, surest first, and evidence, best first, in at most `max_tokens` tokens."""
    names = _Names(attempts.values(), evidence.values())
    left = _TokenBudget(int(max_tokens * _SHARE_OF_SETS))
    sets: dict[str, ResultSet] = {}
    texts: list[str] = []
    for keys in _groups(attempts):
        entry = _result_set(f"Q{len(sets) + 1}", [attempts[key] for key in keys], names, left)
        if entry is not None:
            text, shown, hidden = entry
            sets[f"Q{len(sets) + 1}"] = ResultSet(tuple(keys), tuple(shown), tuple(hidden))
            texts.append(text)
    room = _TokenBudget(max_tokens - left.taken)
    facts: dict[str, tuple[str, ...]] = {}
    for lead, line_keys in _lines(evidence, names):
        tails = " | ".join(names.of(evidence[key]["tail"]) for key in line_keys)
        line = f"[F{len(facts) + 1}] {lead} → {tails}"
        if room.takes(line):
            facts[f"F{len(facts) + 1}"] = line_keys
            texts.append(line)
        elif room.full:
            break
    return Verbalised("\n".join(texts), sets, facts)


def verbalised_subgraphs(
    subgraphs: Sequence[Sequence[str]], evidence: Mapping[str, Evidence], max_tokens: int
) -> Verbalised:
    """Subgraphs as sets of triplets, one a line, in at most `max_tokens` tokens (SimGRAG section 4.4).

    Args:
        subgraphs: The keys of the triplets of each, the most similar first.
        evidence: The triplets, and others that share names with them.
        max_tokens: For all lines.
    """
    names, room = _Names((), evidence.values()), _TokenBudget(max_tokens)
    facts: dict[str, tuple[str, ...]] = {}
    texts: list[str] = []
    for keys in dict.fromkeys(map(tuple, subgraphs)):
        mark = f"S{len(facts) + 1}"
        triplets = (
            f"{names.of(item['head'])} → {_plain(relation_words(item['relation'], item['properties']))} → "
            f"{names.of(item['tail'])}"
            for item in map(evidence.__getitem__, keys)
        )
        if room.takes(line := f"[{mark}] {'; '.join(triplets)}"):
            facts[mark] = keys
            texts.append(line)
    return Verbalised("\n".join(texts), {}, facts)


def in_vain(attempts: Iterable[Attempt], errors: Iterable[Failure], dead_ends: Iterable[str]) -> str:
    """What was tried without result, one attempt per line, so that a model does not repeat it."""
    lines = [
        f"{a['words']} gave no row: {_query(a)}" if a.get("by_model") else f"{a['words']}: no row"
        for a in sorted(attempts, key=lambda a: not a.get("by_model"))
        if not a["answers"]
    ]
    lines += [*dead_ends, *(f"{f['step']} failed: {f['message']}" for f in errors if f["step"] != "link")]
    distinct = list(dict.fromkeys(_plain(line)[:LONGEST_VAIN] for line in lines))
    return "\n".join(f"- {line}" for line in distinct[:MOST_VAIN])


class _TokenBudget:
    """A number of tokens that texts may take."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        self.taken = 0
        self._misfits = 0

    @property
    def full(self) -> bool:
        return self._misfits >= _MISFITS

    def takes(self, text: str) -> bool:
        """Take `text` and its line end if they fit; returns whether they do."""
        cost = counter()(text) + 1 if len(text) <= 16 * self.tokens else self.tokens + 1
        if self.taken + cost > self.tokens:
            self._misfits += 1
            return False
        self.taken += cost
        return True


class _Names:
    """Names of entities; those that share a name get their label, or label and id."""

    def __init__(self, attempts: Iterable[Attempt], evidence: Iterable[Evidence]) -> None:
        refs = {end["id"]: (end["name"], end["label"]) for item in evidence for end in (item["head"], item["tail"])}
        for attempt in attempts:
            refs |= {a["id"]: (a["name"], a["label"]) for a in attempt["answers"] if a["id"] is not None}
        self._names = Counter(name for name, _ in refs.values())
        self._labelled = Counter(refs.values())

    def of(self, ref: EntityRef | AnswerRef) -> str:
        name, label = ref["name"], ref["label"]
        if ref["id"] is None or self._names[name] < 2:
            return _plain(name)
        apart = label if self._labelled[name, label] < 2 else f"{label}, {ref['id']}"
        return f"{_plain(name)} ({_plain(apart)})"


def _plain(text: str) -> str:
    """On one line, and without text that looks like an item's mark."""
    return _MARK.sub(r"(\1)", " ".join(text.split()))


def _groups(attempts: Mapping[str, Attempt]) -> list[list[str]]:
    """Keys of attempts with answers, grouped by equal answers, surest first."""
    groups: dict[Any, list[str]] = {}
    order = {key: (-a["confidence"], not a.get("by_model"), a["strategy"], key) for key, a in attempts.items()}
    for key in sorted((key for key, a in attempts.items() if a["answers"]), key=order.__getitem__):
        attempt = attempts[key]
        rows = tuple(map(tuple, attempt.get("rows", ())))
        groups.setdefault((answer_keys(attempt), rows if len(attempt.get("columns", ())) > 1 else ()), []).append(key)
    return list(groups.values())[:SETS]


def _result_set(
    mark: str, attempts: list[Attempt], names: _Names, left: _TokenBudget
) -> tuple[str, list[AnswerRef], list[AnswerRef]] | None:
    """The item's text, its shown and its hidden answers; None if not one row fits."""
    first = attempts[0]
    words = list(dict.fromkeys(_plain(attempt["words"]) for attempt in attempts))
    lines = [f"[{mark}] {words[0]}", *(f"  also: {other}" for other in words[1:3])]
    queries = [_query(a) for a in attempts if a.get("by_model") and a["strategy"] == "cypher"]
    lines += [f"  Cypher: {query}" for query in queries[:1]]
    head = "\n".join(lines)
    if not left.takes(f"{head}\n  and {len(first['answers'])} possibly more"):
        return None
    room = _TokenBudget(max(0, (left.tokens - left.taken) // 2))
    rows = _rows(first, names)
    kept: list[int] = []
    for number, row in enumerate(rows):
        if room.takes(f"  {row}"):
            kept.append(number)
        elif room.full:
            break
    if not kept:
        return None
    left.taken += room.taken
    shown, hidden = _split(first, kept)
    more = max(len(rows) - len(kept), len(hidden))
    cut = [f"  and {more} more"] if more else ["  and possibly more"] if first["truncated"] else []
    return "\n".join([head, *(f"  {rows[number]}" for number in kept), *cut]), shown, hidden


def _query(attempt: Attempt) -> str:
    """A query with the values of its parameters."""
    values = ", ".join(f"${name} = {value!r}" for name, value in attempt["parameters"].items())
    return _plain(f"{attempt['cypher']} (with {values})" if values else attempt["cypher"])


def _rows(attempt: Attempt, names: _Names) -> list[str]:
    rows, columns = attempt.get("rows"), attempt.get("columns")
    if not rows or not columns:
        return [names.of(answer) for answer in attempt["answers"]]
    pairs = (zip(columns, row, strict=False) for row in rows)
    return [", ".join(f"{_plain(column)}: {_plain(value)}" for column, value in pair) for pair in pairs]


def _split(attempt: Attempt, kept: list[int]) -> tuple[list[AnswerRef], list[AnswerRef]]:
    """The answers in the rows numbered in `kept`, and the others."""
    rows, answers = attempt.get("rows"), attempt["answers"]
    if not rows or not attempt.get("columns"):
        seen = set(kept)
        return [answers[i] for i in kept], [answer for i, answer in enumerate(answers) if i not in seen]
    cells = {cell for number in kept for cell in rows[number]}
    return [a for a in answers if a["name"] in cells], [a for a in answers if a["name"] not in cells]


def _lines(evidence: Mapping[str, Evidence], names: _Names) -> Iterable[tuple[str, tuple[str, ...]]]:
    """ "head → relation (period)" with the keys of its triplets, best first and at most TAILS on a line."""
    groups: dict[str, list[str]] = {}
    for key in sorted(evidence, key=lambda key: (-evidence[key]["score"], key)):
        item = evidence[key]
        lead = f"{names.of(item['head'])} → {_plain(relation_words(item['relation'], item['properties']))}"
        groups.setdefault(lead, []).append(key)
    for lead, keys in groups.items():
        for start in range(0, len(keys), TAILS):
            yield lead, tuple(keys[start : start + TAILS])


def relation_words(relation: str, properties: Mapping[str, Any]) -> str:
    """A relation with its period and its other properties: "position held (since 1979; district: North)"."""
    period = period_of(properties, relation)
    rest = [
        f"{name}: {value}"
        for name, value in properties.items()
        if isinstance(value, (str, int, float)) and value != "" and not (period is not None and role_of(name))
    ]
    notes = [*([period.words()] if period is not None else []), *rest[:_PROPERTIES]]
    name = split_relation(relation)[0] if period is not None else relation
    return f"{name} ({'; '.join(notes)})" if notes else name


def fact_values(item: Evidence) -> set[str]:
    """The values of a triplet's properties, its period, and the years in it."""
    values = {str(value) for value in item["properties"].values() if isinstance(value, (str, int, float))}
    period = period_of(item["properties"], item["relation"])
    return values | (_moments(period) if period is not None else set())


def _moments(period: Period) -> set[str]:
    ends = [str(end) for end in (period.start, period.end) if end is not None]
    return {period.words(), *ends, *(end[:4] for end in ends)}
