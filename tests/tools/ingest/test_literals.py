"""Triples that lead to no thing: types become labels; numbers, dates and truth values properties; nothing is lost."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clew
from clew.tools.ingest import ImportOptions, load
from tests.tools.ingest.ingest_fake import FakeGraph

BANDS = """\
Slack Water\tis_a\talbum
Slack Water\trecorded_by\tThe Tin Curlews
Slack Water\tcopies_sold\t48200
Slack Water\trating\t7.5
Slack Water\treleased_on\t1981-12-05
Slack Water\tlive_album\tno
Moss Cathedral\tis_a\talbum
Moss Cathedral\trecorded_by\tFoxglove Union
Moss Cathedral\tcopies_sold\t906300
Moss Cathedral\trating\t8
Moss Cathedral\treleased_on\t1999-03-01
Moss Cathedral\tlive_album\tyes
The Tin Curlews\tis_a\tband
The Tin Curlews\tplays\tfolk
Foxglove Union\tis_a\tband
Foxglove Union\tplays\tpunk
Northlight\tis_a\trecord label
Northlight\tfounded\t1971
"""


def imported(folder: Path, text: str, labels: dict[tuple[str, str], str] | None = None) -> FakeGraph:
    graph, path = FakeGraph(), folder / "some.tsv"
    path.write_text(text, encoding="utf-8")
    load(graph, [path], ImportOptions(folder / "state", labels=labels or {}))  # type: ignore[arg-type]
    return graph


def relations(graph: FakeGraph) -> set[str]:
    return {type for _, type, _, _ in graph.edges}


def test_types_are_labels_and_values_are_properties(tmp_path: Path) -> None:
    graph = imported(tmp_path, BANDS)
    assert relations(graph) == {"recorded_by", "plays"}
    label, found = graph.nodes["Slack Water"]
    assert label == "Album"
    assert found == {
        "nodeId": "Slack Water", "name": "Slack Water", "copies_sold": 48200, "rating": 7.5, "live_album": False,
        "released_on": date(1981, 12, 5),
    }  # fmt: skip
    assert graph.nodes["Northlight"] == ("RecordLabel", {"nodeId": "Northlight", "name": "Northlight", "founded": 1971})
    assert {"album", "48200", "no", "1971"}.isdisjoint(graph.nodes)


def test_a_relation_whose_objects_the_user_labels_stays(tmp_path: Path) -> None:
    graph = imported(tmp_path, BANDS, {("founded", "object"): "Year", ("is_a", "object"): "Kind"})
    assert relations(graph) == {"recorded_by", "plays", "founded", "is_a"}
    assert graph.nodes["1971"][0] == "Year"


@pytest.mark.parametrize(
    "triples",
    [
        "Hamlet\tyear\t1948\nHamlet\tyear\t1996\nHeat\tyear\t1995\n",  # two films of one name
        "7\tfollows\t3\n8\tfollows\t4\n9\tfollows\t5\n",  # numbered nodes
        "a\tcode\t007\nb\tcode\t008\n",
        "a\tborn\t1990-02-31\nb\tborn\t1990-02-01\n",
        "a\tsize\t12\nb\tsize\tlarge\n",
        "dog\tis_a\tmammal\nmammal\tis_a\tanimal\ncat\tis_a\tmammal\nowl\tis_a\tbird\nbird\tis_a\tanimal\n",
        "".join(f"p{i}\ttype\t{'fire' if i % 2 else 'ice'}\n" for i in range(9)) + "x\tlikes\ty\nz\tlikes\ty\n",
    ],
)
def test_what_is_no_single_value_and_no_type_stays_a_relation(tmp_path: Path, triples: str) -> None:
    graph = imported(tmp_path, triples)
    assert len(graph.edges) == len(triples.splitlines())


def test_a_value_that_is_also_a_thing_stays_a_node(tmp_path: Path) -> None:
    years = "".join(f"film {i}\treleased\t{1900 + i}\n" for i in range(30))
    graph = imported(tmp_path, years + "film 3\tminutes\t95\n1917\tdirected_by\tSam Mendes\n")
    assert ("1917", "directed_by", "Sam Mendes", {}) in graph.edges
    assert graph.nodes["film 17"][1]["released"] == 1917
    assert "1916" not in graph.nodes


def test_a_relation_called_name_says_what_nodes_are_called(tmp_path: Path) -> None:
    lines = ["c:ald\tis_a\tclub", "c:ald\tname\tAldmoor", "c:ald\tplays_at\tv:lea", "c:bra\tis_a\tclub",
             "c:bra\tname\tBrack Town", "c:bra\tplays_at\tv:lea", "v:lea\tis_a\tvenue", "v:lea\tname\tThe Lea",
             "v:lea\ttown\tAldmoor", "c:ald\ttown\tAldmoor"]  # fmt: skip
    graph = imported(tmp_path, "\n".join(lines) + "\n")
    assert graph.nodes["c:ald"] == ("Club", {"nodeId": "c:ald", "name": "Aldmoor"})
    assert graph.nodes["v:lea"][1]["name"] == "The Lea"
    assert relations(graph) == {"plays_at", "town"}


def test_names_that_many_share_stay_nodes(tmp_path: Path) -> None:
    lines = [f"p:{n}\tname\t{'Ann' if n % 2 else 'Bo'}" for n in range(8)] + ["p:1\tknows\tp:2"]
    assert relations(imported(tmp_path, "\n".join(lines) + "\n")) == {"name", "knows"}


def test_years_alone_stay_nodes(tmp_path: Path) -> None:
    graph = imported(tmp_path, "Heat\treleased\t1995\nCasino\treleased\t1995\nAlien\treleased\t1979\n")
    assert graph.nodes["1995"][0] == "Year"
    assert len(graph.edges) == 3


def test_the_most_frequent_of_several_types_is_the_label(tmp_path: Path) -> None:
    text = "".join(f"p{i}\tis_a\tsinger\n" for i in range(5)) + "p1\tis_a\tguitarist\n"
    graph = imported(tmp_path, text)
    assert graph.nodes["p1"] == ("Singer", {"nodeId": "p1", "name": "p1", "labels": ["Guitarist"]})


NAMES = st.sampled_from(["Ann", "Bob", "Cy", "1917"])
TAILS = st.sampled_from(["Ann", "Bob", "12", "12.5", "yes", "no", "2020-01-02", "person", "1917"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(NAMES, st.sampled_from(["is_a", "age", "knows"]), TAILS), min_size=1, max_size=12))
def test_every_triple_is_a_label_a_property_or_a_relationship(
    tmp_path_factory: pytest.TempPathFactory, triples: list[tuple[str, str, str]]
) -> None:
    text = "head\trelation\ttail\n" + "".join("\t".join(each) + "\n" for each in triples)
    graph = imported(tmp_path_factory.mktemp("one"), text)
    edges = {(source, type, target) for source, type, target, _ in graph.edges}
    for head, relation, tail in triples:
        label, found = graph.nodes[head]
        spelled = {"yes": True, "no": False}.get(tail, tail)
        typed = relation == "is_a" and tail.title() in (label, *found.get("labels", []))
        assert (head, relation, tail) in edges or typed or str(found.get(relation)) in (str(spelled), f"{tail}.0")


def test_questions_about_values(clew_home: Path, tmp_path: Path) -> None:
    path = tmp_path / "bands.tsv"
    path.write_text(BANDS, encoding="utf-8")
    with clew.connect("bands-of-triples", home=clew_home) as bands:
        notes = bands.import_files(path).notes
        assert any("copies_sold" in note for note in notes)
        assert bands.ask("what is the best rated album?").answers[0].name == "Moss Cathedral"
        assert [each.name for each in bands.ask("live albums").answers] == ["Moss Cathedral"]
        assert bands.ask("how many copies did Slack Water sell?").answers[0].name == "48200"
        assert [each.name for each in bands.ask("albums released before 1990").answers] == ["Slack Water"]
