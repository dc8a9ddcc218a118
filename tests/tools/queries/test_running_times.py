"""Running times in texts: which properties have them, and that the databases read as many seconds as Python does."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator

import pytest

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.follow_ups.stored_forms import restored, stored
from clew.tools.queries.reading.forms.form import Form, Value
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.running_times import Lasting, in_seconds
from tests.tools.queries.question_readings import best_reading, reader_of

RECORDS = Schema(
    {"Track": 40, "Album": 4},
    (Relation("HAS_ALBUM", "Track", "Album", 40),),
    (
        Property("Track", "name", "STRING", 40, ("T0", "T1")),
        Property("Track", "length", "STRING", 38, ("4:35", "12:10", "1:02:07")),
        Property("Album", "name", "STRING", 4, ("Sluice", "Harbour")),
    ),
    "1",
)  # fmt: skip
ALBUMS = {name: Entity(name, name, "Album") for name in ("Sluice", "Harbour", "Orrery", "Saga")}
TEXTS = {
    "colons": lambda s: f"{s // 3600}:{s // 60 % 60:02}:{s % 60:02}" if s >= 3600 else f"{s // 60}:{s % 60:02}",
    "units": lambda s: " ".join(f"{n} {u}" for n, u in ((s // 3600, "h"), (s // 60 % 60, "min")) if n) or "0 min",
}


@pytest.fixture(scope="module")
def records(any_database: BoltDatabase) -> Iterator[tuple[GraphStore, dict[str, int | None], dict[str, str]]]:
    """A graph of tracks, their lengths in seconds and their albums; two have no length."""
    graph, chance = any_database.open(f"records-{uuid.uuid4().hex[:12]}", create=True), random.Random(5)
    lengths = {f"T{i}": None if i in (3, 17) else chance.randrange(30, 5000) for i in range(40)}
    albums = {name: chance.choice(list(ALBUMS)) for name in lengths}
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    for label in ("Track", "Album"):
        graph.ensure_index(label, "nodeId")
    graph.write(f"UNWIND $names AS name CREATE (:Album{scope} {{nodeId: name, name: name}})", {"names": list(ALBUMS)})
    rows = [
        {
            "nodeId": name, "name": name, "album": albums[name],
            **({} if s is None else {"length": TEXTS["colons"](s), "cooking": TEXTS["units"](s)}),
        }
        for name, s in lengths.items()
    ]  # fmt: skip
    graph.write(
        f"UNWIND $rows AS row MATCH (a:Album{scope} {{nodeId: row.album}}) "
        f"CREATE (t:Track{scope} {{nodeId: row.nodeId, name: row.name, length: row.length, cooking: row.cooking}}) "
        "CREATE (t)-[:HAS_ALBUM]->(a)",
        {"rows": [{"length": None, "cooking": None, **row} for row in rows]},
    )
    yield graph, lengths, albums
    any_database.drop(graph.name)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(RECORDS, ALBUMS)


@pytest.mark.parametrize(("name", "notation"), [("length", "colons"), ("cooking", "units")])
def test_the_seconds_of_texts(
    records: tuple[GraphStore, dict[str, int | None], dict[str, str]], name: str, notation: str
) -> None:
    graph, lengths, _ = records
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    seconds = Lasting(name, notation).cypher("t")  # type: ignore[arg-type]
    rows = graph.read(f"MATCH (t:Track{scope}) RETURN t.name AS name, {seconds} AS value", {}).records
    exact = {n: s if s is None or notation == "colons" else s // 60 * 60 for n, s in lengths.items()}
    assert {row["name"]: row["value"] for row in rows} == exact


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("which tracks are longer than ten minutes?", lambda s: s > 600),
        ("which tracks are shorter than three minutes?", lambda s: s < 180),
        ("which tracks last more than an hour?", lambda s: s > 3600),
    ],
)
def test_tracks_by_their_length(
    reader: Reader, records: tuple[GraphStore, dict[str, int | None], dict[str, str]], question: str, kept: object
) -> None:
    graph, lengths, _ = records
    query = render(best_reading(reader, question, {}).form, graph.terms, reader.wider)
    found = {row["name"] for row in graph.read(query.cypher, query.parameters).records}
    assert found == {name for name, s in lengths.items() if s is not None and kept(s)}  # type: ignore[operator]


@pytest.mark.parametrize(("question", "best"), [("what is the longest track?", max), ("the shortest track", min)])
def test_the_longest_track_is_no_text(
    reader: Reader, records: tuple[GraphStore, dict[str, int | None], dict[str, str]], question: str, best: object
) -> None:
    graph, lengths, _ = records
    query = render(best_reading(reader, question, {}).form, graph.terms, reader.wider)
    known = {name: s for name, s in lengths.items() if s is not None}
    rows = graph.read(query.cypher, query.parameters).records
    assert {row["name"] for row in rows} == {n for n, s in known.items() if s == best(known.values())}  # type: ignore[operator]


@pytest.mark.parametrize("album", ALBUMS)
def test_what_an_album_comes_to(
    reader: Reader, records: tuple[GraphStore, dict[str, int | None], dict[str, str]], album: str
) -> None:
    graph, lengths, albums = records
    form = best_reading(reader, f"what is the total length of the tracks of {album}?", ALBUMS).form
    query = render(form, graph.terms, reader.wider)
    (row,) = graph.read(query.cypher, query.parameters).records
    assert row["value"] == sum(s for name, s in lengths.items() if s is not None and albums[name] == album)
    assert form.value is not None
    assert isinstance(form.value.property, Lasting)


@pytest.mark.parametrize(
    ("name", "examples", "lasting"),
    [
        ("length", ("4:35", "12:10"), True),
        ("Time", ("0:19:47", "38:27"), True),
        ("marathon_pb", ("3:10:57",), True),
        ("prep", ("25 min", "1 h 20 min", "1h5m", "2 hours"), True),
        ("starts", ("18:30", "09:15"), False),
        ("time", ("07:44", "12:21"), False),
        ("order_by", ("11:30:00", "17:30:00"), False),
        ("ends_at", ("0:45:10",), False),
        ("score", ("3:1", "2:2"), False),
        ("length", ("12 m", "8.5 m"), False),
        ("prep", ("45 m", "1 h 20 m"), True),
        ("mobile", ("07653 271024",), False),
        ("name", ("8 x 400m", "Ladder"), False),
    ],
)
def test_which_texts_are_running_times(name: str, examples: tuple[str, ...], lasting: bool) -> None:
    found = in_seconds(Property("Any", name, "STRING", 9, examples))
    assert isinstance(found.name, Lasting) is lasting
    assert found.name == name


@pytest.mark.parametrize(
    ("notation", "seconds", "text"),
    [("colons", 632, "10:32"), ("colons", 6128, "1:42:08"), ("units", 4800, "1 h 20 min"), ("units", 0, "0 min")],
)
def test_seconds_are_written_as_the_property_is(notation: str, seconds: float, text: str) -> None:
    assert Lasting("length", notation).written(seconds) == text  # type: ignore[arg-type]


def test_a_conversation_keeps_running_times(reader: Reader) -> None:
    form = Form("number", best_reading(reader, "tracks", {}).form.nodes, Value(Lasting("length", "colons")), "sum")
    again = restored(stored(form))
    assert again == form
    assert isinstance(again.value.property, Lasting)
    assert again.value.property.notation == "colons"
    assert words(form) == words(again)
