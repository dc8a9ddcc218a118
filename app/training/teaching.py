"""Teaching a graph: from question files to lessons, from lessons to a ranker that the container loads by itself.

Everything lies in the graph's folder under `teaching/`: the lessons of each state of the graph, written as they are
made, so that a run that was interrupted goes on where it stopped; and what was learned (learning.teaching.stored).
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from clew.app.container import Container
from clew.app.evaluation.questions import json_lines
from clew.app.progress import Advance
from clew.tools.embedding import MiniLM, bundled_minilm
from clew.tools.errors import BadInput, ClewError
from clew.tools.learning.teaching.given import given_example
from clew.tools.learning.teaching.options import CROSSED, FEATURES
from clew.tools.learning.teaching.stored import manifest_of, save_taught
from clew.tools.learning.teaching.synthesis import Pair, Synthesis
from clew.tools.learning.teaching.training import FEWEST, Trained, fits, train, tuned_on
from clew.tools.learning.teaching.training_examples import (
    TrainingExample,
    example_key,
    example_of,
    patterns_of,
    preferred,
    read_training_examples,
    with_rivals,
)
from clew.tools.queries.space.space import QuerySpace

Encoder = Literal["auto", "tuned", "frozen"]
"""Whether an encoder is fine-tuned, too: `auto` does so from TUNED_FROM lessons on and uses it where it helps; `tuned`
uses it in any case."""
TUNED_FROM = 100
LISTED = 20
"""Questions shown of each kind that could not be learned from."""


@dataclass(slots=True)
class Material:
    """What the files hold."""

    pairs: list[Pair] = field(default_factory=list)
    """Questions with answers, whose queries are still to be found."""
    lessons: list[TrainingExample] = field(default_factory=list)
    """Lines that `clew teach --out` wrote, perhaps edited since."""
    given: list[TrainingExample] = field(default_factory=list)
    """Questions whose candidate queries and their figures are given."""
    bad_lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Report:
    """What came of teaching."""

    questions: int
    statuses: dict[str, int]
    """Questions by what was found for them."""
    mean_f1: float
    """Of the best query of each question that has one."""
    perfect: int
    """Questions with a query that gives all right answers and no other."""
    unlearned: dict[str, list[str]]
    """By status, some of the questions that were not learned from."""
    patterns: int
    trained: Trained | None
    seconds: float


def read_material(paths: Sequence[Path]) -> Material:
    """Raises BadInput where a file cannot be read, or where none holds a usable line."""
    found = Material()
    for path in paths:
        for number, line in json_lines(path):
            try:
                _sort_in(json.loads(line), found)
            except json.JSONDecodeError as error:
                found.bad_lines.append(f"{path}:{number}: not JSON ({error.msg})")
            except (KeyError, TypeError, ValueError) as error:
                found.bad_lines.append(f"{path}:{number}: {error}")
    if not (found.pairs or found.lessons or found.given):
        raise BadInput(
            found.bad_lines[0] if found.bad_lines else f"{', '.join(map(str, paths))}: there is no line to learn from.",
            'A line looks like {"question": "who wrote Emma?", "answers": ["Jane Austen"]}.',
        )
    return found


def _sort_in(value: Any, found: Material) -> None:
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    candidates = value.get("candidates", value.get("queries"))
    if candidates is None:
        question, answers = value.get("question"), value.get("answers")
        if not isinstance(question, str) or not question.strip():
            raise ValueError("no `question`")
        if not isinstance(answers, list) or not answers or not all(isinstance(a, str | int | float) for a in answers):
            raise ValueError("no `answers` (a list of the names of all right answers)")
        found.pairs.append(Pair(question, tuple(str(answer) for answer in answers)))
    elif "status" in value:
        found.lessons.append(example_of(value))
    else:
        found.given.append(given_example(value))


class Teaching:
    """Teaches one graph."""

    def __init__(self, container: Container, graph: str) -> None:
        self._container = container
        self._graph = graph
        self.folder = container.files(graph).teaching

    def synthesise(self, pairs: Sequence[Pair], threads: int) -> list[TrainingExample]:
        """The pairs' lessons, in their order; those that an earlier run made are taken from its journal."""
        journal = self._journal()
        known = _journalled(journal)
        missing = [pair for pair in pairs if example_key(pair.question, pair.answers) not in known]
        if missing:
            context = self._container.context(self._graph)
            synthesis = Synthesis(self.space(), context.tools.index, self._container.untaught_ranker(self._graph))
            journal.parent.mkdir(parents=True, exist_ok=True)
            total = len(missing)
            with (
                journal.open("a", encoding="utf-8") as file,
                self._container.progress.task("Finding queries", "questions", total) as advance,
            ):
                for done, lesson in enumerate(synthesis.examples(missing, threads), start=1):
                    line = lesson.to_json()
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    file.flush()
                    known[example_key(lesson.question, lesson.answers)] = example_of(line)  # as a later run reads it
                    advance(done)
        return [known[example_key(pair.question, pair.answers)] for pair in pairs]

    def teach(
        self,
        lessons: Sequence[TrainingExample],
        given: Sequence[TrainingExample] = (),
        began: float | None = None,
        encoder: Encoder = "auto",
    ) -> Report:
        """Learn from lessons. What was learned before is replaced only when that is done.

        Raises BadInput where there are too few with a good query; with `encoder` "tuned", ClewError where it cannot be
        tuned.
        """
        began = time.monotonic() if began is None else began
        settled = preferred([*lessons, *given])
        own, foreign = settled[: len(lessons)], settled[len(lessons) :]
        usable = sum(lesson.found and lesson.quality > 0 for lesson in settled)
        if usable < FEWEST:
            raise BadInput(
                f"Only {usable} of {len(settled)} questions have a query that gives their answers; "
                f"{FEWEST} are the fewest to learn from.",
                "Check that the answers are names in this graph (`clew teach --out FILE` shows what was found).",
            )
        patterns = patterns_of(own)
        trained, tuned = self._learned([*with_rivals(own), *foreign], usable, encoder)
        facts = {
            "graph": self._graph,
            "graph_version": self._container.store(self._graph).version(),
            "taught_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "questions": len(settled),
            "learned_from": usable,
        }
        save_taught(self.folder, trained, patterns, facts, tuned)
        self._container.forget(self._graph)
        return _report(settled, len(patterns), trained, time.monotonic() - began)

    def _learned(
        self, lessons: Sequence[TrainingExample], usable: int, encoder: Encoder
    ) -> tuple[Trained, Path | None]:
        """What is learned, and the folder of the encoder that was tuned."""
        tuner = None
        if encoder == "tuned" or (encoder == "auto" and usable >= TUNED_FROM):
            tuner = _Tuner(self._container, self.folder, must=encoder == "tuned")
        total = fits(usable) + (tuner.steps(tuned_on(usable)) if tuner else 0)
        with self._container.progress.task("Learning", "steps", total) as advance:
            if tuner is not None:
                tuner.begin(advance)
            heard = tuner.fitted if tuner is not None else advance
            trained = train(lessons, self._container.embedder, step=heard, tune=tuner, only_tuned=encoder == "tuned")
        assert trained is not None
        return trained, tuner.made if tuner else None

    def status(self) -> dict[str, Any] | None:
        """What the graph was taught; None where nothing was. Raises BadInput."""
        return manifest_of(self.folder)

    def reset(self) -> bool:
        """Forget what was taught, and all lessons. Whether there was anything."""
        there = self.folder.exists()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._container.forget(self._graph)
        return there

    def space(self) -> QuerySpace:
        """The graph's query space, to count and to draw queries in."""
        context = self._container.context(self._graph)
        return QuerySpace(context.tools.store, context.tools.schema, self._container.settings.path_semantics)

    def _journal(self) -> Path:
        state = " ".join([self._container.store(self._graph).version(), *FEATURES, *CROSSED])
        return self.folder / f"lessons-{hashlib.sha256(state.encode()).hexdigest()[:12]}.jsonl"


class _Tuner:
    """Tunes an encoder in a graph's folder when training asks for one, and tells both one progress."""

    def __init__(self, container: Container, folder: Path, *, must: bool) -> None:
        self.made: Path | None = None
        self._container = container
        self._folder = folder
        self._must = must
        self._fits = self._batches = 0
        self._advance: Advance = lambda _: None

    def begin(self, advance: Advance) -> None:
        self._advance = advance

    def steps(self, lessons: int) -> int:
        from clew.tools.learning.teaching.encoder import steps

        return steps(lessons)

    def fitted(self, done: int) -> None:
        self._fits = done
        self._advance(self._fits + self._batches)

    def _tuned(self, done: int) -> None:
        self._batches = done
        self._advance(self._fits + self._batches)

    def __call__(self, lessons: Sequence[TrainingExample]) -> MiniLM | None:
        """Raises ClewError where it must be tuned and cannot."""
        from clew.tools.learning.teaching.encoder import (
            tune,  # imports torch, which takes seconds and only teaching needs
        )

        try:
            self.made = tune(lessons, bundled_minilm(), self._folder, step=self._tuned)
        except ClewError as error:
            if self._must:
                raise
            self._container.progress.note(f"No encoder was tuned: {error.message} {error.remedy}")
            return None
        return MiniLM(self.made)


def _journalled(journal: Path) -> dict[str, TrainingExample]:
    """The lessons of earlier runs by key. A last line that was cut off in the middle is removed."""
    if not journal.exists():
        return {}
    text = journal.read_text(encoding="utf-8")
    if text and not text.endswith("\n"):
        journal.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")
    return {example_key(lesson.question, lesson.answers): lesson for lesson in read_training_examples(journal)}


def _report(lessons: Sequence[TrainingExample], patterns: int, trained: Trained, seconds: float) -> Report:
    found = [lesson.quality for lesson in lessons if lesson.status == "found"]
    unlearned: dict[str, list[str]] = {}
    for lesson in lessons:
        if lesson.status != "found":
            unlearned.setdefault(lesson.status, []).append(lesson.question)
    return Report(
        len(lessons),
        dict(Counter(lesson.status for lesson in lessons)),
        sum(found) / len(found) if found else 0.0,
        sum(quality == 1 for quality in found),
        {status: questions[:LISTED] for status, questions in unlearned.items()},
        patterns,
        trained,
        seconds,
    )
