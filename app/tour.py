"""`make demo`: import the bundled graph, ask its questions, say what to do next. `python -m app.tour FOLDER`.

FOLDER holds `graph/*.csv` and `tour.jsonl` (questions with their `answers`).
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import click

GRAPH = "demo"


def main(folder: Path) -> int:
    from app.cli import run
    from app.cli.bars import Bars
    from app.cli.render import answer_lines
    from app.container import Container
    from app.questioning import answer
    from app.settings import load_settings

    files = sorted(str(path) for path in (folder / "graph").glob("*.csv"))
    if status := run(["import", *files, "--graph", GRAPH]):
        return status
    container = Container(load_settings(), Bars())
    try:
        for line in (folder / "tour.jsonl").read_text(encoding="utf-8").splitlines():
            question = json.loads(line)["question"]
            click.secho(f"\n$ clew ask {shlex.quote(question)} --graph {GRAPH}", bold=True)
            click.echo("\n".join(answer_lines(answer(container, GRAPH, question))))
    finally:
        container.close()
    clew = Path(sys.executable).with_name("clew")
    shown = clew.relative_to(Path.cwd()) if clew.is_relative_to(Path.cwd()) else clew
    click.secho("\nWhat next", bold=True)
    click.echo(f"  {shown} chat --graph {GRAPH}                     ask on, in a conversation")
    click.echo(f"  {shown} schema --graph {GRAPH}                   see what can be asked")
    click.echo(f"  {shown} import FILE --graph NAME                 bring your own graph")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
