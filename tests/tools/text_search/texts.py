"""Nodes with invented texts for the tests of the text index and of expansion."""

from __future__ import annotations

import random
from pathlib import Path

from clew.tools.text_search.index import TextIndex
from clew.tools.text_search.source import TextNode
from tests.tools.linking.letters import Letters

_THINGS = (
    "tent stove lantern trail canvas oven flour whisk dough bread reel lure trout river bait saddle chain pedal brake "
    "gravel soil seeds compost roses lawn collar fleas kennel puppy leash amplifier strings tuner capo stage"
)
WORDS = _THINGS.split()


def text_of(chance: random.Random, words: int) -> str:
    said = [chance.choice(WORDS) for _ in range(words)]
    return " ".join(word + (". " if place % 9 == 8 else "") for place, word in enumerate(said))


def some_nodes(count: int, seed: int = 0, longest: int = 120) -> list[TextNode]:
    """Two labels with text, of which every fourth node has none, and one with names alone."""
    chance = random.Random(seed)
    nodes = []
    for i in range(count):
        label = ("Product", "Review", "Brand")[i % 3]
        rich = label != "Brand"
        texts = () if not rich or i % 4 == 3 else (("body", text_of(chance, chance.randint(3, longest))),)
        if label == "Product" and texts:
            texts += (("notes", text_of(chance, 8)),)
        nodes.append(TextNode(f"{label}/{i}", f"{chance.choice(WORDS)} {chance.choice(WORDS)} {i}", label, texts, rich))
    return nodes


def indexed(nodes: list[TextNode], directory: Path, version: str = "1", embedder: Letters | None = None) -> TextIndex:
    return TextIndex.build(iter(nodes), directory, version, embedder or Letters())
