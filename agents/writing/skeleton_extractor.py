"""Entities and relations of chunks by a model, several calls at a time, within a hard budget.

The most that a call can take is reserved before it is sent, and what it did not take is released. So the budget holds
however many calls are in progress and whatever the replies are. A chunk without a usable reply is asked for once more,
and then left for another run. Source: KET-RAG, Algorithm 1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Semaphore

from clew.agents.models.calls import Model, ModelFailed, Usage
from clew.agents.prompting import Prompt
from clew.agents.writing.chunk_batches import Batching, Count, Estimate
from clew.agents.writing.extraction_reply import read_extractions
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.store.extractions import Extraction

BATCHING = Batching("extract_skeleton", most_chunks=3, most_tokens=600)
"""Small batches, since a reply is several times as long as its chunks."""
TRIES = 2
"""Times that a chunk is asked for."""
FAILURES = 3
"""Failed calls in a row after which the next failure ends the run."""
_TRANSIENT = ("timeout", "empty")
"""Reasons of a failure that the next call may not share."""
_REPLIES = 2
"""Most replies of one call: an empty one is asked for again, and both are paid for."""
_AROUND = 64
"""Tokens that a server may add around a prompt."""
_WRITTEN_BY_TOKEN, _MOST_WRITTEN = 5, 2_000
"""Estimated tokens of a reply for each token of a chunk, and most for one chunk. Assumes that fifteen tokens bring an
entity and a relation, which take 80 tokens. For a chunk of 200 tokens that is the 1,000 of SAGE, appendix B.1."""

Price = Callable[[int, int], float | None]
"""The price in US dollars of input and output tokens; None if it is not known."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for all calls of a run together."""

    tokens: int
    """Sent and received together."""
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """One call: its chunks, the usable extractions, and what it took."""

    asked: tuple[Chunk, ...]
    found: dict[str, Extraction]
    """By chunk id."""
    usage: Usage
    failure: str = ""
    """Why there was no reply; "" if there was one."""


@dataclass(frozen=True, slots=True)
class _Batch:
    chunks: tuple[Chunk, ...]
    tries: int = 1


@dataclass(frozen=True, slots=True)
class _Share:
    """A part of the budget."""

    tokens: int
    dollars: float


@dataclass(frozen=True, slots=True)
class _Ended:
    """A call that has ended."""

    batch: _Batch
    share: _Share
    """The reservation for it."""
    outcome: Extracted | Exception


@dataclass(slots=True)
class Extractor:
    """Extracts from chunks. Iterate over it once for all calls, in the order in which they end, then call `finish`.

    Iterating raises ModelFailed if going on makes no sense. After that, or after an interruption, `finish` gives the
    calls that were in progress.
    """

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
    """Filled by the calls themselves, so that an interruption of the iterating thread loses none."""
    _signal: Semaphore = field(default_factory=lambda: Semaphore(0))
    """Released once for every ended call."""
    _under_way: int = 0
    _used: _Share = _Share(0, 0.0)
    _reserved: _Share = _Share(0, 0.0)
    _failures: int = 0
    _closed: bool = False
    _pool: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self._waiting.extend(map(_Batch, BATCHING.batches(self.chunks, self.count)))
        self._pool = ThreadPoolExecutor(self.at_once, "extract")

    def __iter__(self) -> Iterator[Extracted]:
        while self._send() or self._under_way:
            self._signal.acquire()
            yield self._taken(self._ended[0])
            self._ended.popleft()  # Only now, when the caller asks for more, it cannot be lost.
            self._under_way -= 1

    def finish(self) -> Iterator[Extracted]:
        """Send nothing more, and wait for the calls in progress."""
        self._closed = True
        self._waiting.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)
        while self._ended:
            yield self._taken(self._ended[0])
            self._ended.popleft()

    def _send(self) -> bool:
        """Send calls while the budget has room; returns whether any was sent."""
        sent = False
        while self._waiting and self._under_way < self.at_once:
            batch = self._waiting[0]
            asked = BATCHING.prompt(batch.chunks)
            share = self._most(asked)
            if not self._has_room(share):
                self.stopped_by_budget = not self._under_way  # Calls in progress may leave room.
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
        except Exception as error:  # Raised again where it is taken.
            outcome = error
        self._ended.append(_Ended(batch, share, outcome))
        self._signal.release()

    def _taken(self, ended: _Ended) -> Extracted:
        """The outcome of an ended call, after accounting. Raises ModelFailed if going on makes no sense."""
        batch, call = ended.batch, ended.outcome
        if isinstance(call, Exception) and not isinstance(call, ModelFailed):
            raise call
        if isinstance(call, ModelFailed):
            self._take(call.usage, ended.share)
            self._failures += 1
            if not self._closed and (call.reason not in _TRANSIENT or self._failures > FAILURES):
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
        """The most that a call can take: no tokenizer makes more tokens of a text than it has bytes."""
        sent = _REPLIES * (len(asked.system.encode()) + len(asked.user.encode("utf-8", "replace")) + _AROUND)
        received = _REPLIES * self.longest_reply
        return _Share(sent + received, self.price(sent, received) or 0.0)

    def _has_room(self, share: _Share) -> bool:
        planned = _plus(_plus(self._used, self._reserved), share)
        dollars = self.limits.dollars
        return planned.tokens <= self.limits.tokens and (dollars is None or planned.dollars <= dollars)


def estimate(chunks: Iterable[Chunk], count: Count) -> Estimate:
    """What an Extractor would send and receive."""
    return BATCHING.estimate(chunks, count, lambda chunk: min(_MOST_WRITTEN, _WRITTEN_BY_TOKEN * count(chunk.text)))


def prompt_digest() -> str:
    """The digest of the prompt; what another version of it extracted is extracted anew."""
    return BATCHING.prompt(()).digest


def _plus(left: _Share, right: _Share, times: int = 1) -> _Share:
    return _Share(left.tokens + times * right.tokens, left.dollars + times * right.dollars)
