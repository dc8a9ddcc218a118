"""Exact search over the trie: the same as scoring every candidate, and cheaper."""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.learning.decoding import DecodingTask, TokenTrie, exact_top, exact_tops, forest, jump_forward
from clew.tools.learning.decoding.model_parts import ModelParts
from clew.tools.learning.decoding.node_states import RerunStates, TreeStates
from clew.tools.learning.decoding.output_head import OutputHead, child_log_probs
from tests.tools.learning.decoding_models import END, VOCABULARY, brute_force, small_tokenizer, tiny_model

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
PROMPT = [5, 6, 7]


def random_case(drawn: random.Random) -> tuple[list[int], list[list[int]]]:
    """A prompt, and candidates among which some begin others and some are equal."""
    letters = drawn.sample(range(1, END), drawn.choice([2, 3, 6]))
    start = drawn.choices(letters, k=drawn.choice([0, 0, 3]))
    sequences = [start + drawn.choices(letters, k=drawn.randint(0, 7)) for _ in range(drawn.choice([1, 2, 3, 8, 20]))]
    return [drawn.randrange(1, END) for _ in range(drawn.randint(1, 12))], sequences


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", ["llama", "gpt2", "mistral", "gemma2", "bloom"])
def test_the_best_are_those_of_brute_force(kind: str, device: str) -> None:
    for case in range(40):
        drawn = random.Random(f"{kind} {case}")
        model = tiny_model(kind, case % 3).to(device)
        prompt, sequences = random_case(drawn)
        m, raw, width = drawn.choice([1, 2, 5, 30]), drawn.random() < 0.4, drawn.choice([1, 3, 64])
        trie = TokenTrie.from_tokens(sequences, END)
        found = exact_top(model, prompt, trie, m, raw=raw, width=width)
        scores = brute_force(model, prompt, sequences, raw=raw)
        best = sorted(scores, key=scores.__getitem__, reverse=True)[:m]
        assert found.exact
        assert [tuple(sequences[each.index]) for each in found.candidates] == best
        assert [each.score for each in found.candidates] == pytest.approx([scores[each] for each in best], abs=1e-4)
        greedy = jump_forward(model, prompt, trie, raw=raw).candidates[0]
        assert greedy.score == pytest.approx(scores[tuple(sequences[greedy.index])], abs=1e-4)
        model.to("cpu")


@pytest.mark.parametrize("kind", ["llama", "mistral", "gemma2", "gpt2", "bloom"])
def test_several_questions_share_passes_with_the_answers_of_each(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for case in range(6):
        drawn = random.Random(f"together {kind} {case}")
        model = tiny_model(kind, case % 3)
        monkeypatch.setattr(forest, "MOST_PROMPT_TOKENS", drawn.choice([1, 15, 2048]))
        monkeypatch.setattr(forest, "_MOST_SLOTS", drawn.choice([4, 4096]))
        asked = []
        for _ in range(drawn.choice([1, 3, 6])):
            prompt, sequences = random_case(drawn)
            asked.append(DecodingTask(prompt, TokenTrie.from_tokens(sequences, END), drawn.choice([1, 2, 30])))
        together = exact_tops(model, asked, width=drawn.choice([1, 64]))
        for each, found in zip(asked, together, strict=True):
            alone = exact_top(model, each.prompt, each.trie, each.m)
            assert [c.index for c in found.candidates] == [c.index for c in alone.candidates]
            assert [c.score for c in found.candidates] == pytest.approx([c.score for c in alone.candidates], abs=1e-4)
            assert found.exact
    model = tiny_model("llama")
    asked = [DecodingTask([n, 6, 7], TokenTrie.from_tokens([[1, 2], [1, 3], [4, n + 1]], END), 2) for n in range(1, 9)]
    monkeypatch.setattr(forest, "MOST_PROMPT_TOKENS", 2048)
    alone = [exact_top(model, each.prompt, each.trie, each.m).work.passes for each in asked]
    assert exact_tops(model, asked)[0].work.passes <= max(alone)
    late = replace(asked[0], deadline=time.monotonic() - 1)
    assert [found.exact for found in exact_tops(model, [late, asked[1]])] == [False, True]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.integers(1, 8))
def test_states_do_not_depend_on_what_else_is_in_the_cache(seed: int, hidden: bool, most: int) -> None:
    """Any nodes in any order, asked for again, with a cache that is cut back all the time."""
    drawn = random.Random(seed)
    prompt, sequences = random_case(drawn)
    parts = ModelParts.of(tiny_model(drawn.choice(["llama", "gpt2", "mistral"])))
    trie = TokenTrie.from_tokens(sequences, END)
    inner = [node for node in range(len(trie)) if not trie.is_leaf(node)]
    start = [node for node in inner if node <= trie.stop[0]]
    rest = [node for node in inner if node > trie.stop[0]]
    asked = [start, *(drawn.sample(rest, drawn.randint(1, len(rest))) for _ in range(4) if rest)]
    ids = torch.tensor(prompt)
    head = OutputHead.of(parts.causal) if hidden else None
    tree = TreeStates(parts, ids, trie, hidden=hidden, most_tokens=most)
    for nodes in asked:
        found = child_log_probs(tree(nodes), nodes, trie, head, raw=True)
        expected = child_log_probs(RerunStates(parts, ids, trie)(nodes), nodes, trie, None, raw=True)
        assert np.concatenate(found) == pytest.approx(np.concatenate(expected), abs=1e-4)
    assert tree.passes == len(asked)


def test_probabilities_of_all_candidates_add_up_to_one() -> None:
    model = tiny_model("llama", 1)
    trie = TokenTrie.from_tokens([[], [1], [1, 2], [1, 2, 3], [2, 2], [2, 3, 1, 1]], END)
    found = exact_top(model, PROMPT, trie, 100)
    assert len(found.candidates) == 6
    assert sum(each.probability for each in found.candidates) == pytest.approx(1, abs=1e-5)
    raw = exact_top(model, PROMPT, trie, 100, raw=True)
    assert sum(each.probability for each in raw.candidates) < 1


def test_choices_say_what_could_follow_and_what_did() -> None:
    tokenizer = small_tokenizer(["MATCH (a) RETURN a", "MATCH (a) RETURN b", "MATCH (b) RETURN b"])
    texts = ["MATCH (a) RETURN a", "MATCH (a) RETURN b", "MATCH (b) RETURN b", "MATCH (a)"]
    model = tiny_model("llama")
    trie = TokenTrie.build(tokenizer, texts, end_token=None)
    trimmed = TokenTrie.from_tokens([[t % (END - 1) + 1 for t in _tokens(trie, i)] for i in range(4)], END, texts=texts)
    for each in exact_top(model, PROMPT, trimmed, 4).candidates:
        assert each.text == texts[each.index]
        assert math.prod(choice.probability for choice in each.choices) == pytest.approx(each.probability, rel=1e-4)
        for choice in each.choices:
            options = choice.options()
            assert len(options) > 1
            assert (choice.text, pytest.approx(choice.probability)) in options
            assert [p for _, p in options] == sorted((p for _, p in options), reverse=True)
            assert sum(p for _, p in options) == pytest.approx(1, abs=1e-5)
            assert choice.options(1) == options[:1]
        assert [int(c.node) for c in each.choices] == sorted(int(c.node) for c in each.choices)


def _tokens(trie: TokenTrie, index: int) -> list[int]:
    leaf = int(np.flatnonzero(trie.candidate == index)[0])
    return [int(token) for token in trie.token[trie.path(leaf)[:-1]]]


def test_forced_tokens_cost_no_pass_of_their_own() -> None:
    model = tiny_model("llama")
    alone = exact_top(model, PROMPT, TokenTrie.from_tokens([[1, 2, 3, 4]], END), 3)
    assert (alone.work.passes, alone.candidates[0].score, alone.candidates[0].probability) == (0, 0.0, 1.0)
    fork = TokenTrie.from_tokens([[1, 2, 3, 4, 5, 5], [1, 2, 3, 4, 6, 6, 6], [1, 2, 3, 4, 6, 6, 7]], END)
    assert exact_top(model, PROMPT, fork, 3).work.passes == 2
    assert jump_forward(model, PROMPT, fork).work.passes <= 2
    assert exact_top(model, PROMPT, fork, 3).work.expanded == 2


@pytest.mark.parametrize("raw", [False, True])
def test_few_choices_that_are_left_are_scored_together(raw: bool) -> None:
    """Whatever is best: one pass for the root's choice, and one for the choices after it, one below the other."""
    deep = [[first, 3, *end] for first in (1, 2) for end in ([4, 4], [4, 5, 4], [4, 5, 5], [5])]
    assert exact_top(tiny_model("llama"), PROMPT, TokenTrie.from_tokens(deep, END), 8, raw=raw).work.passes == 2


def test_few_nodes_are_expanded() -> None:
    drawn = random.Random(0)
    sequences = [drawn.choices(range(1, 20), k=5) for _ in range(3000)]
    trie = TokenTrie.from_tokens(sequences, END)
    found = exact_top(tiny_model("llama"), PROMPT, trie, 5)
    branching = sum(len(trie.children_of(node)) > 1 for node in range(len(trie)))
    assert found.exact
    assert found.work.expanded < branching / 5


def test_a_deadline_ends_the_search_with_what_was_found() -> None:
    model = tiny_model("llama")
    trie = TokenTrie.from_tokens([[], [1, 1], [1, 2], [2, 1], [2, 2]], END)
    late = exact_top(model, PROMPT, trie, 5, deadline=time.monotonic() - 1)
    assert not late.exact
    assert late.candidates == ()
    assert exact_top(model, PROMPT, trie, 5, deadline=time.monotonic() + 60).exact


def test_bfloat16_is_close(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_model("llama", 5)
    trie = TokenTrie.from_tokens([[], [1], [1, 2], [1, 2, 3], [2, 2], [2, 3, 1, 1]], END)
    expected = {each.index: each.score for each in exact_top(model, PROMPT, trie, 6).candidates}
    try:
        found = exact_top(model.to(torch.bfloat16), PROMPT, trie, 6)
    finally:
        tiny_model.cache_clear()
    assert found.work.way == "tree"
    for each in found.candidates:
        assert each.score == pytest.approx(expected[each.index], abs=0.3)


def test_what_cannot_be_scored_is_refused() -> None:
    model = tiny_model("gpt2", 7)
    trie = TokenTrie.from_tokens([[1], [2]], END)
    for prompt in ([], [[1, 2], [3, 4]]):
        with pytest.raises(BadInput, match="one row of token ids"):
            exact_top(model, prompt, trie, 1)
    assert exact_top(model, torch.tensor([[1, 2]]), trie, 1).candidates
    with pytest.raises(ValueError, match="m is 0"):
        exact_top(model, PROMPT, trie, 0)
    model.train()
    with pytest.raises(BadInput, match="training mode"):
        exact_top(model, PROMPT, trie, 1)
    model.eval()
    model.get_output_embeddings().weight.data[1] = torch.nan
    with pytest.raises(BadInput, match="not a number"):
        jump_forward(model, PROMPT, trie)
    tiny_model.cache_clear()


def test_large_vocabularies_are_never_held_for_all_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raw scores need the whole vocabulary's softmax; nodes are then taken a few at a time, with the same result."""
    model: Any = tiny_model("gpt2")
    trie = TokenTrie.from_tokens([[a, b] for a in range(1, 6) for b in range(1, 6)], END)
    whole = exact_top(model, PROMPT, trie, 25, raw=True)
    held: list[int] = []
    logits = OutputHead.logits
    monkeypatch.setattr(
        OutputHead, "logits", lambda self, hidden, tokens=None: held.append(len(hidden)) or logits(self, hidden, tokens)
    )
    monkeypatch.setattr("clew.tools.learning.decoding.output_head._VALUES_AT_ONCE", 2 * VOCABULARY)
    parted = exact_top(model, PROMPT, trie, 25, raw=True)
    assert max(held) == 2
    assert [each.score for each in parted.candidates] == pytest.approx([each.score for each in whole.candidates])
