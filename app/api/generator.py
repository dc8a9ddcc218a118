"""The language model that chooses queries: loading it to be served, and training it (docs/generator.md).

Only `generator_examples` needs a database; the rest runs on a machine with a GPU alone.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.app.models import generator_loading
from clew.app.progress import NoProgress, Progress
from clew.tools.errors import BadInput
from clew.tools.learning.generation.chosen import MOST_TEXTS as MOST_TEXTS
from clew.tools.learning.generation.chosen import Choice as Choice
from clew.tools.learning.generation.chosen import Request as Request

if TYPE_CHECKING:
    from clew.agents.generating.chooser import LocalChooser
    from clew.agents.generating.chooser import SharedChooser as SharedChooser
    from clew.app.api.graph import Graph
    from clew.app.settings import Settings
    from clew.app.training.generator_examples import SkippedQuestions
    from clew.tools.learning.generation.chosen import Decoding
    from clew.tools.learning.generation.evaluating import Decodings
    from clew.tools.learning.generation.examples import Example
    from clew.tools.learning.generation.load_options import LoadOptions
    from clew.tools.learning.generation.loading import LanguageModel
    from clew.tools.learning.generation.training import Trained as Trained


def generator_to_serve(settings: Settings, model: str | None = None) -> LocalChooser:
    """The generator, to be loaded in this process.

    Args:
        settings: Name the model, and how it is loaded (`generator_adapter`, `generator_device`, …).
        model: A folder or a name of a model, in place of the one in the settings.

    Raises:
        BadInput: No model is named, or it is the address of a service.
    """
    from clew.agents.generating.chooser import LocalChooser
    from clew.agents.generating.choosers import chooser_of

    where = model or settings.generator
    if where is None:
        raise BadInput("No model is named.", "clew generator serve MODEL, or set CLEW_GENERATOR.")
    chooser = chooser_of(where, settings.generator_adapter, **generator_loading(settings))
    if not isinstance(chooser, LocalChooser):
        raise BadInput(f"{where} is served already.", "Give a folder or a name of a model.")
    return chooser


def generator_examples(
    graph: Graph, lessons: Path, out: Path, *, nodes: bool = False, tokens: int | None = None
) -> tuple[int, int, SkippedQuestions]:
    """Make training examples from the questions of a graph and their best queries.

    Args:
        graph: The graph that the questions are about.
        lessons: What `clew teach --out` wrote.
        out: The file for the examples, JSON lines.
        nodes: Whether to make examples of choosing nodes (L2), from the nodes that the best queries find.
        tokens: With `nodes`, the most tokens of a prompt; None for that of the settings.

    Returns:
        The numbers of examples and of questions, and the questions without an example.

    Raises:
        BadInput: `lessons` cannot be read.
    """
    from clew.app.training.generator_examples import SkippedQuestions, query_examples, union_examples
    from clew.tools.learning.generation.examples import write_examples
    from clew.tools.learning.teaching.training_examples import read_training_examples

    if not lessons.exists():
        raise BadInput(f"There is no file {lessons}.", "`clew teach QUESTIONS --out FILE` writes one.")
    read, unused = list(read_training_examples(lessons)), SkippedQuestions()
    graph.open()
    with graph.client.progress.task("Making examples", "questions", len(read)) as advance:

        def made() -> Iterator[Example]:
            if nodes:
                yield from union_examples(graph.client, graph.name, read, unused, tokens, advance)
                return
            for number, example in enumerate(query_examples(graph.client, graph.name, read, unused), start=1):
                advance(number)
                yield example

        return write_examples(out, made()), len(read), unused


def evaluate_generator(
    settings: Settings, files: Sequence[Path], model: str, ways: Sequence[Decoding], progress: Progress | None = None
) -> Decodings:
    """How often a model chooses right on examples, by ways of decoding; needs no database.

    Raises BadInput if a file or the model cannot be read.
    """
    from clew.tools.learning.generation.evaluating import decodings
    from clew.tools.learning.generation.examples import read_examples
    from clew.tools.learning.generation.loading import load

    examples = [example for path in files for example in read_examples(path)]
    loaded = load(model, settings.generator_adapter, **generator_loading(settings))
    with (progress or NoProgress()).task("Choosing", "examples", len(examples) * len(ways)) as advance:
        return decodings(loaded, examples, ways, advance)


def train_generator(
    settings: Settings,
    files: Sequence[Path],
    out: Path,
    *,
    base: str | None = None,
    nodes: bool = False,
    progress: Progress | None = None,
    **recipe: Any,
) -> Trained:
    """Train a model on examples (GraphRAFT, section 4 and B.3). After an interruption, the same call continues.

    Args:
        settings: How the model is loaded.
        files: Examples that `generator_examples` wrote.
        out: The folder for the trained model.
        base: The model to train; None trains a small one from scratch.
        nodes: Begin with the paper's settings for choosing nodes, not queries.
        progress: Receives the steps.
        **recipe: Fields of `clew.tools.learning.generation.recipe.Recipe`, such as `epochs` and `learning_rate`.

    Raises:
        BadInput: A file or the model cannot be read.
    """
    from clew.tools.learning.generation.examples import read_examples
    from clew.tools.learning.generation.loading import load
    from clew.tools.learning.generation.recipe import L1, L2
    from clew.tools.learning.generation.training import steps_in_all, train

    examples = [example for path in files for example in read_examples(path)]
    chosen = replace(L2 if nodes else L1, **recipe)
    if base is None:
        model = _fresh(examples, number_names=chosen.number_names, seed=chosen.seed)
    else:
        model = load(base, settings.generator_adapter, to_train=True, **_to_train(settings, lora=chosen.lora))
    with (progress or NoProgress()).task("Training", "steps", steps_in_all(len(examples), chosen)) as advance:
        return train(model, examples, out, chosen, advance)


def _to_train(settings: Settings, *, lora: bool) -> LoadOptions:
    """How a base model is loaded; for an adapter in four bits where that is possible, unless the settings say so."""
    options = generator_loading(settings)
    if settings.generator_4bit is None and lora:
        import torch

        on_gpu = (settings.generator_device or "cuda").startswith("cuda") and torch.cuda.is_available()
        options["four_bit"] = on_gpu and importlib.util.find_spec("bitsandbytes") is not None
    return options


def _fresh(examples: Sequence[Example], *, number_names: bool, seed: int) -> LanguageModel:
    from clew.tools.learning.generation.fresh import fresh_model
    from clew.tools.learning.generation.numbered_names import with_numbers

    learned = map(with_numbers, examples) if number_names else examples
    return fresh_model([f"{example.prompt}\n{example.target}" for example in learned], seed=seed)
