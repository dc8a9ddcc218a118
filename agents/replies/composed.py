"""What a model composed and nothing else has: it is shown only if it is neither a link nor a piece of the prompt.

A name or a text of the graph may order a model to write an address with something secret in it, or to repeat its
instructions. What is in the graph is shown as it is; what only the model says is not, if it looks like that.
"""

from __future__ import annotations

import re

_LINK = re.compile(
    r"[a-z][a-z0-9+.-]{0,30}:/|www\.|(?:mailto|javascript|data):\S|\]\(|<\s?[a-z/!][^<>]{0,2000}>|&#?\w{1,31};",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
RUN = 6
"""Words in a row that are a piece of the prompt."""


def fit_to_show(text: str, system: str) -> bool:
    """Whether a model's own text may be shown: no address, link, image or HTML, and no piece of its instructions.

    Args:
        text: What the model wrote.
        system: The instructions of the prompt.
    """
    if _LINK.search(text):
        return False
    words, told = _words(text), f" {' '.join(_words(system))} "
    runs = (words[start : start + RUN] for start in range(len(words) - RUN + 1))
    return not any(f" {' '.join(run)} " in told for run in runs)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
