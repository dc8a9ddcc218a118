"""The group of all commands, and `run`, which runs one in this process."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from clew.app.cli.errors import CUT_SHORT, INTERRUPTED, exit_status
from clew.app.cli.invocation import Invocation
from clew.app.cli.options import model_options, vectors_option
from clew.app.cli.terminal import echo

COMMANDS = {
    "import": "importing:import_graph",
    "graphs": "graphs:graphs",
    "schema": "graphs:schema",
    "index": "graphs:index",
    "documents": "documents:documents",
    "drop": "graphs:drop",
    "ask": "ask:ask",
    "chat": "chat:chat",
    "verify": "verify:verify",
    "eval": "evaluate:evaluate",
    "teach": "teach:teach",
    "serve": "serve:serve",
    "mcp": "mcp:mcp",
    "sessions": "sessions:sessions",
    "generator": "generator:generator",
    "gloss": "gloss:gloss",
    "trace": "trace:trace",
    "doctor": "doctor:doctor",
    "database": "database:database",
}
"""Command to `module:function` in this package, in the order of `clew --help`."""


class LazyGroup(click.Group):
    """Imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"clew.app.cli.{module}"), function)
        return command


def _show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        echo(f"clew {version('clew')}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--home", type=click.Path(path_type=Path), help="Folder of databases, indexes and traces (CLEW_HOME).")
@click.option("--database-url", metavar="URL", help="A Bolt server to use instead of the embedded database.")
@model_options
@vectors_option
@click.option("-v", "--verbose", count=True, help="Log more on standard error; -vv logs everything.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show it.")
@click.pass_context
def cli(ctx: click.Context, home: Path | None, database_url: str | None, verbose: int) -> None:
    """Answers questions over a knowledge graph, and shows the thread that led to each answer.

    \b
    Begin with a file of triples, or any other graph file:
      clew import films.tsv --graph films
      clew ask "who directed Heat?" --graph films
      clew chat --graph films

    \b
    No language model is needed. To answer with one, name it (docs/models.md):
      clew ask "who directed Heat?" --model llama3.1 --base-url http://localhost:11434/v1

    Results go to standard output, everything else to standard error. Exit status: 0 success,
    1 failure (the message gives the reason), 2 wrong usage, 130 stopped by Ctrl-C.
    """
    invocation = ctx.ensure_object(Invocation)
    invocation.configure(home, database_url, verbose)
    ctx.call_on_close(invocation.close)


def run(arguments: Sequence[str], invocation: Invocation | None = None) -> int:
    """Run one command and return its exit status. Raises nothing."""
    invocation = invocation or Invocation()
    try:
        code = cli.main(args=list(arguments), prog_name="clew", standalone_mode=False, obj=invocation)
        return code if isinstance(code, int) else 0
    except BaseException as error:
        return exit_status(error, arguments, invocation.home)


def ended(status: int) -> int:
    """Do what Python does when a process ends, but for what takes long and serves nothing, freeing each object and
    waiting for threads: nothing but `os._exit` may follow.

    Returns:
        The exit status, which is 120 where the output cannot be written.
    """
    if status != INTERRUPTED:  # After Ctrl-C, nothing is waited for.
        atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except OSError:
        return CUT_SHORT
    return status
