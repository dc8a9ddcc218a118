"""What is said of one event: "whom did X beat in the final" speaks of a final between the two, not of a match that X
won and of a final of somebody else."""

from __future__ import annotations

from dataclasses import replace

from clew.tools.queries.reading.forms.form import Link, Nodes


def of_one_event(nodes: Nodes) -> Nodes:
    """A set with what is said of the event between its nodes and others of their label as said of one event."""
    between = next((link for link in nodes.links if _leads_through_event(link, nodes.label)), None)
    if between is None:
        return nodes
    event = between.path[0].target
    further = [link for link in nodes.links if link is not between and link.positive and link.path[0].target == event]
    if not further:
        return nodes
    told = Nodes(event, links=(replace(between, path=between.path[1:]),))
    for link in further:
        told = _with(told, link)
    rest = (link for link in nodes.links if link is not between and not any(link is each for each in further))
    return replace(nodes, links=(Link(between.path[:1], told), *rest))


def _leads_through_event(link: Link, label: str) -> bool:
    """Whether a link leads from one end of an event to the other: from the loser of a match to its winner."""
    if len(link.path) != 2 or not link.positive:
        return False
    first, second = link.path
    return not first.forward and second.forward and second.target == label and first.relation != second.relation


def _with(event: Nodes, link: Link) -> Nodes:
    """An event with what a link to such events says of them."""
    if len(link.path) > 1:
        return event.linked(replace(link, path=link.path[1:]))
    for each in link.other.links:
        event = event.linked(each)
    return event.where(*link.other.conditions)
