"""What strategies that find nodes by their texts have to show for them: texts and links as evidence, and details."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.graphs.context import Context
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.text_search.details import NodeDetails
from clew.tools.text_search.expansion.expansion import Expanded
from clew.tools.text_search.index import TextHit, TextIndex

_SHARE_OF_DETAILS = 0.5
"""Of a run's tokens, what the details of nodes may take."""
_LINKS = 2


def prepare_texts(context: Context) -> None:
    """Have the texts indexed, if need be, so that a question does not wait for that."""
    if context.tools.texts is None:
        return
    if context.expansion == "off" or not context.strategies:
        _ = context.tools.texts.index
    else:
        context.tools.texts.expansion.prepare()


def text_triplet(hit: TextHit) -> Iterator[Triplet]:
    """What was found in a node's text, as the value of its property; nothing where that is its name."""
    if hit.property != "name":
        yield Triplet(Entity(hit.id, hit.name, hit.label), hit.property, Entity(hit.excerpt, hit.excerpt, "text"))


def link_triplets(node: Expanded, index: TextIndex) -> Iterator[Triplet]:
    """The relationships of the graph by which a neighbour hangs on its first seeds; similarity is none."""
    for link in [link for link in node.links if link.relation is not None][:_LINKS]:
        own = Entity(node.id, node.name, node.label)
        seed = Entity(*index.described(int(index.positions([link.seed])[0])))
        head, tail = (seed, own) if link.forward else (own, seed)
        yield Triplet(head, link.relation or "", tail)


def details_of(entities: Sequence[Entity], question: str, context: Context) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of an attempt: every node with what the graph says of it, as a model reads them."""
    tools = context.tools
    assert tools.texts is not None
    reader = NodeDetails(tools.store, tools.schema, tools.texts.index, context.limits())
    details = reader.read(entities, question, int(context.budget.max_tokens * _SHARE_OF_DETAILS))
    rows = [[entity.name, entity.label, text] for entity, text in zip(entities, details, strict=True)]
    return ["node", "kind", "details"], rows
