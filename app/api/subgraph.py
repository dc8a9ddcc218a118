"""The question graph as a LangGraph graph of its own, to be a node of another application's graph."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from clew.app.api.client import connect
from clew.graphs import subgraph

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from clew.app.api.graph import Graph


def question_graph(
    graph: Graph | None = None,
) -> CompiledStateGraph[Any, Any, subgraph.QuestionInput, subgraph.QuestionOutput]:
    """A compiled LangGraph graph that reads `question` from the state and writes the answers into it.

    Each question is traced and has the time that the settings allow. The steps of the question graph are a subgraph
    of the node `answer`: `stream(…, subgraphs=True)` shows them.

    Args:
        graph: The graph to ask; None connects to the only graph of the environment's settings when first asked.

    Example:
        >>> builder = StateGraph(MyState)  # with a key `question`, and those of `QuestionOutput` that it wants
        >>> builder.add_node("clew", clew.question_graph(clew.connect("films")))
    """
    asked = cache(lambda: graph if graph is not None else connect())
    return subgraph.question_graph(lambda: asked().client.context(asked().name))
