"""KET-RAG's keyword channel: sub-chunks, keyword vectors, the budget, and the same chunks from both channels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.arrays.strings import hash_text
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.documents.keyword_graph.keyword_index import KeywordIndex
from clew.tools.documents.keyword_graph.splitting import sub_chunks
from clew.tools.documents.skeleton.retrieval import TwoChannels
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.skeleton.statements import extracted
from clew.tools.embedding.known_vectors import KnownVectors
from clew.tools.text_search.words import terms
from tests.tools.queries.word_vectors import WordVectors

WORDS = st.text("abc é\n;:", max_size=120)


# ---- sub-chunks -----------------------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(WORDS, st.integers(0, 4), st.sampled_from(["text", "table"]))
def test_sub_chunks_hold_every_word_once_in_order(text: str, splits: int, kind: str) -> None:
    chunk = Chunk("c", "d", "", text, "table" if kind == "table" else "text")
    parts = [text[first:last] for first, last in sub_chunks(chunk, splits)]
    assert len(parts) <= 2**splits
    assert " ".join(parts).split() == text.split()
    assert all(part.strip() == part != "" for part in parts)
    if kind == "table":
        lines = [line for line in text.split("\n") if line.strip()]
        assert [line.strip() for part in parts for line in part.split("\n") if line.strip()] == [
            line.strip() for line in lines
        ]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=80), st.integers(1, 3))
def test_sub_chunks_are_of_about_equal_length(lengths: list[int], splits: int) -> None:
    """Where there are words enough, a half differs from the other by less than its longest word and a blank."""
    text = " ".join("x" * length for length in lengths)
    parts = sub_chunks(Chunk("c", "d", "", text), splits)
    assert len(parts) == min(2**splits, len(parts))
    if len(lengths) >= 4 * 2**splits:
        assert len(parts) == 2**splits
        sizes = [last - first for first, last in parts]
        assert max(sizes) - min(sizes) <= 2 * splits * (max(lengths) + 1)


def test_each_split_halves_what_the_one_before_has_cut() -> None:
    chunk = Chunk("c", "d", "", "one two three four five six seven eight")
    whole, halves, quarters = (sub_chunks(chunk, splits) for splits in range(3))
    assert whole == [(0, len(chunk.text))]
    assert [chunk.text[a:b] for a, b in halves] == ["one two three four", "five six seven eight"]
    assert [chunk.text[a:b] for a, b in quarters] == ["one two", "three four", "five six", "seven eight"]


# ---- the index ------------------------------------------------------------------------------------------------------


def keyword_vector(index: KeywordIndex, word: str) -> np.ndarray[tuple[int], np.dtype[np.float16]]:
    return index.keyword_vectors[int(np.searchsorted(index.postings.terms, np.uint64(hash_text(terms(word)[0]))))]


def test_a_keywords_vector_is_the_mean_of_its_sentences(tmp_path: Path) -> None:
    texts = ["Whales sing. Whales dive deep.", "Birds sing at dawn.", "Dawn is early."]
    chunks = [Chunk(str(i), "d", "", text) for i, text in enumerate(texts)]
    index = KeywordIndex.build(chunks, tmp_path, "1", WordVectors())
    mean = WordVectors().embed(["Whales sing.", "Whales dive deep."]).mean(axis=0)
    assert keyword_vector(index, "whales") == pytest.approx(mean, abs=1e-3)
    assert np.linalg.norm(mean) < 0.99
    found = index.nearest(WordVectors().embed(["Which birds sing?"])[0], 12)
    assert [passage.chunk for passage in found] == [1]
    assert index.nearest(WordVectors().embed(["birds"])[0], 0) == []


def test_a_keyword_of_a_halved_chunk_keeps_its_vector_and_finds_the_half(tmp_path: Path) -> None:
    """Sentences make the vectors of keywords, whatever the sub-chunks are; edges go to the halves that have the
    word."""
    text = "Whales dive deep into the cold sea. Birds sing at dawn on the old roof."
    chunks = [Chunk("c", "d", "", text), Chunk("e", "d", "", "Nothing else.")]
    whole = KeywordIndex.build(chunks, tmp_path / "whole", "1", WordVectors())
    halved = KeywordIndex.build(chunks, tmp_path / "halved", "1", WordVectors(), splits=1)
    assert keyword_vector(halved, "birds") == pytest.approx(keyword_vector(whole, "birds"))
    best = halved.best(WordVectors().embed(["birds that sing"])[0], 1)[0]
    assert (best.chunk, best.part) == (0, 2)
    assert best.of(chunks[0]).id == "c#2"
    assert "Birds sing" in best.of(chunks[0]).text
    assert "Whales" not in best.of(chunks[0]).text
    assert [part.part for part in halved.parts(0)] == [1, 2]
    [one] = whole.parts(1)
    assert one.of(chunks[1]) == chunks[1]


def test_a_title_is_part_of_what_its_chunks_say(tmp_path: Path) -> None:
    chunks = [Chunk("c", "d", "Ahab", "He lost a leg."), Chunk("e", "f", "Ishmael", "He wrote it down.")]
    index = KeywordIndex.build(chunks, tmp_path, "1", WordVectors())
    found = index.best(WordVectors().embed(["Ahab"])[0], 1)
    assert [(each.chunk, each.text) for each in found] == [(0, "He lost a leg.")]


def test_a_keyword_index_embeds_what_is_new_only(tmp_path: Path) -> None:
    first = [Chunk("0", "d", "", "Whales sing. Birds fly.")]
    KeywordIndex.build(first, tmp_path, "1", WordVectors())
    again = WordVectors()
    KeywordIndex.build([*first, Chunk("1", "d", "", "Fish swim.")], tmp_path, "2", again)
    assert again.embedded == ["Fish swim."]
    index = DocumentIndex.build(first, tmp_path / "index", "1", WordVectors())
    spared = WordVectors()
    known = KnownVectors(spared, index.sources.hashes, index.sources.vectors)
    other = KeywordIndex.build(first, tmp_path / "other", "1", known)
    assert spared.embedded == ["Whales sing.", "Birds fly."]
    assert other.vectors == pytest.approx(index.sources.vectors[index.sources.rows])


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> TwoChannels:
    """Forty chunks of four sentences, in halves, with a skeleton by rules of all of them."""
    folder = tmp_path_factory.mktemp("halves")
    chunks = [
        Chunk(
            f"c{n}",
            f"d{n}",
            "",
            f"Ana{n} bought the mill at Dorn{n}. It rained for {n} days. The grain was wet. "
            f"Bert{n} sold the mill at Dorn{n} to Carl{n}.",
            entities=(f"Ana{n}", f"Dorn{n}", f"Bert{n}", f"Carl{n}"),
        )
        for n in range(40)
    ]
    index = DocumentIndex.build(chunks, folder / "index", "1", WordVectors())
    keywords = KeywordIndex.build(index.sources.store, folder / "keywords", "1", WordVectors(), splits=1)
    told = ((chunk.id, extracted(chunk)) for chunk in chunks)
    skeleton = Skeleton.build(told, folder / "skeleton", "1", "rules", WordVectors())
    return TwoChannels(index, skeleton, keywords)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 39), st.integers(0, 600), st.floats(0, 1))
def test_both_channels_keep_to_the_limit_and_show_nothing_twice(
    halves: TwoChannels, number: int, limit: int, theta: float
) -> None:
    found = halves.context(f"Who sold the mill to Carl{number}?", limit, theta)
    assert found.tokens <= limit
    ids = [hit.chunk.id for hit in (*found.by_entities, *found.by_keywords)]
    assert len(ids) == len(set(ids))
    assert all(id.endswith(("#1", "#2")) for id in ids)
    if theta == 0:
        assert not [*found.entities, *found.relations, *found.by_entities]
    if theta == 1:
        assert not found.by_keywords


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 39), st.integers(1, 12), st.floats(0, 1))
def test_places_are_shared_by_theta(halves: TwoChannels, number: int, k: int, theta: float) -> None:
    hits = halves.search(f"Who sold the mill to Carl{number}?", k, theta)
    assert len(hits) == k
    assert len({hit.chunk.id for hit in hits}) == k


def test_the_entity_channel_shows_the_halves_that_have_its_names(halves: TwoChannels) -> None:
    """The sub-chunks take the place of the chunks in the skeleton too (section 5.1)."""
    found = halves.context("Bert7", 60, 1.0)
    assert found.by_entities[0].chunk.id == "c7#2"
    assert "Bert7" in found.by_entities[0].chunk.text


def test_without_a_skeleton_there_is_the_keyword_channel_alone(halves: TwoChannels) -> None:
    alone = TwoChannels(halves.index, None, halves.keywords)
    found = alone.context("Who sold the mill to Carl7?", 100, 0.4)
    assert found.by_keywords
    assert not [*found.entities, *found.relations, *found.by_entities]
    assert [hit.chunk.id for hit in alone.search("Who sold the mill to Carl7?", 3, 1.0)] == []
