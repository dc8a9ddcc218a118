"""What a run that a model reads for may still do, and where it goes when it ends."""

from __future__ import annotations

from clew.graphs.context import Context
from clew.graphs.state import State


def held_back(state: State, context: Context) -> list[str]:
    """Strategies that wait for a run that is not sure. Each is sent once, and none where it has nowhere to begin, or
    where the linker's model failed."""
    if state["artifacts"] is None or not state["tried"]:
        return []
    ran = {step["node"] for step in state["steps"].values()}
    return [name for name in context.held_back_strategies if name not in ran]


def ending(state: State) -> str:
    """The last node but for the reasoner: none where there is something to answer from."""
    found = state["evidence"] or any(attempt["answers"] for attempt in state["attempts"].values())
    return "reason" if found else "conclude"
