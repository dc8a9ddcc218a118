"""A home with all that Clew keeps in one, and ways to damage its files."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from clew.app.cli import run

GRAPH = "films"
PEOPLE = ["Ann Lee", "Bo Chan", "Cy Dunn", "Di Eddy", "Ed Ford", "Flo Gray", "Gus Hale", "Hal Ivey"]
FILMS = [
    "Amber Road", "Blue Harbour", "Cold Station", "Dry Valley", "Early Snow", "Far Lights", "Glass Camera",
    "High Water", "Iron Bridge", "Jade Garden", "Kind Strangers", "Long Winter",
]  # fmt: skip
HEROES = ["painter", "thief", "nurse", "pilot"]
DEEDS = ["paints the sea from a small boat", "steals a famous diamond in Paris", "builds a bridge over a wild river"]
NOTES = {
    "camera.md": "# The camera\n\nGlass Camera was shot with a camera that a painter called Ilse Brandt lent.\n",
    "snow.md": "# The snow\n\nThe snow of Early Snow was made of paper by Hal Ivey, who swept it up again at night.\n",
}
GLOSSES = '[DIRECTED]\nforward = ["made the film"]\n'
QUESTIONS = [
    ("ask", "who directed Amber Road?", "--json"),
    ("ask", "which films did An Lee direct and Di Edy act in?", "--strategies", "pattern", "--json"),
    ("ask", "who directed the film in which a thief steals a diamond?", "--strategies", "hybrid,plan", "--json"),
    ("ask", "who lent the camera of Glass Camera?", "--strategies", "documents", "--json"),
    ("documents", "list", "--json"),
    ("trace", "list"),
    ("sessions", "list"),
    ("chat", "--session", "talk"),
]
"""Commands that together read everything in the home."""
LOCKS = {".lock", ".lck"}


def write_files(folder: Path) -> list[Path]:
    """Eight people, twelve films with plots, who directed and who acted in them; two documents; questions to teach."""
    nodes = "id:ID,name,:LABEL,year:int,plot\n"
    nodes += "".join(f"p{n},{name},Person,,\n" for n, name in enumerate(PEOPLE))
    nodes += "".join(f"f{n},{name},Film,{1990 + n},{_plot(n)}\n" for n, name in enumerate(FILMS))
    edges = ":START_ID,:END_ID,:TYPE\n"
    edges += "".join(f"p{n % 8},f{n},DIRECTED\np{(n + 3) % 8},f{n},ACTED_IN\n" for n in range(len(FILMS)))
    (folder / "notes").mkdir(parents=True)
    (folder / "nodes.csv").write_text(nodes)
    (folder / "edges.csv").write_text(edges)
    for name, text in NOTES.items():
        (folder / "notes" / name).write_text(text)
    asked = [{"question": f"who made the film {f}?", "answers": [PEOPLE[n % 8]]} for n, f in enumerate(FILMS)]
    (folder / "questions.jsonl").write_text("".join(json.dumps(each) + "\n" for each in asked))
    return [folder / "nodes.csv", folder / "edges.csv"]


def _plot(number: int) -> str:
    hero, deed = HEROES[number % 4], DEEDS[number % 3]
    return f"A {hero} who has left the city {deed} and learns what became of the family in the long years of the war."


def make_home(home: Path, folder: Path, *, taught: bool = False) -> None:
    """Import, index, add documents, teach, and ask once, so that every file of a home is there."""

    def done(*arguments: object) -> None:
        assert run(["--home", str(home), *map(str, arguments)]) == 0

    done("import", *write_files(folder), "--graph", GRAPH)
    (home / "graphs" / GRAPH / "glosses.toml").write_text(GLOSSES)
    done("index", "--dense", "--texts")
    done("documents", "add", folder / "notes")
    done("documents", "skeleton", "--rules", "--beta", "1", "--yes")
    if taught:
        done("teach", folder / "questions.jsonl")
        path = home / "graphs" / GRAPH / "teaching" / "taught.json"
        path.write_text(path.read_text().replace('"used": false', '"used": true'))
    done("serve", "token", "add", "ann")


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def truncated(path: Path) -> None:
    path.write_bytes((whole := path.read_bytes())[: len(whole) // 2])


def overwritten(path: Path) -> None:
    """Random bytes in the middle of the content, which in arrays begins after their header."""
    whole = bytearray(path.read_bytes())
    at = len(whole) * 2 // 3
    whole[at : at + 8] = random.Random(1).randbytes(min(8, len(whole) - at))
    path.write_bytes(bytes(whole))


def replaced(path: Path) -> None:
    path.write_bytes(random.Random(2).randbytes(max(100, path.stat().st_size)))


def deleted(path: Path) -> None:
    path.unlink()


DAMAGES: list[Callable[[Path], None]] = [overwritten, truncated, deleted, replaced, emptied]


def kept_files(home: Path, *, database: bool) -> list[Path]:
    """The files of a home that hold something, as paths in it: those of the database, or all others."""
    found = (path.relative_to(home) for path in sorted(home.rglob("*")) if path.is_file() and path.stat().st_size)
    return [path for path in found if (path.parts[0] == "database") is database and path.suffix not in LOCKS]


def copy_home(source: Path, target: Path, *, database: bool) -> None:
    """Make `target` what `source` is: with the database, or all but that."""
    target.mkdir(exist_ok=True)
    for path in target.iterdir():
        if database or path.name != "database":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in source.iterdir():
        if database or path.name != "database":
            copied = target / path.name
            shutil.copytree(path, copied) if path.is_dir() else shutil.copy2(path, copied)
