"""`clew sessions`."""

from __future__ import annotations

from pathlib import Path

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import json_option
from clew.app.cli.render import local_time, print_list, print_or_write, table
from clew.app.cli.terminal import confirm, echo
from clew.tools.errors import BadInput


@click.group()
def sessions() -> None:
    """List, rename, delete or export conversations.

    Those of `clew chat --session NAME` and of a server without tokens have the name they were given; those of a
    server's users are called USER/NAME.
    """


@sessions.command("list")
@click.option("--user", metavar="NAME", help="Those of a user of the server.")
@json_option
@pass_invocation
def list_sessions(invocation: Invocation, user: str | None, as_json: bool) -> None:
    """List the sessions, the latest first."""
    found = invocation.client.sessions.overview(user)
    rows = [
        (each["name"], each["graph"], str(each["turns"]), local_time(each["updated"]), each["title"]) for each in found
    ]
    header = ("session", "graph", "turns", "latest", "first question")
    none = "There is no session yet: clew chat --session NAME starts one."
    print_list(as_json, found, none, table(header, rows, right=frozenset({2})))


@sessions.command()
@click.argument("session")
@click.argument("name")
@pass_invocation
def rename(invocation: Invocation, session: str, name: str) -> None:
    """Rename SESSION to NAME."""
    invocation.client.rename_session(session, name)


@sessions.command()
@click.argument("session")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@pass_invocation
def delete(invocation: Invocation, session: str, yes: bool) -> None:
    """Delete SESSION and its traces for good."""
    invocation.client.sessions.turns(session)
    if not yes and not confirm(f"Delete {session} for good?"):
        raise BadInput(f"{session} was not deleted.")
    invocation.client.delete_session(session)
    echo(f"{session} was deleted.", err=True)


@sessions.command()
@click.argument("session")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="To write, else printed.")
@json_option
@pass_invocation
def export(invocation: Invocation, session: str, out: Path | None, as_json: bool) -> None:
    """Export SESSION as Markdown, or with --json with all that its answers hold."""
    print_or_write(invocation.client.export_session(session, as_json=as_json), out)
