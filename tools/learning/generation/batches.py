"""Training examples as tokens: held-back examples, batches of similar length, padded tensors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from clew.tools.learning.decoding import TokenTrie
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.loading import LanguageModel, prompt_ids
from clew.tools.learning.generation.recipe import Recipe

IGNORED = -100
"""Label of tokens without loss."""
_SORTED_TOGETHER = 20
"""Number of batches whose rows are sorted by length together."""


@dataclass(frozen=True, slots=True)
class Row:
    """An example in tokens."""

    prompt: list[int]
    target: list[int]
    """With the end token."""


def tokenised(model: LanguageModel, examples: Sequence[Example], longest: int) -> tuple[dict[int, Row], int]:
    """The tokenised examples by number, and how many were left out because they are too long."""
    limit = min(longest, getattr(model.model.config, "max_position_embeddings", None) or longest)
    found = {}
    for number, example in enumerate(examples):
        trie = TokenTrie.build(model.tokenizer, [example.target], end_token=model.end_token)
        row = Row(prompt_ids(model, example.prompt), [int(token) for token in trie.token[1:]])
        if len(row.prompt) + len(row.target) <= limit:
            found[number] = row
    return found, len(examples) - len(found)


def split(prompts: Sequence[str], recipe: Recipe) -> tuple[list[int], list[int]]:
    """The positions of the training examples and of the held-back ones; examples with equal prompts stay together."""
    groups: dict[str, list[int]] = {}
    for number, prompt in enumerate(prompts):
        groups.setdefault(prompt, []).append(number)
    names = list(groups)
    random.Random(recipe.seed).shuffle(names)
    held_back_count, held_back_positions = max(1, round(len(prompts) * recipe.held_back)), list[int]()
    while names and len(held_back_positions) < held_back_count:
        held_back_positions += groups[names.pop()]
    return sorted(number for name in names for number in groups[name]), sorted(held_back_positions)


def batches_of(rows: Sequence[Row], size: int, chance: random.Random) -> list[list[Row]]:
    """All rows in a random order of batches, each of similar length to reduce padding."""
    order = chance.sample(rows, len(rows))
    near: list[Row] = []
    for start in range(0, len(order), _SORTED_TOGETHER * size):
        window = order[start : start + _SORTED_TOGETHER * size]
        near += sorted(window, key=lambda row: len(row.prompt) + len(row.target))
    batches = [near[start : start + size] for start in range(0, len(near), size)]
    chance.shuffle(batches)
    return batches


def padded(rows: Sequence[Row], padding: int) -> tuple[Tensor, Tensor, Tensor]:
    """Token ids, labels and attention mask, each of the shape (rows, longest), padded on the right."""
    length = max(len(row.prompt) + len(row.target) for row in rows)
    ids = torch.full((len(rows), length), padding)
    labels = torch.full((len(rows), length), IGNORED)
    mask = torch.zeros((len(rows), length), dtype=torch.long)
    for number, row in enumerate(rows):
        whole = [*row.prompt, *row.target]
        ids[number, : len(whole)] = torch.tensor(whole)
        labels[number, len(row.prompt) : len(whole)] = torch.tensor(row.target)
        mask[number, : len(whole)] = 1
    return ids, labels, mask
