"""`clew doctor`."""

from __future__ import annotations

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, json_option
from clew.app.cli.render import print_result, table
from clew.app.cli.terminal import echo


@click.command()
@graph_option
@click.option("--repair", is_flag=True, help="Make again what can be made again, and rescue what can be read.")
@json_option
@pass_invocation
def doctor(invocation: Invocation, graph: str | None, repair: bool, as_json: bool) -> None:
    """Check everything in the home: what is sound, stale or damaged.

    Every file of every index is read and compared with its checksum, and every index with its graph. Nothing is changed
    without --repair. A repair builds indexes again and takes over what can be read of damaged SQLite files, which stay
    beside the new ones; it deletes nothing that cannot be made again.

    \b
    Examples:
      clew doctor
      clew doctor --graph films --repair

    The exit status is 1 if something is not sound.
    """
    found = list(invocation.client.examine(graph, repair=repair))
    rows = [
        (each.graph or "-", each.part, "repaired" if each.repaired else each.state, each.detail, each.remedy)
        for each in found
    ]
    print_result(as_json, [each.to_json() for each in found], table(("graph", "part", "state", "", "remedy"), rows))
    unsound = [each for each in found if each.state != "sound"]
    if unsound:
        echo(f"{len(unsound)} of {len(found)} parts are not sound.", err=True)
        click.get_current_context().exit(1)
    echo(f"All {len(found)} parts are sound.", err=True)
