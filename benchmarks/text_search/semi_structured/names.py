"""Names for the nodes: no two alike, and none that says what a node is like."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random


def read_parts() -> dict[str, list[str]]:
    """The lists of names.toml."""
    texts = tomllib.loads((Path(__file__).resolve().parent / "names.toml").read_text(encoding="utf-8"))
    joined = {name: text.replace("\n", " ") for name, text in texts.items()}
    return {
        name: [part.strip() for part in text.split("|")] if "|" in text else text.split()
        for name, text in joined.items()
    }


class Names:
    """Draws names of each kind; even and odd seeds draw from different halves of what is most telling in them."""

    def __init__(self, seed: int, chance: Random) -> None:
        self._chance = chance
        self._taken: set[str] = set()
        self._parts = read_parts()
        for name in ("surnames", "syllables", "brands"):
            self._parts[f"own_{name}"] = self._parts[name][seed % 2 :: 2]

    def researchers(self, count: int) -> list[str]:
        return self._drawn(count, lambda: f"{self._one('first_names')} {self._surname()}")

    def institutes(self, count: int) -> list[str]:
        def one() -> str:
            place = self._one("places") if self._chance.random() < 0.1 else self._surname()
            return self._one("institutes").format(place)

        return self._drawn(count, one)

    def compounds(self, count: int) -> list[str]:
        return self._drawn(count, lambda: (self._word() + self._one("compound_ends")).capitalize())

    def conditions(self, count: int) -> list[str]:
        def one() -> str:
            if self._chance.random() < 0.5:
                return (self._word() + self._one("condition_ends")).capitalize()
            return f"{self._word().capitalize()}'s {self._one('condition_kinds')}"

        return self._drawn(count, one)

    def products(self, count: int) -> list[str]:
        def one() -> str:
            brand = self._one("own_brands") + self._one("syllables")
            return f"{brand} {self._one('lines')} {self._chance.randrange(10, 99)}"

        return self._drawn(count, one)

    def title(self, mentioned: str | None) -> str:
        """Of a paper; with what it is about, where the title is to say so."""

        def one() -> str:
            figure = f"{self._one('adjectives')} {self._one('nouns')}"
            if mentioned is not None:
                return f"{mentioned} and the {figure}: {self._one('remarks')}"
            title = f"The {figure} of {self._one('matters')}"
            return f"{title}: {self._one('remarks')}" if self._chance.random() < 0.5 else title

        return self._drawn(1, one)[0]

    def _surname(self) -> str:
        return self._one("own_surnames") + self._one("surname_ends")

    def _word(self) -> str:
        return "".join(self._one("own_syllables") for _ in range(self._chance.choice((2, 3, 3))))

    def _drawn(self, count: int, draw: Callable[[], str]) -> list[str]:
        """So many names that were not drawn before."""
        found: list[str] = []
        while len(found) < count:
            if (name := draw()) not in self._taken:
                self._taken.add(name)
                found.append(name)
        return found

    def _one(self, name: str) -> str:
        return self._chance.choice(self._parts[name])
