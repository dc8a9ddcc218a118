"""LangSmith, to which LangChain speaks by itself: a question is one trace there too, with the calls of a model."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from langsmith import Client
from langsmith.run_helpers import tracing_context

from clew.app.models import models_of
from clew.app.settings import load_settings
from clew.graphs.ask import ask
from clew.graphs.question import QuestionGraph
from clew.tools.linking.index import EntityIndex
from tests.scripted_model import ScriptedModel, by_text
from tests.tools.queries.question_world import context, film_index, graph, linker, stand_ins

__all__ = ["film_index", "graph", "stand_ins"]

Runs = dict[str, dict[str, Any]]


@pytest.fixture
def langsmith() -> Iterator[tuple[str, Runs]]:
    """A server that takes what LangSmith's client sends; gives its address and the runs by id."""
    runs: Runs = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            run = runs.setdefault(str(body.get("id") or self.path.rpartition("/")[2]), {})
            run.update({key: value for key, value in body.items() if value})
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_PATCH = do_POST

        def log_message(self, *_: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", runs
    server.shutdown()
    server.server_close()


def test_a_question_is_one_trace_with_its_steps_and_the_calls_in_them(
    graph: QuestionGraph, film_index: EntityIndex, langsmith: tuple[str, Runs], tmp_path: Path
) -> None:
    url, runs = langsmith
    said = by_text({"List the": linker("Alien")}, "<answers>Ridley Scott [F1]</answers>")
    with ScriptedModel(said) as model:
        settings = load_settings(home=tmp_path, model="scripted", model_base_url=model.base_url, model_api_key="sk-x")
        models = models_of(settings)
        assert models is not None
        try:
            client = Client(api_url=url, api_key="lsv2_x", auto_batch_tracing=False)
            with tracing_context(enabled=True, client=client, project_name="films"):
                ask(graph, context(film_index, models=models), "Who directed Alien?")
        finally:
            models.close()
    assert len({run["trace_id"] for run in runs.values()}) == 1
    parents = {(run["name"], runs.get(run.get("parent_run_id", ""), {}).get("name")) for run in runs.values()}
    assert {("question", None), ("link", "question"), ("cypher", "question"), ("reason", "question")} <= parents
    assert {parent for name, parent in parents if name == "ChatOpenAI"} >= {"link"}
