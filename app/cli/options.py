"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from clew.app.api.requests import (
    ATTENTIONS,
    DECODINGS,
    DTYPES,
    METHODS,
    STRATEGIES,
    checked_method,
    checked_strategies,
)
from clew.app.cli.invocation import Invocation
from clew.tools.errors import BadInput

graph_option: Callable[[Any], Any] = click.option(
    "--graph", "-g", metavar="NAME", help="The graph. Not needed if there is only one."
)
json_option: Callable[[Any], Any] = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def _keep(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value is not None:
        ctx.ensure_object(Invocation).models[str(option.name)] = value


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --model and --base-url. They may stand before and after the command; what stands after it wins."""
    for option in (
        click.option(
            "--base-url",
            metavar="URL",
            expose_value=False,
            callback=_keep,
            help="The model's server, such as http://localhost:11434/v1 (CLEW_MODEL_BASE_URL).",
        ),
        click.option(
            "--model",
            metavar="NAME",
            expose_value=False,
            callback=_keep,
            help="A language model to answer with, as NAME or PROVIDER:NAME, such as anthropic:claude-sonnet-4-5 "
            "(CLEW_MODEL; docs/models.md). Without it no model is used.",
        ),
    ):
        command = option(command)
    return command


def loading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a generator is loaded."""
    for name, kind, text in (
        ("--generator-attention", click.Choice(ATTENTIONS), "Its implementation of attention."),
        ("--generator-4bit/--no-generator-4bit", None, "Load its weights in four bits (bitsandbytes)."),
        ("--generator-dtype", click.Choice(DTYPES), "Type of its weights. Default: bfloat16 on a GPU, else float32."),
        ("--generator-device", str, "cpu, cuda, cuda:1, or auto to spread it. Default: a GPU if there is one."),
        ("--generator-adapter", str, "A LoRA adapter for it."),
    ):
        add = click.option(name, type=kind, default=None, expose_value=False, callback=_keep, help=text)
        command = add(command)
    return command


vectors_option: Callable[[Any], Any] = click.option(
    "--vectors", metavar="WHERE", expose_value=False, callback=_keep,
    help="Search vectors in the indexes of the graph's Neo4j (neo4j), or on the Chroma server of this address, in "
    "place of the home (CLEW_VECTORS; docs/embedding.md).",
)  # fmt: skip
workers_option: Callable[[Any], Any] = click.option(
    "--workers", type=click.IntRange(1, 1024), expose_value=False, callback=_keep, metavar="N",
    help="Processes, or workers on the Ray cluster of CLEW_RAY, that share the work. Default: CLEW_WORKERS, or 1.",
)  # fmt: skip


def generator_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --generator, how it is loaded, and how it chooses."""
    command = click.option(
        "--generator-decoding", type=click.Choice(DECODINGS), expose_value=False, callback=_keep,
        help="How it chooses: by exact search (the default), beam search, greedily, or free, without the constraint.",
    )(loading_options(command))  # fmt: skip
    return click.option(
        "--generator", metavar="MODEL", expose_value=False, callback=_keep,
        help="A model that chooses the query: a folder, a name, or a server's address (CLEW_GENERATOR; "
        "docs/generator.md).",
    )(command)  # fmt: skip


def _strategies(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    try:
        return checked_strategies(
            value if value is None else (name.strip() for name in value.split(",") if name.strip())
        )
    except BadInput as error:
        raise click.BadParameter(f"{error.message} {error.remedy}") from None


strategies_option: Callable[[Any], Any] = click.option(
    "--strategies",
    metavar="A,B",
    callback=_strategies,
    help=f"Retrieval strategies to run: {', '.join(STRATEGIES)} (docs/strategies.md). By default, the most "
    "reliable ones run first, and others follow if these give no certain answer.",
)


def _method(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else checked_method(value).name
    except BadInput as error:
        raise click.BadParameter(f"{error.message} {error.remedy}") from None


method_option: Callable[[Any], Any] = click.option(
    "--method",
    metavar="NAME",
    callback=_method,
    help=f"A paper's method, in place of strategies: {', '.join(METHODS)} (docs/methods.md).",
)


def _reading(_: click.Context, __: click.Parameter, value: str | None) -> int | str | None:
    return int(value) if value is not None and value.isdecimal() else value


reading_option: Callable[[Any], Any] = click.option(
    "--reading",
    metavar="NUMBER",
    callback=_reading,
    help="The reading of the question to answer, by its number in the list of an answer that is not sure, or in words.",
)
strict_option: Callable[[Any], Any] = click.option(
    "--strict",
    is_flag=True,
    help="Answer only if the question is explained in full and the answer is sure (CLEW_SURE_FROM).",
)
