"""What a retrieval strategy is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from clew.agents.traits import AnswerTraits
from clew.graphs.context import Context
from clew.graphs.steps import Work


class Turn(Enum):
    """When a strategy runs in a run whose strategies nobody named; the value says it in words."""

    FIRST = "on every reading"
    UNSURE = "when the first are not sure"
    LAST = "once, when no further reading helps"
    NAMED = "only by name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy(AnswerTraits):
    """A retrieval strategy: what it does, what it needs, when it runs, and how its answers are treated."""

    name: str
    run: Work
    does: str
    """What it does, for people; half a sentence."""
    source: str
    """The paper and section that it comes from."""
    needs: str
    """What it needs, for people; half a sentence."""
    without_model: Turn = Turn.NAMED
    with_model: Turn = Turn.NAMED
    is_ready: Callable[[Context], bool] = lambda context: True
    """Whether the context has what it needs; not asked where the strategy is named."""
    prepare: Callable[[Context], None] | None = None
    """Work that must not take the time of a question, such as building an index; done before a run begins."""
    needs_entities: bool = True
    """Whether it has nowhere to begin where the question names no entity."""
    needs_graph: bool = True
    """Whether it has nothing to search in a graph without a node."""
