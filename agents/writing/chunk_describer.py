"""Topics and names of chunks, and descriptions of table columns, by a model, in place of those that rules found.

Replies are checked: a topic is a short line, and a name counts only if it occurs in the chunk. A chunk without a usable
reply is asked for once more, and then keeps what the rules found. Source: SAGE section 2.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clew.agents.models.calls import Model, Usage
from clew.agents.replies import parse_json
from clew.agents.writing.chunk_batches import Batching, Count, Estimate
from clew.tools.documents.chunk import Chunk, Description
from clew.tools.documents.chunk_graph.names import folded

BATCHING = Batching("describe_chunks", most_chunks=8, most_tokens=3000)
MOST_NAMES = 20
_LONGEST_TOPIC, _LONGEST_NAME, _LONGEST_COLUMN = 160, 80, 120
_TOKENS_A_CHUNK, _TOKENS_A_COLUMN = 90, 20
"""Tokens of a reply, as a rule."""


@dataclass(frozen=True, slots=True)
class Described:
    """One call: the usable descriptions, and what it took."""

    found: dict[str, Description]
    """By chunk id."""
    usage: Usage


def describe(
    model: Model, chunks: Iterable[Chunk], count: Count, budget: int, longest_reply: int
) -> Iterator[Described]:
    """Describe chunks, several per call, while the budget allows a call with a reply of `longest_reply` tokens.

    Args:
        count: Counts the tokens of a text.
        budget: Tokens sent and received together; never exceeded.

    Raises:
        ModelFailed: The model gave no reply.
    """
    again: list[Chunk] = []
    left = budget
    for is_last_try, batches in ((False, BATCHING.batches(chunks, count)), (True, BATCHING.batches(again, count))):
        for batch in batches:
            asked = BATCHING.prompt(batch)
            if count(asked.system) + count(asked.user) + longest_reply > left:
                return
            reply = model.ask(asked, json=True)
            left -= reply.usage.input_tokens + reply.usage.output_tokens
            found = _read(reply.text, batch)
            if not is_last_try:
                again += [chunk for chunk in batch if chunk.id not in found]
            yield Described(found, reply.usage)


def estimate(chunks: Iterable[Chunk], count: Count) -> Estimate:
    """What `describe` would send and receive."""
    return BATCHING.estimate(chunks, count, lambda chunk: _TOKENS_A_CHUNK + len(chunk.header) * _TOKENS_A_COLUMN)


def _read(text: str, batch: Sequence[Chunk]) -> dict[str, Description]:
    data = parse_json(text)
    if not isinstance(data, Mapping):
        return {}
    found = {}
    for number, chunk in enumerate(batch, start=1):
        row = data.get(str(number))
        topic = row.get("topic") if isinstance(row, Mapping) else None
        if isinstance(row, Mapping) and isinstance(topic, str) and (line := " ".join(topic.split())):
            names = _names(row.get("entities"), chunk.text)
            found[chunk.id] = Description(line[:_LONGEST_TOPIC], names, _columns(row.get("columns"), chunk.header))
    return found


def _columns(given: object, header: Sequence[str]) -> tuple[str, ...]:
    """The descriptions of the columns in `header`; () if there are none."""
    if not isinstance(given, Mapping):
        return ()
    data = {folded(name): " ".join(text.split()) for name, text in given.items() if isinstance(text, str)}
    found = tuple(data.get(folded(name), "")[:_LONGEST_COLUMN] for name in header)
    return found if any(found) else ()


def _names(given: object, text: str) -> tuple[str, ...]:
    """The names that occur in the text."""
    there = " ".join(text.split()).casefold()
    names = (" ".join(each.split()) for each in given if isinstance(each, str)) if isinstance(given, list) else ()
    kept = (name for name in names if 0 < len(name) <= _LONGEST_NAME and name.casefold() in there)
    return tuple(dict.fromkeys(kept))[:MOST_NAMES]
