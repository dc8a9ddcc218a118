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


NEXT = (
    ("chat --graph demo", "ask on, in a conversation"),
    ("schema --graph demo", "see what can be asked"),
    ("import FILE --graph NAME", "bring your own graph"),
)


def main(folder: Path) -> int:
    """Returns the exit status."""
    from app.cli import run
    from app.cli.failure import exit_status

    files = sorted(str(path) for path in (folder / "graph").glob("*.csv"))
    if status := run(["import", *files, "--graph", GRAPH]):
        return status
    try:
        _ask(folder / "tour.jsonl")
    except BaseException as error:
        return exit_status(error, ["demo"], None)
    clew = Path(sys.executable).with_name("clew")
    shown = clew.relative_to(Path.cwd()) if clew.is_relative_to(Path.cwd()) else clew
    click.secho("\nWhat next", bold=True)
    for command, does in NEXT:
        click.echo(f"  {shown} {command:<26} {does}")
    return 0


def _ask(questions: Path) -> None:
    from app.cli.bars import Bars
    from app.cli.render import answer_lines
    from app.container import Container
    from app.questioning import answer
    from app.settings import load_settings

    container = Container(load_settings(), Bars())
    try:
        for line in questions.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)["question"]
            click.secho(f"\n$ clew ask {shlex.quote(question)} --graph {GRAPH}", bold=True)
            click.echo("\n".join(answer_lines(answer(container, GRAPH, question))))
    finally:
        container.close()


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
