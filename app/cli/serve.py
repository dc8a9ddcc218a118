"""`clew serve`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import generator_option, json_option, model_options
from clew.app.cli.render import local_time, print_list, table
from clew.app.cli.terminal import echo

if TYPE_CHECKING:
    from clew.app.serving.authentication import Tokens

_REACHABLE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where a browser on this machine reaches a server on all addresses."""
SERVING_PACKAGES = ("fastapi", "langserve", "prometheus_client", "sse_starlette", "uvicorn")


@click.group(invoke_without_command=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve on; others need tokens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option(
    "--graph", "-g", "graphs", metavar="NAME", multiple=True, help="Open only these at the start; default: all."
)
@click.option("--workers", type=click.IntRange(1, 64), help="Processes that answer; each opens the graphs. Default: 1.")
@click.option("--allow-host", "hosts", metavar="NAME", multiple=True, help="A host name of this server.")
@click.option("--open", "open_page", is_flag=True, help="Show the chat page in the browser.")
@click.option("--cors-origin", "origins", metavar="URL", multiple=True, help="A site whose pages may send requests.")
@model_options
@generator_option
@click.pass_context
def serve(
    ctx: click.Context,
    host: str,
    port: int,
    graphs: tuple[str, ...],
    workers: int | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    open_page: bool,
) -> None:
    """Serve the chat page, and questions, statements, sessions and traces over HTTP (docs/serving.md).

    \b
    Examples:
      clew serve --open
      clew serve --port 8080 --graph films
      clew serve --workers 4                  # to use four cores
      clew serve token add ann --graph films && clew serve --host 0.0.0.0 --allow-host kg.example.org

    Once a token exists, every request needs one. Ctrl-C lets running questions finish.
    """
    if ctx.invoked_subcommand is not None:
        return
    needs_packages(SERVING_PACKAGES)
    for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # read when numpy and torch are first imported
        os.environ.setdefault(library, "1")
    from clew.app.serving.application import Serving, serving_app
    from clew.app.serving.hosts import hosts_of
    from clew.app.serving.server import bound_socket, url_of
    from clew.app.serving.server import serve as serve_on

    invocation = ctx.ensure_object(Invocation)
    settings, tokens = invocation.settings, _tokens(invocation)
    with bound_socket(host, port, has_tokens=bool(tokens.all())) as bound:
        serving = Serving(
            hosts_of(host, hosts),
            tokens,
            open_here=not tokens.there,
            origins=origins,
            graphs=graphs or None,
            runs=settings.serve_runs,
            waiting=settings.serve_waiting,
            workers=workers or settings.serve_workers,
        )
        app = serving_app(invocation.client, serving)
        access = "with tokens" if tokens.there else "to this machine"
        echo(f"Serving {access} on {url_of(host, bound)} (Ctrl-C ends it)", err=True)
        page = f"{url_of(_REACHABLE.get(host, host), bound)}/"
        echo(f"The chat page is {page}", err=True)
        if open_page:
            click.launch(page)
        serve_on(app, bound, settings.serve_closing_seconds, settings.serve_draining_seconds)


@serve.group()
def token() -> None:
    """Manage the tokens of users. CLEW_HOME/tokens.json, or the database of CLEW_STATE_URL, holds their hashes."""


@token.command()
@click.argument("user")
@click.option("--graph", "-g", "graphs", metavar="NAME", multiple=True, help="Only these graphs; default: all.")
@click.option("--per-minute", type=click.IntRange(min=1), metavar="N", help="At most N requests a minute.")
@click.option("--import", "may_import", is_flag=True, help="Allow imports, and changes of documents and graphs.")
@pass_invocation
def add(invocation: Invocation, user: str, graphs: tuple[str, ...], per_minute: int | None, may_import: bool) -> None:
    """Make a token for USER and print it. It cannot be shown again.

    \b
    Examples:
      clew serve token add ann
      clew serve token add ann --graph films --per-minute 60
      clew serve token add bob --graph shop --import
    """
    made, secret = _tokens(invocation).add(user, graphs or None, per_minute, may_import=may_import)
    echo(secret)
    echo(f"This is {user}'s token {made.id}; it cannot be shown again.", err=True)


@token.command("list")
@json_option
@pass_invocation
def list_tokens(invocation: Invocation, as_json: bool) -> None:
    """List the tokens, without their secrets."""
    found = _tokens(invocation).all()
    keys = ("id", "user", "graphs", "per_minute", "created", "may_import")
    rows = [
        (
            each.id,
            each.user,
            ", ".join(each.graphs) if each.graphs is not None else "all",
            str(each.per_minute or "any"),
            local_time(each.created),
            "yes" if each.may_import else "",
        )
        for each in found
    ]
    listed = [{key: getattr(each, key) for key in keys} for each in found]
    none = "There is no token. Make one: clew serve token add NAME"
    print_list(
        as_json,
        listed,
        none,
        table(("id", "user", "graphs", "a minute", "made", "imports"), rows, right=frozenset({3})),
    )


@token.command()
@click.argument("id")
@pass_invocation
def revoke(invocation: Invocation, id: str) -> None:
    """Revoke the token ID, also on a running server."""
    revoked = _tokens(invocation).revoke(id)
    echo(f"{revoked.user}'s token {id} is refused from now on.", err=True)


def needs_packages(names: tuple[str, ...], extra: str = "serve") -> None:
    """Raises BadInput if a package of an extra is not installed."""
    from importlib.util import find_spec

    from clew.tools.errors import BadInput

    missing = [name for name in names if find_spec(name) is None]
    if missing:
        raise BadInput(f"Serving needs {' and '.join(missing)}.", f"Install what it takes: pip install 'clew[{extra}]'")


def _tokens(invocation: Invocation) -> Tokens:
    from clew.app.serving.shared_access import tokens_of

    return tokens_of(invocation.client)
