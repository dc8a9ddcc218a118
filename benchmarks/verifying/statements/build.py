"""Statements about a graph with their labels, made by rules from its facts and from wordings written by hand.

True ones follow from the graph; false ones have another entity, another relation, or a negation in place of the right
one. Labels are worked out here, from the facts alone, and neither the checker nor the graph database takes part. What
is false and what is not known:

- A fact with another name in it is *refuted* where the graph has such facts of the end of the relation that it
  describes (`described` in the wordings: the directors of a film, the birthplace of a person). Where it has none for
  either end the label is *not enough evidence*. No statement is made of what is in between.
- "X has a spouse" is *refuted* where the graph has none.
- A negation turns "supported" and "refuted" round, a conjunction is refuted by one refuted part.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
TYPES = ("one-hop", "conjunction", "existence", "multi-hop", "negation")
SUPPORTED, REFUTED, UNKNOWN = "supported", "refuted", "not enough evidence"
_SHARES = {SUPPORTED: 0.46, REFUTED: 0.46, UNKNOWN: 0.08}
_TRIES = 400
_LISTS = ("{0} and {1}", "both {0} and {1}")
_LISTS_HELD = ("{0} as well as {1}", "{0} and also {1}")
_JOINED = ("{s} {one} and {two}.", "{s} {one}, and {two}.")
_JOINED_HELD = ("{s} {one} and also {two}.", "{s}, who {one}, {two}.", "{s} {one} but {two} too.")


@dataclass(frozen=True)
class Graph:
    """Facts as (head, relation, tail) of ids, with names and labels."""

    names: dict[str, str]
    labels: dict[str, str]
    facts: list[tuple[str, str, str]]
    ahead: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """(relation, head) to tails; (^relation, tail) to heads."""

    def __post_init__(self) -> None:
        for head, relation, tail in self.facts:
            self.ahead.setdefault((relation, head), []).append(tail)
            self.ahead.setdefault((f"^{relation}", tail), []).append(head)

    def ends(self, start: str, path: Sequence[str]) -> set[str]:
        """Where trails along the path lead: no fact is taken twice."""
        ways: set[tuple[str, frozenset[tuple[str, str, str]]]] = {(start, frozenset())}
        for step in path:
            following = set()
            for node, taken in ways:
                for other in self.ahead.get((step, node), ()):
                    fact = (other, step[1:], node) if step.startswith("^") else (node, step, other)
                    if fact not in taken:
                        following.add((other, taken | {fact}))
            ways = following
        return {node for node, _ in ways}


@dataclass(frozen=True)
class Statement:
    text: str
    label: str
    type: str
    held: bool
    """Whether its wording was kept aside while the checker was made."""
    how: str
    """What makes it true or false, for reading results."""

    def to_json(self) -> dict[str, Any]:
        return {"statement": self.text, "label": self.label, "type": self.type, "held": self.held, "how": self.how}


class Builder:
    """Draws statements about one graph from wordings; the same seed gives the same ones."""

    def __init__(self, graph: Graph, wordings: Path, seed: int = 7) -> None:
        table = tomllib.loads(wordings.read_text(encoding="utf-8"))
        self.graph, self.chance = graph, Random(seed)
        self.relations: dict[str, dict[str, Any]] = table["relations"]
        self.multi: list[dict[str, Any]] = table.get("multi", [])
        for head, relation, tail in list(graph.facts):
            if self.relations.get(relation, {}).get("symmetric"):  # kept once for two
                graph.ahead.setdefault((relation, tail), []).append(head)
                graph.ahead.setdefault((f"^{relation}", head), []).append(tail)
        self.by_relation: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for head, relation, tail in graph.facts:
            if relation in self.relations and self._fit(head) and self._fit(tail):
                self.by_relation[relation].append((head, tail))
        self.by_label: dict[str, list[str]] = defaultdict(list)
        for node, label in graph.labels.items():
            if self._fit(node):
                self.by_label[label].append(node)

    def statements(self, each: int, held: bool) -> list[Statement]:
        """`each` of every type, with the wordings kept aside or the others."""
        makers = {
            "one-hop": self._one, "conjunction": self._both, "existence": self._existing, "multi-hop": self._far,
            "negation": self._negated,
        }  # fmt: skip
        found: dict[str, Statement] = {}
        for type in TYPES:
            wanted = {label: round(share * each) for label, share in _shares(type).items()}
            for label, count in wanted.items():
                made = 0
                for _ in range(_TRIES * max(count, 1)):
                    if made >= count:
                        break
                    statement = makers[type](label, held)
                    if statement is not None and statement.text not in found:
                        found[statement.text] = statement
                        made += 1
        return list(found.values())

    # ---- types ------------------------------------------------------------------------------------------------------

    def _one(self, label: str, held: bool, key: str = "one", type: str = "one-hop") -> Statement | None:
        relation = self._relation(key, held)
        if relation is None:
            return None
        drawn = self._pair(relation, label)
        if drawn is None:
            return None
        head, tail, how = drawn
        text = self._wording(self.relations[relation], key, held).format(h=self._name(head), t=self._name(tail))
        return Statement(text, label, type, held, how)

    def _negated(self, label: str, held: bool) -> Statement | None:
        turned = {SUPPORTED: REFUTED, REFUTED: SUPPORTED, UNKNOWN: UNKNOWN}[label]
        if self.multi and self.chance.random() < 0.25:
            found = self._far(turned, held, "not")
            return None if found is None else Statement(found.text, label, "negation", held, f"not: {found.how}")
        one = self._one(turned, held, "not")
        return None if one is None else Statement(one.text, label, "negation", held, f"not: {one.how}")

    def _existing(self, label: str, held: bool) -> Statement | None:
        side = self.chance.choice("ht")
        relation = self._relation(f"has_{side}", held)
        if relation is None:
            return None
        step = relation if side == "h" else f"^{relation}"
        known = self.chance.choice(self.by_relation[relation])[0 if side == "h" else 1]
        node = known if label == SUPPORTED else self.chance.choice(self.by_label[self.graph.labels[known]])
        if (SUPPORTED if self.graph.ends(node, [step]) else REFUTED) != label:
            return None
        wording = self._wording(self.relations[relation], f"has_{side}", held)
        return Statement(wording.format(h=self._name(node), t=self._name(node)), label, "existence", held, relation)

    def _far(self, label: str, held: bool, key: str = "text") -> Statement | None:
        name = {("text", False): "text", ("text", True): "held", ("not", False): "not", ("not", True): "not_held"}
        row = self.chance.choice(self.multi)
        if name[key, held] not in row:
            return None
        path = row["path"]
        first = path[0].removeprefix("^")
        if not self.by_relation[first] and not self.graph.facts:
            return None
        start = self._start(path[0])
        ends = sorted(self.graph.ends(start, path) - {start})
        ends = [end for end in ends if self._fit(end)]
        if label == UNKNOWN or not ends:
            return None
        end, how = self.chance.choice(ends), "a fact"
        if label == REFUTED:
            other = self._start(_back(path[-1]))
            if other in self.graph.ends(start, path) or other == start:
                return None
            end, how = other, "another entity"
        text = self.chance.choice(row[name[key, held]]).format(a=self._name(start), b=self._name(end))
        return Statement(text, label, "multi-hop", held, f"{'/'.join(path)}: {how}")

    def _both(self, label: str, held: bool) -> Statement | None:
        if label == UNKNOWN:
            return None
        return self._list(label, held) if self.chance.random() < 0.35 else self._two(label, held)

    def _list(self, label: str, held: bool) -> Statement | None:
        """ "A directed B and C"."""
        relation = self._relation("one", held)
        if relation is None:
            return None
        head, tail = self.chance.choice(self.by_relation[relation])
        side = self.chance.choice("ht")
        subject = head if side == "h" else tail
        step = relation if side == "h" else f"^{relation}"
        others = [node for node in sorted(self.graph.ends(subject, [step])) if self._fit(node)]
        if len(others) < 2:
            return None
        one, two = self.chance.sample(others, 2)
        how = f"{relation}: facts"
        if label == REFUTED:
            drawn = self._other(relation, subject, side)
            if drawn is None:
                return None
            one, two = (drawn, two) if self.chance.random() < 0.5 else (one, drawn)
            how = f"{relation}: another entity"
        both = self.chance.choice(_LISTS_HELD if held else _LISTS).format(self._name(one), self._name(two))
        wording = self._listable(self.relations[relation], side, held)
        if wording is None:
            return None
        names = {"h": self._name(subject), "t": both} if side == "h" else {"h": both, "t": self._name(subject)}
        return Statement(wording.format(**names), label, "conjunction", held, how)

    def _two(self, label: str, held: bool) -> Statement | None:
        """ "A directed B and was born in C"."""
        side_one, side_two = self.chance.choice("ht"), self.chance.choice("ht")
        one, two = self._relation(f"vp_{side_one}", held), self._relation(f"vp_{side_two}", held)
        if one is None or two is None or one == two:
            return None
        subject = self.chance.choice(self.by_relation[one])[0 if side_one == "h" else 1]
        objects = []
        for relation, side in ((one, side_one), (two, side_two)):
            ends = [
                e
                for e in sorted(self.graph.ends(subject, [relation if side == "h" else f"^{relation}"]))
                if self._fit(e)
            ]
            if not ends:
                return None
            objects.append(self.chance.choice(ends))
        if objects[0] == objects[1]:
            return None
        how = f"{one} and {two}: facts"
        if label == REFUTED:
            wrong = self.chance.randrange(2)
            other = self._other((one, two)[wrong], subject, (side_one, side_two)[wrong])
            if other is None:
                return None
            objects[wrong], how = other, f"{one} and {two}: another entity"
        phrases = []
        for relation, side, thing in ((one, side_one, objects[0]), (two, side_two, objects[1])):
            wording = self._wording(self.relations[relation], f"vp_{side}", held)
            phrases.append(wording.format(h=self._name(thing), t=self._name(thing)))
        joined = [
            j for j in (_JOINED_HELD if held else _JOINED) if "who" not in j or self.graph.labels[subject] == "Person"
        ]
        text = self.chance.choice(joined).format(s=self._name(subject), one=phrases[0], two=phrases[1])
        return Statement(text, label, "conjunction", held, how)

    # ---- facts ------------------------------------------------------------------------------------------------------

    def _pair(self, relation: str, label: str) -> tuple[str, str, str] | None:
        """Two ends that make a statement with the relation what it is to be."""
        head, tail = self.chance.choice(self.by_relation[relation])
        if label == SUPPORTED:
            return head, tail, f"{relation}: a fact"
        if label == UNKNOWN:
            head = self.chance.choice(self.by_label[self.graph.labels[head]])
            tail = self.chance.choice(self.by_label[self.graph.labels[tail]])
            known = self.graph.ends(head, [relation]) or self.graph.ends(tail, [f"^{relation}"])
            return None if known or head == tail else (head, tail, f"{relation}: nothing known")
        if self.chance.random() < 0.4:
            return self._confused(relation)
        side = "h" if self.relations[relation]["described"] == "h" else "t"
        subject = head if side == "h" else tail
        other = self._other(relation, subject, side)
        if other is None:
            return None
        how = f"{relation}: another entity"
        return (subject, other, how) if side == "h" else (other, subject, how)

    def _confused(self, relation: str) -> tuple[str, str, str] | None:
        """Two ends that another relation joins."""
        head, tail = self.chance.choice(self.by_relation[relation])
        kinds = self.graph.labels[head], self.graph.labels[tail]
        others = [r for r, pairs in self.by_relation.items() if r != relation and pairs]
        self.chance.shuffle(others)
        for other in others:
            for _ in range(20):
                one, two = self.chance.choice(self.by_relation[other])
                pair = next(
                    (p for p in ((one, two), (two, one)) if tuple(self.graph.labels[e] for e in p) == kinds), None
                )
                if pair is None:
                    break
                described = (
                    (pair[0], relation) if self.relations[relation]["described"] == "h" else (pair[1], f"^{relation}")
                )
                if pair[1] not in self.graph.ends(pair[0], [relation]) and self.graph.ends(
                    described[0], [described[1]]
                ):
                    return *pair, f"{relation}: another relation ({other})"
        return None

    def _other(self, relation: str, subject: str, side: str) -> str | None:
        """Another end of the right kind, which the relation does not join to the subject in either direction."""
        pair = self.chance.choice(self.by_relation[relation])
        other = pair[1 if side == "h" else 0]
        joined = self.graph.ends(subject, [relation]) | self.graph.ends(subject, [f"^{relation}"])
        same = self._name(other) in {self._name(node) for node in joined}
        return None if other in joined or other == subject or same else other

    def _start(self, step: str) -> str:
        relation = step.removeprefix("^")
        pairs = self.by_relation.get(relation) or [(h, t) for h, r, t in self.graph.facts if r == relation]
        return self.chance.choice(pairs)[1 if step.startswith("^") else 0]

    # ---- words ------------------------------------------------------------------------------------------------------

    def _relation(self, key: str, held: bool) -> str | None:
        """One that has wordings of this kind."""
        name = f"{key}_held" if held else key
        able = [r for r, row in self.relations.items() if name in row and self.by_relation[r]]
        return self.chance.choice(able) if able else None

    def _wording(self, row: dict[str, Any], key: str, held: bool) -> str:
        return str(self.chance.choice(row[f"{key}_held" if held else key]))

    def _listable(self, row: dict[str, Any], side: str, held: bool) -> str | None:
        """One in which two names can stand in the place of one: at the end, or before a plain past tense."""
        thing = "{t}" if side == "h" else "{h}"
        able = [
            w
            for w in row["one_held" if held else "one"]
            if w.endswith(f"{thing}.") and " is {" not in w and " the {" not in w
        ]
        return self.chance.choice(able) if able else None

    def _name(self, node: str) -> str:
        return self.graph.names[node]

    def _fit(self, node: str) -> bool:
        """Names that nobody would take for another word."""
        name = self.graph.names.get(node, "")
        return 3 <= len(name) <= 40 and any(c.isalnum() for c in name)


def _back(step: str) -> str:
    return step[1:] if step.startswith("^") else f"^{step}"


def _shares(type: str) -> dict[str, float]:
    if type in ("conjunction", "existence", "multi-hop"):
        return {SUPPORTED: 0.5, REFUTED: 0.5}
    return _SHARES
