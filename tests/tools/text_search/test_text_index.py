"""The text index: what is found, that restrictions hold before ranking, and that builds are incremental and resume."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from clew.tools.embedding import Vectors
from clew.tools.embedding import text_vectors as journal_module
from clew.tools.errors import BadInput
from clew.tools.text_search import bm25, builder
from clew.tools.text_search import index as index_module
from clew.tools.text_search.expansion.similar import SimilarNodes
from clew.tools.text_search.index import TextHit, TextIndex
from clew.tools.text_search.sentences import MOST_CHARACTERS, chunks
from clew.tools.text_search.source import TextNode
from clew.tools.text_search.words import terms
from tests.tools.linking.letters import Letters
from tests.tools.text_search.texts import WORDS, indexed, some_nodes

NODES = some_nodes(90)
IDS = [node.id for node in NODES]
QUESTIONS = st.lists(st.sampled_from([*WORDS, "zebra", "the", "; "]), min_size=1, max_size=6).map(" ".join)


@cache
def index() -> TextIndex:
    return indexed(NODES, Path(mkdtemp(prefix="clew-texts-")))


# ---- the parts ------------------------------------------------------------------------------------------------------


@given(st.text(st.sampled_from("ab .\n!é漢。"), max_size=1500))
def test_chunks_hold_every_word_in_order(text: str) -> None:
    found = chunks(text)
    assert all(0 < len(chunk) <= MOST_CHARACTERS for chunk in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_chunks_are_sentences_and_short_ones_are_joined() -> None:
    sentences = [f"Sentence number {i} speaks of nothing much at all." for i in range(40)]
    assert chunks(" ".join(sentences)) == sentences
    assert chunks("Not so. A longer sentence stands by itself, as it should. No. Never.") == [
        "Not so. A longer sentence stands by itself, as it should. No. Never."
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("treats parasites", "treating a parasite"), ("rated", "rates"), ("running", "runs"), ("cities", "city"),
        ("boxes", "box"), ("Éclairs", "eclair"),
    ],
)  # fmt: skip
def test_inflected_words_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other)


def test_function_words_do_not_count_unless_there_is_nothing_else() -> None:
    assert terms("which of the lanterns") == ["lantern"]
    assert terms("who is who") != []


def reference_bm25(
    question: str, documents: Sequence[Sequence[str]], kept: Sequence[Sequence[str]] | None = None
) -> list[float]:
    """By the formula; `kept` are the words of each document that count, how rare words are is told by all."""
    mean = sum(map(len, documents)) / len(documents)
    holding = Counter(word for document in documents for word in set(document))
    scores = []
    for document in kept or documents:
        counts, score = Counter(document), 0.0
        for word in terms(question):
            rarity = math.log(1 + (len(documents) - holding[word] + 0.5) / (holding[word] + 0.5))
            norm = bm25.K1 * (1 - bm25.B + bm25.B * len(document) / mean)
            score += rarity * counts[word] * (bm25.K1 + 1) / (counts[word] + norm) if counts[word] else 0.0
        scores.append(score)
    return scores


def documents_of(nodes: Sequence[TextNode]) -> list[tuple[TextNode, str, str]]:
    """(node, property, chunk) in the order of the index."""
    found = []
    for node in nodes:
        found += [(node, "name", node.name)] if node.name else []
        found += [(node, name, chunk) for name, text in node.texts for chunk in chunks(text)]
    return found


# ---- searches -------------------------------------------------------------------------------------------------------


def brute_force(
    nodes: Sequence[TextNode],
    question: str,
    k: int,
    label: str | None = None,
    properties: Collection[str] = (),
    within: Collection[str] | None = None,
    pool: int = 10**9,
    describes: bool = False,
) -> list[tuple[str, float]]:
    """What `search` promises, worked out over everything and then filtered: ids and scores."""
    letters = Letters()
    pieces = {node.id: [(name, piece) for _, name, piece in documents_of([node])] for node in nodes}
    counted = {id: [piece for name, piece in found if not properties or name in properties]
               for id, found in pieces.items()}  # fmt: skip
    whole = [[word for _, piece in pieces[node.id] for word in terms(piece)] for node in nodes]
    kept = [[word for piece in counted[node.id] for word in terms(piece)] for node in nodes]
    by_words = reference_bm25(question, whole, kept)
    parts = [part.strip() for part in question.split(";") if part.strip()]
    rows: list[tuple[int, float, float | None]] = []
    for place, node in enumerate(nodes):
        if (label is None or node.label == label) and (within is None or node.id in within):
            said = counted[node.id] if node.rich else []
            near = [max(letters.cosine(part, piece) for piece in said) for part in parts] if said else None
            rows.append((place, by_words[place], sum(near) / len(near) if near else None))
    best_words = sorted((row for row in rows if row[1] > 0), key=lambda row: -row[1])[:pool]
    best_near = sorted((row for row in rows if row[2] is not None), key=lambda row: -(row[2] or 0))[:pool]
    chosen = sorted({*best_words, *best_near})
    most = max((row[1] for row in chosen), default=0.0) or 1.0
    if describes:  # A document of nothing but all the words, endlessly often.
        holding = Counter(word for document in whole for word in set(document))
        rarities = [math.log(1 + (len(whole) - holding[w] + 0.5) / (holding[w] + 0.5)) for w in terms(question)]
        most = sum(rarities) * (bm25.K1 + 1) or 1.0
    cosines = [row[2] for row in chosen if row[2] is not None]
    low, high = min(cosines, default=0.0), max(cosines, default=0.0)
    scores: dict[str, float] = {}
    for place, words, cosine in chosen:
        dense = 0.0 if cosine is None else (cosine - low) / (high - low) if high > low else 1.0
        scores[nodes[place].id] = min(1.0, 0.6 * words / most + 0.4 * dense)
    return sorted(scores.items(), key=lambda pair: -pair[1])[:k]


def same(found: Sequence[TextHit], expected: Sequence[tuple[str, float]]) -> bool:
    """Equal scores in order, and equal ids but where scores are equal."""
    if [round(hit.score, 3) for hit in found] != [round(score, 3) for _, score in expected]:
        return np.allclose([hit.score for hit in found], [score for _, score in expected], atol=2e-3)
    certain = {id for id, score in expected[:-1] if score > expected[-1][1] + 1e-3}
    return certain <= {hit.id for hit in found}


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    QUESTIONS.filter(lambda question: question.strip(" ;") != ""),
    st.none() | st.sampled_from(["Product", "Review", "Brand", "Nothing"]),
    st.sampled_from([(), ("body",), ("name",), ("body", "notes"), ("nothing",)]),
    st.none() | st.lists(st.sampled_from([*IDS, "unknown"]), max_size=40),
    st.booleans(),
)
def test_filtering_first_equals_brute_force(
    question: str, label: str | None, properties: tuple[str, ...], within: list[str] | None, describes: bool
) -> None:
    found = index().search(question, 10, label=label, properties=properties, within=within, describes=describes)
    assert same(found, brute_force(NODES, question, 10, label, properties, within, describes=describes))
    assert all(0 <= hit.score <= 1 for hit in found)
    assert len({hit.id for hit in found}) == len(found)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@pytest.mark.parametrize("within", [None, IDS[::2]])
def test_a_small_pool_is_the_best_of_both(monkeypatch: pytest.MonkeyPatch, within: list[str] | None) -> None:
    monkeypatch.setattr(index_module, "POOL", 12)
    found = index().search("trout river bait", 3, within=within)
    assert same(found, brute_force(NODES, "trout river bait", 3, within=within, pool=12))


def test_a_node_meets_each_part_with_another_sentence(tmp_path: Path) -> None:
    """By cosine alone a text that is a little like both parts is nearer to the whole."""
    nodes = [
        TextNode(
            "both", "first", "A", (("body", "Mmmm mmmm mmmm mmmm mmmm mmmm mmmm. Zzzz zzzz zzzz zzzz zzzz zzzz zz."),)
        ),
        TextNode(
            "half", "second", "A", (("body", "mmmm mmmm mmmm mmmm mmmm mmmm zzzz zzzz zzzz zzzz zzzz zz qqqqqqqqqq."),)
        ),
    ]
    built = indexed(nodes, tmp_path)
    assert [hit.id for hit in built.search("mmm; zzz")] == ["both", "half"]
    assert [hit.id for hit in built.search("mmm zzz")] == ["half", "both"]


def test_hits_tell_where_and_what(tmp_path: Path) -> None:
    nodes = [
        TextNode("1", "Marsh Lamp", "Product", (("body", "Burns for nine hours. Made of brass."),)),
        TextNode("2", "Fen Kettle", "Product", (("body", "Boils water on open fires."),)),
    ]
    hit = indexed(nodes, tmp_path).search("brass")[0]
    assert (hit.id, hit.name, hit.label, hit.property) == ("1", "Marsh Lamp", "Product", "body")
    assert "brass" in hit.excerpt
    assert hit.bm25 > 0
    assert 0 < hit.cosine <= 1


@given(st.lists(st.sampled_from([*IDS, "unknown"]), max_size=20), QUESTIONS)
@example([*IDS], "; ")
@settings(deadline=None, max_examples=40)
def test_scores_are_those_of_a_search_within(ids: list[str], question: str) -> None:
    distinct = list(dict.fromkeys(ids))
    scores = index().scores_at(question, index().positions(distinct)).tolist()
    expected = dict(brute_force(NODES, question, 100, within=ids))
    assert scores == pytest.approx([expected.get(id, 0.0) for id in distinct], abs=2e-3)


def test_excerpts_are_the_fitting_chunks_in_their_order(tmp_path: Path) -> None:
    filler = "Nothing of note happens in this very ordinary sentence about weather. " * 8
    text = f"The heron stands.\n{filler}\nThe lantern glows.\n{filler}\nThe heron and the lantern."
    built = indexed([TextNode("1", "Tale", "Story", (("body", text),))], tmp_path)
    found = built.excerpts("heron lantern", "1", 2)
    assert len(found) == 2
    assert all(name == "body" and ("heron" in piece or "lantern" in piece) for name, piece in found)
    places = [[text for _, _, text in documents_of([TextNode("1", "Tale", "Story", (("body", text),))])].index(piece)
              for _, piece in found]  # fmt: skip
    assert places == sorted(places)
    assert built.excerpts("heron", "unknown") == []
    assert len(built.excerpts("; ", "1", 2)) == 2


def test_a_graph_of_names_alone_embeds_nothing_and_is_searched_by_words(tmp_path: Path) -> None:
    letters = Letters()
    nodes = [TextNode(str(i), name, "Film", (), rich=False) for i, name in enumerate(("Red River", "Blue Moon"))]
    built = indexed(nodes, tmp_path, embedder=letters)
    assert built.empty
    assert letters.seen == []
    assert [hit.name for hit in built.search("the moon")] == ["Blue Moon"]
    assert built.search("badger") == []


def test_an_empty_graph_has_an_index(tmp_path: Path) -> None:
    built = indexed([], tmp_path)
    assert built.empty
    assert built.search("anything") == []
    assert built.scores_at("anything", built.positions(["1"])).tolist() == [0.0]


@pytest.mark.parametrize(("most", "rest", "searched"), [(40, 20_000, {"Product", "Review"}), (2000, 100, {""})])
def test_many_texts_are_searched_by_hnsw(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, most: int, rest: int, searched: set[str]
) -> None:
    for module in (index_module, builder):
        monkeypatch.setattr(module, "EXACT_UP_TO", most)
    monkeypatch.setattr(builder, "REST_EXACT_UP_TO", rest)
    monkeypatch.setattr(index_module, "POOL", 30)
    nodes = some_nodes(240, longest=40)
    built = indexed(nodes, tmp_path)
    assert set(built.manifest.searched) == searched
    for label in ("Product", None):
        near = {hit.id for hit in built.search("trout river", 10, label=label)}
        exact = {hit.id for hit in built.search("trout river", 10, label=label, within=[n.id for n in nodes])}
        assert len(near & exact) >= 9
    fewer = indexed(nodes[:150], tmp_path, "2")
    known = {node.id for node in nodes[:150]}
    assert {hit.id for hit in fewer.search("trout river", 50)} <= known


# ---- builds ---------------------------------------------------------------------------------------------------------


class Stops(Letters):
    """Fails after some calls."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.calls = calls

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        return super().embed(texts)


def rows(found: TextIndex, question: str) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in found.search(question, 30)]


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
@settings(deadline=None, max_examples=10)
def test_an_incremental_build_equals_a_fresh_one(removed: int, added: int, changed: int) -> None:
    directory, fresh = Path(mkdtemp(prefix="clew-texts-")), Path(mkdtemp(prefix="clew-texts-"))
    before = some_nodes(40)
    indexed(before, directory, "1")
    after = before[removed:] + some_nodes(40 + added)[40:]
    for place in range(min(changed, len(after))):
        after[place] = TextNode(after[place].id, "renamed", after[place].label, (("body", f"changed {place}"),))
    letters, all_letters = Letters(), Letters()
    incremental = indexed(after, directory, "2", letters)
    complete = indexed(after, fresh, "2", all_letters)
    assert rows(incremental, "trout whisk") == rows(complete, "trout whisk")
    assert np.array_equal(incremental.vectors, complete.vectors)
    known = {piece for _, _, piece in documents_of(before)}
    assert set(letters.seen) - {"trout whisk"} == set(all_letters.seen) - known - {"trout whisk"}


def test_an_interrupted_build_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(journal_module, "CHARACTERS_AT_ONCE", 0)
    monkeypatch.setattr(journal_module, "EMBEDDED_AT_ONCE", 4)
    first, second = Stops(3), Letters()
    with pytest.raises(KeyboardInterrupt):
        indexed(NODES, tmp_path, embedder=first)
    with (tmp_path / journal_module.journal_of(tmp_path, Letters()).name).open("ab") as journal:
        journal.write(b"torn")
    built = indexed(NODES, tmp_path, embedder=second)
    assert len(first.seen) == 12
    assert set(first.seen) & set(second.seen) == set()
    assert not list(tmp_path.glob(journal_module.JOURNAL.format("*")))
    assert not list(tmp_path.glob("building-*"))
    assert rows(built, "trout") == rows(index(), "trout")


def test_a_failed_build_leaves_the_old_index(tmp_path: Path) -> None:
    indexed(NODES, tmp_path, "1")
    with pytest.raises(BadInput, match="twice"):
        indexed([*NODES, NODES[0]], tmp_path, "2")
    assert TextIndex.open(tmp_path, Letters()).version == "1"


def test_the_same_version_is_not_built_again(tmp_path: Path) -> None:
    indexed(NODES, tmp_path, "1")
    assert len(indexed([], tmp_path, "1")) == len(NODES)


def test_a_damaged_index_is_refused(tmp_path: Path) -> None:
    built = indexed(NODES, tmp_path)
    (tmp_path / built.manifest.folder / "chunk_nodes.npy").unlink()
    with pytest.raises(BadInput, match="damaged"):
        TextIndex.open(tmp_path, Letters())
    with pytest.raises(BadInput, match="no text index"):
        TextIndex.open(tmp_path / "elsewhere", Letters())
    assert rows(indexed(NODES, tmp_path), "trout") == rows(index(), "trout")


def test_vectors_of_another_model_are_refused_and_made_again(tmp_path: Path) -> None:
    class Shorter(Letters):
        name = "fewer letters"
        dimension = 64

    indexed(NODES, tmp_path)
    with pytest.raises(BadInput, match="another model"):
        TextIndex.open(tmp_path, Shorter())
    assert indexed(NODES, tmp_path, embedder=Shorter()).vectors.shape[1] == 64


def test_a_model_of_as_many_dimensions_is_another_model_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Turned(Letters):
        name = "turned letters"

        def embed(self, texts: Sequence[str]) -> Vectors:
            turned: Vectors = np.roll(super().embed(texts), 1, axis=1)
            return turned

    for module in (builder, index_module):
        monkeypatch.setattr(module, "EXACT_UP_TO", 2)
    monkeypatch.setattr(builder, "REST_EXACT_UP_TO", 2)
    before = indexed(NODES, tmp_path / "texts")
    SimilarNodes.build(before, tmp_path / "similar")
    after = indexed(NODES, tmp_path / "texts", embedder=Turned())
    assert after.manifest.embedder == "turned letters"
    assert after.manifest.hnsw != before.manifest.hnsw, "vectors of both models in one index would be compared"
    assert not np.allclose(after.vectors, before.vectors)
    fresh = indexed(NODES, tmp_path / "fresh", embedder=Turned())
    assert rows(after, "trout") == rows(fresh, "trout")
    again = SimilarNodes.build(after, tmp_path / "similar")
    assert np.array_equal(again.cosines, SimilarNodes.build(fresh, tmp_path / "similar too").cosines)
    assert indexed(NODES, tmp_path / "texts").vectors == pytest.approx(before.vectors)


def test_postings_are_the_same_however_they_are_spilt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bm25, "_BATCH", 17)
    small = indexed(NODES, tmp_path)
    whole = index()
    for part in ("terms", "starts", "chunks", "counts", "lengths"):
        assert np.array_equal(getattr(small.postings, part), getattr(whole.postings, part))
