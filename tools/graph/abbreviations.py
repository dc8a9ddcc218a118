"""Short forms in the names of properties, columns and tables, and the words that they stand for."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources


@cache
def abbreviations() -> dict[str, str]:
    """A short form → the word."""
    text = resources.files(__package__).joinpath("abbreviations.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
