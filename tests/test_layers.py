"""The house: imports point one way, nothing imports in a circle, and no module has a name that says nothing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

PACKAGES = ("tools", "agents", "graphs", "app")
"""Each may import itself and those before it; `prompts` is data and imported by none."""

ROOMS = {
    "tools": (
        "errors",
        "full_disk",
        "notices",
        "sqlite_files",
        "atomic_files",
        "process_bounds",
        "workers",
        "state",
        "arrays",
        "cypher",
        "embedding",
        "graph",
        "cypher_repair",
        "ingest",
        "linking",
        "text_search",
        "documents",
        "queries",
        "answer_spans",
        "patterns",
        "learning",
    ),
    "tools.queries.reading": (
        *("english", "forms", "schema", "anchors", "rules", "floating", "measures", "frames", "outside_words"),
        *("presentation", "naming_nothing"),
        *(
            "whole_readings",
            "charted",
            "framed",
            "relationship_numbers",
            "question_parts",
            "number_lists",
            "durations",
            "choosing",
            "set_differences",
            "set_intersections",
            "comparisons",
            "everyday",
            "one_number",
            "by_parts",
        ),
        "reader",
    ),
}
"""By package its modules and packages: each may import itself and those before it."""

EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}

Graph = dict[str, set[str]]


def modules(package: str) -> Iterator[Path]:
    yield from sorted((ROOT / package).rglob("*.py"))


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, package: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """(module, name) of every import anywhere in a module of `package`, also those for types only; relative ones are
    resolved, and the name is "" where a whole module is imported."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((module, alias.name) for alias in node.names)


def imports() -> Graph:
    """Module to the modules that it imports, of ours; names are without `clew.`."""
    files = {dotted(path): path for package in PACKAGES for path in modules(package)}
    found: Graph = {name: set() for name in files}
    for name, path in files.items():
        inside = ("clew", *path.relative_to(ROOT).parts[:-1])
        for module, what in imported(path.read_text(encoding="utf-8"), inside):
            assert module.split(".")[0] not in PACKAGES, f"{path} imports {module}, which is called clew.{module}"
            whole = f"{module}.{what}".removeprefix("clew.")
            target = whole if whole in files else module.removeprefix("clew.")
            if target in files and target != name:
                found[name].add(target)
    return found


def among_children(graph: Graph) -> dict[str, Graph]:
    """By package ("" for the top) which of its direct children import which."""
    found: dict[str, Graph] = defaultdict(lambda: defaultdict(set))
    for name, targets in graph.items():
        for target in targets:
            ours, theirs = name.split("."), target.split(".")
            depth = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
            if depth is not None:
                found[".".join(ours[:depth])][ours[depth]].add(theirs[depth])
    return found


def circle(graph: Graph) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.fixture(scope="module")
def graph() -> Graph:
    return imports()


def test_imports_point_one_way(graph: Graph) -> None:
    order = {"": PACKAGES, **ROOMS}
    for package, children in among_children(graph).items():
        if package not in order:
            continue
        rooms = order[package]
        assert set(children) <= set(rooms), f"add {set(children) - set(rooms)} to the order of {package or 'packages'}"
        wrong = {(a, b) for a, targets in children.items() for b in targets if rooms.index(a) < rooms.index(b)}
        assert wrong == set()


def test_nothing_imports_in_a_circle(graph: Graph) -> None:
    assert circle(graph) == []
    for package, children in among_children(graph).items():
        assert circle(children) == [], package


def test_every_module_and_room_is_in_the_order() -> None:
    for package, rooms in ROOMS.items():
        there = {
            path.stem
            for path in (ROOT / package.replace(".", "/")).iterdir()
            if path.suffix == ".py" or (path / "__init__.py").exists()
        }
        assert there - {"__init__"} == set(rooms)


def test_every_room_says_what_enters_and_what_leaves() -> None:
    rooms = [ROOT / package for package in PACKAGES if package != "app"]
    rooms += [path for package in PACKAGES for path in (ROOT / package).iterdir() if (path / "__init__.py").exists()]
    rooms.remove(ROOT / "app" / "web")  # files that browsers load
    opening = {room.name: ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8"))) for room in rooms}
    assert [name for name, text in opening.items() if not re.search(r"\bIn: .*\bOut: ", text or "", re.DOTALL)] == []


def test_the_architecture_page_lists_the_rooms_in_their_order() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    _, _, table = page.partition("| room | holds |\n")
    listed = re.findall(r"^\| `(\w+)(?:/|\.py)` \|", table.split("\n\n")[0], re.M)
    assert tuple(listed) == ROOMS["tools"]


def test_the_check_sees_relative_nested_and_plain_imports() -> None:
    source = (
        "import clew.app\ndef f():\n    from graphs import ask\n    from ..linking import entity\n    from . import x\n"
    )
    found = set(imported(source, ("clew", "tools", "store")))
    near = [("clew.tools.store", "x"), ("graphs", "ask"), ("clew.tools.linking", "entity")]
    assert found == {("clew.app", ""), *near}
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != []
    assert among_children({"a.b.c": {"a.d.e"}, "a.d.e": set()}) == {"a": {"b": {"d"}}}


def test_no_module_has_an_empty_name() -> None:
    places = [*PACKAGES, "clew", "tests", "benchmarks", "demo"]
    found = [
        str(path.relative_to(ROOT))
        for place in places
        for path in modules(place)
        if EMPTY_NAMES & {path.stem, *path.relative_to(ROOT).parts[:-1]}
    ]
    assert found == []
