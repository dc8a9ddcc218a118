"""Question files to teach with: questions with answers, and what an earlier run made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.app.evaluation.questions import json_items, sample
from clew.tools.errors import BadInput
from clew.tools.learning.teaching.given import given_example
from clew.tools.learning.teaching.synthesis import Pair
from clew.tools.learning.teaching.training_examples import TrainingExample, example_of


@dataclass(slots=True)
class Material:
    """The contents of question files."""

    pairs: list[Pair] = field(default_factory=list)
    """Questions with answers, whose queries are to be found."""
    examples: list[TrainingExample] = field(default_factory=list)
    """Lines that `clew teach --out` wrote, perhaps edited since."""
    given: list[TrainingExample] = field(default_factory=list)
    """Questions with given candidate queries and their figures."""
    bad_lines: list[str] = field(default_factory=list)

    def sampled(self, limit: int | None, seed: int) -> Material:
        """A random sample of at most `limit` of each kind."""
        return Material(
            sample(self.pairs, limit, seed),
            sample(self.examples, limit, seed),
            sample(self.given, limit, seed),
            self.bad_lines,
        )


def read_material(paths: Sequence[Path]) -> Material:
    """Read question files. Raises BadInput if a file cannot be read, or no line can be used."""
    found = Material()
    for path in paths:
        found.bad_lines += json_items(path, lambda value: _add(value, found)).bad_lines
    if not (found.pairs or found.examples or found.given):
        raise BadInput(
            found.bad_lines[0] if found.bad_lines else f"{', '.join(map(str, paths))}: there is no line to learn from.",
            'A line looks like {"question": "who wrote Emma?", "answers": ["Jane Austen"]}.',
        )
    return found


def _add(value: Any, found: Material) -> None:
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
        found.examples.append(example_of(value))
    else:
        found.given.append(given_example(value))
