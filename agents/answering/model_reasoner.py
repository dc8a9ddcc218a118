"""The reasoner with a model: it reads what was found and names the answers, which are then looked up in the evidence.

Source: ByoKG-RAG Algorithm 2, the last call. There the reply is the answer; here a name is an answer only if the
evidence has it, or it is marked as the model's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from clew.agents.answering import confidence
from clew.agents.answering.agreement import answer_key, origin
from clew.agents.answering.explanation import of_model
from clew.agents.answering.prose_answers import is_sentence, named_in
from clew.agents.answering.reasoner import Conclusion, reading_of, supports_of
from clew.agents.answering.verbalising import Verbalised, fact_values, verbalised
from clew.agents.evidence import PASSAGE, Answer, AnswerRef, Attempt, Evidence, Findings, row_of
from clew.agents.linking.matching import KnownNames
from clew.agents.models.calls import Model, Reply
from clew.agents.prompting import prompt
from clew.agents.replies import CitedAnswer, parse_answers
from clew.agents.replies.composed import fit_to_show
from clew.agents.replies.prose import readable
from clew.tools.linking.normalise import fold

MOST_LINES = 1000
"""Lines of a reply that are read."""
MOST_OWN = 20
LONGEST_OWN = 200
_UNCITED_FACTS = 5
"""Triplets that support an answer for which the model cites none."""
_INVISIBLE = re.compile(r"[^\S ]+|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


@dataclass(slots=True)
class _Matched:
    """An answer of the model, and what it rests on."""

    answer: AnswerRef
    own: bool = False
    sets: list[str] = field(default_factory=list)
    """Marks of result sets, such as "Q1"."""
    facts: list[str] = field(default_factory=list)
    """Marks of facts, such as "F1"."""


def answer(model: Model, findings: Findings, max_tokens: int, *, trusted_alone: bool) -> Conclusion | None:
    """The model's conclusion; None if it names nothing that may be shown.

    Args:
        max_tokens: Limit of what the prompt shows of the findings.
        trusted_alone: Whether answers without evidence are marked as the model's own, or dropped.

    Raises:
        ModelFailed: The model gave no reply.
    """
    shown = verbalised(findings.attempts, findings.evidence, max_tokens)
    context = shown.text or "(nothing was found)"
    asked = prompt("answer", question=findings.question, context=context)
    reply = model.ask(asked)
    reading = _ReplyReading(shown, findings, asked.system)
    kept = [m for m in reading.read(reply) if trusted_alone or not m.own]
    return reading.conclusion(kept) if kept else None


def without_model(conclusion: Conclusion, why: str) -> Conclusion:
    """A conclusion that was drawn without the model although there is one, with the reason in its explanation."""
    return replace(conclusion, explanation=f"{why} {conclusion.explanation}")


class _ReplyReading:
    """Reads the lines of a reply against what the prompt showed."""

    def __init__(self, shown: Verbalised, findings: Findings, system: str) -> None:
        self._shown, self._findings, self._system = shown, findings, system
        self._attempts, self._evidence = findings.attempts, findings.evidence
        self._topics = {m.candidates[0].entity.id for m in findings.mentions if m.candidates and m.start < m.end}
        """Ids of the entities that the question names."""

    # ---- which answers the reply names --------------------------------------------------------------------------

    def read(self, reply: Reply) -> list[_Matched]:
        """The model's answers, each once and in its order, completed by the rows that a result set did not show.

        A reply without the format is read line by line, and if no line is a name of the evidence, sentence by sentence;
        what the evidence does not have is no answer then. The last line of a reply that broke off may be half a name.
        """
        parsed = parse_answers(reply.text)
        whole = parsed.lines[:-1] if parsed.cut_off and reply.finish_reason == "length" else parsed.lines
        matched = self._matched(whole, may_be_own=parsed.formatted)
        return matched or ([] if parsed.formatted else self._named(readable(reply.text)))

    def _matched(self, lines: Sequence[CitedAnswer], *, may_be_own: bool) -> list[_Matched]:
        everything = self._names_in(self._attempts, self._evidence)
        found: dict[str, _Matched] = {}
        for line in lines[:MOST_LINES]:
            marks = [mark.upper() for mark in line.citations]
            sets = [mark for mark in marks if mark in self._shown.sets]
            facts = [mark for mark in marks if mark in self._shown.facts]
            if line.all:
                only = list(self._shown.sets) if len(self._shown.sets) == 1 and not marks else []
                for item in self._all_of(sets or only, facts):
                    _add(found, item)
                continue
            known = self._cited_names(sets, facts).find(line.name) or everything.find(line.name)
            name = _printable(line.name)
            passages = self._passages(name, facts) if known is None and name else []
            if known is not None:
                _add(found, _Matched(known, sets=sets, facts=facts))
            elif passages:
                _add(found, _Matched({"id": None, "name": name, "label": "", "support": 1}, sets=sets, facts=passages))
            elif name and is_sentence(name):
                for item in self._named(name, sets, facts):
                    _add(found, item)
            elif may_be_own and name and fit_to_show(name, self._system) and _own(found) < MOST_OWN:
                _add(found, _Matched({"id": None, "name": name, "label": "", "support": 0}, own=True))
        kept = [m for m in found.values() if m.answer["id"] not in self._topics or m.sets or m.facts]
        return self._completed(kept)

    def _named(self, text: str, sets: Sequence[str] = (), facts: Sequence[str] = ()) -> list[_Matched]:
        """The names in a text: those of the cited items, else the rows of results, else the ends of facts."""
        cited = self._cited_names(sets, facts)
        for known in (cited, self._names_in(self._attempts, ()), self._names_in((), self._evidence)):
            named = [row for row in named_in(text, known) if row["id"] not in self._topics]
            if named:
                return [_Matched(row, sets=list(sets), facts=list(facts)) for row in named]
        return []

    def _all_of(self, sets: Iterable[str], facts: Iterable[str]) -> Iterator[_Matched]:
        """Every row of the sets, and every tail of the facts."""
        for mark in sets:
            rows = (*self._shown.sets[mark].shown, *self._shown.sets[mark].hidden)
            for row in _beside_anchors(rows, self._attempt(mark)):
                yield _Matched(row, sets=[mark])
        for mark in facts:
            for key in self._shown.facts[mark]:
                yield _Matched(row_of(self._evidence[key]["tail"]), facts=[mark])

    def _completed(self, matched: list[_Matched]) -> list[_Matched]:
        """With the hidden rows of every result set all of whose shown rows are answers. If only some of the shown rows
        are answers, that is the model's choice."""
        completed = {answer_key(m.answer): m for m in matched if not m.own}
        cites = any(m.sets or m.facts for m in matched)
        for mark, rows in self._shown.sets.items():
            shown = {answer_key(row) for row in _beside_anchors(rows.shown, self._attempt(mark))}
            cited = any(mark in m.sets for m in matched)
            if rows.hidden and shown and shown <= completed.keys() and (cited or not cites):
                for row in rows.hidden:
                    completed.setdefault(answer_key(row), _Matched(row, sets=[mark]))
        return [*completed.values(), *(m for m in matched if m.own)]

    def _attempt(self, mark: str) -> Attempt:
        return self._attempts[self._shown.sets[mark].attempts[0]]

    def _cited_names(self, sets: Iterable[str], facts: Iterable[str]) -> KnownNames:
        return self._names_in(
            (key for mark in sets for key in self._shown.sets[mark].attempts),
            (key for mark in facts for key in self._shown.facts[mark]),
        )

    def _names_in(self, attempts: Iterable[str], evidence: Iterable[str]) -> KnownNames:
        """The names in attempts and evidence, by their keys."""
        names = KnownNames()
        for attempt in map(self._attempts.__getitem__, attempts):
            names.add(attempt["answers"])
            names.add_values(cell for row in attempt.get("rows", ()) for cell in row)
            names.add(row_of(anchor) for anchor in attempt["anchors"])
        for item in map(self._evidence.__getitem__, evidence):
            names.add(row_of(end) for end in (item["tail"], item["head"]))
            names.add_values(fact_values(item))
        return names

    def _passages(self, name: str, facts: Sequence[str]) -> list[str]:
        """The cited facts, else all facts, that are passages of documents in which a name occurs."""
        words = f" {fold(name)} "

        def holds(mark: str) -> bool:
            tails = [self._evidence[key]["tail"] for key in self._shown.facts[mark]]
            return any(tail["label"] == PASSAGE and words in f" {fold(tail['name'])} " for tail in tails)

        return [mark for mark in facts if holds(mark)] or [mark for mark in self._shown.facts if holds(mark)][:1]

    # ---- the conclusion -----------------------------------------------------------------------------------------

    def conclusion(self, matched: list[_Matched]) -> Conclusion:
        """The answers with their confidence, support and explanation."""
        answers = [self._scored(m) for m in matched]
        supports: dict[str, list[str]] = {}
        for item in matched:
            for key in self._supporting(item):
                supports.setdefault(key, []).append(answer_key(item.answer))
        self._add_support_of_sets(matched, supports)
        best = self._query(matched)
        shown = self._shown
        cited = [mark for mark in (*shown.sets, *shown.facts) if any(mark in (*m.sets, *m.facts) for m in matched)]
        words = [self._attempt(mark)["words"] for mark in cited if mark in shown.sets]
        facts = sum(len(shown.facts[mark]) for mark in cited if mark in shown.facts)
        own = sum(m.own for m in matched)
        return Conclusion(
            sorted(answers, key=lambda a: -a["score"]),
            supports,
            best["cypher"] if best is not None else None,
            max(a["score"] for a in answers),
            of_model(words, facts, len(answers), own, best, self._findings),
            *(reading_of(best) if best is not None else ()),
        )

    def _scored(self, item: _Matched) -> Answer:
        row = item.answer
        if item.own:
            return {"name": row["name"], "id": None, "label": "", "score": confidence.OWN, "own": True}
        cited = [self._attempt(mark)["confidence"] for mark in item.sets]
        sure = confidence.of_model(cited, bool(item.facts))
        key = answer_key(row)
        having = [a for a in self._attempts.values() if any(answer_key(other) == key for other in a["answers"])]
        origins = {origin(attempt, self._findings.strategies) for attempt in having}
        score = confidence.corroborated(sure) if len(origins) > 1 else sure
        return {"name": row["name"], "id": row["id"], "label": row["label"], "score": score}

    def _supporting(self, item: _Matched) -> set[str]:
        """Keys of triplets that support an answer: of every cited fact those of which the answer is an end, or all of
        them if there is none; without a citation those of which it is an end, first those that join it to an entity of
        the question."""
        id, evidence = item.answer["id"], self._evidence
        keys: set[str] = set()
        for mark in item.facts:
            near = {key for key in self._shown.facts[mark] if id in _ends(evidence[key])}
            keys |= near or set(self._shown.facts[mark])
        if not item.sets and not item.facts and id is not None:
            around = [key for key, e in evidence.items() if id in _ends(e)]
            near_topic = [key for key in around if _ends(evidence[key]) & self._topics]
            keys |= set((near_topic or around)[:_UNCITED_FACTS])
        return keys

    def _add_support_of_sets(self, matched: list[_Matched], supports: dict[str, list[str]]) -> None:
        """Add the triplets on the way from a cited query's anchors to those of its answers that the model took."""
        for mark in self._shown.sets:
            rows = [m.answer for m in matched if mark in m.sets]
            if rows:
                for key, names in supports_of(rows, self._attempt(mark), self._evidence).items():
                    supports[key] = list(dict.fromkeys([*supports.get(key, []), *names]))

    def _query(self, matched: list[_Matched]) -> Attempt | None:
        """The attempt that most answers cite; without a citation the surest one that has them all."""
        counts = {mark: sum(mark in m.sets for m in matched) for mark in self._shown.sets}
        most = max(counts, key=lambda mark: counts[mark], default=None)
        if most is not None and counts[most]:
            return self._attempt(most)
        keys = {answer_key(m.answer) for m in matched if not m.own}
        having = [a for a in self._attempts.values() if keys and keys <= {answer_key(row) for row in a["answers"]}]
        return max(having, key=lambda a: a["confidence"], default=None)


def _add(found: dict[str, _Matched], item: _Matched) -> None:
    key = answer_key(item.answer) if not item.own else f"\0{item.answer['name'].casefold()}"
    known = found.setdefault(key, item)
    known.sets = list(dict.fromkeys([*known.sets, *item.sets]))
    known.facts = list(dict.fromkeys([*known.facts, *item.facts]))


def _own(found: dict[str, _Matched]) -> int:
    return sum(each.own for each in found.values())


def _beside_anchors(rows: Iterable[AnswerRef], attempt: Attempt) -> list[AnswerRef]:
    rows, anchors = list(rows), {anchor["id"] for anchor in attempt["anchors"]}
    return [row for row in rows if row["id"] not in anchors] or rows


def _ends(item: Evidence) -> set[str | None]:
    return {item["head"]["id"], item["tail"]["id"]}


def _printable(text: str) -> str:
    """The model's own answer on one line, without invisible characters, and no longer than a name may be."""
    text = " ".join(_INVISIBLE.sub(" ", text).split())
    text = "".join(character for character in text if character.isprintable())
    return text if len(text) <= LONGEST_OWN else f"{text[: LONGEST_OWN - 1].rstrip()}…"
