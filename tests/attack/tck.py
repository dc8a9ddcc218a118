"""The scenarios of openCypher's Technology Compatibility Kit, read from its artifact on Maven Central.

Nothing of it is kept here: Maven fetches the artifact once, into its own local repository. Each scenario has a query,
and says whether it changes the graph or fails; what it returns is not read.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

VERSION = "1.0.0-M23"
_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"
_JAR = Path.home() / ".m2/repository/org/opencypher/tck" / VERSION / f"tck-{VERSION}.jar"
_WRITING = ("clauses/create/", "clauses/delete/", "clauses/merge/", "clauses/remove/", "clauses/set/")
_QUERY = re.compile(r'When executing query:\s*"""\n(.*?)\n\s*"""', re.S)
_SCENARIO = re.compile(r"^ *Scenario(?: Outline)?: *", re.M)
_ROW = re.compile(r"^ *\|(.*)\| *$", re.M)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One query of the kit."""

    place: str
    """Its feature and title."""
    query: str
    fails: bool
    changes: bool
    """Whether it changes the graph of its scenario."""
    about_writing: bool
    """Whether its feature is about a clause that writes, which may find nothing to change."""


@cache
def jar() -> Path:
    """The artifact. Skips the test where it cannot be had."""
    if not _JAR.exists():
        if shutil.which("mvn") is None:
            pytest.skip(
                "The openCypher TCK is not in Maven's local repository, and mvn, which fetches it, is not installed"
            )
        get = ["mvn", "-q", "-B", f"{_PLUGIN}:get", f"-Dartifact=org.opencypher:tck:{VERSION}", "-Dtransitive=false"]
        fetched = subprocess.run(get, capture_output=True, timeout=150, check=False)
        if fetched.returncode or not _JAR.exists():
            pytest.skip("The openCypher TCK could not be fetched: Maven Central is not reachable")
    return _JAR


@cache
def scenarios() -> tuple[Scenario, ...]:
    """All scenarios with a query; an outline is as many as it has examples."""
    with zipfile.ZipFile(jar()) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".feature"))
        texts = {name: archive.read(name).decode() for name in names}
    return tuple(found for name, text in texts.items() for found in _of_feature(name, text))


def _of_feature(name: str, text: str) -> Iterator[Scenario]:
    for part in _SCENARIO.split(text)[1:]:
        body, _, examples = part.partition("Examples:")
        title = body.partition("\n")[0].strip()
        for values in _examples(examples):
            filled = re.sub(r"<(\w+)>", lambda m, v=values: v.get(m[1], m[0]), body)  # type: ignore[misc]
            if query := _QUERY.search(filled):
                fails = "should be raised" in filled
                changes = not fails and "no side effects" not in filled
                yield Scenario(f"{name} {title}", query[1].strip(), fails, changes, any(w in name for w in _WRITING))


def _examples(text: str) -> list[Mapping[str, str]]:
    """The rows of the table, by column; one row without columns where there is no table."""
    rows = [[cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row)] for row in _ROW.findall(text)]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]] if rows else [{}]
