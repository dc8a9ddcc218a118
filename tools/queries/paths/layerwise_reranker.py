"""Rerankers whose score can be read after any of several layers, as bge-reranker-v2-minicpm-layerwise has it.

Such a model is a language model with code of its own: `forward(…, cutoff_layers=[n])` gives for each layer a score at
every token, of which the last one counts (the interface of its model card).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_ASKED = (
    "Given a query A and a passage B, determine whether the passage contains an answer to the query by providing a "
    "prediction of either 'Yes' or 'No'."
)
"""What such models were trained to be asked."""
_TOKENS = 512
"""Question and text; the instruction comes after them."""


class Layerwise:
    """Such a model with its tokenizer."""

    @staticmethod
    def fits(config: Any) -> bool:
        """Whether a model's configuration says that it is one."""
        return getattr(config, "start_layer", None) is not None and hasattr(config, "num_hidden_layers")

    def __init__(self, model: str, options: Mapping[str, Any]) -> None:
        """`options` are those of `from_pretrained`. Raises what that raises."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._tokenizer: Any = AutoTokenizer.from_pretrained(model, **options)
        loaded: Any = AutoModelForCausalLM.from_pretrained(model, **options)
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = loaded.to(self._device).eval()
        self._layer = int(loaded.config.num_hidden_layers)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The score of the last layer, of each pair of question and text."""
        import torch

        rows = [self._ids(question, text) for question, text in pairs]
        longest = max(map(len, rows))
        pad = self._tokenizer.pad_token_id or 0
        # On the left, so that the last token of every row is its own.
        ids = torch.tensor([[pad] * (longest - len(row)) + row for row in rows], device=self._device)
        real = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows], device=self._device)
        with torch.inference_mode():
            layers = self._model(input_ids=ids, attention_mask=real, return_dict=True, cutoff_layers=[self._layer])[0]
        return [float(score) for score in layers[-1][:, -1].reshape(-1).float().cpu()]

    def _ids(self, question: str, text: str) -> list[int]:
        def ids(part: str) -> list[int]:
            return list(self._tokenizer(part, add_special_tokens=False)["input_ids"])

        begin = [] if self._tokenizer.bos_token_id is None else [self._tokenizer.bos_token_id]
        gap, asked = ids("\n"), ids(f"A: {question}")
        passage = ids(f"B: {text}")[: max(1, _TOKENS - len(asked))]
        return [*begin, *asked[:_TOKENS], *gap, *passage, *gap, *ids(_ASKED)]
