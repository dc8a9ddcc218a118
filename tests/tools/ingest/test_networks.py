"""Networks: GraphML, GEXF and GML as networkx writes them, and the JSON of networkx, d3 and Cytoscape."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.ingest import source
from clew.tools.ingest.formats import detect
from clew.tools.ingest.records import EdgeRecord, NodeRecord

NODES = [
    ("k1", {"kind": "character", "name": "Kalf", "born": 950}),
    ("k2", {"kind": "character", "name": "Groa", "born": 955}),
    ("f1", {"kind": "farm house", "name": "Hofstead"}),
]
EDGES: list[tuple[str, str, dict[str, Any]]] = [
    ("k1", "k2", {"relation": "married to", "year": 975}), ("k1", "f1", {"relation": "owns"}),
]  # fmt: skip


def written(folder: Path, kind: str, nodes: Any = NODES, edges: Any = EDGES) -> Path:
    graph = networkx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    path = folder / f"saga.{kind}"
    if kind == "json":
        path.write_text(json.dumps(networkx.node_link_data(graph, edges="links")))
    else:
        getattr(networkx, f"write_{kind}")(graph, path)
    return path


def read(path: Path) -> tuple[dict[str, NodeRecord], list[EdgeRecord]]:
    records = list(detect(path).read(None))
    nodes = {str(each.properties["name"]): each for each in records if isinstance(each, NodeRecord)}
    return nodes, [each for each in records if isinstance(each, EdgeRecord)]


@pytest.mark.parametrize("kind", ["graphml", "gexf", "gml", "json"])
def test_attributes_give_labels_and_types(tmp_path: Path, kind: str) -> None:
    nodes, edges = read(written(tmp_path, kind))
    assert {name: each.labels for name, each in nodes.items()} == {
        "Kalf": ("Character",), "Groa": ("Character",), "Hofstead": ("FarmHouse",),
    }  # fmt: skip
    assert nodes["Kalf"].properties["born"] == 950
    assert [(each.type, each.properties.get("year")) for each in edges] == [("MARRIED_TO", 975), ("OWNS", None)]
    assert {each.key for each in nodes.values()} == {end for each in edges for end in (each.source, each.target)}


def test_a_label_with_ever_another_value_is_a_name(tmp_path: Path) -> None:
    nodes, edges = read(
        written(tmp_path, "graphml", [(f"n{i}", {"label": f"Node {i}"}) for i in range(4)], [("n0", "n1")])
    )
    assert nodes["Node 2"].labels == ("Node",)
    assert [each.type for each in edges] == ["LINKED_TO"]


def test_labels_as_neo4j_exports_them(tmp_path: Path) -> None:
    nodes = [("n0", {"labels": ":Person:Actor", "name": "Ann"}), ("n1", {"labels": ":Film", "name": "Salt"})]
    found, edges = read(written(tmp_path, "graphml", nodes, [("n0", "n1", {"label": "ACTED_IN"})]))
    assert (found["Ann"].labels, edges[0].type) == (("Person", "Actor"), "ACTED_IN")


def test_dates_are_dates(tmp_path: Path) -> None:
    nodes, _edges = read(
        written(tmp_path, "json", [("a", {"since": "2024-03-05"}), ("b", {"since": "2023-01-01"})], [])
    )
    assert nodes == {} or nodes["a"].properties["since"] == date(2024, 3, 5)


@pytest.mark.parametrize(
    "value",
    [
        {"nodes": [{"name": "Ann"}, {"name": "Bo"}], "links": [{"source": 0, "target": 1, "value": 8}]},
        {"nodes": [{"id": "Ann"}, {"id": "Bo"}], "edges": [{"from": "Ann", "to": "Bo", "value": 8}]},
        {"elements": {"nodes": [{"data": {"id": "Ann"}}, {"data": {"id": "Bo"}}],
                      "edges": [{"data": {"source": "Ann", "target": "Bo", "value": 8}}]}},
        {"graph": {"nodes": {"Ann": {}, "Bo": {}}, "edges": [{"source": "Ann", "target": "Bo", "value": 8}]}},
    ],
)  # fmt: skip
def test_json_of_other_programs(tmp_path: Path, value: Any) -> None:
    (tmp_path / "x.json").write_text(json.dumps(value))
    nodes, [edge] = read(tmp_path / "x.json")
    assert (nodes["Ann"].key, nodes["Bo"].key) == (edge.source, edge.target)
    assert edge.properties == {"value": 8}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.graphml", '<!DOCTYPE x [<!ENTITY a "aa">]><graphml><graph/></graphml>', "declares entities"),
        ("x.graphml", '<graphml><graph edgedefault="directed"><node id="n1"/>', "x.graphml:1: not graphml"),
        ("x.gexf", "<gexf></nothing>", "not gexf"),
        ("x.gml", "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "not gml"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput) as raised:
        list(detect(tmp_path / name).read(None))
    assert said in raised.value.message


def test_a_network_that_takes_too_much_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "graphml")
    monkeypatch.setattr(source, "MOST_WHOLE", 100)
    with pytest.raises(BadInput, match=r"in one file"):
        list(detect(path).read(None))


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from('<>graph/ml="[]nodeid1 \n'), max_size=80), st.sampled_from(["graphml", "gexf", "gml"]))
def test_arbitrary_text_raises_nothing_but_bad_input(tmp_path: Path, text: str, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    path.write_text(f"graph [{text}" if kind == "gml" else f"<{kind}>{text}")
    with suppress(BadInput):
        list(detect(path).read(None))
