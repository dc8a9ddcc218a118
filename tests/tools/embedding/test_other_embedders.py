"""Embedders that a user names: a model of sentence-transformers, made here, and a server, scripted here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.tools.embedding import MiniLM, Vectors, cosines_with, query_vectors
from clew.tools.embedding import endpoint as endpoint_module
from clew.tools.embedding.embedder import MINILM, QueryEmbedder
from clew.tools.embedding.endpoint import EndpointEmbedder
from clew.tools.embedding.sentence_model import SentenceModel
from clew.tools.errors import BadInput, ClewError
from tests.scripted_model import Said, ScriptedModel, embedding, failing

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "ask", ":", "flour", "river", "the", "bowl", "whisk"]


def tiny_sentence_model(folder: Path, seed: int = 5) -> Path:
    """A BERT of two small layers with mean pooling and random weights, which wants "ask: " before queries."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    bert = folder.parent / f"{folder.name}-bert"
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(bert)
    torch.manual_seed(seed)
    BertModel(
        BertConfig(
            vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
            initializer_range=0.5,
        )
    ).save_pretrained(bert)  # fmt: skip
    transformer = Transformer(str(bert))
    model = SentenceTransformer(modules=[transformer, Pooling(16)], prompts={"query": "ask: ", "document": ""})
    model.save(str(folder))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_sentence_model(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel(embedding(lambda text: [len(text), text.count("r"), 1.0])) as running:
        yield running


# ---- sentence-transformers ------------------------------------------------------------------------------------------


def test_a_model_of_sentence_transformers(folder: Path) -> None:
    model = SentenceModel(str(folder))
    vectors = model.embed(["the river", "flour", "the river"])
    assert vectors.shape == (3, model.dimension) == (3, 16)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(vectors[0], vectors[2])
    assert not np.allclose(vectors[0], vectors[1])
    assert model.embed([]).shape == (0, 16)


def test_what_the_model_wants_before_queries_is_put_there(folder: Path) -> None:
    model = SentenceModel(str(folder))
    assert isinstance(model, QueryEmbedder)
    asked = query_vectors(model, ["flour"])
    assert not np.allclose(asked, model.embed(["flour"]))
    assert asked == pytest.approx(model.embed(["ask: flour"]), abs=1e-5)
    assert cosines_with(model, "flour", ["the river", "flour"]) == pytest.approx(
        model.embed(["the river", "flour"]) @ asked[0], abs=1e-5
    )
    assert not isinstance(MiniLM(), QueryEmbedder)


def test_one_call_embeds_what_is_compared_where_queries_are_read_like_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    model = MiniLM()
    calls: list[list[str]] = []
    encode = model._encode

    def counted(texts: list[str]) -> list[Vectors]:
        calls.append(texts)
        return encode(texts)

    monkeypatch.setattr(model, "_encode", counted)
    cosines = cosines_with(model, "flour", ["river", "flour"])
    assert calls == [["flour", "river"]]
    assert cosines == pytest.approx([float(model.embed(["river"])[0] @ model.embed(["flour"])[0]), 1], abs=1e-5)


def test_other_weights_in_the_folder_are_another_model(folder: Path, tmp_path: Path) -> None:
    assert SentenceModel(str(folder)).name == SentenceModel(str(folder)).name
    changed = tiny_sentence_model(tmp_path / "tiny", seed=6)
    before = SentenceModel(str(changed)).name
    weights = next(changed.glob("**/model.safetensors"))
    content = weights.read_bytes()
    weights.write_bytes(content[:-4] + b"\0\0\0\1")
    assert SentenceModel(str(changed)).name != before


def test_a_model_that_is_not_here_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nothing cannot be loaded.*") as error:
        SentenceModel(str(tmp_path / "nothing")).embed(["a"])
    assert "CLEW_ALLOW_DOWNLOADS" in error.value.remedy


def test_code_that_comes_with_a_model_runs_only_if_trusted(folder: Path, tmp_path: Path) -> None:
    model = tiny_sentence_model(tmp_path / "tiny")
    ran = tmp_path / "ran"
    (model / "own.py").write_text(
        f"open({str(ran)!r}, 'w').close()\nfrom sentence_transformers.sentence_transformer.modules import Pooling\n"
        "class Own(Pooling):\n    pass\n"
    )
    modules = json.loads((model / "modules.json").read_text())
    modules[1]["type"] = "own.Own"
    (model / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(BadInput, match="third-party code") as error:
        SentenceModel(str(model)).embed(["flour"])
    assert "CLEW_TRUST_REMOTE_CODE" in error.value.remedy
    assert not ran.exists()
    assert SentenceModel(str(model), trust_remote_code=True).embed(["flour"]).shape == (1, 16)
    assert ran.exists()


# ---- a server -------------------------------------------------------------------------------------------------------


def test_a_server_of_embeddings(server: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_module, "BATCH", 2)
    model = EndpointEmbedder("small", server.base_url, "sk-embed")
    vectors = model.embed(["river", "flour", "the river", "river"])
    assert model.dimension == 3
    expected = np.array([[5, 2, 1], [5, 1, 1], [9, 2, 1], [5, 2, 1]], np.float32)
    assert vectors == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert [request["input"] for request in server.requests] == [["river", "flour"], ["the river"]]
    assert server.requests[0].model == "small"
    assert server.requests[0].headers["authorization"] == "Bearer sk-embed"
    model.embed(["flour"])
    assert len(server.requests) == 2, "recent texts are kept"


def test_a_name_of_a_server_has_no_password(server: ScriptedModel) -> None:
    address = server.base_url.replace("//", "//ana:secret@")
    assert EndpointEmbedder("small", address).name == f"small at {server.base_url}"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (failing(404, "The model small does not exist"), "does not exist"),
        (Said(raw=b'{"object": "list", "model": "small", "data": []}'), "0 vectors for 1 texts"),
        (Said(raw=b"<!doctype html>", content_type="text/html"), "failed"),
    ],
)
def test_a_server_that_fails_is_named(said: Said, words: str) -> None:
    with ScriptedModel(said) as server, pytest.raises(ClewError, match=words) as error:
        EndpointEmbedder("small", server.base_url).embed(["flour"])
    assert server.base_url in error.value.message
    assert "CLEW_EMBEDDER" in error.value.remedy


# ---- settings -------------------------------------------------------------------------------------------------------


def opened(tmp_path: Path, **settings: object) -> Container:
    return Container(load_settings(home=tmp_path, **settings), NoProgress())


def test_the_settings_name_the_embedder(tmp_path: Path, folder: Path, server: ScriptedModel) -> None:
    assert opened(tmp_path).embedder.name == MINILM
    assert opened(tmp_path, embedder=str(folder)).embedder.name.startswith(str(folder))
    served = opened(tmp_path, embedder="small", embedder_base_url=server.base_url, embedder_api_key="sk-embed")
    assert served.embedder.dimension == 3
    assert "sk-embed" in served.settings.secrets
    assert served.minilm.name == MINILM, "what is fitted to its cosines keeps it"
    with pytest.raises(BadInput, match="no model"):
        _ = opened(tmp_path, embedder_base_url=server.base_url).embedder
    with pytest.raises(BadInput, match="CLEW_EMBEDDER_BASE_URL"):
        opened(tmp_path, embedder="small", embedder_base_url="localhost")
