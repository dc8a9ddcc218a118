"""The relation that a noun names: "capital", before and after it is said whose."""

from __future__ import annotations

from dataclasses import replace

from clew.tools.queries.reading.forms.form import Link, Nodes, Path, turned
from clew.tools.queries.reading.forms.items import Feature, Noun
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.same_label import merged


def fills_role(a: Noun, b: Noun, path: Path, said: tuple[str, ...]) -> bool:
    """Whether the relation is the one that a noun names already: "capital of texas", "states with the capital …"."""
    if said:
        return False
    own = a.role is not None and is_same_way(path, a.role) and is_unfilled(a)
    back = b.role is not None and len(path) == 1 and path[0].relation == b.role[0].relation and is_unfilled(b)
    return own or (back and path[0].forward != b.role[0].forward if b.role else False)


def is_same_way(path: Path, role: Path) -> bool:
    """Whether a path takes the same relations, whatever labels they lead to: "students of X", who is one of several
    kinds of people."""
    return [(step.relation, step.forward) for step in path] == [(step.relation, step.forward) for step in role]


def lost_role(a: Noun, b: Noun, path: Path) -> list[Feature]:
    """What it costs that a path is not the one of the left noun's role, or that it leads to another kind."""
    if a.role is None or not is_unfilled(a):
        return []
    if is_same_way(path[: len(a.role)], a.role):
        return [("role", 0.05)] if path[: len(a.role)] != a.role else []
    people = a.asked and a.plural and b.named  # "Which actors were born in London?"
    return [("role", 0.4 if people else 1.0)]


def is_unfilled(noun: Noun) -> bool:
    """Whether nothing says yet whose "capital" it is."""
    return any(link.path == noun.role and link.other.bare for link in noun.nodes.links)


def ways(noun: Noun, label: str, grammar: Grammar) -> list[Path]:
    """The ways from a set to a label; of a role its own, if it leads there: the films that a director made."""
    if noun.role is not None and noun.role[-1].target == label:
        return [noun.role]
    return list(grammar.joins.paths(noun.nodes.label, label))


def narrowed_role(link: Link, path: Path, b: Noun) -> Link:
    """A role's own link with what it is the role of; a longer path goes on from there."""
    known = len(link.path)
    if link.path != path[:known]:
        wider = len(path) == known and link.other.bare and link.positive and is_same_way(path, link.path)
        return replace(link, path=path, other=b.nodes) if wider else link
    if len(path) > known:
        return replace(link, other=link.other.linked(Link(path[known:], b.nodes)))
    both = merged(link.other, b.nodes)
    return link if both is None else replace(link, other=both)


def without_role(noun: Noun) -> Nodes:
    """The set of a role without the link back to what it is the role of: that is what it is joined to."""
    links = tuple(each for each in noun.nodes.links if each.path != noun.role or not each.other.bare)
    return replace(noun.nodes, links=links)


def without_ways_back(nodes: Nodes) -> Nodes:
    """A set without what its links say already: "the aircraft that airline X has in its fleet"."""
    others = [without_way_back(link.other, link.path, nodes.label) for link in nodes.links]
    if all(other is link.other for other, link in zip(others, nodes.links, strict=True)):
        return nodes
    links = (replace(link, other=other) for other, link in zip(others, nodes.links, strict=True))
    return replace(nodes, links=tuple(links))


def without_way_back(counted: Nodes, path: Path, label: str) -> Nodes:
    """What is counted without the open link that the path to it is already: "the followers" that somebody has."""
    own = next((link for link in counted.links if link.open and link.path == turned(path, label)), None)
    return replace(counted, links=tuple(link for link in counted.links if link is not own)) if own else counted
