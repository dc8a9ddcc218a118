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
from clew.tools.errors import BadInput, ClewError

if TYPE_CHECKING:
    from clew.agents.models.calls import Usage
    from clew.agents.models.endpoint import ModelSpec
    from clew.agents.models.prices import Prices
    from clew.agents.writing.skeleton_extractor import Estimate, Extracted, Extractor, Limits
    from clew.app.container import Container
    from clew.tools.documents.chunk import Chunk
    from clew.tools.documents.collection import Collection
    from clew.tools.documents.index.index import DocumentIndex
    from clew.tools.documents.store.store import DocumentStore

SECONDS = 24 * 3600.0
"""For all calls together; each has its own limit."""
BUDGET = 1_000_000


@click.command()
@graph_option
@click.option(
    "--beta",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.2,
    show_default=True,
    metavar="SHARE",
    help="Of the chunks, those that are read: the ones that stand for most others.",
)
@click.option("--rules", is_flag=True, help="Make it by rules, without a model: coarser, and free.")
@click.option("--estimate", "only_estimate", is_flag=True, help="Say what it would take, and send nothing.")
@click.option("--tokens", type=click.IntRange(1), default=BUDGET, show_default=True, metavar="N",
              help="No more than these, sent and received together.")  # fmt: skip
@click.option("--dollars", type=click.FloatRange(0), metavar="X", help="And no more than these; needs a price list.")
@click.option("--forget", is_flag=True, help="Forget the skeleton and all that was extracted for it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@model_options
@pass_invocation
def skeleton(
    invocation: Invocation,
    graph: str | None,
    beta: float,
    rules: bool,
    only_estimate: bool,
    tokens: int,
    dollars: float | None,
    forget: bool,
    yes: bool,
) -> None:
    """Let a model write down the entities and relations of the documents' core chunks.

    Questions to the documents follow them from then on, and cite the chunks that they come from.
    What it would take is shown before anything is sent. Chunks that were read are not sent again, so
    an interrupted run goes on where it stopped, and after `clew documents add` only what is new is
    sent. Sent to the model: the titles and texts of the core chunks. The graph itself is not changed.

    \b
    Examples:
      clew documents skeleton --graph films --model gpt-4.1-mini --estimate
      clew documents skeleton --graph films --model gpt-4.1-mini --tokens 200000
      clew documents skeleton --graph films --rules
    """
    if rules + only_estimate + forget > 1:
        raise click.UsageError("Choose one of --rules, --estimate and --forget.")
    container = invocation.container
    name = container.graph_name(graph)
    collection = container.collection(name)
    if forget:
        _forget(container, name, collection.store, yes)
        return
    if collection.empty:
        raise BadInput(f"{name} has no documents.", f"Add some: clew documents add PATH --graph {name}")
    container.linked_documents(name)
    if rules:
        _by_rules(collection, beta)
    else:
        work = _Work(container, collection, beta, yes)
        with nullcontext() if only_estimate else _alone(collection.store):
            work.run(tokens, dollars, only_estimate=only_estimate)


@contextmanager
def _alone(store: DocumentStore) -> Iterator[None]:
    """Two commands at the same time would pay for the same chunks. Raises ClewError where another one is at work."""
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


def _forget(container: Container, name: str, store: DocumentStore, yes: bool) -> None:
    held = sum(store.extractions.counts().values())
    if store.extractions.made is None and not held:
        raise BadInput(f"{name} has no skeleton of its documents.", "Make one: clew documents skeleton --help")
    if held and not yes and not click.confirm(f"Forget what was extracted from {held:,} chunks of {name}?", err=True):
        raise click.Abort
    store.extractions.forget()
    shutil.rmtree(container.folder(name) / "document-skeleton", ignore_errors=True)
    click.echo(f"The skeleton is forgotten, with what was extracted from {held:,} chunks.", err=True)


def _by_rules(collection: Collection, beta: float) -> None:
    from clew.tools.documents.store.extractions import Made

    collection.store.extractions.make(Made("rules", beta))
    _tell(collection)


def _tell(collection: Collection) -> None:
    """What there is now; it is made where it has changed."""
    from clew.tools.documents.adding import counted

    found = collection.skeleton
    assert found is not None
    made = found.manifest
    linked = f" ({made.linked:,} of them the graph's)" if made.linked else ""
    click.echo(
        f"The skeleton has {made.entities:,} entities{linked} and {counted(made.relations, 'relation')}, "
        f"from {counted(made.chunks, 'chunk')}."
    )


@dataclass
class _Work:
    """What is to be read, and what became of it."""

    container: Container
    collection: Collection
    beta: float
    yes: bool
    usages: list[Usage] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)
    """Ids of chunks."""

    def run(self, tokens: int, dollars: float | None, *, only_estimate: bool) -> None:
        from clew.agents.writing.skeleton_extractor import Limits, prompt_digest
        from clew.tools.documents.store.extractions import Asked, Made

        spec, prices = _spec(self.container), _prices(self.container)
        if dollars is not None and prices.price(spec.endpoint.name, 1, 1) is None:
            raise BadInput(
                f"No price of {spec.endpoint.name} is known, so {dollars:g} dollars cannot be kept.",
                "Name a price list: CLEW_MODEL_PRICES (docs/models.md).",
            )
        index, digest, known = self.collection.index, prompt_digest(), self.collection.store.extractions.asked()
        core = _core(index, self.beta)
        waiting = [chunk for chunk in core if known.get(chunk.id) != Asked.of(chunk, digest)]
        click.echo("\n".join(_plan(index, core, waiting, self.beta, spec, prices)), err=not only_estimate)
        if only_estimate:
            click.echo("Nothing was sent.")
            return
        if waiting and not self.yes and not click.confirm(f"Send them to {spec.endpoint.place}?", err=True):
            raise click.Abort
        self.collection.store.extractions.make(Made("model", self.beta))
        if waiting:
            self._extract(waiting, spec, prices, Limits(tokens, dollars), digest)
        _tell(self.collection)

    def _extract(self, waiting: Sequence[Chunk], spec: ModelSpec, prices: Prices, limits: Limits, digest: str) -> None:
        from clew.agents.models.calls import ModelFailed

        cancelled = Event()
        extractor = self._extractor(waiting, spec, prices, limits, cancelled)
        with self.container.progress.task("Extracting", "chunks", len(waiting)) as advance:
            try:
                for call in extractor:
                    self._keep(call, digest, spec)
                    advance(len(self.kept))
            except KeyboardInterrupt:
                self._leave(extractor, cancelled, digest, spec)
                said = f"{len(self.kept):,} of {len(waiting):,} chunks are extracted and kept"
                raise Interrupted(f"{said}; the same command goes on.") from None
            except ModelFailed:
                for call in extractor.finish():
                    self._keep(call, digest, spec)
                click.echo("\n".join(self._account(len(waiting), extractor)), err=True)
                raise
            for call in extractor.finish():
                self._keep(call, digest, spec)
        click.echo("\n".join(self._account(len(waiting), extractor)), err=True)

    def _extractor(
        self, waiting: Sequence[Chunk], spec: ModelSpec, prices: Prices, limits: Limits, cancelled: Event
    ) -> Extractor:
        from clew.agents.writing.skeleton_extractor import ROLE, Extractor
        from clew.tools.embedding.token_budget import counter

        models = self.container.models
        model = None if models is None else models.of(ROLE, seconds=SECONDS, cancelled=cancelled)
        assert model is not None  # `_spec` has found one.
        name = spec.endpoint.name
        return Extractor(
            model, waiting, counter(), limits, spec.max_tokens,
            lambda sent, received: prices.price(name, sent, received), self.container.settings.model_concurrency,
        )  # fmt: skip

    def _leave(self, extractor: Extractor, cancelled: Event, digest: str, spec: ModelSpec) -> None:
        """After Ctrl-C: what is under way is paid for, so that it is waited for; a second Ctrl-C leaves it."""
        click.echo("\nWaiting for the calls under way. Ctrl-C again leaves them.", err=True)
        try:
            for call in extractor.finish():
                self._keep(call, digest, spec)
        except KeyboardInterrupt:
            cancelled.set()

    def _keep(self, call: Extracted, digest: str, spec: ModelSpec) -> None:
        from clew.tools.documents.store.extractions import Asked

        rows = [
            (chunk, Asked.of(chunk, digest), call.found[chunk.id]) for chunk in call.asked if chunk.id in call.found
        ]
        if rows:
            self.collection.store.extractions.put(rows, spec.endpoint.name)
            self.kept.update(call.found)
        self.usages.append(call.usage)
        if call.failure:
            self.failures.append(call.failure)

    def _account(self, waiting: int, extractor: Extractor) -> Iterator[str]:
        from clew.agents.models.calls import total

        usage = total(self.usages)
        price = "" if usage.price is None else f", ${usage.price:.4f}"
        yield (
            f"{len(self.kept):,} of {waiting:,} chunks extracted in {len(self.usages):,} calls, "
            f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens{price}."
        )
        yield from dict.fromkeys(self.failures)
        if extractor.stopped_by_budget:
            yield "The next call might have passed the limit. Run it again for the others."
        elif len(self.kept) < waiting:
            yield "Nothing usable came back for the others. Run it again to ask for them once more."


def _core(index: DocumentIndex, beta: float) -> list[Chunk]:
    from clew.tools.documents.index.core import core

    return [index.sources.store[position] for position in core(index, beta).tolist()]


def _plan(
    index: DocumentIndex, core: Sequence[Chunk], waiting: Sequence[Chunk], beta: float, spec: ModelSpec, prices: Prices
) -> Iterator[str]:
    """What it takes, before anything is sent."""
    from clew.agents.writing.skeleton_extractor import estimate
    from clew.tools.embedding.token_budget import counter

    done = len(core) - len(waiting)
    before = f", {done:,} of them extracted before" if done else ""
    yield f"{len(core):,} of {len(index):,} chunks are core (β {beta:g}){before}."
    if waiting:
        yield f"{_cost(estimate(waiting, counter()), spec, prices)} with {spec.endpoint.name}."
        if beta < 1:
            every = (index.sources.store[position] for position in range(len(index)))
            yield f"For comparison, all chunks (β 1): {_cost(estimate(every, counter()), spec, prices)}."
        if prices.price(spec.endpoint.name, 1, 1) is None:
            yield f"No price of {spec.endpoint.name} is known; CLEW_MODEL_PRICES names a price list."


def _cost(found: Estimate, spec: ModelSpec, prices: Prices) -> str:
    price = prices.price(spec.endpoint.name, found.input_tokens, found.output_tokens)
    cost = "" if price is None else f", ${price:.4f}"
    return (
        f"{found.chunks:,} chunks in {found.calls:,} calls: about {found.input_tokens:,} + {found.output_tokens:,} "
        f"tokens{cost}"
    )


def _prices(container: Container) -> Prices:
    from clew.agents.models.prices import Prices

    return Prices.load(container.settings.model_prices) if container.settings.model_prices else Prices()


def _spec(container: Container) -> ModelSpec:
    from clew.agents.writing.skeleton_extractor import ROLE
    from clew.app.models import spec_of

    spec = spec_of(ROLE, container.settings)
    if spec is None:
        raise BadInput(
            "Entities and relations are extracted by a model, and none is set.",
            "Name one: --model NAME [--base-url URL]; or make the skeleton by rules: --rules.",
        )
    return spec
