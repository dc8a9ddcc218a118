"""Teaching a graph: from question files to training examples, and from these to a ranker that the container loads.

Everything is in the graph's folder under `teaching/`: the examples of each state of the graph, written as they are
made, so that an interrupted run continues where it stopped; and the trained ranker (`learning.teaching.stored`).
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from clew.app.container import Container
from clew.app.progress import Advance
from clew.app.training.material import Material, read_material
from clew.app.training.synthesising import query_space, synthesised
from clew.tools.embedding import MiniLM, bundled_minilm
from clew.tools.errors import BadInput, ClewError
from clew.tools.learning.teaching.options import CROSSED, FEATURES
from clew.tools.learning.teaching.stored import load_taught, manifest_of, save_taught
from clew.tools.learning.teaching.synthesis import Pair
from clew.tools.learning.teaching.training import FEWEST, Trained, fits, train, tuned_on
from clew.tools.learning.teaching.training_examples import (
    TrainingExample,
    example_key,
    example_of,
    patterns_of,
    preferred,
    read_training_examples,
    with_rivals,
    write_training_examples,
)
from clew.tools.queries.space.space import QuerySpace

if TYPE_CHECKING:
    from clew.agents.writing.question_writer import WrittenQuestion

Encoder = Literal["auto", "tuned", "frozen"]
"""Whether an encoder is fine-tuned too: `auto` tunes it from TUNED_FROM examples on, and uses it if it helps; `tuned`
always uses it."""
TUNED_FROM = 100
LISTED = 20
"""Questions without a usable query that a report lists, by status."""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of teaching."""

    questions: int
    statuses: dict[str, int]
    """Numbers of questions by status."""
    mean_f1: float
    """Of the best query of each question that has one."""
    perfect: int
    """Questions with a query that gives all right answers and no other."""
    unlearned: dict[str, list[str]]
    """Some questions without a usable query, by status."""
    patterns: int
    trained: Trained | None
    seconds: float


class Teaching:
    """Teaches one graph."""

    def __init__(self, container: Container, graph: str) -> None:
        self._container = container
        self.graph = graph
        self.folder = container.files(graph).teaching

    def read(self, paths: Sequence[Path]) -> Material:
        """Read question files. Raises BadInput if a file cannot be read, or no line can be used."""
        return read_material(paths)

    def save(self, examples: Sequence[TrainingExample], path: Path) -> None:
        """Write examples to a file of JSON lines, which can be corrected by hand and read again."""
        write_training_examples(path, preferred(examples))

    def synthesise(self, pairs: Sequence[Pair], threads: int) -> list[TrainingExample]:
        """The examples of the pairs, in their order; those of an earlier run are read from its journal."""
        journal = self._journal()
        known = _journalled(journal)
        missing = [pair for pair in pairs if example_key(pair.question, pair.answers) not in known]
        if missing:
            journal.parent.mkdir(parents=True, exist_ok=True)
            total = len(missing)
            with (
                journal.open("a", encoding="utf-8") as file,
                self._container.progress.task("Finding queries", "questions", total) as advance,
            ):
                found = synthesised(self._container, self.graph, missing, threads)
                for done, example in enumerate(found, start=1):
                    line = example.to_json()
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    file.flush()
                    known[example_key(example.question, example.answers)] = example_of(line)  # as a later run reads it
                    advance(done)
        return [known[example_key(pair.question, pair.answers)] for pair in pairs]

    def teach(
        self,
        examples: Sequence[TrainingExample],
        given: Sequence[TrainingExample] = (),
        began: float | None = None,
        encoder: Encoder = "auto",
    ) -> Report:
        """Learn from examples. The earlier ranker is replaced only at the end.

        Raises BadInput where there are too few with a good query; with `encoder` "tuned", ClewError where it cannot be
        tuned.
        """
        began = time.monotonic() if began is None else began
        settled = preferred([*examples, *given])
        own, foreign = settled[: len(examples)], settled[len(examples) :]
        usable = sum(example.found and example.quality > 0 for example in settled)
        if usable < FEWEST:
            raise BadInput(
                f"Only {usable} of {len(settled)} questions have a query that gives their answers; "
                f"{FEWEST} are the fewest to learn from.",
                "Check that the answers are names in this graph (`clew teach --out FILE` shows what was found).",
            )
        patterns = patterns_of(own)
        trained, tuned = self._learned([*with_rivals(own), *foreign], usable, encoder)
        facts = {
            "graph": self.graph,
            "graph_version": self._container.store(self.graph).version(),
            "taught_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "questions": len(settled),
            "learned_from": usable,
        }
        save_taught(self.folder, trained, patterns, facts, tuned)
        self._container.forget(self.graph)
        return _report(settled, len(patterns), trained, time.monotonic() - began)

    def _learned(
        self, examples: Sequence[TrainingExample], usable: int, encoder: Encoder
    ) -> tuple[Trained, Path | None]:
        """The trained ranker, and the folder of the tuned encoder."""
        tuner = None
        if encoder == "tuned" or (encoder == "auto" and usable >= TUNED_FROM):
            tuner = _Tuner(self._container, self.folder, must=encoder == "tuned")
        total = fits(usable) + (tuner.steps(tuned_on(usable)) if tuner else 0)
        with self._container.progress.task("Learning", "steps", total) as advance:
            if tuner is not None:
                tuner.begin(advance)
            on_step = tuner.fitted if tuner is not None else advance
            trained = train(examples, self._container.minilm, step=on_step, tune=tuner, only_tuned=encoder == "tuned")
        assert trained is not None
        return trained, tuner.made if tuner else None

    def status(self) -> dict[str, Any] | None:
        """What the graph was taught; None if it was not taught. Raises BadInput and UnknownGraph."""
        self._container.store(self.graph)
        return manifest_of(self.folder)

    def used(self) -> str:
        """Whether questions are answered with what was taught: "yes", or "no" and why."""
        try:
            taught = load_taught(self.folder, self._container.files(self.graph).schema())
        except BadInput as error:
            return f"no: {error.message} {error.remedy}"
        return "yes" if taught else "no: it gained nothing on the held-back questions"

    def write_questions(self, count: int, seed: int = 0) -> Iterator[WrittenQuestion | str]:
        """Let the language model write questions about the graph, to be taught with.

        Returns:
            Questions with their answers, and texts that say why a reply could not be used.

        Raises:
            BadInput: No language model is named.
        """
        from clew.agents.writing.question_writer import write_questions

        models = self._container.models
        if models is None:
            raise BadInput("Only a language model can write questions, and none is named.", "Add --model NAME.")
        index = self._container.context(self.graph).tools.index
        return self._shown(write_questions(models, self.space(), index, count, seed), count)

    def _shown(self, questions: Iterator[WrittenQuestion | str], count: int) -> Iterator[WrittenQuestion | str]:
        """The questions, with progress."""
        written = 0
        with self._container.progress.task("Writing questions", "questions", count) as advance:
            for made in questions:
                yield made
                if not isinstance(made, str):
                    written += 1
                    advance(written)

    def reset(self) -> bool:
        """Delete what was taught, and all examples. Returns whether there was anything. Raises UnknownGraph."""
        self._container.store(self.graph)
        there = self.folder.exists()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._container.forget(self.graph)
        return there

    def space(self) -> QuerySpace:
        """The graph's query space."""
        return query_space(self._container, self.graph)

    def _journal(self) -> Path:
        state = " ".join([self._container.store(self.graph).version(), *FEATURES, *CROSSED])
        return self.folder / f"lessons-{hashlib.sha256(state.encode()).hexdigest()[:12]}.jsonl"


class _Tuner:
    """Tunes an encoder in a graph's folder if training asks for one, and reports one progress for both."""

    def __init__(self, container: Container, folder: Path, *, must: bool) -> None:
        self.made: Path | None = None
        self._container = container
        self._folder = folder
        self._must = must
        self._fits = self._batches = 0
        self._advance: Advance = lambda _: None

    def begin(self, advance: Advance) -> None:
        self._advance = advance

    def steps(self, examples: int) -> int:
        from clew.tools.learning.teaching.encoder import steps

        return steps(examples)

    def fitted(self, done: int) -> None:
        self._fits = done
        self._advance(self._fits + self._batches)

    def _tuned(self, done: int) -> None:
        self._batches = done
        self._advance(self._fits + self._batches)

    def __call__(self, examples: Sequence[TrainingExample]) -> MiniLM | None:
        """Raises ClewError if it must be tuned and cannot."""
        from clew.tools.learning.teaching.encoder import (
            tune,  # imports torch, which takes seconds and only teaching needs
        )

        try:
            self.made = tune(examples, bundled_minilm(), self._folder, step=self._tuned)
        except ClewError as error:
            if self._must:
                raise
            self._container.progress.note(f"No encoder was tuned: {error.message} {error.remedy}")
            return None
        return MiniLM(self.made)


def _journalled(journal: Path) -> dict[str, TrainingExample]:
    """The examples of earlier runs by key. An incomplete last line is removed."""
    if not journal.exists():
        return {}
    text = journal.read_text(encoding="utf-8")
    if text and not text.endswith("\n"):
        journal.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")
    return {example_key(example.question, example.answers): example for example in read_training_examples(journal)}


def _report(examples: Sequence[TrainingExample], patterns: int, trained: Trained, seconds: float) -> Report:
    found = [example.quality for example in examples if example.status == "found"]
    unlearned: dict[str, list[str]] = {}
    for example in examples:
        if example.status != "found":
            unlearned.setdefault(example.status, []).append(example.question)
    return Report(
        len(examples),
        dict(Counter(example.status for example in examples)),
        sum(found) / len(found) if found else 0.0,
        sum(quality == 1 for quality in found),
        {status: questions[:LISTED] for status, questions in unlearned.items()},
        patterns,
        trained,
        seconds,
    )
