"""Events by one of their two sides: the home games of a team, its away wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.reading.forms.items import AnyItem, Noun
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.relation_names import side_names, types_of


def side_nouns(anchors: Iterable[AnyItem], tokens: Sequence[Token], words: SchemaWords) -> Iterator[AnyItem]:
    """Nouns for events behind the word for a side, as those in which something has that side."""
    joint = [each for each in words.schema.relations if len(types_of(each.type)) == 2]
    for item in anchors if joint else ():
        noun = item.meaning
        if not isinstance(noun, Noun) or noun.wild or noun.named or not item.first:
            continue
        before = tokens[item.first - 1].text
        for relation in joint:
            for one, own in zip(types_of(relation.type), side_names(*types_of(relation.type)), strict=True):
                if own == (before,) and noun.nodes.label == relation.source:
                    step = Step(one, True, relation.target)
                    nodes = _on_side(noun, relation.type, step)
                    if nodes is not None:
                        yield replace(item, first=item.first - 1, meaning=replace(noun, nodes=nodes, role=(step,)))


def _on_side(noun: Noun, relation: str, step: Step) -> Nodes | None:
    """The events, with what is said of both sides said of one."""
    if noun.nodes.bare:
        return noun.nodes.linked(Link((step,), Nodes(step.target)))
    (*_, link) = noun.nodes.links or (None,)
    if link is None or len(noun.nodes.links) > 1 or [each.relation for each in link.path] != [relation]:
        return None
    return replace(noun.nodes, links=(replace(link, path=(step,)),))
