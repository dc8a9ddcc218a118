"""What LangGraph's own server and Studio load: the file that says so, and the graph as they run it."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

import clew.app.studio
from clew.tools.errors import BadInput
from tests.app.serving.serving_world import imported, namesakes

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = """
import json, sys
for name in ("langserve", "fastapi", "uvicorn", "sse_starlette", "mcp", "opentelemetry.sdk"):
    sys.modules[name] = None
from clew.app.studio import question_graph
print(sorted(question_graph.nodes))
print(json.dumps(question_graph.get_input_jsonschema()["properties"]))
print(json.dumps(question_graph.get_context_jsonschema()["properties"]))
"""


def loaded() -> Any:
    """What `langgraph.json` names."""
    told = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    assert told["dependencies"] == ["."]
    path, _, name = told["graphs"]["question"].partition(":")
    file = (ROOT / path).resolve()
    assert file.is_file()
    return getattr(importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)), name)


def test_the_file_names_a_compiled_graph_that_any_checkpointer_can_be_given_to() -> None:
    assert isinstance(loaded(), CompiledStateGraph)
    assert loaded().checkpointer is None


def test_it_loads_without_the_server_s_packages() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    nodes, asks, options = done.stdout.splitlines()[-3:]
    assert "contextualize" in nodes
    assert json.loads(asks) == {"question": {"title": "Question", "type": "string"}}
    assert json.loads(options).keys() == {"graph", "method", "strategies", "reading", "strict", "clarify"}


@pytest.fixture
def studio(clew_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The graph with a memory, as a server gives it one."""
    monkeypatch.setenv("CLEW_HOME", str(clew_home))

    importlib.reload(clew.app.studio)
    yield clew.app.studio.question_graph.copy({"checkpointer": InMemorySaver()})
    importlib.reload(clew.app.studio)


def asked(studio: Any, asks: Any, thread: str, **options: Any) -> Any:
    from clew.app.studio import Options

    config = {"configurable": {"thread_id": thread}, "metadata": {"run_id": uuid.uuid4().hex}}
    return studio.invoke(asks, config, context=Options(**options))


def names(state: Any) -> list[str]:
    return sorted(answer["name"] for answer in state["answers"])


def test_a_thread_is_a_conversation_whose_steps_are_all_kept(studio: Any, clew_home: Path, tmp_path: Path) -> None:
    with imported(clew_home, tmp_path) as films:
        assert names(asked(studio, {"question": "who directed Heat?"}, "t", graph=films)) == ["Michael Mann"]
        follow_up = asked(studio, {"question": "and who starred in it?"}, "t", graph=films)
        assert names(follow_up) == ["Al Pacino", "Robert De Niro"]
        history = list(studio.get_state_history({"configurable": {"thread_id": "t"}}))
        assert [each.next for each in history if each.next == ("link_entities",)] == [("link_entities",)] * 2
        with pytest.raises(BadInput, match="Unknown strategies: magic"):
            asked(studio, {"question": "x"}, "u", graph=films, strategies=["magic"])


def test_a_choice_is_an_interrupt(studio: Any, clew_home: Path, tmp_path: Path) -> None:
    with namesakes(clew_home, tmp_path) as graph:
        waiting = asked(studio, {"question": "Who directed Kismet?"}, "t", graph=graph, clarify=True)
        assert waiting["__interrupt__"][0].value["mention"] == "Kismet"
        chosen = asked(studio, Command(resume={"entity": "kismet-1955"}), "t", graph=graph, clarify=True)
        assert names(chosen) == ["Vincente Minnelli"]


def test_the_nodes_of_a_run_share_its_context(studio: Any, clew_home: Path, tmp_path: Path) -> None:

    with imported(clew_home, tmp_path) as films:
        made: list[Any] = []
        usual = clew.app.studio._RunContexts._made

        def counted(self: Any, options: Any) -> Any:
            made.append(options)
            return usual(self, options)

        clew.app.studio._RunContexts._made = counted  # type: ignore[method-assign]
        for thread in ("a", "b"):
            asked(studio, {"question": "who directed Heat?"}, thread, graph=films)
        assert len(made) == 2
