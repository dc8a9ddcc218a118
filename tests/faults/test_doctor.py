"""`clew doctor` finds every damage, repairs what can be made again, and deletes nothing else."""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from chromadb.api.shared_system_client import SharedSystemClient

import clew
from clew.app.api.client import Client
from clew.app.settings import load_settings
from clew.tools.graph.store import daemon
from clew.tools.sqlite_files import damage_of, rescue
from tests.conftest import NO_NEO4J
from tests.faults.asking import flaws
from tests.faults.conftest import Damaged, full_suite
from tests.faults.world import (
    GRAPH,
    QUESTIONS,
    deleted,
    emptied,
    kept_files,
    overwritten,
    replaced,
    truncated,
    write_files,
)

DERIVED = {
    "entities": "names", "snapshot": "snapshot", "texts": "texts", "similar": "similar nodes",
    "document-index": "document index", "document-skeleton": "document skeleton", "phrases": "stored phrases",
    "dense": "meanings of names", "values.json": "stored values", "schema.json": "schema",
}  # fmt: skip
"""By file or folder of a graph, the part that it is."""
DAMAGES = [overwritten, truncated, replaced, emptied]


def states(home: Path, *, repair: bool = False) -> dict[str, tuple[str, bool]]:
    """By part its state, and whether it was repaired. Each part comes once."""
    SharedSystemClient.clear_system_cache()  # As in a process of its own.
    with Client(load_settings(home=home)) as client:
        found = list(client.examine(repair=repair))
    assert len({(each.graph, each.part) for each in found}) == len(found)
    assert all(each.remedy for each in found if each.state != "sound"), [
        each for each in found if each.state != "sound"
    ]
    return {each.part: (each.state, each.repaired) for each in found}


@pytest.mark.timeout(600)
def test_a_sound_home_is_sound_and_stays_as_it_is(damaged: Damaged) -> None:
    damaged.restore()
    before = {path: (damaged.home / path).read_bytes() for path in kept_files(damaged.home, database=False)}
    found = states(damaged.home)
    assert set(DERIVED.values()) | {"graph", "documents", "traces", "conversations", "tokens"} <= set(found)
    assert {state for state, _ in found.values()} == {"sound"}, found
    after = {path: (damaged.home / path).read_bytes() for path in kept_files(damaged.home, database=False)}
    changed = {str(path) for path in before if after.get(path) != before[path]}
    assert not {path for path in changed if "sqlite" not in path and "/dense/" not in path}, "Chroma alone writes"


@pytest.mark.timeout(600)
def test_every_derived_part_is_found_damaged_and_made_again(damaged: Damaged) -> None:
    """All at once; each in a way of its own."""
    damaged.restore()
    folder, parts = damaged.home / "graphs" / GRAPH, set[str]()
    for number, (name, part) in enumerate(DERIVED.items()):
        place = folder / name
        files = [place] if place.is_file() else sorted(path for path in place.rglob("*.npy") if path.stat().st_size)
        if name == "dense":
            overwritten_database(place / "chroma.sqlite3")
        else:
            DAMAGES[number % len(DAMAGES)](files[len(files) // 2])
        parts.add(part)
    found = states(damaged.home)
    assert {part for part, (state, _) in found.items() if state == "damaged"} >= parts - {"stored values"}, found
    repaired = states(damaged.home, repair=True)
    assert {state for state, _ in repaired.values()} == {"sound"}, repaired
    assert {state for state, _ in states(damaged.home).values()} == {"sound"}
    assert not flaws(QUESTIONS, damaged.said, again := damaged.asker.ask(QUESTIONS)), again
    assert [each.answers for each in again][:4] == [each.answers for each in damaged.said][:4]


def overwritten_database(path: Path) -> None:
    """Overwrite all of a SQLite file but its first page."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + os.urandom(len(whole) - 4096))


@pytest.mark.timeout(600)
def test_what_cannot_be_made_again_is_told_and_kept(damaged: Damaged) -> None:
    damaged.restore()
    folder = damaged.home / "graphs" / GRAPH
    replaced(folder / "glosses.toml")
    replaced(damaged.home / "tokens.json")
    spoilt = {path: path.read_bytes() for path in (folder / "glosses.toml", damaged.home / "tokens.json")}
    found = states(damaged.home, repair=True)
    assert [found[part][0] for part in ("glosses", "tokens")] == ["damaged", "damaged"]
    assert {path: path.read_bytes() for path in spoilt} == spoilt
    damaged.restore()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["traces.sqlite", "conversations.sqlite"])
def test_rows_that_can_be_read_are_taken_over(damaged: Damaged, name: str) -> None:
    damaged.restore()
    path = damaged.home / name
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("CREATE TABLE IF NOT EXISTS padding (x)")
        db.executemany("INSERT INTO padding VALUES (?)", [("x" * 3000,) for _ in range(20)])
        db.commit()
        table = "runs" if name == "traces.sqlite" else "session_turns"
        rows = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    assert rows
    whole = bytearray(path.read_bytes())
    whole[-8192:-4096] = os.urandom(4096)  # A page of the padding.
    path.write_bytes(bytes(whole))
    assert damage_of(path)
    part = "traces" if name == "traces.sqlite" else "conversations"
    assert states(damaged.home)[part] == ("damaged", False)
    assert states(damaged.home, repair=True)[part] == ("sound", True)
    assert not damage_of(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] >= rows
    assert len(list(damaged.home.glob(f"{name}.rescued-*"))) == 1, "the damaged file stays"
    damaged.restore()


def test_rows_around_a_damaged_page_are_rescued(tmp_path: Path) -> None:
    broken, path = tmp_path / "broken.sqlite", tmp_path / "new.sqlite"
    table = "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)"
    with closing(sqlite3.connect(broken)) as db, db:
        db.execute(table)
        db.executemany("INSERT INTO t VALUES (?, ?)", [(n, "x" * 1000) for n in range(100)])
    whole = bytearray(broken.read_bytes())
    whole[12 * 4096 : 13 * 4096] = os.urandom(4096)
    broken.write_bytes(bytes(whole))
    with closing(sqlite3.connect(path)) as db:
        db.execute(table)
        added = rescue(broken, db)
        ids = [row[0] for row in db.execute("SELECT id FROM t")]
    assert len(ids) == added >= 90
    assert {0, 99} <= set(ids)


@pytest.mark.timeout(600)
def test_an_index_that_differs_from_its_graph_is_stale(damaged: Damaged) -> None:
    damaged.restore()
    with Client(load_settings(home=damaged.home)) as client:
        store = client.store(GRAPH)
        store.write("MATCH (f:Film {nodeId: 'f1'}) SET f.name = 'Red Harbour'")
    try:
        found = states(damaged.home)
        assert {part for part, (state, _) in found.items() if state == "stale"} >= {"names", "snapshot", "texts"}
        repaired = states(damaged.home, repair=True)
        assert repaired["names"] == repaired["snapshot"] == repaired["texts"] == ("sound", True)
        [said] = damaged.asker.ask([("ask", "who directed Red Harbour?", "--json")])
        assert said.answers == ["Bo Chan"]
    finally:
        daemon.stop(damaged.home)
        damaged.restore(database=True)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("damage", [truncated, pytest.param(deleted, marks=full_suite)])
def test_a_graph_that_cannot_be_opened_does_not_block_the_others(
    damaged: Damaged, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    (tmp_path / "kb.txt").write_text("Heat|directed_by|Michael Mann\n")
    damaged.asker.ask([("import", str(tmp_path / "kb.txt"), "--graph", "other")])
    daemon.stop(damaged.home)
    try:
        place = damaged.home / "database" / "databases" / GRAPH
        damage(place / "configuration.json" if damage is truncated else next(place.glob("dictionary.*.dict")))
        ask = ("ask", "who directed Heat?", "--graph", "other", "--json")
        first, second, gone, doctor = damaged.asker.ask([ask, ask, ("ask", "who?", "--graph", GRAPH), ("doctor",)])
        assert first.answers == second.answers == ["Michael Mann"]
        assert "damaged" in first.told
        assert (gone.status, doctor.status) == (1, 1)
        assert len(list((damaged.home / "database" / "damaged").glob(f"{GRAPH}-*/schema.json"))) == 1
    finally:
        daemon.stop(damaged.home)
        damaged.restore(database=True)


@pytest.mark.timeout(600)
def test_the_table_and_json_of_the_command(damaged: Damaged, capsys: pytest.CaptureFixture[str]) -> None:
    from clew.app.cli import run

    damaged.restore()
    overwritten(next((damaged.home / "graphs" / GRAPH / "entities").glob("data-*/ids.text.npy")))
    capsys.readouterr()
    assert run(["--home", str(damaged.home), "doctor", "--graph", GRAPH]) == 1
    out, err = capsys.readouterr()
    [line] = [line for line in out.splitlines() if line.startswith("films  names ")]
    assert "damaged" in line
    assert "the content of ids.text.npy has changed" in line
    assert "clew doctor --repair" in line
    assert "are not sound" in err
    assert run(["--home", str(damaged.home), "doctor", "--repair", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert next(each for each in found if each["repaired"])["part"] == "names"
    assert run(["--home", str(damaged.home), "doctor", "--graph", "unheard-of"]) == 1


@pytest.mark.timeout(600)
def test_the_indexes_of_a_graph_in_neo4j(tmp_path: Path) -> None:
    if "NEO4J_URI" not in os.environ:
        pytest.skip(NO_NEO4J)
    url, user, password = (os.environ[f"NEO4J_{name}"] for name in ("URI", "USERNAME", "PASSWORD"))
    name = f"doctor-{uuid.uuid4().hex[:8]}"
    with clew.connect(name, home=tmp_path / "home", url=url, user=user, password=password) as graph:
        try:
            graph.import_files(*write_files(tmp_path / "films"))
            assert [each.name for each in graph.ask("who directed Amber Road?")] == ["Ann Lee"]
            overwritten(next((graph.files.folder / "entities").glob("data-*/ids.text.npy")))
            truncated(graph.files.schema_file)
            found = {each.part: each.state for each in graph.client.examine(name)}
            assert (found["graph"], found["names"], found["schema"]) == ("sound", "damaged", "damaged")
            repaired = list(graph.client.examine(name, repair=True))
            assert {each.state for each in repaired} == {"sound"}, repaired
            graph.files.store.write("MATCH (f:Film {nodeId: 'f1'}) SET f.name = 'Red Harbour'")
            found = {each.part: each.state for each in graph.client.examine(name)}
            assert (found["graph"], found["names"]) == ("sound", "stale")
        finally:
            graph.client.drop(name)
