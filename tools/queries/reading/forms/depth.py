"""Relations of any depth: "everything that depends on X, also indirectly", "all levels below Ann"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.lexical import stem
from clew.tools.queries.reading.english.words import listed
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, sets
from clew.tools.queries.relation_names import relation_words

_WAYS = frozenset({"way", "further", "go", "goes", "going", "chain", "line", "the", "from"})
"""Beside which "up" is a direction: not in "ends up in"."""


def is_deep(form: Form) -> bool:
    """Whether a form takes a relation any number of times."""
    return any(link.deep for nodes in sets(form.nodes) for link in nodes.links)


def at_any_depth(form: Form) -> Form | None:
    """A form whose relation between things of one kind is taken as often as there are such; None where it has none."""
    if is_deep(form):
        return form
    nodes = _deepened(form.nodes)
    return None if nodes is None else replace(form, nodes=nodes)


def _deepened(nodes: Nodes) -> Nodes | None:
    """A set with the outermost such relation taken at any depth; None where neither it nor a linked set has one."""
    for own in (True, False):
        for i, link in enumerate(nodes.links):
            deep = _at_any_depth(link, nodes.label) if own else _behind(link)
            if deep is not None:
                return replace(nodes, links=(*nodes.links[:i], deep, *nodes.links[i + 1 :]))
    return None


def _at_any_depth(link: Link, label: str) -> Link | None:
    looped = len(link.path) == 1 and link.path[0].target == label and not (link.conditions or link.count)
    return replace(link, deep=True) if looped else None


def _behind(link: Link) -> Link | None:
    other = _deepened(link.other)
    return None if other is None else replace(link, other=other)


def turned(form: Form, texts: Sequence[str]) -> bool:
    """Whether the words say the other way of a relation that is taken at any depth from a named node."""
    for nodes in sets(form.nodes):
        for link in nodes.links:
            if link.deep and link.other.entities and not link.path[0].either:
                told = way_up(link.path[0].relation, texts, link.other.entities[0].name)
                return told is not None and told == link.path[0].forward
    return False


def way_up(relation: str, texts: Sequence[str], name: str) -> bool | None:
    """Whether words such as "above" and "below" mean the direction of a relation; None where they do not tell.

    Args:
        relation: The relationship type.
        texts: The words of the question.
        name: The name of the node that it starts from: what goes back to it is below it.
    """
    first = name.lower().split()[:1]
    if any(list(texts[i : i + 3]) == ["back", "to", *first] for i in range(len(texts))):
        return not leads_up(relation)
    said = {text for i, text in enumerate(texts) if text != "up" or {*texts[i - 1 : i], *texts[i + 1 : i + 2]} & _WAYS}
    up, down = (bool(listed("depth", way) & said) for way in ("up", "down"))
    return up == leads_up(relation) if up != down else None


def leads_up(relation: str) -> bool:
    """Whether a relation leads to what is above, before, or whole: REPORTS_TO, SEQUEL_OF, `parent`, DEPENDS_ON, but not
    MANAGES, HAS_PART or PRECEDES."""
    words = relation_words(relation)
    if stem(words[0]) in _stems("turning"):
        return words[-1] != "by"
    above = not listed("depth", "up_nouns").isdisjoint(words)
    if above or words[-1] in ("to", "for"):
        return words[-1] != "of" and (above or stem(words[0]) in _stems("up_verbs"))  # PARENT_OF leads down.
    return words[-1] in listed("depth", "up_endings") or stem(words[0]) in _stems("up_verbs")


def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, listed("depth", name)))
