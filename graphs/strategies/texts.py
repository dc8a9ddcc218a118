"""Evidence and details of nodes that were found by their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.agents.answering.confidence import CERTAIN
from clew.agents.evidence import Attempt
from clew.graphs.context import Context
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.linking.normalise import fold
from clew.tools.queries.reading.english.words import FREE, light
from clew.tools.text_search.details import NodeDetails
from clew.tools.text_search.expansion.expansion import Expanded
from clew.tools.text_search.index import TextHit, TextIndex

_SHARE_OF_DETAILS = 0.5
"""Share of a run's token budget for the details of nodes."""
_LINKS = 2


def prepare_texts(context: Context) -> None:
    """Build the index of texts if necessary, so that no question waits for it."""
    if context.tools.texts is None:
        return
    if context.expansion == "off" or not context.strategies:
        _ = context.tools.texts.index
    else:
        context.tools.texts.expansion.prepare()


def left_to_texts(attempt: Attempt, context: Context) -> list[str]:
    """The words of the question that an attempt which is not certain leaves out, and that nodes have in their texts."""
    tools = context.tools
    asked = context.strategies is not None or tools.models is not None or attempt["confidence"] >= CERTAIN
    if asked or tools.planner is None or not tools.planner.rich or tools.texts is None or not tools.texts.is_ready:
        return []
    words = [word for word in attempt.get("unexplained", ()) if word.isalpha() and word not in light() | FREE]
    return [word for word in dict.fromkeys(words) if tools.texts.index.has_word(fold(word))]


def text_triplet(hit: TextHit) -> Iterator[Triplet]:
    """The excerpt that was found, as the value of its property; nothing if that property is the name."""
    if hit.property != "name":
        yield Triplet(Entity(hit.id, hit.name, hit.label), hit.property, Entity(hit.excerpt, hit.excerpt, "text"))


def link_triplets(node: Expanded, index: TextIndex) -> Iterator[Triplet]:
    """The relationships between a neighbour and its first seeds; links by similarity are left out."""
    for link in [link for link in node.links if link.relation is not None][:_LINKS]:
        own = Entity(node.id, node.name, node.label)
        seed = Entity(*index.described(int(index.positions([link.seed])[0])))
        head, tail = (seed, own) if link.forward else (own, seed)
        yield Triplet(head, link.relation or "", tail)


def details_of(entities: Sequence[Entity], question: str, context: Context) -> tuple[list[str], list[list[str]]]:
    """The columns and rows of an attempt for a model: every node with its details."""
    tools = context.tools
    assert tools.texts is not None
    reader = NodeDetails(tools.store, tools.schema, tools.texts.index, context.limits())
    details = reader.read(entities, question, int(context.budget.max_tokens * _SHARE_OF_DETAILS))
    rows = [[entity.name, entity.label, text] for entity, text in zip(entities, details, strict=True)]
    return ["node", "kind", "details"], rows
