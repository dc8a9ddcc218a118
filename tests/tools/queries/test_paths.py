"""Paths: those that a model wrote, read by the schema and followed, and shortest ones, in both databases."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.agents.evidence import Attempt
from clew.graphs.run import Deadline
from clew.graphs.steps import StepResult
from clew.graphs.strategies import model_paths, paths
from clew.tools.errors import QueryTimeout
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Relation, Schema
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore, Limits, Rows
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.paths.follow_paths import MOST_READINGS, NoChain, backwards, path_words, readings
from clew.tools.queries.paths.paths import OTHERS_SECONDS, shortest_paths
from tests.tools.queries.railway import facts, store_railway
from tests.tools.queries.retrieval_world import KNOWN, Kept, artifacts, asked, mention, railway_context

LINES = Schema(
    {"Line": 3, "Station": 5, "Town": 3, "Person": 6},
    (
        Relation("STOPS_AT", "Line", "Station", 9),
        Relation("LOCATED_IN", "Station", "Town", 5),
        Relation("BORN_IN", "Person", "Town", 6),
        Relation("MARRIED_TO", "Person", "Person", 2),
        Relation("servedBy", "Town", "Line", 2),
    ),
    (),
    "1",
)


@pytest.fixture(scope="module")
def railway(any_database: BoltDatabase) -> Iterator[GraphStore]:
    graph = any_database.open(f"paths-{uuid.uuid4().hex[:12]}", create=True)
    store_railway(graph)
    yield graph
    any_database.drop(graph.name)


def keys(path: Sequence[tuple[str, bool | None]], label: str, schema: Schema = LINES) -> list[str]:
    found = readings(path, label, schema)
    return [] if isinstance(found, NoChain) else ["/".join(hop.key() for hop in hops) for hops in found]


# ---- readings -------------------------------------------------------------------------------------------------------


def test_a_direction_that_was_said_is_taken() -> None:
    assert keys([("STOPS_AT", True), ("LOCATED_IN", True)], "Line") == ["STOPS_AT/LOCATED_IN"]
    assert keys([("MARRIED_TO", False)], "Person") == ["^MARRIED_TO"]


def test_a_direction_that_the_labels_rule_out_is_turned_round() -> None:
    assert keys([("LOCATED_IN", True), ("STOPS_AT", True)], "Town") == ["^LOCATED_IN/^STOPS_AT"]


def test_without_a_direction_both_are_taken_where_both_are_possible() -> None:
    assert keys([("MARRIED_TO", None)], "Person") == ["MARRIED_TO", "^MARRIED_TO"]
    assert keys([("BORN_IN", None)], "Person") == ["BORN_IN"]
    assert keys([("BORN_IN", None)], "Town") == ["^BORN_IN"]


def test_the_number_of_readings_is_bounded() -> None:
    assert len(keys([("MARRIED_TO", None)] * 5, "Person")) == MOST_READINGS


def test_relations_are_known_by_their_words() -> None:
    assert keys([("served by", None), ("stops_at", None)], "Town") == ["servedBy/STOPS_AT"]


@pytest.mark.parametrize(
    ("path", "label", "misfit"),
    [
        ([("BORN_IN", None)], "Line", NoChain(0, "BORN_IN")),
        ([("STOPS_AT", None), ("BORN_IN", None)], "Line", NoChain(1, "BORN_IN")),
        ([("STOPS_AT", None), ("PAINTED", None)], "Line", NoChain(1, "PAINTED")),
        ([("MARRIED_TO", True)] * 6, "Person", NoChain(5, "MARRIED_TO")),
        ([("STOPS_AT", None)], "Ship", NoChain(0, "STOPS_AT")),
    ],
)
def test_what_does_not_fit_the_labels_on_the_way(
    path: list[tuple[str, bool | None]], label: str, misfit: NoChain
) -> None:
    assert readings(path, label, LINES) == misfit


def test_the_label_on_the_way_is_that_which_the_next_relation_needs() -> None:
    towns = Schema(
        {"A": 1, "B": 9, "C": 1, "D": 1},
        (Relation("R", "A", "B", 9), Relation("R", "A", "C", 1), Relation("S", "C", "D", 1)),
        (),
        "1",
    )
    assert keys([("R", True), ("S", True)], "A", towns) == ["R/S"]


RELATIONS = st.sampled_from(["STOPS_AT", "LOCATED_IN", "BORN_IN", "MARRIED_TO", "servedBy", "NONE"])
PATHS = st.lists(st.tuples(RELATIONS, st.sampled_from([True, False, None])), min_size=1, max_size=5)


@given(PATHS)
def test_backwards_twice_is_the_path(path: list[tuple[str, bool | None]]) -> None:
    assert backwards(backwards(path)) == path


@given(PATHS, st.sampled_from(list(LINES.labels)))
def test_every_reading_joins_labels_of_the_schema(path: list[tuple[str, bool | None]], label: str) -> None:
    found = readings(path, label, LINES)
    if isinstance(found, NoChain):
        assert 0 <= found.reached < len(path)
        return
    assert 0 < len(found) <= MOST_READINGS
    assert len(set(found)) == len(found)
    for hops in found:
        assert [hop.relation for hop in hops] == [relation for relation, _ in path]
        at = label  # every label of this schema has one target a relation and direction
        for hop in hops:
            ends = {(r.type, r.source, r.target) for r in LINES.relations}
            assert ((hop.relation, at, hop.target) if hop.forward else (hop.relation, hop.target, at)) in ends
            at = hop.target


def test_words_of_a_path() -> None:
    assert path_words([("a", True), ("b", False), ("c", None)]) == "a → ^b → c"


# ---- the model's paths, followed ------------------------------------------------------------------------------------


def run(railway: GraphStore, *args: object, **changed: object) -> tuple[StepResult, Kept]:
    span = Kept()
    return paths.paths(asked("?", *args), railway_context(railway, **changed), span), span  # type: ignore[arg-type]


def names(attempt: Attempt) -> set[str]:
    return {answer["name"] for answer in attempt["answers"]}


def test_a_path_is_followed_with_all_its_answers_and_evidence(railway: GraphStore) -> None:
    done, span = run(railway, [mention(KNOWN["Marsh Line"])], artifacts("STOPS_AT -> LOCATED_IN"))
    attempt = done.update["attempts"]["paths/1/m0"]
    assert names(attempt) == {"Thistleby", "Port Ansel", "Garrick"}
    assert attempt["by_model"]
    assert attempt["strategy"] == "paths"
    assert 0.5 < attempt["confidence"] < 0.6
    assert [anchor["name"] for anchor in attempt["anchors"]] == ["Marsh Line"]
    told = {(e["head"]["name"], e["relation"], e["tail"]["name"]) for e in done.update["evidence"].values()}
    assert ("Marsh Line", "STOPS_AT", "Alder Cross") in told
    assert ("Alder Cross", "LOCATED_IN", "Thistleby") in told
    assert span.of("followed")[0]["rows"] == 3


def test_a_path_from_the_answer_s_side_is_followed_from_the_entity(railway: GraphStore) -> None:
    done, _ = run(railway, [mention(KNOWN["Garrick"])], artifacts("?STOPS_AT -> ?LOCATED_IN"))
    assert [names(a) for a in done.update["attempts"].values()] == [{"Marsh Line", "Upland Line", "Harbour Loop"}]


def test_a_direction_that_was_not_said_is_tried_both_ways(railway: GraphStore) -> None:
    done, _ = run(railway, [mention(KNOWN["Wilma Thorne"])], artifacts("?MARRIED_TO"))
    assert [names(a) for a in done.update["attempts"].values()] == [{"Osric Vane"}]


def test_another_candidate_s_label_may_fit(railway: GraphStore) -> None:
    found = mention(KNOWN["Thistleby"], KNOWN["Marsh Line"], scores=[0.9, 0.7])
    done, _ = run(railway, [found], artifacts("OPERATED_BY"))
    (attempt,) = done.update["attempts"].values()
    assert names(attempt) == {"Dunmere Railways"}
    assert attempt["confidence"] == pytest.approx(model_paths.CONFIDENCE * 0.7, abs=1e-3)


def test_a_worse_candidate_is_left_where_a_better_one_leads_somewhere(railway: GraphStore) -> None:
    lines = [KNOWN["Marsh Line"], KNOWN["Upland Line"]]
    far, _ = run(railway, [mention(*lines, scores=[1.0, 0.8])], artifacts("OPERATED_BY"))
    tied, _ = run(railway, [mention(*lines, scores=[1.0, 0.99])], artifacts("OPERATED_BY"))
    assert [names(a) for a in far.update["attempts"].values()] == [{"Dunmere Railways"}]
    assert len(tied.update["attempts"]) == 2


def test_a_path_that_leads_nowhere_says_how_far_it_got(railway: GraphStore) -> None:
    done, span = run(railway, [mention(KNOWN["Tern Bridge"])], artifacts("LOCATED_IN -> ^BORN_IN -> ^DESIGNED_BY"))
    # Port Ansel is the birth place of Lene Maddox, who designed nothing.
    assert done.update["attempts"] == {}
    (line,) = done.update["dead_ends"]
    assert done.details == [line]
    assert line == (
        "LOCATED_IN → ^BORN_IN → ^DESIGNED_BY leads nowhere: "
        "from Tern Bridge (Station) after 2 of 3 relations the graph has no ^DESIGNED_BY"
    )
    assert span.of("dead end")[0]["path"] == "LOCATED_IN → ^BORN_IN → ^DESIGNED_BY"


def test_a_path_that_the_schema_rules_out_says_so(railway: GraphStore) -> None:
    done, _ = run(railway, [mention(KNOWN["Marsh Line"])], artifacts("STOPS_AT -> BORN_IN"))
    assert done.details == [
        "STOPS_AT → BORN_IN leads nowhere: from Marsh Line (Line) after 1 of 2 relations the schema has no BORN_IN"
    ]


def test_without_an_entity_there_is_nowhere_to_start(railway: GraphStore) -> None:
    done, _ = run(railway, [], artifacts("STOPS_AT"))
    assert done.details == ["STOPS_AT leads nowhere: there is no entity to start from"]


def test_a_draft_answer_is_a_start_where_no_entity_is(railway: GraphStore) -> None:
    done, _ = run(railway, [], artifacts("OPERATED_BY -> FOUNDED_BY"), [mention(KNOWN["Piers Holloway"])])
    told = {(e["head"]["name"], e["tail"]["name"]) for e in done.update["evidence"].values()}
    assert ("Dunmere Railways", "Piers Holloway") in told
    assert ("Marsh Line", "Dunmere Railways") in told
    assert done.update["attempts"] == {}, "the ends of a path from a draft are no answers"


def test_paths_of_two_mentions_meet(railway: GraphStore) -> None:
    done, _ = run(
        railway,
        [mention(KNOWN["Dunmere Railways"]), mention(KNOWN["Old Sallow"])],
        artifacts("^OPERATED_BY", "^STOPS_AT"),
    )
    found = [names(a) for a in done.update["attempts"].values()]
    assert found == [{"Marsh Line", "Harbour Loop"}, {"Upland Line", "Harbour Loop"}, {"Harbour Loop"}]
    joined = done.update["attempts"]["paths/1/m2"]
    assert {anchor["name"] for anchor in joined["anchors"]} == {"Dunmere Railways", "Old Sallow"}


def test_a_group_is_followed_as_one(railway: GraphStore) -> None:
    both = mention(KNOWN["Silver Heron"], KNOWN["Night Badger"], group=True)
    done, _ = run(railway, [both], artifacts("DRIVEN_BY"))
    assert [names(a) for a in done.update["attempts"].values()] == [{"Lene Maddox", "Jonas Brandt"}]


def test_one_chain_is_followed_once(railway: GraphStore) -> None:
    done, span = run(railway, [mention(KNOWN["Marsh Line"])], artifacts("STOPS_AT", "?STOPS_AT", "stops at"))
    assert len(done.update["attempts"]) == 1
    assert span.of("dead end") == []


def test_time_that_is_over_ends_it(railway: GraphStore) -> None:
    done, _ = run(railway, [mention(KNOWN["Marsh Line"])], artifacts("STOPS_AT"), deadline=Deadline(0.0))
    assert done.update == {"attempts": {}, "evidence": {}, "dead_ends": []}


def test_a_pair_that_takes_too_long_costs_no_other(railway: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object, **__: object) -> None:
        raise QueryTimeout("too slow")

    monkeypatch.setattr(paths, "shortest_paths", slow)
    both = [mention(KNOWN["Marsh Line"]), mention(KNOWN["Garrick"])]
    done, span = run(railway, both, artifacts("STOPS_AT"))
    assert "paths/1/m0" in done.update["attempts"]
    assert span.of("failed")[0]["message"] == "too slow"


def test_entities_are_joined_with_draft_answers(railway: GraphStore) -> None:
    drafts = [mention(KNOWN["Garrick"])]
    done, span = run(railway, [mention(KNOWN["Marsh Line"])], artifacts(), drafts)
    assert [(e["source"], e["target"], e["paths"]) for e in span.of("shortest")] == [("Marsh Line", "Garrick", 1)]
    told = {(e["head"]["name"], e["tail"]["name"]) for e in done.update["evidence"].values()}
    assert told == {("Marsh Line", "Ferrow Halt"), ("Ferrow Halt", "Garrick")}


def test_without_a_model_drafts_and_paths_play_no_part(railway: GraphStore) -> None:
    done, span = run(railway, [mention(KNOWN["Marsh Line"])], None, [mention(KNOWN["Garrick"])])
    assert done.update == {"attempts": {}, "evidence": {}, "dead_ends": []}
    assert span.events == []


# ---- shortest paths -------------------------------------------------------------------------------------------------

FACTS = {Triplet(*fact) for fact in facts()}


def test_all_shortest_paths_of_a_pair(railway: GraphStore) -> None:
    found = shortest_paths(railway, KNOWN["Marsh Line"], KNOWN["Harbour Loop"], most=10)
    middles = {(path.triplets[0].tail.name, path.triplets[1].tail.name) for path in found}
    assert middles == {(name, name) for name in ("Dunmere Railways", "Alder Cross", "Quill Junction")}
    assert {triplet for path in found for triplet in path.triplets} <= FACTS
    assert len(shortest_paths(railway, KNOWN["Marsh Line"], KNOWN["Harbour Loop"], most=2)) == 2
    assert len(shortest_paths(railway, KNOWN["Marsh Line"], KNOWN["Harbour Loop"])) == 1


def test_one_path_is_kept_where_the_others_take_too_long(railway: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    read = railway.read

    def slow(cypher: str, parameters: Any, limits: Limits) -> Rows:
        if "allShortestPaths" in cypher:
            assert limits.timeout_s <= OTHERS_SECONDS
            raise QueryTimeout("too slow")
        return read(cypher, parameters, limits)

    monkeypatch.setattr(railway, "read", slow)
    assert len(shortest_paths(railway, KNOWN["Marsh Line"], KNOWN["Harbour Loop"], limits=Limits(), most=9)) == 1


def breadth_first(edges: set[tuple[int, int]], source: int) -> dict[int, int]:
    distances, queue = {source: 0}, deque([source])
    while queue:
        at = queue.popleft()
        for a, b in edges:
            for here, there in ((a, b), (b, a)):
                if here == at and there not in distances:
                    distances[there] = distances[at] + 1
                    queue.append(there)
    return distances


def shortest_count(edges: set[tuple[int, int]], source: int, target: int) -> int:
    """Shortest paths as triplets: two edges that run either way between two nodes are two paths."""
    reach, counts = breadth_first(edges, source), {source: 1}
    for node in sorted(reach, key=lambda node: reach[node]):
        if node != source:
            near = [x for a, b in edges for x, y in ((a, b), (b, a)) if y == node and reach.get(x) == reach[node] - 1]
            counts[node] = sum(counts[x] for x in near)
    return counts[target]


@pytest.fixture(scope="module")
def dots(any_database: BoltDatabase) -> Iterator[GraphStore]:
    graph = any_database.open(f"dots-{uuid.uuid4().hex[:12]}", create=True)
    graph.ensure_index("Dot", "nodeId")
    yield graph
    any_database.drop(graph.name)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edges=st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12))
def test_shortest_paths_are_those_of_breadth_first_search(dots: GraphStore, edges: set[tuple[int, int]]) -> None:
    edges = {(a, b) for a, b in edges if a != b}
    scope = f":`{dots.scope}`" if dots.scope else ""
    run = uuid.uuid4().hex[:8]  # every example has nodes of its own
    dots.write(
        f"UNWIND range(0, 7) AS i CREATE (:Dot{scope} {{nodeId: $run + toString(i), name: toString(i)}})", {"run": run}
    )
    dots.write(
        f"UNWIND $edges AS e MATCH (a:Dot{scope} {{nodeId: $run + toString(e[0])}}) "
        f"MATCH (b:Dot{scope} {{nodeId: $run + toString(e[1])}}) CREATE (a)-[:TO]->(b)",
        {"edges": [list(edge) for edge in edges], "run": run},
    )
    reach = breadth_first(edges, 0)
    for target in range(1, 8):
        found = shortest_paths(dots, dot(run, 0), dot(run, target), max_hops=4, most=1000)
        if reach.get(target, 99) > 4:
            assert found == []
            continue
        assert len(set(found)) == len(found) == shortest_count(edges, 0, target)
        assert {len(path.triplets) for path in found} == {reach[target]}
        for path in found:
            assert {(int(t.head.name), int(t.tail.name)) for t in path.triplets} <= edges


def dot(run: str, number: int) -> Entity:
    return Entity(f"{run}{number}", str(number), "Dot")
