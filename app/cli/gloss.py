"""`clew gloss`."""

from __future__ import annotations

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options
from clew.app.cli.terminal import echo


@click.command()
@graph_option
@click.option("--print", "only_print", is_flag=True, help="Print the glosses of the model, and write no file.")
@click.option(
    "--define",
    "-d",
    "defined",
    multiple=True,
    metavar="'PHRASE = MEANING'",
    help="Let a phrase stand for a set of nodes. Needs no model.",
)
@click.option("--undefine", multiple=True, metavar="PHRASE", help="Remove a definition.")
@click.option("--show", is_flag=True, help="Show the definitions: how each is read, and how many nodes it stands for.")
@click.option("--check", is_flag=True, help="The same, with exit status 1 if one of them has no effect.")
@model_options
@pass_invocation
def gloss(
    invocation: Invocation, graph: str | None, only_print: bool, defined: tuple[str, ...], undefine: tuple[str, ...],
    show: bool, check: bool,
) -> None:  # fmt: skip
    """Teach Clew the words that people use for a graph: definitions, and words for relations.

    A definition lets a phrase stand for a set of nodes. Its meaning is a label with conditions, such as "a City with
    population > 150000", or any words that Clew reads as a set, such as "rivers that flow through Texas". It may use
    other definitions. A formula, such as "price * quantity", lets a phrase stand for a calculated property. Clew
    refuses what it cannot read.

    Without these options, a model writes, once, the words that people use for each relation. The graph's gloss file
    stores them. You can edit it, and every question uses it from then on, also without a model. Relations in the file
    stay unchanged, so an interrupted run continues where it stopped. The model receives the schema, and up to three
    examples of each relation.

    \b
    Examples:
      clew gloss -g geography --define 'major city = a City with population > 150000'
      clew gloss -g films --define 'profit = box office - budget'
      clew gloss -g geography --show
      clew gloss --graph films --model gpt-4.1-mini
      clew gloss -g films --model qwen3 --base-url http://localhost:11434/v1 --print
    """
    glossed = invocation.client.graph(graph)
    for each in defined:
        phrase, sign, meaning = each.partition("=")
        if not sign:
            raise click.UsageError(f"--define takes 'PHRASE = MEANING', not {each!r}.")
        echo(str(glossed.define(phrase, meaning)))
    for phrase in undefine:
        glossed.undefine(phrase)
    if show or check:
        found = glossed.definitions()
        echo("\n".join(map(str, found)) or f"{glossed.files.gloss_file} defines nothing.")
        if check and any(each.problem for each in found):
            raise SystemExit(1)
    if defined or undefine or show or check:
        return
    path = glossed.files.gloss_file
    written, tokens, left_out = 0, 0, list[str]()
    for batch in glossed.write_glosses(save=not only_print):
        written, tokens = written + len(batch.glosses), tokens + batch.tokens
        left_out += batch.left_out
        if only_print:
            echo(batch.toml)
    if only_print:
        return
    where = f" in {path}" if path.exists() else ""
    echo(f"{written} relations and properties glossed{where} ({tokens:,} tokens).", err=True)
    if left_out:
        names = ", ".join(left_out)
        echo(f"The model returned nothing usable for {names}; run the command again to ask for them.", err=True)
