"""An invented railway for the ranker's tests, as a graph in a database with an index of its names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.index import EntityIndex, IndexedNode

NODES: dict[str, dict[str, dict[str, Any]]] = {
    "Station": {
        "Alder Cross": {"opened": 1871, "platforms": 6},
        "Quill Junction": {"opened": 1904, "platforms": 12},
        "Ferrow Halt": {"opened": 1932, "platforms": 2},
        "Old Sallow": {"opened": 1858, "platforms": 4},
        "Tern Bridge": {"opened": 1968, "platforms": 3},
    },
    "Line": {"Marsh Line": {}, "Upland Line": {}, "Harbour Loop": {}},
    "Train": {
        "Silver Heron": {"topSpeed": 210},
        "Night Badger": {"topSpeed": 140},
        "Red Plover": {"topSpeed": 180},
        "Moor Pony": {"topSpeed": 95},
    },
    "Company": {"Corvane Works": {"founded": 1843}, "Dunmere Railways": {}, "Bellhaven Transit": {}},
    "Person": {
        "Ada Brandt": {},
        "Osric Vane": {},
        "Lene Maddox": {},
        "Piers Holloway": {},
        "Wilma Thorne": {},
        "Jonas Brandt": {},
    },
    "Town": {
        "Thistleby": {"population": 41000},
        "Port Ansel": {"population": 230000},
        "Garrick": {"population": 9800},
    },
}
EDGES = """
Marsh Line|OPERATED_BY|Dunmere Railways
Upland Line|OPERATED_BY|Bellhaven Transit
Harbour Loop|OPERATED_BY|Dunmere Railways
Marsh Line|STOPS_AT|Alder Cross;Quill Junction;Ferrow Halt
Upland Line|STOPS_AT|Quill Junction;Old Sallow
Harbour Loop|STOPS_AT|Tern Bridge;Quill Junction;Alder Cross;Old Sallow
Alder Cross|LOCATED_IN|Thistleby
Quill Junction|LOCATED_IN|Port Ansel
Ferrow Halt|LOCATED_IN|Garrick
Old Sallow|LOCATED_IN|Garrick
Tern Bridge|LOCATED_IN|Port Ansel
Silver Heron|RUNS_ON|Marsh Line
Night Badger|RUNS_ON|Marsh Line
Red Plover|RUNS_ON|Upland Line
Moor Pony|RUNS_ON|Harbour Loop
Silver Heron|BUILT_BY|Corvane Works
Red Plover|BUILT_BY|Corvane Works
Moor Pony|BUILT_BY|Corvane Works
Night Badger|BUILT_BY|Bellhaven Transit
Silver Heron|DRIVEN_BY|Lene Maddox
Night Badger|DRIVEN_BY|Jonas Brandt
Red Plover|DRIVEN_BY|Lene Maddox
Moor Pony|DRIVEN_BY|Wilma Thorne
Corvane Works|FOUNDED_BY|Osric Vane
Dunmere Railways|FOUNDED_BY|Piers Holloway
Bellhaven Transit|FOUNDED_BY|Ada Brandt
Alder Cross|DESIGNED_BY|Wilma Thorne
Quill Junction|DESIGNED_BY|Osric Vane
Ada Brandt|BORN_IN|Thistleby
Osric Vane|BORN_IN|Garrick
Lene Maddox|BORN_IN|Port Ansel
Piers Holloway|BORN_IN|Thistleby
Wilma Thorne|BORN_IN|Garrick
Jonas Brandt|BORN_IN|Thistleby
Osric Vane|MARRIED_TO|Wilma Thorne
Jonas Brandt|CHILD_OF|Ada Brandt
"""


def entities() -> dict[str, Entity]:
    return {name: Entity(f"{label}/{name}", name, label) for label, names in NODES.items() for name in names}


def facts() -> list[tuple[Entity, str, Entity]]:
    known = entities()
    rows = [line.split("|") for line in EDGES.split("\n") if line]
    return [(known[head], relation, known[tail]) for head, relation, tails in rows for tail in tails.split(";")]


def store_railway(graph: GraphStore) -> None:
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    for label, names in NODES.items():
        graph.ensure_index(label, "nodeId")
        rows = [{"nodeId": f"{label}/{name}", "name": name, **properties} for name, properties in names.items()]
        graph.write(f"UNWIND $rows AS row CREATE (n:{quoted(label)}{scope}) SET n = row", {"rows": rows})
    for head, relation, tail in facts():
        graph.write(
            f"MATCH (a:{quoted(head.label)}{scope} {{nodeId: $a}}), (b:{quoted(tail.label)}{scope} {{nodeId: $b}}) "
            f"CREATE (a)-[:{quoted(relation)} {{since: 1990}}]->(b)",
            {"a": head.id, "b": tail.id},
        )
    graph.set_version("1")


def index_railway(directory: Path) -> EntityIndex:
    nodes = [IndexedNode(entity.id, entity.name, entity.label) for entity in entities().values()]
    return EntityIndex.build(nodes, directory, "1")
