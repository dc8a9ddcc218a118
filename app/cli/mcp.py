"""`clew mcp`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import generator_option, model_options
from clew.app.cli.serve import PACKAGES, needs_packages

if TYPE_CHECKING:
    from clew.app.serving.desk import Desk


@click.command()
@click.option("--http", is_flag=True, help="Serve over HTTP (/mcp) instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address; others need tokens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="With --http.")
@click.option("--allow-host", "hosts", metavar="NAME", multiple=True, help="With --http: a name of this server.")
@model_options
@generator_option
@pass_invocation
def mcp(invocation: Invocation, http: bool, host: str, port: int, hosts: tuple[str, ...]) -> None:
    """Serve the graphs to agents by the Model Context Protocol.

    \b
    Tools: graphs, ask, verify, link_entities, schema, query (which can only read).
    Examples:
      clew mcp                  # what an agent's settings name as its command
      clew mcp --http           # http://127.0.0.1:8001/mcp
    """
    needs_packages(("mcp", *PACKAGES), "mcp")
    from clew.app.serving.answering import Here
    from clew.app.serving.metrics import Metrics
    from clew.app.serving.open_graphs import OpenGraphs
    from clew.app.serving.runs import Runs

    settings = invocation.settings

    def desk() -> Desk:
        from clew.app.serving.desk import Desk

        runs = Runs(settings.serve_runs, settings.serve_waiting)
        graphs = OpenGraphs(invocation.container)
        return Desk(invocation.container, graphs, Here(invocation.container, graphs), runs, Metrics(runs))

    if http:
        _over_http(invocation, desk(), host, port, hosts)
    else:
        asyncio.run(_over_stdio(desk()))


async def _over_stdio(desk: Desk) -> None:
    from clew.app.serving.mcp_tools import mcp_server

    try:
        await mcp_server(desk).run_stdio_async()
    finally:
        await asyncio.to_thread(desk.runs.close)


def _over_http(invocation: Invocation, desk: Desk, host: str, port: int, hosts: tuple[str, ...]) -> None:
    from clew.app.serving.gate import Gate
    from clew.app.serving.hosts import bound_socket, hosts_of
    from clew.app.serving.mcp_tools import mcp_server
    from clew.app.serving.server import serve
    from clew.app.serving.tokens import TokenFile

    tokens = TokenFile(invocation.settings.home / "tokens.json")
    with bound_socket(host, port, has_tokens=bool(tokens.all())) as bound:
        server = mcp_server(desk)
        server.settings.transport_security = None  # The gate looks at these headers, for all routes alike.
        inner: Any = server.streamable_http_app()
        gate: Any = Gate(inner, hosts_of(host, hosts), tokens, desk.metrics, open_here=not tokens.there)
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"Serving MCP on http://{shown}:{bound.getsockname()[1]}/mcp (Ctrl-C ends it)", err=True)
        serve(gate, bound, invocation.settings.serve_closing_seconds)
    desk.runs.close()
