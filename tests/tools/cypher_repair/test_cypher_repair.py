"""The laws of repairing a model's query, without a database."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clew.tools.cypher import guard
from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.draft import RepairedQuery
from clew.tools.cypher_repair.query_parser import parse
from clew.tools.cypher_repair.repair import repair
from clew.tools.cypher_repair.rows import Lookup, ShapedQuery, read_result, shape_query
from clew.tools.cypher_repair.vocabulary import closest_identifier
from clew.tools.errors import QueryFailed, QueryForbidden
from clew.tools.graph.entity import Candidate, Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from tests.tools.queries.railway import NODES, entities, facts

SCOPE = "a `graph`"
_TYPES = {int: "INTEGER", str: "STRING"}


def railway_schema() -> Schema:
    relations = dict.fromkeys((relation, head.label, tail.label) for head, relation, tail in facts())
    properties = [
        Property(label, key, _TYPES[type(value)], 1, ())
        for label, named in NODES.items()
        for key, value in {"name": "", **{k: v for own in named.values() for k, v in own.items()}}.items()
    ]
    return Schema(
        {label: len(named) for label, named in NODES.items()},
        tuple(Relation(kind, source, target, 1) for kind, source, target in relations),
        tuple(properties), "1", (Property("RUNS_ON", "since", "INTEGER", 1, ()),),
    )  # fmt: skip


RAILWAY = railway_schema()


def names(literal: str, label: str | None) -> list[Candidate]:
    """Exact names, and those equal but for case."""
    return [
        Candidate(e, 1.0 if e.name == literal else 0.99, "exact" if e.name == literal else "normalised", e.name)
        for e in entities().values()
        if e.name.casefold() == literal.casefold() and label in (None, e.label)
    ]


def mended(cypher: str, terms: NodeTerms | None = None, schema: Schema = RAILWAY) -> RepairedQuery:
    return repair(cypher, schema, terms or NodeTerms(), names)


# --- any text ---------------------------------------------------------------------------------------------------------

FRAGMENTS = [
    "MATCH", "OPTIONAL MATCH", "WHERE", "RETURN", "WITH", "UNWIND", "AS", "UNION", "CALL {", "EXISTS {", "COUNT {", "}",
    "(", ")", "[", "]", "{", "}", ",", ":", "|", "-", "<-", "->", "--", "-[", "]-", "]->", "*", "..", "*1..3", "=",
    "<>", "!=", "IN", "AND", "NOT", "CONTAINS", "'Marsh Line'", '"x"', "7", "-1", "n", "m", "r", "n.name", "m.opened",
    ":Train", ":Line", ":RUNS_ON", "(n:Train)", "(m)", "-[:RUNS_ON]->", "count(n)", "size(", "exists(", "shortestPath(",
    "ORDER BY n.name", "LIMIT 3", "DISTINCT", "{name: 'Silver Heron'}", "[x IN [1] | x]", "`a``b`", "n {.name}", "$p",
    "reduce(a = 0, x IN [1] | a + x)", "any(x IN n.l WHERE x = 1)", "elementId(n)", "&", "!", "%", ";", "//", "/*", "'",
]  # fmt: skip
soups = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map(" ".join)
likely = soups.map(lambda soup: f"MATCH (n:Train) {soup} RETURN n")


@settings(deadline=None)
@given(st.one_of(st.text(max_size=80), soups, likely), st.booleans())
def test_any_text_is_repaired_or_refused(cypher: str, confined: bool) -> None:
    terms = NodeTerms(SCOPE if confined else None)
    try:
        found = mended(cypher, terms)
    except QueryFailed:
        return
    guard.check(found.cypher)
    assert found.original == cypher
    again = repair(found.cypher, RAILWAY, terms, names, found.parameters)
    assert again.cypher == found.cypher
    assert again.parameters == found.parameters
    if confined:
        assert all(any(label.name == SCOPE for label in node.labels) for node in parse(found.cypher).nodes)
    query = shape_query(found.cypher, found.parameters, RAILWAY, terms)
    guard.check(query.cypher)


@pytest.mark.parametrize("cypher", [f"RETURN {9**999}{' ' * 8000}.x", f"RETURN {'(' * 60}1{')' * 60}", "\ud800"])
def test_what_is_too_long_or_too_deep_is_refused(cypher: str) -> None:
    with pytest.raises(QueryFailed):
        mended(cypher)


@settings(deadline=None)
@given(st.text(max_size=40), st.sampled_from("'\""))
def test_a_literal_travels_as_the_very_value(value: str, quote: str) -> None:
    assume("\\u" not in value)
    text = value.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    with suppress(QueryForbidden):  # control characters, which the guard does not let through
        found = mended(f"MATCH (n:Company) WHERE n.founded > 3 AND n.motto = {quote}{text}{quote} RETURN n.name")
        assert found.parameters == {"v0": 3, "v1": value}
        assert found.cypher == "MATCH (n:Company) WHERE n.founded > $v0 AND n.motto = $v1 RETURN n.name"


# --- directions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChainQuery:
    """A valid chain over a schema, hop by hop: (types as written, forward)."""

    schema: Schema
    labels: tuple[str, ...]
    hops: tuple[tuple[str, bool], ...]
    labelled: tuple[bool, ...]

    def text(self, flips: Sequence[bool]) -> str:
        text = self._node(0)
        for place, (types, forward) in enumerate(self.hops):
            bracket = f"[{types}]" if types else ""
            text += f"-{bracket}->" if forward != flips[place] else f"<-{bracket}-"
            text += self._node(place + 1)
        return f"MATCH {text} RETURN n0"

    def _node(self, place: int) -> str:
        return f"(n{place}:{quoted(self.labels[place])})" if self.labelled[place] else f"(n{place})"


@st.composite
def chains(draw: st.DrawFn, *, one_pair: bool) -> ChainQuery:
    """Schemas in which no two labels are related both ways; with `one_pair` a type joins one pair of labels only."""
    seed = draw(st.integers(0, 2**32))
    chance = random.Random(seed)
    labels = [f"Label {i}" if i % 3 else f"L{i}" for i in range(chance.randint(2, 6))]
    pairs = [(a, b) if chance.random() < 0.5 else (b, a) for i, a in enumerate(labels) for b in labels[:i]]
    types = [f"R_{i}" for i in range(max(len(pairs), 3))]
    if one_pair:
        relations = [Relation(types[i], a, b, 1) for i, (a, b) in enumerate(pairs)]
    else:
        relations = [Relation(kind, a, b, 1) for kind in types for a, b in pairs if chance.random() < 0.4]
        relations = relations or [Relation(types[0], *pairs[0], 1)]
    schema = Schema(dict.fromkeys(labels, 1), tuple(relations), (), "1")
    at = chance.choice([relation.source for relation in relations])
    walked, hops = [at], []
    for _ in range(chance.randint(1, 5)):
        ways = [(r, r.source == at) for r in relations if at in (r.source, r.target)]
        relation, forward = chance.choice(ways)
        other = relation.target if forward else relation.source
        kinds = [f":{relation.type}"]
        if not one_pair:
            kinds += [f":{relation.type}|{chance.choice(relations).type}", ""]
        hops.append((chance.choice(kinds), forward))
        at = other
        walked.append(at)
    first = chance.randrange(len(walked))
    labelled = tuple(not one_pair or place == first for place in range(len(walked)))
    return ChainQuery(schema, tuple(walked), tuple(hops), labelled)


@settings(deadline=None)
@given(st.one_of(chains(one_pair=False), chains(one_pair=True)), st.data())
def test_every_wrong_direction_is_turned_round(query: ChainQuery, data: st.DataObject) -> None:
    """Also where only one node names its label, and the others follow from the schema."""
    right = query.text([False] * len(query.hops))
    assert mended(right, schema=query.schema).cypher == right
    flips = [data.draw(st.booleans()) for _ in query.hops]
    found = mended(query.text(flips), schema=query.schema)
    assert found.cypher == right
    assert bool(found.changes) == any(flips)


ONE_WAY = Schema(
    {"Film": 1, "Person": 1, "City": 1},
    (Relation("MADE_BY", "Film", "Person", 1), Relation("BORN_IN", "Person", "City", 1),
     Relation("KNOWS", "Person", "Person", 1), Relation("ABOUT", "Film", "Person", 1)),
    (), "1",
)  # fmt: skip


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("MATCH (p:Person)-[:MADE_BY]->(f:Film) RETURN f", "MATCH (p:Person)<-[:MADE_BY]-(f:Film) RETURN f"),
        ("MATCH (p:Person)-->(f:Film) RETURN f", "MATCH (p:Person)<--(f:Film) RETURN f"),
        ("MATCH (p)-[:MADE_BY|ABOUT]->(f:Film) RETURN f", "MATCH (p)<-[:MADE_BY|ABOUT]-(f:Film) RETURN f"),
        ("MATCH (f:Film) MATCH (f)<-[:MADE_BY]-(p) RETURN p", "MATCH (f:Film) MATCH (f)-[:MADE_BY]->(p) RETURN p"),
        ("MATCH (f:Film) WITH f AS g MATCH (g)<-[:MADE_BY]-(p) RETURN p",
         "MATCH (f:Film) WITH f AS g MATCH (g)-[:MADE_BY]->(p) RETURN p"),
        ("MATCH (f:Film)<-[:MADE_BY]-()<-[:BORN_IN]-(c) RETURN c",
         "MATCH (f:Film)-[:MADE_BY]->()-[:BORN_IN]->(c) RETURN c"),
        ("MATCH (f:Film) WHERE EXISTS { (f)<-[:MADE_BY]-(:Person) } RETURN f",
         "MATCH (f:Film) WHERE EXISTS { (f)-[:MADE_BY]->(:Person) } RETURN f"),
        ("MATCH (f:Film) RETURN [(f)<-[:MADE_BY]-(p) | p.name]",
         "MATCH (f:Film) RETURN [(f)-[:MADE_BY]->(p) | p.name]"),
        ("MATCH (p:Person)-[r:MADE_BY {x: $a}]->(f:Film) RETURN r",
         "MATCH (p:Person)<-[r:MADE_BY {x: $a}]-(f:Film) RETURN r"),
        ("MATCH (c:City)-[:BORN_IN*1..2]->(p:Person) RETURN p", "MATCH (c:City)<-[:BORN_IN*1..2]-(p:Person) RETURN p"),
    ],
)  # fmt: skip
def test_directions_follow_from_labels_wherever_they_stand(written: str, right: str) -> None:
    assert repair(written, ONE_WAY, NodeTerms(), names, {"a": 1}).cypher == right


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN b",
        "MATCH (a)<-[:KNOWS]-(b) RETURN b",
        "MATCH (a:Person)-[:MADE_BY]-(b) RETURN b",
        "MATCH (a)-[:MADE_BY]->(b) RETURN a, b",
        "MATCH (a:Film)-[:MADE_BY|KNOWS*1..3]->(b:Person) RETURN b",
        "MATCH (a:Film) WITH count(a) AS a MATCH (b:Person)-[:BORN_IN]->(c) RETURN a, c",
    ],
)
def test_what_may_be_right_is_left(cypher: str) -> None:
    found = mended(cypher, schema=ONE_WAY)
    assert (found.cypher, found.changes, found.doubts) == (cypher, (), ())


def test_what_fits_neither_way_is_a_doubt() -> None:
    found = mended("MATCH (f:Film)-[:BORN_IN]->(c:City) RETURN c", schema=ONE_WAY)
    assert found.cypher == "MATCH (f:Film)-[:BORN_IN]->(c:City) RETURN c"
    assert found.doubts == ("no BORN_IN joins Film and City",)


# --- the scope of a graph ---------------------------------------------------------------------------------------------

SCOPED = [
    ("MATCH (n) RETURN n", 1),
    ("MATCH (n:Train {name: 'x'})-[:RUNS_ON]->()<-[:STOPS_AT]-(:Station) RETURN n", 3),
    ("MATCH (n:Train|Line) RETURN n", 1),
    ("MATCH (n:(Train&!Line)|Company) RETURN n", 1),
    ("MATCH (n:!Train) RETURN n", 1),
    ("MATCH (n) WHERE (n)-->() AND NOT (n)<--(:Line) RETURN n", 5),
    ("MATCH (n) WHERE EXISTS { MATCH (n)-->(m) WHERE EXISTS { (m)--() } } RETURN n", 5),
    ("MATCH (n) WHERE exists((n)--()) AND size((n)--()) > 2 RETURN n", 5),
    ("MATCH (n) RETURN [(n)--(m) WHERE (m)--() | m.name], COUNT { (n)--() }, COLLECT { MATCH (x) RETURN x.name }", 8),
    ("MATCH p = shortestPath((a:Line)-[*..3]-(b:Train)) RETURN p", 2),
    ("MATCH (a:Line {name: 'x'}) RETURN shortestPath((a)-[*]-(a))", 3),
    ("CALL { MATCH (n:Line) RETURN n UNION MATCH (n:Train) RETURN n } RETURN n", 2),
    ("MATCH (n:Line) CALL { WITH n MATCH (n)--(m) RETURN m } RETURN m", 3),
    ("OPTIONAL MATCH (n WHERE (n)--(:Line)) RETURN n", 3),
    ("MATCH (n) RETURN CASE WHEN (n)-->(:Line) THEN {a: [(n)--(m) | m]} END AS x ORDER BY size((n)--())", 7),
    ("MATCH (n:Line) RETURN n.name UNION ALL MATCH (n:Train) RETURN n.name", 2),
    ("MATCH (`where`) RETURN `where`", 1),
    ("MATCH (n {name: 'a (b:C)-->(d)'}) /* (x)-->(y) */ RETURN n // (z)", 1),
]  # fmt: skip


@pytest.mark.parametrize(("cypher", "patterns"), SCOPED)
def test_every_node_pattern_gets_the_scope(cypher: str, patterns: int) -> None:
    found = mended(cypher, NodeTerms(SCOPE))
    assert found.cypher.count(quoted(SCOPE)) == patterns
    again = repair(found.cypher, RAILWAY, NodeTerms(SCOPE), names, found.parameters)
    assert again.cypher == found.cypher


def test_alternatives_of_labels_do_not_lead_out_of_the_scope() -> None:
    found = mended("MATCH (n:Train|Line) RETURN n", NodeTerms("g"))
    assert found.cypher == "MATCH (n:(Train|Line)&`g`) RETURN n"
    around = mended("MATCH (n:(Train)|(`g`)) RETURN n", NodeTerms("g"))
    assert around.cypher == "MATCH (n:((Train)|(`g`))&`g`) RETURN n"
    negated = mended("MATCH (n:!`g`) RETURN n", NodeTerms("g"))
    assert negated.cypher == "MATCH (n:(!`g`)&`g`) RETURN n"


@pytest.mark.parametrize(
    "cypher",
    [
        "CALL db.labels() YIELD label RETURN label",
        "RETURN apoc.map.fromNodes('Train', 'name')",
        "MATCH (n:$(label)) RETURN n",
        "MATCH (n IS Train) RETURN n",
        "MATCH ((a)-->(b))+ RETURN a",
        "MATCH (a) (()-->()){1,3} (b) RETURN b",
        "MATCH ANY SHORTEST (a)-->+(b) RETURN a",
        "MATCH (a)-[:RUNS_ON]->+(b) RETURN a",
        "MATCH (a)-[:!RUNS_ON]->(b) RETURN a",
        "MATCH (a) WHERE (a:Train {name: })-->() RETURN a",
        "MATCH (a) USING INDEX a:Train(name) RETURN a",
        "MATCH (a) RETURN a NEXT MATCH (b) RETURN b",
    ],
)
def test_what_is_not_understood_is_refused_in_a_shared_database(cypher: str) -> None:
    with pytest.raises(QueryFailed):
        mended(cypher, NodeTerms(SCOPE))


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "known", "found"),
    [
        ("movies", ["Movie", "Person"], "Movie"),
        ("runsOn", ["RUNS_ON", "RUN_BY"], "RUNS_ON"),
        ("DIRECTED", ["directed_by", "written_by"], "directed_by"),
        ("genre", ["has_genre", "has_tags"], "has_genre"),
        ("Persxn", ["Person", "Persan"], None),
        ("Compny", ["Company", "Country"], "Company"),
        ("Cities", ["City"], "City"),
        ("Boxes", ["Box"], "Box"),
        ("Film", ["Movie"], None),
        ("run_on", ["RUN_ON", "runOn"], None),
        ("_", ["-", "a"], None),
    ],
)
def test_the_one_identifier_that_is_meant(written: str, known: list[str], found: str | None) -> None:
    assert closest_identifier(written, known) == found


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=5, unique=True))
def test_an_identifier_of_the_schema_means_itself(name: str, others: list[str]) -> None:
    assert closest_identifier(name, [*others, name] if name not in others else others) == name
    assert closest_identifier(name, others) in {None, *others}


def test_a_name_decides_on_the_label() -> None:
    found = mended("MATCH (c:Station {name: 'garrick'}) RETURN c.population")
    assert found.cypher == "MATCH (c:`Town` {name: $v0}) RETURN c.population"
    assert found.parameters == {"v0": "Garrick"}
    assert found.doubts == ()


def test_an_unlabelled_anchor_gets_its_label() -> None:
    by_name = mended("MATCH ({name: 'Garrick'})<-[:BORN_IN]-(p) RETURN p")
    assert by_name.cypher == "MATCH (:`Town` {name: $v0})<-[:BORN_IN]-(p) RETURN p".replace("` {", "`{")
    by_relation = mended("MATCH (t {topSpeed: 95})-[:RUNS_ON]->(l) RETURN l")
    assert by_relation.cypher == "MATCH (t:`Train` {topSpeed: $v0})-[:RUNS_ON]->(l) RETURN l"


def test_names_that_several_properties_make_up_are_matched_by_id() -> None:
    terms = NodeTerms(imported=False, names={"Person": ("first", "last"), "Town": ("title",)})
    schema = Schema(
        {"Person": 2, "Town": 1},
        (Relation("BORN_IN", "Person", "Town", 1),),
        tuple(Property(label, key, "STRING", 1, ()) for label, key in
              (("Person", "first"), ("Person", "last"), ("Town", "title"))),
        "1",
    )  # fmt: skip
    known = [Entity("4:x:1", "Ann Lee", "Person"), Entity("4:x:2", "Garrick", "Town")]

    def look_up(literal: str, label: str | None) -> list[Candidate]:
        return [Candidate(e, 1.0, "exact", e.name) for e in known if e.name == literal and label in (None, e.label)]

    def text(cypher: str) -> str:
        found = repair(cypher, schema, terms, look_up)
        again = repair(found.cypher, schema, terms, look_up, found.parameters)
        assert again.cypher == found.cypher
        assert set(found.parameters.values()) == {"4:x:1"}
        return found.cypher

    assert text("MATCH (p:Person {name: 'Ann Lee'})<-[:BORN_IN]-(t) RETURN t.name") == (
        "MATCH (p:Person WHERE elementId(`p`) = $v0)-[:BORN_IN]->(t) RETURN t.`title`"
    )
    assert text("MATCH (:Person {fullName: 'Ann Lee'})-[:BORN_IN]->(t) RETURN t").startswith("MATCH (anchor0:Person ")
    assert text("MATCH (p:Person) WHERE p.name = 'Ann Lee' RETURN p.name") == (
        "MATCH (p:Person) WHERE elementId(p) = $v0 RETURN p AS `p.name`"
    )
    assert " WITH coalesce(CASE WHEN p:`Person` THEN " in text(
        "MATCH (p:Person {name: 'Ann Lee'}) WITH p.name AS n RETURN n"
    )


# --- rows -------------------------------------------------------------------------------------------------------------

NOWHERE = Lookup(lambda id: None, lambda name, label: None)


@pytest.mark.parametrize(
    ("cypher", "hidden"),
    [
        ("MATCH (t:Train) RETURN t.name", 1),
        ("MATCH (t:Train)-->(l:Line) RETURN t, l.name", 2),
        ("MATCH (t:Train) RETURN DISTINCT t.name ORDER BY t.name", 1),
        ("MATCH (t:Train) RETURN DISTINCT t.name LIMIT 3", 0),
        ("MATCH (t:Train) RETURN t.name, count(*)", 0),
        ("MATCH (t:Train) RETURN t, count(*)", 1),
        ("MATCH (t:Train) RETURN t.topSpeed", 1),
        ("MATCH (t:Train) RETURN DISTINCT t.topSpeed", 0),
        ("MATCH (t:Train) RETURN *", 0),
        ("MATCH (t:Train) RETURN t.name UNION MATCH (t:Line) RETURN t.name", 0),
        ("MATCH (t:Train) WITH t AS u RETURN u.name", 1),
        ("MATCH (t:Train) WITH t.name AS u RETURN u", 0),
    ],
)
def test_identities_are_asked_for_where_that_changes_no_row(cypher: str, hidden: int) -> None:
    found = shape_query(cypher, {}, RAILWAY, NodeTerms())
    assert len(re.findall(r"AS clew_\d+_id", found.cypher)) == hidden
    assert found.cypher.startswith(cypher.split(" ORDER")[0].split(" LIMIT")[0].split(" UNION")[0])


def test_values_of_any_kind_become_texts() -> None:
    rows = [{"a": {"name": "X", "nodeId": "1"}, "b": [True, 1.5, None]}, {"a": None, "b": []}]
    found = read_result(
        rows, ShapedQuery("", {}, ()), Lookup(lambda id: Entity(id, "X", "L"), lambda name, label: None)
    )
    assert found.rows == [["X", "true, 1.5, "], ["", ""]]
    assert [(answer.id, answer.name) for answer in found.answers] == [("1", "X")]
    path = [[{"name": "X"}, "R", {"name": "Y"}]]
    assert read_result([{"p": path[0]}], ShapedQuery("", {}, ()), NOWHERE).rows == [["X → R → Y"]]
    assert read_result([], ShapedQuery("", {}, ()), NOWHERE).answers == []


def lists_and_maps(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["name", "nodeId", "x"]), inner))


plain_values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
values = st.recursive(plain_values, lists_and_maps, max_leaves=6)


@given(st.lists(st.fixed_dictionaries({"a": values, "b": values}), max_size=4))
def test_rows_of_any_values_are_read(rows: list[dict[str, object]]) -> None:
    found = read_result(rows, ShapedQuery("", {}, ()), NOWHERE)
    assert all(isinstance(cell, str) for row in found.rows for cell in row)
    assert len(found.rows) <= len(rows)
