"""Tokens counted by an encoding that is handed over: a file of tiktoken's, a tokenizer's, or a package's."""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from clew.tools.embedding import token_budget
from clew.tools.embedding.token_encoding import count_by
from clew.tools.errors import BadInput

MERGED = [b"th", b"the", b" r", b" ri", b" riv", b" rive", b" river"]


@pytest.fixture(autouse=True)
def default_after() -> Iterator[None]:
    yield
    token_budget.use(None)


@pytest.fixture
def ranks(tmp_path: Path) -> Path:
    """An encoding with every byte and a few words."""
    tokens = [*(bytes([byte]) for byte in range(256)), *MERGED]
    lines = [f"{base64.b64encode(token).decode()} {rank}" for rank, token in enumerate(tokens)]
    path = tmp_path / "o200k_base.tiktoken"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_of_tiktoken_counts_exactly(ranks: Path) -> None:
    count = count_by(str(ranks))
    assert count("the river") == 2
    assert count("the  river") == 3
    assert count("") == 0
    assert count("x" * 7) == 7, "bytes that nothing merges"
    assert count("<|endoftext|>") == 13, "no text is a special token"


def test_the_whole_process_counts_by_it(ranks: Path) -> None:
    assert token_budget.counter()("the river" * 100) != 200
    token_budget.use(str(ranks))
    assert token_budget.counter()("the river") == 2
    assert token_budget.counted_by() == str(ranks)
    assert token_budget.fitting([("a", "the river" * 100), ("b", "the river" * 100)], 250) == ["a"]
    token_budget.use(None)
    assert token_budget.counter()("the river") in (2, 3), "by o200k_base, or estimated"


def test_the_estimate_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    token_budget.counter.cache_clear()
    assert token_budget.counted_by() == "an estimate, 4 characters a token"
    token_budget.counter.cache_clear()


def test_a_tokenizer_of_hugging_face(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "the": 1, "river": 2}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.enable_truncation(2)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert count_by(str(tmp_path / "tokenizer.json"))("the river, the river") == 5


def test_a_package_that_extends_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken
    from tiktoken import registry

    module = ModuleType("tiktoken_ext.offline")

    def letters() -> dict[str, object]:
        return {
            "name": "letters", "pat_str": r".", "special_tokens": {},
            "mergeable_ranks": {bytes([byte]): byte for byte in range(256)},
        }  # fmt: skip

    letters.__module__ = module.__name__
    monkeypatch.setitem(sys.modules, module.__name__, module)
    tiktoken.list_encoding_names()
    monkeypatch.setattr(
        registry, "ENCODING_CONSTRUCTORS", {**(registry.ENCODING_CONSTRUCTORS or {}), "letters": letters}
    )
    assert count_by("letters")("river") == 5
    with pytest.raises(BadInput, match="No installed package has the encoding o200k_base"):
        count_by("o200k_base")


def test_what_is_no_encoding_says_so(ranks: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        count_by(str(tmp_path / "none.tiktoken"))
    lines = ranks.read_text().splitlines()
    (tmp_path / "cl100k_base.tiktoken").write_text("\n".join([*lines[:3], "no base 64", *lines[3:]]))
    with pytest.raises(BadInput, match=r"cl100k_base.tiktoken:4 is not a line"):
        count_by(str(tmp_path / "cl100k_base.tiktoken"))
    (tmp_path / "cl100k_base.tiktoken").write_text("\n".join(lines[:200]))
    with pytest.raises(BadInput, match="not whole"):
        count_by(str(tmp_path / "cl100k_base.tiktoken"))
    ranks.rename(tmp_path / "mine.tiktoken")
    with pytest.raises(BadInput, match="has no encoding mine"):
        count_by(str(tmp_path / "mine.tiktoken"))
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInput, match="not a tokenizer"):
        count_by(str(tmp_path / "tokenizer.json"))
