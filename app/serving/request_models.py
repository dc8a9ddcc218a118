"""Models of requests and responses, which pydantic validates and documents."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from clew.app.api.asking import MOST_CHARACTERS
from clew.app.api.requests import STRATEGIES, checked_method
from clew.app.sessions.store import checked_name
from clew.tools.errors import BadInput

MOST_INPUTS = 16
"""Of one batch."""


def _some(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty")
    return text


def _strategy(name: str) -> str:
    if name not in STRATEGIES:
        raise ValueError(f"is not a strategy; there are {', '.join(STRATEGIES)}")
    return name


def _method(name: str) -> str:
    try:
        return checked_method(name).name
    except BadInput as error:
        raise ValueError(str(error)) from None


def _session(name: str) -> str:
    try:
        return checked_name(name)
    except BadInput as error:
        raise ValueError(str(error)) from None


Question = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS), AfterValidator(_some)]
Statement = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_some)]
GraphName = Annotated[str, Field(min_length=1, max_length=200)]
SessionName = Annotated[str, Field(max_length=200), AfterValidator(_session)]
Strategies = Annotated[list[Annotated[str, AfterValidator(_strategy)]], Field(min_length=1, max_length=len(STRATEGIES))]

MethodName = Annotated[str, Field(max_length=100), AfterValidator(_method)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AskInput(Strict):
    """A question."""

    question: Question


class VerifyInput(Strict):
    """A statement."""

    statement: Statement


class VerifyOptions(Strict):
    """How to verify a statement."""

    graph: GraphName | None = None


class RunOptions(Strict):
    """Strategies and limits; the server's settings for what is left out."""

    strategies: Strategies | None = None
    seconds: float | None = Field(default=None, gt=0, le=3600)
    rows: int | None = Field(default=None, ge=1, le=1_000_000)
    tokens: int | None = Field(default=None, ge=1, le=1_000_000)


class AskOptions(VerifyOptions, RunOptions):
    """How to answer a question."""

    method: MethodName | None = None
    """A paper's method, in place of strategies; the default decides by itself (docs/methods.md)."""
    session: SessionName | None = None
    reading: Annotated[int, Field(ge=1, le=100)] | Annotated[str, Field(min_length=1, max_length=2000)] | None = None
    """The reading to answer: its number among the `readings` of an earlier result of this question, or its words."""
    strict: bool = False
    """Whether only what is sure and explained in full is an answer."""
    model: Annotated[str, Field(min_length=1, max_length=300)] | None = None
    """The language model of all roles, one of `models` of `/api/me`."""
    without_model: bool = False
    """Whether no language model takes part."""
    updates: bool = False
    messages: bool = False
    """Whether the text of language models is streamed."""
    origin: Literal["page", "api"] = "api"
    """Where the session begins, for the list of conversations."""


class ChoiceSelection(Strict):
    """The entity that is meant: the answer to a `choice`."""

    mention: Annotated[str, Field(max_length=MOST_CHARACTERS)]
    entity: Annotated[str, Field(max_length=10_000)] | None
    """The id of one of its candidates; null for any of them."""


class AskBody(AskOptions):
    """The body of `/api/ask`: a question, or the choice that the session's last question waits for."""

    question: Question | None = None
    choice: ChoiceSelection | None = None
    clarify: bool = False
    """Whether the result may be a choice."""
    stream: bool = True

    @property
    def asks(self) -> str | ChoiceSelection:
        """The question or the choice."""
        asks = self.question if self.choice is None else self.choice
        assert asks is not None
        return asks

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.question is None) == (self.choice is None):
            raise ValueError("give either a question or a choice")
        if self.session is None and (self.clarify or self.choice is not None):
            raise ValueError("a choice needs a session")
        return self


class ForkBody(RunOptions):
    """The body of `/api/traces/ID/fork`: the last step to keep, and the changes after it."""

    step: Annotated[str, Field(alias="from", max_length=100)]
    entities: dict[Annotated[str, Field(max_length=MOST_CHARACTERS)], Annotated[str, Field(max_length=10_000)]] = Field(
        default_factory=dict, max_length=20
    )
    """Ids of entities, by the words of the question that name them."""

    @property
    def changes(self) -> dict[str, Any]:
        """As `clew.Client.fork` takes them."""
        named = ("strategies", "seconds", "rows", "tokens")
        given = {name: value for name in named if (value := getattr(self, name)) is not None}
        return {**given, **{f"entity:{words}": id for words, id in self.entities.items()}}


class VerifyBody(VerifyInput, VerifyOptions):
    """The body of `/api/verify`."""


class Result(BaseModel):
    """Responses may have more keys than these."""

    model_config = ConfigDict(extra="allow")


class EntityModel(Result):
    id: str | None
    name: str
    label: str | None = None


class AnswerModel(EntityModel):
    score: float | None = None


class SupportModel(Result):
    head: EntityModel
    relation: str
    tail: EntityModel
    properties: dict[str, Any] = Field(default_factory=dict)
    score: float = 0.0
    supports: list[str] = Field(default_factory=list)
    found_by: list[dict[str, Any]] = Field(default_factory=list)


class AskOutput(Result):
    """An answer with its evidence, as `clew ask --json` prints it (docs/cli.md)."""

    question: str
    answers: list[AnswerModel]
    evidence: list[SupportModel]
    cypher: str | None
    queries: list[dict[str, Any]] = Field(default_factory=list)
    """The queries whose nodes are united in the answers."""
    confidence: float
    explanation: str
    sentence: str = ""
    """The answers in a sentence."""
    reading: str = ""
    sure: bool = False
    doubt: str = ""
    readings: list[dict[str, Any]] = Field(default_factory=list)
    unexplained: list[str] = Field(default_factory=list)
    unmatched: list[dict[str, Any]] = Field(default_factory=list)
    follow_up: dict[str, Any] | None = None
    trace_id: str
    ms: float
    model: dict[str, Any] | None = None
    linked: list[dict[str, Any]] = Field(default_factory=list)
    graph: str = ""
    notes: list[str] = Field(default_factory=list)


class VerifyOutput(Result):
    """A verdict with its evidence, as `clew verify --json` prints it (docs/cli.md)."""

    statement: str
    verdict: Literal["supported", "refuted", "not enough evidence"]
    confidence: float
    reason: str
    claims: list[dict[str, Any]]
    evidence: list[SupportModel]
    trace_id: str
    ms: float
    notes: list[str] = Field(default_factory=list)
    model: dict[str, Any] | None = None
    graph: str = ""
