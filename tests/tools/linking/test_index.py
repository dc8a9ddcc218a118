"""The entity index: spelling, edit distance, disk, dense."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from clew.tools.arrays.sorted_texts import TextSorter
from clew.tools.arrays.strings import Strings
from clew.tools.errors import BadInput, ClewError
from clew.tools.linking import segments
from clew.tools.linking.edit_distance import NearNames, length_starts, signatures_of
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.linking.normalise import fold
from clew.tools.linking.segments import Segments

NODES = [
    IndexedNode("f1", "Apple", "Fruit"),
    IndexedNode("c1", "Apple", "Company", ("Apple Inc.",)),
    IndexedNode("c2", "Procter & Gamble", "Company", ("P&G",)),
    IndexedNode("m1", "The Harvey Girls", "Movie"),
    IndexedNode("m2", "Matrix, The (1999)", "Movie"),
    IndexedNode("m3", "M*A*S*H", "Movie"),
    IndexedNode("p1", "philip_iii_of_navarre", "Person"),
    IndexedNode("p2", "Sinéad O'Connor", "Person"),
    IndexedNode("s1", "BlueRiverSystems", "System"),
    IndexedNode("n1", "", "Nameless"),
]

small = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
names = st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=12)
words = st.text(alphabet="abc de", min_size=1, max_size=10)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    return EntityIndex.build(NODES, tmp_path_factory.mktemp("index"), "7")


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Amélie", "AMELIE"),
        ("philip_iii_of_navarre", "Philip III of Navarre"),
        ("birthPlaceName", "birth place name"),
        ("Procter & Gamble", "procter and gamble"),
        ("Saint-Étienne", "saint etienne"),
        ("Łódź", "lodz"),
    ],
)
def test_spellings_that_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_a_name_of_signs_alone_stays() -> None:
    assert fold("!!!") == "!!!"
    assert fold("   ") == ""


@pytest.mark.parametrize(
    ("text", "id", "matcher"),
    [
        ("The Harvey Girls", "m1", "exact"),
        ("harvey girls", "m1", "normalised"),
        ("The Matrix", "m2", "normalised"),
        ("MASH", "m3", "normalised"),
        ("Philip III of Navarre", "p1", "normalised"),
        ("sinead oconnor", "p2", "normalised"),
        ("blue river systems", "s1", "normalised"),
        ("P&G", "c2", "exact"),
        ("The Harvy Grils", "m1", "fuzzy"),
    ],
)
def test_the_first_candidate(index: EntityIndex, text: str, id: str, matcher: str) -> None:
    first = index.search(text)[0]
    assert (first.entity.id, first.matcher) == (id, matcher)
    assert (first.score == 1) == (matcher == "exact")


def test_entities_of_one_name_score_the_same_and_a_label_chooses(index: EntityIndex) -> None:
    both = index.search("Apple", m=2)
    assert {c.entity.id for c in both} == {"f1", "c1"}
    assert both[0].score == both[1].score == 1
    assert [c.entity.id for c in index.search("Apple", label="Company")][:1] == ["c1"]
    assert index.search("Aple", label="Fruit")[0].entity.id == "f1"
    assert index.search("Apple", label="Planet") == []


def test_each_entity_comes_once(index: EntityIndex) -> None:
    ids = [c.entity.id for c in index.search("apple inc", m=10)]
    assert len(ids) == len(set(ids))


def test_lookup_by_id_and_name(index: EntityIndex) -> None:
    entity = index.get("m3")
    assert entity is not None
    assert entity.name == "M*A*S*H"
    assert index.get("m99") is None
    assert {e.id for e in index.by_name("Apple")} == {"f1", "c1"}
    assert index.by_name("apple") == []
    assert len(index) == len(NODES)


@small
@given(given_names=st.lists(names, min_size=1, max_size=8))
def test_every_name_finds_itself_first_after_a_round_trip(given_names: list[str], tmp_path: Path) -> None:
    EntityIndex.build(
        (IndexedNode(str(i), n, "L") for i, n in enumerate(given_names)), tmp_path / "i", "v", rebuild=True
    )
    index = EntityIndex.open(tmp_path / "i")
    for number, name in enumerate(given_names):
        assert index.get(str(number)) is not None
        if name.strip():
            first = index.search(name)[0]
            assert (first.entity.name, first.score) == (name, 1.0)


@small
@given(text=st.text(max_size=60))
def test_no_text_raises(index: EntityIndex, text: str) -> None:
    assert all(0 <= c.score <= 1 for c in index.search(text))


def near_names(ordered: list[str]) -> NearNames:
    strings, starts = Strings.of(ordered), length_starts(np.array([*map(len, ordered)]))
    return NearNames(strings, starts, signatures_of(ordered), Segments.of(strings, starts))


LETTERS = st.sampled_from(["ab", "abcde ", "aé漢😀b"]).flatmap(lambda few: st.text(few, min_size=1, max_size=24))


@small
@given(keys=st.sets(LETTERS, min_size=1, max_size=60), text=LETTERS, edits=st.randoms(), errors=st.integers(1, 5))
@pytest.mark.parametrize("cost", [0, segments.LOOKUP_COST])
def test_names_with_typing_errors_are_those_of_comparing_everything(
    keys: set[str], text: str, edits: Random, errors: int, cost: int
) -> None:
    """Also with pieces looked up whatever it costs."""
    chars = [*text]
    for _ in range(edits.randrange(errors + 1)):
        at = edits.randrange(len(chars))
        kind = edits.randrange(4)
        if kind == 0 and len(chars) > 1:
            del chars[at]
        elif kind == 1 and at:
            chars[at - 1], chars[at] = chars[at], chars[at - 1]
        else:
            chars[at : at + (kind == 2)] = ["b"]
    ordered = sorted(keys | {"".join(chars)}, key=lambda key: (len(key), key))
    expected = {place for place, key in enumerate(ordered) if OSA.distance(text, key) <= errors}
    scanned = near_names(ordered).within(text, errors, 100)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(segments, "LOOKUP_COST", cost)
        patched.setattr(segments, "INDEXED_FROM", 1)
        near = near_names(ordered)
        found = near.within(text, errors, 100)
        best = [ratio for _, ratio in near.nearest(text, 3, floor=0.5)]
    assert found == scanned
    assert {place for place, _ in found} == expected
    assert all(ratio == pytest.approx(fuzz.ratio(text, ordered[place]) / 100) for place, ratio in found)
    every = sorted((fuzz.ratio(text, key) / 100 for key in ordered), reverse=True)[:3]
    assert best == pytest.approx([ratio for ratio in every if ratio >= 0.5])


@given(
    items=st.lists(st.tuples(LETTERS, st.integers(0, 99), st.integers(0, 2)), max_size=40), at_once=st.integers(1, 9)
)
def test_texts_sorted_by_way_of_files_are_those_sorted_in_memory(
    items: list[tuple[str, int, int]], at_once: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sorter, found = TextSorter(Path(folder), at_once), []
        for item in items:
            sorter.add(*item)
        for group in sorter.groups():
            for place, text in enumerate(group.texts.take(np.arange(len(group.texts)))):
                of_text = slice(group.starts[place], group.starts[place + 1])
                pairs = zip(group.numbers[of_text].tolist(), group.kinds[of_text].tolist(), strict=True)
                found += [(text, *pair) for pair in pairs]
    assert found == sorted(items, key=lambda item: (len(item[0]), item[0]))


@small
@given(keys=st.sets(words, min_size=1, max_size=40), text=words, k=st.integers(1, 4))
def test_the_prefilter_agrees_with_comparing_everything(keys: set[str], text: str, k: int) -> None:
    ordered = sorted(keys, key=lambda key: (len(key), key))
    near = near_names(ordered)
    expected = sorted((fuzz.ratio(text, key) / 100 for key in ordered), reverse=True)[:k]
    found = near.nearest(text, k, floor=0.5)
    assert [ratio for _, ratio in found] == pytest.approx([ratio for ratio in expected if ratio >= 0.5])
    assert all(ratio == pytest.approx(fuzz.ratio(text, ordered[key]) / 100) for key, ratio in found)


@given(st.lists(words, min_size=2, max_size=2))
def test_signatures_bound_the_distance_from_below(pair: list[str]) -> None:
    one, other = signatures_of(pair)
    distance = (1 - fuzz.ratio(*pair) / 100) * (len(pair[0]) + len(pair[1]))
    assert int(np.bitwise_count(one ^ other)) <= distance + 1e-6


def test_an_empty_index_answers(tmp_path: Path) -> None:
    index = EntityIndex.build([], tmp_path / "empty", "0")
    assert len(index) == 0
    assert index.search("anything") == []


def test_a_rebuild_replaces_the_index_and_leaves_nothing_behind(tmp_path: Path) -> None:
    first = EntityIndex.build(NODES, tmp_path, "1")
    second = EntityIndex.build(NODES[:2], tmp_path, "2")
    assert EntityIndex.open(tmp_path).version == "2"
    assert first.search("M*A*S*H")[0].entity.id == "m3"
    assert len(second) == 2
    assert len(list(tmp_path.iterdir())) == 3  # the arrays, the manifest and the lock


def test_a_failed_build_keeps_the_old_index(tmp_path: Path) -> None:
    EntityIndex.build(NODES, tmp_path, "1")

    def broken() -> object:
        yield NODES[0]
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError, match="went away"):
        EntityIndex.build(broken(), tmp_path, "2")  # type: ignore[arg-type]
    assert EntityIndex.open(tmp_path).version == "1"
    assert len(list(tmp_path.iterdir())) == 3  # the arrays, the manifest and the lock


def test_unusable_indexes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no entity index"):
        EntityIndex.open(tmp_path)
    EntityIndex.build(NODES, tmp_path, "1")
    manifest = json.loads((tmp_path / "index.json").read_text())
    (tmp_path / "index.json").write_text(json.dumps(manifest | {"format": 99}))
    with pytest.raises(BadInput, match="format 99"):
        EntityIndex.open(tmp_path)
    (tmp_path / "index.json").write_text(json.dumps(manifest | {"folder": "elsewhere"}))
    with pytest.raises(BadInput, match="damaged"):
        EntityIndex.open(tmp_path)


def test_progress_ends_with_the_number_of_nodes(tmp_path: Path) -> None:
    seen: list[int] = []
    EntityIndex.build(NODES, tmp_path, "1", lambda *_: nullcontext(seen.append))
    assert seen[-1] == len(NODES)


class _Meanings:
    """Says that "fizzy drink" means the seventh spelling, and everything else the first."""

    def nearest(self, text: str, k: int) -> list[tuple[int, float]]:
        return [(6, 0.9)] if text == "fizzy drink" else [(0, 0.9)]


def test_dense_candidates_join_the_others_but_not_for_exact_hits(index: EntityIndex) -> None:
    dense = index.with_dense(_Meanings())
    assert dense.search("fizzy drink", mode="union")[0].entity.id == "p1"
    assert dense.search("fizzy drink", mode="dense")[0].matcher == "dense"
    assert all(c.matcher != "dense" for c in dense.search("M*A*S*H"))
    with pytest.raises(ClewError, match="no embeddings"):
        index.search("fizzy drink", mode="dense")


class _Letters:
    """Embeds a text as its letter counts; counts the texts it was asked for."""

    def __init__(self, fail_after: int = 10**9) -> None:
        self.embedded = 0
        self.fail_after = fail_after

    name = "26 letters"
    dimension = 26

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if self.embedded + len(texts) > self.fail_after:
            raise KeyboardInterrupt
        self.embedded += len(texts)
        counts = np.array([[t.lower().count(chr(97 + i)) + 0.01 for i in range(26)] for t in texts], np.float32)
        vectors: np.ndarray = counts / np.linalg.norm(counts, axis=1, keepdims=True)
        return vectors


def test_embeddings_resume_and_follow_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from clew.tools.embedding.chroma import embedded
    from clew.tools.linking import dense

    store = embedded(tmp_path / "dense")
    assert dense.open_dense(EntityIndex.build(NODES, tmp_path / "index", "1"), _Letters(), store) is None
    monkeypatch.setattr(dense, "_BATCH", 4)
    index = EntityIndex.build(NODES, tmp_path / "index", "1")
    with pytest.raises(KeyboardInterrupt):
        dense.build_dense(index, _Letters(fail_after=6), store)
    with pytest.raises(BadInput, match="not complete"):
        dense.open_dense(index, _Letters(), store)
    letters = _Letters()
    dense.build_dense(index, letters, store)
    assert letters.embedded == len(dict(enumerate(index.distinct_names()))) - 4
    names = dense.open_dense(index, _Letters(), store)
    assert names is not None
    assert index.with_dense(names).search("girls harvey the", mode="dense")[0].entity.id == "m1"
    other = EntityIndex.build(NODES[:3], tmp_path / "index", "2")
    with pytest.raises(BadInput, match="another version"):
        dense.open_dense(other, _Letters(), store)
    turned = _Letters()
    turned.name = "turned letters"
    count, again = names.count(), _Letters()
    few = dense.build_dense(other, again, store)
    assert (again.embedded, few.count()) == (0, len(dict(other.distinct_names())))
    assert other.with_dense(few).search("apple gamble", mode="dense")
    few_count = few.count()
    more = dense.build_dense(index, again, store)
    assert (again.embedded, more.count()) == (1 + count - few_count, count)  # One is of the search.
    with pytest.raises(BadInput, match="of 26 letters, not turned letters"):
        dense.open_dense(index, turned, store)
    dense.build_dense(index, turned, store)
    opened = dense.open_dense(index, turned, store)
    assert opened is not None
    assert opened.count() == count
