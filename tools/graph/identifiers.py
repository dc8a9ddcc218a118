"""Reading identifiers: the words inside snake_case, camelCase and UPPER_CASE names."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256

_IDENTIFIER = re.compile(r"(?<![\w`/.@$])[^\W_]\w*(?![\w`/@]|\.\w)")
_CAMEL_NAME = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+){2,}\b")
"""Three words or more; one of two is as often the name of a brand."""
_LABEL_BORDER = re.compile(r"(?<=[a-zà-öø-ÿ0-9])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-Z])(?=[A-Z][a-z])|_+")
_HASHED = re.compile(r"…[0-9a-f]{8}\Z")
"""The end of a name that was cut to be stored."""
UNINFORMATIVE = frozenset({"has", "is", "was", "are", "have", "the", "a", "an"})


@lru_cache(maxsize=16384)
def identifier_words(name: str) -> tuple[str, ...]:
    """The lower-case words of a snake_case, camelCase, UPPER_CASE or spaced name."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", _HASHED.sub("", name))
    return tuple(re.sub(r"[_\W]+", " ", spaced).lower().split())


def spoken(name: str) -> str:
    """A name as plain text: "directed by" for `DIRECTED_BY`."""
    return " ".join(identifier_words(name)) or name


def shown(text: str) -> str:
    """A text for people with the names in it as they are spoken.

    "Costa Rica" for `Costa_Rica`, "Blue River Systems" for `BlueRiverSystems`. Names such as JavaScript, constants and
    what is quoted as code stay as they are.
    """
    return _IDENTIFIER.sub(_parted, text) if "_" in text or _CAMEL_NAME.search(text) else text


def shown_label(label: str) -> str:
    """A label for people: "Order Detail" for `OrderDetail` and `order_detail`."""
    return _LABEL_BORDER.sub(" ", label).strip()


def _parted(match: re.Match[str]) -> str:
    word = match.group()
    if "_" in word:
        return re.sub(r"(?<=[^\W_])_+(?=[^\W_])", " ", word) if any(map(str.islower, word)) else word
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word) if _CAMEL_NAME.fullmatch(word) else word


def shortened(name: str, length: int) -> str:
    """The first characters of a name that is too long to store, and a part of its hash (not one of its words)."""
    return f"{name[:length]}…{sha256(name.encode(errors='replace')).hexdigest()[:8]}"


@lru_cache(maxsize=16384)
def bare_words(name: str) -> tuple[str, ...]:
    """The words of a name without "has", "is" and articles; all of them where nothing else is left."""
    words = identifier_words(name)
    return tuple(word for word in words if word not in UNINFORMATIVE) or words
