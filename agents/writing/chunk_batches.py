"""Chunks of documents as they are put into calls of a model, and what the calls will take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from clew.agents.models.calls import Role
from clew.agents.prompting import Prompt, one_line, prompt
from clew.tools.documents.chunk import Chunk

ROLE: Role = "extractor"
Count = Callable[[str], int]
"""Counts the tokens of a text."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the calls will take, estimated before anything is sent; repeated calls come on top."""

    calls: int
    chunks: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Batching:
    """How many chunks go into one call, and with which prompt."""

    prompt_name: str
    most_chunks: int
    most_tokens: int
    """Of the chunks in one call; a single longer chunk is sent alone."""

    def batches(self, chunks: Iterable[Chunk], count: Count) -> Iterator[tuple[Chunk, ...]]:
        """The chunks of each call."""
        batch: list[Chunk] = []
        tokens = 0
        for chunk in chunks:
            size = count(chunk.text)
            if batch and (len(batch) == self.most_chunks or tokens + size > self.most_tokens):
                yield tuple(batch)
                batch, tokens = [], 0
            batch.append(chunk)
            tokens += size
        if batch:
            yield tuple(batch)

    def prompt(self, batch: Iterable[Chunk]) -> Prompt:
        """The prompt for a batch, whose chunks are numbered from 1."""
        passages = (f"{number}. ({one_line(chunk.title)}) {chunk.text}" for number, chunk in enumerate(batch, start=1))
        return prompt(self.prompt_name, passages="\n\n".join(passages))

    def estimate(self, chunks: Iterable[Chunk], count: Count, reply_tokens: Callable[[Chunk], int]) -> Estimate:
        """What calls for all chunks will take, if a reply takes `reply_tokens` for each chunk."""
        calls, total, sent, received = 0, 0, 0, 0
        for batch in self.batches(chunks, count):
            asked = self.prompt(batch)
            calls, total = calls + 1, total + len(batch)
            sent += count(asked.system) + count(asked.user)
            received += sum(map(reply_tokens, batch))
        return Estimate(calls, total, sent, received)
