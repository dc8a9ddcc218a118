"""Statements in the wordings of styles.toml, true ones and false ones of many kinds, with verdicts from the facts."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.verifying.statements.build import REFUTED, SUPPORTED, UNKNOWN
from clew.tools.cypher.quoting import quoted
from clew.tools.graph.store.graph_store import GraphStore, Limits

STYLES = ("report", "talk")
_SYLLABLES = ("zor", "vel", "qua", "mib", "dra", "thun", "pex", "lor", "gri", "wam", "jul", "kev", "nax", "brol", "yst")
_MOST = 20_000
_TRUE = 0.3
"""The share of true statements."""


@dataclass(frozen=True)
class Made:
    text: str
    verdict: str
    kind: str
    style: str


@dataclass
class Facts:
    """The relationships of one type by the names of their ends."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    labels: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """"h" and "t" → the labels of that end."""
    joined: set[tuple[str, str]] = field(default_factory=set)


class StyledBuilder:
    """Draws statements about one graph; the same seed gives the same ones."""

    def __init__(self, graph: str, styles: Path, store: GraphStore, seed: int) -> None:
        table = tomllib.loads(styles.read_text(encoding="utf-8"))[graph]
        self.rows: dict[str, list[dict[str, Any]]] = {
            part: table.get(part, []) for part in ("relations", "properties", "comparisons", "superlatives", "counts")
        }
        self.chance, self.store = Random(seed), store
        self.lower = graph == "geography"
        """Whether the graph's names are in lower case: then they are capitalised in reports."""
        self.names: dict[str, list[str]] = defaultdict(list)
        for row in self._read("MATCH (n) RETURN labels(n)[0] AS label, n.name AS name"):
            if self._fit(row["name"]):
                self.names[row["label"]].append(row["name"])
        self.known = {name.casefold() for names in self.names.values() for name in names}
        types = {row["type"] for part in ("relations", "counts") for row in self.rows[part]}
        self.facts = {type: self._facts(type) for type in sorted(types)}
        valued = [row for part in ("properties", "comparisons", "superlatives") for row in self.rows[part]]
        self.values = {(row["label"], row["name"]): self._values(row["label"], row["name"]) for row in valued}

    def statements(self, count: int) -> list[Made]:
        """`count` statements, none twice."""
        makers: dict[str, list[Callable[[str], Made | None]]] = {
            "relations": [self._invented, self._wrong_kind, self._swapped, self._other, self._crossed, self._negated],
            "properties": [self._wrong_value, self._invented_owner],
            "comparisons": [self._comparison],
            "superlatives": [self._superlative],
            "counts": [self._count],
        }
        false = [make for part, each in makers.items() if self.rows[part] for make in each]
        found: dict[str, Made] = {}
        tries = 0
        while len(found) < count and tries < 60 * count:
            tries += 1
            style = self.chance.choice(STYLES)
            true = self.chance.random() < _TRUE
            made = self._true(style) if true else self.chance.choice(false)(style)
            if made is not None:
                found.setdefault(made.text, made)
        return list(found.values())

    # ---- relations --------------------------------------------------------------------------------------------------

    def _true(self, style: str) -> Made | None:
        part = self.chance.choice([part for part, rows in self.rows.items() if rows])
        if part == "relations":
            row = self.chance.choice(self.rows[part])
            head, tail = self.chance.choice(self.facts[row["type"]].pairs)
            if self.chance.random() < 0.2 and (other := self._another(row, head, tail)) is not None:
                return self._relation(row, style, *other, SUPPORTED, "true, negated", negated=True)
            return self._relation(row, style, head, tail, SUPPORTED, "true")
        maker = {"properties": self._wrong_value, "comparisons": self._comparison, "superlatives": self._superlative,
                 "counts": self._count}[part]  # fmt: skip
        return maker(style, true=True)

    def _relation(
        self, row: dict[str, Any], style: str, head: str, tail: str, verdict: str, kind: str, *, negated: bool = False
    ) -> Made:  # fmt: skip
        text = self.chance.choice(row[style]).format(h=self._said(head, style), t=self._said(tail, style))
        if negated:
            text = "It is not true that " + text
        return Made(text, verdict, kind, style)

    def _drawn(self) -> tuple[dict[str, Any], str, str]:
        row = self.chance.choice(self.rows["relations"])
        return (row, *self.chance.choice(self.facts[row["type"]].pairs))

    def _invented(self, style: str) -> Made:
        row, head, tail = self._drawn()
        if self.chance.random() < 0.5:
            return self._relation(row, style, self._new_name(head), tail, UNKNOWN, "invented name")
        return self._relation(row, style, head, self._new_name(tail), UNKNOWN, "invented name")

    def _crossed(self, style: str) -> Made | None:
        """The first name of one person with the last name of another."""
        row, head, tail = self._drawn()
        people = self.names.get("Person", [])
        ends = [name for name in (head, tail) if name in self._people]
        if not ends:
            return None
        one, two = ends[0].split(), self.chance.choice(people).split()
        crossed = f"{one[0]} {two[-1]}"
        if len(one) != 2 or len(two) != 2 or crossed.casefold() in self.known:
            return None
        head, tail = (crossed, tail) if ends[0] == head else (head, crossed)
        return self._relation(row, style, head, tail, UNKNOWN, "crossed names")

    @property
    def _people(self) -> set[str]:
        return set(self.names.get("Person", []))

    def _wrong_kind(self, style: str) -> Made | None:
        row, head, tail = self._drawn()
        side = self.chance.choice("ht")
        facts = self.facts[row["type"]]
        fitting = {name for label in facts.labels[side] for name in self.names[label]}
        labels = [label for label in self.names if label not in facts.labels[side] and self.names[label]]
        other = self.chance.choice(self.names[self.chance.choice(sorted(labels))]) if labels else ""
        if not other or other in fitting:
            return None
        head, tail = (other, tail) if side == "h" else (head, other)
        return self._relation(row, style, head, tail, REFUTED, "wrong kind")

    def _swapped(self, style: str) -> Made | None:
        row, head, tail = self._drawn()
        joined = self.facts[row["type"]].joined
        if row.get("symmetric") or (tail, head) in joined or head == tail:
            return None
        facts = self.facts[row["type"]]
        alike = {name for label in facts.labels["h"] for name in self.names[label]}
        if not facts.labels["h"] & facts.labels["t"] and tail in alike:
            return None
        return self._relation(row, style, tail, head, REFUTED, "swapped ends")

    def _another(self, row: dict[str, Any], head: str, tail: str) -> tuple[str, str] | None:
        """The fact with another name of the right kind at the end of which the graph lists everything."""
        facts = self.facts[row["type"]]
        one, two = self.chance.choice(facts.pairs)
        head, tail = (head, two) if row["of"] == "h" else (one, tail)
        both = {(head, tail), (tail, head)} if row.get("symmetric") else {(head, tail)}
        return None if both & facts.joined or head == tail else (head, tail)

    def _other(self, style: str) -> Made | None:
        row, head, tail = self._drawn()
        other = self._another(row, head, tail)
        return None if other is None else self._relation(row, style, *other, REFUTED, "another name")

    def _negated(self, style: str) -> Made:
        row, head, tail = self._drawn()
        return self._relation(row, style, head, tail, REFUTED, "negated fact", negated=True)

    # ---- values -----------------------------------------------------------------------------------------------------

    def _wrong_value(self, style: str, *, true: bool = False) -> Made | None:
        row = self.chance.choice(self.rows["properties"])
        values = self.values[row["label"], row["name"]]
        name = self.chance.choice(sorted(values))
        value = next(iter(values[name]))
        if len(values[name]) > 1:
            return None
        if not true:
            other = next(iter(values[self.chance.choice(sorted(values))]))
            if self.chance.random() < 0.4 and isinstance(value, int) and value > 20:
                other = value + self.chance.choice((-10, -1, 1, 10))
            if other == value:
                return None
            value = other
        return self._valued(row, style, name, value, SUPPORTED if true else REFUTED, "true" if true else "wrong value")

    def _invented_owner(self, style: str) -> Made:
        row = self.chance.choice(self.rows["properties"])
        values = self.values[row["label"], row["name"]]
        name = self.chance.choice(sorted(values))
        return self._valued(row, style, self._new_name(name), next(iter(values[name])), UNKNOWN, "invented name")

    def _valued(self, row: dict[str, Any], style: str, name: str, value: Any, verdict: str, kind: str) -> Made:
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        return Made(self.chance.choice(row[style]).format(x=self._said(name, style), v=shown), verdict, kind, style)

    def _comparison(self, style: str, *, true: bool = False) -> Made | None:
        row = self.chance.choice(self.rows["comparisons"])
        values = {n: next(iter(v)) for n, v in self.values[row["label"], row["name"]].items() if len(v) == 1}
        one, two = self.chance.sample(sorted(values), 2)
        if values[one] == values[two]:
            return None
        if (values[one] > values[two]) != true:
            one, two = two, one
        text = self.chance.choice(row[style]).format(x=self._said(one, style), y=self._said(two, style))
        return Made(text, SUPPORTED if true else REFUTED, "true" if true else "wrong comparison", style)

    def _superlative(self, style: str, *, true: bool = False) -> Made | None:
        row = self.chance.choice(self.rows["superlatives"])
        values = {n: max(v) for n, v in self.values[row["label"], row["name"]].items()}
        most = max(values.values())
        chosen = [name for name, value in values.items() if (value == most) == true]
        text = self.chance.choice(row[style]).format(x=self._said(self.chance.choice(sorted(chosen)), style))
        return Made(text, SUPPORTED if true else REFUTED, "true" if true else "wrong superlative", style)

    def _count(self, style: str, *, true: bool = False) -> Made | None:
        row = self.chance.choice(self.rows["counts"])
        pairs = self.facts[row["type"]].joined
        end = 0 if row["of"] == "h" else 1
        name = self.chance.choice(sorted({pair[end] for pair in pairs}))
        number = len({pair[1 - end] for pair in pairs if pair[end] == name})
        if not true:
            number += self.chance.choice((1, 2, 3))
        if number < 2:
            return None
        text = self.chance.choice(row[style]).format(x=self._said(name, style), n=number)
        return Made(text, SUPPORTED if true else REFUTED, "true" if true else "wrong count", style)

    # ---- names and facts --------------------------------------------------------------------------------------------

    def _new_name(self, like: str) -> str:
        """A name of as many words that nothing has."""
        made = " ".join(
            "".join(self.chance.sample(_SYLLABLES, self.chance.choice((2, 3)))).capitalize() for _ in like.split()[:2]
        )
        return self._new_name(like) if made.casefold() in self.known else made

    def _said(self, name: str, style: str) -> str:
        return name.title() if self.lower and style == "report" else name.lower() if self.lower else name

    @staticmethod
    def _fit(name: Any) -> bool:
        """Names that nobody would take for another word, or split."""
        plain = isinstance(name, str) and 3 <= len(name) <= 40 and any(c.isalpha() for c in name)
        return (plain and "," not in name and ":" not in name) or (isinstance(name, str) and name.isdecimal())

    def _facts(self, type: str) -> Facts:
        found = Facts()
        returned = "RETURN a.name AS h, labels(a)[0] AS hl, b.name AS t, labels(b)[0] AS tl"
        for row in self._read(f"MATCH (a)-[:{quoted(type)}]->(b) {returned}"):
            if self._fit(row["h"]) and self._fit(row["t"]):
                found.pairs.append((row["h"], row["t"]))
                found.labels["h"].add(row["hl"])
                found.labels["t"].add(row["tl"])
            found.joined.add((row["h"], row["t"]))
        return found

    def _values(self, label: str, name: str) -> dict[str, set[Any]]:
        found: dict[str, set[Any]] = defaultdict(set)
        query = f"MATCH (n:{quoted(label)}) WHERE n.{quoted(name)} IS NOT NULL "
        for row in self._read(f"{query}RETURN n.name AS name, n.{quoted(name)} AS value"):
            if self._fit(row["name"]):
                found[row["name"]].add(row["value"])
        return found

    def _read(self, query: str) -> list[dict[str, Any]]:
        return sorted(self.store.read(query, {}, Limits(60.0, 10 * _MOST)).records, key=repr)
