"""Sizes that keep the house readable: lines of files and functions, parameters, repeated lines."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.test_layers import PACKAGES, ROOT, modules

MOST_FILE_LINES = 300
MOST_FUNCTION_LINES = 60
MOST_PARAMETERS = 7
REPEATED_LINES = 10

WITHOUT_LIMIT = ("command", "group", "compiled")
"""Decorators of functions whose parameters are not counted: commands, and kernels, which take arrays one by one."""


def product() -> Iterator[Path]:
    for package in PACKAGES:
        yield from modules(package)
    yield from sorted((ROOT / "clew").glob("*.py"))


@cache
def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters a caller can give: `self` and `cls` do not count."""
    named = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return len(named) - (bool(named) and named[0].arg in ("self", "cls"))


def repeated(files: dict[str, list[str]], length: int) -> dict[tuple[str, ...], set[str]]:
    """Runs of `length` lines that stand in more than one place. Blank lines, imports and lone brackets do not count."""
    places: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for name, lines in files.items():
        kept = [(number, text) for number, line in enumerate(lines, 1) if (text := line.strip()) and counts(text)]
        for first in range(len(kept) - length + 1):
            run = kept[first : first + length]
            places[tuple(text for _, text in run)].add(f"{name}:{run[0][0]}")
    return {run: where for run, where in places.items() if len(where) > 1}


def counts(line: str) -> bool:
    return len(line) > 1 and not line.startswith(("import ", "from ")) and any(map(str.isalnum, line))


def test_no_file_is_too_long() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in product()}
    assert {path: length for path, length in lengths.items() if length > MOST_FILE_LINES} == {}


def test_no_function_is_too_long() -> None:
    found = {}
    for path in product():
        for function in functions(path):
            assert function.end_lineno is not None
            if (length := function.end_lineno - function.lineno + 1) > MOST_FUNCTION_LINES:
                found[f"{path.relative_to(ROOT)}: {function.name}"] = length
    assert found == {}


def test_no_signature_is_too_long() -> None:
    found = {}
    for path in product():
        for function in functions(path):
            decorators = " ".join(ast.unparse(decorator) for decorator in function.decorator_list)
            if not any(name in decorators for name in WITHOUT_LIMIT) and parameters(function) > MOST_PARAMETERS:
                found[f"{path.relative_to(ROOT)}: {function.name}"] = parameters(function)
    assert found == {}


def test_no_lines_are_repeated() -> None:
    files = {str(path.relative_to(ROOT)): path.read_text("utf-8").splitlines() for path in product()}
    assert repeated(files, REPEATED_LINES) == {}


def test_repeated_lines_are_found() -> None:
    lines = [f"x{number} = {number}" for number in range(12)]
    assert len(repeated({"a.py": lines, "b.py": ["y = 1", "", *lines[1:11]]}, 10)) == 1
    assert repeated({"a.py": lines, "b.py": lines[:9]}, 10) == {}
