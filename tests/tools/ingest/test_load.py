"""Importing into a graph: whole or not at all, once and only once, and on from where it stopped."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput, ClewError, DatabaseUnavailable
from clew.tools.ingest import ImportInterrupted, ImportOptions, ImportReport, batches, is_unfinished, load
from clew.tools.ingest.journal import Journal
from tests.tools.ingest.ingest_fake import FakeGraph

FILMS = "".join(
    f"film {i}\tdirected_by\tdirector {i % 7}\nfilm {i}\thas_genre\tgenre {i % 3}\ndirector {i % 7}\tspouse\tx{i % 7}\n"
    for i in range(40)
)


@pytest.fixture
def graph() -> FakeGraph:
    return FakeGraph()


@pytest.fixture
def options(tmp_path: Path) -> ImportOptions:
    return ImportOptions(tmp_path / "state", batch_size=10)


def test_long_texts_make_small_batches(graph: FakeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"text {i} " + "x" * (3000 if i % 3 == 0 else 10) for i in range(12)]
    lines = [f'{{"type": "node", "id": "{i}", "labels": ["Note"], "properties": {{"text": "{text}"}}}}' for i, text in
             enumerate(texts)]  # fmt: skip
    notes = put(tmp_path, "notes.jsonl", "\n".join(lines) + "\n")
    monkeypatch.setattr(batches, "BYTES", 7000)
    sizes: list[int] = []
    applied = graph._apply

    def record(cypher: str, parameters: Mapping[str, Any]) -> None:
        sizes.append(len(parameters.get("rows", ())))
        applied(cypher, parameters)

    monkeypatch.setattr(graph, "_apply", record)
    load(graph, [notes], ImportOptions(tmp_path / "state", batch_size=5))
    assert sizes == [5, 5, 2]  # two long texts at most, and five rows at most
    assert sorted(properties["text"] for _, properties in graph.nodes.values()) == sorted(texts)


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


class Recorder:
    """Stages of an import with the last progress of each, and whether it was closed."""

    def __init__(self) -> None:
        self.parts: list[list[object]] = []

    @contextmanager
    def stage(self, label: str, unit: str, total: int | None) -> Iterator[Callable[[int], None]]:
        part: list[object] = [label, unit, total, 0, False]
        self.parts.append(part)

        def advance(done: int) -> None:
            part[3] = done

        yield advance
        part[4] = True


def test_triples_become_labelled_named_nodes_and_edges(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    report = load(graph, [put(tmp_path, "kb.tsv", FILMS)], options)
    assert report.status == "imported"
    assert (report.nodes, report.edges) == (len(graph.nodes), len(graph.edges)) == (57, 87)
    assert report.repeated == 33
    assert graph.nodes["film 3"] == ("Film", {"nodeId": "film 3", "name": "film 3"})
    assert graph.labels()["director 1"] == "Person"
    assert report.labels == {"Film": 40, "Person": 14, "Genre": 3}
    assert {("Film", "nodeId"), ("Film", "name")} <= graph.indexes
    assert graph.version() == report.version != ""


def test_progress_tells_every_part_to_its_end(tmp_path: Path, graph: FakeGraph, options: ImportOptions) -> None:
    path, shown = put(tmp_path, "kb.tsv", FILMS), Recorder()
    load(graph, [path], options, shown.stage)
    size = path.stat().st_size
    assert shown.parts == [
        ["Reading kb.tsv", "bytes", size, size, True], ["Writing nodes", "nodes", 57, 57, True],
        ["Writing relationships", "relationships", 87, 87, True],
    ]  # fmt: skip


def test_the_same_content_again_changes_nothing(tmp_path: Path, graph: FakeGraph, options: ImportOptions) -> None:
    load(graph, [put(tmp_path, "kb.tsv", FILMS)], options)
    writes, version = graph.writes, graph.version()
    report = load(graph, [put(tmp_path, "copy.tsv", FILMS)], options)
    assert report.status == "unchanged"
    assert report.nodes == 57
    assert (graph.writes, graph.version()) == (writes, version)


def test_after_a_drop_the_same_content_is_imported_again(tmp_path: Path, options: ImportOptions) -> None:
    path = put(tmp_path, "kb.tsv", FILMS)
    load(FakeGraph(), [path], options)
    fresh = FakeGraph()
    assert load(fresh, [path], options).status == "imported"
    assert len(fresh.edges) == 87


def test_other_content_is_added(tmp_path: Path, graph: FakeGraph, options: ImportOptions) -> None:
    first = load(graph, [put(tmp_path, "a.tsv", FILMS)], options)
    more = "film 1\tdirected_by\tdirector 1\nfilm 1\tdirected_by\tsomebody new\n"
    second = load(graph, [put(tmp_path, "b.tsv", more)], options)
    assert second.status == "added"
    assert (second.nodes, second.present) == (3, 2)
    assert len(graph.nodes) == 58
    assert len(graph.edges) == 88
    assert second.version != first.version
    assert load(graph, [tmp_path / "a.tsv"], options).status == "unchanged"


def test_added_nodes_keep_their_label_and_gain_properties(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    load(graph, [put(tmp_path, "kb.tsv", FILMS)], options)
    load(graph, [put(tmp_path, "n.csv", ":ID,:LABEL,year:int\nfilm 1,Movie,1999\nfilm 99,Movie,2001\n")], options)
    assert graph.nodes["film 1"] == ("Film", {"nodeId": "film 1", "name": "film 1", "year": 1999})
    assert graph.nodes["film 99"][0] == "Movie"


def test_edges_may_refer_to_nodes_of_the_graph(tmp_path: Path, graph: FakeGraph, options: ImportOptions) -> None:
    load(graph, [put(tmp_path, "n.csv", ":ID,:LABEL\n1,A\n2,A\n")], options)
    report = load(graph, [put(tmp_path, "e.csv", ":START_ID,:END_ID,:TYPE\n1,2,R\n1,3,R\n")], options)
    assert graph.triples() == [("1", "R", "2")]
    assert [str(line).split(":", 1)[1] for line in report.bad_lines] == [
        "3: the relationship refers to a node `3` that is not given"
    ]


def test_parallel_edges_with_different_properties_are_kept(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    nodes = put(tmp_path, "n.csv", ":ID,:LABEL\n1,A\n2,A\n")
    edges = put(
        tmp_path, "e.csv", ":START_ID,:END_ID,:TYPE,d:date\n1,2,R,2020-01-01\n1,2,R,2021-01-01\n1,2,R,\n1,2,R,\n"
    )
    assert load(graph, [edges, nodes], options).repeated == 1
    assert len(graph.edges) == 3
    load(graph, [nodes, put(tmp_path, "e2.csv", edges.read_text() + "2,1,R,\n")], options)
    assert len(graph.edges) == 4


def test_a_node_given_twice_is_a_bad_line(tmp_path: Path, graph: FakeGraph, options: ImportOptions) -> None:
    report = load(graph, [put(tmp_path, "n.csv", ":ID,:LABEL,name\n1,A,first\n1,A,second\n")], options)
    assert graph.nodes["1"][1]["name"] == "first"
    assert "given already, at" in report.bad_lines[0].reason
    assert report.bad_lines[0].line == 3


def test_rdf_facts_of_one_node_are_joined(tmp_path: Path, graph: FakeGraph, options: ImportOptions) -> None:
    text = """@prefix e: <http://e.org/> . @prefix s: <http://www.w3.org/2004/02/skos/core#> .
    e:a a e:Person, e:Writer ; s:prefLabel "Adele"@de, "Ada"@en ; s:altLabel "A." ; e:n 1, 2.5 ; e:nodeId "mine" .
    e:b e:knows e:a ."""
    load(graph, [put(tmp_path, "g.ttl", text)], options)
    label, properties = graph.nodes["http://e.org/a"]
    assert (label, properties["labels"], properties["name"]) == ("Person", ["Writer"], "Ada")
    assert properties["aliases"] == ["Adele", "A."]
    assert (properties["n"], properties["node_id"]) == ([1.0, 2.5], "mine")
    assert graph.nodes["http://e.org/b"][1]["name"] == "b"


@pytest.mark.parametrize("acknowledged", [True, False])
@pytest.mark.parametrize("adding", [True, False])
def test_an_import_that_stops_anywhere_continues_without_loss_or_doubles(
    tmp_path: Path, options: ImportOptions, acknowledged: bool, adding: bool
) -> None:
    path = put(tmp_path, "kb.tsv", FILMS)
    earlier = [put(tmp_path, "before.tsv", "film 1\tdirected_by\tdirector 1\nx0\tspouse\told\n")] if adding else []

    def begun(state: Path) -> tuple[FakeGraph, ImportOptions]:
        graph, mine = FakeGraph(), ImportOptions(state, batch_size=10)
        for each in earlier:
            load(graph, [each], mine)
        return graph, mine

    whole, theirs = begun(tmp_path / "whole")
    first = whole.writes
    load(whole, [path], theirs)
    for stop_at in range(first + 1, whole.writes + 1):
        graph, mine = begun(tmp_path / f"{stop_at}")

        def stop(number: int, at: int = stop_at) -> None:
            if number == at:
                raise KeyboardInterrupt

        graph.before_write, graph.after_write = (lambda _n: None, stop) if acknowledged else (stop, lambda _n: None)
        with pytest.raises(ImportInterrupted, match="to continue"):
            load(graph, [path], mine)
        assert is_unfinished(graph.version()) is not adding
        load(graph, [path], mine)
        assert graph.triples() == whole.triples()
        assert graph.nodes == whole.nodes
        assert graph.version() == whole.version()


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stops=st.lists(st.integers(1, 12), max_size=4), size=st.integers(1, 40))
def test_any_number_of_stops_gives_the_same_graph(
    tmp_path_factory: pytest.TempPathFactory, stops: list[int], size: int
) -> None:
    folder, graph = tmp_path_factory.mktemp("run"), FakeGraph()
    options = ImportOptions(folder / "state", batch_size=size)
    path = put(folder, "kb.tsv", FILMS)
    for count in stops:
        last = graph.writes + count

        def stop(number: int, at: int = last) -> None:
            if number == at:
                raise DatabaseUnavailable("gone")

        graph.after_write = stop
        try:
            load(graph, [path], options)
        except DatabaseUnavailable:
            continue
    graph.after_write = lambda _number: None
    load(graph, [path], options)
    assert len(graph.nodes) == 57
    assert len(set(graph.triples())) == len(graph.triples()) == 87
    assert not is_unfinished(graph.version())


def test_an_interrupted_import_must_be_finished_before_another(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    path, other = put(tmp_path, "kb.tsv", FILMS), put(tmp_path, "other.tsv", "a\tr\tb\n")

    def stop(number: int) -> None:
        if number == 3:
            raise DatabaseUnavailable("gone")

    graph.before_write = stop
    with pytest.raises(DatabaseUnavailable):
        load(graph, [path], options)
    with pytest.raises(BadInput, match=r"kb.tsv .*interrupted"):
        load(graph, [other], options)
    replacing = ImportOptions(options.state_dir, replace=True)
    assert load(graph, [other], replacing).status == "imported"
    assert graph.triples() == [("a", "r", "b")]


def test_a_lost_journal_does_not_make_half_a_graph_whole(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    def stop(number: int) -> None:
        if number == 3:
            raise DatabaseUnavailable("gone")

    graph.before_write = stop
    with pytest.raises(DatabaseUnavailable):
        load(graph, [put(tmp_path, "kb.tsv", FILMS)], options)
    with pytest.raises(BadInput, match="interrupted"):
        load(graph, [tmp_path / "kb.tsv"], ImportOptions(tmp_path / "elsewhere"))


def test_replace_drops_what_was_there_only_when_the_new_files_are_good(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    load(graph, [put(tmp_path, "kb.tsv", FILMS)], options)
    replacing = ImportOptions(options.state_dir, replace=True)
    version = graph.version()
    with pytest.raises(BadInput):
        load(graph, [put(tmp_path, "bad.tsv", "a\tr\tb\n" * 50 + "a\tr\n" * 12)], replacing)
    assert (len(graph.edges), graph.version()) == (87, version)
    load(graph, [put(tmp_path, "good.tsv", "a\tr\tb\n")], replacing)
    assert graph.triples() == [("a", "r", "b")]


def test_the_same_files_read_otherwise_are_another_version(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another release of Clew may give them other labels; an index of the old ones must not stay current."""
    replacing = replace(options, replace=True)
    path = put(tmp_path, "nodes-Person.csv", "id:ID,name\n1,Ada\n")
    with monkeypatch.context() as patched:
        patched.setattr("clew.tools.ingest.formats.admin_csv._KIND_OF_FILE", re.compile("(?!)"))
        assert load(graph, [path], options).labels == {"nodes-Person": 1}
    before = graph.version()
    assert load(graph, [path], replacing).labels == {"Person": 1}
    assert graph.version() != before
    again = graph.version()
    load(graph, [path], replacing)
    assert graph.version() == again


class Beside:
    """New content beside the old, for graphs in memory."""

    def __init__(self, graph: FakeGraph) -> None:
        self.graph, self.new = graph, None
        self.fail: Callable[[int], None] = lambda _number: None

    def begun(self) -> FakeGraph | None:
        return self.new

    def begin(self) -> FakeGraph:
        self.new = FakeGraph()
        self.new.before_write = self.fail
        return self.new

    def discard(self) -> bool:
        self.new, new = None, self.new
        if new is not None and not is_unfinished(new.version()):
            self.graph.__dict__.update(new.__dict__)
        return new is not None


@given(stop_at=st.integers(1, 12), again=st.booleans())
@settings(max_examples=30)
def test_the_old_graph_stays_until_the_new_one_is_whole(
    tmp_path_factory: pytest.TempPathFactory, stop_at: int, again: bool
) -> None:
    folder, graph = tmp_path_factory.mktemp("replace"), FakeGraph()
    options = ImportOptions(folder / "state", batch_size=10)
    old, new = put(folder, "old.tsv", "a\tr\tb\n"), put(folder, "new.tsv", FILMS)
    version = load(graph, [old], options).version
    beside = Beside(graph)

    def fail(number: int) -> None:
        if number == stop_at:
            raise DatabaseUnavailable("gone")

    beside.fail = fail
    with pytest.raises(DatabaseUnavailable):
        load(graph, [new], replace(options, replace=True), replacement=beside)
    assert (graph.triples(), graph.version()) == ([("a", "r", "b")], version)
    if again:
        assert beside.new is not None
        beside.new.before_write = lambda _number: None
        report = load(graph, [new], replace(options, replace=True), replacement=beside)
        assert report.status == ("continued" if stop_at > 1 else "imported")
        assert len(graph.triples()) == 87
    else:
        assert load(graph, [old], options, replacement=beside).status == "unchanged"
        assert beside.new is None
        assert not (folder / "state" / "fake" / "staged.sqlite").exists()
    assert beside.new is None


@pytest.mark.parametrize(("good", "wrong", "share", "passes"), [(9, 9, 0.01, True), (900, 10, 0.01, False),
                                                                (900, 10, 0.02, True), (0, 3, 1.0, False)])  # fmt: skip
def test_too_many_bad_lines_abort_before_anything_is_written(
    tmp_path: Path, graph: FakeGraph, good: int, wrong: int, share: float, passes: bool
) -> None:
    text = "".join(f"a{i}\tr\tb\n" for i in range(good)) + "a\t\tb\n" * wrong
    options = ImportOptions(tmp_path / "state", max_bad_share=share)
    path = put(tmp_path, "kb.tsv", text)
    if passes:
        report = load(graph, [path], options)
        assert report.bad == wrong
        assert str(report.bad_lines[0]) == f"{path}:{good + 1}: the relation is empty"
    else:
        with pytest.raises(BadInput, match=f"{path}"):
            load(graph, [path], options)
        assert (graph.writes, graph.version(), graph.nodes) == (0, "", {})
        assert not (options.state_dir / "fake" / "staged.sqlite").exists()


def test_only_the_first_bad_lines_are_kept_but_all_are_counted(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    text = "a\tr\tb\n" * 3000 + "a\t\tb\n" * 25
    report = load(graph, [put(tmp_path, "kb.tsv", text)], options)
    assert (report.bad, len(report.bad_lines)) == (25, 20)
    assert "  … and 5 more" in report.summary_lines()


def test_a_label_called_like_a_type_is_renamed_where_the_engine_needs_it(
    tmp_path: Path, options: ImportOptions
) -> None:
    path = put(tmp_path, "n.jsonl", '{"type":"node","id":"1","labels":["Genre"]}\n'
               '{"type":"relationship","label":"Genre","start":{"id":"1"},"end":{"id":"1"}}\n')  # fmt: skip
    graph = FakeGraph()
    assert "Genre_" in " ".join(load(graph, [path], options).notes)
    assert graph.labels() == {"1": "Genre_"}
    neo4j = FakeGraph("neo4j", scope="Mine")
    load(neo4j, [path], ImportOptions(tmp_path / "other"))
    assert neo4j.labels() == {"1": "Genre"}


def test_a_type_called_like_a_label_of_the_graph_is_renamed(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    load(graph, [put(tmp_path, "n.csv", ":ID,:LABEL\n1,Genre\n")], options)
    load(graph, [put(tmp_path, "e.csv", ":START_ID,:END_ID,:TYPE\n1,1,Genre\n")], options)
    assert graph.triples() == [("1", "Genre_", "1")]


def test_two_imports_into_one_graph_do_not_run_at_once(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    path = put(tmp_path, "kb.tsv", FILMS)
    with Journal(options.state_dir, graph.name), pytest.raises(BadInput, match="Another import"):
        load(graph, [path], options)
    assert load(graph, [path], options).status == "imported"


def test_a_write_that_something_else_adds_to_is_noticed(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    def meddle(number: int) -> None:
        if number == 1:
            graph.nodes["stranger"] = ("X", {})

    graph.after_write = meddle
    with pytest.raises(ClewError, match="instead of"):
        load(graph, [put(tmp_path, "kb.tsv", FILMS)], options)
    assert is_unfinished(graph.version())


def test_a_full_disk_is_a_clear_error(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("clew.tools.ingest.staging.Staging._flush", full)
    with pytest.raises(ClewError, match="disk is full"):
        load(graph, [put(tmp_path, "kb.tsv", FILMS)], options)
    assert graph.writes == 0


def test_ctrl_c_while_reading_leaves_nothing(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_arguments: object) -> None:
        raise KeyboardInterrupt

    path = put(tmp_path, "kb.tsv", FILMS)
    with monkeypatch.context() as patch:
        patch.setattr("clew.tools.ingest.staging.Staging._flush", stop)
        with pytest.raises(ImportInterrupted, match="Nothing has been written"):
            load(graph, [path], options)
    assert (graph.writes, graph.version()) == (0, "")
    assert load(graph, [path], options).status == "imported"


def test_no_file_and_mixed_scripts_are_refused(tmp_path: Path, graph: FakeGraph, options: ImportOptions) -> None:
    with pytest.raises(BadInput, match="no file"):
        load(graph, [], options)
    script = put(tmp_path, "x.cypher", "CREATE (n);")
    with pytest.raises(BadInput, match="together"):
        load(graph, [script, put(tmp_path, "kb.tsv", FILMS)], options)
    with pytest.raises(BadInput, match="one graph"):
        load(FakeGraph("neo4j", scope="Mine"), [script], options)


def test_the_report_survives_json_and_says_what_matters(
    tmp_path: Path, graph: FakeGraph, options: ImportOptions
) -> None:
    text = FILMS + "genre 1\thas_genre_inverse\tfilm 1\nbroken\n"
    report = load(graph, [put(tmp_path, "kb.tsv", text)], options)
    assert ImportReport.from_json(report.to_json()) == report
    said = "\n".join(report.summary_lines())
    for part in ("triples: three columns separated by tab", "has_genre_inverse was folded into has_genre", "Film 40",
                 "Bad lines left out: 1", "122: 1 columns instead of 3", "57 nodes and 87 relationships"):  # fmt: skip
        assert part in said
    nodes = load(graph, [put(tmp_path, "n.csv", ":ID,:LABEL,title\n1,Book,Emma\n")], options)
    assert "Names from: Book.title." in nodes.summary_lines()
