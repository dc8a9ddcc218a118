"""Queries that attack: harmless ones with what a question may not do in them, and every way that we know to hide it.

What writes leaves a mark, the label or the property `Attacked`, so that it is found also in a database that others use.
`@LISTENER@` stands for the address of a listener, `@FOLDER@` for a folder that nothing may change.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import strategies as st

from tests.attack.benign import KEYWORDS

TARGET = "MATCH (n:Target) "
WRITES = [
    "CREATE (x:Attacked)",
    "CREATE (n)-[:ATTACKED]->(x:Attacked)",
    "MERGE (x:Attacked {a: 1})",
    "MERGE (n)-[:ATTACKED]->(n)",
    "SET n.attacked = 1",
    "SET n += {attacked: 1}",
    "SET n = {attacked: 1}",
    "SET n:Attacked",
    "SET (n).attacked = 1",
    "REMOVE n.name",
    "REMOVE n:Target",
    "DETACH DELETE n",
    "NODETACH DELETE n",
    "DELETE n",
    "FOREACH (x IN [1] | SET n.attacked = x)",
    "FOREACH (set IN [1] | CREATE (:Attacked))",
    "INSERT (x:Attacked)",
]
ADMIN = [
    "CREATE INDEX attacked FOR (n:Target) ON (n.year)",
    "CREATE TEXT INDEX attacked FOR (n:Target) ON (n.year)",
    "CREATE FULLTEXT INDEX attacked FOR (n:Target) ON EACH [n.year]",
    "CREATE CONSTRAINT attacked FOR (n:Target) REQUIRE n.name IS UNIQUE",
    "DROP INDEX attack_kept",
    "DROP INDEX attack_kept IF EXISTS",
    "DROP DATABASE neo4j",
    "CREATE DATABASE attacked",
    "CREATE USER attacked SET PASSWORD 'long enough' CHANGE NOT REQUIRED",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'long enough'",
    "DROP USER neo4j",
    "SHOW TRANSACTIONS",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "USE system SHOW USERS",
    "DELETE FROM Target",
    "UPDATE Target SET attacked = 1",
    "DROP TYPE Target UNSAFE",
]
OUTSIDE = [
    "LOAD CSV FROM '@LISTENER@' AS x",
    "LOAD CSV WITH HEADERS FROM 'file://@FOLDER@/canary.csv' AS x",
    "LOAD CSV FROM 'file:///etc/hostname' AS x",
    "CALL apoc.load.json('@LISTENER@') YIELD value AS x",
    "CALL apoc.load.jsonParams('@LISTENER@', {method: 'POST'}, 'x') YIELD value AS x",
    "CALL apoc.load.xml('@LISTENER@') YIELD value AS x",
    "CALL apoc.load.csv('file://@FOLDER@/canary.csv') YIELD map AS x",
    "CALL apoc.load.arrow('@LISTENER@') YIELD value AS x",
    "CALL apoc.import.json('@LISTENER@') YIELD nodes AS x",
    "CALL apoc.import.csv([{fileName: '@LISTENER@', labels: ['Attacked']}], [], {}) YIELD nodes AS x",
    "CALL apoc.export.csv.all('@FOLDER@/attacked.csv', {}) YIELD file AS x",
    "CALL apoc.export.cypher.query('MATCH (n) RETURN n', '@FOLDER@/attacked.cypher', {}) YIELD file AS x",
    "CALL apoc.export.json.all('attacked.json', {}) YIELD file AS x",
    "CALL db.checkpoint() YIELD success AS x",
    "CALL dbms.setConfigValue('server.directories.import', '/') ",
    "CALL dbms.listConfig() YIELD name AS x",
    "CALL dbms.killQuery('query-1') YIELD message AS x",
    "CALL dbms.security.createUser('attacked', 'long enough', false)",
    "CALL db.createLabel('Attacked')",
    "CALL db.createProperty('attacked')",
    "CALL db.clearQueryCaches() YIELD value AS x",
    "CALL apoc.create.node(['Attacked'], {}) YIELD node AS x",
    "CALL apoc.create.setProperty(n, 'attacked', 1) YIELD node AS x",
    "CALL apoc.refactor.rename.label('Target', 'Attacked') YIELD batches AS x",
    "CALL apoc.periodic.iterate('MATCH (n) RETURN n', 'SET n:Attacked', {}) YIELD batches AS x",
    "CALL apoc.periodic.submit('attacked', 'CREATE (:Attacked)') YIELD name AS x",
    "CALL apoc.cypher.doIt('CREATE (:Attacked)', {}) YIELD value AS x",
    "CALL apoc.cypher.runWrite('CREATE (:Attacked)', {}) YIELD value AS x",
    "CALL apoc.cypher.runSchema('CREATE INDEX attacked FOR (n:Target) ON (n.year)', {}) YIELD value AS x",
    "CALL apoc.do.when(true, 'CREATE (:Attacked)', '') YIELD value AS x",
    "CALL apoc.trigger.add('attacked', 'RETURN 1', {}) YIELD name AS x",
    "CALL apoc.nodes.delete(n, 1) YIELD value AS x",
    "CALL apoc.merge.node(['Attacked'], {a: 1}) YIELD node AS x",
    "WITH apoc.cypher.runFirstColumnSingle('CREATE (x:Attacked) RETURN x', {}) AS x",
    "WITH apoc.load.json('@LISTENER@') AS x",
    "WITH apoc.static.get('a') AS x",
]
BOMBS = [
    "CALL apoc.util.sleep(5000)",
    "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y WITH count(*) AS x",
    "UNWIND range(1, 1000) AS x UNWIND range(1, 1000) AS y WITH sum(x * y) AS x",
    "WITH size(range(1, 2000000000)) AS x",
    "WITH all(x IN range(1, 100000) WHERE all(y IN range(1, 100000) WHERE x + y > 0)) AS x",
    "WITH reduce(s = 'x', i IN range(1, 40) | s + s) AS x",
    f"WITH 'x' AS s {'WITH s + s AS s ' * 31}WITH size(s) AS x",
    f"WITH '{'x' * 10}' AS s {'WITH replace(s, substring(s, 0, 1), s) AS s ' * 4}WITH size(s) AS x",
    "WITH apoc.text.repeat(apoc.text.repeat('x', 90000), 90000) AS x",
    "WITH [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] AS l UNWIND l AS a UNWIND l AS b UNWIND l AS c UNWIND l AS d UNWIND l AS e "
    "UNWIND l AS f UNWIND l AS g UNWIND l AS h UNWIND l AS i WITH count(*) AS x",
    "WITH reduce(s = [1], i IN range(1, 40) | s + s) AS x",
    "WITH size(reduce(s = 'x', i IN range(1, 20) | replace(s, 'x', 'xxxxxxxxxx'))) AS x",
    "WITH size(reduce(s = 'x', i IN range(1, 40) | apoc.text.join([s, s], ''))) AS x",
    "WITH size(reduce(s = 'x', i IN range(1, 40) | s || s)) AS x",
    "WITH toString(reduce(l = [1], i IN range(1, 60) | [l, l])) AS x",
    "WITH range(1, 1000) AS l WITH size([a IN l | [b IN l | [c IN l | a]]]) AS x",
    "WITH range(1, 1000) AS l UNWIND l AS a UNWIND l AS b UNWIND l AS c WITH size(collect(a)) AS x",
    "WITH size(apoc.coll.combinations(range(1, 30), 1, 30)) AS x",
    f"WITH 'x' AS s {'WITH s || s AS s ' * 31}WITH size(s) AS x",
    f"WITH '{'x' * 10}' AS s {'WITH apoc.text.replace(s, substring(s, 0, 1), s) AS s ' * 4}WITH size(s) AS x",
    f"WITH '{'x' * 10}' AS s {'WITH apoc.text.join(split(s, substring(s, 0, 1)), s) AS s ' * 4}WITH size(s) AS x",
    f"WITH [1, 2, 3, 4] AS l {'WITH l + l + l + l AS l ' * 16}WITH size(l) AS x",
    f"WITH [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] AS l {'WITH [a IN l | l] AS l ' * 8}WITH toString(l) AS x",
    "WITH apoc.text.repeat('x', 2000000000) AS x",
    "WITH apoc.text.random(2000000000) AS x",
    "WITH lpad('x', 2000000000, 'y') AS x",
    "WITH apoc.coll.fill('x', 2000000000) AS x",
    "MATCH (a), (b), (c), (d), (e), (f), (g), (h) WITH count(*) AS x",
    "MATCH (a)-[*1..30]-(b) WITH count(*) AS x",
    "WITH 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ '(a+)+b' AS x",
]
FRAMES = [
    "{n}{p} RETURN n",
    "{n}{p}",
    "{n}WITH n {p} RETURN 1 AS y",
    "{n}WHERE n.name <> 'SET x' {p} RETURN n",
    "{n}CALL {{ {p} RETURN 1 AS y }} RETURN y",
    "{n}CALL {{ WITH n {p} RETURN 1 AS y }} RETURN y",
    "{n}CALL (n) {{ {p} RETURN 1 AS y }} RETURN y",
    "{n}CALL {{ WITH n {p} }} IN TRANSACTIONS OF 1 ROW RETURN n",
    "{n}WHERE EXISTS {{ {p} RETURN 1 AS y }} RETURN n",
    "{n}RETURN COUNT {{ {p} RETURN 1 AS y }} AS y",
    "{n}RETURN COLLECT {{ {p} RETURN 1 AS y }} AS y",
    "{n}RETURN n UNION {n}{p} RETURN n",
    "{n}RETURN n; {n}{p}",
    "{n}RETURN n AS {k} {p}",
    "{n}WITH n, 1 AS {k} {p} RETURN n",
    "{n}WITH n, 1 AS {k} WITH n, {k} {p} RETURN n",
    "{n}WITH n, 1 AS {k} WITH {k}, n {p} RETURN n",
    "{n}WITH n, 1 AS {k} WITH {k} AS {j}, n WITH n, {j} {p} RETURN n",
    "{n}WITH n AS {k} WITH {k} {p} RETURN 1 AS y",
    "{n}WITH n AS {k} WITH DISTINCT {k} {p} RETURN 1 AS y",
    "{n}WITH n, true AS {k} WHERE {k} {p} RETURN n",
    "{n}WITH n, true AS {k} WHERE NOT {k} {p} RETURN n",
    "{n}WITH n, true AS {k}, true AS {j} WHERE {k} AND {j} {p} RETURN n",
    "{n}WITH n, true AS {k}, true AS {j} WHERE {j} OR NOT {k} {p} RETURN n",
    "{n}WITH n, 1 AS {k} WHERE 1 = {k} {p} RETURN n",
    "{n}WITH n, [1] AS {k} WHERE 1 IN {k} {p} RETURN n",
    "{n}WITH n, 'a' AS {k} WHERE n.name STARTS WITH {k} {p} RETURN n",
    "{n}WITH n, 1 AS {k} ORDER BY {k} {p} RETURN n",
    "{n}WITH n, 1 AS {k} ORDER BY n.name, {k} DESC {p} RETURN n",
    "{n}WITH n, 1 AS {k} ORDER BY {k} SKIP 0 LIMIT 9 {p} RETURN n",
    "{n}WITH n, [1] AS {k} UNWIND {k} AS {j} {p} RETURN n",
    "{n}WHERE n:{k} {p} RETURN n",
    "{n}WHERE n:{k}|{j} {p} RETURN n",
    "{n}WHERE n.{k} {p} RETURN n",
    "{n}WHERE n.{k} IS NOT NULL {p} RETURN n",
    "{n}WITH n, CASE WHEN n.{k} THEN 1 ELSE 2 END AS {j} {p} RETURN n",
    "{n}MATCH ({k})-[{j}]-() {p} RETURN n",
    "{n}CALL db.labels() YIELD label AS {k} {p} RETURN n",
    "{n}WITH n ORDER BY n.name DESC {p} RETURN n",
    "{n}WITH n LIMIT 1{p} RETURN n",
    "{n}WITH n LIMIT $p {p} RETURN n",
    "{n}WITH n, 1 AS a$ {p} RETURN n",
    "{n}WHERE n.x IS :: INTEGER! {p} RETURN n",
    "{n}WHERE n.x IS :: LIST<INTEGER> {p} RETURN n",
    "{n}WHERE n:A&% {p} RETURN n",
    "{n}WHERE n.name IS NFC NORMALIZED {p} RETURN n",
    "MATCH (n:Target)-->+(m) {p} RETURN n",
    "{n}// a comment\n{p} RETURN n",
    "{n}// a comment \\\r{p} RETURN n",
    "{n}/* ' */ {p} /* ' */ RETURN n",
    "{n}/* /* */ {p} RETURN n /* */",
    "{n}WHERE n.name <> '\\'' {p} RETURN n // '",
    '{n}WHERE n.name <> "\\"//" {p} RETURN n //"',
    "{n}WHERE n.`a``b` IS NULL {p} RETURN n // `",
    "{p}",
    "EXPLAIN {p}",
    "PROFILE {n}{p} RETURN n",
    "CYPHER 5 {n}{p} RETURN n",
    "CYPHER runtime=slotted {n}{p} RETURN n",
    "{{cypher: '{p}'}}",
]
SPACES = [" ", "  ", "\t", "\n", "\r\n", "\r", "\f", "\v", "\u00a0", "\u2003", "\u2028", "\u3000", "\u200b", "\ufeff",
          "\x1c", "\x85", "/**/", "/* SET */", "/* ' */", "//\n", "// RETURN '\n", "--\n"]  # fmt: skip

Change = Callable[[random.Random, str], str]


def _spaced(chance: random.Random, text: str) -> str:
    return "".join(chance.choice(SPACES) if c == " " and chance.random() < 0.3 else c for c in text)


def _cased(chance: random.Random, text: str) -> str:
    if "'" in text:
        return text
    return "".join(c.swapcase() if c.isupper() and chance.random() < 0.5 else c for c in text)


def _escaped(chance: random.Random, text: str) -> str:
    """One letter as Neo4j's escape of it, which it reads before anything else."""
    place = chance.randrange(len(text))
    return text[:place] + f"\\{'u' * chance.randint(1, 2)}{ord(text[place]):04x}" + text[place + 1 :]


def _quoted(chance: random.Random, text: str) -> str:
    return text.replace("apoc.", "`apoc`.").replace("(n)", "(`n`)").replace(" n.", " `n`.")


def _wide(chance: random.Random, text: str) -> str:
    """One letter as another that is folded to it."""
    place = chance.randrange(len(text))
    letter = text[place]
    other = {"S": "\u017f", "K": "\u212a", "s": "\u017f"}.get(letter, chr(ord(letter) + 0xFEE0))
    return text[:place] + other + text[place + 1 :] if letter.isalpha() and letter.isascii() else text


def _odd(chance: random.Random, text: str) -> str:
    """One sign more, less or twice."""
    place = chance.randrange(len(text))
    more = chance.choice(["'", '"', "`", "\\", "/*", "*/", "//", ";", "{", "}", "\0", "\ud800", "\u202e", "$", "|", ""])
    return text[:place] + more + text[place + chance.randint(0, 1) :]


CHANGES: list[Change] = [_spaced, _spaced, _cased, _cased, _quoted, _escaped, _wide, _odd]


def _query(payloads: list[str], chance: random.Random) -> str:
    parts = chance.choices(payloads, k=1 + (chance.random() < 0.2))
    text = chance.choice(FRAMES).format(
        n=TARGET if chance.random() < 0.9 else "",
        p=" WITH * ".join(parts),
        k=chance.choice(KEYWORDS),
        j=chance.choice(KEYWORDS),
    )
    for change in chance.choices(CHANGES, k=chance.choice([0, 0, 1, 1, 1, 2, 3])):
        text = change(chance, text)
    return text


def queries(payloads: list[str], count: int) -> st.SearchStrategy[list[str]]:
    """So many queries around these payloads: batches, since the laws cost more than a query."""
    seeds = st.integers(0, 2**64 - 1).map(random.Random)
    return seeds.map(lambda chance: [_query(payloads, chance) for _ in range(count)])
