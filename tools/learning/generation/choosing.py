"""Choosing among texts: the most likely after a prompt, exactly, with the alternatives at every choice."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Lock

from clew.tools.errors import BadInput
from clew.tools.learning.decoding import Scored, TrieCache, exact_top
from clew.tools.learning.generation.chosen import MOST_TEXTS, Choice, ChosenText, Step, within_budget
from clew.tools.learning.generation.loading import LanguageModel, out_of_memory, prompt_ids
from clew.tools.learning.generation.numbered_names import asked_with_numbers

MOST_PROMPT_CHARACTERS = 200_000
OPTIONS_KEPT = 4


class TextChooser:
    """A loaded model that chooses. Thread-safe; answers one question at a time."""

    def __init__(self, model: LanguageModel, *, most_texts: int = MOST_TEXTS) -> None:
        self.model = model
        self._most_texts = most_texts
        self._tries = TrieCache()
        self._lock = Lock()

    @property
    def window(self) -> int | None:
        """The most tokens of a prompt with its text; None if the model does not say."""
        most = getattr(self.model.model.config, "max_position_embeddings", None)
        return None if most is None else int(most)

    def count(self, text: str) -> int:
        """The tokens of a text."""
        return len(self.model.tokenizer(text, add_special_tokens=False)["input_ids"])

    def choose(self, prompt: str, texts: Sequence[str], m: int, *, seconds: float | None = None) -> Choice:
        """The `m` likeliest of `texts` after `prompt`. Texts come best first: the last ones are left out where they
        are too many. Texts that are equal count as the first of them.

        Raises BadInput where there is nothing to choose from or the prompt is too long; OutOfMemory.
        """
        began = time.monotonic()
        offered = within_budget(texts, self._most_texts)
        if len(prompt) > MOST_PROMPT_CHARACTERS:
            raise BadInput(f"The prompt has {len(prompt):,} characters.", f"{MOST_PROMPT_CHARACTERS:,} are the most.")
        loaded = self.model
        if loaded.numbers_names:
            prompt, offered = asked_with_numbers(prompt, offered)
        with self._lock, out_of_memory("The question with its candidates"):
            ids = prompt_ids(loaded, prompt)
            trie = self._tries.get(loaded.tokenizer, offered, end_token=loaded.end_token)
            self._refuse_too_long(len(ids) + int(trie.depth.max()))
            deadline = None if seconds is None else began + seconds
            found = exact_top(loaded.model, ids, trie, min(m, len(offered)), deadline=deadline)
        chosen = tuple(_chosen(each) for each in found.candidates)
        ms = round((time.monotonic() - began) * 1000, 3)
        return Choice(chosen, found.exact, len(offered), found.work.passes, ms, loaded.keep_from)

    def _refuse_too_long(self, tokens: int) -> None:
        if self.window is not None and tokens > self.window:
            raise BadInput(
                f"The prompt and the longest candidate have {tokens} tokens; the model reads {self.window} at most.",
                "Use a model with a longer context, or show it less.",
            )


def _chosen(each: Scored) -> ChosenText:
    steps = tuple(
        Step(
            choice.text,
            round(choice.probability, 6),
            tuple((token, round(p, 6)) for token, p in choice.options(OPTIONS_KEPT)),
            len(choice.log_probabilities),
        )
        for choice in each.choices
    )
    return ChosenText(each.index, min(1.0, each.probability), steps)
