"""The question graph as a part of somebody else's graph."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from clew.graphs.subgraph import QuestionOutput, question_graph
from clew.tools.errors import BadInput
from clew.tools.linking.index import EntityIndex
from tests.tools.queries.question_world import context, film_index, stand_ins

__all__ = ["film_index", "stand_ins"]


class Settings(TypedDict):
    language: str


class Report(TypedDict, total=False):
    """The state of the outer graph."""

    topic: str
    question: str
    answers: list[dict[str, Any]]
    notes: Annotated[list[str], lambda left, right: left + right]


def report_graph(film_index: EntityIndex, checkpointer: Any = None) -> Any:
    builder: Any = StateGraph(Report, context_schema=Settings)
    builder.add_node("phrase", lambda state: {"question": f"Who directed {state['topic']}?", "notes": ["phrased"]})
    builder.add_node("ask", question_graph(context(film_index)))
    builder.add_node("write", lambda state: {"notes": [answer["name"] for answer in state["answers"]]})
    for one, following in ((START, "phrase"), ("phrase", "ask"), ("ask", "write"), ("write", END)):
        builder.add_edge(one, following)
    return builder.compile(checkpointer=checkpointer)


def test_alone(film_index: EntityIndex) -> None:
    graph = question_graph(lambda: context(film_index))
    found = graph.invoke({"question": "Who directed Alien?"})
    assert set(found) == set(QuestionOutput.__annotations__)
    assert [answer["name"] for answer in found["answers"]] == ["Ridley Scott"]
    assert found["evidence"][0]["relation"] == "directed_by"
    assert graph.get_input_jsonschema()["required"] == ["question"]


def test_as_a_node_of_a_graph_with_a_state_of_its_own(film_index: EntityIndex) -> None:
    found = report_graph(film_index).invoke({"topic": "Alien"}, context={"language": "en"})
    assert found["notes"] == ["phrased", "Ridley Scott"]
    assert found["topic"] == "Alien"
    assert "attempts" not in found


def test_under_the_outer_graph_s_checkpointer(film_index: EntityIndex) -> None:
    graph, thread = report_graph(film_index, InMemorySaver()), {"configurable": {"thread_id": "a"}}
    for topic, names in (("Alien", ["Ridley Scott"]), ("Aliens", ["James Cameron"])):
        found = graph.invoke({"topic": topic, "notes": []}, thread)
        assert [answer["name"] for answer in found["answers"]] == names


def test_its_steps_can_be_streamed(film_index: EntityIndex) -> None:
    parts = report_graph(film_index).stream({"topic": "Alien"}, subgraphs=True, stream_mode="updates")
    seen = [node for _, update in parts for node in update]
    assert seen.index("contextualize") < seen.index("reason") < seen.index("write")


async def _answered(film_index: EntityIndex) -> Any:
    return await report_graph(film_index).ainvoke({"topic": "Alien"})


def test_asynchronously(film_index: EntityIndex) -> None:
    import asyncio

    assert asyncio.run(_answered(film_index))["notes"] == ["phrased", "Ridley Scott"]


def test_a_fault_ends_the_outer_run(film_index: EntityIndex) -> None:
    with pytest.raises(BadInput, match="empty"):
        question_graph(context(film_index)).invoke({"question": " "})
