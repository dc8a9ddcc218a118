"""What the tests of the web pages ask: films with two of one name, and with names that would be markup."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clew.app.cli import run

HOSTILE = "<img src=x onerror=alert(1)>"
LONG = "Supercalifragilistic" + "supercalifragilistic" * 5
_NODES = f"""\
id:ID,name,:LABEL,year:int
kismet-1944,Kismet,Film,1944
kismet-1955,Kismet,Film,1955
heat,Heat,Film,1995
collateral,Collateral,Film,2004
ali,Ali,Film,2001
hostile,{HOSTILE},Film,1999
long,{LONG},Film,1998
dieterle,William Dieterle,Person,
minnelli,Vincente Minnelli,Person,
mann,Michael Mann,Person,
pacino,Al Pacino,Person,
niro,Robert De Niro,Person,
quote,"""
_NODES += """\"O""Brien & <b>Sons</b>",Person,
"""
_EDGES = """\
:START_ID,:END_ID,:TYPE,role
dieterle,kismet-1944,DIRECTED,
minnelli,kismet-1955,DIRECTED,
mann,heat,DIRECTED,
mann,collateral,DIRECTED,
mann,ali,DIRECTED,
mann,hostile,DIRECTED,
mann,long,DIRECTED,
pacino,heat,ACTED_IN,Vincent Hanna
niro,heat,ACTED_IN,Neil McCauley
quote,heat,ACTED_IN,<script>alert(2)</script>
"""
DIRECTOR = "Who directed Heat?"
FILMS = "Which films did Michael Mann direct?"
WORKED = "Who worked on Heat?"
"""Its directors, or its actors."""
KISMET = "Who directed Kismet?"


@contextmanager
def film_club(home: Path, folder: Path) -> Iterator[str]:
    """The graph in the database of `home`, by a name of its own."""
    name = f"film-club-{uuid.uuid4().hex[:8]}"
    files = [(folder / "nodes.csv", _NODES), (folder / "edges.csv", _EDGES)]
    for path, text in files:
        path.write_text(text, encoding="utf-8")
    assert run(["--home", str(home), "import", *(str(path) for path, _ in files), "--graph", name]) == 0
    yield name
    run(["--home", str(home), "drop", name, "--yes"])


def choose(page: Any, graph: str) -> None:
    """Asks `graph` from now on: other tests may have theirs in the same database."""
    page.locator(f"#graph option[value='{graph}']").wait_for(state="attached")
    page.get_by_label("Graph", exact=True).select_option(graph)


def ask(page: Any, question: str) -> Any:
    """Asks when the page is ready for it, and waits for the answer; gives its turn."""
    page.locator("#send").wait_for()
    page.get_by_label("Question").fill(question)
    page.keyboard.press("Enter")
    turn = page.locator(".turn").last
    turn.locator(".turn-foot, .choice, .notice").first.wait_for()
    return turn
