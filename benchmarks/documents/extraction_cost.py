"""What a model would read and write to make the knowledge graph of the core chunks, before anything is spent.

KET-RAG, section 5.3: a chunk is read twice, once for its entities and once for its relations, each time with a prompt;
only the budget's share of the chunks is read. Output grows with the chunks too.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """What is assumed of a model and its prompts. Prices are in US dollars for a million tokens."""

    prompt_tokens: int = 1_500
    """Of one extraction prompt with its example; SAGE prints one of this length (appendix G.2)."""
    output_tokens: int = 1_000
    """Written for one chunk: SAGE measured 21.96 million for 21,912 chunks of text (appendices A.1, B.1)."""
    input_price: float = 0.15
    output_price: float = 0.60
    """Those of GPT-4o-mini, which both papers use."""


@dataclass(frozen=True, slots=True)
class Cost:
    chunks: int
    input_tokens: int
    output_tokens: int
    price: float
    """US dollars."""


def extraction_cost(chunk_tokens: list[int], model: Model | None = None) -> Cost:
    """For reading these chunks, by the tokens of each."""
    model = model or Model()
    read = sum(2 * (model.prompt_tokens + tokens) for tokens in chunk_tokens)
    written = model.output_tokens * len(chunk_tokens)
    price = (read * model.input_price + written * model.output_price) / 1_000_000
    return Cost(len(chunk_tokens), read, written, round(price, 2))
