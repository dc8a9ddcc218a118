"""Queries against brute force: the same paths walked in plain Python over small random graphs, on both databases."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.cypher import guard
from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema, introspect
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.space import render
from clew.tools.queries.space.connecting import connections
from clew.tools.queries.space.moves import Moves
from clew.tools.queries.space.query import Chain, Filter, Hop, Order, Query
from clew.tools.queries.space.space import Answers, QuerySpace, Semantics
from clew.tools.queries.space.words import words
from tests.conftest import FULL

LABELS = ("Film", "Wide `gauge`", "Straße 'n' \"Gleis\"")
RELATIONS = ("NEXT_TO", "run `by`", "fährt: über", "SET")
WORLDS = [("arcadedb", 1), ("arcadedb", 2), ("neo4j", 1), *([("neo4j", 2)] if FULL else [])]
"""Databases and seeds. Neo4j plans each query anew, which takes it longer than all the rest."""


@dataclass(frozen=True)
class Edge:
    number: int
    relation: str
    source: str
    target: str


@dataclass(frozen=True)
class Step:
    """One hop taken: the edge and the node that it led to."""

    edge: Edge
    node: str


Way = tuple[Step, ...]


@dataclass(frozen=True)
class World:
    """A small graph in memory, and what a query means over it."""

    nodes: dict[str, Entity]
    properties: dict[str, dict[str, Any]]
    edges: tuple[Edge, ...]

    def steps(self, node: str, hop: Hop) -> list[Step]:
        found = []
        for edge in self.edges:
            start, end = (edge.source, edge.target) if hop.forward else (edge.target, edge.source)
            fits = not hop.typed or self.nodes[end].label == hop.target
            if start == node and edge.relation == hop.relation and fits:
                found.append(Step(edge, end))
        return found

    def ways(self, start: str, hops: Sequence[Hop], *, walk: bool) -> list[Way]:
        """Every way along the hops; a trail takes no edge twice."""
        found: list[Way] = [()]
        for hop in hops:
            found = [
                (*way, step)
                for way in found
                for step in self.steps(way[-1].node if way else start, hop)
                if walk or step.edge not in {taken.edge for taken in way}
            ]
        return found

    def starts(self, chain: Chain) -> list[str]:
        if isinstance(chain.anchor, Entity):
            return [chain.anchor.id]
        return [id for id, node in self.nodes.items() if node.label == chain.anchor]

    def ends(self, chain: Chain, *, walk: bool) -> Counter[str]:
        """Where a chain ends, and in how many ways."""
        return Counter(
            way[-1].node if way else start
            for start in self.starts(chain)
            for way in self.ways(start, chain.hops, walk=walk)
        )

    def support(self, query: Query) -> Counter[str]:
        """Every match of the query's chains and filters, by the node where they meet."""
        ends = [self.ends(chain, walk=query.walk) for chain in query.chains]
        found: Counter[str] = Counter()
        for id in self.nodes:
            ways = 1
            for end in ends:
                ways *= end[id]
            if ways and all(self.passes(id, condition) for condition in query.filters):
                found[id] = ways
        return found

    def passes(self, id: str, condition: Filter) -> bool:
        value, wanted = self.properties[id].get(condition.property), condition.value
        if value is None or wanted is None:
            return False
        passed: dict[str, bool] = {
            "=": value == wanted, "<>": value != wanted, "<": value < wanted, "<=": value <= wanted,
            ">": value > wanted, ">=": value >= wanted, "CONTAINS": str(wanted) in str(value),
        }  # fmt: skip
        return passed[condition.comparison]

    def answers(self, query: Query) -> Counter[str]:
        """What `execute` should give: ids, or values as text, with their support."""
        support = self.support(query)
        if query.order is not None:
            measured = {id: value for id in support if (value := self.measure(id, query.order)) is not None}
            best = (max if query.order.descending else min)(measured.values(), default=None)
            return Counter({id: 1 for id, value in measured.items() if value == best})
        anchors = {anchor.id for anchor in query.anchors}
        others = Counter({id: ways for id, ways in support.items() if id not in anchors}) or support
        if query.returns == "count":
            return Counter({str(len(others)): 1})
        if query.returns == "property":
            values: Counter[str] = Counter()
            for id, ways in support.items():
                if (value := self.properties[id].get(str(query.property_name))) is not None:
                    values[str(value)] += ways
            return values
        return others

    def measure(self, id: str, order: Order) -> Any:
        if isinstance(order.by, str):
            return self.properties[id].get(order.by)
        return len({step.node for step in self.steps(id, order.by)}) or None

    def totals(self, start: str, answers: set[str], hops: int) -> dict[tuple[tuple[str, bool, str], ...], Any]:
        """(relation, forward, label reached) per hop → (hits, number of ends), over every trail of that length."""
        ends: dict[tuple[tuple[str, bool, str], ...], set[str]] = {}
        either = [(relation, forward, label) for relation in RELATIONS for forward in (True, False) for label in LABELS]
        for steps in product(either, repeat=hops):
            path = [Hop(relation, forward, label, typed=True) for relation, forward, label in steps]
            if ways := self.ways(start, path, walk=False):
                ends[steps] = {way[-1].node for way in ways}
        return {path: (len(found & answers), len(found)) for path, found in ends.items()}

    def triplets(self, ways: Sequence[Way]) -> set[Triplet]:
        return {self.triplet(step.edge) for way in ways for step in way}

    def triplet(self, edge: Edge) -> Triplet:
        return Triplet(self.nodes[edge.source], edge.relation, self.nodes[edge.target])


@cache
def world(seed: int) -> World:
    """Eighteen nodes; some edges are loops, some are there twice. Names and types hold quotes and accents."""
    chance = random.Random(seed)
    ids = [f"n'{i}\"`é" for i in range(18)]
    nodes = {id: Entity(id, f'Müller\'s "{i}" `x` {chance.choice("äß東")}', LABELS[i % 3]) for i, id in enumerate(ids)}
    properties = {
        id: {"length in `km`": chance.randint(1, 4)} | ({"kind": chance.choice("ab")} if chance.random() < 0.6 else {})
        for id in ids
        if chance.random() < 0.8
    }
    pairs = [(chance.choice(RELATIONS), chance.choice(ids), chance.choice(ids)) for _ in range(52)]
    pairs += [*pairs[:3], ("NEXT_TO", ids[0], ids[0])]
    edges = tuple(Edge(number, *pair) for number, pair in enumerate(pairs))
    return World(nodes, {id: properties.get(id, {}) for id in ids}, edges)


def store_world(graph: GraphStore, made: World) -> GraphStore:
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    for label in {entity.label for entity in made.nodes.values()}:
        graph.ensure_index(label, "nodeId")
        rows = [
            {"nodeId": id, "name": entity.name, **made.properties[id]}
            for id, entity in made.nodes.items()
            if entity.label == label
        ]
        graph.write(f"UNWIND $rows AS row CREATE (n:{quoted(label)}{scope}) SET n = row", {"rows": rows})
    for relation in RELATIONS:
        edges = [(edge.source, edge.target, edge.number) for edge in made.edges if edge.relation == relation]
        graph.write(
            f"UNWIND $edges AS edge MATCH (a{scope} {{nodeId: edge[0]}}), (b{scope} {{nodeId: edge[1]}}) "
            f"CREATE (a)-[:{quoted(relation)} {{number: edge[2]}}]->(b)",
            {"edges": edges},
        )
    graph.set_version("1")
    return graph


@dataclass(frozen=True)
class Case:
    world: World
    space: QuerySpace
    chance: random.Random

    def space_of(self, semantics: Semantics) -> QuerySpace:
        return QuerySpace(self.space.store, self.space.schema, semantics)

    def some_path(self, entity: Entity, longest: int = 3) -> tuple[Hop, ...]:
        """A path that follows edges more often than not, and so leads somewhere about every other time."""
        node, path = entity.id, []
        for _ in range(self.chance.randint(1, longest)):
            taken = [hop for hop in self.space.moves.hops if self.world.steps(node, hop)]
            blind = not taken or self.chance.random() < 0.25
            hop = self.chance.choice(self.space.moves.hops if blind else taken)
            path.append(hop)
            node = self.chance.choice([step.node for step in self.world.steps(node, hop)] or [node])
        return tuple(path)

    def some(self, number: int) -> int:
        """How many of so many queries are asked."""
        return number if FULL or self.space.store.engine != "neo4j" else -(-number // 3)

    def paths(self, longest: int = 3) -> Iterator[tuple[Entity, tuple[Hop, ...]]]:
        """An endless supply of entities and paths."""
        while True:
            entity = self.chance.choice(list(self.world.nodes.values()))
            yield entity, self.some_path(entity, longest)

    def chains(self, number: int, longest: int = 3) -> list[Chain]:
        """Chains that lead somewhere as trails."""
        found = []
        for entity, hops in self.paths(longest):
            if self.world.ways(entity.id, hops, walk=False):
                found.append(Chain(entity, hops))
                if len(found) == number:
                    break
        return found

    def meeting(self, number: int, longest: int = 2) -> Query:
        """Chains of different entities that meet, found by walking away from an answer."""
        answer = self.chance.choice(list(self.world.nodes.values()))
        chains: dict[Entity, Chain] = {}
        for _ in range(100):
            path = self.some_path(answer, longest)
            ways = self.world.ways(answer.id, path, walk=False)
            if ways and len(chains) < number:
                way = self.chance.choice(ways)
                nodes = [answer.id, *(step.node for step in way)]
                back = [
                    Hop(hop.relation, not hop.forward, self.world.nodes[at].label)
                    for hop, at in zip(path, nodes, strict=False)
                ]
                start = self.world.nodes[nodes[-1]]
                chains.setdefault(start, Chain(start, tuple(reversed(back))))
        return Query(tuple(chains.values()), walk=self.chance.random() < 0.3)

    def check(self, query: Query) -> Counter[str]:
        """Execute, compare with brute force, and give what was expected."""
        found, expected = self.space.execute(query), self.world.answers(query)
        assert counted(found) == expected, found.cypher
        assert [row.support for row in found.rows] == sorted((row.support for row in found.rows), reverse=True)
        assert not found.truncated
        for row in found.rows:
            if row.id is not None:
                assert (row.name, row.label) == (self.world.nodes[row.id].name, self.world.nodes[row.id].label)
        return expected


def counted(answers: Answers) -> Counter[str]:
    rows = [(row.name if row.id is None else row.id, row.support) for row in answers.rows]
    assert len(rows) == len({id for id, _ in rows}), "an answer came twice"
    return Counter(dict(rows))


@pytest.fixture(scope="module", params=WORLDS, ids=lambda each: "-".join(map(str, each)))
def stored(request: pytest.FixtureRequest) -> Iterator[tuple[int, QuerySpace]]:
    engine, seed = request.param
    database: BoltDatabase = request.getfixturevalue("neo4j_database" if engine == "neo4j" else "database")
    name = f"query-space-{seed}"
    if database.exists(name):
        database.drop(name)
    graph = store_world(database.open(name, create=True), world(seed))
    yield seed, QuerySpace(graph, introspect(graph))
    database.drop(name)


@pytest.fixture
def case(stored: tuple[int, QuerySpace]) -> Case:
    seed, space = stored
    return Case(world(seed), space, random.Random(seed))


# ---- what can be asked ----------------------------------------------------------------------------------------------


def test_first_steps_are_those_that_the_entity_has(case: Case) -> None:
    moves = case.space.moves
    for entity in case.world.nodes.values():
        hops = {i for i, hop in enumerate(moves.hops) if case.world.steps(entity.id, hop)}
        owned = {
            len(moves.hops) + i
            for i, prop in enumerate(moves.properties)
            if prop.label == entity.label and prop.name in case.world.properties[entity.id]
        }
        assert set(case.space.first_steps(entity)) == hops | owned


def test_no_first_steps_for_an_entity_that_is_not_there(case: Case) -> None:
    assert case.space.first_steps(Entity("nobody", "Nobody", LABELS[0])) == ()
    assert case.space.first_steps(Entity("nobody", "Nobody", "No such label")) == ()


def means_no_return(path: tuple[Hop, ...]) -> bool:
    """A walk of this path is not looked for: it turns back on its heel, or no relation comes twice."""
    turns = any(a.relation == b.relation and a.forward != b.forward for a, b in pairwise(path))
    return turns or len({hop.relation for hop in path}) == len(path)


@pytest.mark.parametrize("semantics", ["trail", "walk", "either"])
def test_supported_paths_are_those_that_lead_somewhere(case: Case, semantics: Semantics) -> None:
    space, seen = case.space_of(semantics), Counter[str | None]()
    for entity in case.chance.sample(list(case.world.nodes.values()), 9):
        paths = [path for path in (case.some_path(entity) for _ in range(16)) if len(path) > 1]
        expected: list[str | None] = []
        for path in paths:
            trail = bool(case.world.ways(entity.id, path, walk=False))
            walk = bool(case.world.ways(entity.id, path, walk=True))
            if semantics == "trail":
                expected.append("trail" if trail else None)
            elif semantics == "walk":
                expected.append("walk" if walk else None)
            else:
                expected.append("trail" if trail else "walk" if walk and not means_no_return(path) else None)
        assert space.supported(entity, paths) == expected
        seen.update(expected)
    assert seen[None] > 9
    assert semantics == "walk" or seen["trail"] > 9
    assert semantics == "trail" or seen["walk"] > 0


def test_totals_count_hits_and_ends_of_every_path(case: Case) -> None:
    for entity in case.chance.sample(list(case.world.nodes.values()), case.some(4)):
        answers = set(case.chance.sample(list(case.world.nodes), 6))
        for hops in (1, 2):
            found = {
                tuple((hop.relation, hop.forward, hop.target) for hop in path): (hits, total)
                for path, hits, total in case.space.totals(entity, sorted(answers), hops)
            }
            assert found == case.world.totals(entity.id, answers, hops)


def test_connections_are_all_queries_whose_paths_from_several_entities_meet(case: Case) -> None:
    seen = Counter[int]()
    for _ in range(case.some(8)):
        anchors = case.meeting(3, longest=1).anchors
        entities = list({anchor.name: anchor for anchor in anchors}.values())
        answers = set(case.chance.sample(list(case.world.nodes), 6))
        found = list(connections(case.space, entities, sorted(answers)))
        assert len({each.query.key() for each in found}) == len(found)
        for each in found:
            ids = case.world.support(each.query).keys() - {anchor.id for anchor in each.query.anchors}
            exact = all(len(chain.hops) == 1 for chain in each.query.chains)
            assert ids
            assert (each.total, each.hits) >= (len(ids), len(ids & answers))
            assert not exact or (each.total, each.hits) == (len(ids), len(ids & answers))
            seen[each.query.length] += 1
        ends = [{s.node for hop in case.space.moves.hops for s in case.world.steps(e.id, hop)} for e in entities]
        meet = set.intersection(*ends[:2]) - {entity.id for entity in entities[:2]} if len(ends) > 1 else set()
        two = {id for each in found if each.query.length == 2 for id in case.world.support(each.query)}
        assert meet <= two
    assert seen[2] > 2
    assert seen[3] > 5


# ---- what is answered -----------------------------------------------------------------------------------------------


def test_paths(case: Case) -> None:
    for chain in case.chains(case.some(12)):
        case.check(Query((chain,)))
        case.check(Query((chain,), walk=True))


def test_a_path_that_leads_nowhere_has_no_answer(case: Case) -> None:
    empty = [
        Query((Chain(entity, hops),))
        for _, (entity, hops) in zip(range(60), case.paths(), strict=False)
        if not case.world.ways(entity.id, hops, walk=False)
    ]
    assert len(empty) > 5
    for query in empty[: case.some(5)]:
        assert case.check(query) == Counter()
        assert not case.space.matches(query)


@pytest.mark.parametrize("number", [2, 3])
def test_intersections(case: Case, number: int) -> None:
    for _ in range(case.some(6)):
        query = case.meeting(number)
        if len(query.chains) == number:
            assert case.check(query)
            assert case.space.matches(query)
        apart = Query(tuple(case.chains(number, longest=2)))
        assert case.space.matches(apart) == bool(case.world.support(apart))
        case.check(apart)


def test_chains_without_hops_stand_at_the_answer(case: Case) -> None:
    for chain in case.chains(3, longest=2):
        meeting = Chain(case.world.nodes[next(iter(case.world.ends(chain, walk=False)))].label, ())
        case.check(Query((meeting, chain)))
        case.check(Query((chain, meeting)))


def test_properties(case: Case) -> None:
    entities = list(case.world.nodes.values())[: case.some(3)]
    for chain in [*case.chains(case.some(4)), *(Chain(entity, ()) for entity in entities)]:
        for name in ("length in `km`", "kind", "nothing has it"):
            query = Query((chain,), returns="property", property_name=name)
            for asked in (query, replace(query, filters=(Filter("length in `km`", ">", 1),))):
                assert bool(case.check(asked)) == case.space.matches(asked)


def test_counts(case: Case) -> None:
    for chain in case.chains(case.some(6)):
        case.check(Query((chain,), returns="count"))
    case.check(Query((Chain("Film", ()),), returns="count"))


FILTERS = [
    Filter("length in `km`", "=", 2),
    Filter("length in `km`", "<", 3),
    Filter("length in `km`", "<=", 2),
    Filter("length in `km`", ">", 2),
    Filter("length in `km`", ">=", 2),
    Filter("length in `km`", "<>", 2),
    Filter("kind", "CONTAINS", "a"),
]


@pytest.mark.parametrize("condition", FILTERS, ids=lambda c: c.comparison)
def test_filters(case: Case, condition: Filter) -> None:
    found = 0
    for chain in [*case.chains(case.some(3)), *(Chain(label, ()) for label in LABELS)]:
        found += len(case.check(Query((chain,), (condition,))))
        case.check(Query((chain,), (condition, Filter("kind", "=", "a")), returns="count"))
        case.check(Query((chain,), (condition,), Order("length in `km`", True)))
    assert found


@pytest.mark.parametrize("descending", [True, False])
def test_superlatives_give_all_that_tie(case: Case, descending: bool) -> None:
    tied = 0
    for chain in [*(Chain(label, ()) for label in LABELS), *case.chains(case.some(3), longest=2)]:
        measures: list[str | Hop] = ["length in `km`", "nothing has it", *case.chance.sample(case.space.moves.hops, 3)]
        for by in measures:
            query = Query((chain,), order=Order(by, descending))
            found = case.check(query)
            assert case.space.matches(query) == bool(found)
            tied += len(found) > 1
    assert tied > 3


def test_labels_as_anchors(case: Case) -> None:
    hops = case.space.moves.hops
    for label in LABELS:
        assert case.check(Query((Chain(label, ()),)))
        for hop in case.chance.sample(hops, 3):
            case.check(Query((Chain(label, (hop,)),)))
        case.check(Query((Chain(label, (case.chance.choice(hops),)), *case.chains(1, longest=1))))


def test_answers_other_than_the_entity_asked_about_are_preferred(case: Case) -> None:
    start = case.world.nodes[next(iter(case.world.nodes))]
    loop = Query((Chain(start, (Hop("NEXT_TO", True, "Film"),)),))
    expected = {step.node for step in case.world.steps(start.id, loop.chains[0].hops[0])}
    assert start.id in expected
    found = [row.id for row in case.space.execute(loop).rows]
    assert set(found) == (expected - {start.id} or expected)
    assert case.space.execute(replace(loop, returns="count")).rows[0].name == str(len(found))


def test_cut_results_say_so(case: Case) -> None:
    query = Query((Chain("Film", ()),))
    assert case.space.execute(query, Limits(max_rows=3)).truncated
    assert len(case.space.execute(query, Limits(max_rows=3)).rows) == 3
    assert not case.space.execute(query, Limits(max_rows=6)).truncated


def test_a_superlative_is_cut_only_where_ties_are(case: Case) -> None:
    query = Query((Chain("Film", ()),), order=Order("length in `km`", True))
    whole = case.space.execute(query)
    measured = [p for id, p in case.world.properties.items() if case.world.nodes[id].label == "Film" and p]
    assert len(whole.rows) < len(measured)
    cut = case.space.execute(query, Limits(max_rows=len(whole.rows)))
    assert cut.truncated  # one more row would be needed to know that the ties end here
    assert cut.rows == whole.rows
    enough = case.space.execute(query, Limits(max_rows=len(whole.rows) + 1))
    assert not enough.truncated
    assert enough.rows == whole.rows


# ---- evidence -------------------------------------------------------------------------------------------------------


def test_evidence_lies_on_matching_paths_in_its_true_direction(case: Case) -> None:
    for chain in case.chains(case.some(8)):
        for walk in (False, True):
            query = Query((chain,), walk=walk)
            ids = [str(row.id) for row in case.space.execute(query).rows][:2]
            ways = case.world.ways(chain.anchor.id, chain.hops, walk=walk)  # type: ignore[union-attr]
            wanted = [way for way in ways if way[-1].node in ids]
            assert set(case.space.evidence(query, ids, 5000)) == case.world.triplets(wanted)
            assert set(case.space.evidence(query, [], 5000)) == case.world.triplets(ways)


def test_evidence_of_an_intersection_leads_to_the_answer_from_both_sides(case: Case) -> None:
    for _ in range(case.some(5)):
        query = replace(case.meeting(2), filters=(Filter("length in `km`", ">", 0),))
        ids = sorted(case.world.support(query))[:1]
        wanted: set[Triplet] = set()
        for chain in query.chains if ids else ():
            ways = case.world.ways(chain.anchor.id, chain.hops, walk=query.walk)  # type: ignore[union-attr]
            wanted |= case.world.triplets([way for way in ways if way[-1].node in ids])
        assert set(case.space.evidence(query, ids, 5000)) == wanted


def test_evidence_keeps_the_properties_of_relationships(case: Case) -> None:
    (chain,) = case.chains(1, longest=1)
    for triplet in case.space.evidence(Query((chain,)), [], 100):
        numbers = {edge.number for edge in case.world.edges if case.world.triplet(edge) == triplet}
        assert triplet.properties["number"] in numbers


def test_evidence_is_limited(case: Case) -> None:
    query = Query((Chain("Film", (Hop("NEXT_TO", True, "Film"),)),))
    everything = case.space.evidence(query, [], 5000)
    assert len(everything) > 2
    assert set(case.space.evidence(query, [], 2)) < set(everything)
    assert len(case.space.evidence(query, [], 2)) <= 2


# ---- several graphs -------------------------------------------------------------------------------------------------


def test_graphs_in_one_database_do_not_see_each_other(any_database: BoltDatabase) -> None:
    """Two graphs hold the same node ids; what is asked of one is answered from its own edges."""
    worlds = [world(1), world(2)]
    names = [f"side-by-side-{i}" for i in range(2)]
    spaces = []
    for name, made in zip(names, worlds, strict=True):
        if any_database.exists(name):
            any_database.drop(name)
        graph = store_world(any_database.open(name, create=True), made)
        spaces.append(QuerySpace(graph, introspect(graph)))
    try:
        for made, space in zip(worlds, spaces, strict=True):
            case = Case(made, space, random.Random(9))
            assert sum(space.schema.labels.values()) == len(made.nodes)
            for chain in case.chains(3, longest=2):
                case.check(Query((chain,)))
            for label in LABELS:
                case.check(Query((Chain(label, ()),), returns="count"))
            test_first_steps_are_those_that_the_entity_has(case)
    finally:
        for name in names:
            any_database.drop(name)


# ---- without a database ---------------------------------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=12).filter(
    lambda name: "\\u" not in name
)
HOPS = st.builds(Hop, NAMES, st.booleans(), NAMES, st.booleans())
ANCHORS = st.one_of(NAMES, st.builds(Entity, NAMES, NAMES, NAMES))
CHAINS = st.builds(Chain, ANCHORS, st.lists(HOPS, max_size=3).map(tuple))
COMPARISONS = st.sampled_from(["=", "<", "<=", ">", ">=", "<>", "CONTAINS"])
QUERIES = st.builds(
    Query,
    st.lists(CHAINS, min_size=1, max_size=3).map(tuple),
    st.lists(st.builds(Filter, NAMES, COMPARISONS, st.integers()), max_size=2).map(tuple),
    st.none() | st.builds(Order, NAMES | HOPS, st.booleans()),
    st.sampled_from(["nodes", "count", "property"]),
    NAMES,
    st.booleans(),
)


TERMS = st.builds(NodeTerms, st.none() | NAMES) | st.builds(
    NodeTerms, st.none(), st.just(False), st.dictionaries(NAMES, st.lists(NAMES, max_size=2).map(tuple), max_size=2)
)
"""Of graphs that were imported, and of those that were there before."""


@given(QUERIES, TERMS)
def test_every_rendered_query_passes_the_guard(query: Query, terms: NodeTerms) -> None:
    statement = render.cypher(query, terms)
    guard.check(statement.cypher)
    guard.check(render.match_clauses(query, terms, named=True).cypher + "\nRETURN 1")
    anchored = [f"a{i}" for i, chain in enumerate(query.chains) if isinstance(chain.anchor, Entity)]
    filtered = [f"f{i}" for i in range(len(query.filters))]
    counted = ["asked"] if query.shape.startswith("count") and anchored else []
    assert statement.parameters.keys() == {*anchored, *filtered, *counted, *(["scope"] if terms.scope else [])}
    for name in (*anchored, *filtered):
        assert f"${name}" in statement.cypher


@given(QUERIES, TERMS)
def test_values_travel_as_parameters(query: Query, terms: NodeTerms) -> None:
    """Other ids and values, the same text: a plan of the database can be used again."""
    chains = tuple(
        Chain(replace(c.anchor, id="other") if isinstance(c.anchor, Entity) else c.anchor, c.hops) for c in query.chains
    )
    other = replace(query, chains=chains, filters=tuple(replace(f, value=-1) for f in query.filters))
    assert render.cypher(query, terms).cypher == render.cypher(other, terms).cypher


@given(QUERIES)
def test_words_name_every_entity_that_leads_to_the_answer(query: Query) -> None:
    said = words(query)
    for chain in query.chains:
        if isinstance(chain.anchor, Entity) and (chain.hops or len(query.chains) == 1):
            assert chain.anchor.name in said


@given(QUERIES, QUERIES)
def test_queries_that_differ_have_keys_that_differ(one: Query, other: Query) -> None:
    assert one.key() == replace(one).key()
    if one.returns != other.returns or one.walk != other.walk or one.filters != other.filters:
        assert one.key() != other.key()


def test_shapes_have_names() -> None:
    anchor, hop = Entity("1", "X", "Film"), Hop("R", True, "Film")
    chain, condition = Chain(anchor, (hop,)), Filter("year", ">", 1990)
    assert Query((chain,)).shape == "path"
    assert Query((chain, chain)).shape == "intersection"
    assert Query((chain,), returns="count").shape == "count"
    assert Query((chain,), (condition,), returns="property", property_name="year").shape == "property+filter"
    assert Query((chain,), (condition,), Order("year", True)).shape == "superlative+filter"
    assert Query((chain, Chain(anchor, (hop, hop)))).length == 3


def chain(anchor: str, *hops: Hop) -> Chain:
    return Chain(Entity(anchor, anchor, "Thing"), hops)


FILM, PERSON, CLUB = (partial(Hop, target=label) for label in ("Film", "Person", "Club"))
WORDS = [
    (Query((chain("Alien", PERSON("directedBy", True)),)), "person that Alien is directed by"),
    (Query((chain("Ridley Scott", FILM("DIRECTED_BY", False)),)), "film directed by Ridley Scott"),
    (Query((chain("Ridley Scott", FILM("DIRECTED_BY", False)),), returns="count"),
     "number of films directed by Ridley Scott"),
    (Query((chain("Alien", Hop("has_genre", True, "Genre")),)), "genre of Alien"),
    (Query((chain("Comedy", FILM("has_genre", False)),), returns="count"), "number of films with genre Comedy"),
    (Query((chain("Ann", Hop("WROTE", True, "Book")),)), "book that Ann wrote"),
    (Query((chain("Dune", PERSON("WROTE", False)),), returns="count"), "number of people that wrote Dune"),
    (Query((chain("Ann", CLUB("PLAYS_FOR", True), Hop("LOCATED_IN", True, "Town")),)),
     "town that the club that Ann plays for is located in"),
    (Query((chain("Rovers", PERSON("PLAYS_FOR", False)),), returns="count"), "number of people that play for Rovers"),
    (Query((chain("Garrick", PERSON("lived in", False)),)), "person that lived in Garrick"),
    (Query((chain("Garrick", PERSON("born in", False)),)), "person born in Garrick"),
    (Query((chain("Ada", PERSON("CHILD_OF", False)),), returns="count"), "number of children of Ada"),
    (Query((chain("Ada", PERSON("CHILD_OF", True)),)), "person that Ada is child of"),
    (Query((chain("Ada", Hop("HELD_POSITION", True, "Office")),)), "position that Ada held"),
    (Query((chain("Harrison Ford", FILM("starring", False)),)), "film starring Harrison Ford"),
    (Query((chain("X", Hop("R", True, "Entity")),)), "r of X"),
    (Query((Chain("Train", ()),), returns="count"), "number of trains"),
    (Query((Chain("City", (Hop("TWINNED_WITH", True, "City"),)),)), "city that any city is twinned with"),
    (
        Query((Chain("Train", ()),), (Filter("topSpeed", ">", 100),), Order("topSpeed", False)),
        "the one with the lowest top speed among trains, with top speed > 100",
    ),
    (
        Query((Chain("Line", ()),), order=Order(Hop("STOPS_AT", True, "Station"), True)),
        "the one with the most stations (stops at) among lines",
    ),
    (
        Query((chain("Alien", PERSON("directed_by", True)),), returns="property", property_name="birthYear"),
        "birth year of the person that Alien is directed by",
    ),
    (
        Query((chain("Garrick", PERSON("born in", False)), chain("Rovers", PERSON("PLAYS_FOR", False)))),
        "person born in Garrick and person that plays for Rovers",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("query", "said"), WORDS, ids=lambda value: value if isinstance(value, str) else "")
def test_words_of_a_query(query: Query, said: str) -> None:
    assert words(query) == said


# ---- hops that a schema allows --------------------------------------------------------------------------------------


def test_a_relation_between_several_labels_is_offered_with_its_end_open_and_named() -> None:
    schema = Schema(
        {"Person": 100, "City": 50, "Country": 10, "Ship": 1000},
        (
            Relation("BORN_IN", "Person", "City", 80),
            Relation("BORN_IN", "Person", "Country", 20),
            Relation("BORN_IN", "Person", "Ship", 1),
        ),
        (Property("City", "population", "INTEGER", 50, (1,)),),
        "1",
    )
    moves = Moves(schema)
    forward = [(hop.target, hop.typed) for hop in moves.hops if hop.forward]
    assert forward == [("City", False), ("City", True), ("Country", True)]  # one ship is noise
    open_, city, _ = range(3)
    assert moves.targets[open_].sum() == pytest.approx(1)
    assert moves.targets[city, moves.label_ids["City"]] == 1
    population = len(moves.hops)
    assert moves.joins[city, population] == 1
    assert moves.joins[open_, population] == pytest.approx(80 / 101)
    assert population in moves.starting_at("City")
    assert moves.starting_at("Ship") == [i for i, hop in enumerate(moves.hops) if not hop.forward and not hop.typed]
    assert moves.starting_at("nothing") == []


def test_an_empty_schema_has_no_moves() -> None:
    moves = Moves(Schema({}, (), (), "1"))
    assert moves.hops == []
    assert moves.joins.shape == (0, 0)


def test_names_prose_and_lists_are_no_answers() -> None:
    properties = [
        Property("Film", "name", "STRING", 1, ("X",)),
        Property("Film", "plot", "STRING", 1, ("x" * 61,)),
        Property("Film", "aliases", "LIST<STRING>", 1, (["a"],)),
        Property("Film", "year", "INTEGER", 1, (1999,)),
    ]
    assert [p.name for p in Moves(Schema({"Film": 1}, (), tuple(properties), "1")).properties] == ["year"]
