"""Which models are run by tree attention, and that those which cannot be are right all the same."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import transformers

from clew.tools.learning.decoding import TokenTrie, exact_top
from clew.tools.learning.decoding.model_parts import ModelParts
from clew.tools.learning.decoding.self_check import checked
from tests.tools.learning.decoding_models import END, KINDS, brute_force, tiny_model

SEQUENCES = [[], [1], [1, 2], [1, 2, 3, 4], [2, 2], [2, 3, 1, 1], [3, 1], [3, 1, 2, 2]]
RERUN = {"bloom", "mamba", "gptneo"}
"""Position biases from the mask, no attention at all, and a local window that the configuration does not say."""


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_architecture_is_right_with_any_attention(kind: str, attention: str) -> None:
    try:
        model = tiny_model(kind, attention=attention)
    except ValueError:
        pytest.skip(f"{kind} has no {attention} attention")
    # Twelve tokens: longer than the windows of the sliding ones.
    prompt = list(range(5, 17))
    found = exact_top(model, prompt, TokenTrie.from_tokens(SEQUENCES, END), 8)
    assert found.work.way == ("rerun" if kind in RERUN else "tree")
    scores = brute_force(model, prompt, SEQUENCES)
    for each in found.candidates:
        assert each.score == pytest.approx(scores[tuple(SEQUENCES[each.index])], abs=1e-4)


def test_the_output_head_is_applied_to_a_few_tokens_where_it_is_plain() -> None:
    heads = {kind: checked(ModelParts.of(tiny_model(kind))).head for kind in ("llama", "gemma2", "granite")}
    # Gemma 2 caps its logits, which is known; Granite scales them, which is found out.
    assert heads == {"llama": True, "gemma2": True, "granite": False}


class IgnoresTheMask(transformers.LlamaModel):
    """A model that quietly does as it likes, as one with flash attention may."""

    def forward(self, *arguments: Any, attention_mask: Any = None, **given: Any) -> Any:
        kept = attention_mask if attention_mask is not None and attention_mask.dim() == 2 else None
        return super().forward(*arguments, attention_mask=kept, **given)


class IgnoresPositions(transformers.LlamaModel):
    """A model that counts positions by its cache."""

    def forward(self, *arguments: Any, position_ids: Any = None, **given: Any) -> Any:
        return super().forward(*arguments, **given)


class RefusesMasks(transformers.LlamaModel):
    """A model that takes masks over tokens only."""

    def forward(self, *arguments: Any, attention_mask: Any = None, **given: Any) -> Any:
        if attention_mask is not None and attention_mask.dim() == 4:
            raise ValueError("no masks of four dimensions")
        return super().forward(*arguments, attention_mask=attention_mask, **given)


@pytest.mark.parametrize("kind", [IgnoresTheMask, IgnoresPositions, RefusesMasks])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_model_that_reads_the_tree_wrongly_is_found_out(kind: type[Any], dtype: torch.dtype) -> None:
    model = transformers.LlamaForCausalLM(tiny_model("llama").config)
    right = exact_top(model.eval(), [5, 6], TokenTrie.from_tokens(SEQUENCES, END), 8)
    assert right.work.way == "tree"
    wrong = transformers.LlamaForCausalLM(model.config)
    wrong.model = kind(model.config)
    wrong.load_state_dict(model.state_dict())
    assert not checked(ModelParts.of(wrong.to(dtype).eval())).tree
    if dtype == torch.float32:
        found = exact_top(wrong, [5, 6], TokenTrie.from_tokens(SEQUENCES, END), 8)
        assert found.work.way == "rerun"
        assert [each.score for each in found.candidates] == pytest.approx(
            [each.score for each in right.candidates], abs=1e-4
        )


def test_the_check_is_made_once_for_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    model = transformers.LlamaForCausalLM(tiny_model("llama").config).eval()
    first = checked(ModelParts.of(model))
    monkeypatch.setattr("clew.tools.learning.decoding.self_check._check", lambda *_: pytest.fail("checked again"))
    assert checked(ModelParts.of(model)) is first


def test_weights_replaced_after_the_check_are_used() -> None:
    model = transformers.LlamaForCausalLM(tiny_model("llama").config).eval()
    trie = TokenTrie.from_tokens(SEQUENCES, END)
    exact_top(model, [5, 6], trie, 1)
    model.set_output_embeddings(torch.nn.Linear(16, END + 1, bias=True))
    scores = brute_force(model, [5, 6], SEQUENCES)
    for each in exact_top(model, [5, 6], trie, 8).candidates:
        assert each.score == pytest.approx(scores[tuple(SEQUENCES[each.index])], abs=1e-4)
