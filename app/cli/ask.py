"""`clew ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import (
    generator_option,
    graph_option,
    json_option,
    method_option,
    model_options,
    reading_option,
    strategies_option,
    strict_option,
)
from clew.app.cli.render import answer_lines, print_result

if TYPE_CHECKING:
    from clew.app.api.asking import AskOptions


@click.command()
@click.argument("question")
@graph_option
@strategies_option
@method_option
@reading_option
@strict_option
@model_options
@generator_option
@json_option
@pass_invocation
def ask(
    invocation: Invocation,
    question: str,
    graph: str | None,
    strategies: tuple[str, ...] | None,
    method: str | None,
    reading: int | str | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Answer one question, with the evidence and the Cypher behind it.

    \b
    Examples:
      clew ask "who directed Heat?" --graph films
      clew ask "which films star both Tom Hanks and Meg Ryan?" -g films --json
      clew ask "how is Heat connected to Casino?" -g films --strategies paths
      clew ask "who directed Heat?" -g films --method simgrag
      clew ask "films of the sixties" -g films --reading 2

    \b
    With a language model, if you name one; its key is in CLEW_MODEL_API_KEY or OPENAI_API_KEY:
      clew ask "who directed Heat?" -g films --model gpt-4.1-mini
      clew ask "who directed Heat?" -g films --model llama3.1 --base-url http://localhost:11434/v1

    An answer that is not sure says so, and lists other readings of the question; --reading NUMBER answers one of
    them. If there is no answer, the output says what was understood, tried and missing. That is not an error.
    """
    options: AskOptions = {"method": method, "strategies": strategies, "reading": reading, "strict": strict}
    result = invocation.client.graph(graph).ask(question, **options).to_dict()
    print_result(as_json, result, answer_lines(result, "Choose one with --reading NUMBER."))
