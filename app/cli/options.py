"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from clew.app.cli.invocation import Invocation
from clew.graphs.strategies import STRATEGIES

graph_option: Callable[[Any], Any] = click.option(
    "--graph", "-g", metavar="NAME", help="The graph; may be left out where there is only one."
)
json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="One JSON value instead of text."
)


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--model and --base-url, which the invocation keeps; those of a command come before the global ones."""
    for option in (
        click.option(
            "--base-url",
            metavar="URL",
            expose_value=False,
            callback=_kept,
            help="The model's server, such as http://localhost:11434/v1 (CLEW_MODEL_BASE_URL).",
        ),
        click.option(
            "--model",
            metavar="NAME",
            expose_value=False,
            callback=_kept,
            help="A language model to answer with, as NAME or PROVIDER:NAME, such as anthropic:claude-sonnet-4-5 "
            "(CLEW_MODEL; docs/models.md). Without it no model is used.",
        ),
    ):
        command = option(command)
    return command


generator_option: Callable[[Any], Any] = click.option(
    "--generator",
    metavar="MODEL",
    expose_value=False,
    callback=lambda ctx, option, value: _kept(ctx, option, value),
    help="A model that chooses the query: a folder, a name, or a server's address (CLEW_GENERATOR; docs/generator.md).",
)


def _kept(ctx: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.ensure_object(Invocation).models[str(option.name)] = value


def _strategies(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
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
    help=f"Retrieval strategies to run, of {', '.join(STRATEGIES)} (docs/strategies.md). By default the surest go "
    "first, and others follow when these are not sure of their answers.",
)
