"""What the API returns: frozen dataclasses, each with the JSON value that the command line prints as `to_dict()`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from clew.app.api.evidence import Answer, Evidence, Mention, PassageSpan, UnitedQuery
from clew.app.former_names import with_present_names

if TYPE_CHECKING:
    from clew.app.traces.replaying import ReplayResult as ReplayResult
    from clew.tools.graph.schema import Schema as Schema
    from clew.tools.graph.store.graph_store import GraphInfo as GraphInfo


class _Result:
    """A result that keeps the JSON value it was made from."""

    _data: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The value that the command line prints with `--json`; plain lists, dicts, texts and numbers."""
        return deepcopy(dict(self._data))


@dataclass(frozen=True, slots=True)
class OfferedReading:
    """A reading of a question, and what it answers."""

    reading: str
    """In words: "Cities located in Texas, by population, highest first: 1"."""
    confidence: float
    answers: tuple[str, ...] | None
    """The first few; None where the reading was not run."""
    count: int | None
    """How many answers there are; with `more`, how many were read."""
    more: bool
    """Whether there are more answers than were read."""
    says: str
    """The answers in words: "Heat, Alien and 3 more"."""
    chosen: bool
    """Whether it was asked for (`ask(question, reading=…)`)."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> OfferedReading:
        """From its part of what `to_dict` of a result gives."""
        values = {name: data[name] for name in cls.__dataclass_fields__}
        return cls(**{**values, "answers": None if data["answers"] is None else tuple(data["answers"])})


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Which change of an earlier question of the conversation a question was read as."""

    change: Literal["restrict", "count", "order", "project", "replace", "step", "correct"]
    turn: int
    """The number of the earlier question, from 1."""
    of: str
    """The earlier question."""
    says: str
    """The change in words: "fewer of the answers to “Which films did Christopher Nolan direct?”"."""


@dataclass(frozen=True)
class AskResult(_Result, Sequence[Answer]):
    """The answers to a question. It is a sequence of them: iterate over it, index it, take its length.

    A result without answers is false, and `explanation` says what was understood, tried and missing.

    Example:
        >>> found = clew.connect("films").ask("who directed Heat?")
        >>> [answer.name for answer in found]
        ['Michael Mann']
    """

    question: str
    answers: tuple[Answer, ...]
    """Best first."""
    confidence: float
    """0 to 1: how sure the best reading of the question is."""
    explanation: str
    reading: str
    """How the question was read, in words; empty where nothing fits it."""
    sure: bool
    """Whether there are answers, and `confidence` is at least that of the setting `sure_from`."""
    doubt: str
    """What the answer says of itself where it is not sure."""
    readings: tuple[OfferedReading, ...] = field(repr=False)
    """The reading that was answered, then the next different ones. Of a sure answer, only the first was run."""
    unexplained: tuple[str, ...]
    """Words of the question that the reading does not explain."""
    unmatched: tuple[str, ...]
    """Words of the question that stand for nothing in the graph. Then there are no answers."""
    follow_up: FollowUp | None
    """Which change of an earlier question of its session it was read as; None for a question of its own."""
    evidence: tuple[Evidence, ...] = field(repr=False)
    """Facts that support an answer come first."""
    cypher: str | None
    """The query whose rows the answers are; None where they come from elsewhere."""
    queries: tuple[UnitedQuery, ...] = field(repr=False)
    """The queries whose nodes are united in the answers (`method="graphraft"`); usually none."""
    graph: str
    trace_id: str
    """What `clew trace show` takes; empty where no trace is kept."""
    ms: float
    """Wall-clock milliseconds."""
    linked: tuple[Mention, ...] = field(repr=False)
    """What the names in the question stand for."""
    notes: tuple[str, ...]
    """What the database has lost of the graph, if anything: the answers come from the rest."""
    model: Mapping[str, Any] | None = field(repr=False)
    """Calls, tokens and price (US dollars) of language models; None without one."""
    _data: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AskResult:
        """From the value that `to_dict`, `clew ask --json` and the server give."""
        data = {**data, "answers": [with_present_names(each) for each in data["answers"]]}
        evidence = tuple(Evidence.from_dict(item) for item in data["evidence"])
        answers = []
        for each in data["answers"]:
            key = each["id"] or each["name"]
            supporting = tuple(item for item in evidence if key in item.supports)
            answers.append(
                Answer(
                    name=each["name"],
                    id=each["id"],
                    label=each.get("label") or "",
                    score=each["score"],
                    detail=each.get("detail", ""),
                    values=each.get("values", {}),
                    near=each.get("near", False),
                    own=each.get("own", False),
                    evidence=supporting,
                    passage=PassageSpan(**each["passage"]) if each.get("passage") else None,
                    queries=tuple(each.get("queries", ())),
                )
            )
        given = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        absent = {"reading": "", "sure": bool(answers), "doubt": ""}
        change = data.get("follow_up")
        made = {
            "follow_up": None if change is None else FollowUp(**change),
            "answers": tuple(answers),
            "readings": tuple(OfferedReading.from_dict(each) for each in data.get("readings", ())),
            "unexplained": tuple(data.get("unexplained", ())),
            "notes": tuple(data.get("notes", ())),
            "unmatched": tuple(each["text"] for each in data.get("unmatched", ())),
            "evidence": evidence,
            "queries": tuple(UnitedQuery.from_dict(each) for each in data.get("queries", ())),
            "linked": tuple(Mention.from_dict(mention) for mention in data["linked"]),
        }
        return cls(**{**absent, **given, **made}, _data=data)

    def __getitem__(self, place: Any) -> Any:
        return self.answers[place]

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def sentence(self) -> str:
        """The answers in one sentence, such as "Michael Mann directed Heat."; empty where there is none."""
        return str(self._data.get("sentence", ""))

    @property
    def text(self) -> str:
        """The answers in sentences with numbered evidence."""
        from clew.app.answer_text import answer_text

        return answer_text(self._data).whole

    def __str__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        """What notebooks show."""
        from clew.app.answer_text import answer_text

        return answer_text(self._data).markdown.replace("\n", "  \n")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a statement."""

    claim: str
    verdict: str
    confidence: float
    reason: str
    reading: str
    """What the words were taken to mean; empty where nothing in the graph fits."""
    negated: bool = False
    """Whether the statement denies it."""


@dataclass(frozen=True)
class VerifyResult(_Result):
    """Whether a graph supports a statement."""

    statement: str
    verdict: Literal["supported", "refuted", "not enough evidence"]
    confidence: float
    """0 to 1: how sure the reading of the words is. It says nothing about how complete the graph is."""
    reason: str
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...] = field(repr=False)
    notes: tuple[str, ...]
    """What a language model should have done and could not."""
    graph: str
    trace_id: str
    ms: float
    """Wall-clock milliseconds."""
    model: Mapping[str, Any] | None = field(repr=False)
    _data: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> VerifyResult:
        """From the value that `to_dict` and `clew verify --json` give."""
        claims = ({key: claim[key] for key in Claim.__dataclass_fields__ if key in claim} for claim in data["claims"])
        given = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        made = {
            "claims": tuple(Claim(**claim) for claim in claims),
            "evidence": tuple(Evidence.from_dict(item) for item in data["evidence"]),
            "notes": tuple(data["notes"]),
        }
        return cls(**{**given, **made}, _data=data)

    @property
    def supported(self) -> bool:
        """Whether the graph supports the statement in full."""
        return self.verdict == "supported"


@dataclass(frozen=True, slots=True)
class QueryResult(Sequence[Mapping[str, Any]]):
    """The rows of a Cypher query, a sequence of mappings from column to value."""

    rows: tuple[dict[str, Any], ...]
    truncated: bool
    """True where the database has more rows than the limit."""
    ms: float
    """Wall-clock milliseconds, transfer included."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns; none for a result without rows."""
        return list(self.rows[0]) if self.rows else []

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values: `rows`, `truncated` and `ms`."""
        return {"rows": [dict(row) for row in self.rows], "truncated": self.truncated, "ms": self.ms}

    def __getitem__(self, place: Any) -> Any:
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.rows)


EventType = Literal["step", "message", "update", "choice", "result"]


@dataclass(frozen=True)
class Event:
    """Something that happens while a question is answered.

    `type` says what `data` holds:
        step: a node has ended: `node`, `iteration`, `title`, `details`, `ms`.
        message: a language model writes: `role`, `node`, `call`, `text` (with `messages=True`).
        update: what a node wrote into the state: `node`, `update` (with `updates=True`).
        choice: the question names several entities equally well: `mention`, `candidates` (with `clarify=True`).
        result: the answers, in `result`.
    """

    type: EventType
    data: Mapping[str, Any]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Event:
        """From an event as the server sends it."""
        return cls(data["type"], {key: value for key, value in data.items() if key != "type"})

    @cached_property
    def result(self) -> AskResult | None:
        """The answers, in the last event."""
        return AskResult.from_dict(self.data["result"]) if self.type == "result" else None

    def __str__(self) -> str:
        if self.type == "step":
            return f"{self.data['node']}: {self.data['title']}"
        return str(self.data.get("text") or self.result or self.data)
