"""The benchmark graph: nodes with hidden facts, texts that tell some of them, and edges between nodes that are alike.

Nodes of one label belong to communities. A community has a favourite fact in every aspect, which each of its nodes has
with a likelihood of FAVOURITE, else a random one; most edges stay within a community or join communities that are
paired, so that neighbours often share facts. Texts tell a node's facts in the words of the lexicon, between sentences
that say nothing, and name some of its neighbours.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.text_search.semi_structured.lexicon import Fact, half, read_facts
from benchmarks.text_search.semi_structured.names import Names

COUNTS = {
    "Paper": 7000, "Researcher": 6000, "Institute": 400, "Compound": 3500, "Condition": 1200, "Product": 4000,
}  # fmt: skip
COMMUNITIES = {"Paper": 280, "Compound": 140, "Condition": 60, "Product": 160}
FAVOURITE = 0.6
AT_HOME = 0.7
"""Share of edges that stay within a community or its pair."""
NAMED = {
    ("Paper", "WROTE"): 0.7, ("Paper", "STUDIES"): 0.8, ("Paper", "DISCUSSES"): 0.7, ("Paper", "CITES"): 0.3,
    ("Compound", "TREATS"): 0.8, ("Compound", "INTERACTS_WITH"): 0.6, ("Compound", "DEVELOPED_AT"): 0.8,
    ("Product", "CONTAINS"): 0.8, ("Product", "BOUGHT_WITH"): 0.5, ("Condition", "TREATS"): 0.5,
}  # fmt: skip
"""Share of the edges of a node that its text mentions, by its label and the relation."""
TYPES = {"citationCount": "int", "published": "date", "approved": "date", "halfLife": "float", "prevalence": "float",
         "price": "float", "rating": "float", "released": "date", "hIndex": "int", "founded": "int"}  # fmt: skip

MOST_NAMED = 3
"""Neighbours by one relation that a text mentions."""
ELABORATED = 0.5
"""Share of the facts that a text tells twice, in two ways."""
_FRAMES = (
    "It {}", "{name} {}", "What is known: it {}", "On top of that, it {}", "It also {}", "Besides, it {}",
    "In short, {name} {}", "Notably, it {}", "Indeed it {}", "For one thing, it {}",
)  # fmt: skip
_FILLERS = {
    "Paper": ("The manuscript went through two rounds of review", "Supplementary tables are available on request",
              "The authors thank their technicians", "An earlier draft circulated among colleagues",
              "All data were checked twice", "The discussion is brief", "Figures were redrawn for print",
              "Limitations are listed in the last section"),
    "Compound": ("Its structure was revised once", "The registry entry is due for an update",
                 "Batches vary slightly between suppliers", "Its assay follows the usual standard",
                 "A reference sample is held in two collections", "The monograph runs to forty pages",
                 "Nomenclature follows the international rules", "Purity is stated on the label"),
    "Condition": ("The classification has changed several times", "Case definitions differ between handbooks",
                  "A patient association meets every autumn", "The first description is disputed",
                  "Registers count it under more than one heading", "Diagnosis takes experience",
                  "Textbooks give it half a page", "Coding manuals list two synonyms"),
    "Product": ("The label was redesigned last year", "Stocks vary from shop to shop", "The maker answers letters",
                "A leaflet is enclosed", "Returns are accepted within the usual period",
                "The range has been extended twice", "The name is a registered mark",
                "Colours may differ from pictures"),
}  # fmt: skip
_MENTIONS = {
    "WROTE": ("The text is by {}", "{} signed it"),
    "STUDIES": ("The work is on {}", "Doses of {} were applied throughout", "{} is at the centre of it"),
    "DISCUSSES": ("The context is {}", "Cases of {} appear in it", "It bears on {}"),
    "CITES": ("It builds on “{}”", "See also “{}”"),
    "TREATS": ("It is given for {}", "Its main indication is {}", "Patients with {} receive it"),
    "treated": ("{} is one therapy", "Doctors give {}"),
    "INTERACTS_WITH": ("Never combine it with {}", "Check before giving {} as well"),
    "DEVELOPED_AT": ("The patent lies with the {}", "First made at the {}"),
    "CONTAINS": ("The formula has {}", "Blended from {}", "{} is the active component"),
    "BOUGHT_WITH": ("Goes well with {}", "Often combined with {}"),
}  # fmt: skip


@dataclass(slots=True)
class Node:
    id: str
    label: str
    name: str
    community: int = -1
    facts: dict[str, Fact] = field(default_factory=dict)
    """By aspect; hidden: no file of the graph holds them but as text."""
    properties: dict[str, Any] = field(default_factory=dict)
    text: str = ""


@dataclass(slots=True)
class World:
    seed: int
    nodes: dict[str, Node] = field(default_factory=dict)
    of_label: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    out: dict[str, dict[str, dict[str, None]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    """Relation, head's id, tails' ids."""
    into: dict[str, dict[str, dict[str, None]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))

    def join(self, head: Node, relation: str, tail: Node) -> bool:
        if head is tail or tail.id in self.out[relation][head.id] or head.id in self.out[relation][tail.id]:
            return False
        self.out[relation][head.id][tail.id] = None
        self.into[relation][tail.id][head.id] = None
        return True

    @property
    def edges(self) -> int:
        return sum(len(tails) for heads in self.out.values() for tails in heads.values())


def make_world(seed: int, scale: float = 1.0) -> World:
    """The graph of a seed; `scale` makes it smaller, for tests."""
    chance = Random(f"world {seed}")
    world = World(seed)
    names = Names(seed, chance)
    _make_nodes(world, names, chance, scale)
    _make_edges(world, chance)
    _write_texts(world, names, chance)
    return world


def _make_nodes(world: World, names: Names, chance: Random, scale: float) -> None:
    aspects = half(read_facts(), world.seed)
    counts = {label: max(12, int(count * scale)) for label, count in COUNTS.items()}
    made = {
        "Researcher": names.researchers(counts["Researcher"]), "Institute": names.institutes(counts["Institute"]),
        "Compound": names.compounds(counts["Compound"]), "Condition": names.conditions(counts["Condition"]),
        "Product": names.products(counts["Product"]), "Paper": [""] * counts["Paper"],
    }  # fmt: skip
    for label in COUNTS:
        sections = {aspect: facts for (of, aspect), facts in aspects.items() if of == label}
        groups = max(2, int(COMMUNITIES.get(label, COMMUNITIES["Paper"]) * scale))
        favourites = [{a: chance.choice(facts) for a, facts in sections.items()} for _ in range(groups)]
        for number, name in enumerate(made[label]):
            node = Node(f"{label.lower()}-{number:05d}", label, name, number % groups)
            for aspect, facts in sections.items():
                own = chance.random() < FAVOURITE
                node.facts[aspect] = favourites[node.community][aspect] if own else chance.choice(facts)
            node.properties = _properties(label, chance)
            world.nodes[node.id] = node
            world.of_label[label].append(node)


def _properties(label: str, chance: Random) -> dict[str, Any]:
    if label == "Paper":
        return {"citationCount": int(chance.lognormvariate(3, 1.3)), "published": _day(chance, 1985, 2025)}
    if label == "Researcher":
        return {"hIndex": int(chance.lognormvariate(2.3, 0.7))}
    if label == "Institute":
        return {"founded": chance.randrange(1650, 2015)}
    if label == "Compound":
        return {"halfLife": round(chance.lognormvariate(1.8, 1), 1), "approved": _day(chance, 1960, 2024)}
    if label == "Condition":
        return {"prevalence": round(chance.lognormvariate(2, 1.2), 2)}
    price = round(chance.lognormvariate(2.6, 0.8), 2)
    return {"price": price, "rating": round(chance.triangular(1, 5, 4.2), 1), "released": _day(chance, 2000, 2025)}


def _day(chance: Random, first: int, last: int) -> date:
    return date(first, 1, 1) + timedelta(days=chance.randrange(365 * (last - first + 1)))


class _Joiner:
    """Draws the other ends of edges: mostly from the node's community or its pair, popular ones more often."""

    def __init__(self, world: World, chance: Random) -> None:
        self._world = world
        self._chance = chance
        self._members: dict[tuple[str, int], list[Node]] = defaultdict(list)
        self._communities = defaultdict[str, int](int)
        for node in world.nodes.values():
            self._members[node.label, node.community].append(node)
            self._communities[node.label] = max(self._communities[node.label], node.community + 1)

    def join(self, label: str, relation: str, target: str, low: int, high: int) -> None:
        """From `low` to `high` edges out of every node of the label."""
        for node in self._world.of_label[label]:
            for _ in range(self._chance.randint(low, high)):
                self._world.join(node, relation, self.other(node, target))

    def other(self, node: Node, target: str) -> Node:
        if self._chance.random() < AT_HOME:
            listed = self._members[target, node.community % self._communities[target]]
        else:
            listed = self._world.of_label[target]
        # the square of a uniform number: the first in a list are met most, as some papers and products are
        place = self._chance.random() ** (1 if target == "Researcher" else 2)
        return listed[int(len(listed) * place)]


def _make_edges(world: World, chance: Random) -> None:
    joiner = _Joiner(world, chance)
    for paper in world.of_label["Paper"]:
        for _ in range(chance.randint(2, 5)):
            world.join(joiner.other(paper, "Researcher"), "WROTE", paper)
    joiner.join("Researcher", "WORKS_AT", "Institute", 1, 2)
    joiner.join("Paper", "CITES", "Paper", 4, 13)
    joiner.join("Paper", "STUDIES", "Compound", 1, 2)
    joiner.join("Paper", "DISCUSSES", "Condition", 0, 2)
    joiner.join("Compound", "TREATS", "Condition", 1, 3)
    joiner.join("Compound", "INTERACTS_WITH", "Compound", 3, 7)
    joiner.join("Compound", "DEVELOPED_AT", "Institute", 1, 1)
    joiner.join("Product", "CONTAINS", "Compound", 1, 3)
    joiner.join("Product", "BOUGHT_WITH", "Product", 5, 9)


def _write_texts(world: World, names: Names, chance: Random) -> None:
    for paper in world.of_label["Paper"]:
        about = [world.nodes[t].name for r in ("STUDIES", "DISCUSSES") for t in world.out[r][paper.id]]
        paper.name = names.title(chance.choice(about) if about and chance.random() < 0.25 else None)
    for node in world.nodes.values():
        if node.facts:
            node.text = _text(node, list(_mentions(world, node, chance)), chance)


def _mentions(world: World, node: Node, chance: Random) -> Iterator[str]:
    """Sentences that name some of the node's neighbours."""
    for (label, relation), share in NAMED.items():
        if label == node.label:
            backwards = relation == "WROTE" or (label, relation) == ("Condition", "TREATS")
            sentences = _MENTIONS["treated" if label == "Condition" else relation]
            others = (world.into if backwards else world.out)[relation][node.id]
            named = [other for other in others if chance.random() < share]
            for other in chance.sample(named, min(len(named), MOST_NAMED)):
                yield chance.choice(sentences).format(world.nodes[other].name)


def _text(node: Node, mentions: Sequence[str], chance: Random) -> str:
    subject = "the study" if node.label == "Paper" else node.name
    sentences = [chance.choice(_FRAMES).format(chance.choice(fact.texts), name=subject) for fact in node.facts.values()]
    sentences += [*mentions, *chance.sample(_FILLERS[node.label], chance.randint(1, 3))]
    chance.shuffle(sentences)
    return " ".join(f"{text[0].upper()}{text[1:]}." for text in sentences)


def write_files(world: World, folder: Path, *, apart: bool = False) -> list[Path]:
    """Node and edge CSV with neo4j-admin headers, one file for each label and relation; returns their paths. If
    `apart`, every text is a node of its own, with a relationship to the node that it is about."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = _texts(world, folder) if apart else []
    for label, nodes in world.of_label.items():
        title, text = _columns(label)
        text = "" if apart else text
        properties = list(nodes[0].properties)
        header = [":ID", ":LABEL", title, *([text] if text else []), *(f"{p}:{TYPES[p]}" for p in properties)]
        rows = (
            [n.id, label, n.name, *([n.text] if text else []), *(n.properties[p] for p in properties)] for n in nodes
        )
        paths.append(_written(folder / f"{label.lower()}.csv", header, rows))
    for relation, heads in world.out.items():
        edges = ([head, relation, tail] for head, tails in heads.items() for tail in tails)
        paths.append(_written(folder / f"{relation.lower()}.csv", [":START_ID", ":TYPE", ":END_ID"], edges))
    return paths


def _texts(world: World, folder: Path) -> list[Path]:
    told = [node for node in world.nodes.values() if node.text]
    nodes = ([f"text-{node.id}", "Text", f"Text {place}", node.text] for place, node in enumerate(told, 1))
    edges = ([f"text-{node.id}", "ABOUT", node.id] for node in told)
    return [
        _written(folder / "text.csv", [":ID", ":LABEL", "name", "text"], nodes),
        _written(folder / "about.csv", [":START_ID", ":TYPE", ":END_ID"], edges),
    ]


def _columns(label: str) -> tuple[str, str]:
    """The columns of a label's names and texts; no text where its nodes have none."""
    if label == "Paper":
        return "title", "abstract"
    return "name", "description" if label in ("Compound", "Condition", "Product") else ""


def _written(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path
