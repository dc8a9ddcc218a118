"""`clew gloss`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.agents.models.calls import Model, Reply
    from clew.agents.prompting import Prompt
    from clew.app.api.client import Client

EXAMPLES = 3
SECONDS = 3600.0
"""For all calls together; each has its own limit."""
_HEADER = """# How people speak of the relations of this graph (docs/glosses.md says how to read and change it).
# Written once with a model; edit it freely. `clew gloss` adds what is missing and leaves the rest as it is.

"""


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
    client = invocation.client
    name = client.graph_name(graph)
    path = client.folder(name) / "glosses.toml"
    written, left_out, tokens = _write(client, name, path, only_print)
    if only_print:
        return
    where = f" in {path}" if path.exists() else ""
    missing = f" Nothing usable came back for {', '.join(left_out)}; run it again to ask once more." if left_out else ""
    click.echo(f"{written} relations and properties glossed{where} ({tokens:,} tokens).{missing}", err=True)


def _write(client: Client, name: str, path: Path, only_print: bool) -> tuple[int, list[str], int]:
    """The number of written glosses, the relations without one, and the tokens used."""
    from clew.agents.writing.gloss_writer import as_toml, described, write
    from clew.tools.queries.ranking.glosses import Glosses

    known = set(Glosses.load(path).relations) if path.exists() else set()
    asked = [d for d in described(client.files(name).schema(), _examples(client, name)) if d.name not in known]
    model = _Counted(_model(client))
    written, left_out, done = 0, [], 0
    with client.progress.task("Glossing", "relations", len(asked)) as advance:
        for batch, found in write(model, asked):
            left_out += [each.name for each in batch if each.name not in found]
            written, done = written + len(found), done + len(batch)
            if only_print:
                click.echo(as_toml(found))
            elif found:
                _append(path, as_toml(found))
            advance(done)
    return written, left_out, model.tokens


@dataclass
class _Counted:
    """A model that counts its tokens."""

    model: Model
    tokens: int = 0

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        reply = self.model.ask(prompt, json=json)
        self.tokens += reply.usage.input_tokens + reply.usage.output_tokens
        return reply


def _append(path: Path, text: str) -> None:
    from clew.app.files import write_text

    before = path.read_text(encoding="utf-8").rstrip("\n") + "\n\n" if path.exists() else _HEADER
    write_text(path, before + text)


def _model(client: Client) -> Model:
    models = client.models
    model = None if models is None else models.of("glosser", seconds=SECONDS, cancelled=Event())
    if model is None:
        raise BadInput("Glosses are written by a model, and none is set.", "Name one: --model NAME [--base-url URL].")
    return model


def _examples(client: Client, name: str) -> Callable[[str], Sequence[tuple[str, str]]]:
    """A few (head, tail) names of a relationship type."""
    from clew.tools.cypher.quoting import quoted
    from clew.tools.graph.store.graph_store import Limits

    store = client.store(name)
    terms = store.terms

    def examples(relation: str) -> list[tuple[str, str]]:
        cypher = (
            f"MATCH {terms.node('a')}-[:{quoted(relation)}]->(b) "
            f"RETURN {terms.name('a')} AS head, {terms.name('b')} AS tail LIMIT {EXAMPLES}"
        )
        rows = store.read(cypher, terms.parameters, Limits(max_rows=EXAMPLES)).records
        return [(str(row["head"]), str(row["tail"])) for row in rows]

    return examples
