"""`make demo`: import the bundled graph, ask its questions, add the bundled documents, ask questions that need both,
and list next steps. `python -m clew.app.tour FOLDER`.

FOLDER holds `graph/*.csv`, `documents/`, and `tour.jsonl` and `tour-documents.jsonl` (questions with their `answers`).
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

from clew.app.cli.terminal import bold, echo, echo_lines

GRAPH = "demo"
GENERATED = "Which awards did the director of Parasite win?"
"""Asked with the bundled generator, to show how a language model chooses among valid queries."""
CHOICES_SHOWN = 3

NEXT = (
    ("chat --graph demo", "ask on, in a conversation"),
    ("schema --graph demo", "see what can be asked"),
    ("import FILE --graph NAME", "bring your own graph"),
)


def main(folder: Path) -> int:
    """Returns the exit status."""
    from clew.app.cli import run
    from clew.app.cli.errors import exit_status

    generator = folder / "generator"
    if generated := (generator / "model.safetensors").exists():
        Thread(target=_warm, args=(generator,), daemon=True).start()
    files = sorted(str(path) for path in (folder / "graph").glob("*.csv"))
    if status := run(["import", *files, "--graph", GRAPH]):
        return status
    try:
        _ask(folder / "tour.jsonl")
        echo(bold(f"\n$ clew documents add {folder / 'documents'} --graph {GRAPH}"))
        if status := run(["documents", "add", str(folder / "documents"), "--graph", GRAPH]):
            return status
        _ask(folder / "tour-documents.jsonl", evidence=2)
        if generated:
            _generate(generator)
    except BaseException as error:
        return exit_status(error, ["demo"], None)
    clew = Path(sys.executable).with_name("clew")
    shown = clew.relative_to(Path.cwd()) if clew.is_relative_to(Path.cwd()) else clew
    echo(bold("\nWhat next"))
    for command, does in NEXT:
        echo(f"  {shown} {command:<26} {does}")
    return 0


def _ask(questions: Path, evidence: int | None = None) -> None:
    """Ask each question, and show so many items of evidence."""
    from clew.app.api.client import connect
    from clew.app.cli.progress_bars import ProgressBars
    from clew.app.cli.render import answer_lines

    with connect(GRAPH, progress=ProgressBars()) as graph:
        for line in questions.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)["question"]
            echo(bold(f"\n$ clew ask {shlex.quote(question)} --graph {GRAPH}"))
            result = graph.ask(question).to_dict()
            echo_lines(answer_lines({**result, "evidence": result["evidence"][:evidence]}))


def _warm(model: Path) -> None:
    """Import torch and transformers, which takes seconds, while the graph is imported."""
    from clew.app.cli.invocation import QUIET

    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    from clew.tools.errors import ClewError
    from clew.tools.learning.generation.loading import load

    with suppress(ClewError):  # The question that needs the model reports it.
        load(str(model), device="cpu")


def _generate(model: Path) -> None:
    """Ask one more question: a small language model that can say nothing but valid queries chooses the query."""
    from clew.app.api.client import connect
    from clew.app.cli.progress_bars import ProgressBars
    from clew.app.cli.render import answer_lines
    from clew.app.cli.trace import trace_lines

    echo(bold(f"\n$ clew ask {shlex.quote(GENERATED)} --graph {GRAPH} --generator {model}"))
    with connect(GRAPH, progress=ProgressBars(), generator=str(model), generator_device="cpu") as graph:
        found = graph.ask(GENERATED)
        echo_lines(answer_lines(found.to_dict()))
        lines = list(trace_lines(graph.client.traces.show(found.trace_id)))
        start = next((n for n, line in enumerate(lines) if line.startswith("  - generator")), None)
        if start is not None:
            echo(bold("\nHow likely each query was (clew trace show has it all)"))
            echo_lines(lines[start : start + 1 + CHOICES_SHOWN])


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
