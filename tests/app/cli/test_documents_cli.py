"""`clew documents` on real graphs in the embedded database."""

from __future__ import annotations

import json
import signal
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.app.cli import run
from tests.command_processes import CommandProcess
from tests.conftest import Said
from tests.film_facts import FACTS
from tests.tools.documents.document_bombs import word_bomb

pytestmark = pytest.mark.usefixtures("at_home")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "mann.md").write_text(
        "# Nights\n\nMichael Mann shot Collateral at night.\n\n## Sound\n\nMann likes sound.\n"
    )
    (folder / "cast.csv").write_text("film,actor\nHeat,Al Pacino\nCasino,Sharon Stone\n")
    return folder


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("facts") / "films.txt"
    path.write_text(FACTS, encoding="utf-8")
    name, where = f"films-{uuid.uuid4().hex[:8]}", ["--home", str(clew_home)]
    assert run([*where, "import", str(path), "--graph", name]) == 0
    yield name
    assert run([*where, "drop", name, "--yes"]) == 0


@pytest.fixture
def alone(clew_home: Path) -> Iterator[str]:
    """The name of a graph that is not there yet."""
    name = f"notes-{uuid.uuid4().hex[:8]}"
    yield name
    run(["--home", str(clew_home), "drop", name, "--yes"])


def test_adding_listing_showing_and_removing(said: Said, films: str, notes: Path) -> None:
    out = said("documents", "add", notes, "--graph", films)[0]
    assert "2 documents added, 0 changed, 0 unchanged: 3 chunks, 1 table." in out
    assert f"{films} has 2 documents: 3 chunks," in out
    assert "0 documents added, 0 changed, 2 unchanged." in said("documents", "add", notes, "--graph", films)[0]

    listed = json.loads(said("documents", "list", "--graph", films, "--json")[0])
    assert [(each["title"], each["chunks"], each["tables"]) for each in listed] == [("cast", 1, 1), ("Nights", 2, 0)]
    text = said("documents", "list", "--graph", films)[0]
    assert str(notes / "mann.md") in text

    shown = said("documents", "show", notes / "mann.md", "--graph", films)[0]
    assert "Michael Mann shot Collateral at night." in shown
    assert "mentions: Michael Mann → " in shown
    assert ", Sound" in shown
    assert "2 chunks, 0 tables, " in shown
    document = json.loads(said("documents", "show", notes / "cast.csv", "--graph", films, "--json")[0])
    (chunk,) = document["chunks"]
    assert (chunk["kind"], chunk["header"], chunk["place"]) == ("table", ["film", "actor"], "rows 1-2")
    assert {each["surface"] for each in chunk["mentions"]} >= {"Al Pacino", "Sharon Stone"}
    assert "film: Heat; actor: Al Pacino" in said("documents", "show", chunk["id"], "--graph", films)[0]

    (row,) = [each for each in json.loads(said("graphs", "--json")[0]) if each["name"] == films]
    assert row["documents"] == 2
    assert "1 document removed." in said("documents", "remove", str(notes / "*.csv"), "--graph", films)[1]
    assert "No document is called" in said("documents", "show", notes / "cast.csv", "-g", films, status=1)[1]
    assert "1 document removed." in said("documents", "remove", "--all", "--graph", films)[1]
    assert "There is no document yet" in said("documents", "list", "--graph", films)[1]


def test_searching_and_the_edges_that_are_followed(said: Said, alone: str, notes: Path) -> None:
    said("documents", "add", notes, "--graph", alone)
    search = ("documents", "search", "Who shot at night?", "--graph", alone)
    assert said(*search)[0].startswith("[Nights")
    sage = json.loads(said(*search, "--mode", "sage", "-k", "2", "--edges", "parent", "--json")[0])
    assert [each["title"] for each in sage] == ["Nights", "Nights"]
    assert sage[1]["via"]["chunk"] == sage[0]["id"]
    assert sage[1]["via"]["reasons"][-1] == "next in the document"
    assert "  beside " in said(*search, "--mode", "sage", "-k", "2", "--edges", "parent")[0]
    assert "via" not in said(*search, "--mode", "sage", "--edges", "none", "--json")[0]
    assert "There is no kind of edges" in said(*search, "--mode", "sage", "--edges", "friends", status=1)[1]

    shown = said("documents", "show", sage[0]["id"], "--graph", alone, "--edges")[0]
    assert f"  edge to {sage[1]['id']} [Nights]: " in shown
    [chunk] = json.loads(said("documents", "show", sage[0]["id"], "--graph", alone, "--edges", "--json")[0])["chunks"]
    assert sage[1]["id"] in {edge["chunk"] for edge in chunk["edges"]}

    assert "keywords and 6 sub-chunks" in said("documents", "keywords", "--graph", alone, "--splits", "1")[0]
    assert (
        "entities" in said("documents", "skeleton", "--graph", alone, "--rules", "--core", "uniform", "--beta", "1")[0]
    )
    ket = json.loads(said(*search, "--mode", "ket", "--splits", "1", "--tokens", "60", "--json")[0])
    assert any("fact" in each for each in ket)
    parts = [each["id"] for each in ket if "id" in each]
    assert parts
    assert all("#" in id for id in parts)
    assert said("documents", "show", parts[0], "--graph", alone)[0].startswith(("Nights", "cast"))
    assert "is deleted" in said("documents", "keywords", "--graph", alone, "--remove")[1]


def test_bad_files_are_named_and_the_status_says_so(said: Said, films: str, notes: Path) -> None:
    (notes / "broken.pdf").write_bytes(b"%PDF-1.4\n")
    (notes / "program.py").write_text("x")
    out = said("documents", "add", notes, notes / "missing.md", "--graph", films, status=1)[0]
    assert "Could not be read: 2" in out
    assert "broken.pdf is damaged, or not a PDF" in out
    assert "missing.md: no such file. Check the path." in out
    assert "Passed over, of kinds that are not read: 1 (.py 1)." in out
    assert "2 documents added" in out
    report = json.loads(said("documents", "add", notes, "--graph", films, "--json", status=1)[0])
    assert (report["unchanged"], len(report["bad"]), report["unknown"]) == (2, 1, {".py": 1})
    assert report["kept"]["documents"] == 2
    said("documents", "remove", "--all", "--graph", films)


@pytest.mark.parametrize(
    ("setting", "value", "why"),
    [("TEXT_MB", "0.0001", "0.0001 MB for what it holds"), ("SECONDS", "0.001", "0.001 s")],
)
def test_the_bounds_of_a_document_are_settings(
    said: Said, films: str, notes: Path, monkeypatch: pytest.MonkeyPatch, setting: str, value: str, why: str
) -> None:
    monkeypatch.setenv(f"CLEW_DOCUMENT_{setting}", value)
    out = said("documents", "add", notes, "--graph", films, status=1)[0]
    assert f"mann.md takes more than {why}." in out
    assert f"or raise CLEW_DOCUMENT_{setting}." in out
    assert "1 document added" in out
    said("documents", "remove", "--all", "--graph", films)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds memory")
def test_the_memory_of_a_document_is_a_setting(
    said: Said, films: str, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEW_DOCUMENT_MEMORY_MB", "150")
    word_bomb(notes / "bomb.docx", "<w:p>" + "<w:r/>" * 2_000_000 + "</w:p>")
    out = said("documents", "add", notes, "--graph", films, status=1)[0]
    assert "bomb.docx takes more than 150 MB of memory." in out
    assert "or raise CLEW_DOCUMENT_MEMORY_MB." in out
    assert "2 documents added" in out
    said("documents", "remove", "--all", "--graph", films)


def test_a_graph_of_documents_alone(said: Said, alone: str, notes: Path, clew_home: Path) -> None:
    out = said("documents", "add", notes, "--graph", alone)[0]
    assert f"{alone} has 2 documents: 3 chunks." in out
    (row,) = [each for each in json.loads(said("graphs", "--json")[0]) if each["name"] == alone]
    assert (row["nodes"], row["documents"]) == (0, 2)
    folder = clew_home / "graphs" / alone
    assert (folder / "documents").is_dir()
    said("drop", alone, "--yes")
    assert not folder.exists()


def test_an_import_links_the_documents_that_are_there(said: Said, alone: str, notes: Path, tmp_path: Path) -> None:
    said("documents", "add", notes, "--graph", alone)
    facts = tmp_path / "films.txt"
    facts.write_text(FACTS, encoding="utf-8")
    said("import", facts, "--graph", alone)
    shown = json.loads(said("documents", "show", notes / "mann.md", "--graph", alone, "--json")[0])
    assert {each["surface"] for chunk in shown["chunks"] for each in chunk["mentions"]} >= {
        "Michael Mann",
        "Collateral",
    }


def test_wrong_usage_is_refused(said: Said, films: str, notes: Path) -> None:
    assert "Name documents, or give --all" in said("documents", "remove", "--graph", films, status=2)[1]
    assert "There is no graph “nosuch”" in said("documents", "list", "--graph", "nosuch", status=1)[1]
    assert "too small" in said("documents", "add", notes, "--graph", films, "--most", "3", status=1)[1]
    assert "no encoding 'klingon'" in said("documents", "add", notes, "-g", films, "--encoding", "klingon", status=1)[0]


def test_chunking_is_chosen_and_remembered(said: Said, films: str, notes: Path) -> None:
    (notes / "long.txt").write_text("word " * 300)
    said("documents", "add", notes, "-g", films, "--chunking", "tokens", "--most", "50", "--overlap", "5")
    document = json.loads(said("documents", "show", notes / "long.txt", "-g", films, "--json")[0])
    assert len(document["chunks"]) > 5
    assert "3 unchanged" in said("documents", "add", notes, "-g", films)[0]
    assert "3 changed" in said("documents", "add", notes, "-g", films, "--chunking", "semantic")[0]
    said("documents", "remove", "--all", "-g", films)


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(
    said: Said, alone: str, tmp_path: Path, clew_home: Path
) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(120):
        (many / f"{number:03}.txt").write_text(f"Document {number}. " + "Some words more. " * 15)
    database = clew_home / "graphs" / alone / "documents" / "documents.sqlite"
    process = CommandProcess(clew_home, "documents", "add", str(many), "--graph", alone)
    end = time.monotonic() + 60
    while not database.exists() and process.returncode is None and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Run the same command again to continue." in err
    kept = len(json.loads(said("documents", "list", "--graph", alone, "--json")[0]))
    assert 0 <= kept < 120
    assert (
        f"{120 - kept} documents added, 0 changed, {kept:,} unchanged" in said("documents", "add", many, "-g", alone)[0]
    )
