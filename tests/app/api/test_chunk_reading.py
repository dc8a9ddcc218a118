"""Chunks of documents that a language model reads, by the Python API: their descriptions and their skeleton."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from tests.app.cli.test_skeleton_cli import NOTES, reply
from tests.scripted_model import Request, ScriptedModel


def answer(request: Request) -> str:
    """What a good model would say, to be asked for descriptions or for extractions."""
    if '"topic"' not in request.system + request.user:
        return reply(request)
    numbers = re.findall(r"^(\d+)\. \(", request.user, flags=re.MULTILINE)
    return json.dumps({number: {"topic": f"topic {number}", "entities": []} for number in numbers})


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel(answer) as running:
        yield running


@pytest.fixture
def notes(clew_home: Path, tmp_path: Path, server: ScriptedModel) -> Iterator[clew.Graph]:
    for name, text in NOTES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = {"home": clew_home, "model": "m", "base_url": server.base_url}
    with clew.connect(f"notes-{uuid.uuid4().hex[:8]}", **options) as graph:
        graph.documents.add(tmp_path)
        yield graph
        graph.client.drop(graph.name)


def test_descriptions(notes: clew.Graph, server: ScriptedModel) -> None:
    describing = notes.documents.describing()
    assert (describing.waiting, describing.model, describing.has_price) == (4, "m", False)
    estimate = describing.estimate()
    assert (estimate.chunks, estimate.calls, estimate.price) == (4, 1, None)
    assert not server.requests
    assert list(describing.run(tokens=10)) == []
    assert list(describing.run()) == [4]
    assert (describing.written, describing.usage.input_tokens, len(server.requests)) == (4, 100, 1)
    assert notes.documents.describing().waiting == 0


def test_a_skeleton(notes: clew.Graph, server: ScriptedModel) -> None:
    skeleton = notes.documents.skeleton
    with pytest.raises(clew.BadInput, match="has no skeleton"):
        skeleton.forget()
    with skeleton.extracting(beta=1.0) as extracting:
        assert (extracting.core_chunks, extracting.waiting, extracting.chunks) == (4, 4, 4)
        assert extracting.estimate() == extracting.estimate(every=True)
        assert list(extracting.run())[1:] == [4]
    assert (len(extracting.extracted), len(extracting.usages), extracting.stopped_by_budget) == (4, 2, False)
    assert (skeleton.manifest.entities, skeleton.manifest.relations, skeleton.extractions) == (5, 3, 4)
    assert skeleton.extracting(beta=1.0).waiting == 0
    assert skeleton.forget() == 4
    assert skeleton.by_rules(beta=1.0).chunks == 4


def test_nothing_is_sent_without_a_model_or_documents(clew_home: Path, notes: clew.Graph) -> None:
    with clew.connect(notes.name, home=clew_home) as graph:
        with pytest.raises(clew.BadInput, match="none is set"):
            graph.documents.describing().estimate()
        with pytest.raises(clew.BadInput, match="none is set"):
            list(graph.documents.skeleton.extracting().run())
        assert graph.documents.skeleton.extractions == 0
        with pytest.raises(clew.BadInput, match="has no skeleton"):
            _ = graph.documents.skeleton.manifest
