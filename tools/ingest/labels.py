"""Labels for nodes that have none: from the user's file, or inferred from the relations at whose ends they stand.

Two relation ends (subject or object of a relation) hold the same class of things when they share their nodes. The
comparison is by mass, not by membership: a node counts at an end as often as it stands there, the overlap of two ends
is the sum of the smaller counts, and ends are joined when it reaches JOIN_AT of the smaller end's mass. So a hub
("Drama", object of 8,000 genre edges and title of one film), or a small closed set of values that are titles too, does
not join two classes. Films with and without a known language, or the same people as parents and as children, are
joined.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from clew.tools.errors import BadInput
from clew.tools.ingest import relation_words, source
from clew.tools.ingest.formats.delimited import split
from clew.tools.ingest.relation_words import FALLBACK, Guess, Side
from clew.tools.ingest.staging import Staging

JOIN_AT = 0.5
"""Overlap in mass: accidental overlaps of values and titles stay below 0.2, partial views of one class above 0.6."""
JOIN_NODES = 3
"""Fewer common nodes than this prove nothing."""
_ROUNDS = 5
_YEARS = 0.95
"""Share of an end's nodes that must look like years, dates or numbers to be called so."""
_DECLARED = 0.2
"""Share of a class's nodes with a label of their own that decides its name."""

End = tuple[str, Side]
LabelMap = Mapping[End, str]


@dataclass(frozen=True, slots=True)
class _Ends:
    """By an end's number, which is 2 · relation for the subject and 2 · relation + 1 for the object."""

    names: dict[int, End]
    nodes: dict[int, int]
    """The number of different nodes at the end."""


def read_labels(path: Path) -> dict[End, str]:
    """The user's own labels for relation ends, from lines of `relation,subject|object,Label`.

    Raises:
        BadInput: names the first line of another form.
    """
    source.check(path)
    found: dict[End, str] = {}
    for number, text in source.lines(path):
        if text is not None and (not text.strip() or text.lstrip().startswith("#")):
            continue
        fields = [field.strip() for field in split(text, ",", quoted=True) or []] if text is not None else []
        if len(fields) != 3 or fields[1] not in ("subject", "object") or not fields[0] or not fields[2]:
            remedy = "Write lines of relation,subject,Label or relation,object,Label."
            raise BadInput(f"{path}:{number}: not relation, side and label.", remedy)
        found[fields[0], cast(Side, fields[1])] = fields[2]
    return found


def infer(staging: Staging, given: LabelMap) -> list[str]:
    """Set the label of every staged node that has none; `given` fixes the labels of relation ends.

    Returns:
        What the user should know of it.
    """
    db = staging.db
    if not db.execute("SELECT EXISTS (SELECT 1 FROM nodes WHERE label IS NULL)").fetchone()[0]:
        return []
    ends = _collect(db, staging.relation_names())
    clusters = _cluster(db, {end for end, name in ends.names.items() if name in given})
    names = _named(db, ends, clusters, given)
    _assign(db, {end: name for end, name in names.items() if name != FALLBACK})
    # Where the relations' names say nothing, the class takes the label that most of its nodes have from other ends.
    unnamed = {end: clusters[end] for end, name in names.items() if name == FALLBACK}
    declared = _declared_names(db, unnamed)
    _assign(db, {end: declared[number] for end, number in unnamed.items() if number in declared})
    notes = list(_unnamed(db, ends))
    db.execute("UPDATE nodes SET label = ? WHERE label IS NULL", (FALLBACK,))
    db.executescript("DROP TABLE IF EXISTS ends; DROP TABLE IF EXISTS joined;")
    return notes


def _unnamed(db: sqlite3.Connection, ends: _Ends) -> Iterator[str]:
    """What to do about nodes of which no relation says what they are, by the end at which most of them stand."""
    most = "SELECT end, count(*) FROM ends JOIN nodes ON id = node WHERE label IS NULL GROUP BY end ORDER BY 2 DESC, 1"
    if (row := db.execute(most).fetchone()) is not None:
        number = db.execute("SELECT count(*) FROM nodes WHERE label IS NULL").fetchone()[0]
        relation, side = ends.names[row[0]]
        yield (
            f"No relation says what {number:,} nodes are, so they are called {FALLBACK}, and questions cannot name "
            f"them. A line such as `{relation},{side},LABEL` in a file for --labels does."
        )


def _collect(db: sqlite3.Connection, relations: dict[int, str]) -> _Ends:
    db.executescript("""
        DROP TABLE IF EXISTS ends;
        CREATE TABLE ends (node INTEGER, end INTEGER, n INTEGER, PRIMARY KEY (node, end)) WITHOUT ROWID;
        INSERT INTO ends SELECT node, end, sum(n) FROM (
            SELECT source AS node, 2 * relation AS end, count(*) AS n FROM edges GROUP BY relation, source
            UNION ALL
            SELECT target AS node, 2 * relation + 1 AS end, count(*) AS n FROM edges GROUP BY relation, target
        ) GROUP BY node, end;
    """)
    names: dict[int, End] = {}
    for number, name in relations.items():
        names[2 * number], names[2 * number + 1] = (name, "subject"), (name, "object")
    return _Ends(names, dict(db.execute("SELECT end, count(*) FROM ends GROUP BY end")))


def _cluster(db: sqlite3.Connection, fixed: set[int]) -> dict[int, int]:
    """The number of each end's cluster; ends in `fixed` are not joined with others."""
    cluster = {end: end for (end,) in db.execute("SELECT DISTINCT end FROM ends")}
    table = "ends"
    for _round in range(_ROUNDS):
        joins = _joins(db, table, fixed)
        if not joins:
            break
        cluster = {end: joins.get(number, number) for end, number in cluster.items()}
        db.executescript("CREATE TEMP TABLE moves (end INTEGER PRIMARY KEY, number INTEGER)")
        db.executemany("INSERT INTO moves VALUES (?, ?)", joins.items())
        db.executescript(f"""
            CREATE TABLE next (node INTEGER, end INTEGER, n INTEGER, PRIMARY KEY (node, end)) WITHOUT ROWID;
            INSERT INTO next SELECT node, coalesce(m.number, e.end), sum(n)
                FROM {table} e LEFT JOIN moves m ON m.end = e.end GROUP BY 1, 2;
            DROP TABLE moves;
            DROP TABLE IF EXISTS joined;
            ALTER TABLE next RENAME TO joined;
        """)
        table = "joined"
    return cluster


def _joins(db: sqlite3.Connection, table: str, fixed: set[int]) -> dict[int, int]:
    """The clusters to join in this round, each to its root: all pairs that overlap enough, the closest first."""
    mass = dict(db.execute(f"SELECT end, sum(n) FROM {table} GROUP BY end"))
    shared = db.execute(f"""
        SELECT a.end, b.end, count(*), sum(min(a.n, b.n)) FROM {table} a JOIN {table} b
        ON a.node = b.node AND a.end < b.end GROUP BY a.end, b.end
    """)
    close = []
    for one, other, nodes, overlap in shared:
        degree = overlap / min(mass[one], mass[other])
        if nodes >= JOIN_NODES and degree >= JOIN_AT and not {one, other} & fixed:
            close.append((-degree, one, other))
    root: dict[int, int] = {}

    def find(number: int) -> int:
        while number in root:
            number = root[number]
        return number

    for _degree, one, other in sorted(close):
        a, b = find(one), find(other)
        if a != b:
            root[max(a, b)] = min(a, b)
    return {number: find(number) for number in root}


def _named(db: sqlite3.Connection, ends: _Ends, clusters: dict[int, int], given: LabelMap) -> dict[int, str]:
    """The class of every end."""
    declared = _declared_names(db, clusters)
    members: dict[int, list[int]] = defaultdict(list)
    for end, number in clusters.items():
        members[number].append(end)
    names: dict[int, str] = {}
    for number, group in members.items():
        name = declared.get(number) or _vote(db, ends, group)
        for end in group:
            names[end] = given.get(ends.names[end], name)
    return names


def _vote(db: sqlite3.Connection, ends: _Ends, group: list[int]) -> str:
    """The class with the most nodes of the cluster, weighted by how strong the evidence of each relation's name is."""
    votes: dict[str, int] = defaultdict(int)
    for end in sorted(group):
        relation, side = ends.names[end]
        guess = relation_words.guess(relation, side)
        if guess is None or guess.strength <= relation_words.HEAD:
            guess = _by_values(db, end) or guess
        if guess is not None:
            votes[guess.name] += guess.strength * ends.nodes[end]
    return max(votes, key=lambda name: votes[name]) if votes else FALLBACK


_PATTERNS = {
    "Year": "key GLOB '[12][0-9][0-9][0-9]'",
    "Date": "key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]*'",
    "Link": "key GLOB 'http*://*'",
    "Number": "key NOT GLOB '*[^-+0-9.,]*' AND key GLOB '*[0-9]*'",
}


def _by_values(db: sqlite3.Connection, end: int) -> Guess | None:
    """Year, Date, Link or Number where nearly all of an end's nodes (the first 1,000) look like one."""
    if end % 2 == 0:
        return None
    sums = ", ".join(f"avg({condition})" for condition in _PATTERNS.values())
    shares = db.execute(
        f"SELECT {sums} FROM (SELECT key FROM ends JOIN nodes ON id = node WHERE end = ? LIMIT 1000)", (end,)
    ).fetchone()
    for name, share in zip(_PATTERNS, shares, strict=True):
        if share is not None and share >= _YEARS:
            return Guess(name, relation_words.NOUN)
    return None


def _declared_names(db: sqlite3.Connection, clusters: dict[int, int]) -> dict[int, str]:
    """The most frequent label that a cluster's nodes have already, where enough of them have one."""
    if not db.execute("SELECT EXISTS (SELECT 1 FROM nodes WHERE label IS NOT NULL)").fetchone()[0]:
        return {}
    counts: dict[int, dict[str | None, int]] = defaultdict(lambda: defaultdict(int))
    for end, label, n in db.execute(
        "SELECT end, label, count(*) FROM ends JOIN nodes ON id = node GROUP BY end, label"
    ):
        if end in clusters:
            counts[clusters[end]][label] += n
    found = {}
    for number, by_label in counts.items():
        labels = {label: n for label, n in by_label.items() if label is not None}
        if labels and sum(labels.values()) >= _DECLARED * sum(by_label.values()):
            found[number] = max(sorted(labels), key=lambda label: labels[label])
    return found


def _assign(db: sqlite3.Connection, names: dict[int, str]) -> None:
    """Give each node without a label the class with most of its edges; of equals the first by name."""
    db.execute("CREATE TEMP TABLE named (end INTEGER PRIMARY KEY, name TEXT)")
    db.executemany("INSERT INTO named VALUES (?, ?)", names.items())
    db.executescript("""
        CREATE TEMP TABLE best (node INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO best SELECT node, name FROM (
            SELECT node, name, row_number() OVER (PARTITION BY node ORDER BY sum(n) DESC, name) AS place
            FROM ends JOIN named USING (end) GROUP BY node, name
        ) WHERE place = 1;
        UPDATE nodes SET label = (SELECT name FROM best WHERE node = id) WHERE label IS NULL;
        DROP TABLE best;
        DROP TABLE named;
    """)
