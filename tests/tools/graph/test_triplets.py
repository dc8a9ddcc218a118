"""Triplets around entities, their scores, and shortest paths, on the invented railway in both databases."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import pytest

from clew.tools.graph import triplets
from clew.tools.graph.entity import Entity
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.graph.triplets import Triplet, around, score_triplets
from clew.tools.queries.paths.paths import shortest_paths
from tests.tools.linking.letters import Letters
from tests.tools.queries.railway import entities, facts, store_railway

FACTS = {Triplet(*fact) for fact in facts()}
KNOWN = entities()


@pytest.fixture(scope="module")
def railway(any_database: BoltDatabase) -> Iterator[GraphStore]:
    if any_database.exists("triplets-railway"):
        any_database.drop("triplets-railway")
    graph = any_database.open("triplets-railway", create=True)
    store_railway(graph)
    yield graph
    any_database.drop("triplets-railway")


def touching(*found: Entity) -> set[Triplet]:
    return {t for t in FACTS if t.head in found or t.tail in found}


def test_around_an_entity_are_its_triplets_in_their_own_direction(railway: GraphStore) -> None:
    for entity in KNOWN.values():
        found = around(railway, entity)
        assert set(found) == touching(entity)
        assert len(found) == len(set(found))
        assert all(triplet.properties == {"since": 1990} for triplet in found)


def test_around_an_unknown_entity_is_nothing(railway: GraphStore) -> None:
    assert around(railway, Entity("nobody", "Nobody", "Person")) == []


def test_the_number_of_neighbours_is_bounded(railway: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triplets, "FAN_OUT", 2)
    assert len(around(railway, KNOWN["Quill Junction"])) == 4


def test_a_score_is_the_sum_of_three_cosines(railway: GraphStore) -> None:
    letters, question = Letters(), "Which company operates the Marsh Line?"
    scored = score_triplets(question, [KNOWN["Marsh Line"]], railway, letters, k=100)
    assert {triplet for triplet, _ in scored} == touching(KNOWN["Marsh Line"])
    for triplet, score in scored:
        relation = triplet.relation.lower().replace("_", " ")
        parts = [letters.cosine(question, text) for text in (triplet.head.name, relation, triplet.tail.name)]
        assert score == pytest.approx(sum(parts), abs=1e-5)
    assert [score for _, score in scored] == sorted((score for _, score in scored), reverse=True)


def test_only_the_best_are_kept(railway: GraphStore) -> None:
    letters, question = Letters(), "Where is it?"
    everything = score_triplets(question, [KNOWN["Marsh Line"]], railway, letters, k=100)
    assert score_triplets(question, [KNOWN["Marsh Line"]], railway, letters, k=3) == everything[:3]


def test_names_and_relations_are_embedded_once(railway: GraphStore) -> None:
    letters = Letters()
    score_triplets("Where?", [KNOWN["Marsh Line"]], railway, letters, k=100)
    assert len(letters.seen) == len(set(letters.seen))


def test_a_second_hop_expands_the_far_ends(railway: GraphStore) -> None:
    start = KNOWN["Marsh Line"]
    ends = {end for t in touching(start) for end in (t.head, t.tail)}
    found = {t for t, _ in score_triplets("Where?", [start], railway, Letters(), hops=2, k=1000)}
    assert found == touching(*ends)
    narrow = {t for t, _ in score_triplets("Where?", [start], railway, Letters(), hops=2, k=1)}
    assert len(narrow) == 1


def test_nothing_to_score(railway: GraphStore) -> None:
    assert score_triplets("Where?", [], railway, Letters()) == []
    assert score_triplets("Where?", [Entity("x", "X", "Person")], railway, Letters(), hops=2) == []


def test_words_of_a_triplet() -> None:
    assert (
        Triplet(KNOWN["Marsh Line"], "STOPS_AT", KNOWN["Ferrow Halt"]).words() == "Marsh Line → STOPS_AT → Ferrow Halt"
    )


# ---- paths ----------------------------------------------------------------------------------------------------------


def distances(start: Entity) -> dict[Entity, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        at = queue.popleft()
        for t in touching(at):
            for end in (t.head, t.tail):
                if end not in found:
                    found[end] = found[at] + 1
                    queue.append(end)
    return found


@pytest.mark.parametrize("name", ["Silver Heron", "Thistleby", "Jonas Brandt"])
def test_a_shortest_path_is_as_short_as_can_be(railway: GraphStore, name: str) -> None:
    source, reach = KNOWN[name], distances(KNOWN[name])
    for target in KNOWN.values():
        paths = shortest_paths(railway, source, target, max_hops=3)
        if target == source or reach.get(target, 99) > 3:
            assert paths == []
            continue
        assert paths
        for path in paths:
            assert len(path.triplets) == reach[target]
            assert set(path.triplets) <= FACTS
            at = source
            for triplet in path.triplets:
                assert at in (triplet.head, triplet.tail)
                at = triplet.tail if at == triplet.head else triplet.head
                assert triplet.properties == {"since": 1990}
            assert at == target
