"""`clew ask`."""

from __future__ import annotations

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import generator_option, graph_option, json_option, model_options, strategies_option
from clew.app.cli.render import answer_lines, print_result


@click.command()
@click.argument("question")
@graph_option
@strategies_option
@model_options
@generator_option
@json_option
@pass_invocation
def ask(
    invocation: Invocation, question: str, graph: str | None, strategies: tuple[str, ...] | None, as_json: bool
) -> None:
    """Answer one question, with the evidence and the Cypher behind it.

    \b
    Examples:
      clew ask "who directed Heat?" --graph films
      clew ask "which films star both Tom Hanks and Meg Ryan?" -g films --json
      clew ask "how is Heat connected to Casino?" -g films --strategies paths

    \b
    With a language model, if you name one; its key is in CLEW_MODEL_API_KEY or OPENAI_API_KEY:
      clew ask "who directed Heat?" -g films --model gpt-4.1-mini
      clew ask "who directed Heat?" -g films --model llama3.1 --base-url http://localhost:11434/v1

    If there is no answer, the output says what was understood, tried and missing. That is not an error.
    """
    result = invocation.client.graph(graph).ask(question, strategies=strategies).to_dict()
    print_result(as_json, result, answer_lines(result))
