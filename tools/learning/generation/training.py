"""Training a model to write the right text after a prompt: supervised fine-tuning in plain PyTorch, whole or by LoRA.

The loss is that of the text alone, tokenised as the trie tokenises it when the model is asked. A run can be stopped at
any step; it goes on from there to the same result. Source: GraphRAFT, sections 4.1 and B.3.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import Tensor

from clew.tools.embedding.sentence_model import quiet_loading
from clew.tools.errors import BadInput
from clew.tools.learning.generation.batches import Row, batches_of, split, tokenised
from clew.tools.learning.generation.calibration import calibrated_on, fitted_share
from clew.tools.learning.generation.checkpoint import (
    REPORTED,
    Checkpoints,
    Progress,
    Score,
    fingerprint_of,
    refuse_other_folder,
)
from clew.tools.learning.generation.checkpoint import Trained as Trained
from clew.tools.learning.generation.choosing import TextChooser
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.fresh import with_adapter
from clew.tools.learning.generation.loading import (
    MANIFEST,
    LanguageModel,
    OutOfMemory,
    free_memory,
    is_out_of_memory,
    marks,
    out_of_memory,
)
from clew.tools.learning.generation.losses import Losses
from clew.tools.learning.generation.numbered_names import with_numbers
from clew.tools.learning.generation.optimising import (
    computed_in,
    optimiser_of,
    rate,
    save_activations,
    with_master_weights,
)
from clew.tools.learning.generation.recipe import Recipe

FEWEST = 4
"""Minimum number of examples."""
MOST_ASKED = 200
"""Maximum number of held-back examples that the model answers, before and after."""


def train(
    model: LanguageModel,
    examples: Sequence[Example],
    folder: Path,
    recipe: Recipe,
    step: Callable[[int], None] = lambda done: None,
) -> Trained:
    """Train `model` and write the result to `folder`.

    An interrupted run of the same model, examples and recipe goes on from its last checkpoint there.

    Args:
        step: Called with the number of steps done, after each step.

    Raises:
        BadInput: There are too few examples, the folder holds something else, or peft is missing.
        OutOfMemory: A single example does not fit in memory.

    Source: GraphRAFT, sections 4.1 and B.3.
    """
    model = replace(model, numbers_names=False)  # the examples have what numbers they should
    numbered = [with_numbers(example) for example in examples] if recipe.number_names else examples
    rows, left_out = tokenised(model, numbered, recipe.longest)
    learned, held = split([examples[number].prompt for number in rows], recipe)
    if len(rows) < FEWEST or not learned or not held:
        raise BadInput(
            f"{len(rows)} examples are too few to learn from"
            + (f" ({left_out} are longer than {recipe.longest} tokens)." if left_out else "."),
            f"{FEWEST} are the fewest; a few hundred are better.",
        )
    refuse_other_folder(folder)
    kind = model.model.dtype
    trained = with_adapter(model, recipe) if recipe.lora else with_master_weights(model)
    save_activations(trained.model, recipe)
    kept = [(numbered[number], row) for number, row in rows.items()]
    run = _Run(trained, [kept[i][1] for i in learned], [kept[i] for i in held], folder, recipe)
    run.kind = kind
    resumed = run.resume(fingerprint_of(model, examples, recipe))
    try:
        return replace(run.run(step), left_out=left_out, resumed=resumed)
    except (KeyboardInterrupt, OutOfMemory):
        run.save()
        raise


def steps_in_all(examples: int, recipe: Recipe) -> int:
    """Number of steps if training does not end early."""
    learned = examples - max(1, round(examples * recipe.held_back))
    return recipe.epochs * -(-learned // (recipe.batch * recipe.accumulate))


class _Run:
    """One run of training, with its model, optimiser and progress."""

    def __init__(
        self,
        model: LanguageModel,
        rows: Sequence[Row],
        held: Sequence[tuple[Example, Row]],
        folder: Path,
        recipe: Recipe,
    ) -> None:
        self._model, self._rows, self._held = model, rows, held
        self._folder, self._recipe, self._checkpoints = folder, recipe, Checkpoints(folder)
        self._parameters = {n: p for n, p in model.model.named_parameters() if p.requires_grad}
        self._optimiser = optimiser_of(self._parameters.values(), recipe, model.model.device)
        packing = model.model.device.type != "cpu" if recipe.packing is None else recipe.packing
        self._losses = Losses(model.model, model.end_token, packing=packing)
        self.kind = model.model.dtype
        """The type in which weights are computed and written."""
        self._steps_an_epoch = -(-len(rows) // (recipe.batch * recipe.accumulate))
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimiser, self._rate)
        self._now = Progress()
        self._fingerprint = ""
        self._batch = recipe.batch
        self._whole = True
        """False during a step."""
        self._random = torch.get_rng_state()
        """The progress after the last complete step."""

    def resume(self, fingerprint: str) -> bool:
        """Resume from a checkpoint of the same training; returns whether there was one."""
        self._fingerprint = fingerprint
        torch.manual_seed(self._recipe.seed)
        self._random = torch.get_rng_state()
        kept = self._checkpoints.resume(fingerprint)
        if kept is None:
            return False
        self._put(kept["weights"])
        self._optimiser.load_state_dict(kept["optimiser"])
        self._schedule.load_state_dict(kept["schedule"])
        self._random = kept["random"]
        torch.set_rng_state(self._random)
        self._now = Progress(**kept["progress"])
        return True

    def save(self) -> None:
        """Write a checkpoint of the last complete step; during a step, the previous one stays."""
        if not self._whole:
            return
        kept = {
            "fingerprint": self._fingerprint,
            "weights": self._weights(),
            "optimiser": self._optimiser.state_dict(),
            "schedule": self._schedule.state_dict(),
            "random": self._random,
            "progress": asdict(self._now),
        }
        self._checkpoints.save(kept)

    def run(self, step: Callable[[int], None]) -> Trained:
        now, recipe = self._now, self._recipe
        if now.steps == 0:
            now.before = self._score()
            self._keep_best(now.before_loss)
            self.save()
        while now.epoch < recipe.epochs and now.vain_epochs < recipe.patience:
            self._epoch(step)
            loss = self._loss_held_back()
            now.epoch, now.step_in_epoch = now.epoch + 1, 0
            now.vain_epochs = 0 if loss < now.best_loss else now.vain_epochs + 1
            if loss < now.best_loss:
                self._keep_best(loss)
            self.save()
        if (best := self._checkpoints.best()) is not None:
            self._put(best)
        counts = (now.epoch, now.steps, len(self._rows), len(self._held))
        stopped = now.epoch < recipe.epochs
        with out_of_memory("A held-back example"):
            temperature = calibrated_on(self._model, self._asked())
            keep_from = fitted_share(TextChooser(self._model), self._asked(), temperature)
        found = Trained(
            now.before, self._score(), *counts, left_out=0, resumed=False, stopped_early=stopped,
            temperature=temperature, keep_from=keep_from,
        )  # fmt: skip
        self._finish(found)
        return found

    def _keep_best(self, loss: float) -> None:
        self._now.best_loss = loss
        self._checkpoints.save_best(self._weights())

    def _epoch(self, step: Callable[[int], None]) -> None:
        now, recipe = self._now, self._recipe
        batches = batches_of(self._rows, recipe.batch * recipe.accumulate, random.Random(f"{recipe.seed}:{now.epoch}"))
        self._model.model.train()
        for number in range(now.step_in_epoch, self._steps_an_epoch):
            self._gradients(batches[number])
            torch.nn.utils.clip_grad_norm_(self._parameters.values(), 1.0)
            self._whole = False
            self._optimiser.step()
            self._schedule.step()
            now.step_in_epoch, now.steps = number + 1, now.steps + 1
            self._random, self._whole = torch.get_rng_state(), True
            if now.steps % recipe.save_every == 0:
                self.save()
            step(now.steps)
        self._model.model.eval()

    def _gradients(self, rows: Sequence[Row]) -> None:
        """Compute the gradients of the mean loss over the tokens; in smaller batches from now on if memory does not
        suffice."""
        tokens = sum(len(row.target) for row in rows)
        while True:
            self._optimiser.zero_grad(set_to_none=True)
            try:
                for start in range(0, len(rows), self._batch):
                    (self._loss(rows[start : start + self._batch]) / tokens).backward()  # type: ignore[no-untyped-call]
                return
            except (MemoryError, RuntimeError) as error:
                if not is_out_of_memory(error):
                    raise
            free_memory()
            if self._batch == 1:
                longest = max(len(row.prompt) + len(row.target) for row in rows)
                raise OutOfMemory(
                    f"A single example (of up to {longest} tokens) does not fit in memory.",
                    "Train with --lora, 4-bit weights, or a lower --longest.",
                )
            self._batch //= 2

    def _loss(self, rows: Sequence[Row]) -> Tensor:
        """Summed over the tokens of the targets."""
        with computed_in(self.kind, self._model.model.device):
            return self._losses(rows)

    def _loss_held_back(self) -> float:
        self._model.model.eval()
        rows = [row for _, row in self._held]
        total = 0.0
        with torch.no_grad(), out_of_memory("A batch of held-back examples"):
            for start in range(0, len(rows), self._recipe.batch):
                total += float(self._loss(rows[start : start + self._recipe.batch]))
        return total / sum(len(row.target) for row in rows)

    def _asked(self) -> list[Example]:
        return [example for example, _ in self._held if len(example.candidates) > 1][:MOST_ASKED]

    def _score(self) -> Score:
        asked = self._asked()
        self._model.model.eval()
        chooser = TextChooser(self._model)
        hits = 0
        for example in asked:
            first = chooser.choose(example.prompt, example.candidates, 1).chosen[0]
            hits += example.candidates[first.index] == example.target
        return Score(self._loss_held_back(), hits / len(asked) if asked else None)

    def _finish(self, found: Trained) -> None:
        """Write the model, tokenizer and manifest, and remove the checkpoint."""
        facts = {
            "base": self._model.base,
            "marks": marks(self._model.model),
            "recipe": asdict(self._recipe),
            **{name: value for name, value in asdict(found).items() if name in REPORTED},
        }
        if not self._recipe.lora:
            self._model.model.to(self.kind)
        with quiet_loading():
            self._model.model.save_pretrained(self._folder)
        self._model.tokenizer.save_pretrained(self._folder)
        (self._folder / MANIFEST).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
        self._checkpoints.remove()

    def _weights(self) -> dict[str, Tensor]:
        return {name: parameter.detach().cpu() for name, parameter in self._parameters.items()}

    def _put(self, weights: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, parameter in self._parameters.items():
                parameter.copy_(weights[name])

    def _rate(self, step: int) -> float:
        return rate(step, self._recipe.epochs * self._steps_an_epoch, self._recipe)
