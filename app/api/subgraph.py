"""The question graph as a LangGraph graph of its own, to be a node of somebody else's graph."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from clew.app.api.client import connect

if TYPE_CHECKING:
    from clew.app.api.graph import Graph


class QuestionInput(TypedDict):
    """What the graph reads of the state."""

    question: str


class QuestionState(QuestionInput, total=False):
    """What the graph writes into the state: the value of `AskResult.to_dict()`."""

    answers: list[dict[str, Any]]
    evidence: list[dict[str, Any]]
    cypher: str | None
    confidence: float
    explanation: str
    trace_id: str


def question_graph(
    graph: Graph | None = None,
) -> CompiledStateGraph[QuestionState, None, QuestionInput, QuestionState]:
    """A compiled LangGraph graph that reads `question` from the state and writes the answers into it.

    Each question is traced and has the time that the settings allow. The steps of the question graph are a subgraph
    of the node `answer`: `stream(…, subgraphs=True)` shows them.

    Args:
        graph: The graph to ask; None connects to the only graph of the environment's settings when first asked.

    Example:
        >>> builder = StateGraph(MyState)  # with a key `question`, and those of `QuestionState` that it wants
        >>> builder.add_node("clew", clew.question_graph(clew.connect("films")))
    """
    asked = cache(lambda: graph if graph is not None else connect())
    written = QuestionState.__annotations__.keys() - QuestionInput.__annotations__.keys()

    def answer(state: QuestionInput) -> dict[str, Any]:
        found = asked().ask(state["question"]).to_dict()
        return {key: found[key] for key in written}

    builder = StateGraph(QuestionState, input_schema=QuestionInput)
    builder.add_node("answer", answer)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    return builder.compile(name="clew")
