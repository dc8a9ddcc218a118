"""`clew chat`: questions in a conversation, at a terminal or through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.app.cli.chat_session import ChatSession
from clew.app.cli.errors import known_failure
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import generator_option, graph_option, method_option, model_options, strict_option
from clew.app.cli.terminal import dim, echo, echo_lines

if TYPE_CHECKING:
    from clew.app.api.results import Event

HISTORY_KEPT = 1000


@click.command()
@graph_option
@model_options
@generator_option
@strict_option
@method_option
@click.option("--session", metavar="NAME", help="Continue the conversation of this name, or start it.")
@pass_invocation
def chat(invocation: Invocation, graph: str | None, strict: bool, method: str | None, session: str | None) -> None:
    """Ask questions in a conversation, in which "it", "only the ones after 2000" and "how many?" are understood.

    At a terminal it shows the answers and how the question was read; /steps also shows each step as it happens, the
    evidence and the Cypher. With its input from a pipe it prints one line for each line read: all answers, separated by
    commas, or the output of a /command.

    \b
    Examples:
      clew chat --graph films
      clew chat --graph films --method byokg
      printf 'who directed Heat?\\nand who starred in it?\\n' | clew chat --graph films
    """
    client = invocation.client
    session_graph = client.sessions.graph_of(session) if session and graph is None else None
    chat_session = ChatSession(client, session_graph or graph, session, strict=strict, method=method)
    if sys.stdin.isatty():
        _run_at_terminal(chat_session, invocation.settings.home / "chat-history")
    else:
        _run_through_pipe(chat_session)


def _run_through_pipe(chat_session: ChatSession) -> None:
    """Print one line for each line read; for a question that fails, its error."""
    from clew.app.cli.render import one_line

    for line in sys.stdin:
        text = line.strip()
        if text in ("/quit", "/exit"):
            return
        if not text:
            continue
        try:
            if text.startswith("/"):
                echo(chat_session.command(text))
            else:
                *_, last = chat_session.ask(text)
                echo_lines([one_line(last.data["result"])])
        except Exception as error:
            known = known_failure(error)
            if known is None or isinstance(error, OSError):
                raise
            echo_lines([f"Error: {known.message}"])
        sys.stdout.flush()


def _run_at_terminal(chat_session: ChatSession, history: Path) -> None:
    echo(f"Asking {chat_session.graph.name}. Type /help for the commands, /quit to quit.", err=True)
    with _line_history(history):
        while True:
            try:
                text = input("> ").strip()
            except EOFError:
                echo()
                return
            if text in ("/quit", "/exit"):
                return
            if text:
                _answer_at_terminal(chat_session, text)


def _answer_at_terminal(chat_session: ChatSession, text: str) -> None:
    try:
        if text.startswith("/"):
            echo(chat_session.command(text))
            return
        choice = _show(chat_session.ask(text, clarify=True), steps=chat_session.steps)
        while choice is not None:
            choice = _show(chat_session.choose(_chosen(choice)), steps=chat_session.steps)
    except KeyboardInterrupt:
        echo("Stopped. Ask another question, or type /quit.", err=True)
    except Exception as error:
        known = known_failure(error)
        if known is None:
            raise
        echo(f"Error: {known}", err=True)


def _show(events: Iterator[Event], *, steps: bool) -> Mapping[str, Any] | None:
    """Print the result, with `steps` also what led to it; return the choice at the end of the events, if any."""
    from clew.app.cli.render import answer_lines, brief_lines, step_line

    lines = answer_lines if steps else brief_lines
    for event in events:
        if event.type == "choice":
            return event.data
        if event.type == "result":
            echo_lines([*lines(event.data["result"], "Type the number of the one that you mean."), ""])
        elif steps:
            echo(dim(step_line(event.data)))
    return None


def _chosen(choice: Mapping[str, Any]) -> str | None:
    """The id of the entity that the user chooses; None for any."""
    from clew.app.cli.render import choice_lines

    echo_lines(choice_lines(choice))
    candidates = choice["candidates"]
    while True:
        try:
            reply = input(f"1-{len(candidates)}, or Enter for any: ").strip()
        except EOFError:
            reply = ""
        if not reply:
            return None
        if reply.isdecimal() and 1 <= int(reply) <= len(candidates):
            return str(candidates[int(reply) - 1]["id"])


@contextmanager
def _line_history(path: Path) -> Iterator[None]:
    """Enable arrow keys, and the history of questions of earlier chats, if Python has readline."""
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
        path.touch(mode=0o600)
        readline.write_history_file(path)
