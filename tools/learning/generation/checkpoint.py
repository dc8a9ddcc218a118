"""Checkpoints of a training run, for continuation after an interruption."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from clew.tools.errors import BadInput
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.loading import MANIFEST, LanguageModel, marks
from clew.tools.learning.generation.recipe import Recipe

REPORTED = ("before", "after", "epochs", "steps", "learned_from", "held_back", "temperature", "keep_from")
"""Fields of `Trained` that the manifest holds, in its order."""
UNFINISHED = ".training"
"""Folder of the checkpoints within that of the model."""


@dataclass(frozen=True, slots=True)
class Score:
    """The evaluation of a model on the held-back examples."""

    loss: float
    """Mean negative log-likelihood of a token of the text."""
    right: float | None
    """Share of examples whose target is the most likely candidate; None if no example has candidates."""


@dataclass(frozen=True, slots=True)
class Trained:
    """The result of training."""

    before: Score
    after: Score
    epochs: int
    """Number of epochs started."""
    steps: int
    learned_from: int
    held_back: int
    left_out: int
    """Number of examples that were too long."""
    resumed: bool
    stopped_early: bool
    temperature: float = 1.0
    """The temperature that fits its scores to the held-back examples."""
    keep_from: float = 0.0
    """The share of the likeliest text's probability from which on other texts are right too, where prompts have several
    right texts; else 0."""


@dataclass(slots=True)
class Progress:
    """The progress of training, part of every checkpoint."""

    epoch: int = 0
    step_in_epoch: int = 0
    steps: int = 0
    best_loss: float = float("inf")
    vain_epochs: int = 0
    before_loss: float = 0.0
    before_right: float = -1.0
    """-1 for none."""

    @property
    def before(self) -> Score:
        """The score before the first step."""
        return Score(self.before_loss, None if self.before_right < 0 else self.before_right)

    @before.setter
    def before(self, score: Score) -> None:
        self.before_loss, self.before_right = score.loss, -1.0 if score.right is None else score.right


class Checkpoints:
    """The state of a run (`now.pt`) and its best weights (`best.pt`), in a folder that is removed at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / UNFINISHED

    def resume(self, fingerprint: str) -> dict[str, Any] | None:
        """The state of a run with that fingerprint; the state of any other run is removed."""
        state: dict[str, Any] | None = _load(self._folder / "now.pt")
        if state is None or state["fingerprint"] != fingerprint:
            self.remove()
            return None
        return state

    def save(self, state: dict[str, Any]) -> None:
        _save(self._folder / "now.pt", state)

    def save_best(self, weights: dict[str, torch.Tensor]) -> None:
        _save(self._folder / "best.pt", weights)

    def best(self) -> dict[str, torch.Tensor] | None:
        weights: dict[str, torch.Tensor] | None = _load(self._folder / "best.pt")
        return weights

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def refuse_other_folder(folder: Path) -> None:
    """Raises BadInput unless the folder is empty or was written by training."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()) and not (folder / MANIFEST).exists() and not (folder / UNFINISHED).exists():
        raise BadInput(f"{folder} holds something else.", "Give an empty folder.")


def fingerprint_of(model: LanguageModel, examples: Sequence[Example], recipe: Recipe) -> str:
    """Identifies a run by its model, examples and recipe."""
    digest = hashlib.sha256(json.dumps([asdict(recipe), model.name, marks(model.model)]).encode())
    for example in examples:
        digest.update(json.dumps([example.prompt, example.target]).encode())
    return digest.hexdigest()


def _save(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    torch.save(value, draft)
    draft.replace(path)


def _load(path: Path) -> Any:
    """The state, or None if there is no readable one."""
    try:
        return torch.load(path, weights_only=True, map_location="cpu")
    except (OSError, RuntimeError, EOFError, ValueError):
        return None
