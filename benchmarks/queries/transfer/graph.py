"""The Halcyre graph: a made-up island republic, drawn from a seed, word lists and a table of relations."""

from __future__ import annotations

import csv
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import cycle, product
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
SEED = 20417

# label or label/kind: (property, type, least, most); drawn log-uniformly, as sizes are in the world, years uniformly.
PROPERTIES: dict[str, list[tuple[str, str, float, float]]] = {
    "Island": [("area_km2", "float", 4, 9000), ("population", "int", 120, 900_000)],
    "Town": [("population", "int", 300, 400_000)],
    "Port": [("depth_m", "float", 3, 22)],
    "Company": [("founded", "int", 1790, 2021), ("employees", "int", 6, 20_000)],
    "Ship/afloat": [("built", "int", 1931, 2023), ("length_m", "float", 12, 330)],
    "Ship/wreck": [("built", "int", 1740, 1912), ("length_m", "float", 14, 70)],
    "Hospital": [("beds", "int", 20, 1400)],
    "Museum": [("opened", "int", 1820, 2019)],
    "Institute": [("founded", "int", 1720, 2015)],
    "Club": [("founded", "int", 1871, 2012)],
    "Stadium": [("capacity", "int", 800, 46_000)],
    "Medicine": [("approved", "int", 1958, 2024)],
    "Project": [("first_release", "int", 1994, 2024), ("stars", "int", 3, 60_000)],
    "Statute": [("enacted", "int", 1848, 2022)],
    "Case": [("decided", "int", 1962, 2024)],
    "Artefact": [("made", "int", 1180, 1890)],
    "Species": [("size_cm", "float", 1, 190)],
}
YEARS = {"founded", "built", "opened", "approved", "first_release", "enacted", "decided", "made"}
# The property under which the second half of a label/kind pair is exported.
KINDS = {
    "Person": "occupation",
    "Company": "sector",
    "Commodity": "category",
    "Species": "group",
    "Condition": "nature",
    "Ship": "state",
}
# How many things to make of those that the word lists give as patterns or as two halves.
AMOUNTS = {
    "Port": 32,
    "Club": 27,
    "Institute": 27,
    "Hospital": 20,
    "Museum": 17,
    "Ship/afloat": 86,
    "Compound": 48,
    "Medicine": 72,
    "Project": 72,
    "Artefact": 56,
    "Case": 54,
    "Species/bird": 20,
    "Species/fish": 20,
    "Species/invertebrate": 20,
    "Species/plant": 20,
    "Species/sponge": 10,
}
SPELLINGS: tuple[Callable[[str, str], str], ...] = (
    lambda a, b: a + b,
    lambda a, b: f"{a}-{b}",
    lambda a, b: a.title() + b.title(),
    lambda a, b: f"{a}_{b}",
)
"""How software projects are written."""
STANDING = {"Port", "Institute", "Hospital", "Museum", "Court", "Stadium", "Club"}


@dataclass(slots=True)
class Node:
    id: str
    label: str
    name: str
    kind: str = ""
    aliases: tuple[str, ...] = ()
    properties: dict[str, int | float] = field(default_factory=dict)
    town: str = ""
    """Id of the town in the thing's own name, where there is one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of relations.tsv."""

    relation: str
    source: str
    target: str
    share: float
    least: int
    most: int
    skew: float
    flags: frozenset[str]


@dataclass(slots=True)
class Graph:
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """(source id, relation, target id), in the order made."""

    def of(self, ends: str) -> list[Node]:
        """The nodes of `Label`, `Label/kind` or several of these joined by `|`."""
        wanted = [end.partition("/") for end in ends.split("|")]
        return [
            node
            for node in self.nodes.values()
            if any(node.label == label and kind in ("", node.kind) for label, _, kind in wanted)
        ]

    def link(self, source: Node, relation: str, target: Node) -> None:
        self.edges[source.id, relation, target.id] = None


def build() -> Graph:
    """The whole graph; the same on every run."""
    random = Random(SEED)
    graph = Graph()
    for node in Names(random).everything():
        graph.nodes[node.id] = node
    place_everything(graph, random)
    bring_cases(graph, random)
    for rule in read_rules():
        apply(rule, graph, random)
    name_captains(graph, random)
    for node in graph.nodes.values():
        draw_properties(node, random)
    return graph


class Names:
    """Makes the nodes from the word lists, numbering the ids of each label."""

    def __init__(self, random: Random) -> None:
        table = tomllib.loads((SOURCES / "names.toml").read_text("utf-8"))
        self.people: dict[str, int] = table.pop("people")
        self.words: dict[str, list[str]] = table
        self.random = random
        self.made: dict[str, list[Node]] = defaultdict(list)

    def everything(self) -> Iterator[Node]:
        for key in self.words:
            if not key.endswith(("-first", "-second")) and key not in {"Genus", "Epithet"}:
                yield from self.listed(key)
        for key in self.words:
            if key.endswith("-first") and key != "Person-first":
                yield from self.combined(key.removesuffix("-first"))
        everybody = self.pairs("Person", sum(self.people.values()))
        for trade, amount in self.people.items():
            for _ in range(amount):
                yield self.node("Person", trade, everybody.pop())

    def node(self, label: str, kind: str, name: str, alias: str = "", town: str = "") -> Node:
        number = len(self.made[label]) + 1
        node = Node(f"{label.lower()}{number}", label, name, kind, (alias,) if alias else (), town=town)
        self.made[label].append(node)
        return node

    def listed(self, key: str) -> Iterator[Node]:
        """Names as they stand; patterns with `{town}` repeat until there are as many as wanted."""
        label, _, kind = key.partition("-")
        patterns = list(self.words[key])
        local = [pattern for pattern in patterns if "{town}" in pattern]
        if local:
            patterns += [local[i % len(local)] for i in range(AMOUNTS.get(label, 0) - len(patterns))]
        free = self.random.sample(self.made["Town"], len(self.made["Town"]))
        for pattern in patterns:
            name, _, alias = pattern.partition(" = ")
            town = free.pop() if "{town}" in pattern else None
            yield self.node(label, kind, name.format(town=town.name) if town else name, alias, town.id if town else "")

    def combined(self, key: str) -> Iterator[Node]:
        """Names of two parts, as many as still wanted."""
        label, _, kind = key.partition("-")
        wanted = AMOUNTS[f"{label}/{kind}"] if kind else AMOUNTS[label] - len(self.made[label])
        for name in self.pairs(key, wanted):
            latin = f"{self.random.choice(self.words['Genus'])} {self.random.choice(self.words['Epithet'])}"
            yield self.node(label, kind, name, latin if label == "Species" else "")

    def pairs(self, key: str, amount: int) -> list[str]:
        drawn = self.random.sample(list(product(self.words[f"{key}-first"], self.words[f"{key}-second"])), amount)
        if key == "Project":
            return [style(a, b) for (a, b), style in zip(drawn, cycle(SPELLINGS), strict=False)]
        joint = "" if key in {"Compound", "Medicine"} else " "
        return [first + joint + second for first, second in drawn]


def place_everything(graph: Graph, random: Random) -> None:
    """Towns on islands (each island has one at least, which is its seat), buildings and clubs in towns."""
    islands, towns = graph.of("Island"), graph.of("Town")
    seats = random.sample(towns, len(islands))
    for island, seat in zip(islands, seats, strict=True):
        graph.link(seat, "on_island", island)
        graph.link(island, "administrative_seat", seat)
    for town in towns:
        if town not in seats:
            graph.link(town, "on_island", random.choices(islands, skewed(len(islands), 0.8))[0])
    for node in graph.of("|".join(sorted(STANDING))):
        graph.link(node, "located_in", graph.nodes[node.town] if node.town else random.choice(towns))


def read_rules() -> Iterator[Rule]:
    with (SOURCES / "relations.tsv").open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                relation, source, target, share, least, most, skew, flags = line.rstrip("\n").split("\t")
                yield Rule(
                    relation,
                    source,
                    target,
                    float(share),
                    int(least),
                    int(most),
                    float(skew),
                    frozenset(filter(None, flags.split(","))),
                )


def apply(rule: Rule, graph: Graph, random: Random) -> None:
    sources, targets = graph.of(rule.source), graph.of(rule.target)
    random.shuffle(sources)
    random.shuffle(targets)
    weights = dict(zip((node.id for node in targets), skewed(len(targets), rule.skew), strict=True))
    apart = [flag.removeprefix("apart:") for flag in rule.flags if flag.startswith("apart:")]
    taken: set[str] = set()
    order = {node.id: place for place, node in enumerate(graph.nodes.values())}
    for source in sources[: round(rule.share * len(sources))]:
        allowed = [
            node
            for node in targets
            if node.id != source.id
            and node.id not in taken
            and not ("acyclic" in rule.flags and order[node.id] >= order[source.id])
            and not any((source.id, other, node.id) in graph.edges for other in apart)
        ]
        for target in draw(allowed, weights, random.randint(rule.least, rule.most), random):
            graph.link(source, rule.relation, target)
            if "symmetric" in rule.flags:
                graph.link(target, rule.relation, source)
            if "unique" in rule.flags:
                taken.add(target.id)


def skewed(size: int, skew: float) -> list[float]:
    """Zipf's weights."""
    return [1 / (place + 1) ** skew for place in range(size)]


def draw(nodes: list[Node], weights: dict[str, float], amount: int, random: Random) -> Iterable[Node]:
    """Up to `amount` different nodes, by weight."""
    drawn: dict[str, Node] = {}
    while nodes and len(drawn) < min(amount, len(nodes)):
        node = random.choices(nodes, [weights[node.id] for node in nodes])[0]
        drawn.setdefault(node.id, node)
    return drawn.values()


def name_captains(graph: Graph, random: Random) -> None:
    """A club is captained by one of its own players."""
    squads: dict[str, list[Node]] = defaultdict(list)
    for source, relation, target in graph.edges:
        if relation == "plays_for":
            squads[target].append(graph.nodes[source])
    for club, squad in squads.items():
        graph.link(graph.nodes[club], "captained_by", random.choice(squad))


def bring_cases(graph: Graph, random: Random) -> None:
    """Court cases, named after their parties: a company is sued by a company or by a person."""
    companies = graph.of("Company")
    people = graph.of("Person/sailor|Person/researcher|Person/developer|Person/captain")
    names: set[str] = set()
    while len(names) < AMOUNTS["Case"]:
        plaintiff, defendant = random.choice(companies if random.random() < 0.65 else people), random.choice(companies)
        name = f"{plaintiff.name} v {defendant.name}"
        if plaintiff is defendant or name in names:
            continue
        names.add(name)
        case = graph.nodes[f"case{len(names)}"] = Node(f"case{len(names)}", "Case", name)
        graph.link(case, "plaintiff", plaintiff)
        graph.link(case, "defendant", defendant)


def draw_properties(node: Node, random: Random) -> None:
    for name, kind, least, most in PROPERTIES.get(node.label) or PROPERTIES.get(f"{node.label}/{node.kind}", []):
        value = random.uniform(least, most) if name in YEARS else least * (most / least) ** random.random()
        node.properties[name] = round(value) if kind == "int" else round(value, 1)


def write(graph: Graph, folder: Path) -> None:
    """nodes.csv and edges.csv with neo4j-admin's headers."""
    columns = sorted({(name, kind) for rows in PROPERTIES.values() for name, kind, _, _ in rows})
    kinds = sorted(KINDS.values())
    with (folder / "nodes.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        typed = [f"{name}:{kind}" for name, kind in columns]
        table.writerow([":ID", "name", "aliases:string[]", *kinds, *typed, ":LABEL"])
        for node in graph.nodes.values():
            table.writerow(
                [
                    node.id,
                    node.name,
                    ";".join(node.aliases),
                    *(node.kind if KINDS.get(node.label) == kind else "" for kind in kinds),
                    *(node.properties.get(name, "") for name, _ in columns),
                    node.label,
                ]
            )
    with (folder / "edges.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([":START_ID", ":END_ID", ":TYPE"])
        table.writerows((source, target, relation) for source, relation, target in graph.edges)
