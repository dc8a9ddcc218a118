"""Glosses of a graph's relations by a language model, added to the graph's gloss file (docs/glosses.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.agents.models.calls import Model, Reply
from clew.agents.prompting import Prompt
from clew.agents.writing.gloss_writer import as_toml, described, write
from clew.app.container import Container
from clew.app.models import model_for_long
from clew.tools.atomic_files import write_text
from clew.tools.cypher.quoting import quoted
from clew.tools.graph.store.graph_store import Limits
from clew.tools.queries.ranking.glosses import Gloss, Glosses

EXAMPLES = 3
_HEADER = """# How people speak of the relations of this graph (docs/glosses.md says how to read and change it).
# Written once with a model; edit it freely. `clew gloss` adds what is missing and leaves the rest as it is.

"""


@dataclass(frozen=True, slots=True)
class GlossBatch:
    """The result of one call of the model."""

    glosses: Mapping[str, Gloss]
    """By relationship type or property."""
    left_out: tuple[str, ...]
    """Relationship types and properties for which the model wrote nothing usable."""
    tokens: int
    """Tokens that the call took."""

    @property
    def toml(self) -> str:
        """The glosses as part of a gloss file."""
        return as_toml(self.glosses)


def write_glosses(container: Container, graph: str, *, save: bool = True) -> Iterator[GlossBatch]:
    """Ask the model for glosses of what the gloss file lacks; the results are saved call by call.

    Args:
        container: Has the model and the graph.
        graph: Its name.
        save: Add the glosses to the graph's gloss file.

    Raises:
        BadInput: No model is named.
        ModelFailed: The model cannot be used.
    """
    path = container.files(graph).gloss_file
    known = set(Glosses.load(path).relations) if path.exists() else set()
    schema = container.files(graph).schema()
    asked = [each for each in described(schema, _examples(container, graph)) if each.name not in known]
    model, done, before = _CountedModel(_glosser(container)), 0, 0
    with container.progress.task("Glossing", "relations", len(asked)) as advance:
        for batch, found in write(model, asked):
            if save and found:
                _append(path, as_toml(found))
            left_out = tuple(each.name for each in batch if each.name not in found)
            yield GlossBatch(found, left_out, model.tokens - before)
            before, done = model.tokens, done + len(batch)
            advance(done)


@dataclass
class _CountedModel:
    """A model that counts its tokens."""

    model: Model
    tokens: int = 0

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        reply = self.model.ask(prompt, json=json)
        self.tokens += reply.usage.input_tokens + reply.usage.output_tokens
        return reply


def _append(path: Path, text: str) -> None:
    before = path.read_text(encoding="utf-8").rstrip("\n") + "\n\n" if path.exists() else _HEADER
    write_text(path, before + text)


def _glosser(container: Container) -> Model:
    missing, remedy = "Glosses are written by a model, and none is set.", "Name one: --model NAME [--base-url URL]."
    return model_for_long(container.models, "glosser", missing, remedy)


def _examples(container: Container, graph: str) -> Callable[[str], Sequence[tuple[str, str]]]:
    """A few (head, tail) names of a relationship type."""
    store = container.store(graph)
    terms = store.terms

    def examples(relation: str) -> list[tuple[str, str]]:
        cypher = (
            f"MATCH {terms.node('a')}-[:{quoted(relation)}]->(b) "
            f"RETURN {terms.name('a')} AS head, {terms.name('b')} AS tail LIMIT {EXAMPLES}"
        )
        rows = store.read(cypher, terms.parameters, Limits(max_rows=EXAMPLES)).records
        return [(str(row["head"]), str(row["tail"])) for row in rows]

    return examples
