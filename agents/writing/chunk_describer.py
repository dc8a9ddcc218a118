"""Topics and names of chunks, and what the columns of tables tell, by a model, in place of what rules found (SAGE,
section 2.1), within a token budget.

What comes back is checked: a topic is a short line, a name counts only where it stands in the chunk. A chunk for which
nothing usable comes back is asked for once more, and then keeps what the rules found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clew.agents.models.calls import Model, Role, Usage
from clew.agents.prompting import Prompt, prompt
from clew.agents.replies import parse_json
from clew.tools.documents.chunk import Chunk, Description
from clew.tools.documents.chunk_graph.names import folded

ROLE: Role = "extractor"
MOST_CHUNKS, MOST_TOKENS = 8, 3000
"""Of one call; a single longer chunk is sent alone."""
MOST_NAMES = 20
_LONGEST_TOPIC, _LONGEST_NAME, _LONGEST_COLUMN = 160, 80, 120
_TOKENS_A_CHUNK, _TOKENS_A_COLUMN = 90, 20
"""Of a reply, as a rule."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Described:
    """One call: what was asked for, what came back and passed, and what it took."""

    asked: tuple[Chunk, ...]
    found: dict[str, Description]
    """By the chunk's id."""
    usage: Usage


@dataclass(frozen=True, slots=True)
class Estimate:
    """What describing will take, before anything is sent; calls that have to be repeated come on top."""

    calls: int
    chunks: int
    input_tokens: int
    output_tokens: int


def describe(
    model: Model, chunks: Iterable[Chunk], count: Count, budget: int, longest_reply: int
) -> Iterator[Described]:
    """Describe chunks, some in each call, until the budget of tokens is too small for the next call with a reply of
    `longest_reply` tokens: it is never passed. Raises ModelFailed."""
    again: list[Chunk] = []
    left = budget
    for is_last_try, batches in ((False, _batches(chunks, count)), (True, _batches(again, count))):
        for batch in batches:
            asked = _prompt(batch)
            if count(asked.system) + count(asked.user) + longest_reply > left:
                return
            reply = model.ask(asked, json=True)
            left -= reply.usage.input_tokens + reply.usage.output_tokens
            found = _read(reply.text, batch)
            if not is_last_try:
                again += [chunk for chunk in batch if chunk.id not in found]
            yield Described(tuple(batch), found, reply.usage)


def estimate(chunks: Iterable[Chunk], count: Count) -> Estimate:
    """What `describe` would send and get."""
    calls, held, sent, columns = 0, 0, 0, 0
    for batch in _batches(chunks, count):
        asked = _prompt(batch)
        calls, held, sent = calls + 1, held + len(batch), sent + count(asked.system) + count(asked.user)
        columns += sum(len(chunk.header) for chunk in batch)
    return Estimate(calls, held, sent, held * _TOKENS_A_CHUNK + columns * _TOKENS_A_COLUMN)


def _batches(chunks: Iterable[Chunk], count: Count) -> Iterator[list[Chunk]]:
    batch: list[Chunk] = []
    tokens = 0
    for chunk in chunks:
        size = count(chunk.text)
        if batch and (len(batch) == MOST_CHUNKS or tokens + size > MOST_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(chunk)
        tokens += size
    if batch:
        yield batch


def _prompt(batch: Sequence[Chunk]) -> Prompt:
    passages = "\n\n".join(f"{number}. ({chunk.title}) {chunk.text}" for number, chunk in enumerate(batch, start=1))
    return prompt("describe_chunks", passages=passages)


def _read(text: str, batch: Sequence[Chunk]) -> dict[str, Description]:
    said = parse_json(text)
    if not isinstance(said, Mapping):
        return {}
    found = {}
    for number, chunk in enumerate(batch, start=1):
        row = said.get(str(number))
        topic = row.get("topic") if isinstance(row, Mapping) else None
        if isinstance(row, Mapping) and isinstance(topic, str) and (line := " ".join(topic.split())):
            names = _names(row.get("entities"), chunk.text)
            found[chunk.id] = Description(line[:_LONGEST_TOPIC], names, _columns(row.get("columns"), chunk.header))
    return found


def _columns(given: object, header: Sequence[str]) -> tuple[str, ...]:
    """What is said of the columns that there are; () where that is nothing."""
    if not isinstance(given, Mapping):
        return ()
    said = {folded(name): " ".join(text.split()) for name, text in given.items() if isinstance(text, str)}
    found = tuple(said.get(folded(name), "")[:_LONGEST_COLUMN] for name in header)
    return found if any(found) else ()


def _names(given: object, text: str) -> tuple[str, ...]:
    """Those that stand in the text."""
    there = " ".join(text.split()).casefold()
    names = (" ".join(each.split()) for each in given if isinstance(each, str)) if isinstance(given, list) else ()
    kept = (name for name in names if 0 < len(name) <= _LONGEST_NAME and name.casefold() in there)
    return tuple(dict.fromkeys(kept))[:MOST_NAMES]
