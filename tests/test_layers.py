"""The house: imports point one way, and no module has a name that says nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MAY_IMPORT = {
    "tools": {"tools"},
    "agents": {"agents", "tools"},
    "graphs": {"graphs", "agents", "tools"},
    "app": {"app", "graphs", "agents", "tools"},
}
"""Package to the packages of ours that it may import; `prompts` is data and imported by none."""

OURS = {*MAY_IMPORT, "prompts", "tests", "benchmarks", "demo"}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}


def modules(package: str) -> Iterator[Path]:
    yield from sorted((ROOT / package).rglob("*.py"))


def imported(source: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """(line, dotted module) of every import anywhere in a module of `package`, relative ones resolved."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield node.lineno, ".".join([*base, *([node.module] if node.module else [])])


def violations(package: str, allowed: set[str]) -> list[str]:
    found = []
    for path in modules(package):
        relative = path.relative_to(ROOT)
        for line, module in imported(path.read_text(encoding="utf-8"), relative.parts[:-1]):
            top = module.split(".")[0]
            if top in OURS and top not in allowed:
                found.append(f"{relative}:{line} imports {module}")
    return found


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_imports_point_one_way(package: str) -> None:
    assert any(modules(package)), f"{package}/ holds no module"
    assert violations(package, MAY_IMPORT[package]) == []


def test_the_check_sees_relative_nested_and_plain_imports() -> None:
    source = (
        "import app.cli\ndef f():\n    from graphs import ask\n    from ..linking import entity\n    from . import x\n"
    )
    assert [m for _, m in imported(source, ("tools", "store"))] == ["app.cli", "graphs", "tools.linking", "tools.store"]


def test_no_module_has_an_empty_name() -> None:
    places = [*MAY_IMPORT, "tests", "benchmarks", "demo"]
    found = [
        str(path.relative_to(ROOT))
        for place in places
        for path in modules(place)
        if EMPTY_NAMES & {path.stem, *path.relative_to(ROOT).parts[:-1]}
    ]
    assert found == []
