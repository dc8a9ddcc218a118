"""`clew database`."""

from __future__ import annotations

import time

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.terminal import echo


@click.group()
def database() -> None:
    """Manage the embedded database, and the warm process that runs short commands.

    Commands start both when they need them, and both stop when they have not been used for a while. These commands do
    not apply to another server that you use with --database-url.
    """


@database.command()
@pass_invocation
def status(invocation: Invocation) -> None:
    """Show whether it runs, its addresses, and the folder of its files."""
    from clew.app.cli import warm_processes
    from clew.tools.graph.store import daemon

    found = daemon.status(invocation.settings.home)
    if found.endpoint is None:
        echo("not running")
    else:
        minutes = (time.time() - found.endpoint.started) / 60
        idle = found.idle_s / 60
        echo(f"running for {minutes:.0f} min, idle for {idle:.0f} min (process {found.endpoint.pid})")
        echo(f"bolt    {found.endpoint.bolt_url}")
        echo(f"http    {found.endpoint.http_url}")
    echo(f"folder  {found.folder}")
    for process in warm_processes.running(invocation.settings.home).values():
        echo(f"warm    process {process}")
    if not invocation.settings.warm:
        echo("warm    switched off (CLEW_WARM)")


@database.command()
@pass_invocation
def stop(invocation: Invocation) -> None:
    """Stop it and the warm process. The graphs are not deleted."""
    from clew.app.cli import warm_processes
    from clew.tools.graph.store import daemon

    home = invocation.settings.home
    stopped = [warm_processes.stop(home), daemon.stop(home)]
    echo("stopped" if any(stopped) else "was not running")


@database.command()
@pass_invocation
def run(invocation: Invocation) -> None:
    """Run it in this terminal until Ctrl-C, for use as a service."""
    from clew.tools.graph.store import daemon
    from clew.tools.graph.store.endpoint import Endpoint

    def announce(endpoint: Endpoint) -> None:
        echo(f"Listening on {endpoint.bolt_url}; Ctrl-C stops it.", err=True)

    status = daemon.run_foreground(invocation.settings.home, announce, invocation.settings.database_heap)
    click.get_current_context().exit(status)
