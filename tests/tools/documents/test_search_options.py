"""How documents are searched: options that cannot be are refused, and each mode finds what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.app.evaluation.retrieval import PassageQuestion, RetrievalMeasures, measure, paper_searches, ways
from clew.app.settings import load_settings
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.collection import Collection
from clew.tools.documents.keyword_graph.core import core_chunks, random_ranks
from clew.tools.documents.search_options import EDGE_KINDS, SearchOptions
from clew.tools.documents.searching import DocumentSearch
from clew.tools.documents.store.extractions import SkeletonSettings
from clew.tools.documents.store.records import Document
from clew.tools.documents.store.store import DocumentStore
from clew.tools.embedding.token_budget import counter
from clew.tools.errors import BadInput
from tests.tools.queries.word_vectors import WordVectors

TEXTS = {
    "camera": ("The glass camera", "The glass camera was lent by Ilse Brandt.", ("Ilse Brandt",)),
    "brandt": ("A painter", "Ilse Brandt kept bees on Sark.", ("Ilse Brandt", "Sark")),
    "rain": ("Weather", "It rained, and the umbrellas were black.", ()),
    "soup": ("Food", "The soup was cold.", ()),
}


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    store = DocumentStore(tmp_path / "documents")
    for name, (title, text, names) in TEXTS.items():
        chunk = Chunk(f"chunk:{name}", name, title, text, entities=names)
        store.put(Document(name, f"/{name}", title, name, "s", 1, 0, 0, 0.0), iter([chunk]), lambda: 0)
    return Collection(store, tmp_path, WordVectors(), lambda *_: __import__("contextlib").nullcontext(lambda _: None))


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": "best"}, {"theta": 1.5}, {"theta": -0.1}, {"neighbours": 1.0}, {"edges": ("friends",)},
        {"splits": -1}, {"splits": 30}, {"tokens": 0},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        SearchOptions(**wrong)


@given(st.integers(-3, 200), st.floats(0, 1, exclude_max=True), st.booleans())
def test_places_are_split_into_seeds_and_neighbours(k: int, neighbours: float, edges: bool) -> None:
    options = SearchOptions(neighbours=neighbours, edges=EDGE_KINDS if edges else ())
    seeds, more = options.shared(k)
    assert seeds + more == k
    assert more >= 0
    assert seeds >= min(k, 1)
    if not edges:
        assert more == 0


@given(st.sets(st.text(min_size=1), max_size=60), st.floats(0, 1), st.floats(0, 1))
def test_a_random_core_grows_with_the_budget_and_does_not_depend_on_the_others(
    ids: set[str], less: float, more: float
) -> None:
    less, more = sorted((less, more))
    listed = sorted(ids)
    ranks = random_ranks(listed)
    small, large = ({listed[place] for place in core_chunks(ranks, beta)} for beta in (less, more))
    assert small <= large
    assert len(large) == round(len(listed) * more)
    assert random_ranks(listed[1:]).tolist() == ranks[1:].tolist()


def test_sage_shows_a_seed_and_the_chunk_beside_it(collection: Collection) -> None:
    """The second chunk shares a name with the first, and no word with the question."""
    question = "what was the glass camera lent for"
    options = SearchOptions("sage", neighbours=0.5, edges=("names",))
    seed, beside = DocumentSearch(collection, options).hits(question, 2)
    assert (seed.chunk.id, seed.via) == ("chunk:camera", None)
    assert beside.chunk.id == "chunk:brandt"
    assert beside.via is not None
    assert beside.via.target.id == "chunk:camera"
    assert beside.via.shared_names == ("Ilse Brandt",)
    assert "; names Ilse Brandt; cosine" in beside.via.words()
    for other in (DocumentSearch(collection, SearchOptions("sage", edges=())), DocumentSearch(collection, options)):
        assert all(hit.via is None for hit in other.hits(question, 2, expand=False))


def test_ket_needs_its_keyword_channel_and_takes_the_skeleton(collection: Collection) -> None:
    search = DocumentSearch(collection, SearchOptions("ket", theta=0.5))
    assert search.is_ready  # The documents are few.
    found = search.context("who lent the glass camera", 200)
    assert found.by_keywords[0].chunk.id == "chunk:camera"
    assert search.theta == 0
    collection.store.extractions.set(SkeletonSettings("rules", 1.0))
    assert search.theta == 0.5
    found = search.context("who lent the glass camera", 200)
    assert "Ilse Brandt" in {entity.name for entity in found.entities}
    assert {hit.chunk.id for hit in search.hits("Ilse Brandt", 2)} == {"chunk:camera", "chunk:brandt"}
    assert search.context("who lent the glass camera", 5).tokens <= 5
    assert DocumentSearch(collection, SearchOptions("ket", tokens=7)).context("camera", 4000).tokens <= 7


def test_the_keyword_channel_is_kept_and_can_be_removed(collection: Collection) -> None:
    assert collection.keyword_splits is None
    assert not collection.remove_keywords()
    made = collection.keywords(1)
    assert collection.keyword_splits == 1
    assert collection.keywords(1) is made
    assert collection.keywords(0).splits == 0
    assert collection.remove_keywords()
    assert collection.keyword_splits is None


def test_a_skeleton_of_random_chunks_is_another_one(collection: Collection) -> None:
    chosen = {}
    for core in ("pagerank", "uniform"):
        collection.store.extractions.set(SkeletonSettings("rules", 0.5, core))  # type: ignore[arg-type]
        skeleton = collection.skeleton
        assert skeleton is not None
        chosen[core] = [skeleton.chunk_ids[number] for number in range(len(skeleton.chunk_ids))]
        wanted = collection.index.core(0.5, core)  # type: ignore[arg-type]
        assert sorted(chosen[core]) == sorted(collection.index.sources.store.ids[place] for place in wanted.tolist())
    assert all(len(ids) == 2 for ids in chosen.values())


def test_settings_choose_the_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    from clew.app.graph_context import document_search_of

    assert document_search_of(load_settings()) == SearchOptions()
    monkeypatch.setenv("CLEW_DOCUMENT_SEARCH", "sage")
    monkeypatch.setenv("CLEW_DOCUMENT_EDGES", "names, links")
    assert document_search_of(load_settings()) == SearchOptions("sage", edges=("names", "links"))
    monkeypatch.setenv("CLEW_DOCUMENT_EDGES", "friends")
    with pytest.raises(BadInput, match="There is no kind of edges 'friends'"):
        document_search_of(load_settings())


@pytest.mark.parametrize("mode", ["mix", "sage", "ket"])
def test_what_a_model_would_be_shown_keeps_to_the_limit(collection: Collection, mode: Any) -> None:
    search = DocumentSearch(collection, SearchOptions(mode))
    question, count = "who lent the glass camera", counter()
    sizes = [sum(map(count, search.texts(question, limit))) for limit in (0, 12, 30, 400)]
    assert all(size <= limit for size, limit in zip(sizes, (0, 12, 30, 400), strict=True))
    assert sizes == sorted(sizes)
    assert any("lent by Ilse Brandt" in text for text in search.texts(question, 400))


def test_the_ways_of_the_papers_are_compared(collection: Collection) -> None:
    searches = paper_searches(collection, load_settings())
    assert set(searches) == {"sage", "sage without edges", "ket"}
    asked = [PassageQuestion("who lent the glass camera", ("Ilse Brandt",), frozenset({"chunk:brandt"}))]
    compared = ways(ablate=True, searches=searches)
    figures = measure(collection.index, {}, asked, RetrievalMeasures((400,), (2,)), compared, lambda: None)
    told = {name: each.to_json() for name, each in figures.items()}
    assert all(told[name]["coverage"]["400"] == 1 for name in searches)
    assert told["sage"]["recall_at"]["2"] == 1
    assert "ket" not in ways(ablate=False, searches=searches)
