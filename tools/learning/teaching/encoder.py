"""Fine-tuning MiniLM on a graph's examples: questions without their entities beside queries in words, as a bi-encoder.

The loss is a softmax over cosines (InfoNCE; van den Oord et al. 2018): a question's own candidate queries are its hard
negatives, and the best queries of the other questions in the batch are added to them (Karpukhin et al. 2020). The lower
half of the layers and the word embeddings stay as they were published, which halves the work and forgets less. Torch is
needed here and nowhere else: the folder that is written is read by `clew.tools.embedding.MiniLM`.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor
from torch.nn import functional

from clew.tools.atomic_files import write_text
from clew.tools.errors import ClewError
from clew.tools.learning.teaching.bert import MODEL, BertEncoder, weights_of
from clew.tools.learning.teaching.fitting import SHARPNESS
from clew.tools.learning.teaching.preference import TEMPERATURE
from clew.tools.learning.teaching.training_examples import Rated, TrainingExample

COPIED = ("config.json", "tokenizer.json")
_STATE = ("epoch.json", "now.safetensors", "best.safetensors")


@dataclass(frozen=True, slots=True)
class Tuning:
    """How an encoder is fine-tuned."""

    learning_rate: float = 5e-5
    batch: int = 32
    """Examples per step."""
    epochs: int = 6
    lessons_an_epoch: int = 300
    """Maximum number of examples per epoch, which limits its duration; each epoch takes a sample."""
    patience: int = 2
    """Epochs without improvement on the validation examples before it stops."""
    set_aside: float = 0.15
    """Share of validation examples, which only decide when to stop."""
    candidates: int = 8
    """Maximum number of a question's options at a time: the best one and others."""
    layers: int = 3
    """Number of trainable top layers."""
    dropout: float = 0.1
    seed: int = 0


def tune(
    examples: Sequence[TrainingExample],
    base: Path,
    folder: Path,
    tuning: Tuning = Tuning(),
    step: Callable[[int], None] = lambda _: None,
) -> Path:
    """The folder of an encoder tuned on `examples` (their best option first), in `folder`; one that is there already is
    kept. After every epoch the state is written, and the same call goes on from there. `step` is called with
    the number of steps done, of `steps(len(examples), tuning)`.

    Raises ClewError where memory does not suffice or the base model cannot be read, and OSError.
    """
    name = f"encoder-{_fingerprint(examples, base, tuning)}"
    made = folder / name
    if (made / MODEL).exists():
        return made
    try:
        run = _Run(examples, base, folder / f".{name}", tuning)
        for done in run.steps():
            step(done)
        return run.write(made)
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "memory" not in str(error):
            raise
        raise ClewError(
            "There is not enough memory to tune the encoder.",
            "Teach with `--encoder frozen`; the queries found so far are kept.",
        ) from None


def steps(examples: int, tuning: Tuning = Tuning()) -> int:
    """Maximum number of steps."""
    fitted = examples - _apart(examples, tuning)
    return tuning.epochs * -(-min(fitted, tuning.lessons_an_epoch) // tuning.batch)


class _Run:
    """One tuning run, resumed from its state on disk if there is one."""

    def __init__(self, examples: Sequence[TrainingExample], base: Path, state: Path, tuning: Tuning) -> None:
        self._tuning, self._base, self._state = tuning, base, state
        torch.manual_seed(tuning.seed)
        shuffled = list(examples)
        random.Random(tuning.seed).shuffle(shuffled)
        apart = _apart(len(shuffled), tuning)
        self._judging, self._fitting = shuffled[:apart], shuffled[apart:]
        self._network = BertEncoder(base, tuning.layers, tuning.dropout)
        self._best, self._least, self._best_epoch, self._epoch = self._network.learned(), float("inf"), -1, 0
        self._resume()

    def steps(self) -> Iterator[int]:
        """Train until there is no improvement; yields the number of steps done."""
        tuning = self._tuning
        optimiser = torch.optim.AdamW(self._network.parameters(), lr=tuning.learning_rate, weight_decay=0.01)
        an_epoch = steps(len(self._fitting) + len(self._judging), tuning) // tuning.epochs
        total, warm = an_epoch * tuning.epochs, max(1, an_epoch // 2)
        while self._epoch < tuning.epochs and self._epoch - self._best_epoch <= tuning.patience:
            chance = random.Random(f"{tuning.seed} {self._epoch}")
            self._network.train()
            sampled = chance.sample(self._fitting, min(len(self._fitting), tuning.lessons_an_epoch))
            for number, start in enumerate(range(0, len(sampled), tuning.batch)):
                done = self._epoch * an_epoch + number
                pace = min((done + 1) / warm, 1 - done / total)
                for group in optimiser.param_groups:
                    group["lr"] = tuning.learning_rate * pace
                optimiser.zero_grad()
                self._loss(sampled[start : start + tuning.batch], chance).backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self._network.parameters(), 1.0)
                optimiser.step()
                yield done + 1
            self._judge()
        yield total

    def _loss(self, examples: Sequence[TrainingExample], chance: random.Random | None) -> Tensor:
        """The mean loss over the examples; with `chance`, that of training, which samples the options."""
        options = [self._considered(example.rated, chance) for example in examples]
        texts: dict[str, int] = {}
        pairs = [
            [(texts.setdefault(r.option.masked, len(texts)), texts.setdefault(r.option.pattern.words, len(texts)))
             for r in rated]
            for rated in options
        ]  # fmt: skip
        vectors = self._network.embed(list(texts))
        firsts = list(dict.fromkeys(own[0][1] for own in pairs))
        total = vectors.new_zeros(())
        for own, rated in zip(pairs, options, strict=True):
            asked, progress_state = (torch.tensor(side) for side in zip(*own, strict=True))
            cosines = (vectors[asked] * vectors[progress_state]).sum(1)
            share = torch.tensor([r.f1 for r in rated]) ** SHARPNESS
            known = {text for _, text in own}
            others = [text for text in firsts if text not in known]
            if chance is not None and others:
                cosines = torch.cat([cosines, vectors[others] @ vectors[asked[0]]])
                share = torch.cat([share, torch.zeros(len(others))])
            total = total - (share / share.sum() * functional.log_softmax(cosines / TEMPERATURE, 0)).sum()
        return total / len(examples)

    def _considered(self, rated: Sequence[Rated], chance: random.Random | None) -> Sequence[Rated]:
        if chance is None or len(rated) <= self._tuning.candidates:
            return rated
        return [rated[0], *chance.sample(rated[1:], self._tuning.candidates - 1)]

    def _judge(self) -> None:
        """The loss on the validation examples; writes the state after this epoch."""
        self._network.eval()
        size = self._tuning.batch
        with torch.no_grad():
            batches = [self._judging[start : start + size] for start in range(0, len(self._judging), size)]
            loss = sum(float(self._loss(batch, None)) * len(batch) for batch in batches) / len(self._judging)
        if loss < self._least:
            self._best, self._least, self._best_epoch = self._network.learned(), loss, self._epoch
        self._epoch += 1
        self._state.mkdir(parents=True, exist_ok=True)
        (self._state / "now.safetensors").write_bytes(save(self._network.learned()))
        (self._state / "best.safetensors").write_bytes(save(self._best))
        progress_state = {"epoch": self._epoch, "best_epoch": self._best_epoch, "least": self._least}
        write_text(self._state / "epoch.json", json.dumps(progress_state))

    def _resume(self) -> None:
        """Resume from the state on disk; an incomplete state is ignored."""
        try:
            progress_state = json.loads((self._state / "epoch.json").read_text(encoding="utf-8"))
            now, best = (load_file(self._state / name) for name in _STATE[1:])
            self._network.learn(now)
            self._best, self._least = best, float(progress_state["least"])
            self._best_epoch, self._epoch = int(progress_state["best_epoch"]), int(progress_state["epoch"])
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError):
            self._network.learn(self._best)

    def write(self, made: Path) -> Path:
        """Write the best weights with the unchanged ones as a model; float16 halves the file."""
        draft = made.with_name(f".{made.name}-new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        for name in COPIED:
            shutil.copyfile(self._base / name, draft / name)
        weights = weights_of(self._base) | self._best
        halved = {name: w.half().contiguous() if w.is_floating_point() else w for name, w in weights.items()}
        (draft / MODEL).write_bytes(save(halved))
        shutil.rmtree(made, ignore_errors=True)
        draft.replace(made)
        shutil.rmtree(self._state, ignore_errors=True)
        return made


def _apart(examples: int, tuning: Tuning) -> int:
    return max(1, round(examples * tuning.set_aside))


def _fingerprint(examples: Sequence[TrainingExample], base: Path, tuning: Tuning) -> str:
    """Identifies everything that an encoder depends on. Raises ClewError if the base model is missing."""
    found = hashlib.sha256(json.dumps(asdict(tuning), sort_keys=True).encode())
    try:
        for name in (MODEL, *COPIED):
            found.update((base / name).read_bytes())
    except OSError as error:
        raise ClewError(f"The embedding model cannot be read: {error}.", f"Reinstall it in {base}.") from None
    for example in examples:
        rated = [[r.option.masked, r.option.pattern.words, round(r.f1, 6)] for r in example.rated]
        found.update(json.dumps([example.question, rated]).encode())
    return found.hexdigest()[:16]
