"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

graph_option: Callable[[Any], Any] = click.option(
    "--graph", "-g", metavar="NAME", help="The graph; may be left out where there is only one."
)
json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="One JSON value instead of text."
)


def _strategies(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    from graphs.context import STRATEGIES

    names = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    unknown = [name for name in names if name not in STRATEGIES]
    if unknown or not names:
        what = f"unknown: {', '.join(unknown)}; " if unknown else ""
        raise click.BadParameter(f"{what}there are {', '.join(STRATEGIES)}.")
    return names


strategies_option: Callable[[Any], Any] = click.option(
    "--strategies",
    metavar="A,B",
    callback=_strategies,
    help="Retrieval strategies to run, of cypher, paths, triplets. "
    "Default: cypher, and the others when it is not sure of its answer.",
)
