"""The benchmark of documents: what a model extracted is kept, and what a build takes is told whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.documents.cost import Steps, model_costs
from benchmarks.documents.model_skeleton import extracted_by_model
from clew.app.settings import load_settings
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.errors import BadInput
from tests.scripted_model import Request, ScriptedModel
from tests.tools.queries.word_vectors import WordVectors

CHUNKS = [Chunk(f"c{n}", "d", f"Mill {n}", f"Ana{n} bought the mill at Dorn{n} in spring.", order=n) for n in range(7)]


def reply(request: Request) -> str:
    names = [[{"name": f"Ana{n}"}] for n in range(7) if f"Ana{n} " in request.user]
    return json.dumps({str(place): {"entities": each} for place, each in enumerate(names, start=1)})


def test_a_repeated_run_pays_only_for_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLEW_MODEL", raising=False)
    file = tmp_path / "extracted.jsonl"
    with pytest.raises(BadInput, match="No model is named"):
        extracted_by_model(CHUNKS, file, 1_000_000, load_settings())
    with ScriptedModel(reply) as server:
        settings = load_settings(model="m", model_base_url=server.base_url)
        assert list(extracted_by_model(CHUNKS[:4], file, 1_000_000, settings)) == ["c0", "c1", "c2", "c3"]
        assert len(server.requests) == 2
        file.write_text(file.read_text("utf-8")[:-20], "utf-8")  # As an interruption leaves it.
        found = extracted_by_model(CHUNKS, file, 1_000_000, settings)
        assert {id: each.entities[0].name for id, each in found.items()} == {f"c{n}": f"Ana{n}" for n in range(7)}
        assert len(server.requests) == 4
        assert extracted_by_model(CHUNKS, file, 1, settings) == found
        assert extracted_by_model(CHUNKS, tmp_path / "other", 1, settings) == {}
        assert len(server.requests) == 4


def test_what_a_build_takes_is_told_by_step_and_for_a_million_tokens(tmp_path: Path) -> None:
    steps = Steps()
    index = DocumentIndex.build(CHUNKS, tmp_path, "1", WordVectors(), steps.step)
    told = steps.told(500_000, 3_000_000)
    assert [*told["steps"]][:2] == ["Reading chunks", "Joining keywords"]
    assert sum(step["share"] for step in told["steps"].values()) == pytest.approx(1, abs=0.01)
    assert told["per_million_tokens"]["seconds"] == pytest.approx(2 * told["seconds"], abs=0.2)
    assert told["per_million_tokens"]["disk_mb"] == 6
    assert all(step["peak_mb"] >= step["added_mb"] >= 0 for step in told["steps"].values())
    costs = model_costs(index)
    assert costs["beta_1"]["chunks"] == costs["beta_1"]["as_clew_asks"]["chunks"] == 7
    assert costs["beta_0.2"]["chunks"] == costs["beta_0.2"]["as_clew_asks"]["chunks"] == 1
    assert costs["beta_0.2"]["as_clew_asks"]["input_tokens"] < costs["beta_1"]["as_clew_asks"]["input_tokens"]
