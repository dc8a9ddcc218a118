"""On first use of a model: is tree attention right for it?

Attention implementations, cache classes and position encodings differ, and a mask that a model ignores or misreads
gives plausible scores that are wrong. So a small random tree is scored both ways before tree attention is trusted.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch

from clew.tools.learning.decoding.model_parts import ModelParts
from clew.tools.learning.decoding.node_states import RerunStates, TreeStates
from clew.tools.learning.decoding.output_head import Floats, OutputHead, child_log_probs
from clew.tools.learning.decoding.token_trie import ROOT, TokenTrie

_log = logging.getLogger(__name__)

_PROMPT, _PATHS, _LONGEST = 9, 24, 7
_TOLERANCE = 2e-3
"""Root mean square difference of log-probabilities that arithmetic in another order may make in float32."""
_SHARE_OF_SIGNAL = 0.1
"""In any type, the difference may be this part of what ignoring the tree's mask would make."""


@dataclass(frozen=True, slots=True)
class RunMode:
    """How a model is run over a trie."""

    tree: bool
    head: bool
    """Whether logits can be made of hidden states by `OutputHead`."""


_RERUN = RunMode(tree=False, head=False)
_known: WeakKeyDictionary[Any, dict[tuple[Any, ...], RunMode]] = WeakKeyDictionary()
_lock = Lock()


def checked(parts: ModelParts, *, beyond_window: bool = False) -> RunMode:
    """The fastest way that agrees with running whole sequences; found once per model, type and attention.

    `beyond_window` says that sequences will be longer than the window of sliding layers, and checks just that.
    """
    key = (parts.dtype, parts.device, getattr(parts.config, "_attn_implementation", None), beyond_window)
    with _lock:
        ways = _known.setdefault(parts.model, {})
        if key not in ways:
            ways[key] = _check(parts, beyond_window)
        return ways[key]


def _check(parts: ModelParts, beyond_window: bool) -> RunMode:
    rng = np.random.default_rng(0)
    trie = _random_trie(rng, parts.vocabulary, _PATHS // 4 if beyond_window else _PATHS)
    length = _PROMPT if not beyond_window or parts.window is None else parts.window + max(_PROMPT, parts.window // 2)
    prompt = torch.from_numpy(rng.integers(0, parts.vocabulary, length)).to(parts.device)
    nodes = [node for node in range(1, len(trie)) if not trie.is_leaf(node)]
    every = [ROOT, *nodes]
    expected = _flat(child_log_probs(RerunStates(parts, prompt, trie)(every), every, trie, None, raw=True))
    signal = _rms(_ignoring_the_tree(parts, prompt, trie, nodes) - expected)
    allowed = _SHARE_OF_SIGNAL * signal
    if parts.dtype == torch.float32:
        allowed = min(allowed, _TOLERANCE)
    heads = [head for head in (OutputHead.of(parts.causal), None) if head is None or not head.weight.is_meta]
    name = type(parts.causal).__name__
    for head in heads:
        try:
            difference = _rms(_over_the_tree(parts, prompt, trie, nodes, head) - expected)
        except Exception as error:  # a model may refuse a mask, a cache or positions in any way it likes
            _log.info("%s cannot run a tree: %s", name, error)
            continue
        if difference <= allowed:
            return RunMode(tree=True, head=head is not None)
        _log.info("%s: scores over the tree differ by %.2g, allowed is %.2g", name, difference, allowed)
    _log.warning("%s is decoded without tree attention, which is slower.", name)
    return _RERUN


def _random_trie(rng: np.random.Generator, vocabulary: int, paths: int) -> TokenTrie:
    """Paths over six tokens, so that they share prefixes, and start with different tokens."""
    letters = rng.choice(vocabulary, size=min(7, vocabulary), replace=False).tolist()
    drawn = [rng.choice(letters[1:], size=rng.integers(2, _LONGEST + 1)).tolist() for _ in range(paths)]
    return TokenTrie.from_tokens([*drawn, letters[1:2], letters[-1:]], letters[0])


def _over_the_tree(
    parts: ModelParts, prompt: torch.Tensor, trie: TokenTrie, nodes: list[int], head: OutputHead | None
) -> Floats:
    """In several passes, with a cache so small that it is cut back in between."""
    states = TreeStates(parts, prompt, trie, hidden=head is not None, most_tokens=len(trie) // 2)
    scores: dict[int, Floats] = {}
    for asked in ([ROOT], nodes[::3], nodes[1::3], nodes[2::3]):
        if asked:
            scores.update(zip(asked, child_log_probs(states(asked), asked, trie, head, raw=True), strict=True))
    return _flat([scores[node] for node in (ROOT, *nodes)])


def _ignoring_the_tree(parts: ModelParts, prompt: torch.Tensor, trie: TokenTrie, nodes: list[int]) -> Floats:
    """The same nodes as one sequence, each after all before it: what a model that ignores the mask would score."""
    path = TokenTrie.from_tokens([trie.token[nodes].tolist()], trie.end_token)
    logits = RerunStates(parts, prompt, path)(range(len(nodes) + 1))
    return _flat(child_log_probs(logits, [ROOT, *nodes], trie, None, raw=True))


def _flat(scores: list[Floats]) -> Floats:
    return np.concatenate(scores)


def _rms(difference: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(difference, dtype=np.float64))))
