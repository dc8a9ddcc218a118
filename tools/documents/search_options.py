"""How a question searches the documents: one small object, which a setting or a method of answering fills in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from clew.tools.errors import BadInput

Mode = Literal["mix", "sage", "ket"]
MODES: tuple[Mode, ...] = get_args(Mode)
EdgeKind = Literal["content", "topic", "title", "column", "names", "links", "parent"]
"""Of the chunk graph: similar contents, topics, titles or columns; shared names; a name and the document with that
title; adjacent chunks of a document."""
EDGE_KINDS: tuple[EdgeKind, ...] = get_args(EdgeKind)
CoreChoice = Literal["pagerank", "uniform"]
"""Of the chunks of a skeleton: the most central ones, or random ones."""
CORE_CHOICES: tuple[CoreChoice, ...] = get_args(CoreChoice)
THETA = 0.4
MOST_SPLITS = 8


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Raises BadInput for what cannot be."""

    mode: Mode = "mix"
    """`mix`: the index's channels together, with the skeleton if a model made one. `sage`: the best chunks by words and
    meaning, and the best of their neighbours in the chunk graph (SAGE, section 2.2). `ket`: the skeleton's entities,
    relations and chunks, and the chunks of the nearest keywords (KET-RAG, Algorithm 4)."""
    neighbours: float = 0.5
    """Of `sage`: the share of the places that neighbours have, k' / (k + k')."""
    edges: tuple[EdgeKind, ...] = EDGE_KINDS
    """Of `sage`: the kinds of edges that are followed; none searches without the graph."""
    theta: float = THETA
    """Of `ket`, and of `mix` with a skeleton: the entity channel's share of the tokens, or of the places (θ)."""
    tokens: int | None = None
    """Of `ket`: the tokens that entities, relations and chunks may take together (λ); None for the question's own
    limit."""
    splits: int = 0
    """Of `ket`: how often chunks are halved for the keyword channel (τ). Chunks of 1,200 tokens take 3; chunks of the
    usual 200 tokens none."""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise BadInput(f"There is no mode {self.mode!r} of document search.", f"The modes are {', '.join(MODES)}.")
        if not 0 <= self.neighbours < 1:
            raise BadInput(f"Neighbours cannot have {self.neighbours:g} of the places.", "Give a number from 0 to 1.")
        if self.tokens is not None and self.tokens < 1:
            raise BadInput(f"A limit of {self.tokens} tokens cannot be.", "Give a number above 0.")
        if not 0 <= self.splits <= MOST_SPLITS:
            raise BadInput(f"Chunks cannot be halved {self.splits} times.", f"Give a number from 0 to {MOST_SPLITS}.")
        check_theta(self.theta)
        check_edges(self.edges)

    def shared(self, k: int) -> tuple[int, int]:
        """The numbers of seeds and of neighbours among `k` places; at least one is a seed."""
        more = min(k - 1, round(k * self.neighbours)) if k > 0 and self.edges else 0
        return k - more, more


def check_theta(theta: float) -> None:
    """Raises BadInput for a θ that is not a share."""
    if not 0 <= theta <= 1:
        raise BadInput(f"A share of {theta:g} for the entity channel cannot be.", "θ is a number from 0 to 1.")


def check_edges(kinds: Iterable[str]) -> None:
    """Raises BadInput for an unknown kind of edges."""
    for kind in kinds:
        if kind not in EDGE_KINDS:
            raise BadInput(f"There is no kind of edges {kind!r}.", f"The kinds are {', '.join(EDGE_KINDS)}.")
