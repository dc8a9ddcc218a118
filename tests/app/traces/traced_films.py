"""A graph of films with notes beside it, and runs over it that leave traces of every kind."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clew.agents.models.calls import Role
from clew.app.cli import run as clew
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.store import TraceStore
from clew.graphs.ask import ask
from clew.graphs.context import Context
from clew.graphs.question import build_question_graph
from clew.graphs.run import Budget
from tests.contexts import altered
from tests.film_facts import FACTS
from tests.tools.queries.question_world import Said, Speakers, linker

QUESTION = "who directed Heat?"
NOTES = {
    "nights.md": "# Nights\n\nMichael Mann shot Collateral with digital cameras because he liked how the city glows.\n",
    "rain.md": "# Weather\n\nIt rained on every day, and the umbrellas were all painted black.\n",
    "prices.csv": "camera,price\nRed One,17500\nViper,90000\n",
}
WALK = "<selected>\ndirected_by\n</selected><next-entities>\nFINISH\n</next-entities>"
LINKED = linker(
    "Heat;Michael Man;Nobody Atall", "directed_by;no_such_relation",
    "MATCH (f:film {title: 'Heat'})-[:directed_by]->(p) RETURN p.name", "Michael Mann",
)  # fmt: skip
THREE_READINGS = [
    linker("Heat", "written_by", "MATCH (f:Film {name: 'Heat'})-[:starred_actors]->(p) RETURN p.name"),
    linker("Casino", "written_by", "MATCH (f:Film {name: 'Casino'})-[:directed_by]->(p) RETURN p.name"),
    linker("Taxi Driver", "written_by", "MATCH (f:Film {name: 'Taxi Driver'})-[:release_year]->(y) RETURN y.name"),
]
"""A linker's replies that agree with nothing."""


@contextmanager
def filmed(home: Path, folder: Path) -> Iterator[Container]:
    """The graph's name is the first of the container's `names`."""
    name = f"traced-{uuid.uuid4().hex[:8]}"
    (folder / "films.txt").write_text(FACTS, encoding="utf-8")
    (folder / "notes").mkdir()
    for file, text in NOTES.items():
        (folder / "notes" / file).write_text(text, encoding="utf-8")
    assert clew(["--home", str(home), "import", str(folder / "films.txt"), "--graph", name]) == 0
    assert clew(["--home", str(home), "documents", "add", str(folder / "notes"), "--graph", name]) == 0
    container = Container(load_settings(home=home), NoProgress())
    container.names = [name]  # type: ignore[attr-defined]
    yield container
    container.drop(name)
    container.close()


def traced(films: Context, traces: TraceStore, question: str = QUESTION, **changed: Any) -> dict[str, Any]:
    """One question asked; its trace."""
    context = altered(films, recorder=TraceRecorder(traces), **changed)
    return traces.show(ask(build_question_graph(), context, question)["trace_id"])


def with_model(iterations: int = 2, **said: list[Said]) -> dict[str, Any]:
    """What a context needs for a model that says so in its roles."""
    usual: dict[Role, list[Said]] = {
        "linker": [LINKED], "traversal": [WALK], "reasoner": ["<answers>\nMichael Mann [Q1]\n</answers>"]
    }  # fmt: skip
    models = Speakers({**usual, **said})  # type: ignore[dict-item]
    return {"models": models, "budget": Budget(seconds=60, max_iterations=iterations)}
