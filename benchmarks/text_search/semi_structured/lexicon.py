"""What nodes can be like: facts, each with words for the nodes' texts and other words for the questions."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).resolve().parent / "lexicon.txt"
_SHARED = 5
"""Words of which so many first letters are the same count as one word in two forms."""
_FUNCTION_WORDS = frozenset(re.findall(r"\w+", (
    "about after against again among and are aren because been before being both but can cannot could did does done "
    "down during each few for from further had has have having help helps hers him his how into its itself less made "
    "make makes many may more most much must need needs neither nor not off once one only onto other our out over own "
    "people per rather same should some such suits suit than that the their them then there these they this those "
    "through too two under until unlike very was were what when where which while who whom whose why will with "
    "without within would you your use used uses user users for is in on at of to by an as be it no or so up "
    "patients patient comes come keeps keep"
)))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a node of `label` can be like, under `aspect`."""

    label: str
    aspect: str
    number: int
    """Position among its aspect's facts."""
    texts: tuple[str, ...]
    asked: tuple[str, ...]


def read_facts(path: Path = FILE) -> dict[tuple[str, str], list[Fact]]:
    """All facts by (label, aspect), in file order. Raises ValueError naming a line that is no fact."""
    found: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    section = ("", "")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if header := re.fullmatch(r"\[(\w+)\.(\w+)\]", line.strip()):
            section = (header[1], header[2])
            continue
        texts, arrow, asked = line.partition("=>")
        if not arrow or not section[0]:
            raise ValueError(f"{path}:{number}: no fact")
        facts = found[section]
        facts.append(Fact(*section, len(facts), _phrases(texts), _phrases(asked)))
    return dict(found)


def half(facts: dict[tuple[str, str], list[Fact]], seed: int) -> dict[tuple[str, str], list[Fact]]:
    """Every second fact of each aspect: graphs of even and of odd seeds have none in common."""
    return {section: listed[seed % 2 :: 2] for section, listed in facts.items()}


def shared_words(fact: Fact) -> set[str]:
    """Beginnings of content words that a fact's questions have in common with its texts."""
    return _stems(fact.texts) & _stems(fact.asked)


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


def _stems(phrases: tuple[str, ...]) -> set[str]:
    words = re.findall(r"[a-z]+", " ".join(phrases).lower())
    return {word[:_SHARED] for word in words if len(word) > 2 and word not in _FUNCTION_WORDS}
