"""Several questions in one pass of the model: their prompts and tries stand in one sequence, and see only themselves.

A pass of a model takes nearly as long for one token as for some hundreds, so that several searches which share their
passes take the time of the longest. A token attends to its own prompt, its ancestors and itself, at the position that
it has in its own question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import DynamicCache

from clew.tools.learning.decoding.model_parts import ModelParts, prompt_tensor
from clew.tools.learning.decoding.node_scores import beyond_window
from clew.tools.learning.decoding.node_states import additive, states_of
from clew.tools.learning.decoding.output_head import Floats, OutputHead, child_log_probs
from clew.tools.learning.decoding.scored import Ranked, SearchCost
from clew.tools.learning.decoding.search import Search, advanced, exact_top
from clew.tools.learning.decoding.self_check import checked
from clew.tools.learning.decoding.token_trie import ROOT, TokenTrie

MOST_PROMPT_TOKENS = 2048
"""Tokens of all prompts of one sequence: attention takes their square."""
_MOST_SLOTS = 4096


@dataclass(frozen=True, slots=True, eq=False)
class DecodingTask:
    """One question: the tokens of its prompt, its candidates, how many are wanted, and until when (time.monotonic)."""

    prompt: Sequence[int]
    trie: TokenTrie
    m: int
    deadline: float | None = None


def exact_tops(model: Any, tasks: Sequence[DecodingTask], *, width: int = 64) -> list[Ranked]:
    """What `exact_top` finds for each question, in passes that all of them share; their `work` is that of all."""
    parts = ModelParts.of(model)
    longest = max((len(each.prompt) + int(each.trie.depth.max()) for each in tasks), default=0)
    way = checked(parts, beyond_window=beyond_window(parts, longest))
    if not way.tree:
        return [exact_top(model, each.prompt, each.trie, each.m, deadline=each.deadline) for each in tasks]
    found: list[Ranked] = []
    group: list[DecodingTask] = []
    for each in (*tasks, None):
        full = each is None or sum(len(a.prompt) for a in group) + len(each.prompt) > MOST_PROMPT_TOKENS
        if group and full:
            found += _together(parts, group, OutputHead.of(parts.causal) if way.head else None, width)
            group = []
        group += [each] if each is not None else []
    return found


def _together(parts: ModelParts, tasks: Sequence[DecodingTask], head: OutputHead | None, width: int) -> list[Ranked]:
    states = _Forest(parts, tasks, hidden=head is not None)
    searches = [Search(each.trie, each.m, raw=False) for each in tasks]
    steps = [search.steps(width, each.deadline) for search, each in zip(searches, tasks, strict=True)]
    began = {number: advanced(each, None) for number, each in enumerate(steps)}
    open_ = {number: reads for number, (reads, done) in began.items() if done is None}
    ended = {number: done for number, (_, done) in began.items() if done is not None}
    expanded = 0
    while open_:
        expanded += sum(map(len, open_.values()))
        scores = states(open_)
        for number, reads in list(open_.items()):
            found: list[Floats] = child_log_probs(scores[number], reads, tasks[number].trie, head, raw=False)
            open_[number], done = advanced(steps[number], found)
            if done is not None:
                ended[number] = done
                del open_[number]
    work = SearchCost(states.passes, expanded, states.tokens, "tree")
    return [search.ranked(ended[number], work) for number, search in enumerate(searches)]


@dataclass(slots=True, eq=False)
class _Forest:
    """The states of all questions' tokens in one cache. Slots up to `_base` are those of prompts and of the tokens with
    which all candidates of a question start."""

    parts: ModelParts
    tasks: Sequence[DecodingTask]
    hidden: bool
    passes: int = 0
    tokens: int = 0
    _cache: Any = field(default_factory=DynamicCache)
    _roots: list[int] = field(default_factory=list)
    """Of each question the last slot of its base, which sees all of it."""
    _base: int = 0
    _positions: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    _sees: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))
    _slots: dict[tuple[int, int], int] = field(default_factory=dict)

    def __call__(self, nodes: dict[int, list[int]]) -> dict[int, Tensor]:
        """The states at nodes of the questions with these numbers, in one pass."""
        rows = self._first(nodes) if not self._base else self._further(nodes)
        lengths = [len(each) for each in nodes.values()]
        return dict(zip(nodes, torch.split(rows, lengths), strict=True))

    def _first(self, nodes: dict[int, list[int]]) -> Tensor:
        ids, positions, rows, at = [], [], [], 0
        for number, each in enumerate(self.tasks):
            prompt = prompt_tensor(each.prompt, self.parts.device)
            end = int(each.trie.stop[ROOT])
            last = end if not each.trie.is_leaf(end) else end - 1
            forced = torch.from_numpy(each.trie.token[1 : last + 1].astype(np.int64)).to(prompt.device)
            ids.append(torch.cat((prompt, forced)))
            positions.append(np.arange(len(ids[-1])))
            rows += [at + len(prompt) - 1 + node for node in nodes.get(number, ())]
            at += len(ids[-1])
            self._roots.append(at - 1)
            self.tokens += last
        self._base = at
        self._positions = np.concatenate(positions)
        self._sees = np.zeros((at, at), dtype=bool)
        for own, root in zip(positions, self._roots, strict=True):
            start = root + 1 - len(own)
            self._sees[start : root + 1, start : root + 1] = np.tri(len(own), dtype=bool)
        return self._fed(torch.cat(ids), 0, rows)

    def _further(self, nodes: dict[int, list[int]]) -> Tensor:
        new = self._missing(nodes)
        used = len(self._positions)
        if used > self._base and used + len(new) > self._base + _MOST_SLOTS:
            self._cache.crop(self._base - used)
            self._positions, self._sees = self._positions[: self._base], self._sees[: self._base, : self._base]
            self._slots.clear()
            new, used = self._missing(nodes), self._base
        self._place(new)
        tokens = [int(self.tasks[number].trie.token[node]) for number, node in new]
        self.tokens += len(new)
        rows = [self._slots[number, node] - used for number, each in nodes.items() for node in each]
        return self._fed(torch.tensor(tokens, device=self.parts.device), used, rows)

    def _missing(self, nodes: dict[int, list[int]]) -> list[tuple[int, int]]:
        """The nodes to feed, each after its parent: those asked for, and their ancestors that are not in the cache."""
        new: dict[tuple[int, int], None] = {}
        for number, each in nodes.items():
            trie, base = self.tasks[number].trie, self._base_depth(number)
            for node in each:
                path = []
                while (number, node) not in self._slots and (number, node) not in new and trie.depth[node] > base:
                    path.append((number, node))
                    node = int(trie.parent[node])
                new.update(dict.fromkeys(reversed(path)))
        return list(new)

    def _base_depth(self, number: int) -> int:
        return int(self._positions[self._roots[number]]) + 1 - len(self.tasks[number].prompt)

    def _place(self, new: Sequence[tuple[int, int]]) -> None:
        """Give each node the next slot, from which it sees what its parent sees, and itself."""
        first, total = len(self._positions), len(self._positions) + len(new)
        sees = np.zeros((total, total), dtype=bool)
        sees[:first, :first] = self._sees
        positions = np.zeros(total, dtype=np.int64)
        positions[:first] = self._positions
        for slot, (number, node) in enumerate(new, start=first):
            each = self.tasks[number]
            above = self._slots.get((number, int(each.trie.parent[node])), self._roots[number])
            sees[slot] = sees[above]
            sees[slot, slot] = True
            positions[slot] = each.trie.depth[node] + len(each.prompt) - 1
            self._slots[number, node] = slot
        self._positions, self._sees = positions, sees

    def _fed(self, ids: Tensor, first: int, rows: Sequence[int]) -> Tensor:
        """Feed the tokens of the slots from `first` on."""
        self.passes += 1
        device = self.parts.device
        positions = torch.from_numpy(self._positions[first:]).to(device)
        given = {"input_ids": ids[None], "position_ids": positions[None], "attention_mask": self._masks(first)}
        given["past_key_values"] = self._cache
        return states_of(self.parts, given, torch.as_tensor(rows, device=device), hidden=self.hidden)

    def _masks(self, first: int) -> Any:
        """Masks for the slots from `first` on, by the kinds of layers."""
        sees, window = self._sees[first:], self.parts.window
        near = self._positions[first:, None] - self._positions[None, :] < (window or 0)
        kinds = self.parts.sliding_layers()
        device = self.parts.device
        masks = [additive(sees & near if sliding else sees, self.parts.dtype, device) for sliding in kinds]
        return masks[0] if len(masks) == 1 else {"full_attention": masks[0], "sliding_attention": masks[1]}
