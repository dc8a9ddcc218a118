"""What a reply of a model is read into: plain values, as it wrote them, not yet checked against any graph."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawArtifacts:
    """A linker's reply (ByoKG-RAG section 3.1, Equations 1-4), part by part in the reply's order, without repeats."""

    entities: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """One path each, as it was written; relations of a list are joined by " -> "."""
    cypher: tuple[str, ...] = ()
    """One statement each, without fences and the prose around it."""
    answers: tuple[str, ...] = ()
    """Draft answers."""
    finished: bool = False
    """It said FINISH and nothing else where entities were asked for."""
    parts: frozenset[str] = frozenset()
    """Those that the reply has, empty ones too: "entities", "paths", "opencypher", "answers", …"""
    cut_off: bool = False
    """Its last part has a beginning and no end."""


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """One line of a reasoner's answers."""

    name: str
    """"" where `all` is set."""
    citations: tuple[str, ...] = ()
    """As "F1" or "Q2", in the line's order."""
    all: bool = False
    """It stands for every row of the result sets that it cites."""
