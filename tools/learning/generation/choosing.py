"""Choosing among texts: the most likely after a prompt, exactly, with the alternatives at every choice."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Lock

from clew.tools.errors import BadInput, ClewError
from clew.tools.learning.decoding import DecodingTask, Scored, TrieCache, exact_tops
from clew.tools.learning.generation.chosen import (
    MOST_TEXTS,
    Choice,
    ChosenText,
    Decoding,
    Request,
    Step,
    within_budget,
)
from clew.tools.learning.generation.decoded import Decoded, decoded
from clew.tools.learning.generation.loading import LanguageModel, OutOfMemory, out_of_memory, prompt_ids
from clew.tools.learning.generation.numbered_names import asked_with_numbers

MOST_PROMPT_CHARACTERS = 200_000
OPTIONS_KEPT = 4


class TextChooser:
    """A loaded model that chooses. Thread-safe; one call at a time uses the model."""

    def __init__(self, model: LanguageModel, *, decoding: Decoding = "exact", most_texts: int = MOST_TEXTS) -> None:
        self.model = model
        self._decoding = decoding
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
        [found] = self.choose_all([Request(prompt, tuple(texts), m, seconds)])
        if isinstance(found, ClewError):
            raise found
        return found

    def choose_all(self, requests: Sequence[Request]) -> list[Choice | ClewError]:
        """The choice of each request, or what `choose` would raise for it. Exact searches share their passes."""
        began = time.monotonic()
        found: list[Choice | ClewError | None] = [None] * len(requests)
        open_: dict[int, DecodingTask] = {}
        with self._lock:
            for number, request in enumerate(requests):
                try:
                    open_[number] = self._task(request, began)
                except ClewError as error:
                    found[number] = error
            try:
                results = self._decoded(list(open_.values()))
            except OutOfMemory as error:
                results = [self._alone(each) for each in open_.values()] if len(open_) > 1 else [error]
        ms = round((time.monotonic() - began) * 1000, 3)
        for (number, task), result in zip(open_.items(), results, strict=True):
            if isinstance(result, ClewError):
                found[number] = result
                continue
            chosen, texts = tuple(_chosen(each) for each in result.candidates), len(task.trie.texts)
            keep_from = self.model.keep_from
            found[number] = Choice(chosen, result.exact, texts, result.passes, ms, keep_from, result.written)
        return [each for each in found if each is not None]

    def _task(self, request: Request, began: float) -> DecodingTask:
        """A request in tokens. Raises BadInput."""
        prompt, offered = request.prompt, within_budget(request.texts, self._most_texts)
        if len(prompt) > MOST_PROMPT_CHARACTERS:
            raise BadInput(f"The prompt has {len(prompt):,} characters.", f"{MOST_PROMPT_CHARACTERS:,} are the most.")
        if self.model.numbers_names:
            prompt, offered = asked_with_numbers(prompt, offered)
        ids = prompt_ids(self.model, prompt)
        trie = self._tries.get(self.model.tokenizer, offered, end_token=self.model.end_token)
        self._refuse_too_long(len(ids) + int(trie.depth.max()))
        deadline = None if request.seconds is None else began + request.seconds
        return DecodingTask(ids, trie, min(request.m, len(offered)), deadline)

    def _decoded(self, tasks: Sequence[DecodingTask]) -> list[Decoded | ClewError]:
        """Raises OutOfMemory."""
        with out_of_memory("The question with its candidates"):
            if self._decoding == "exact" and len(tasks) > 1:
                together = exact_tops(self.model.model, tasks)
                return [Decoded(each.candidates, each.exact, each.work.passes) for each in together]
            return [decoded(self.model, each, self._decoding) for each in tasks]

    def _alone(self, task: DecodingTask) -> Decoded | ClewError:
        try:
            return self._decoded([task])[0]
        except OutOfMemory as error:
            return error

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
