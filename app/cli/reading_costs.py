"""What a model takes to read chunks of documents, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clew.app.api.chunk_reading import ChunkReading, ReadingEstimate


def estimate_text(found: ReadingEstimate) -> str:
    """What calls would take."""
    return (
        f"{found.chunks:,} chunks in {found.calls:,} calls: about {found.input_tokens:,} + "
        f"{found.output_tokens:,} tokens (by {found.counted_by}){_dollars(found.price)}"
    )


def usage_text(reading: ChunkReading) -> str:
    """What the calls took."""
    usage = reading.usage
    tokens = f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens"
    return f"{len(reading.usages):,} calls, {tokens}{_dollars(usage.price)}"


def _dollars(price: float | None) -> str:
    return "" if price is None else f", ${price:.4f}"
