"""Search over the trie: the exact best candidates (best first), or the greedy one."""

from __future__ import annotations

import heapq
import time
from bisect import bisect_left, insort
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from torch import Tensor

from clew.tools.learning.decoding.model_parts import ModelParts, prompt_tensor
from clew.tools.learning.decoding.node_scores import NodeScores, chain_reads
from clew.tools.learning.decoding.output_head import Floats
from clew.tools.learning.decoding.scored import Ranked, SearchCost, scored
from clew.tools.learning.decoding.token_trie import ROOT, TokenTrie

_MOST_TOKENS_A_PASS = 512
_CLOSE = 2.0
"""Nodes whose bounds are this little below the best one's are expanded along with it: they will be needed likely."""
_TOKENS_AHEAD = 32
"""Tokens that a pass takes along unasked, from where few choices are left: cheaper than the passes they may save."""
_NODES_AHEAD = 256
"""Subtrees of more nodes than this have more than a few."""


def exact_top(
    model: Any,
    prompt_ids: Tensor | Sequence[int],
    trie: TokenTrie,
    m: int,
    *,
    raw: bool = False,
    deadline: float | None = None,
    width: int = 64,
) -> Ranked:
    """The `m` candidates with the highest scores after the prompt, exactly.

    A candidate's score is the sum of the log-probabilities of its tokens. It only falls along a path. So once `m`
    candidates score above the best node not yet expanded, nothing under that node can take their place.

    Args:
        prompt_ids: One prompt without padding, shape (tokens,).
        m: How many candidates to return.
        raw: Take the model's own probabilities, as beam search in `generate` with `length_penalty=0` does. By default
            they are renormalised over the valid next tokens, so that those of all candidates add up to one.
        deadline: A value of time.monotonic() that ends the search between two passes of the model; the candidates
            found by then are returned, with `exact` false.
        width: How many nodes are expanded at a time.

    Source: GraphRAFT, section 4.2, equation 2.
    """
    if m < 1:
        raise ValueError(f"m is {m}: ask for one candidate at least")
    parts = ModelParts.of(model)
    prompt = prompt_tensor(prompt_ids, parts.device)
    score = NodeScores(parts, prompt, trie, raw=raw)
    return Search(trie, m, raw).run(score, width, deadline)


def jump_forward(model: Any, prompt_ids: Tensor | Sequence[int], trie: TokenTrie, *, raw: bool = False) -> Ranked:
    """The candidate that greedy decoding ends at, with one pass of the model per branching node on its path.

    It takes the likeliest valid token at each node, as `generate` with a `TrieLogitsProcessor` does, and so may miss
    the best candidate. `raw` is as in `exact_top`: it changes the score, not the candidate.
    """
    parts = ModelParts.of(model)
    prompt = prompt_tensor(prompt_ids, parts.device)
    score = NodeScores(parts, prompt, trie, raw=raw)
    known: dict[int, Floats] = {}
    child, total = ROOT, 0.0
    while reads := chain_reads(trie, child, raw):
        known.update(zip(reads, score(reads), strict=True))
        stop = int(trie.stop[child])
        for node in reads:
            best = int(known[node].argmax())
            total += float(known[node][best])
        if trie.is_leaf(stop):
            break
        child = int(trie.children_of(stop)[best])
    leaf = int(trie.stop[child])
    return Ranked((scored(trie, leaf, total, known),), exact=False, work=score.work())


@dataclass(slots=True, eq=False)
class _Siblings:
    """The children of an expanded node, likeliest first; the heap holds the next one only."""

    nodes: list[int]
    bounds: list[float]
    """Of each child, the score that no candidate under it exceeds."""
    next: int = 0


Steps = Generator[list[int], list[Floats], bool]


def advanced(steps: Steps, scores: list[Floats] | None) -> tuple[list[int], bool | None]:
    """The next nodes to score, given the scores of the last ones; or, at the end, whether it came in time."""
    try:
        return (next(steps) if scores is None else steps.send(scores)), None
    except StopIteration as end:
        return [], bool(end.value)


@dataclass(slots=True, eq=False)
class Search:
    """One search over a trie."""

    trie: TokenTrie
    m: int
    raw: bool
    heap: list[tuple[float, int, _Siblings]] = field(default_factory=list)
    """(minus its bound, child, its siblings): of each expanded node the best child not yet taken."""
    found: list[tuple[float, int]] = field(default_factory=list)
    """(minus its score, leaf) of the candidates reached, best first, at most m."""
    scores: dict[int, Floats] = field(default_factory=dict)

    def run(self, score: NodeScores, width: int, deadline: float | None) -> Ranked:
        """Search alone."""
        steps = self.steps(width, deadline)
        reads, done = advanced(steps, None)
        while done is None:
            reads, done = advanced(steps, score(reads))
        return self.ranked(done, score.work())

    def steps(self, width: int, deadline: float | None) -> Steps:
        """Yields the nodes to score, takes their scores, and returns whether the search ended in time."""
        self._push(_Siblings([ROOT], [0.0]))
        in_time = True
        while (batch := self._best(width)) and (in_time := deadline is None or time.monotonic() < deadline):
            reads = self._reads(batch)
            self.scores.update(zip(reads, (yield reads), strict=True))
            for child, bound in batch:
                self._settle(child, bound)
        return in_time

    def ranked(self, in_time: bool, work: SearchCost) -> Ranked:
        """The best candidates found."""
        best = tuple(scored(self.trie, leaf, -cost, self.scores) for cost, leaf in self.found)
        return Ranked(best, in_time, work)

    def _best(self, width: int) -> list[tuple[int, float]]:
        """Take (child, bound) off the heap: what is among the best m by all that is known, or close to the best.

        Empty when the search is over. Children that lead to one candidate at no further cost are reached on the way.
        """
        batch: list[tuple[int, float]] = []
        tokens, close = 0, np.inf
        while self.heap and self.heap[0][0] < self._limit() and tokens < _MOST_TOKENS_A_PASS:
            cost, child, siblings = self.heap[0]
            if batch and (len(batch) >= width or (cost > close and len(batch) + self._better(cost) >= self.m)):
                break
            heapq.heappop(self.heap)
            self._push(siblings)
            reads = chain_reads(self.trie, child, self.raw)
            if all(node in self.scores for node in reads):
                self._settle(child, -cost)
            else:
                close = cost + _CLOSE if not batch else close
                batch.append((child, -cost))
                tokens += reads[-1] - child + 1
        return batch

    def _reads(self, batch: list[tuple[int, float]]) -> list[int]:
        """The nodes that the children lead to; with raw scores also the forced tokens up to there."""
        reads = [node for child, _ in batch for node in chain_reads(self.trie, child, self.raw)]
        return reads + self._ahead(batch)

    def _ahead(self, batch: list[tuple[int, float]]) -> list[int]:
        """All choices below the batch's children where they are few: no pass will be needed for them later."""
        reads: list[int] = []
        room = _TOKENS_AHEAD if self.scores else 0  # the first pass is for the root's chain
        for child, _ in batch:
            stop = int(self.trie.stop[child])
            first, end = stop + 1, self.trie.end_of(stop)
            if not 0 < end - first <= _NODES_AHEAD:
                continue
            children = np.diff(self.trie.first_child[first : end + 1])
            below = np.flatnonzero(children > (0 if self.raw else 1)) + first
            needed = int((self.trie.depth[below] - self.trie.depth[stop]).sum())
            if needed <= room:
                reads += below.tolist()
                room -= needed
        return reads

    def _settle(self, child: int, bound: float) -> None:
        """Go on from `child`, whose chain is scored, to what comes after it."""
        stop = int(self.trie.stop[child])
        bound += sum(float(self.scores[node][0]) for node in range(child, stop)) if self.raw else 0.0
        if self.trie.is_leaf(stop):
            self._reach(stop, bound)
        else:
            bounds = bound + self.scores[stop].astype(np.float64)
            order = np.argsort(-bounds, kind="stable")
            self._push(_Siblings(self.trie.children_of(stop)[order].tolist(), bounds[order].tolist()))

    def _push(self, siblings: _Siblings) -> None:
        if siblings.next < len(siblings.nodes):
            entry = (-siblings.bounds[siblings.next], siblings.nodes[siblings.next], siblings)
            siblings.next += 1
            heapq.heappush(self.heap, entry)

    def _reach(self, leaf: int, score: float) -> None:
        insort(self.found, (-score, leaf))
        del self.found[self.m :]

    def _better(self, cost: float) -> int:
        """How many candidates reached so far score above `-cost`."""
        return bisect_left(self.found, (cost, -1))

    def _limit(self) -> float:
        """Minus the score that a candidate must exceed to be among the best."""
        return self.found[self.m - 1][0] if len(self.found) == self.m else np.inf
