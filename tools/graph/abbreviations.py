"""Short forms in the names of properties, columns and tables, and the words that they stand for."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

_TIMES = frozenset({"date", "dt", "on", "at", "year", "yr", "month", "mth", "time", "tm"})
_SUMS = frozenset({"amt", "amount", "fee", "paid", "bk", "bal", "sum"})
_PRICES = frozenset({"cost", "price", "fee", "charge", "rate", "fare", "supplement", "deposit"})
_VALID = frozenset({"insurance", "ins", "cert", "certificate", "licence", "license", "passport", "visa", "warranty"})
_MEDICAL = frozenset({"hist", "history", "cond", "condition", "rec", "record", "exam", "cert", "leave", "staff"})
_YES = frozenset({"yn", "flag", "flg", "ind", "emp", "staff"})
_BESIDE = {
    "exp": [
        (_TIMES | _VALID, "expiry"),
        (frozenset({"sal", "salary", "arr", "del"}), "expected"),
        (frozenset(), "expense"),
    ],
    "dep": [(_SUMS, "deposit")],
    "brth": [(_TIMES | {"place", "plc", "cert", "weight", "wt", "name", "nm"}, "birth")],
    "lab": [(frozenset({"hrs", "hours", "cost", "rate", "chg", "charge"}), "labour")],
    "med": [(_MEDICAL, "medical")],
    "pt": [(_YES, "part time")],
    "ft": [(_YES, "full time")],
    "st": [(_TIMES, "start")],
    "term": [(_TIMES, "termination")],
    "pp": [(_PRICES, "per person")],
    "ppn": [(_PRICES, "per person per night")],
    "wd": [(_TIMES | {"reason", "rsn"}, "withdrawn")],
}
"""Short forms of several words: what they stand for beside some others, and where that is empty, alone."""


@cache
def abbreviations() -> dict[str, str]:
    """A short form → the word."""
    text = resources.files(__package__).joinpath("abbreviations.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def in_full(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a name with its short forms in full: "deposit amount" of `dep_amt`, but "departure time"."""
    beside = set(words)
    full = []
    for word in words:
        meant = (said for others, said in _BESIDE.get(word, ()) if not others or others & beside)
        full += next(meant, abbreviations().get(word, word)).split()
    return tuple(full)
