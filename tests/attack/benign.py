"""Queries that only read, with names, titles and numbers that look like what a query may not do."""

from __future__ import annotations

import random

from hypothesis import strategies as st

KEYWORDS = [
    "set", "create", "delete", "call", "load", "end", "case", "match", "merge", "remove", "detach", "drop", "insert",
    "foreach", "use", "csv", "with", "return", "where", "and", "or", "xor", "not", "in", "as", "by", "order", "limit",
    "skip", "unwind", "union", "optional", "when", "then", "else", "yield", "distinct", "all", "any", "show", "start",
    "index", "constraint", "range", "reduce", "transactions", "on", "is", "null", "true", "false", "contains",
    "starts", "ends", "desc", "asc", "exists", "count", "collect",
]  # fmt: skip
RESERVED = frozenset({"null", "true", "false", "not", "case"})
"""Words that are no variables where an expression begins."""
ALIASES = [word for word in KEYWORDS if word not in RESERVED]
VARIABLES = [
    "set", "create", "delete", "call", "load", "merge", "remove", "detach", "drop", "insert", "foreach", "use", "csv",
    "show", "start", "index", "constraint", "match",
]  # fmt: skip
"""Keywords that both engines take as names of variables."""
TITLES = ["Set It Off", "DELETE me", "Create; drop", "CALL me by your name", "// no comment", "/* open", "It''s a SET",
          "LOAD CSV FROM", "100% MERGE", "{CREATE}", "a `SET` b"]  # fmt: skip
VALUES = [
    "n.`{p}`", "n.{p}", "size('{t}')", "'{t}'", '"{t}"', "[x IN [1, 2, 3] WHERE x > 1 | x * {i}]",
    "[{v} IN [1, 2] | {v} + 1]", "CASE WHEN n.{p} > {i} THEN '{t}' ELSE n.{q} END", "CASE n.{p} WHEN {i} THEN 1 END",
    "reduce(total = 0, x IN [1, 2] | total + x * {i})", "reduce(sum = 0.0, x IN range(1, 100) | sum + x)",
    "{{{p}: 1, {q}: '{t}'}}", "n {{.{p}, {q}: {i}}}", "coalesce(n.{p}, {i})", "toUpper('{t}')", "n.{p} IS NOT NULL",
    "n.{p} = {i}", "range(1, {s})", "n.{p} IN [{i}, 2]", "'{t}' STARTS WITH 'SET'", "EXISTS {{ (n)-[:{l}]->() }}",
    "COUNT {{ (n)-[:{l}|{q}]->() }}", "split('{t}', ' ')", "$p", "date('2020-01-01')", "{i} % 7", "[1, 2][0]",
]  # fmt: skip
FUNCTIONS = ["apoc.coll.max([1, {i}])", "apoc.coll.contains([{i}], 3)", "apoc.text.join(['{i}', '{t}'], ',')",
             "apoc.coll.sum([{i}, {i}])", "apoc.text.clean('{t}')", "apoc.text.replace('{t}', 'x', '{i}')",
             "apoc.text.format('%09d', [{i}])", "apoc.date.format({i})", "apoc.coll.indexOf([{i}], {i})"]  # fmt: skip
"""Functions of APOC, which the embedded engine has in part."""
SHAPES = [
    "MATCH (n:Target) RETURN {value} AS {a}, {other} AS {b}",
    "MATCH (n:Target) RETURN {value} AS {a} ORDER BY {a} LIMIT {s}",
    "MATCH (n:Target) RETURN {value} AS {a}, {other} AS {b} ORDER BY {a} DESC, {b} SKIP 0 LIMIT {s}",
    "MATCH (n:Target) RETURN DISTINCT {value} AS {a}",
    "MATCH (n:Target) WITH n, {value} AS {a} RETURN n.name, {a}",
    "MATCH (n:Target) WITH n, {value} AS {a} WHERE {a} IS NOT NULL RETURN {a} AS {b}",
    "MATCH (n:Target) WITH {value} AS {a}, {other} AS {b} WITH {a} AS {b}, {b} AS {a} RETURN {a}, {b}",
    "MATCH (n:Target) WITH collect(n.{p}) AS {a} UNWIND {a} AS {b} RETURN {b}, count(*) AS {a}",
    "MATCH (n:Target) WITH {value} AS {a} RETURN DISTINCT {a} ORDER BY {a}",
    "MATCH (n:Target) WITH {value} AS {a}, {other} AS {b} RETURN DISTINCT {a} LIMIT {s}",
    "MATCH (n:Target) WITH n.{p} AS {a}, n.year AS {b} WHERE NOT {a} = {i} OR {b} > {i} RETURN [{a}, {b}], {b} + {i}",
    "MATCH (n:Target) WITH n.year AS {a} RETURN max({a}), {a} * 2 AS {b}, {a} - 1, CASE WHEN {a} > 1 THEN {a} END",
    "MATCH (n:Target) WITH n.year AS {a} WHERE {a} IN [1990, {i}] AND {a} < {i} XOR {a} <> {i} RETURN {{{a}: {a}}}",
    "MATCH ({v}:Target) RETURN {v}, {v}.{p} AS {a}, labels({v}) AS {b}",
    "MATCH ({v}:Target)-[{w}:{l}]->({u}) RETURN {v}.{p}, type({w}) AS {a}, {u}",
    "MATCH (n:{l}) RETURN n.{p} AS {a}",
    "MATCH (n:`{l}`:{q}) WHERE n.{p} = '{t}' RETURN n",
    "MATCH (n {{name: '{t}', {p}: {i}}}) RETURN n // {t}",
    "MATCH (n:Target) /* {l} n.x */ WHERE n.{p} > {i} AND n.{q} <> '{t}' RETURN count(*) AS {a}",
    "MATCH (n:Target) CALL {{ WITH n RETURN n.{p} AS {a} }} RETURN {a}",
    "MATCH (n:Target) RETURN {value} AS {a} UNION ALL MATCH (n:Target) RETURN {other} AS {a}",
    "UNWIND [1, 2] AS {v} MATCH (n:Target) RETURN {v}, {value} AS {b}",
    "OPTIONAL MATCH (n:Target) WITH n, {value} AS {a} RETURN CASE WHEN {a} IS NULL THEN {a} ELSE {a} END AS {b}",
]


def _filled(shape: str, chance: random.Random, values: list[str]) -> str:
    names = chance.sample(VARIABLES, 5)
    others = [word for word in ALIASES if word not in names]
    a, b = chance.sample(others, 2) if "{a} IS" not in shape and "WITH" not in shape else names[3:]
    words = {key: chance.choice(KEYWORDS) for key in "pql"}
    case = chance.choice([str.lower, str.lower, str.upper, str.title])
    fills = {
        **words, "a": case(a), "b": case(b), "v": names[0], "w": names[1], "u": names[2], "t": _title(chance),
        "i": chance.choice([0, 7, 1_500_000, 250_000_000, 99_999_999_999]), "s": chance.choice([1, 5, 100]),
    }  # fmt: skip
    value, other = (chance.choice(values).format(**fills) for _ in range(2))
    return shape.format(**fills, value=value, other=other)


def _title(chance: random.Random) -> str:
    return chance.choice(TITLES).replace("''", "\\'")


def queries(count: int, *, functions: bool = False) -> st.SearchStrategy[list[str]]:
    """So many queries; with `functions`, those of APOC are in them."""
    values = VALUES + FUNCTIONS if functions else VALUES

    def made(chance: random.Random) -> list[str]:
        return [_filled(chance.choice(SHAPES), chance, values) for _ in range(count)]

    return st.integers(0, 2**64 - 1).map(random.Random).map(made)
