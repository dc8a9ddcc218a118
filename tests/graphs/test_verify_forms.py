"""Statements that are read as logical forms: names that the graph lacks, directions, values, counts and orders."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.app.api.graph import Graph
from clew.app.cli import run
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings

PROVINCES = """\
id:ID,name,population:int,area:int,:LABEL
p1,Aldmark,5200000,900,Province
p2,Berrow,1400000,2500,Province
p3,Corvale,310000,700,Province
p4,Dunmoor,220000,400,Province
"""
TOWNS = """\
id:ID,name,status,code,:LABEL
t1,Aldport,open,TWN-11,Town
t2,Berwick Hall,closed,TWN-12,Town
t3,Corran,open,TWN-13,Town
t4,Dunford,open,TWN-14,Town
"""
PEOPLE = """\
id:ID,name,:LABEL
h1,Ada Lund,Person
h2,Bo Renn,Person
h3,Cy Holt,Person
"""
EDGES = """\
:START_ID,:TYPE,:END_ID,since:int
p1,BORDERS,p2,
p1,BORDERS,p3,
p2,BORDERS,p3,
p1,HAS_CAPITAL,t1,
p2,HAS_CAPITAL,t2,
p3,HAS_CAPITAL,t3,
p4,HAS_CAPITAL,t4,
t1,LOCATED_IN,p1,
t2,LOCATED_IN,p2,
t3,LOCATED_IN,p3,
t4,LOCATED_IN,p4,
h1,GOVERNS,t1,2011
h2,GOVERNS,t2,2015
h1,MENTORS,h2,
h2,MENTORS,h3,
"""
SUPPORTED, REFUTED, UNKNOWN = "supported", "refuted", "not enough evidence"
Check = Callable[[str], dict[str, Any]]


@pytest.fixture(autouse=True)
def at_home(clew_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_HOME", str(clew_home))
    monkeypatch.delenv("CLEW_DATABASE_URL", raising=False)


@pytest.fixture(scope="module")
def check(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Check]:
    name = f"provinces-{uuid.uuid4().hex[:8]}"
    folder = tmp_path_factory.mktemp("provinces")
    texts = {"provinces": PROVINCES, "towns": TOWNS, "people": PEOPLE, "edges": EDGES}
    for file, text in texts.items():
        (folder / f"{file}.csv").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLEW_HOME", str(clew_home))
        assert run(["import", *(str(folder / f"{file}.csv") for file in texts), "--graph", name]) == 0
        container = Container(load_settings(home=clew_home), NoProgress())
        yield lambda statement: Graph(container, name).run_verification(statement)
        container.close()
        assert run(["drop", name, "--yes"]) == 0


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        # names
        ("Ada Lund governs Aldport", SUPPORTED),
        ("Ada Lund governs Zorvath", UNKNOWN),
        ("Quill Mabry governs Aldport", UNKNOWN),
        ("Aldport is governed by Quill Mabry", UNKNOWN),
        ("Ada Renn governs Aldport", UNKNOWN),
        ("Quill Mabry does not govern Aldport", UNKNOWN),
        ("TWN-11 is open", SUPPORTED),
        ("TWN-12 is open", REFUTED),
        ("TWN-99 is open", UNKNOWN),
        # kinds and directions
        ("Aldport is governed by Berrow", REFUTED),
        ("Aldport governs Ada Lund", REFUTED),
        ("Ada Lund mentors Bo Renn", SUPPORTED),
        ("Bo Renn mentors Ada Lund", REFUTED),
        ("Bo Renn is mentored by Ada Lund", SUPPORTED),
        ("Aldport is a town", SUPPORTED),
        ("Aldport is a province", REFUTED),
        ("The capital of Aldmark is Aldport", SUPPORTED),
        ("The capital of Aldmark is Corran", REFUTED),
        ("The capital of Aldport is Aldmark", REFUTED),
        ("Aldmark is the capital of Aldport", REFUTED),
        ("Aldmark is located in Aldport", REFUTED),
        # values
        ("The population of Berrow is 1,400,000", SUPPORTED),
        ("The population of Berrow is 1,500,000", REFUTED),
        ("Aldmark has 5.2 million people", SUPPORTED),
        ("Aldmark has 7 million people", REFUTED),
        ("The status of Berwick Hall is closed", SUPPORTED),
        ("The status of Berwick Hall is Flooded", REFUTED),
        # counts, orders, comparisons
        ("Aldmark borders two provinces", SUPPORTED),
        ("Aldmark borders three provinces", REFUTED),
        ("There are four provinces", SUPPORTED),
        ("There are five provinces", REFUTED),
        ("Berrow is the largest province by area", SUPPORTED),
        ("Aldmark is the largest province by area", REFUTED),
        ("Aldmark has the largest population", SUPPORTED),
        ("Corvale has the largest population", REFUTED),
        ("Aldmark has a larger area than Corvale", SUPPORTED),
        ("Corvale has a larger area than Aldmark", REFUTED),
        ("Aldmark does not border Dunmoor", SUPPORTED),
        ("Aldmark does not border Berrow", REFUTED),
        # what nobody is named for, or nothing says
        ("They govern Aldport", UNKNOWN),
        ("Cy Holt hates Aldport", UNKNOWN),
    ],
)
def test_verdicts(check: Check, statement: str, verdict: str) -> None:
    result = check(statement)
    shown = [(claim["reading"], claim["reason"]) for claim in result["claims"]]
    assert (result["verdict"], shown if result["verdict"] != verdict else []) == (verdict, [])


def test_reasons_name_what_the_graph_has(check: Check) -> None:
    assert "“Zorvath”" in check("Ada Lund governs Zorvath")["reason"]
    assert "5200000" in check("The population of Aldmark is 12")["reason"]
    assert "other way round" in check("Bo Renn mentors Ada Lund")["reason"]
    assert "Berrow" in check("Aldmark is the largest province by area")["reason"]
    evidence = check("The population of Berrow is 1,400,000")["evidence"]
    assert [(e["head"]["name"], e["relation"], e["tail"]["name"]) for e in evidence] == [
        ("Berrow", "population", "1400000")
    ]
