"""Documents beside a graph: added by content, replaced and removed, whatever interrupts."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.tools.documents.adding import AddReport, add_documents, last_chunking
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.reading.options import ReadingOptions
from clew.tools.documents.sources import find_sources
from clew.tools.documents.store.database import changing
from clew.tools.documents.store.records import Document, document_id
from clew.tools.documents.store.selection import selected, short_id
from clew.tools.documents.store.store import DocumentStore
from clew.tools.errors import BadInput, ClewError
from tests.tools.documents.document_chunks import put, some_chunks
from tests.tools.linking.letters import Letters


@pytest.fixture
def store(tmp_path: Path) -> DocumentStore:
    return DocumentStore(tmp_path / "documents")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("one", "two", "three"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nThis is what {name} says.\n")
    return folder


def add(store: DocumentStore, *paths: Path, chunking: Chunking | None = None, encoding: str | None = None) -> AddReport:
    report, done = AddReport(), list[int]()
    sources = find_sources(paths)
    add_documents(store, sources, chunking or Chunking(), Letters(), done.append, report, ReadingOptions(encoding))
    assert done == list(range(1, len(sources.files) + 1))
    return report


def counts(report: AddReport) -> tuple[int, int, int, int]:
    return report.added, report.changed, report.unchanged, len(report.bad)


def test_an_empty_store_has_nothing_and_leaves_nothing(store: DocumentStore) -> None:
    assert (store.version, store.documents(), list(store.chunks()), list(store.mentions())) == ("", [], [], [])
    assert (store.get(["x"]), store.document("x"), store.mentioning(["x"]), store.remove(["x"])) == ([], None, [], 0)
    assert store.totals().chunks == 0
    assert not store.directory.exists()


def test_what_is_added_is_read_back_in_order(store: DocumentStore, notes: Path) -> None:
    assert counts(add(store, notes)) == (3, 0, 0, 0)
    found = {document.title: document for document in store.documents()}
    assert set(found) == {"one", "two", "three"}
    one = found["one"]
    assert (one.source, one.id) == (str(notes.resolve() / "one.md"), document_id(one.source))
    (chunk,) = store.chunks(one.id)
    assert chunk.text == "one\nThis is what one says."
    assert store.get([chunk.id, "unknown", chunk.id]) == [chunk, chunk]
    assert store.document(one.id) == one == store.at(one.source)
    assert len(list(store.chunks())) == store.totals().chunks == 3


def test_only_what_has_changed_is_read_again(store: DocumentStore, notes: Path) -> None:
    add(store, notes)
    before = {chunk.document: chunk for chunk in store.chunks()}
    version = store.version
    assert counts(add(store, notes)) == (0, 0, 3, 0)
    assert store.version == version
    (notes / "two.md").write_text("# two\n\nSomething else.\n")
    assert counts(add(store, notes)) == (0, 1, 2, 0)
    after = {chunk.document: chunk for chunk in store.chunks()}
    assert [id for id in before if before[id] != after[id]] == [document_id(str(notes.resolve() / "two.md"))]
    assert store.version != version
    assert counts(add(store, notes, chunking=Chunking(most=100))) == (0, 3, 0, 0)


def test_the_version_names_the_set_of_documents_whatever_the_order(tmp_path: Path, notes: Path) -> None:
    one, other = DocumentStore(tmp_path / "a"), DocumentStore(tmp_path / "b")
    files = sorted(notes.iterdir())
    add(one, *files)
    add(other, *reversed(files))
    assert one.version == other.version
    assert list(one.chunks()) == list(other.chunks())
    removed = one.documents()[0]
    one.remove([removed.id])
    assert one.version not in ("", other.version)
    add(one, notes)
    assert one.version == other.version
    one.remove(document.id for document in one.documents())
    assert (one.version, one.totals().documents, list(one.chunks())) == ("", 0, [])


def test_the_settings_of_the_last_document_are_taken_up(store: DocumentStore, notes: Path) -> None:
    assert last_chunking(store) == Chunking()
    chunking = Chunking("tokens", most=50, overlap=10)
    add(store, notes, chunking=chunking)
    assert last_chunking(store) == chunking
    semantic = Chunking("semantic", most=90, least=30)
    add(store, notes, chunking=semantic)
    assert last_chunking(store) == semantic


def test_an_encoding_that_was_said_once_is_kept(store: DocumentStore, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\u0416\u0438\u0437\u043d\u044c".encode("cp1251"))
    assert counts(add(store, path)) == (0, 0, 0, 1)
    assert counts(add(store, path, encoding="cp1251")) == (1, 0, 0, 0)
    path.write_bytes("\u0416\u0438\u0437\u043d\u044c 2".encode("cp1251"))
    assert counts(add(store, path)) == (0, 1, 0, 0)


def test_bad_files_are_named_and_the_rest_is_added(store: DocumentStore, notes: Path, tmp_path: Path) -> None:
    (notes / "bad.pdf").write_bytes(b"%PDF-1.4 broken")
    (notes / "empty.md").write_text("")
    (notes / "blank.md").write_text(" \n\n")
    (notes / "gone.md").symlink_to(tmp_path / "nowhere.md")
    report = add(store, notes, tmp_path / "missing.txt")
    assert counts(report) == (3, 0, 0, 5)
    said = "\n".join(report.summary_lines())
    for name in ("bad.pdf", "empty.md", "blank.md", "gone.md", "missing.txt"):
        assert name in said
    assert all(each.remedy for each in report.bad)
    assert len(store.documents()) == 3


def test_a_file_that_is_bad_from_some_row_on_leaves_nothing_and_takes_nothing(
    store: DocumentStore, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("film,year\n" + "Jaws,1975\n" * 2000)
    add(store, path)
    before = list(store.chunks())
    path.write_text("film,year\n" + "Alien,1979\n" * 2000 + "a,b,c\n")
    report = add(store, path)
    assert counts(report) == (0, 0, 0, 1)
    assert "table.csv:2002:" in report.bad[0].message
    assert list(store.chunks()) == before
    with sqlite3.connect(store.path) as db:
        assert db.execute("SELECT count(*) FROM chunks").fetchone() == (200,)


def test_folders_are_walked_without_hidden_and_unknown_files(notes: Path, tmp_path: Path) -> None:
    deep = notes / "sub" / "deeper"
    deep.mkdir(parents=True)
    (deep / "four.TXT").write_text("four")
    (notes / ".hidden").mkdir()
    (notes / ".hidden" / "secret.md").write_text("x")
    (notes / ".dot.md").write_text("x")
    (notes / "program.py").write_text("x")
    (notes / "Makefile").write_text("x")
    os.mkfifo(notes / "pipe.md")
    (deep / "circle").symlink_to(notes)
    (notes / "again.md").symlink_to(notes / "one.md")
    found = find_sources([notes, notes / "one.md", deep])
    names = [path.name for path in found.files]
    assert sorted(names) == ["four.TXT", "one.md", "pipe.md", "three.md", "two.md"]
    assert (found.hidden, dict(found.unknown), found.bad) == (2, {".py": 1, "no ending": 1}, [])
    assert find_sources([notes / ".dot.md"]).files == [(notes / ".dot.md").resolve()]


def test_a_pipe_is_not_waited_for(store: DocumentStore, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    report = add(store, tmp_path / "pipe.md")
    assert "pipe.md is not a file" in report.bad[0].message


def test_a_link_to_itself_is_bad_and_nothing_more(store: DocumentStore, tmp_path: Path) -> None:
    (tmp_path / "self.md").symlink_to(tmp_path / "self.md")
    assert counts(add(store, tmp_path / "self.md")) == (0, 0, 0, 1)


def test_names_that_are_not_utf_8_are_named(store: DocumentStore, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    try:
        with open(path, "w") as file:
            file.write("x")
    except OSError:
        pytest.skip("This file system has no such names.")
    assert "not UTF-8" in add(store, Path(os.fsdecode(path))).bad[0].message


def test_documents_are_selected_by_id_path_folder_and_pattern(
    store: DocumentStore, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, notes)
    documents = store.documents()
    one = documents[0]
    monkeypatch.chdir(notes)
    for wanted in (one.id, short_id(one), short_id(one)[:4], "one.md", str(notes / "one.md"), "o*.md", "on?.md"):
        assert [each.title for each in selected(documents, [wanted])] == ["one"]
    assert len(selected(documents, ["."])) == 3
    assert len(selected(documents, ["t*"])) == 2
    for wrong in ("", "four.md", "x*", "doc", one.id[:11]):
        with pytest.raises(BadInput, match="No document is called"):
            selected(documents, [wrong])


def test_a_document_that_is_interrupted_leaves_what_was_there(store: DocumentStore) -> None:
    put(store, "a", 30)
    version = store.version

    def interrupted() -> Iterator[Chunk]:
        yield from some_chunks("a", 1200)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.put(Document("a", "/a", "a", "2", "s", 1, 0, 0, 0.0), interrupted(), lambda: 0)
    assert (store.version, store.totals().chunks) == (version, 30)
    put(store, "a", 20)
    assert store.totals().chunks == 20


def test_a_snapshot_stays_as_it_was(store: DocumentStore) -> None:
    put(store, "a", 900)
    with store.snapshot() as (version, chunks):
        first = next(chunks)
        put(store, "b", 50)
        store.remove(["a"])
        assert store.totals().chunks == 50
        assert version != store.version
        assert [first.order, *(chunk.order for chunk in chunks)] == list(range(900))


def test_chunks_are_streamed(store: DocumentStore) -> None:
    put(store, "a", 1)
    tracemalloc.start()
    put(store, "b", 8_000)
    assert sum(1 for _ in store.chunks()) == 8_001
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 3 << 20  # the chunks take 4 MiB and more


def test_a_file_of_another_format_says_so(store: DocumentStore) -> None:
    store.directory.mkdir()
    with sqlite3.connect(store.path) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(ClewError, match="has format 99"):
        put(store, "a", 1)


def _add_in_process(directory: Path, folders: list[Path]) -> None:
    add(DocumentStore(directory), *folders)


def test_several_processes_add_at_once(tmp_path: Path) -> None:
    store, folders = DocumentStore(tmp_path / "documents"), []
    for number in range(3):
        folders.append(tmp_path / f"f{number}")
        folders[-1].mkdir()
        for each in range(15):
            (folders[-1] / f"{each}.txt").write_text(f"text {each} of {number}")
    starting = multiprocessing.get_context("spawn")
    groups = ([folders[0], folders[1]], [folders[0], folders[2]])  # both add the first
    started = [starting.Process(target=_add_in_process, args=(store.directory, group)) for group in groups]
    for process in started:
        process.start()
    for process in started:
        process.join(60)
    assert [process.exitcode for process in started] == [0, 0]
    alone = DocumentStore(tmp_path / "alone")
    add(alone, *folders)
    assert store.totals() == alone.totals()
    assert list(store.chunks()) == list(alone.chunks())
    assert store.version == alone.version


def test_an_interrupt_behind_the_commit_is_no_failure_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "documents.sqlite"
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)


def _interrupted(path: Path) -> None:
    with changing(path) as connection:
        connection.execute("COMMIT")
        raise KeyboardInterrupt
