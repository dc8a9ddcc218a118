"""The document index: channels, fusion, contexts, and builds that go on where another stopped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.documents.chunk import Chunk, searched_text
from clew.tools.documents.chunk_graph.graph import Reason, soft
from clew.tools.documents.index.channels import (
    CHANNELS,
    RANK_CONSTANT,
    RANK_SHARE,
    SPREADING,
    WEIGHTS,
    reciprocal_ranks,
    stretched,
)
from clew.tools.documents.index.index import DEFAULT, DocumentIndex
from clew.tools.documents.keyword_graph import graph as keyword_graph
from clew.tools.embedding import text_vectors as journal_module
from clew.tools.errors import BadInput
from tests.tools.queries.word_vectors import WordVectors

Vectors = npt.NDArray[np.float32]


class Words(WordVectors):
    """Stops before it has embedded more than `most`."""

    name = "words"
    dimension = 64

    def __init__(self, most: int = 1_000_000) -> None:
        super().__init__()
        self._most = most

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(self.embedded) + len(texts) > self._most:
            raise RuntimeError("interrupted")
        return super().embed(texts)


def passage(title: str, text: str, *names: str) -> Chunk:
    return Chunk(f"id {title}", title, title, text, topic=title, entities=names)


CHUNKS = [
    Chunk(
        "t1", "table", "Film prizes: winners", "Film prizes: winners\nyear: 1976; film: Jaws\nyear: 1977; film: Rocky",
        "table", "rows 1-2", 0, "winners", ("year", "film"), ("Jaws", "Rocky"),
    ),
    Chunk(
        "t2", "table", "Film prizes: winners", "Film prizes: winners\nyear: 1978; film: Annie Hall",
        "table", "row 3", 1, "winners", ("year", "film"), ("Annie Hall",),
    ),
    passage("Jaws", "Jaws was directed by Steven Spielberg and shown everywhere.", "Jaws", "Steven Spielberg"),
    passage("Rocky (film)", "A boxer from Philadelphia gets his chance.", "Philadelphia"),
    passage("Steven Spielberg", "He was born in Cincinnati.", "Cincinnati"),
    passage("Cincinnati", "A town on the Ohio River.", "Ohio River"),
    passage("Whales", "Whales sing in the sea.", "Whales"),
    passage("Dolphins", "Dolphins play in the sea.", "Dolphins"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _all_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword_graph, "WORD_SHARE", 0.5)


@pytest.fixture
def index(tmp_path: Path) -> DocumentIndex:
    return DocumentIndex.build(CHUNKS, tmp_path, "1", Words())


def titles(index: DocumentIndex, question: str, k: int, *channels: str) -> list[str]:
    return [hit.chunk.title for hit in index.search(question, k, channels)]  # type: ignore[arg-type]


def test_chunks_come_back_as_they_were(index: DocumentIndex) -> None:
    assert len(index) == len(CHUNKS)
    assert [index.sources.store[i] for i in range(len(CHUNKS))] == CHUNKS
    assert index.sources.store.positions(["t2", "none"]).tolist() == [1, -1]


@pytest.mark.parametrize("channel", CHANNELS)
def test_each_channel_finds_what_is_asked_for(index: DocumentIndex, channel: str) -> None:
    assert titles(index, "Which animals play in the sea?", 1, channel) == ["Dolphins"]


@pytest.mark.parametrize("channels", [DEFAULT, ("lexical",), ("hybrid",), ("two-hop",)])
def test_the_only_chunk_is_found(tmp_path: Path, channels: tuple[str, ...]) -> None:
    alone = DocumentIndex.build(CHUNKS[-1:], tmp_path, "1", Words())
    assert titles(alone, "Which animals play in the sea?", 3, *channels) == ["Dolphins"]
    assert titles(alone, "Who built the railway?", 3, "lexical") == []


def test_a_second_hop_finds_what_the_question_does_not_describe(index: DocumentIndex) -> None:
    question = "Where was the man born who directed Jaws?"
    assert "Cincinnati" not in titles(index, question, 5, "lexical")
    assert "Cincinnati" in titles(index, question, 5, "two-hop")


def test_a_second_question_asks_for_what_the_best_chunk_leaves_open(tmp_path: Path) -> None:
    embedder = Words()
    index = DocumentIndex.build(CHUNKS, tmp_path, "1", embedder)
    question = "From which town is the man who directed Jaws?"
    assert "Steven Spielberg" not in titles(index, question, 3, "dense")
    assert "Steven Spielberg" in titles(index, question, 3, "second-question")
    open_after_jaws = "From which town is the man who Steven Spielberg"
    assert open_after_jaws in embedder.embedded, "without what the chunk says, with its new name"


def test_the_spread_follows_a_cell_to_the_text_it_names(index: DocumentIndex) -> None:
    found = titles(index, "Film prizes winners 1976 1977", 4, "spread")
    assert {"Jaws", "Rocky (film)"} <= set(found)
    around = index.sources.graph.around(0, Reason.NAMES_TITLE).tolist()
    assert [CHUNKS[i].title for i in around] == ["Jaws", "Rocky (film)"]
    assert index.sources.graph.around(0, Reason.PARENT).tolist() == [1]


def test_an_edge_says_why(index: DocumentIndex) -> None:
    found = {each.target.title: each for each in index.around("t1")}
    jaws, rest = found["Jaws"], found["Film prizes: winners"]
    assert "names its title" in jaws.reasons
    assert jaws.shared_names == ("Jaws",)
    assert "next in the document" in rest.reasons
    assert rest.joinable_columns == (("year", "year"), ("film", "film"))
    assert "named in a table's cell" in jaws.reasons
    text = {each.target.title: each for each in index.around("id Jaws")}["Steven Spielberg"]
    assert "named in a table's cell" not in text.reasons
    [back] = [each for each in index.around("id Jaws") if each.target.id == "t1"]
    assert "is named in it" in back.reasons
    assert index.around("nothing") == []


def test_a_hit_says_what_each_channel_gave(index: DocumentIndex) -> None:
    [hit] = index.search("whales", 1, ("lexical", "walk", "spread"))
    assert hit.chunk == CHUNKS[hit.position]
    assert set(hit.channels) == {"lexical", "walk"}
    assert hit.score == 1.0
    [alone] = index.search("whales", 1, ("lexical",))
    assert alone.score == alone.channels["lexical"]
    assert index.search("whales", 0) == index.search("  ", 3) == []
    with pytest.raises(BadInput, match="no channel 'sound'"):
        index.search("whales", 3, ("sound",))  # type: ignore[arg-type]


def test_a_context_is_the_leading_hits_that_fit(index: DocumentIndex) -> None:
    hits = index.search("film prizes of Spielberg", 8)
    tokens = [int(index.sources.store.tokens[hit.position]) for hit in hits]
    for limit in (0, tokens[0] - 1, tokens[0], sum(tokens[:3]), sum(tokens)):
        found = index.context("film prizes of Spielberg", limit)
        wanted = [i for i in range(len(hits)) if sum(tokens[: i + 1]) <= limit]
        assert [hit.position for hit in found] == [hits[i].position for i in wanted]


def test_channels_are_joined_by_their_ranks_and_weights(index: DocumentIndex) -> None:
    scored = index.scored("Who directed Jaws?")
    parts = {name: WEIGHTS[name] * stretched(scored.channel(name)) for name in ("dense", "two-hop", "walk")}
    sums = stretched(sum(parts.values()))  # type: ignore[arg-type]
    ranks = stretched(reciprocal_ranks([scored.channel(name) for name in parts], RANK_CONSTANT))
    wanted = RANK_SHARE * ranks + (1 - RANK_SHARE) * sums
    assert scored.joined(("dense", "two-hop", "walk")) == pytest.approx(wanted, abs=1e-6)
    assert scored.joined(("dense",)) == pytest.approx(scored.dense)
    spread = soft(wanted, index.sources.graph, SPREADING)
    assert scored.joined(("dense", "spread", "two-hop", "walk")) == pytest.approx(spread, abs=1e-6)
    assert scored.joined(("spread",)) == pytest.approx(soft(scored.hybrid, index.sources.graph, SPREADING))


@given(st.integers(1, 12), st.integers(1, 3), st.integers(1, 60), st.integers(0, 99))
def test_reciprocal_ranks_are_their_definition(chunks: int, rankings: int, k: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    scores = [chance.integers(0, 5, chunks).astype(np.float32) for _ in range(rankings)]
    wanted = np.zeros(chunks)
    for each in scores:
        order = sorted((place for place in range(chunks) if each[place] > 0), key=lambda place: (-each[place], place))
        for rank, place in enumerate(order, start=1):
            wanted[place] += 1 / (k + rank)
    assert reciprocal_ranks(scores, k) == pytest.approx(wanted, abs=1e-6)


def test_scores_that_are_the_same_are_all_or_nothing() -> None:
    assert stretched(np.array([2, 2], np.float32)).tolist() == [1, 1]
    assert stretched(np.array([0, 0], np.float32)).tolist() == [0, 0]
    assert stretched(np.array([1, 3, 2], np.float32)).tolist() == [0, 1, 0.5]
    assert stretched(np.zeros(0, np.float32)).tolist() == []


def test_only_new_texts_are_embedded(tmp_path: Path) -> None:
    DocumentIndex.build(CHUNKS[:-1], tmp_path, "1", Words())
    again = Words()
    DocumentIndex.build(CHUNKS, tmp_path, "2", again)
    assert again.embedded == [searched_text(CHUNKS[-1]), "Dolphins"]
    same = Words()
    assert DocumentIndex.build([], tmp_path, "2", same).version == "2"
    assert same.embedded == []


def test_an_interrupted_build_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "CHARACTERS_AT_ONCE", 0)
    monkeypatch.setattr(journal_module, "EMBEDDED_AT_ONCE", 2)
    with pytest.raises(RuntimeError, match="interrupted"):
        DocumentIndex.build(CHUNKS, tmp_path, "1", Words(most=5))
    assert not list(tmp_path.glob("building-*"))
    rest = Words()
    index = DocumentIndex.build(CHUNKS, tmp_path, "1", rest)
    assert len([text for text in rest.embedded if text in set(map(searched_text, CHUNKS))]) == len(CHUNKS) - 4
    whole = DocumentIndex.build(CHUNKS, tmp_path / "whole", "1", Words())
    assert np.array_equal(index.sources.vectors, whole.sources.vectors)
    assert not list(tmp_path.glob(journal_module.JOURNAL.format("*")))


def test_a_failed_build_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    DocumentIndex.build(CHUNKS, tmp_path, "1", Words())
    with pytest.raises(BadInput, match="'t1' occurs twice"):
        DocumentIndex.build([CHUNKS[0], CHUNKS[0]], tmp_path, "2", Words())
    assert DocumentIndex.open(tmp_path, Words()).version == "1"


def test_no_chunk_at_all(tmp_path: Path) -> None:
    index = DocumentIndex.build([], tmp_path, "1", Words())
    assert len(index) == 0
    assert index.search("anything") == []
    assert index.context("anything", 100) == []


def test_chunks_without_names_or_words(tmp_path: Path) -> None:
    odd = [Chunk("1", "d", "", "…"), Chunk("2", "d", "", "!!!"), Chunk("3", "d", "", "鯨は海で歌う。")]
    index = DocumentIndex.build(odd, tmp_path, "1", Words())
    for channel in CHANNELS:
        assert len(index.search("whales sing", 3, (channel,))) <= 3
    assert index.search("鯨は海で歌う。", 1, ("lexical",))[0].chunk.id == "3"


def test_what_is_damaged_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no document index"):
        DocumentIndex.open(tmp_path, Words())
    index = DocumentIndex.build(CHUNKS, tmp_path, "1", Words())
    other = Words()
    other.name = "other words"
    with pytest.raises(BadInput, match="another model's"):
        DocumentIndex.open(tmp_path, other)
    (tmp_path / index.manifest.folder / "lines.text.npy").write_bytes(b"")
    with pytest.raises(BadInput, match="damaged"):
        DocumentIndex.open(tmp_path, Words())
    manifest = json.loads((tmp_path / "documents.json").read_text())
    (tmp_path / "documents.json").write_text(json.dumps(manifest | {"format": 99}))
    with pytest.raises(BadInput, match="format 99"):
        DocumentIndex.open(tmp_path, Words())
