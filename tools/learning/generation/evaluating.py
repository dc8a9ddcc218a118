"""How often a model chooses right, by ways of decoding: with the constraint and without it (GraphRAFT section 5.2)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TypedDict

from clew.tools.errors import BadInput
from clew.tools.learning.generation.choosing import TextChooser
from clew.tools.learning.generation.chosen import Decoding
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.loading import LanguageModel

_TRIED = 5


class DecodingFigures(TypedDict):
    """The figures of one way of decoding, each share from 0 to 1."""

    n: int
    """Prompts with several candidates."""
    right: float
    """Share whose first text is a right one."""
    right_in_5: float
    """Share with a right one among the first five texts."""
    valid: float
    """Share whose text is a candidate."""
    confidence: float
    """Mean probability of the first text."""
    passes: float
    """Mean passes of the model."""
    cpu_ms: float
    """Mean milliseconds of CPU time of the process."""


Decodings = dict[Decoding, DecodingFigures]


def decodings(
    model: LanguageModel,
    examples: Sequence[Example],
    ways: Sequence[Decoding],
    done: Callable[[int], None] = lambda count: None,
) -> Decodings:
    """The figures of each way, on the prompts with several candidates; a prompt of several examples has several right
    texts. Raises BadInput if there are none, and what choosing raises."""
    right: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for example in examples:
        if len(example.candidates) > 1:
            right.setdefault((example.prompt, example.candidates), set()).add(example.target)
    if not right:
        raise BadInput("No example has candidates to choose from.", "`clew generator examples` writes them.")
    found: Decodings = {}
    for way in ways:
        chooser, rows = TextChooser(model, decoding=way), []
        for (prompt, texts), targets in right.items():
            began = time.process_time()
            choice = chooser.choose(prompt, texts, _TRIED)
            hits = [texts[each.index] in targets for each in choice.chosen]
            sure = choice.chosen[0].probability if choice.chosen else 0.0
            ms = 1000 * (time.process_time() - began)
            rows.append((float(any(hits[:1])), float(any(hits)), float(bool(hits)), sure, float(choice.passes), ms))
            done(len(found) * len(right) + len(rows))
        means = [round(fmean(column), 4) for column in zip(*rows, strict=True)]
        found[way] = {
            "n": len(rows), "right": means[0], "right_in_5": means[1], "valid": means[2], "confidence": means[3],
            "passes": means[4], "cpu_ms": means[5],
        }  # fmt: skip
    return found
