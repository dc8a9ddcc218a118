"""A small herb garden whose nodes have texts, numbers and dates: what plans are made for and run on in the tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.rows import Lookup
from clew.tools.graph.entity import Candidate, Entity
from clew.tools.graph.schema import Schema, introspect
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.queries.plans.checking import CheckedPlan, check
from clew.tools.queries.plans.plan import Plan, PlanOutcome, PlanStepResult
from clew.tools.queries.plans.running import PlanRunner
from clew.tools.text_search.index import TextIndex
from clew.tools.text_search.source import TextNode
from tests.tools.linking.letters import Letters

HERBS: dict[str, dict[str, Any]] = {
    "Marsh Mint": {
        "price": 4.5, "rating": 5, "described": "2016-02-11", "sold": "$4.50",
        "description": "A low plant of wet meadows whose crushed leaves smell of pepper and keep moths out of wool.",
    },
    "Stone Sage": {
        "price": 12.0, "rating": 4, "described": "2016-11-30", "sold": "$12.00",
        "description": "Grey leaves on dry walls, bitter, burnt by travellers to drive off wasps at night.",
    },
    "Ember Thyme": {
        "price": 25.0, "rating": 3, "described": "1994-05-02", "sold": "$25.00",
        "description": "Creeps between paving stones and turns red in frost, loved by bees above all others.",
    },
    "Pale Fennel": {
        "price": 8.0, "rating": 4, "described": "1999-07-20", "sold": "$1,008.00",
        "description": "Tall stalks with seeds that taste of liquorice, hung over doors at midsummer.",
    },
    "Night Lovage": {
        "price": 31.0, "rating": 2, "described": "2003-01-09", "sold": "$31.00",
        "description": "Flowers open after sunset and smell of honey, so that moths carry its pollen.",
    },
    "Salt Dill": {
        "price": 3.0, "rating": 1, "described": "2020-08-15", "sold": "$3.00",
        "description": "Grows in dunes beside the sea and is pickled with herring by fishermen.",
    },
}  # fmt: skip
AILMENTS = ("Hay Cough", "Ague", "Sore Throat")
GARDENS = ("Tarn Garden", "Abbey Yard")
EDGES = """
Marsh Mint|TREATS|Hay Cough
Stone Sage|TREATS|Hay Cough
Ember Thyme|TREATS|Hay Cough
Pale Fennel|TREATS|Ague
Night Lovage|TREATS|Ague
Salt Dill|TREATS|Sore Throat
Marsh Mint|GROWS_IN|Tarn Garden
Night Lovage|GROWS_IN|Tarn Garden
Stone Sage|GROWS_IN|Abbey Yard
Ember Thyme|GROWS_IN|Abbey Yard
Pale Fennel|GROWS_IN|Abbey Yard
Salt Dill|GROWS_IN|Abbey Yard
"""
LABEL = {**dict.fromkeys(HERBS, "Herb"), **dict.fromkeys(AILMENTS, "Ailment"), **dict.fromkeys(GARDENS, "Garden")}
MORE = 40
"""Further herbs, which nothing is joined to and no schema example shows."""


def entities() -> list[Entity]:
    more = [Entity(f"Herb/Wild Cress {i}", f"Wild Cress {i}", "Herb") for i in range(MORE)]
    return [*(Entity(f"{label}/{name}", name, label) for name, label in LABEL.items()), *more]


def properties_of(entity: Entity) -> dict[str, Any]:
    if entity.name in HERBS:
        return HERBS[entity.name]
    if entity.label != "Herb":
        return {}
    number = int(entity.name.split()[-1])
    text = f"One of many cresses that nobody tells apart, the one with {number} spots on its under side."
    return {"price": 40.0 + number, "rating": 1, "described": "1980-01-01", "sold": "$40.00", "description": text}


def store_garden(graph: GraphStore) -> None:
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    rows = [{"nodeId": e.id, "name": e.name, "label": e.label, **properties_of(e)} for e in entities()]
    for label in ("Herb", "Ailment", "Garden"):
        graph.ensure_index(label, "nodeId")
        own = [{key: value for key, value in row.items() if key != "label"} for row in rows if row["label"] == label]
        graph.write(f"UNWIND $rows AS row CREATE (n:{label}{scope}) SET n = row", {"rows": own})
    for line in EDGES.strip().split("\n"):
        head, relation, tail = line.split("|")
        graph.write(
            f"MATCH (a:{LABEL[head]}{scope} {{nodeId: $a}}), (b:{LABEL[tail]}{scope} {{nodeId: $b}}) "
            f"CREATE (a)-[:{relation}]->(b)",
            {"a": f"{LABEL[head]}/{head}", "b": f"{LABEL[tail]}/{tail}"},
        )
    graph.set_version("1")


def garden_texts(directory: Path) -> TextIndex:
    nodes = [
        TextNode(
            e.id, e.name, e.label, (("description", text),) if (text := properties_of(e).get("description")) else ()
        )
        for e in entities()
    ]
    return TextIndex.build(iter(nodes), directory, "1", Letters())


@dataclass(frozen=True)
class Garden:
    """The garden in a database, with its indexes."""

    store: GraphStore
    schema: Schema
    names: EntityIndex
    texts: TextIndex

    @classmethod
    def planted(cls, store: GraphStore, directory: Path) -> Garden:
        store_garden(store)
        nodes = [IndexedNode(e.id, e.name, e.label) for e in entities()]
        index = EntityIndex.build(nodes, directory / "names", "1")
        return cls(store, introspect(store), index, garden_texts(directory / "texts"))

    def check(self, plan: Plan) -> CheckedPlan:
        return check(plan, self.schema, self.store.terms, self.named)

    def named(self, literal: str, label: str | None) -> Sequence[Candidate]:
        return self.names.search(literal, label=label)

    def by_name(self, name: str, label: str | None) -> Entity | None:
        return next((e for e in self.names.by_name(name) if label in (None, e.label)), None)

    @property
    def runner(self) -> PlanRunner:
        lookup = Lookup(self.names.get, self.by_name)
        return PlanRunner(self.store, self.schema, lookup, self.texts, lambda rows: Limits(max_rows=rows))

    def run(self, plan: Plan) -> PlanOutcome:
        return self.runner.run(self.check(plan))

    def found(self, plan: Plan) -> list[str]:
        """The names that a plan gives, in its order."""
        return names_of(self.run(plan).answer)


def names_of(result: PlanStepResult) -> list[str]:
    return [each.entity.name for each in result.nodes]
