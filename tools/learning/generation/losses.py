"""The loss of examples: padded to a batch, or several in one row that the model keeps apart.

Packed examples have positions of their own, from which transformers makes a mask that lets no example see another one.
Not every architecture does so: a model is checked with the first batch. Where the scores differ, examples are padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from clew.tools.learning.generation.batches import IGNORED, Row, padded

MOST_PACKED = 4096
"""Tokens of one row, since the mask takes their square."""
_SHARE_OF_SIGNAL = 0.1
"""The difference that arithmetic in another order may make, beside the one that another example in sight makes."""


class Losses:
    """Sums the losses of the tokens of targets."""

    def __init__(self, model: Any, padding: int, *, packing: bool) -> None:
        self._model, self._padding = model, padding
        self._packs: bool | None = None if packing else False

    def __call__(self, rows: Sequence[Row]) -> Tensor:
        """The summed loss of the examples' targets."""
        if self._packs is None and len(rows) > 1:
            self._packs = self._packs_right(rows[:2])
        if not self._packs:
            return self._padded(rows)
        return torch.stack([self._packed(part) if len(part) > 1 else self._padded(part) for part in bins(rows)]).sum()

    def _packs_right(self, rows: Sequence[Row]) -> bool:
        """Whether the second example's logits are in a packed row what they are alone: the difference must be small
        beside the one that seeing the first example makes."""
        training = self._model.training
        self._model.eval()
        ids, _, positions = (t.to(self._model.device) for t in packed(rows))
        start = len(rows[0].prompt) + len(rows[0].target)
        try:
            with torch.no_grad():
                alone = self._model(input_ids=ids[:, start:], use_cache=False).logits[0].float()
                seen = self._model(input_ids=ids, use_cache=False).logits[0, start:].float()
                told = self._model(input_ids=ids, position_ids=positions, use_cache=False).logits[0, start:].float()
        except (RuntimeError, ValueError, TypeError, NotImplementedError):
            return False
        finally:
            self._model.train(training)
        return _rms(told - alone) <= _SHARE_OF_SIGNAL * _rms(seen - alone)

    def _padded(self, rows: Sequence[Row]) -> Tensor:
        ids, labels, mask = (t.to(self._model.device) for t in padded(rows, self._padding))
        return _summed(self._model(input_ids=ids, attention_mask=mask, use_cache=False).logits, labels)

    def _packed(self, rows: Sequence[Row]) -> Tensor:
        ids, labels, positions = (t.to(self._model.device) for t in packed(rows))
        return _summed(self._model(input_ids=ids, position_ids=positions, use_cache=False).logits, labels)


def bins(rows: Sequence[Row], most: int = MOST_PACKED) -> list[list[Row]]:
    """The examples in groups of at most `most` tokens; a longer example is alone."""
    found: list[list[Row]] = [[]]
    tokens = 0
    for row in rows:
        length = len(row.prompt) + len(row.target)
        if found[-1] and tokens + length > most:
            found.append([])
            tokens = 0
        found[-1].append(row)
        tokens += length
    return found


def packed(rows: Sequence[Row]) -> tuple[Tensor, Tensor, Tensor]:
    """Token ids, labels and positions of all examples in one row, each of the shape (1, tokens)."""
    ids = [token for row in rows for token in (*row.prompt, *row.target)]
    labels = [token for row in rows for token in (*[IGNORED] * len(row.prompt), *row.target)]
    positions = [place for row in rows for place in range(len(row.prompt) + len(row.target))]
    return torch.tensor([ids]), torch.tensor([labels]), torch.tensor([positions])


def _rms(difference: Tensor) -> float:
    return float(difference.square().mean().sqrt())


def _summed(logits: Tensor, labels: Tensor) -> Tensor:
    told, wanted = logits[:, :-1].float(), labels[:, 1:]
    return torch.nn.functional.cross_entropy(
        told.reshape(-1, told.shape[-1]), wanted.reshape(-1), ignore_index=IGNORED, reduction="sum"
    )
