"""Tables that are imported again: every index is brought up to date where they changed, and is that of a new graph."""

from __future__ import annotations

import csv
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.app.api.graph import Graph
from clew.tools.graph.snapshot import builder
from clew.tools.linking import index as linking_index
from clew.tools.text_search.builder import _NodeReader

NOTES = "A long and quiet street by the old river, {} houses, and a mill that nobody has used for years."


def tables(folder: Path, people: dict[int, tuple[str, int]]) -> Path:
    """People by number, with name and city."""
    folder.mkdir(exist_ok=True)
    cities = [[1, "Aachen", NOTES.format(3)], [2, "Bremen", NOTES.format(4)], [3, "Celle", NOTES.format(5)]]
    rows = {
        "cities.csv": [["city_id", "name", "notes"], *cities],
        "people.csv": [["person_id", "name", "city_id"], *([id, *given] for id, given in people.items())],
    }
    for name, lines in rows.items():
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(lines)
    return folder


def triples(graph: Graph) -> set[tuple[str, str, str]]:
    found = graph.files.snapshot()
    return {
        (found.name(node), found.relations[found.reldirs[i] // 2], found.name(int(found.neighbours[i])))
        for node in range(len(found))
        for i in range(found.starts[node], found.starts[node + 1])
        if found.reldirs[i] % 2 == 0
    }


def told(graph: Graph) -> list[Any]:
    """What the indexes say, whatever the order of their nodes."""
    names, texts = graph.files.index(), graph.files.text_index()
    nodes = sorted((names.entity(i).id, names.entity(i).name, names.entity(i).label) for i in range(len(names)))
    hits = sorted((hit.name, round(hit.score, 4)) for hit in texts.search("mill with four houses", 50))
    links = [[(c.entity.name, round(c.score, 4)) for c in names.search(text, m=3)] for text in ("Person 7", "Neu Nam")]
    return [nodes, sorted(triples(graph)), hits, links]


@pytest.fixture
def new_graph(clew_home: Path) -> Iterator[Callable[[], Graph]]:
    opened: list[Graph] = []

    def make() -> Graph:
        opened.append(clew.connect(f"again-{uuid.uuid4().hex[:8]}", home=clew_home))
        return opened[-1]

    yield make
    for graph in opened:
        graph.client.drop(graph.name)
        graph.close()


def test_indexes_follow_an_import_without_reading_the_graph_again(
    new_graph: Callable[[], Graph], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = {id: (f"Person {id}", 1 + id % 3) for id in range(1, 41)}
    graph = new_graph()
    graph.import_files(tables(tmp_path / "t", people))
    told(graph)
    people |= {3: ("Neu Name", 1), 4: ("Person 4", 3), 41: ("Person 41", 2)}
    del people[7]

    def read(*_: Any) -> None:
        raise AssertionError("the whole graph was read")

    with monkeypatch.context() as patched:
        patched.setattr(linking_index, "tabulate", read)
        patched.setattr(builder, "_write_nodes", read)
        patched.setattr(_NodeReader, "read", read)
        report = graph.import_files(tables(tmp_path / "t", people))
        assert (report.updates["nodes added"], report.updates["nodes removed"]) == (1, 1)
        now = told(graph)
    anew = new_graph()
    anew.import_files(tables(tmp_path / "u", people))
    assert now == told(anew)
    own = [finding for finding in graph.client.examine(graph.name) if finding.graph]  # Other tests use the home, too.
    assert own
    assert not [finding for finding in own if finding.state != "sound"]


def test_names_that_were_embedded_are_kept_up_to_date(new_graph: Callable[[], Graph], tmp_path: Path) -> None:
    graph = new_graph()
    graph.import_files(tables(tmp_path / "t", {1: ("Ann Lee", 1), 2: ("Bo Day", 2)}))
    graph.index(dense=True)
    embedded: list[str] = []
    embedder = graph.client.embedder
    before = embedder.embed
    try:
        embedder.embed = lambda texts: (embedded.extend(texts), before(texts))[1]  # type: ignore[method-assign,assignment]
        graph.import_files(tables(tmp_path / "t", {1: ("Ann Lee", 1), 2: ("Bo Night", 2)}))
    finally:
        embedder.embed = before  # type: ignore[method-assign]
    assert "Bo Night" in embedded
    assert not {"Ann Lee", "Aachen"} & set(embedded)
    assert graph.client.context(graph.name).tools.index.has_dense
