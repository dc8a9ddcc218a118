"""The question graph as a node of another LangGraph graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict  # that of the standard library has no JSON schema before Python 3.12

from clew.agents.evidence import Answer, OfferedReading
from clew.graphs.ask import ask
from clew.graphs.context import Context
from clew.graphs.question import build_question_graph
from clew.graphs.result import Support


class QuestionInput(TypedDict):
    """What the graph takes."""

    question: str


class QuestionOutput(TypedDict):
    """What the graph gives; see `clew.graphs.ask.AskResult` for the fields."""

    answers: list[Answer]
    evidence: list[Support]
    cypher: str | None
    confidence: float
    explanation: str
    reading: str
    sure: bool
    doubt: str
    readings: list[OfferedReading]
    trace_id: str


class _State(QuestionInput, QuestionOutput, total=False):
    """Both."""


def question_graph(
    context: Context | Callable[[], Context],
) -> CompiledStateGraph[Any, Any, QuestionInput, QuestionOutput]:
    """A compiled LangGraph graph that answers {"question": …} about one knowledge graph.

    It runs by itself, and as a node of a graph whose state has the keys `question` and `answers`; the other keys of
    `QuestionOutput` are optional there. It needs no runtime context of the outer graph, and keeps no conversation.

    Args:
        context: The knowledge graph, with how questions about it are answered, or a function that opens it when the
            first question comes.

    Example:
        >>> builder = StateGraph(MyState)
        >>> builder.add_node("ask", question_graph(context))
    """
    graph = build_question_graph()

    def answer(state: QuestionInput) -> QuestionOutput:
        result = ask(graph, context() if callable(context) else context, state["question"])
        return {key: result[key] for key in QuestionOutput.__annotations__}  # type: ignore[return-value, literal-required]

    builder: StateGraph[Any, Any, QuestionInput, QuestionOutput] = StateGraph(
        _State, input_schema=QuestionInput, output_schema=QuestionOutput
    )
    builder.add_node("answer", answer)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    return builder.compile(name="clew")
