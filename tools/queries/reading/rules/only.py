"""Sets that are related to nothing else: "suppliers that only supply seafood", "customers all of whose orders …"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link, Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Noun
from clew.tools.queries.reading.forms.scoring import with_features

_ONLY = frozenset({"only", "exclusively", "solely"})
_ALL = (
    ("all", "of", "whose"), ("all", "whose"), ("each", "of", "whose"), ("whose", "every"), ("have", "all", "their"),
    ("has", "all", "its"), ("have", "all", "of", "their"), ("has", "all", "of", "its"),
)  # fmt: skip
_LOST = ("guess", 1.0)
"""What it costs that "only" is not understood."""


def those_alone(items: Iterable[AnyItem], between: Gap) -> Iterator[AnyItem]:
    """Two nouns that are joined, with the condition that the one is related to nothing but the other, if it is said."""
    texts = between.texts
    said = bool(_ONLY & set(texts)) or any(texts[i : i + len(all_)] == all_ for all_ in _ALL for i in range(len(texts)))
    for item in items:
        noun = item.meaning
        link = noun.nodes.links[-1] if isinstance(noun, Noun) and noun.nodes.links else None
        if not said or link is None or not link.positive or link.other.bare or between.negated:
            yield item
            continue
        others = Nodes(link.other.label, without=(link.other,))
        nodes = replace(noun.nodes, links=(*noun.nodes.links, Link(link.path, others, negated=True)))
        alone: AnyItem = replace(item, meaning=replace(noun, nodes=nodes))
        whose = ("not asked", 1.0) in item.features and "whose" in texts  # It asks for the first of the two.
        yield with_features(alone, ("not asked", -1.0)) if whose else alone
        yield with_features(item, _LOST)
