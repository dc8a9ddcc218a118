"""How sure a trained model may be: one temperature for its scores, fitted to held-back examples; and how much less
likely than the likeliest text another one may be, if several can be right.

What follows a prompt is chosen among the valid tokens at each branching node of the trie. Dividing the scores there by
a temperature leaves the order of tokens as it is; the one that makes the right choices likeliest is kept (temperature
scaling, Guo et al. 2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from clew.tools.learning.decoding import TokenTrie
from clew.tools.learning.generation.chosen import Choice
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.loading import LanguageModel, prompt_ids

LOWEST, HIGHEST = 0.25, 8.0
_TRIED = 81
"""Temperatures, evenly spaced by their logarithm."""


class Chooser(Protocol):
    """As clew.tools.learning.generation.choosing.TextChooser."""

    def choose(self, prompt: str, texts: Sequence[str], m: int) -> Choice: ...


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A branching node on the path to the target."""

    scores: NDArray[np.float64]
    """Logits of the valid tokens."""
    right: int
    """The position of the correct token."""


def branches(model: LanguageModel, example: Example) -> list[Branch]:
    """The branching nodes on the path to the target among the candidates; none if there is no alternative."""
    trie = TokenTrie.build(model.tokenizer, example.candidates, end_token=model.end_token)
    leaves = np.flatnonzero(trie.candidate == example.candidates.index(example.target))
    if not len(leaves):
        return []  # it reads like an earlier candidate
    path = [int(leaves[0])]
    while path[-1]:
        path.append(int(trie.parent[path[-1]]))
    path.reverse()
    prompt = prompt_ids(model, example.prompt)
    ids = [*prompt, *(int(trie.token[node]) for node in path[1:-1])]
    with torch.no_grad():
        logits = model.model(input_ids=torch.tensor([ids], device=model.model.device), use_cache=False).logits[0]
    found = []
    for depth, (node, following) in enumerate(pairwise(path)):
        tokens = np.asarray(trie.child_tokens(node), dtype=np.int64)
        if len(tokens) > 1:
            scores = logits[len(prompt) - 1 + depth].float().cpu().numpy().astype(np.float64)[tokens]
            found.append(Branch(scores, int(np.flatnonzero(tokens == trie.token[following])[0])))
    return found


def fitted_temperature(choices: Sequence[Branch]) -> float:
    """The temperature that maximises the likelihood of the correct tokens; 1 if there are none."""
    if not choices:
        return 1.0
    tried = np.geomspace(LOWEST, HIGHEST, _TRIED)
    losses = [sum(_loss(each, temperature) for each in choices) for temperature in tried]
    return round(float(tried[int(np.argmin(losses))]), 4)


def calibrated_on(model: LanguageModel, examples: Iterable[Example]) -> float:
    """The fitted temperature of a model for these examples."""
    return fitted_temperature([branch for example in examples for branch in branches(model, example)])


def fitted_share(chooser: Chooser, examples: Sequence[Example], temperature: float) -> float:
    """The share of the likeliest text's probability from which on texts are taken, so that the mean F1 of what is taken
    is best: the prompts' right texts are the targets of all their examples. 0 if no prompt has several."""
    right: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for example in examples:
        right.setdefault((example.prompt, example.candidates), set()).add(example.target)
    if all(len(targets) < 2 for targets in right.values()):
        return 0.0
    asked = []
    for (prompt, texts), targets in right.items():
        found = chooser.choose(prompt, texts, len(texts)).chosen
        sure = np.array([each.probability for each in found]) ** (1 / temperature)
        hits = np.array([texts[each.index] in targets for each in found])
        asked.append((sure / sure.max(), hits, len(targets)))
    tried: list[float] = [0.0, *np.geomspace(0.01, 1.0, _TRIED).tolist()]
    means = [float(np.mean([_f1(sure >= share, hits, wanted) for sure, hits, wanted in asked])) for share in tried]
    return round(tried[int(np.argmax(means))], 4)


def _f1(taken: NDArray[np.bool_], hits: NDArray[np.bool_], wanted: int) -> float:
    return 2 * int(np.count_nonzero(taken & hits)) / (int(np.count_nonzero(taken)) + wanted)


def _loss(branch: Branch, temperature: float) -> float:
    scores = branch.scores / temperature
    top = scores.max()
    return float(top + np.log(np.exp(scores - top).sum()) - scores[branch.right])
