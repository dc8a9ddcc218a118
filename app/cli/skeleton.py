"""`clew documents skeleton`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING

import click

from clew.app.cli.errors import Interrupted
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options
from clew.app.cli.reading_model import TOKEN_BUDGET, ReadingModel, usage_text
from clew.app.cli.render import counted
from clew.app.cli.terminal import confirm, echo, echo_lines
from clew.tools.documents.search_options import CORE_CHOICES, CoreChoice
from clew.tools.errors import BadInput, ClewError

if TYPE_CHECKING:
    from clew.agents.models.calls import Usage
    from clew.agents.writing.skeleton_extractor import Extracted, Extractor, Limits
    from clew.app.api.client import Client
    from clew.tools.documents.chunk import Chunk
    from clew.tools.documents.collection import Collection
    from clew.tools.documents.index.index import DocumentIndex
    from clew.tools.documents.store.store import DocumentStore


@click.command()
@graph_option
@click.option(
    "--beta",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.2,
    show_default=True,
    metavar="SHARE",
    help="The share of the chunks to read.",
)
@click.option("--core", type=click.Choice(CORE_CHOICES), default="pagerank", show_default=True,
              help="How these chunks are chosen: the most central ones, or at random.")  # fmt: skip
@click.option("--rules", is_flag=True, help="Make it by rules, without a model: coarser, and free of charge.")
@click.option("--estimate", "only_estimate", is_flag=True, help="Show what it would take, and send nothing.")
@click.option("--tokens", type=click.IntRange(1), default=TOKEN_BUDGET, show_default=True, metavar="N",
              help="No more than these, sent and received together.")  # fmt: skip
@click.option("--dollars", type=click.FloatRange(0), metavar="X", help="And no more than these; needs a price list.")
@click.option("--forget", is_flag=True, help="Delete the skeleton and everything extracted for it.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@model_options
@pass_invocation
def skeleton(
    invocation: Invocation,
    graph: str | None,
    beta: float,
    core: CoreChoice,
    rules: bool,
    only_estimate: bool,
    tokens: int,
    dollars: float | None,
    forget: bool,
    yes: bool,
) -> None:
    """Let a model extract the entities and relations of the documents' core chunks.

    Questions to the documents follow them from then on, and cite their chunks. The command shows what it would take
    before it sends anything. Chunks that were read are not sent again, so an interrupted run continues where it
    stopped, and after `clew documents add` only new chunks are sent. The model receives the titles and texts of the
    core chunks. The graph itself is not changed.

    \b
    Examples:
      clew documents skeleton --graph films --model gpt-4.1-mini --estimate
      clew documents skeleton --graph films --model gpt-4.1-mini --tokens 200000
      clew documents skeleton --graph films --rules
    """
    if rules + only_estimate + forget > 1:
        raise click.UsageError("Choose one of --rules, --estimate and --forget.")
    client = invocation.client
    name = client.graph_name(graph)
    collection = client.files(name).collection()
    if forget:
        _delete(client, name, collection.store, yes)
        return
    if collection.empty:
        raise BadInput(f"{name} has no documents.", f"Add some: clew documents add PATH --graph {name}")
    client.files(name).linked_documents()
    if rules:
        _make_by_rules(collection, beta, core)
    else:
        extraction = _Extraction(client, collection, beta, core, yes)
        with nullcontext() if only_estimate else _exclusive(collection.store):
            extraction.run(tokens, dollars, only_estimate=only_estimate)


@contextmanager
def _exclusive(store: DocumentStore) -> Iterator[None]:
    """Keep a second command from paying for the same chunks. Raises ClewError if another one is running."""
    import filelock

    lock = filelock.FileLock(store.directory / "extracting.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise ClewError(
            "Another command is extracting from these documents.", "Wait until it has ended, then run this again."
        ) from None
    try:
        yield
    finally:
        lock.release()


def _delete(client: Client, name: str, store: DocumentStore, yes: bool) -> None:
    held = sum(store.extractions.counts().values())
    if store.extractions.settings is None and not held:
        raise BadInput(f"{name} has no skeleton of its documents.", "Make one: clew documents skeleton --help")
    if held and not yes and not confirm(f"Delete the extractions from {held:,} chunks of {name}?"):
        raise click.Abort
    store.extractions.forget()
    shutil.rmtree(client.folder(name) / "document-skeleton", ignore_errors=True)
    echo(f"The skeleton is deleted, with the extractions from {held:,} chunks.", err=True)


def _make_by_rules(collection: Collection, beta: float, core: CoreChoice) -> None:
    from clew.tools.documents.store.extractions import SkeletonSettings

    collection.store.extractions.set(SkeletonSettings("rules", beta, core))
    _print_totals(collection)


def _print_totals(collection: Collection) -> None:
    """Print what the skeleton holds; it is rebuilt if it has changed."""
    found = collection.skeleton
    assert found is not None
    made = found.manifest
    linked = f" ({made.linked:,} of them the graph's)" if made.linked else ""
    echo(
        f"The skeleton has {made.entities:,} entities{linked} and {counted(made.relations, 'relation')}, "
        f"from {counted(made.chunks, 'chunk')}."
    )


@dataclass
class _Extraction:
    """One extraction: the chunks to read, and the results so far."""

    client: Client
    collection: Collection
    beta: float
    core: CoreChoice
    yes: bool
    usages: list[Usage] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)
    """Ids of chunks."""

    def run(self, tokens: int, dollars: float | None, *, only_estimate: bool) -> None:
        from clew.agents.writing.chunk_batches import ROLE
        from clew.agents.writing.skeleton_extractor import Limits, prompt_digest
        from clew.tools.documents.store.extractions import ExtractionKey, SkeletonSettings

        model = ReadingModel.of(
            self.client, ROLE,
            "Entities and relations are extracted by a model, and none is set.",
            "Name one: --model NAME [--base-url URL]; or make the skeleton by rules: --rules.",
        )  # fmt: skip
        if dollars is not None and not model.has_price:
            raise BadInput(
                f"No price of {model.name} is known, so a limit of {dollars:g} dollars cannot be checked.",
                "Name a price list: CLEW_MODEL_PRICES (docs/models.md).",
            )
        index, digest, known = self.collection.index, prompt_digest(), self.collection.store.extractions.keys()
        core = [index.sources.store[position] for position in index.core(self.beta, self.core).tolist()]
        waiting = [chunk for chunk in core if known.get(chunk.id) != ExtractionKey.of(chunk, digest)]
        echo_lines(_plan(index, len(core), waiting, self.beta, model), err=not only_estimate)
        if only_estimate:
            echo("Nothing was sent.")
            return
        if waiting and not self.yes and not confirm(f"Send them to {model.spec.endpoint.place}?"):
            raise click.Abort
        self.collection.store.extractions.set(SkeletonSettings("model", self.beta, self.core))
        if waiting:
            self._extract(waiting, model, Limits(tokens, dollars), digest)
        _print_totals(self.collection)

    def _extract(self, waiting: Sequence[Chunk], model: ReadingModel, limits: Limits, digest: str) -> None:
        from clew.agents.models.calls import ModelFailed
        from clew.agents.writing.skeleton_extractor import Extractor
        from clew.tools.embedding.token_budget import counter

        cancelled = Event()
        extractor = Extractor(
            model.opened(cancelled), waiting, counter(), limits, model.spec.max_tokens, model.price,
            self.client.settings.model_concurrency,
        )  # fmt: skip
        with self.client.progress.task("Extracting", "chunks", len(waiting)) as advance:
            try:
                for call in extractor:
                    self._save(call, digest, model.name)
                    advance(len(self.kept))
            except KeyboardInterrupt:
                self._finish_interrupted(extractor, cancelled, digest, model.name)
                kept = f"{len(self.kept):,} of {len(waiting):,} chunks are extracted and kept"
                raise Interrupted(f"{kept}; the same command continues.") from None
            except ModelFailed:
                self._finish(extractor, digest, model.name)
                echo_lines(self._account(len(waiting), extractor), err=True)
                raise
            self._finish(extractor, digest, model.name)
        echo_lines(self._account(len(waiting), extractor), err=True)

    def _finish(self, extractor: Extractor, digest: str, by: str) -> None:
        for call in extractor.finish():
            self._save(call, digest, by)

    def _finish_interrupted(self, extractor: Extractor, cancelled: Event, digest: str, by: str) -> None:
        """After Ctrl-C, wait for the running calls, which are paid for; a second Ctrl-C cancels them."""
        echo("\nWaiting for the running calls. Ctrl-C again cancels them.", err=True)
        try:
            self._finish(extractor, digest, by)
        except KeyboardInterrupt:
            cancelled.set()

    def _save(self, call: Extracted, digest: str, by: str) -> None:
        from clew.tools.documents.store.extractions import ExtractionKey

        rows = [
            (chunk, ExtractionKey.of(chunk, digest), call.found[chunk.id])
            for chunk in call.asked
            if chunk.id in call.found
        ]
        if rows:
            self.collection.store.extractions.put(rows, by)
            self.kept.update(call.found)
        self.usages.append(call.usage)
        if call.failure:
            self.failures.append(call.failure)

    def _account(self, waiting: int, extractor: Extractor) -> Iterator[str]:
        yield f"{len(self.kept):,} of {waiting:,} chunks extracted in {usage_text(self.usages)}."
        yield from dict.fromkeys(self.failures)
        if extractor.stopped_by_budget:
            yield "The next call might have exceeded the limit. Run the command again for the others."
        elif len(self.kept) < waiting:
            yield "The model returned nothing usable for the others. Run the command again to ask for them."


def _plan(index: DocumentIndex, core: int, waiting: Sequence[Chunk], beta: float, model: ReadingModel) -> Iterator[str]:
    """What extracting takes, before anything is sent; `core` chunks in all."""
    from clew.agents.writing.skeleton_extractor import estimate
    from clew.tools.embedding.token_budget import counter

    done = core - len(waiting)
    before = f", {done:,} of them extracted before" if done else ""
    yield f"{core:,} of {len(index):,} chunks are core (β {beta:g}){before}."
    if waiting:
        yield f"{model.estimate_text(estimate(waiting, counter()))} with {model.name}."
        if beta < 1:
            every = (index.sources.store[position] for position in range(len(index)))
            yield f"For comparison, all chunks (β 1): {model.estimate_text(estimate(every, counter()))}."
        if not model.has_price:
            yield f"No price of {model.name} is known; CLEW_MODEL_PRICES names a price list."
