"""Two channels under one token limit: the limit is kept, nothing is shown twice, each share goes where it is used."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.app.evaluation.retrieval import PassageQuestion, RetrievalMeasures, measure, ways
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.index.index import DEFAULT, DocumentHit, DocumentIndex
from clew.tools.documents.search_options import THETA
from clew.tools.documents.skeleton.retrieval import FACTS_SHARE, TwoChannelContext, TwoChannels, in_turns
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.store.extractions import Extraction, NamedEntity, NamedRelation
from clew.tools.embedding.token_budget import counter
from clew.tools.errors import BadInput
from clew.tools.graph.entity import Entity
from tests.tools.queries.word_vectors import WordVectors

PAIRS = 40
"""Of an invention and its inventor, whom another text calls by another name."""
_SOUNDS = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"]
_FILLER = "The archive of the county holds many boxes of letters, most of them about rents and roofs and the weather."


def name_of(number: int, letter: str) -> str:
    """A name that no other number or letter has."""
    chance = random.Random(f"{letter}{number}")
    return letter + "".join(chance.choice(_SOUNDS) for _ in range(4)) + str(number)


def world() -> tuple[list[Chunk], list[tuple[str, Extraction]], dict[str, Entity]]:
    """Texts; what a perfect extractor writes down of them; and the knowledge graph's names of the people in them.

    Text 2i says that an invention was made by somebody, text 2i + 1 where the same person grew up, under a name that
    shares no letter with the first. Only the graph knows that the two names are one person's."""
    chunks: list[Chunk] = []
    told: list[tuple[str, Extraction]] = []
    nodes: dict[str, Entity] = {}
    for number in range(PAIRS):
        thing, formal, nick, town = (name_of(number, letter) for letter in "TFNW")
        nodes |= dict.fromkeys((formal, nick), Entity(f"p{number}", formal, "Person"))
        first = f"The {thing} is a machine that was invented by {formal} in a shed. {_FILLER}"
        second = f"As a child {nick} grew up in {town} among goats. {_FILLER}"
        for text, names, head, words, tail in (
            (first, (thing, formal), thing, "was invented by", formal),
            (second, (nick, town), nick, "grew up in", town),
        ):
            chunk = Chunk(f"c{len(chunks)}", f"d{len(chunks)}", "", text, entities=names)
            chunks.append(chunk)
            entities = tuple(NamedEntity(name, "", f"{name} is spoken of.") for name in names)
            told.append(
                (chunk.id, Extraction(entities, (NamedRelation(head, words, tail, f"{head} {words} {tail}."),)))
            )
    return chunks, told, nodes


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> TwoChannels:
    folder = tmp_path_factory.mktemp("world")
    chunks, told, nodes = world()
    index = DocumentIndex.build(chunks, folder / "index", "1", WordVectors())
    skeleton = Skeleton.build(
        told, folder / "skeleton", "1", "model", WordVectors(), node_of=lambda _, each: nodes.get(each.name)
    )
    return TwoChannels(index, skeleton)


def question(number: int) -> str:
    return f"In which place did the person who invented the {name_of(number, 'T')} grow up?"


def covered(texts: Sequence[str], number: int) -> bool:
    return any(name_of(number, "W") in text for text in texts)


# ---- a perfect extractor, scripted: whether the parts work together, no figure of merit -----------------------------


def test_two_steps_that_words_do_not_bridge_are_bridged_by_relations(both: TwoChannels) -> None:
    limit = 250
    by_words = sum(covered([hit.chunk.text for hit in both.index.context(question(n), limit)], n) for n in range(PAIRS))
    by_both = sum(covered(both.context(question(n), limit, 0.4).texts, n) for n in range(PAIRS))
    assert by_words <= PAIRS * 0.3
    assert by_both >= PAIRS * 0.9


def test_the_chunk_of_the_second_step_is_found(both: TwoChannels) -> None:
    for number in range(0, PAIRS, 5):
        found = [hit.chunk.id for hit in both.search(question(number), 4)]
        assert {f"c{2 * number}", f"c{2 * number + 1}"} <= set(found)


def test_a_relation_knows_its_ends_and_sources(both: TwoChannels) -> None:
    told = both.context(question(3), 250).relations
    steps = {(each.head.name, each.relation.words, each.tail.name): each for each in told}
    first = steps[name_of(3, "T"), "was invented by", name_of(3, "F")]
    second = steps[name_of(3, "F"), "grew up in", name_of(3, "W")]
    assert first.tail.id == second.head.id == "p3"
    assert [chunk.id for chunk in (*first.sources, *second.sources)] == ["c6", "c7"]


def test_figures_are_told_by_channel(both: TwoChannels) -> None:
    asked = [PassageQuestion(question(n), (name_of(n, "W"),), frozenset({f"c{2 * n + 1}"})) for n in range(8)]
    compared = ways(ablate=True, skeleton="model")
    figures = measure(both, {}, asked, RetrievalMeasures((250,), (4,)), compared, lambda: None)
    told = {name: each.to_json() for name, each in figures.items()}
    assert told["all"]["coverage"]["250"] == told["skeleton"]["coverage"]["250"] == 1.0
    assert told["without skeleton"]["coverage"]["250"] < 0.5
    assert told["all"]["recall_at"]["4"] == 1
    assert "skeleton" not in ways(ablate=True)
    by_rules = ways(ablate=True, skeleton="rules")
    assert (by_rules["all"].theta, by_rules["with skeleton"].theta) == (0.0, THETA)
    assert ways(ablate=False, skeleton="rules", theta=0.3)["all"].theta == 0.3


# ---- laws -----------------------------------------------------------------------------------------------------------

THETAS = st.sampled_from([0.0, 0.2, 0.4, 0.75, 1.0]) | st.floats(0, 1)
LIMITS = st.integers(0, 900)
QUESTIONS = st.sampled_from([question(0), question(7), "goats and letters", "the", "?", ""])


def ids(context: TwoChannelContext) -> list[str]:
    return [hit.chunk.id for hit in (*context.by_entities, *context.by_keywords)]


@settings(deadline=None, max_examples=150)
@given(QUESTIONS, LIMITS, THETAS)
def test_the_limit_is_never_passed_and_nothing_shown_twice(
    both: TwoChannels, asked: str, limit: int, theta: float
) -> None:
    found = both.context(asked, limit, theta)
    count = counter()
    assert found.tokens == sum(map(count, found.texts)) <= limit
    assert len(ids(found)) == len(set(ids(found)))
    assert len({entity.id for entity in found.entities}) == len(found.entities)
    assert len({(r.head.id, r.relation.words, r.tail.id) for r in found.relations}) == len(found.relations)
    whole = {chunk.id: chunk.text for chunk in world()[0]} if limit < 40 else {}
    assert all(whole.get(hit.chunk.id, hit.chunk.text) == hit.chunk.text for hit in found.by_keywords)
    assert both.context(asked, limit, theta) == found


@settings(deadline=None, max_examples=60)
@given(QUESTIONS, LIMITS, st.integers(0, 30))
def test_a_share_of_none_or_all_is_one_channel(both: TwoChannels, asked: str, limit: int, k: int) -> None:
    none, every = both.context(asked, limit, 0.0), both.context(asked, limit, 1.0)
    assert (none.entities, none.relations, none.by_entities) == ((), (), ())
    assert list(none.by_keywords) == both.index.context(asked, limit)
    assert every.by_keywords == ()
    assert both.search(asked, k, 0.0) == both.index.search(asked, k, DEFAULT)
    around = both.skeleton.around(asked, both.index.embedder.embed([asked])[0]) if asked.strip() else None
    entity_chunks = [both.skeleton.chunk_ids[n] for n in around.chunks[:k]] if around else []
    assert [hit.chunk.id for hit in both.search(asked, k, 1.0)] == entity_chunks


@given(st.lists(st.integers(0, 12), unique=True), st.lists(st.integers(0, 12), unique=True), st.floats(0, 1))
def test_turns_keep_the_share_and_both_orders(one: list[int], other: list[int], theta: float) -> None:
    def hits(places: list[int]) -> list[DocumentHit]:
        return [DocumentHit(Chunk(str(place), "", "", ""), 0.0, {}, place) for place in places]

    found = [hit.position for hit in in_turns(hits(one), hits(other), theta)]
    assert sorted(found) == sorted({*one, *other})
    apart = [place for place in found if place not in other]
    assert apart == [place for place in one if place not in other]
    if not set(one) & set(other):
        for n in range(1, 1 + min(len(one), len(other))):
            assert abs(len(set(found[:n]) & set(one)) - theta * n) <= 1


@settings(deadline=None, max_examples=60)
@given(QUESTIONS, LIMITS, st.floats(0.05, 0.95))
def test_what_one_channel_leaves_the_other_takes(both: TwoChannels, asked: str, limit: int, theta: float) -> None:
    """Room is left only where no next item fits: neither the next chunk of the keyword channel nor, where that has no
    more, the next of the entity channel."""
    found = both.context(asked, limit, theta)
    if not asked.strip():
        assert found.tokens == 0
        return
    count, left, shown = counter(), limit - found.tokens, set(ids(found))
    waiting = [hit for hit in both.index.search(asked, 1000) if hit.chunk.id not in shown]
    assert not waiting or count(waiting[0].chunk.text) > left
    around = both.skeleton.around(asked, both.index.embedder.embed([asked])[0])
    untold = {both.stated(place).text for place in around.relations} - {told.text for told in found.relations}
    assert all(count(text) > left for text in untold)


def test_the_entity_channel_keeps_to_its_share_while_keywords_have_more(both: TwoChannels) -> None:
    count = counter()
    for theta in (0.2, 0.5, 0.8):
        found = both.context(question(1), 600, theta)
        facts = [*(entity.text for entity in found.entities), *(told.text for told in found.relations)]
        chunks = sum(count(hit.chunk.text) for hit in found.by_entities)
        longest = max(count(chunk.text) for chunk in world()[0])
        assert sum(map(count, facts)) <= theta * 600 * FACTS_SHARE + longest
        assert sum(map(count, facts)) + chunks <= theta * 600 + longest


@pytest.mark.parametrize("theta", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(both: TwoChannels, theta: float) -> None:
    with pytest.raises(BadInput, match="cannot be"):
        both.context("x", 100, theta)
    with pytest.raises(BadInput, match="cannot be"):
        both.search("x", 10, theta)


def test_chunks_that_are_gone_are_not_shown(both: TwoChannels, tmp_path: Path) -> None:
    chunks, *_ = world()
    fewer = DocumentIndex.build(chunks[1:], tmp_path, "1", WordVectors())
    found = TwoChannels(fewer, both.skeleton).context(question(0), 300)
    assert "c0" not in ids(found)
    assert all(chunk.id != "c0" for told in found.relations for chunk in told.sources)
    assert all(told.sources for told in found.relations)
