"""The valid queries as one trie of tokens, in flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.tools.errors import BadInput

Ints = NDArray[np.int32]

ROOT = 0
_TOKENISED_TOGETHER = 4096


@dataclass(frozen=True, slots=True, eq=False)
class TokenTrie:
    """Every candidate is a path from the root (node 0) to a leaf, and ends with the end token.

    The end token is a child like any other, so a candidate that is a prefix of another ends at a leaf of its own.
    Nodes are numbered in preorder, children in the order of their tokens. So a node's only child is the next node, and
    tokens that are forced one after the other have consecutive numbers.
    """

    texts: tuple[str, ...]
    end_token: int
    token: Ints
    """Of each node, the token that leads to it; -1 for the root."""
    parent: Ints
    """Of each node, its parent; -1 for the root."""
    depth: Ints
    """Of each node, how many tokens lead to it from the root."""
    first_child: Ints
    """Shape (nodes + 1,): the children of node n are `children[first_child[n]:first_child[n + 1]]`."""
    children: Ints
    """Shape (nodes - 1,): the children of each node in the order of their tokens."""
    stop: Ints
    """Of each node, where its chain of single children ends: at itself, or the first branching node or leaf below."""
    candidate: Ints
    """Of each leaf, the position in `texts` of its candidate; -1 for the other nodes."""
    tokenizer: Any = None
    _pieces: dict[int, str] = field(default_factory=dict, repr=False)

    @classmethod
    def build(
        cls,
        tokenizer: Any,
        texts: Sequence[str],
        *,
        end_token: int | None = None,
        boundary: str = "\n",
    ) -> TokenTrie:
        """The trie of `texts` in the tokens of a Hugging Face tokenizer; `end_token` is its end-of-sequence by default.

        A candidate is tokenised as what follows `boundary`, the text with which every prompt ends: tokens of the
        boundary are dropped again, so that a tokenizer which marks the start of a text (SentencePiece) does not mark
        the candidate. Where the boundary and the candidate's first character merge into one token, the candidate is
        tokenised alone.

        Raises BadInput without candidates, or where a candidate contains the end token.
        """
        end = tokenizer.eos_token_id if end_token is None else end_token
        if end is None:
            raise BadInput(
                "The tokenizer has no end-of-sequence token.",
                "Give end_token: the id of the token that ends a query in the model's training data.",
            )
        return cls.from_tokens(_tokenised(tokenizer, texts, boundary), end, texts=texts, tokenizer=tokenizer)

    @classmethod
    def from_tokens(
        cls,
        sequences: Sequence[Sequence[int]],
        end_token: int,
        *,
        texts: Sequence[str] | None = None,
        tokenizer: Any = None,
    ) -> TokenTrie:
        """The trie of token sequences, without their end token. Of equal sequences the first one stands for all."""
        if not sequences:
            raise BadInput("There is no valid query to decode.", "Give at least one candidate.")
        lengths = np.fromiter((len(s) for s in sequences), dtype=np.int64, count=len(sequences))
        ends = np.cumsum(lengths + 1)
        flat = np.full(int(ends[-1]), end_token, dtype=np.int32)
        inside = np.ones(len(flat), dtype=bool)
        inside[ends - 1] = False
        flat[inside] = np.fromiter((t for s in sequences for t in s), dtype=np.int32, count=int(lengths.sum()))
        wrong = np.flatnonzero((flat == end_token) & inside)
        if len(wrong):
            which = int(np.searchsorted(ends, wrong[0], side="right"))
            shown = texts[which] if texts is not None else list(sequences[which])
            raise BadInput(f"A candidate contains the end token: {shown!r}", "Leave it out, or give another end_token.")
        token, parent, depth, candidate = _nodes(flat, np.concatenate(([0], ends)))
        numbers = np.arange(len(token) + 1, dtype=np.int32)
        children = (np.argsort(parent[1:], kind="stable") + 1).astype(np.int32)
        first_child = np.searchsorted(parent[children], numbers).astype(np.int32)
        stops = np.where(np.diff(first_child) == 1, len(token), numbers[:-1])
        return cls(
            texts=tuple(texts) if texts is not None else tuple(" ".join(map(str, s)) for s in sequences),
            end_token=end_token,
            token=token,
            parent=parent,
            depth=depth,
            first_child=first_child,
            children=children,
            stop=np.minimum.accumulate(stops[::-1])[::-1].astype(np.int32),
            candidate=candidate,
            tokenizer=tokenizer,
        )

    def __len__(self) -> int:
        """How many nodes there are."""
        return len(self.token)

    @property
    def candidates(self) -> int:
        """How many different token sequences the candidates have."""
        return int(np.count_nonzero(self.candidate >= 0))

    def children_of(self, node: int) -> Ints:
        return self.children[self.first_child[node] : self.first_child[node + 1]]

    def child_tokens(self, node: int) -> Ints:
        """The valid next tokens after `node`, ascending."""
        return self.token[self.children_of(node)]

    def is_leaf(self, node: int) -> bool:
        return bool(self.first_child[node] == self.first_child[node + 1])

    def end_of(self, node: int) -> int:
        """The number after the last one below `node`: its subtree has the numbers from `node` up to there."""
        while not self.is_leaf(node):
            node = int(self.children[self.first_child[node + 1] - 1])
        return node + 1

    def child(self, node: int, token: int) -> int | None:
        """The child of `node` along `token`, found by bisection."""
        start, stop = int(self.first_child[node]), int(self.first_child[node + 1])
        if stop - start == 1:
            only = int(self.children[start])
            return only if self.token[only] == token else None
        kids = self.children[start:stop]
        at = int(np.searchsorted(self.token[kids], token))
        return int(kids[at]) if at < len(kids) and self.token[kids[at]] == token else None

    def walk(self, tokens: Sequence[int], start: int = ROOT) -> int | None:
        """The node that `tokens` lead to, None where no candidate begins so; what follows an end token is ignored."""
        node: int | None = start
        for token in tokens:
            if node is None or self.is_leaf(node):
                return node
            node = self.child(node, int(token))
        return node

    def index_of(self, tokens: Sequence[int]) -> int | None:
        """Which candidate `tokens`, ended by the end token and perhaps padded, are; None if none."""
        node = self.walk(tokens)
        return int(self.candidate[node]) if node is not None and self.is_leaf(node) else None

    def path(self, node: int) -> list[int]:
        """The nodes from below the root down to `node`."""
        path = []
        while node != ROOT:
            path.append(node)
            node = int(self.parent[node])
        return path[::-1]

    def piece(self, token: int) -> str:
        """The text of a token, for people; empty for the end token."""
        if token == self.end_token:
            return ""
        if token not in self._pieces:
            self._pieces[token] = str(self.tokenizer.decode([token])) if self.tokenizer is not None else str(token)
        return self._pieces[token]


def _tokenised(tokenizer: Any, texts: Sequence[str], boundary: str) -> list[list[int]]:
    lead: list[int] = tokenizer(boundary, add_special_tokens=False)["input_ids"] if boundary else []
    found: list[list[int]] = []
    for start in range(0, len(texts), _TOKENISED_TOGETHER):
        part = list(texts[start : start + _TOKENISED_TOGETHER])
        following = tokenizer([boundary + text for text in part], add_special_tokens=False)["input_ids"]
        merged = [number for number, ids in enumerate(following) if ids[: len(lead)] != lead]
        alone = tokenizer([part[n] for n in merged], add_special_tokens=False)["input_ids"] if merged else []
        rows = [ids[len(lead) :] for ids in following]
        for number, ids in zip(merged, alone, strict=True):
            rows[number] = ids
        found.extend(rows)
    return found


def _nodes(flat: Ints, bounds: NDArray[np.int64]) -> tuple[Ints, Ints, Ints, Ints]:
    """Token, parent, depth and candidate of each node, from `flat[bounds[i]:bounds[i + 1]]`: sequence i, ended."""
    # Big-endian bytes sort as the tokens do, and by memcmp.
    data = flat.astype(">u4").tobytes()
    keys = [data[4 * start : 4 * stop] for start, stop in pairwise(bounds.tolist())]
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
    starts, lengths = bounds[order], bounds[order + 1] - bounds[order]
    shared = _shared_with_previous(flat, starts, lengths)
    new = lengths - shared
    ends = np.cumsum(new)
    total = int(ends[-1]) + 1

    row = np.repeat(np.arange(len(order)), new)
    position = np.arange(total - 1) - np.repeat(ends - new, new) + shared[row]
    token = np.concatenate(([-1], flat[starts[row] + position])).astype(np.int32)
    depth = np.concatenate(([0], position + 1)).astype(np.int32)
    # A new node's parent is the node before it, but for the first new node of a row, which hangs on an earlier row.
    parent = np.arange(-1, total - 1, dtype=np.int32)
    path = np.zeros(int(lengths.max()) + 1, dtype=np.int32)
    first = (ends - new + 1).tolist()
    for at, common, length in zip(first, shared.tolist(), lengths.tolist(), strict=True):
        if common < length:
            parent[at] = path[common]
            path[common + 1 : length + 1] = np.arange(at, at + length - common)
    candidate = np.full(total, -1, dtype=np.int32)
    # Equal sequences add no node; the sort is stable, so the one that added it comes first in `texts` too.
    candidate[ends[new > 0]] = order[new > 0]

    return token, parent, depth, candidate


def _shared_with_previous(flat: Ints, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many first tokens each sequence has in common with the one before it in sorted order."""
    shared = np.zeros(len(starts), dtype=np.int64)
    limit = np.minimum(lengths[1:], lengths[:-1])
    going = np.arange(1, len(starts))
    depth = 0
    while len(going):
        going = going[limit[going - 1] > depth]
        going = going[flat[starts[going] + depth] == flat[starts[going - 1] + depth]]
        depth += 1
        shared[going] = depth
    return shared
