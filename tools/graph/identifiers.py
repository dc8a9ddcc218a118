"""Reading identifiers: the words inside snake_case, camelCase and UPPER_CASE names."""

from __future__ import annotations

import re

UNINFORMATIVE = frozenset({"has", "is", "was", "are", "have", "the", "a", "an"})


def identifier_words(name: str) -> tuple[str, ...]:
    """The lower-case words of a snake_case, camelCase, UPPER_CASE or spaced name."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return tuple(re.sub(r"[_\W]+", " ", spaced).lower().split())


def spoken(name: str) -> str:
    """A name as plain text: "directed by" for `DIRECTED_BY`."""
    return " ".join(identifier_words(name)) or name


def bare_words(name: str) -> tuple[str, ...]:
    """The words of a name without "has", "is" and articles; all of them where nothing else is left."""
    words = identifier_words(name)
    return tuple(word for word in words if word not in UNINFORMATIVE) or words
