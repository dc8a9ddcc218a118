"""The definition of a retrieval strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from clew.agents.traits import AnswerTraits
from clew.graphs.context import Context
from clew.graphs.state import NodeState
from clew.graphs.steps import Work


class Turn(Enum):
    """When a strategy runs if the user named none; the value is the description in the docs."""

    FIRST = "on every reading"
    DEFINED = "when the question has defined words"
    DOUBTED = "when the first are not certain"
    UNSURE = "when the first are not sure"
    ASKED = "when the question asks for it"
    LAST = "once, when no further reading helps"
    NAMED = "only by name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy(AnswerTraits):
    """A retrieval strategy: what it does, what it needs, when it runs, and how its answers are treated."""

    name: str
    run: Work
    does: str
    """What it does, as half a sentence for users."""
    source: str
    """The paper and section that it comes from."""
    needs: str
    """What it needs, as half a sentence for users."""
    without_model: Turn = Turn.NAMED
    with_model: Turn = Turn.NAMED
    is_ready: Callable[[Context], bool] = lambda context: True
    """Whether the context has what it needs; not called if the user named the strategy."""
    prepare: Callable[[Context], None] | None = None
    """Slow preparation, such as building an index; runs before the time of a question starts."""
    needs_entities: bool = True
    """Whether it cannot start without a linked entity."""
    spares_hubs: bool = False
    """Whether it does not run without a model for nodes with very many relationships, all of which it would follow."""
    asked: Callable[[NodeState, Context], bool] = lambda state, context: False
    """Whether a question asks for what it finds, for those whose turn is `Turn.ASKED`."""
    needs_graph: bool = True
    """Whether it cannot search a graph without nodes."""
