"""The reasoner with a model: it reads what was found and names the answers; every name is then looked for in that.

Source: ByoKG-RAG Algorithm 2, the last call. There the reply is the answer; here an answer is one only where the
evidence has it, or it is marked as the model's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from clew.agents.answering import confidence
from clew.agents.answering.agreement import answer_key, origin
from clew.agents.answering.explanation import of_model
from clew.agents.answering.reasoner import Conclusion, Findings, supports_of
from clew.agents.answering.verbalising import Verbalised, fact_values, verbalised
from clew.agents.evidence import PASSAGE, Answer, AnswerRef, Attempt, Evidence, row_of
from clew.agents.linking.matching import Known
from clew.agents.models.calls import Model
from clew.agents.prompting import prompt
from clew.agents.replies import CitedAnswer, parse_answers
from clew.tools.linking.normalise import fold

MOST_LINES = 1000
"""Lines of a reply that are looked at."""
MOST_OWN = 20
LONGEST_OWN = 200
_UNCITED_FACTS = 5
"""Triplets that stand for an answer which the model gave without citing any."""
_UNSEEN = re.compile(r"[^\S ]+|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


@dataclass(slots=True)
class _Matched:
    """An answer of the model's, and what it rests on."""

    answer: AnswerRef
    own: bool = False
    sets: list[str] = field(default_factory=list)
    """Marks."""
    facts: list[str] = field(default_factory=list)


def answer(model: Model, findings: Findings, max_tokens: int, *, trusted_alone: bool) -> Conclusion | None:
    """What the model concludes; None where it names nothing that may be shown. Raises ModelFailed.

    Answers without evidence are marked as the model's own where it is `trusted_alone`, and dropped where it is not.
    """
    told = verbalised(findings.attempts, findings.evidence, max_tokens)
    context = told.text or "(nothing was found)"
    reply = model.ask(prompt("answer", question=findings.question, context=context))
    matched = _matched(parse_answers(reply.text), told, findings)
    kept = [m for m in matched if trusted_alone or not m.own]
    return _conclusion(kept, told, findings) if kept else None


def _matched(lines: Sequence[CitedAnswer], told: Verbalised, findings: Findings) -> list[_Matched]:
    """The model's answers, each once and in its order, with those that it left to a result set's other rows."""
    everything = _everything(findings)
    found: dict[str, _Matched] = {}
    for line in lines[:MOST_LINES]:
        marks = [mark.upper() for mark in line.citations]
        sets = [mark for mark in marks if mark in told.sets]
        facts = [mark for mark in marks if mark in told.facts]
        if line.all:
            only = list(told.sets) if len(told.sets) == 1 and not marks else []
            for item in _all_of(sets or only, facts, told, findings):
                _add(found, item)
            continue
        known = _known(sets, facts, told, findings).find(line.name) or everything.find(line.name)
        name = _printable(line.name)
        passages = _passages(name, facts, told, findings) if known is None and name else []
        if known is not None:
            _add(found, _Matched(known, sets=sets, facts=facts))
        elif passages:
            _add(found, _Matched({"id": None, "name": name, "label": "", "support": 1}, sets=sets, facts=passages))
        elif name and sum(m.own for m in found.values()) < MOST_OWN:
            _add(found, _Matched({"id": None, "name": name, "label": "", "support": 0}, own=True))
    topics = _topics(findings)
    kept = [m for m in found.values() if m.answer["id"] not in topics or m.sets or m.facts]
    return _completed(kept, told, findings)


def _all_of(sets: Iterable[str], facts: Iterable[str], told: Verbalised, findings: Findings) -> Iterator[_Matched]:
    """Every row of the sets, and every tail of the facts."""
    for mark in sets:
        rows = (*told.sets[mark].shown, *told.sets[mark].hidden)
        for row in _beside_anchors(rows, _attempt(mark, told, findings)):
            yield _Matched(row, sets=[mark])
    for mark in facts:
        for key in told.facts[mark]:
            yield _Matched(row_of(findings.evidence[key]["tail"]), facts=[mark])


def _add(found: dict[str, _Matched], item: _Matched) -> None:
    key = answer_key(item.answer) if not item.own else f"\0{item.answer['name'].casefold()}"
    known = found.setdefault(key, item)
    known.sets = list(dict.fromkeys([*known.sets, *item.sets]))
    known.facts = list(dict.fromkeys([*known.facts, *item.facts]))


def _completed(matched: list[_Matched], told: Verbalised, findings: Findings) -> list[_Matched]:
    """With the hidden rows of every cut result set all of whose shown rows are answers. A part of the shown rows is
    a choice of the model's, and stays one."""
    completed = {answer_key(m.answer): m for m in matched if not m.own}
    cites = any(m.sets or m.facts for m in matched)
    for mark, rows in told.sets.items():
        shown = {answer_key(row) for row in _beside_anchors(rows.shown, _attempt(mark, told, findings))}
        cited = any(mark in m.sets for m in matched)
        if rows.hidden and shown and shown <= completed.keys() and (cited or not cites):
            for row in rows.hidden:
                completed.setdefault(answer_key(row), _Matched(row, sets=[mark]))
    return [*completed.values(), *(m for m in matched if m.own)]


def _beside_anchors(rows: Iterable[AnswerRef], attempt: Attempt) -> list[AnswerRef]:
    rows, anchors = list(rows), {anchor["id"] for anchor in attempt["anchors"]}
    return [row for row in rows if row["id"] not in anchors] or rows


def _attempt(mark: str, told: Verbalised, findings: Findings) -> Attempt:
    return findings.attempts[told.sets[mark].attempts[0]]


def _known(sets: Iterable[str], facts: Iterable[str], told: Verbalised, findings: Findings) -> Known:
    """What the cited items name."""
    known = Known()
    for mark in sets:
        for key in told.sets[mark].attempts:
            _know_attempt(known, findings.attempts[key])
    for mark in facts:
        for key in told.facts[mark]:
            _know_fact(known, findings.evidence[key])
    return known


def _passages(name: str, facts: Sequence[str], told: Verbalised, findings: Findings) -> list[str]:
    """The cited facts, else all facts, that are passages of documents in which a name stands."""
    said = f" {fold(name)} "

    def holds(mark: str) -> bool:
        tails = [findings.evidence[key]["tail"] for key in told.facts[mark]]
        return any(tail["label"] == PASSAGE and said in f" {fold(tail['name'])} " for tail in tails)

    return [mark for mark in facts if holds(mark)] or [mark for mark in told.facts if holds(mark)][:1]


def _everything(findings: Findings) -> Known:
    known = Known()
    for attempt in findings.attempts.values():
        _know_attempt(known, attempt)
    for item in findings.evidence.values():
        _know_fact(known, item)
    return known


def _know_attempt(known: Known, attempt: Attempt) -> None:
    known.entities(attempt["answers"])
    known.values(cell for row in attempt.get("rows", ()) for cell in row)
    known.entities(row_of(anchor) for anchor in attempt["anchors"])


def _know_fact(known: Known, item: Evidence) -> None:
    known.entities(row_of(end) for end in (item["tail"], item["head"]))
    known.values(fact_values(item))


def _topics(findings: Findings) -> set[str | None]:
    """The entities that the question names."""
    return {m["candidates"][0]["id"] for m in findings.mentions if m["candidates"] and m["start"] < m["end"]}


def _printable(text: str) -> str:
    """An answer of the model's own: on one line, without control signs, and not longer than a name may be."""
    text = " ".join(_UNSEEN.sub(" ", text).split())
    text = "".join(sign for sign in text if sign.isprintable())
    return text if len(text) <= LONGEST_OWN else f"{text[: LONGEST_OWN - 1].rstrip()}…"


# ---- the conclusion -------------------------------------------------------------------------------------------------


def _conclusion(matched: list[_Matched], told: Verbalised, findings: Findings) -> Conclusion:
    answers = [_scored(m, told, findings) for m in matched]
    supports: dict[str, list[str]] = {}
    for item in matched:
        for key in _supporting(item, told, findings):
            supports.setdefault(key, []).append(answer_key(item.answer))
    _support_of_sets(matched, told, findings, supports)
    best = _query(matched, told, findings)
    cited = [mark for mark in (*told.sets, *told.facts) if any(mark in (*m.sets, *m.facts) for m in matched)]
    words = [_attempt(mark, told, findings)["words"] for mark in cited if mark in told.sets]
    facts = sum(len(told.facts[mark]) for mark in cited if mark in told.facts)
    own = sum(m.own for m in matched)
    return Conclusion(
        sorted(answers, key=lambda a: -a["score"]),
        supports,
        best["cypher"] if best is not None else None,
        max(a["score"] for a in answers),
        of_model(words, facts, len(answers), own, best, findings),
    )


def _scored(item: _Matched, told: Verbalised, findings: Findings) -> Answer:
    row = item.answer
    if item.own:
        return {"name": row["name"], "id": None, "label": "", "score": confidence.OWN, "own": True}
    cited = [_attempt(mark, told, findings)["confidence"] for mark in item.sets]
    sure = confidence.of_model(cited, bool(item.facts))
    key = answer_key(row)
    origins = {origin(a) for a in findings.attempts.values() if any(answer_key(other) == key for other in a["answers"])}
    score = confidence.corroborated(sure) if len(origins) > 1 else sure
    return {"name": row["name"], "id": row["id"], "label": row["label"], "score": score}


def _supporting(item: _Matched, told: Verbalised, findings: Findings) -> set[str]:
    """Of every cited fact the triplets that the answer is an end of, or all of them where it is none's; of an answer
    without a citation the triplets that it is an end of, first those that join it to an entity of the question."""
    id, topics = item.answer["id"], _topics(findings)
    keys: set[str] = set()
    for mark in item.facts:
        near = {key for key in told.facts[mark] if id in _ends(findings.evidence[key])}
        keys |= near or set(told.facts[mark])
    if not item.sets and not item.facts and id is not None:
        near_topic = [key for key, e in findings.evidence.items() if id in _ends(e) and _ends(e) & topics]
        around = [key for key, e in findings.evidence.items() if id in _ends(e)]
        keys |= set((near_topic or around)[:_UNCITED_FACTS])
    return keys


def _support_of_sets(
    matched: list[_Matched], told: Verbalised, findings: Findings, supports: dict[str, list[str]]
) -> None:
    """The triplets on the way from a cited query's beginning to those of its answers that the model took."""
    for mark in told.sets:
        rows = [m.answer for m in matched if mark in m.sets]
        if rows:
            for key, names in supports_of(rows, _attempt(mark, told, findings), findings.evidence).items():
                supports[key] = list(dict.fromkeys([*supports.get(key, []), *names]))


def _ends(item: Evidence) -> set[str | None]:
    return {item["head"]["id"], item["tail"]["id"]}


def _query(matched: list[_Matched], told: Verbalised, findings: Findings) -> Attempt | None:
    """The attempt that most answers cite; without a citation the surest one that has them all."""
    counts = {mark: sum(mark in m.sets for m in matched) for mark in told.sets}
    most = max(counts, key=lambda mark: counts[mark], default=None)
    if most is not None and counts[most]:
        return _attempt(most, told, findings)
    keys = {answer_key(m.answer) for m in matched if not m.own}
    having = [a for a in findings.attempts.values() if keys and keys <= {answer_key(row) for row in a["answers"]}]
    return max(having, key=lambda a: a["confidence"], default=None)


def without_model(conclusion: Conclusion, why: str) -> Conclusion:
    """A conclusion that was drawn without the model although there is one, and why."""
    return replace(conclusion, explanation=f"{why} {conclusion.explanation}")
