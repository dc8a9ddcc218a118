"""`clew mcp`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import generator_option, model_options
from clew.app.cli.serve import SERVING_PACKAGES, needs_packages
from clew.app.cli.terminal import echo

if TYPE_CHECKING:
    from clew.app.serving.service import QuestionService


@click.command()
@click.option("--http", is_flag=True, help="Serve over HTTP (/mcp) instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address; others need tokens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="With --http.")
@click.option("--allow-host", "hosts", metavar="NAME", multiple=True, help="With --http: a host name of this server.")
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
    needs_packages(("mcp", *SERVING_PACKAGES), "mcp")
    if http:
        _over_http(invocation, host, port, hosts)
    else:
        asyncio.run(_over_stdio(invocation))


def _service(invocation: Invocation) -> QuestionService:
    from clew.app.serving.application import local_service
    from clew.app.serving.runs import Runs

    return local_service(invocation.client, Runs(invocation.settings.serve_runs, invocation.settings.serve_waiting))


async def _over_stdio(invocation: Invocation) -> None:
    from clew.app.serving.mcp_tools import mcp_server

    service = _service(invocation)
    try:
        await mcp_server(service).run_stdio_async()
    finally:
        await asyncio.to_thread(service.runs.close)


def _over_http(invocation: Invocation, host: str, port: int, hosts: tuple[str, ...]) -> None:
    from clew.app.serving.hosts import hosts_of
    from clew.app.serving.mcp_tools import mcp_server
    from clew.app.serving.middleware import RequestMiddleware
    from clew.app.serving.server import bound_socket, serve, url_of
    from clew.app.serving.shared_access import rates_of, tokens_of

    client = invocation.client
    tokens = tokens_of(client)
    with bound_socket(host, port, has_tokens=bool(tokens.all())) as bound:
        service = _service(invocation)
        server = mcp_server(service)
        server.settings.transport_security = None  # The middleware checks these headers, for all routes alike.
        inner: Any = server.streamable_http_app()
        app = RequestMiddleware(
            inner, hosts_of(host, hosts), tokens, service.metrics, open_here=not tokens.there, rates=rates_of(client)
        )
        echo(f"Serving MCP on {url_of(host, bound)}/mcp (Ctrl-C ends it)", err=True)
        serve(app, bound, invocation.settings.serve_closing_seconds)
    service.runs.close()
