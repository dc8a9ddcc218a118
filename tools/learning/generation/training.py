"""Training a model to say the right text after a prompt: supervised fine-tuning in plain PyTorch, whole or by LoRA.

Loss is on the text alone, tokenised as the trie tokenises it when the model is asked (GraphRAFT section 4.1, B.3). It
can be stopped at any step, and then goes on from there to the same result.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from clew.tools.errors import BadInput
from clew.tools.learning.decoding import TokenTrie
from clew.tools.learning.generation.calibration import calibrated_on
from clew.tools.learning.generation.choosing import TextChooser
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.loading import (
    MANIFEST,
    LanguageModel,
    OutOfMemory,
    free_memory,
    is_out_of_memory,
    marks,
    out_of_memory,
    prompt_ids,
    without_bars,
)
from clew.tools.learning.generation.numbered_names import with_numbers
from clew.tools.learning.generation.recipe import Recipe

FEWEST = 4
"""Examples."""
MOST_ASKED = 200
"""Held-back examples that the model is asked, before and after."""
_UNFINISHED = ".training"
_IGNORED = -100
_SORTED_TOGETHER = 20
"""Batches."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well held-back examples are known."""

    loss: float
    """Mean negative log-likelihood of a token of the text."""
    right: float | None
    """Share whose target is the likeliest of its candidates; None where no example has candidates."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of it."""

    before: Score
    after: Score
    epochs: int
    """Those that were begun."""
    steps: int
    learned_from: int
    held_back: int
    left_out: int
    """Examples that were too long."""
    resumed: bool
    stopped_early: bool
    temperature: float = 1.0
    """At which its scores fit the held-back examples best."""


@dataclass(frozen=True, slots=True)
class _Row:
    prompt: list[int]
    target: list[int]
    """With the end token."""


@dataclass(slots=True)
class _Progress:
    """Where training is; kept with every checkpoint."""

    epoch: int = 0
    step_in_epoch: int = 0
    steps: int = 0
    best_loss: float = float("inf")
    vain_epochs: int = 0
    before_loss: float = 0.0
    before_right: float = -1.0
    """-1 for none."""


def train(
    model: LanguageModel,
    examples: Sequence[Example],
    folder: Path,
    recipe: Recipe,
    step: Callable[[int], None] = lambda done: None,
) -> Trained:
    """Train `model` and write the result to `folder`. What an interrupted run left there is taken up where it is of the
    same model, examples and recipe; `step` is told how many steps are done.

    Raises BadInput where the examples are too few, the folder holds something else, or peft is missing; OutOfMemory.
    """
    model = replace(model, numbers_names=False)  # the examples have what numbers they should
    numbered = [with_numbers(example) for example in examples] if recipe.number_names else examples
    rows, left_out = _rows(model, numbered, recipe.longest)
    learned, held = _parted([examples[number].prompt for number in rows], recipe)
    if len(rows) < FEWEST or not learned or not held:
        raise BadInput(
            f"{len(rows)} examples are too few to learn from"
            + (f" ({left_out} are longer than {recipe.longest} tokens)." if left_out else "."),
            f"{FEWEST} are the fewest; a few hundred are better.",
        )
    _refuse_foreign(folder)
    trained = _with_adapter(model, recipe) if recipe.lora else model
    kept = [(numbered[number], row) for number, row in rows.items()]
    run = _Run(trained, [kept[i][1] for i in learned], [kept[i] for i in held], folder, recipe)
    resumed = run.resume(_fingerprint(model, examples, recipe))
    try:
        return replace(run.run(step), left_out=left_out, resumed=resumed)
    except (KeyboardInterrupt, OutOfMemory):
        run.save()
        raise


def steps_in_all(examples: int, recipe: Recipe) -> int:
    """At most, if training does not end early."""
    learned = examples - max(1, round(examples * recipe.held_back))
    return recipe.epochs * -(-learned // (recipe.batch * recipe.accumulate))


class _Run:
    def __init__(
        self,
        model: LanguageModel,
        rows: Sequence[_Row],
        held: Sequence[tuple[Example, _Row]],
        folder: Path,
        recipe: Recipe,
    ) -> None:
        self._model, self._rows, self._held = model, rows, held
        self._folder, self._recipe = folder, recipe
        self._parameters = {n: p for n, p in model.model.named_parameters() if p.requires_grad}
        self._optimiser = torch.optim.AdamW(
            self._parameters.values(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay
        )
        self._steps_an_epoch = -(-len(rows) // (recipe.batch * recipe.accumulate))
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimiser, self._rate)
        self._now = _Progress()
        self._fingerprint = ""
        self._batch = recipe.batch
        self._whole = True
        """False while a step is half taken."""
        self._random = torch.get_rng_state()
        """After the last whole step."""

    @property
    def _state(self) -> Path:
        return self._folder / _UNFINISHED

    def resume(self, fingerprint: str) -> bool:
        """Take up a checkpoint of the same training; whether there was one."""
        self._fingerprint = fingerprint
        torch.manual_seed(self._recipe.seed)
        self._random = torch.get_rng_state()
        kept = _loaded(self._state / "now.pt")
        if kept is None or kept["fingerprint"] != fingerprint:
            shutil.rmtree(self._state, ignore_errors=True)
            return False
        self._put(kept["weights"])
        self._optimiser.load_state_dict(kept["optimiser"])
        self._schedule.load_state_dict(kept["schedule"])
        self._random = kept["random"]
        torch.set_rng_state(self._random)
        self._now = _Progress(**kept["progress"])
        return True

    def save(self) -> None:
        """A checkpoint of the last whole step; the one before stays where a step is half taken."""
        if not self._whole:
            return
        kept = {
            "fingerprint": self._fingerprint,
            "weights": {name: p.detach().cpu() for name, p in self._parameters.items()},
            "optimiser": self._optimiser.state_dict(),
            "schedule": self._schedule.state_dict(),
            "random": self._random,
            "progress": asdict(self._now),
        }
        _written(self._state / "now.pt", kept)

    def run(self, step: Callable[[int], None]) -> Trained:
        now, recipe = self._now, self._recipe
        if now.steps == 0:
            before = self._score()
            now.before_loss, now.before_right = before.loss, -1.0 if before.right is None else before.right
            self._keep_best(before.loss)
            self.save()
        while now.epoch < recipe.epochs and now.vain_epochs < recipe.patience:
            self._epoch(step)
            loss = self._loss_held_back()
            now.epoch, now.step_in_epoch = now.epoch + 1, 0
            now.vain_epochs = 0 if loss < now.best_loss else now.vain_epochs + 1
            if loss < now.best_loss:
                self._keep_best(loss)
            self.save()
        if (best := _loaded(self._state / "best.pt")) is not None:
            self._put(best)
        before = Score(now.before_loss, None if now.before_right < 0 else now.before_right)
        counts = (now.epoch, now.steps, len(self._rows), len(self._held))
        stopped = now.epoch < recipe.epochs
        with out_of_memory("A held-back example"):
            temperature = calibrated_on(self._model, self._asked())
        found = Trained(
            before, self._score(), *counts, left_out=0, resumed=False, stopped_early=stopped, temperature=temperature
        )
        self._finish(found)
        return found

    def _keep_best(self, loss: float) -> None:
        self._now.best_loss = loss
        _written(self._state / "best.pt", {name: p.detach().cpu() for name, p in self._parameters.items()})

    def _epoch(self, step: Callable[[int], None]) -> None:
        now, recipe = self._now, self._recipe
        batches = _batches(self._rows, recipe.batch * recipe.accumulate, random.Random(f"{recipe.seed}:{now.epoch}"))
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

    def _gradients(self, rows: Sequence[_Row]) -> None:
        """Of the mean loss over the rows' tokens; in smaller batches, from now on, where they do not fit in memory."""
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

    def _loss(self, rows: Sequence[_Row]) -> Tensor:
        """Summed over the tokens of the targets."""
        model = self._model.model
        ids, labels, mask = (t.to(model.device) for t in _padded(rows, self._model.end_token))
        logits = model(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, :-1].float()
        return torch.nn.functional.cross_entropy(
            logits.reshape(-1, logits.shape[-1]), labels[:, 1:].reshape(-1), ignore_index=_IGNORED, reduction="sum"
        )

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
        """Write model, tokenizer and manifest; the checkpoint is not needed any more."""
        facts = {
            "base": self._model.base,
            "marks": marks(self._model.model),
            "recipe": asdict(self._recipe),
            "before": asdict(found.before),
            "after": asdict(found.after),
            "epochs": found.epochs,
            "steps": found.steps,
            "learned_from": found.learned_from,
            "held_back": found.held_back,
            "temperature": found.temperature,
        }
        with without_bars():
            self._model.model.save_pretrained(self._folder)
        self._model.tokenizer.save_pretrained(self._folder)
        (self._folder / MANIFEST).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
        shutil.rmtree(self._state, ignore_errors=True)

    def _put(self, weights: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, parameter in self._parameters.items():
                parameter.copy_(weights[name])

    def _rate(self, step: int) -> float:
        total, warmup = self._recipe.epochs * self._steps_an_epoch, self._recipe.warmup
        if step < warmup:
            return (step + 1) / (warmup + 1)
        return max(0.0, (total - step) / max(1, total - warmup))


def _rows(model: LanguageModel, examples: Sequence[Example], longest: int) -> tuple[dict[int, _Row], int]:
    """The examples in tokens by their numbers, and how many are too long."""
    limit = min(longest, getattr(model.model.config, "max_position_embeddings", None) or longest)
    found = {}
    for number, example in enumerate(examples):
        trie = TokenTrie.build(model.tokenizer, [example.target], end_token=model.end_token)
        row = _Row(prompt_ids(model, example.prompt), [int(token) for token in trie.token[1:]])
        if len(row.prompt) + len(row.target) <= limit:
            found[number] = row
    return found, len(examples) - len(found)


def _parted(prompts: Sequence[str], recipe: Recipe) -> tuple[list[int], list[int]]:
    """Places of the examples to learn from and of those held back; equal prompts stay together."""
    groups: dict[str, list[int]] = {}
    for number, prompt in enumerate(prompts):
        groups.setdefault(prompt, []).append(number)
    names = list(groups)
    random.Random(recipe.seed).shuffle(names)
    wanted, held = max(1, round(len(prompts) * recipe.held_back)), list[int]()
    while names and len(held) < wanted:
        held += groups[names.pop()]
    return sorted(number for name in names for number in groups[name]), sorted(held)


def _batches(rows: Sequence[_Row], size: int, chance: random.Random) -> list[list[_Row]]:
    """All rows in a random order of batches, those of about one length together: little is padding then."""
    order = chance.sample(rows, len(rows))
    near: list[_Row] = []
    for start in range(0, len(order), _SORTED_TOGETHER * size):
        window = order[start : start + _SORTED_TOGETHER * size]
        near += sorted(window, key=lambda row: len(row.prompt) + len(row.target))
    batches = [near[start : start + size] for start in range(0, len(near), size)]
    chance.shuffle(batches)
    return batches


def _padded(rows: Sequence[_Row], padding: int) -> tuple[Tensor, Tensor, Tensor]:
    """Token ids, labels and attention mask, each of the shape (rows, longest), padded on the right."""
    length = max(len(row.prompt) + len(row.target) for row in rows)
    ids = torch.full((len(rows), length), padding)
    labels = torch.full((len(rows), length), _IGNORED)
    mask = torch.zeros((len(rows), length), dtype=torch.long)
    for number, row in enumerate(rows):
        whole = [*row.prompt, *row.target]
        ids[number, : len(whole)] = torch.tensor(whole)
        labels[number, len(row.prompt) : len(whole)] = torch.tensor(row.target)
        mask[number, : len(whole)] = 1
    return ids, labels, mask


def _with_adapter(model: LanguageModel, recipe: Recipe) -> LanguageModel:
    if importlib.util.find_spec("peft") is None:
        raise BadInput("--lora needs the package peft.", "Install it: pip install 'clew[train]'")
    import peft

    config = peft.LoraConfig(
        r=recipe.rank,
        lora_alpha=recipe.alpha,
        lora_dropout=recipe.dropout,
        target_modules=list(recipe.modules) if recipe.modules else None,
        bias="none",
        task_type="CAUSAL_LM",
    )
    inner = model.model
    if getattr(inner, "is_loaded_in_4bit", False):
        inner = peft.prepare_model_for_kbit_training(inner)  # type: ignore[no-untyped-call]
    torch.manual_seed(recipe.seed)
    return replace(model, model=peft.get_peft_model(inner, config))


def _refuse_foreign(folder: Path) -> None:
    """Only an empty folder, or one that training wrote, is written to."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()) and not (folder / MANIFEST).exists() and not (folder / _UNFINISHED).exists():
        raise BadInput(f"{folder} holds something else.", "Give an empty folder.")


def _fingerprint(model: LanguageModel, examples: Sequence[Example], recipe: Recipe) -> str:
    said = hashlib.sha256(json.dumps([asdict(recipe), model.name, marks(model.model)]).encode())
    for example in examples:
        said.update(json.dumps([example.prompt, example.target]).encode())
    return said.hexdigest()


def _written(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    torch.save(value, draft)
    draft.replace(path)


def _loaded(path: Path) -> Any:
    """None where there is nothing that can be read."""
    try:
        return torch.load(path, weights_only=True, map_location="cpu")
    except (OSError, RuntimeError, EOFError, ValueError):
        return None
