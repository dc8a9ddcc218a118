"""`clew chat`: questions in a conversation, at a terminal or through a pipe."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.app.cli.errors import known_failure
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import generator_option, graph_option, model_options

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.graphs.nodes.clarify import Chosen

HELP = """\
Type a question, or:
  /graph         the graph in use, and the others
  /graph NAME    use another one; the conversation begins anew
  /trace         how the last answer came about
  /sessions      conversations that can be gone on with
  /resume NAME   go on with one of them
  /rename NAME   call this conversation so
  /export FILE   write it to a file, as Markdown or (.json) with all that the answers hold
  /delete        forget this conversation; another one begins
  /help          this
  /quit          leave (so does Ctrl-D); Ctrl-C stops a question
Questions may refer to earlier ones: "and who wrote it?\""""
HISTORY_KEPT = 1000
_NEEDS = {"resume": "NAME", "rename": "NAME", "export": "FILE"}


@click.command()
@graph_option
@model_options
@generator_option
@click.option("--session", metavar="NAME", help="Continue the conversation of this name, or begin it.")
@pass_invocation
def chat(invocation: Invocation, graph: str | None, session: str | None) -> None:
    """Ask questions in a conversation, in which "it", "they" and "that film" are understood.

    At a terminal it shows each step as it happens. With its input from a pipe it prints one line for each
    line read: all answers, separated by commas, or what a /command says.

    \b
    Examples:
      clew chat --graph films
      printf 'who directed Heat?\\nand who starred in it?\\n' | clew chat --graph films
    """
    container = invocation.container
    about = container.sessions.graph_of(session) if session and graph is None else None
    talk = Talk(container, container.graph_name(about or graph), session)
    if sys.stdin.isatty():
        _at_a_terminal(talk, invocation.settings.home / "chat-history")
    else:
        _through_a_pipe(talk)


class Talk:
    """One conversation with one graph."""

    def __init__(self, container: Container, graph: str, session: str | None) -> None:
        self.container = container
        self.graph = graph
        self.session = session or f"chat-{secrets.token_hex(6)}"
        self.last_trace = ""
        container.context(graph)

    def ask(self, question: str, *, clarify: bool = False, chosen: Chosen | None = None) -> Iterator[dict[str, Any]]:
        """The steps of the run as they happen, then the result; or, with `clarify`, what is to be chosen, after which
        the question is asked again with what was `chosen`."""
        from clew.app.questioning import steps_and_answer

        asked = steps_and_answer(self.container, self.graph, question, self.session, clarify=clarify, chosen=chosen)
        for item in asked:
            self.last_trace = item.get("trace_id") or self.last_trace
            yield item

    def command(self, line: str) -> str:
        """Do what a /command says; returns what to show."""
        name, _, argument = line[1:].strip().partition(" ")
        argument = argument.strip()
        if name == "graph":
            return self._graph(argument)
        if name in ("resume", "rename", "export"):
            return getattr(self, f"_{name}")(argument) if argument else f"Say which: /{name} {_NEEDS[name]}"
        if name == "sessions":
            return self._sessions()
        if name == "delete":
            return self._delete()
        if name == "trace":
            return self._trace()
        if name in ("help", "?", ""):
            return HELP
        return f"There is no /{name}. Try /help."

    def _graph(self, name: str) -> str:
        if name:
            self.container.context(name)
            self.graph, self.last_trace = name, ""
            self.session = f"chat-{secrets.token_hex(6)}"
            return f"Now asking {name}."
        names = [graph.name for graph in self.container.database.graphs()]
        others = ", ".join(sorted(n for n in names if n != self.graph))
        return f"Asking {self.graph}." + (f" There are also: {others}." if others else "")

    def _sessions(self) -> str:
        found = self.container.sessions.kept()
        lines = [f"{each['name']}  ({each['graph']}, {each['turns']} questions): {each['title']}" for each in found]
        return "\n".join(lines) or "There is none yet."

    def _resume(self, name: str) -> str:
        turns = self.container.sessions.turns(name)
        graph = self.container.sessions.graph_of(name) or self.graph
        self.container.context(graph)
        self.graph, self.session, self.last_trace = graph, name, ""
        if not turns:
            return f"Going on with {name}, about {graph}."
        self.last_trace = turns[-1]["result"].get("trace_id", "")
        return f"Going on with {name}, about {graph}; the last question was: {turns[-1]['question']}"

    def _rename(self, name: str) -> str:
        from clew.app.sessions.store import checked_name

        name = checked_name(name)
        self.container.rename_session(self.session, name)
        self.session = name
        return f"This is {name} now."

    def _export(self, file: str) -> str:
        from clew.app.container import write_whole
        from clew.app.sessions.export import as_json, as_markdown

        turns = self.container.sessions.turns(self.session)
        write_whole(Path(file), (as_json if file.endswith(".json") else as_markdown)(self.session, turns))
        return f"Written to {file}."

    def _delete(self) -> str:
        self.container.delete_session(self.session)
        self.session, self.last_trace = f"chat-{secrets.token_hex(6)}", ""
        return "Forgotten. Another conversation begins."

    def _trace(self) -> str:
        from clew.app.cli.trace import trace_lines

        if not self.last_trace:
            return "There is no answer to trace yet."
        return "\n".join(trace_lines(self.container.traces.show(self.last_trace)))


def _through_a_pipe(talk: Talk) -> None:
    """One line out for each line in; a question that fails says so and the next one is read."""
    from clew.app.cli.render import json_line

    for line in sys.stdin:
        text = line.strip()
        if text in ("/quit", "/exit"):
            return
        if not text:
            continue
        try:
            if text.startswith("/"):
                click.echo(talk.command(text))
            else:
                *_, result = talk.ask(text)
                click.echo(json_line(result))
        except Exception as error:
            known = known_failure(error)
            if known is None or isinstance(error, OSError):
                raise
            click.echo(f"Error: {' '.join(known.message.split())}")
        sys.stdout.flush()


def _at_a_terminal(talk: Talk, history: Path) -> None:
    click.echo(f"Asking {talk.graph}. /help says what else there is; /quit leaves.", err=True)
    with _line_history(history):
        while True:
            try:
                text = input("> ").strip()
            except EOFError:
                click.echo()
                return
            if text in ("/quit", "/exit"):
                return
            if text:
                _answer_at_terminal(talk, text)


def _answer_at_terminal(talk: Talk, text: str) -> None:
    try:
        if text.startswith("/"):
            click.echo(talk.command(text))
            return
        choice = _told(talk.ask(text, clarify=True))
        while choice is not None:
            chosen: Chosen = {"entity": _chosen(choice)}
            choice = _told(talk.ask(text, clarify=True, chosen=chosen))
    except KeyboardInterrupt:
        click.echo("Stopped. Ask another question, or /quit.", err=True)
    except Exception as error:
        known = known_failure(error)
        if known is None:
            raise
        click.echo(f"Error: {known}", err=True)


def _told(items: Iterator[dict[str, Any]]) -> dict[str, Any] | None:
    """Shows what happens; gives the choice that it ends with, if it does."""
    from clew.app.cli.render import answer_lines, step_line

    for item in items:
        if item.get("type") == "choice":
            return item
        if item.get("type") == "step":
            click.secho(step_line(item), dim=True)
        else:
            click.echo("\n".join(answer_lines(item)) + "\n")
    return None


def _chosen(choice: dict[str, Any]) -> str | None:
    """The id of the entity that the user means; None for any of them."""
    from clew.app.cli.render import choice_lines

    click.echo("\n".join(choice_lines(choice)))
    candidates = choice["candidates"]
    while True:
        try:
            said = input(f"1-{len(candidates)}, or Enter for any: ").strip()
        except EOFError:
            said = ""
        if not said:
            return None
        if said.isdecimal() and 1 <= int(said) <= len(candidates):
            return str(candidates[int(said) - 1]["id"])


@contextmanager
def _line_history(path: Path) -> Iterator[None]:
    """Arrow keys and, from one chat to the next, the questions typed; without it where Python has no readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    if path.exists():
        readline.read_history_file(path)
    readline.set_history_length(HISTORY_KEPT)
    try:
        yield
    finally:
        path.parent.mkdir(parents=True, exist_ok=True)
        readline.write_history_file(path)
