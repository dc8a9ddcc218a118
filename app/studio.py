"""What `langgraph.json` names: the question graph for LangGraph's own tools, which bring their checkpointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphs.question import QuestionGraph


def question_graph() -> QuestionGraph:
    from graphs.question import build_question_graph

    return build_question_graph()
