"""`clew trace replay` and `clew trace fork`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import json_option
from clew.app.cli.render import print_result, shortened, table
from clew.app.cli.trace_records import QUESTION_SHOWN

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.app.api.results import ReplayResult

CHANGED = 3
"""Exit status if a replay gives other answers."""


@click.command()
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="The last N runs, without replays and forks.")
@click.option("--graph", "-g", metavar="NAME", help="With --last, only runs on this graph.")
@click.option("--strict", is_flag=True, help="Another query, confidence or explanation is a change too.")
@json_option
@click.pass_context
@pass_invocation
def replay(
    invocation: Invocation,
    ctx: click.Context,
    ids: Sequence[str],
    last: int | None,
    graph: str | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Ask again what the runs ID asked, and show what changed.

    Questions and statements keep their conversation, strategies, limits and choices. The code, the graph and the
    models are the present ones; the output says what has changed. Sessions do not change, and each replay leaves
    a trace of its own.

    \b
    Examples:
      clew trace replay 3f2a
      clew trace replay --last 50 --graph films     # after a change: are the answers the same?

    Exit status: 0 the same answers, 3 other answers, 1 some could not be replayed.
    """
    if bool(ids) == (last is not None):
        raise click.UsageError("Name runs, or give --last N.")
    if graph is not None and last is None:
        raise click.UsageError("--graph needs --last.")
    client = invocation.client
    done, failed = _replayed(client, ids if last is None else _latest(client, last, graph), alone=len(ids) == 1)
    values = {"replays": [each.to_json() for each in done], "failed": failed, "counts": _counts(done, failed)}
    print_result(as_json, values, _result_lines(done[0]) if len(ids) == 1 else _summary_lines(done, failed))
    accepted = ("same",) if strict else ("same", "same answers")
    ctx.exit(1 if failed else 0 if all(each.outcome in accepted for each in done) else CHANGED)


@click.command()
@click.argument("id")
@click.option("--from", "step", required=True, metavar="STEP", help="The last step to keep: link, or assess#2.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="What to change from there on.")
@json_option
@pass_invocation
def fork(invocation: Invocation, id: str, step: str, settings: Sequence[str], as_json: bool) -> None:
    """Continue the run ID from one of its steps with changes, and show what changed.

    The steps up to STEP are taken over from the run; the rest runs again. If a step ran several times, assess#2 is its
    second run. What can be set:

    
      strategies=cypher,paths    after contextualize, link, link_entities, clarify or assess
      entity:WORDS=ID            which entity the question's WORDS mean; up to link_entities and clarify
      seconds, rows, tokens      limits of the rest; iterations and calls with a model

    
    Examples:
      clew trace fork 3f2a --from link_entities --set strategies=paths
      clew trace fork 3f2a --from link --set "entity:Kismet=kismet-1955"
      clew trace fork 3f2a --from gather            # let the model answer again from the evidence
    """
    forked = invocation.client.fork(id, step, dict(_setting(text) for text in settings))
    print_result(as_json, forked.to_json(), _result_lines(forked, "Fork"))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise click.BadParameter(f"{text!r} is not NAME=VALUE.", param_hint="--set")
    return name, value


def _latest(client: Client, last: int, graph: str | None) -> list[str]:
    """The ids of the last runs, the earliest first. Raises BadInput if there is none."""
    from clew.app.traces.store import RunFilter
    from clew.tools.errors import BadInput

    found = client.traces.list(last, where=RunFilter(graph=graph, originals=True))
    if not found:
        raise BadInput("There is no run to replay.", "Every `clew ask` leaves one.")
    return [run["id"] for run in reversed(found)]


def _replayed(client: Client, ids: Sequence[str], *, alone: bool) -> tuple[list[ReplayResult], list[dict[str, str]]]:
    """The replays, and the runs that could not be replayed; with `alone` their error is raised."""
    from clew.tools.errors import ClewError

    done: list[ReplayResult] = []
    failed: list[dict[str, str]] = []
    with client.progress.task("Replaying", "runs", len(ids)) as advance:
        for id in ids:
            try:
                done.append(client.replay(id))
            except ClewError as error:
                if alone:
                    raise
                failed.append({"replay_of": id, "message": error.message})
            advance(1)
    return done, failed


def _counts(done: Sequence[ReplayResult], failed: Sequence[Any]) -> dict[str, int]:
    return {
        **{outcome: sum(each.outcome == outcome for each in done) for outcome in ("same", "same answers", "changed")},
        "failed": len(failed),
    }


def _result_lines(result: ReplayResult, what: str = "Replay") -> Iterator[str]:
    from clew.app.traces.diff import diff_lines

    yield from result.notes
    yield from diff_lines(result.diff)
    yield f"{what} of {result.replay_of}: trace {result.trace_id}"


def _summary_lines(done: Sequence[ReplayResult], failed: Sequence[dict[str, str]]) -> Iterator[str]:
    rows = [
        (
            each.replay_of, each.trace_id, each.outcome, f"{each.diff['ms'][0]:.0f}", f"{each.diff['ms'][1]:.0f}",
            shortened(each.question, QUESTION_SHOWN),
        )
        for each in done
    ]  # fmt: skip
    if rows:
        yield from table(("run", "replay", "outcome", "ms", "ms now", "question"), rows, right=frozenset({3, 4}))
    yield from (f"{each['replay_of']}: {each['message']}" for each in failed)
    yield from dict.fromkeys(note for each in done for note in each.notes)
    yield ", ".join(f"{count} {name}" for name, count in _counts(done, failed).items() if count)
