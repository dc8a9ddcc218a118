"""The static guard for generated Cypher."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.cypher.guard import check
from clew.tools.cypher.quoting import quoted
from clew.tools.errors import QueryForbidden

ALLOWED = [
    "WITH 1000 AS n RETURN [x IN range(1, n) | x] AS a",
    "MATCH (n) WITH collect(n) AS l RETURN [x IN l | [y IN l WHERE y <> x | y.name]] AS pairs",
    "MATCH (n) WITH collect(n) AS l WHERE any(x IN l WHERE x IN l AND (x IN l OR (x.y IN l))) RETURN l",
    "WITH [[[1]]] AS l RETURN all(x IN l WHERE all(y IN x WHERE all(z IN y WHERE z > 0))) AS a",
    "MATCH (n:Film {name: 'Set It Off'}) RETURN n.set AS set, n.`create`, n.delete",
    'MATCH (n) WHERE n.title = "a \\" SET n.x = 1" RETURN n',
    "MATCH (n) /* SET n.x = 1 */ RETURN n // DELETE n",
    "MATCH (a)-[:SET|CREATE|:DROP]->(b:Merge&Set) RETURN a",
    "MATCH (set:Set)-[r:R]->(show) WHERE set.create > 1 RETURN show, set.name ORDER BY set.name",
    "MATCH (n {set: 1, create: $delete}) RETURN n {.set, .name}",
    "MATCH (n) WHERE EXISTS { (n)-[:R]->() } RETURN count { (n)--() } AS c, collect(DISTINCT n.name)[..3]",
    "MATCH p = shortestPath((a)-[*..4]-(b)) RETURN [x IN nodes(p) WHERE x:A | x.name] AS names LIMIT 1e1",
    "CALL { MATCH (n) RETURN n } RETURN n UNION MATCH (n) RETURN n;",
    "CALL (n) { MATCH (n) RETURN n AS m } RETURN m",
    "CALL db.labels() YIELD label RETURN label",
    "UNWIND $rows AS row OPTIONAL MATCH (n {id: row.id}) RETURN duration.between(n.a, n.b), date('2020-01-01')",
    "match (n) where n.größe =~ '.*é „x“' return n",
    "RETURN reduce(most = 0, x IN [1, 2] | CASE WHEN x > most THEN x ELSE most END)",
    "RETURN reduce(total = 0, x IN range(1, 100) | total + x + 1), range(0, size([1, 2]) - 1), range(9, 1, -2)",
    "UNWIND range(1, 12) AS month UNWIND range(1, 31) AS day RETURN month, day",
    "RETURN reduce(s = 0, x IN [1, 2] | CASE WHEN x > 1 THEN s + x ELSE s + 1 END)",
    "RETURN reduce(s = '', x IN ['a'] | CASE WHEN s = '' THEN x WHEN x = 'b' THEN s + x ELSE s + ', ' + x END)",
    "RETURN reduce(total = 100.0, x IN range(1, 12) | total + total * 0.05)",
    "RETURN reduce(m = {sum: 0, n: 0}, x IN [1] | {sum: m.sum + x, n: m.n + 1})",
    "RETURN reduce(s = [], x IN [1, 2] | CASE WHEN x IN s THEN s ELSE s + [x] END)",
    "RETURN reduce(s = n.name, x IN ['a', 'b'] | replace(s, x, ''))",
    "MATCH (n) WITH n.a + n.a AS x, n.b + n.b AS y WITH x + x AS x, replace(n.name, 'a', n.name) AS y RETURN x, y",
    "WITH range(1, 12) AS months UNWIND months AS a UNWIND months AS b RETURN apoc.coll.combinations([a, b], 2)",
    "WITH range(1, 900) AS l RETURN [x IN l | x], [y IN l | y + 1], [z IN l WHERE z > 3 | z]",
    "RETURN apoc.text.repeat('-', 40) + apoc.text.repeat('=', 40)",
    "RETURN apoc.coll.max([1, 1500000]), apoc.coll.contains([250000000], 3), apoc.text.join(['2000000'], ',')",
    "RETURN lpad('1500000', 12, '0'), apoc.text.format('%09d of 1500', [1500000]), apoc.text.random(12)",
    "MATCH (n) WITH n.set AS set, n.call AS call WHERE set > 1 AND create = 2 RETURN set ORDER BY set DESC LIMIT 3",
    "MATCH (n) RETURN CASE WHEN n.x > 1 THEN create ELSE delete END AS merge, n.y AS drop SKIP 1",
    "MATCH (n) RETURN [set IN n.list WHERE set <> 1 | set] AS remove, {set: 1} AS insert, n:Film AS detach LIMIT 1",
    "CALL db.labels() YIELD label AS load UNWIND [1] AS csv RETURN load, csv",
    "MATCH (n:!Set) WITH n.x AS set, n.y AS delete RETURN DISTINCT set ORDER BY set",
    "MATCH (n) WITH n.y AS delete RETURN DISTINCT delete LIMIT 5",
    "MATCH (n) WITH n.show AS show, n.x IN $list AS terminate RETURN show, terminate, 1+$x ORDER BY show",
    "MATCH (n) WHERE n.range > 100000000 AND n.lpad = 1e9 RETURN apoc.date.format(1700000000000)",
]
FORBIDDEN = [
    "WITH 100000 AS n RETURN all(x IN range(1, n) WHERE all(y IN range(1, n) WHERE x + y > 0)) AS a",
    "WITH 2000 AS n, 1000 AS m RETURN [x IN range(0, n) | [y IN range(0, m) | x]] AS a",
    "MATCH (n) WITH collect(n) AS l RETURN all(x IN l WHERE all(y IN l WHERE all(z IN l WHERE x <> y))) AS a",
    "MATCH (n) WITH collect(n) AS l RETURN size([x IN l | [y IN l | [z IN l | 1]]]) AS a",
    "MATCH (n) WITH collect(n.x) AS l RETURN reduce(s = 0, x IN l | reduce(t = s, y IN l | reduce(u = t, z IN l | u)))",
    "RETURN all(x IN range(1, 100000) WHERE all(y IN range(1, 100000) WHERE x + y > 0))",
    "RETURN reduce(s = 'x', i IN range(1, 40) | s + s)",
    "RETURN reduce(s = 'x', i IN range(1, 40) | (s) + 'y' + s + s)",
    "RETURN reduce(s = 'x', i IN range(1, 40) | CASE WHEN i > 3 THEN s + s ELSE s + 'y' END)",
    "RETURN reduce(s = 'x', i IN range(1, 40) | CASE WHEN i > 3 THEN s + '' ELSE s + 'y' END + s)",
    "RETURN reduce(s = [1], i IN range(1, 40) | s + s)",
    "RETURN reduce(s = [1], i IN range(1, 40) | [s, s])",
    "RETURN reduce(s = 'x', i IN range(1, 40) | s || s)",
    "RETURN reduce(s = 'xx', i IN range(1, 9) | replace(s, 'x', s))",
    "WITH 'x' AS s" + " WITH s + s AS s" * 11 + " RETURN size(s)",
    "WITH 'x' AS `s t`" + " WITH `s t` || 'y' || `s t` AS `s t`" * 11 + " RETURN 1",
    "WITH 'xx' AS s" + " WITH apoc.text.replace(s, 'x', s + 'y') AS s" * 2 + " RETURN size(s)",
    "WITH range(1, 1000) AS l RETURN [a IN l | [b IN l | [c IN l | a]]]",
    "WITH range(1, 1000) AS l UNWIND l AS a UNWIND l AS b UNWIND l AS c RETURN count(*)",
    "RETURN apoc.coll.combinations([1, 2, 3], 1, 30)",
    "RETURN apoc.text.repeat(apoc.text.repeat('x', 9000), 9000)",
    "RETURN apoc.text.random(1000000000)",
    "RETURN apoc.text.repeat('x', 1000 * 1000 * 1000), lpad('x', 9)",
    "RETURN lpad('x', 100000000, 'y')",
    "RETURN size(range(1, 1000 * 1000 * 1000))",
    "RETURN range(0, 1e9), range(1, 0xFFFFFFF)",
    "UNWIND range(1, 2000) AS a UNWIND range(1, 2000) AS b RETURN count(*)",
    "RETURN range(1, 99999999999999999999999999)",
    "",
    ";",
    "CREATE (n)",
    "MATCH (n) SET n.x = 1",
    "match (n) set n.x = 1",
    "MATCH (n) SET(n).x = 1",
    "MATCH (n)/**/SET/**/n.x = 1",
    "MATCH (n) // comment\rSET n.x = 1",
    "MATCH (n) WITH * SET n.x = 1",
    "MATCH (n) RETURN 1 AS set SET n.x = 1",
    "MATCH (n) WITH n, 1. SET n.x = 1",
    "MATCH (n) WITH n LIMIT 1SET n.x = 1",
    "MATCH (n) WITH n, 1 AS as WITH n, as SET n.x = 1",
    "MATCH (n) WITH n, 1 AS with WITH n, with SET n.x = 1",
    "MATCH ((a)-->(b))+ SET a.x = 1",
    "MATCH (n) WHERE n.x IS :: INTEGER! SET n.x = 1",
    "MATCH (n) WHERE n.x IS :: LIST<INTEGER> SET n.x = 1",
    "MATCH (n) WITH n, 1 AS a$ SET n.x = 1",
    "MATCH (n) WHERE n:A&% SET n.x = 1",
    "MATCH (n) WITH n SHOW TRANSACTIONS YIELD transactionId RETURN n",
    "RETURN 1 AS x UNION TERMINATE TRANSACTIONS 'a'",
    "MATCH (n) WHERE n.x IS :: LIST<INTEGER>! SET n.x = 1",
    *(
        f"MATCH (n) WITH n, 1 AS {word} WITH n, {word} {clause}"
        for word in (
            "as",
            "with",
            "not",
            "case",
            "distinct",
            "all",
            "in",
            "return",
            "where",
            "and",
            "by",
            "order",
            "null",
            "end",
            "desc",
            "when",
            "limit",
            "yield",
        )
        for clause in ("SET order.by = 1", "SET limit.x = 1", "SET n.x = 1", "DELETE n", "CREATE (x)", "SET (n).x = 1")
    ),
    *(f"MATCH (n) WITH n, 1 AS {word} WITH {word} AS SET n.x = 1" for word in ("not", "case", "distinct", "as", "all")),
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) REMOVE n:Label",
    "MATCH (n) MERGE (n)-[:R]->(m)",
    "MATCH (n) FOREACH (x IN [1] | SET n.x = x)",
    "MATCH (n) CALL { WITH n SET n.x = 1 } RETURN n",
    "MATCH (n) CALL { WITH n RETURN 1 AS x } IN TRANSACTIONS RETURN n",
    "MATCH (n) CALL { WITH n RETURN 1 AS x } IN 3 CONCURRENT TRANSACTIONS RETURN n",
    "MATCH (n) RETURN n; MATCH (m) DELETE m",
    "MATCH (n) RETURN n UNION MATCH (m) DELETE m RETURN m",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "WITH 1 AS one LOAD CSV FROM 'x' AS line RETURN line",
    "CALL dbms.components()",
    "CALL apoc.cypher.doIt('CREATE (n)', {})",
    "CALL `apoc`.`cypher`.`doIt`('CREATE (n)', {})",
    "CALL\u00a0apoc.load.json('x')",
    "RETURN apoc.cypher.runFirstColumnSingle('MATCH (n) RETURN n', {})",
    "CALL { USE other MATCH (n) RETURN n } RETURN n",
    "USE other MATCH (n) RETURN n",
    "SHOW DATABASES",
    "DROP DATABASE other",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
    "TERMINATE TRANSACTIONS 'x'",
    "EXPLAIN MATCH (n) RETURN n",
    "MATCH (n) \\u0053ET n.x = 1",
    "MATCH (n {name: 'a\\u0027}) SET n.x = 1 //'}) RETURN n",
    "MATCH (n) \u017fET n.x = 1",
    "MATCH (n) \uff33\uff25\uff34 n.x = 1",
    "MATCH (n)\u200bSET n.x = 1",
    "MATCH (n) // \u2028 SET n.x = 1",
    "MATCH (n {name: 'open}) SET n.x = 1",
    "MATCH (n) /* open",
    "MATCH (n:`open) SET n.x = 1",
    "SET",
]
CLAUSES = ["SET n.x = 1", "DETACH DELETE n", "DELETE n", "REMOVE n.x", "CREATE (x)", "MERGE (x:X)", "INSERT (x)"]
HARMLESS = [
    "MATCH (n)",
    "OPTIONAL MATCH (n)-[:R]->(m)",
    "WITH n",
    "UNWIND [1, 2] AS x",
    "WHERE n.x > 1",
    "RETURN n.set",
]


@pytest.mark.parametrize("cypher", ALLOWED)
def test_reading_is_allowed(cypher: str) -> None:
    check(cypher)


@pytest.mark.parametrize("cypher", FORBIDDEN)
def test_anything_else_is_refused_with_a_reason(cypher: str) -> None:
    with pytest.raises(QueryForbidden) as caught:
        check(cypher)
    assert caught.value.message
    assert caught.value.cypher == cypher


def test_a_long_query_is_judged_as_a_short_one() -> None:
    check("WITH 1 AS set " * 5000 + "RETURN set")
    with pytest.raises(QueryForbidden):
        check("WITH 1 AS set " * 5000 + "SET set.x = 1")


ODD = ["\0", "\x01", "\t", "\n", "\x0b", "\x7f", "\x85", "\u2028", "`", "``", "\\", "/*", "//", "'", '"', ";"]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("decodes", [True, False])
def test_a_quoted_name_may_hold_any_character(odd: str, decodes: bool) -> None:
    name = quoted(f"a{odd}b")
    check(f"MATCH (n:{name})-[:{name}]->() WHERE n.{name} = 1 RETURN n", decodes=decodes)


def test_an_escape_in_a_quoted_name_is_for_databases_that_do_not_decode_it() -> None:
    name = quoted("a\\u0060]->() DETACH DELETE n //")
    check(f"MATCH (n)-[:{name}]->() RETURN n", decodes=False)
    with pytest.raises(QueryForbidden, match="escape"):
        check(f"MATCH (n)-[:{name}]->() RETURN n")


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH (n:`a\x01`)\x01RETURN n",
        "MATCH (n:`a`) RETURN n // \x0b",
        "MATCH (n:`a`) RETURN '\x01' AS x",
        "MATCH (n:`\ud800`) RETURN n",
        "MATCH (n:`a`) /* ` */ RETURN n \x01 /* ` */",
        "MATCH (n:`a`) WHERE n.x = '`' \\u0053ET n.x = '`' RETURN n",
        "MATCH (n) RETURN '`' + '\\u0027' + '`'",
        "MATCH (n:`a``) SET n.x = 1 //` RETURN n\nSET n.x = 1",
    ],
)
def test_quoted_names_hide_nothing_around_them(cypher: str) -> None:
    with pytest.raises(QueryForbidden):
        check(cypher, decodes=False)


def escaped(text: str, quote: str) -> str:
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote


words = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30).filter(
    lambda text: "\\u" not in text
)


@given(words, st.sampled_from("'\""))
def test_no_string_is_a_reason_to_refuse(text: str, quote: str) -> None:
    check(f"MATCH (n {{name: {escaped(text, quote)}}}) RETURN n")


@given(words.filter(bool))
def test_no_quoted_name_is_a_reason_to_refuse(name: str) -> None:
    check(f"MATCH (n:{quoted(name)})-[:{quoted(name)}]->() RETURN n.{quoted(name)}")


@given(
    st.lists(st.sampled_from(HARMLESS), max_size=3),
    st.sampled_from(CLAUSES),
    st.sampled_from([" ", "\n", "\t", " /* a ' */ ", " // ` \n"]),
    st.booleans(),
    words,
)
def test_a_writing_clause_is_found_wherever_it_stands(
    before: list[str], clause: str, space: str, lower: bool, text: str
) -> None:
    clause = clause.lower() if lower else clause
    parts = ["MATCH (n)", f"WHERE n.name <> {escaped(text, chr(39))}", *before, clause, "RETURN n"]
    with pytest.raises(QueryForbidden):
        check(space.join(parts))


@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    """The guard raises nothing but its own error."""
    with suppress(QueryForbidden):
        check(text)
