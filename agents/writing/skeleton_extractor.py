"""Entities and relations of chunks by a model (KET-RAG, Algorithm 1), several calls at a time, within a hard budget.

Before a call is sent, the most that it can take is set aside; what it did not take is given back. So the budget is kept
however many calls are under way and whatever the replies are. A chunk without a usable answer is asked for once more,
and then left for another run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Semaphore

from clew.agents.models.calls import Model, ModelFailed, Role, Usage
from clew.agents.prompting import Prompt, prompt
from clew.agents.writing.extraction_reply import read_extractions
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.store.extractions import Extraction

ROLE: Role = "extractor"
PROMPT = "extract_skeleton"
MOST_CHUNKS, MOST_TOKENS = 3, 600
"""Of one call; a single longer chunk is sent alone. The reply is several times as long as what it is about."""
TRIES = 2
"""Times that a chunk is asked for."""
FAILURES = 3
"""Calls in a row without a reply that may be tried again later; the next one ends the run."""
_PASSING = ("timeout", "empty")
"""Reasons of a failure that the next call need not share."""
_REPLIES = 2
"""Of one call: an empty one is asked for again, and both are paid for."""
_AROUND = 64
"""Tokens that a server may put around a prompt."""
_WRITTEN_BY_TOKEN, _MOST_WRITTEN = 5, 2_000
"""Tokens of a reply for each token of a chunk, and for a whole chunk at most: an assumption, that every fifteen tokens
bring an entity and a relation of 80 tokens together. It gives a chunk of 200 tokens what SAGE measured for one chunk
(1,000; appendix B.1)."""

Count = Callable[[str], int]
Price = Callable[[int, int], float | None]
"""US dollars of so many input and output tokens; None where no price is known."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What extracting will take, before anything is sent; calls that have to be repeated come on top."""

    calls: int
    chunks: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What all calls of a run may take together."""

    tokens: int
    """Sent and received."""
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """One call: what was asked for, what came back and passed, and what it took."""

    asked: tuple[Chunk, ...]
    found: dict[str, Extraction]
    """By the chunk's id."""
    usage: Usage
    failure: str = ""
    """Why there was no reply."""


@dataclass(frozen=True, slots=True)
class _Batch:
    chunks: tuple[Chunk, ...]
    tries: int = 1


@dataclass(frozen=True, slots=True)
class _Share:
    """Of the budget."""

    tokens: int
    dollars: float


@dataclass(frozen=True, slots=True)
class _Ended:
    """A call that has ended."""

    batch: _Batch
    share: _Share
    """What was set aside for it."""
    outcome: Extracted | Exception


@dataclass(slots=True)
class Extractor:
    """Iterate it once for all calls, in the order in which they end, and `finish` it. After an interruption, or after
    ModelFailed, raised where the model cannot be asked, `finish` gives the calls that were under way."""

    model: Model
    chunks: Sequence[Chunk]
    count: Count
    limits: Limits
    longest_reply: int
    """Tokens."""
    price: Price = lambda _, __: None
    at_once: int = 4
    stopped_by_budget: bool = False
    _waiting: deque[_Batch] = field(default_factory=deque)
    _ended: deque[_Ended] = field(default_factory=deque)
    """Filled by the calls themselves, so that an interruption of who sends and takes them loses none."""
    _signal: Semaphore = field(default_factory=lambda: Semaphore(0))
    """Released once for every call that has ended."""
    _under_way: int = 0
    _used: _Share = _Share(0, 0.0)
    _reserved: _Share = _Share(0, 0.0)
    _failures: int = 0
    _closed: bool = False
    _pool: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self._waiting.extend(map(_Batch, batches(self.chunks, self.count)))
        self._pool = ThreadPoolExecutor(self.at_once, "extract")

    def __iter__(self) -> Iterator[Extracted]:
        while self._send() or self._under_way:
            self._signal.acquire()
            yield self._taken(self._ended[0])
            self._ended.popleft()  # Now its taker has come back for more, and it cannot be lost.
            self._under_way -= 1

    def finish(self) -> Iterator[Extracted]:
        """Nothing more is sent; the calls under way are waited for."""
        self._closed = True
        self._waiting.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)
        while self._ended:
            yield self._taken(self._ended[0])
            self._ended.popleft()

    def _send(self) -> bool:
        """Send what has room; whether anything was sent."""
        sent = False
        while self._waiting and self._under_way < self.at_once:
            batch = self._waiting[0]
            asked = asked_for(batch.chunks)
            share = self._most(asked)
            if not self._has_room(share):
                self.stopped_by_budget = not self._under_way  # What is under way may leave room.
                if self.stopped_by_budget:
                    self._waiting.clear()
                break
            self._waiting.popleft()
            self._reserved = _plus(self._reserved, share)
            self._under_way += 1
            self._pool.submit(self._ask, batch, share, asked)
            sent = True
        return sent

    def _ask(self, batch: _Batch, share: _Share, asked: Prompt) -> None:
        if self._closed:
            return
        outcome: Extracted | Exception
        try:
            reply = self.model.ask(asked, json=True)
            found = read_extractions(reply.text, batch.chunks, cut_off=reply.finish_reason == "length")
            outcome = Extracted(batch.chunks, found, reply.usage)
        except Exception as error:  # Whoever takes it raises it.
            outcome = error
        self._ended.append(_Ended(batch, share, outcome))
        self._signal.release()

    def _taken(self, ended: _Ended) -> Extracted:
        """A call that has ended, its cost booked. Raises ModelFailed where there is no sense in going on."""
        batch, call = ended.batch, ended.outcome
        if isinstance(call, Exception) and not isinstance(call, ModelFailed):
            raise call
        if isinstance(call, ModelFailed):
            self._take(call.usage, ended.share)
            self._failures += 1
            if not self._closed and (call.reason not in _PASSING or self._failures > FAILURES):
                raise call
            return Extracted(batch.chunks, {}, call.usage, failure=call.message)
        self._take(call.usage, ended.share)
        self._failures = 0
        missing = [chunk for chunk in batch.chunks if chunk.id not in call.found]
        if batch.tries < TRIES and not self._closed:
            self._waiting.extend(_Batch((chunk,), batch.tries + 1) for chunk in missing)
        return call

    def _take(self, usage: Usage, share: _Share) -> None:
        price = usage.price if usage.price is not None else self.price(usage.input_tokens, usage.output_tokens)
        self._reserved = _plus(self._reserved, share, -1)
        self._used = _plus(self._used, _Share(usage.input_tokens + usage.output_tokens, price or 0.0))

    def _most(self, asked: Prompt) -> _Share:
        """What a call can take at most. No tokenizer makes more tokens of a text than it has bytes."""
        sent = _REPLIES * (len(asked.system.encode()) + len(asked.user.encode("utf-8", "replace")) + _AROUND)
        received = _REPLIES * self.longest_reply
        return _Share(sent + received, self.price(sent, received) or 0.0)

    def _has_room(self, share: _Share) -> bool:
        planned = _plus(_plus(self._used, self._reserved), share)
        dollars = self.limits.dollars
        return planned.tokens <= self.limits.tokens and (dollars is None or planned.dollars <= dollars)


def estimate(chunks: Iterable[Chunk], count: Count) -> Estimate:
    """What an Extractor would send and get."""
    calls, held, sent, written = 0, 0, 0, 0
    for batch in batches(chunks, count):
        asked = asked_for(batch)
        calls, held, sent = calls + 1, held + len(batch), sent + count(asked.system) + count(asked.user)
        written += sum(min(_MOST_WRITTEN, _WRITTEN_BY_TOKEN * count(chunk.text)) for chunk in batch)
    return Estimate(calls, held, sent, written)


def batches(chunks: Iterable[Chunk], count: Count) -> Iterator[tuple[Chunk, ...]]:
    """The chunks as they go into calls."""
    batch: list[Chunk] = []
    tokens = 0
    for chunk in chunks:
        size = count(chunk.text)
        if batch and (len(batch) == MOST_CHUNKS or tokens + size > MOST_TOKENS):
            yield tuple(batch)
            batch, tokens = [], 0
        batch.append(chunk)
        tokens += size
    if batch:
        yield tuple(batch)


def asked_for(batch: Sequence[Chunk]) -> Prompt:
    passages = "\n\n".join(f"{number}. ({chunk.title}) {chunk.text}" for number, chunk in enumerate(batch, start=1))
    return prompt(PROMPT, passages=passages)


def prompt_digest() -> str:
    """Of the prompt as it is now: what another one brought is asked anew."""
    return prompt(PROMPT, passages="").digest


def _plus(left: _Share, right: _Share, times: int = 1) -> _Share:
    return _Share(left.tokens + times * right.tokens, left.dollars + times * right.dollars)
