"""Spellings of a name for comparison with titles and with names in other chunks."""

from __future__ import annotations

import re

from clew.tools.text_search.words import terms

_PARENTHESES = re.compile(r"\(([^()]*)\)")
_PARTS = re.compile(r"\s*(?:[,;/]|\s&\s|\sand\s|\n)\s*")


def folded(name: str) -> str:
    """The folded spelling: stemmed words."""
    return " ".join(terms(name))


def bare(name: str) -> str:
    """The name without parentheses: "Jon Brooks (footballer)" is "Jon Brooks"."""
    return " ".join(_PARENTHESES.sub(" ", name).split())


def spellings(name: str) -> list[str]:
    """What a name may be called elsewhere, folded, most complete first, each once: as it is, without what is in
    parentheses, that itself, and its parts where it is a list, as a table's cell often is ("Filton, Bristol")."""
    plain = bare(name)
    found = [name, plain, *_PARENTHESES.findall(name)]
    if len(parts := [part for part in _PARTS.split(plain) if part]) > 1:
        found += parts
    return list(dict.fromkeys(filter(None, map(folded, found))))
