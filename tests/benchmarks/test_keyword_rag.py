"""The baselines of the documents' benchmark: Keyword-RAG, and what a model would cost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.documents.extraction_cost import Model, extraction_cost
from benchmarks.documents.keyword_rag import KeywordIndex
from clew.tools.arrays.strings import hash_text
from clew.tools.documents.chunk import Chunk
from clew.tools.text_search.words import terms
from tests.tools.queries.word_vectors import WordVectors


def test_a_keywords_vector_is_the_mean_of_its_sentences(tmp_path: Path) -> None:
    texts = ["Whales sing. Whales dive deep.", "Birds sing at dawn.", "Dawn is early."]
    chunks = [Chunk(str(i), "d", "", text) for i, text in enumerate(texts)]
    index = KeywordIndex.build(chunks, tmp_path, "1", WordVectors())
    place = int(np.searchsorted(index.postings.terms, np.uint64(hash_text(terms("whales")[0]))))
    mean = WordVectors().embed(["Whales sing.", "Whales dive deep."]).mean(axis=0)
    assert index.keyword_vectors[place] == pytest.approx(mean, abs=1e-3)
    assert np.linalg.norm(mean) < 0.99
    found = index.nearest(WordVectors().embed(["Which birds sing?"])[0], 12)
    assert [passage.chunk for passage in found] == [1]
    assert index.nearest(WordVectors().embed(["birds"])[0], 0) == []


def test_a_keyword_index_embeds_what_is_new_only(tmp_path: Path) -> None:
    first = [Chunk("0", "d", "", "Whales sing. Birds fly.")]
    KeywordIndex.build(first, tmp_path, "1", WordVectors())
    again = WordVectors()
    KeywordIndex.build([*first, Chunk("1", "d", "", "Fish swim.")], tmp_path, "2", again)
    assert again.embedded == ["Fish swim."]


def test_cost_counts_two_readings_of_each_chunk() -> None:
    found = extraction_cost([100, 300], Model(prompt_tokens=1000, output_tokens=500, input_price=1, output_price=2))
    assert (found.input_tokens, found.output_tokens) == (4800, 1000)
    assert found.price == pytest.approx(0.01)
