"""Constrained decoding inside `generate`: the three lemmas of GraphRAFT (appendix A), and how rows are followed."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.learning.decoding import TokenTrie, TrieLogitsProcessor, exact_top, jump_forward
from tests.tools.learning.decoding_models import END, PAD, VOCABULARY, brute_force, tiny_model

SEQUENCES = st.lists(st.lists(st.integers(1, 4), max_size=5), min_size=1, max_size=12)
PROMPTS = st.lists(st.integers(1, END - 1), min_size=1, max_size=8)
MODELS = st.tuples(st.sampled_from(["llama", "gpt2"]), st.integers(0, 3)).map(lambda drawn: tiny_model(*drawn))


def generate(model: Any, prompts: list[list[int]], processor: Any, **options: Any) -> Any:
    width = max(map(len, prompts))
    ids = torch.tensor([[PAD] * (width - len(p)) + p for p in prompts])
    mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts])
    options = {"max_new_tokens": 8, "do_sample": False, "length_penalty": 0.0, **options}
    return model.generate(
        ids,
        attention_mask=mask,
        logits_processor=[processor],
        return_dict_in_generate=True,
        output_scores=True,
        **options,
    )


def ends(out: Any, trie: TokenTrie, prompt_length: int) -> list[int | None]:
    return [trie.index_of(row) for row in out.sequences[:, prompt_length:].tolist()]


@given(SEQUENCES, st.lists(st.integers(0, 5), max_size=6), st.integers(0, 2**32 - 1))
def test_lemma_1_1_what_is_no_valid_query_has_probability_zero(
    sequences: list[list[int]], tokens: list[int], seed: int
) -> None:
    trie = TokenTrie.from_tokens(sequences, END)
    processor = TrieLogitsProcessor(trie, 1)
    said, logits = [*tokens, END], np.random.default_rng(seed).normal(size=(len(tokens) + 1, VOCABULARY))
    probability = 1.0
    for at, token in enumerate(said):
        scores = processor(torch.tensor([[PAD, *said[:at]]]), torch.tensor(logits[at : at + 1]))
        probability *= float(scores.softmax(1)[0, token])
    valid = tokens in sequences
    assert (probability > 0) == valid


@given(SEQUENCES, st.integers(0, 2**32 - 1), st.data())
def test_lemma_1_2_valid_tokens_keep_their_order(sequences: list[list[int]], seed: int, data: st.DataObject) -> None:
    trie = TokenTrie.from_tokens(sequences, END)
    said = data.draw(st.sampled_from(sequences))
    said = said[: data.draw(st.integers(0, len(said)))]
    logits = torch.tensor(np.random.default_rng(seed).normal(size=(1, VOCABULARY)))
    before = logits.clone()
    for raw in (False, True):
        scores = TrieLogitsProcessor(trie, 2, raw=raw)(torch.tensor([[PAD, PAD, *said]]), logits)
        node = trie.walk(said)
        assert node is not None
        valid = torch.tensor(trie.child_tokens(node).astype(np.int64))
        assert scores.isfinite().nonzero()[:, 1].tolist() == valid.tolist()
        assert scores[0, valid].argsort().tolist() == logits[0, valid].argsort().tolist()
        # Masked or renormalised, what the next softmax makes of it is the same.
        assert torch.allclose(scores.softmax(1)[0, valid], logits[0, valid].softmax(0))
        assert raw == torch.equal(scores[0, valid], logits[0, valid]) or len(valid) == 1
    assert torch.equal(logits, before)


@settings(max_examples=25, deadline=None)
@given(MODELS, SEQUENCES, PROMPTS)
def test_one_beam_is_greedy_search_among_valid_queries(
    model: Any, sequences: list[list[int]], prompt: list[int]
) -> None:
    trie = TokenTrie.from_tokens(sequences, END)
    out = generate(model, [prompt], TrieLogitsProcessor(trie, len(prompt)))
    assert ends(out, trie, len(prompt)) == [jump_forward(model, prompt, trie).candidates[0].index]


@settings(max_examples=25, deadline=None)
@given(MODELS, SEQUENCES, PROMPTS, st.booleans())
def test_lemma_1_3_as_many_beams_as_queries_find_them_all(
    model: Any, sequences: list[list[int]], prompt: list[int], raw: bool
) -> None:
    """… in the order and with the scores of exact search, and of brute force."""
    trie = TokenTrie.from_tokens(sequences, END)
    every = trie.candidates
    out = generate(
        model, [prompt], TrieLogitsProcessor(trie, len(prompt), raw=raw), num_beams=every, num_return_sequences=every
    )
    found = ends(out, trie, len(prompt))
    assert sorted(sequences[i] for i in found if i is not None) == sorted(map(list, {tuple(s) for s in sequences}))
    scores = brute_force(model, prompt, sequences, raw=raw)
    expected = [scores[tuple(sequences[i])] for i in found if i is not None]
    if every > 1:
        assert out.sequences_scores.tolist() == pytest.approx(expected, abs=1e-4)
    top = exact_top(model, prompt, trie, every, raw=raw).candidates
    assert [each.score for each in top] == pytest.approx(sorted(expected, reverse=True), abs=1e-4)


@given(SEQUENCES, st.data())
def test_rows_are_followed_however_beams_are_reordered(sequences: list[list[int]], data: st.DataObject) -> None:
    """Each step keeps any rows of the step before, or jumps elsewhere, also off the trie."""
    trie = TokenTrie.from_tokens(sequences, END)
    processor = TrieLogitsProcessor(trie, 1)
    ended = [(*sequence, END) for sequence in sequences]
    rows: list[list[int]] = [[], []]
    for _ in range(5):
        allowed = [{each[len(r)] for each in ended if len(each) > len(r) and list(each[: len(r)]) == r} for r in rows]
        scores = processor(torch.tensor([[PAD, *row] for row in rows]), torch.zeros(2, VOCABULARY))
        for row, valid in zip(scores, allowed, strict=True):
            assert set(row.isfinite().nonzero()[:, 0].tolist()) == (valid or {END})
            assert valid or row[END] < -1e20
        kept = [data.draw(st.sampled_from(rows)) for _ in rows]
        rows = [[*row, data.draw(st.sampled_from([1, 2, 3, END]))] for row in kept]
        if data.draw(st.booleans()):
            rows[0] = data.draw(st.lists(st.integers(1, 4), min_size=len(rows[1]), max_size=len(rows[1])))


@pytest.mark.parametrize("beams", [1, 3])
def test_a_batch_has_prompts_of_any_length_and_a_trie_of_each(beams: int) -> None:
    model = tiny_model("llama")
    prompts = [[5, 6, 7, 8, 9], [3], [11, 12]]
    tries = [
        TokenTrie.from_tokens(sequences, END)
        for sequences in ([[1], [1, 2], [2, 2, 2]], [[3, 3], [4, 4, 4, 1], [1]], [[2], [3], [3, 1], []])
    ]
    out = generate(model, prompts, TrieLogitsProcessor(tries, 5), num_beams=beams, num_return_sequences=beams)
    for number, (prompt, trie) in enumerate(zip(prompts, tries, strict=True)):
        rows = out.sequences[number * beams : (number + 1) * beams, 5:].tolist()
        alone = generate(
            model, [prompt], TrieLogitsProcessor(trie, len(prompt)), num_beams=beams, num_return_sequences=beams
        )
        assert [trie.index_of(row) for row in rows] == ends(alone, trie, len(prompt))
        if beams == trie.candidates:
            assert [trie.index_of(row) for row in rows] == [
                each.index for each in exact_top(model, prompt, trie, beams).candidates
            ]


def test_lengths_may_differ_by_row() -> None:
    trie = TokenTrie.from_tokens([[1, 2], [1, 3]], END)
    processor = TrieLogitsProcessor(trie, [1, 2])
    scores = processor(torch.tensor([[7, 1, 2], [7, 7, 1]]), torch.zeros(2, VOCABULARY))
    assert [row.isfinite().nonzero()[:, 0].tolist() for row in scores] == [[END], [2, 3]]


@pytest.mark.parametrize("beams", [1, 6])
def test_sampling_says_valid_queries_only(beams: int) -> None:
    model = tiny_model("gpt2")
    trie = TokenTrie.from_tokens([[], [1], [1, 2], [2, 1, 1], [3, 3, 3, 3]], END)
    torch.manual_seed(0)
    out = generate(
        model,
        [[5, 6]],
        TrieLogitsProcessor(trie, 2),
        do_sample=True,
        num_beams=beams,
        num_return_sequences=max(5, beams),
    )
    found = ends(out, trie, 2)
    if beams == 1:
        assert None not in found
    else:
        # More beams than queries: the places left over have no probability to speak of.
        scores = out.sequences_scores.tolist()
        assert all(index is not None for index, score in zip(found, scores, strict=True) if score > -1e8)


def test_sampling_follows_the_probabilities_among_valid_queries() -> None:
    model = tiny_model("llama", 1)
    sequences = [[], [1], [1, 2], [2, 1, 1]]
    trie = TokenTrie.from_tokens(sequences, END)
    torch.manual_seed(0)
    options = {"do_sample": True, "num_return_sequences": 2000, "top_k": 0, "top_p": 1.0, "temperature": 1.0}
    out = generate(model, [[5, 6, 7]], TrieLogitsProcessor(trie, 3), **options)
    counts = np.bincount(np.array(ends(out, trie, 3), dtype=int), minlength=4) / 2000
    expected = brute_force(model, [5, 6, 7], sequences)
    assert counts.tolist() == pytest.approx([np.exp(expected[tuple(s)]) for s in sequences], abs=0.05)


def test_rows_that_do_not_divide_among_tries_are_refused() -> None:
    trie = TokenTrie.from_tokens([[1]], END)
    with pytest.raises(BadInput, match="3 rows cannot be shared out among 2 tries"):
        TrieLogitsProcessor([trie, trie], 1)(torch.zeros(3, 1, dtype=torch.long), torch.zeros(3, VOCABULARY))


def test_a_step_takes_as_long_with_many_candidates_as_with_few() -> None:
    """The best of many steps, so that a busy machine does not count; a scan of all takes 100 times as long."""
    rng = np.random.default_rng(0)
    quickest = []
    for size in (100, 10_000):
        sequences = np.column_stack((rng.integers(1, 30, size), rng.integers(1, 30, (size, 12)))).tolist()
        trie, steps = TokenTrie.from_tokens(sequences, END), []
        for _ in range(20):
            processor, scores = TrieLogitsProcessor(trie, 1), torch.zeros(5, VOCABULARY)
            processor(torch.tensor([[PAD]] * 5), scores)
            for at in range(1, 8):
                ids = torch.tensor([[PAD, *sequence[:at]] for sequence in sequences[:5]])
                started = time.perf_counter()
                processor(ids, scores)
                steps.append(time.perf_counter() - started)
        quickest.append(min(steps))
    assert quickest[1] < 5 * quickest[0]
