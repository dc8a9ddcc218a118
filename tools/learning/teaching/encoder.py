"""Fine-tuning MiniLM on a graph's lessons: questions without their entities beside queries in words, as a bi-encoder.

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
from safetensors.torch import load, load_file, save
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from clew.tools.errors import ClewError
from clew.tools.learning.teaching.lessons import Lesson, Rated
from clew.tools.learning.teaching.preference import TEMPERATURE
from clew.tools.learning.teaching.training import SHARPNESS

MODEL = "model.safetensors"
COPIED = ("config.json", "tokenizer.json")
_STATE = ("epoch.json", "now.safetensors", "best.safetensors")


@dataclass(frozen=True, slots=True)
class Tuning:
    """How an encoder is fine-tuned."""

    learning_rate: float = 5e-5
    batch: int = 32
    """Lessons a step."""
    epochs: int = 6
    lessons_an_epoch: int = 300
    """Of more lessons, each epoch sees a part, so that it takes about as long."""
    patience: int = 2
    """Epochs without a gain on the lessons set aside before it stops."""
    set_aside: float = 0.15
    """Share of the lessons that only decide when to stop."""
    candidates: int = 8
    """Of a question, the best and at most so many in all at a time."""
    layers: int = 3
    """Topmost layers that change."""
    dropout: float = 0.1
    seed: int = 0


def tune(
    lessons: Sequence[Lesson],
    base: Path,
    folder: Path,
    tuning: Tuning = Tuning(),
    step: Callable[[int], None] = lambda _: None,
) -> Path:
    """The folder of an encoder tuned on `lessons` (their best option first), in `folder`; one that is there already is
    kept. After every epoch the state is written, and the same call goes on from there. `step` hears how many of
    `steps(len(lessons), tuning)` are done.

    Raises ClewError where memory does not suffice or the base model cannot be read, and OSError.
    """
    name = f"encoder-{_fingerprint(lessons, base, tuning)}"
    made = folder / name
    if (made / MODEL).exists():
        return made
    try:
        run = _Run(lessons, base, folder / f".{name}", tuning)
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


def steps(lessons: int, tuning: Tuning = Tuning()) -> int:
    """The most steps that tuning takes."""
    fitted = lessons - _apart(lessons, tuning)
    return tuning.epochs * -(-min(fitted, tuning.lessons_an_epoch) // tuning.batch)


class _Run:
    """One tuning, from its state on disk where there is one."""

    def __init__(self, lessons: Sequence[Lesson], base: Path, state: Path, tuning: Tuning) -> None:
        self._tuning, self._base, self._state = tuning, base, state
        torch.manual_seed(tuning.seed)
        shuffled = list(lessons)
        random.Random(tuning.seed).shuffle(shuffled)
        apart = _apart(len(shuffled), tuning)
        self._judging, self._fitting = shuffled[:apart], shuffled[apart:]
        self._network = _Network(base, tuning.layers, tuning.dropout)
        self._best, self._least, self._best_epoch, self._epoch = self._network.learned(), float("inf"), -1, 0
        self._resume()

    def steps(self) -> Iterator[int]:
        """Train until it no longer gains; yields how many steps are done."""
        tuning = self._tuning
        optimiser = torch.optim.AdamW(self._network.parameters(), lr=tuning.learning_rate, weight_decay=0.01)
        an_epoch = steps(len(self._fitting) + len(self._judging), tuning) // tuning.epochs
        total, warm = an_epoch * tuning.epochs, max(1, an_epoch // 2)
        while self._epoch < tuning.epochs and self._epoch - self._best_epoch <= tuning.patience:
            chance = random.Random(f"{tuning.seed} {self._epoch}")
            self._network.train()
            seen = chance.sample(self._fitting, min(len(self._fitting), tuning.lessons_an_epoch))
            for number, start in enumerate(range(0, len(seen), tuning.batch)):
                done = self._epoch * an_epoch + number
                pace = min((done + 1) / warm, 1 - done / total)
                for group in optimiser.param_groups:
                    group["lr"] = tuning.learning_rate * pace
                optimiser.zero_grad()
                self._loss(seen[start : start + tuning.batch], chance).backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self._network.parameters(), 1.0)
                optimiser.step()
                yield done + 1
            self._judge()
        yield total

    def _loss(self, lessons: Sequence[Lesson], chance: random.Random | None) -> Tensor:
        """Mean over the lessons; with a `chance`, that of training."""
        options = [self._looked_at(lesson.rated, chance) for lesson in lessons]
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
            asked, said = (torch.tensor(side) for side in zip(*own, strict=True))
            cosines = (vectors[asked] * vectors[said]).sum(1)
            share = torch.tensor([r.f1 for r in rated]) ** SHARPNESS
            known = {text for _, text in own}
            others = [text for text in firsts if text not in known]
            if chance is not None and others:
                cosines = torch.cat([cosines, vectors[others] @ vectors[asked[0]]])
                share = torch.cat([share, torch.zeros(len(others))])
            total = total - (share / share.sum() * functional.log_softmax(cosines / TEMPERATURE, 0)).sum()
        return total / len(lessons)

    def _looked_at(self, rated: Sequence[Rated], chance: random.Random | None) -> Sequence[Rated]:
        if chance is None or len(rated) <= self._tuning.candidates:
            return rated
        return [rated[0], *chance.sample(rated[1:], self._tuning.candidates - 1)]

    def _judge(self) -> None:
        """The loss on the lessons set aside; and the state after this epoch, on disk."""
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
        said = {"epoch": self._epoch, "best_epoch": self._best_epoch, "least": self._least}
        draft = self._state / "epoch.json.new"
        draft.write_text(json.dumps(said), encoding="utf-8")
        draft.replace(self._state / "epoch.json")

    def _resume(self) -> None:
        """Go on from the state on disk; one that was cut off is as good as none."""
        try:
            said = json.loads((self._state / "epoch.json").read_text(encoding="utf-8"))
            now, best = (load_file(self._state / name) for name in _STATE[1:])
            self._network.learn(now)
            self._best, self._least = best, float(said["least"])
            self._best_epoch, self._epoch = int(said["best_epoch"]), int(said["epoch"])
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError):
            self._network.learn(self._best)

    def write(self, made: Path) -> Path:
        """The best weights and all that did not change, as a model of its own; float16 halves the file."""
        draft = made.with_name(f".{made.name}-new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        for name in COPIED:
            shutil.copyfile(self._base / name, draft / name)
        weights = _weights(self._base) | self._best
        halved = {name: w.half().contiguous() if w.is_floating_point() else w for name, w in weights.items()}
        (draft / MODEL).write_bytes(save(halved))
        shutil.rmtree(made, ignore_errors=True)
        draft.replace(made)
        shutil.rmtree(self._state, ignore_errors=True)
        return made


class _Network(torch.nn.Module):
    """BERT with mean pooling, of which only the topmost layers learn. B texts of at most T tokens, d hidden."""

    def __init__(self, folder: Path, learning: int, dropout: float) -> None:
        super().__init__()
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._heads, self._epsilon = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
        self._layers = int(config["num_hidden_layers"])
        self._first = max(0, self._layers - learning)
        self._dropout = dropout
        self._w = {name: w.float() for name, w in _weights(folder).items() if w.is_floating_point()}
        for name in list(self._w):
            if name.startswith("encoder.layer.") and int(name.split(".")[2]) >= self._first:
                learning_weights = torch.nn.Parameter(self._w[name].clone())
                self._w[name] = learning_weights
                self.register_parameter(name.replace(".", "/"), learning_weights)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(min(128, int(config["max_position_embeddings"])))

    def learned(self) -> dict[str, Tensor]:
        """A copy of the weights that change."""
        return {n: w.detach().clone() for n, w in self._w.items() if isinstance(w, torch.nn.Parameter)}

    def learn(self, weights: dict[str, Tensor]) -> None:
        """Raises KeyError or RuntimeError where they are another model's."""
        with torch.no_grad():
            for name, own in self._w.items():
                if isinstance(own, torch.nn.Parameter):
                    own.copy_(weights[name])

    def embed(self, texts: Sequence[str], size: int = 64) -> Tensor:
        """Shape (len(texts), d), rows of length 1."""
        tokens = [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(texts)), key=lambda i: len(tokens[i]))  # short with short: little padding
        parts = [self([tokens[i] for i in order[s : s + size]]) for s in range(0, len(order), size)]
        back = torch.empty(len(texts), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(texts))
        return torch.cat(parts)[back]

    def forward(self, tokens: Sequence[Sequence[int]]) -> Tensor:
        """Shape (B, d)."""
        ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(text) for text in tokens], batch_first=True)
        lengths = torch.tensor([len(text) for text in tokens])
        there = (torch.arange(ids.shape[1]) < lengths[:, None]).float()
        hidden_from = ((1 - there) * -1e9)[:, None, None, :]
        with torch.no_grad():
            x = self._w["embeddings.word_embeddings.weight"][ids]
            x = x + self._w["embeddings.position_embeddings.weight"][: ids.shape[1]]
            x = self._norm(x + self._w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
            for layer in range(self._first):
                x = self._layer(x, hidden_from, f"encoder.layer.{layer}.", 0.0)
        for layer in range(self._first, self._layers):
            x = self._layer(x, hidden_from, f"encoder.layer.{layer}.", self._dropout if self.training else 0.0)
        return functional.normalize((x * there[..., None]).sum(1) / lengths[:, None], dim=-1)

    def _layer(self, x: Tensor, hidden_from: Tensor, name: str, dropout: float) -> Tensor:
        batch, length, width = x.shape
        query, key, value = (
            self._times(x, f"{name}attention.self.{part}").view(batch, length, self._heads, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, hidden_from, dropout)
        attended = self._times(mixed.transpose(1, 2).reshape(batch, length, width), f"{name}attention.output.dense")
        x = self._norm(x + functional.dropout(attended, dropout), f"{name}attention.output.LayerNorm")
        inner = functional.gelu(self._times(x, f"{name}intermediate.dense"))
        inner = functional.dropout(self._times(inner, f"{name}output.dense"), dropout)
        return self._norm(x + inner, f"{name}output.LayerNorm")

    def _times(self, x: Tensor, name: str) -> Tensor:
        return functional.linear(x, self._w[f"{name}.weight"], self._w[f"{name}.bias"])

    def _norm(self, x: Tensor, name: str) -> Tensor:
        scale, shift = self._w[f"{name}.weight"], self._w[f"{name}.bias"]
        return functional.layer_norm(x, x.shape[-1:], scale, shift, self._epsilon)


def _weights(folder: Path) -> dict[str, Tensor]:
    """Raises ClewError."""
    try:
        return load((folder / MODEL).read_bytes())
    except SafetensorError as error:
        raise ClewError(f"The embedding model cannot be read: {error}.", f"Reinstall it in {folder}.") from None


def _apart(lessons: int, tuning: Tuning) -> int:
    return max(1, round(lessons * tuning.set_aside))


def _fingerprint(lessons: Sequence[Lesson], base: Path, tuning: Tuning) -> str:
    """Of all that an encoder depends on. Raises ClewError where the base model is not there."""
    found = hashlib.sha256(json.dumps(asdict(tuning), sort_keys=True).encode())
    try:
        for name in (MODEL, *COPIED):
            found.update((base / name).read_bytes())
    except OSError as error:
        raise ClewError(f"The embedding model cannot be read: {error}.", f"Reinstall it in {base}.") from None
    for lesson in lessons:
        rated = [[r.option.masked, r.option.pattern.words, round(r.f1, 6)] for r in lesson.rated]
        found.update(json.dumps([lesson.question, rated]).encode())
    return found.hexdigest()[:16]
