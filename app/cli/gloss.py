"""`clew gloss`."""

from __future__ import annotations

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options


@click.command()
@graph_option
@click.option("--print", "only_print", is_flag=True, help="Print the glosses, and write no file.")
@model_options
@pass_invocation
def gloss(invocation: Invocation, graph: str | None, only_print: bool) -> None:
    """Let a model write, once, the words that people use for each relation.

    The graph's gloss file stores them. You can edit it, and every question uses it from then on, also without a model.
    Relations in the file stay unchanged, so an interrupted run continues where it stopped. The model receives the
    schema, and up to three examples of each relation.

    \b
    Examples:
      clew gloss --graph films --model gpt-4.1-mini
      clew gloss -g films --model qwen3 --base-url http://localhost:11434/v1 --print
    """
    glossed = invocation.client.graph(graph)
    path = glossed.files.gloss_file
    written, tokens, left_out = 0, 0, list[str]()
    for batch in glossed.write_glosses(save=not only_print):
        written, tokens = written + len(batch.glosses), tokens + batch.tokens
        left_out += batch.left_out
        if only_print:
            click.echo(batch.toml)
    if only_print:
        return
    where = f" in {path}" if path.exists() else ""
    click.echo(f"{written} relations and properties glossed{where} ({tokens:,} tokens).", err=True)
    if left_out:
        names = ", ".join(left_out)
        click.echo(f"The model returned nothing usable for {names}; run the command again to ask for them.", err=True)
