"""Times in queries: which properties of a schema hold them, and how Cypher compares them.

Times are compared as ISO text, which is how years (1979), days (1979-05-03) and instants (1979-05-03T12:00) of every
type come out of `toString`, on ArcadeDB and Neo4j alike. Text sorts as time does, and a year followed by "~", which
sorts after every digit and letter, is the end of that year. An end that is missing has not come.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property
from clew.tools.graph.temporal import Period, Role, read_period, role_of
from clew.tools.queries.space.query import (
    ANSWER,
    Query,
    TimeFilter,
    TimeLocation,
    TimeProperties,
    anchor_clause,
)

_OPEN = "~"
"""Sorts after every time."""
_TEXT_SPAN = {
    4: re.compile(r"\s*\d{4}(?:\s*\S{1,2}\s*\d{4})?\s*\Z"),
    10: re.compile(r"\s*\d{4}-\d\d-\d\d(?:\s*\S{1,2}\s*\d{4}-\d\d-\d\d)?\s*\Z"),
}
"""Texts that hold a start and an end, by the characters of each."""


def time_properties(properties: Iterable[Property]) -> dict[str, TimeProperties]:
    """By label or relationship type the properties that hold its times; those without times are absent."""
    owned: dict[str, dict[Role, Property]] = defaultdict(dict)
    for prop in properties:
        role = role_of(prop.name)
        if role is not None and is_time(prop):
            owned[prop.label].setdefault(role, prop)
    return {owner: _clock(found) for owner, found in owned.items()}


def _clock(found: Mapping[Role, Property]) -> TimeProperties:
    start, end = found.get("start"), found.get("end")
    if start is not None or end is not None:
        return TimeProperties(start.name if start else None, end.name if end else None)
    return time_property(found["at"])


def time_property(prop: Property) -> TimeProperties:
    """The clock of one property that holds the whole time."""
    texts = [example for example in prop.examples if isinstance(example, str)]
    both = [width for width, form in _TEXT_SPAN.items() if texts and all(form.match(text) for text in texts)]
    return TimeProperties(prop.name, prop.name, both[0] if both and prop.type == "STRING" else 0)


def is_time(prop: Property) -> bool:
    """Whether a property's values are times: years, days, instants, or spans of them."""
    known = [example for example in prop.examples if example is not None]
    return bool(known) and all(read_period(example) is not None for example in known)


def variable(place: TimeLocation, query: Query) -> str:
    """The variable that holds a place, where nodes and relationships on the way are named."""
    if not place.node:
        return f"r{place.chain}_{place.hop}"
    hops = len(query.chains[place.chain].hops)
    return ANSWER if place.hop == hops - 1 else f"n{place.chain}_{place.hop}"


def ends(owner: str, clock: TimeProperties) -> tuple[str, str]:
    """Start and end of a node's or relationship's time as expressions for text; null where they are not known."""
    start = f"toString({owner}.{quoted(clock.start)})" if clock.start is not None else "null"
    if clock.width:
        return f"left(trim({start}), {clock.width})", f"right(trim({start}), {clock.width})"
    return start, f"toString({owner}.{quoted(clock.end)})" if clock.end is not None else "null"


def known(owner: str, clock: TimeProperties) -> str:
    """The condition that there is a time at all."""
    names = dict.fromkeys(name for name in (clock.start, clock.end) if name is not None)
    conditions = [f"{owner}.{quoted(name)} IS NOT NULL" for name in names]
    return conditions[0] if len(conditions) == 1 else f"({' OR '.join(conditions)})"


def fact_clauses(query: Query, terms: NodeTerms) -> tuple[list[str], dict[str, Any]]:
    """The clauses that bind the facts that times are compared with: node t{n}, relationship s{n}, node u{n}."""
    clauses: list[str] = []
    parameters: dict[str, Any] = {}
    for number, when in enumerate(query.time_filters):
        if isinstance(when.than, Period):
            continue
        fact = when.than
        clauses.append(anchor_clause(f"t{number}", fact.entity, f"t{number}", terms))
        parameters[f"t{number}"] = fact.entity.id
        if fact.hop is None:
            continue
        if fact.other is not None:
            clauses.append(anchor_clause(f"u{number}", fact.other, f"u{number}", terms))
            parameters[f"u{number}"] = fact.other.id
        clauses.append(f"MATCH (t{number}){fact.hop.pattern(f'u{number}', f's{number}')}")
    return clauses, parameters


def conditions(query: Query) -> tuple[list[str], dict[str, Any]]:
    """The conditions that a query's times put on its places, and on the facts that they are compared with."""
    found: list[str] = []
    parameters: dict[str, Any] = {}
    for number, when in enumerate(query.time_filters):
        owner = variable(when.location, query)
        found.append(known(owner, when.location.time))
        if isinstance(when.than, Period):
            first, last = f"$first{number}", f"$last{number}"
            parameters[first[1:]] = str(when.than.start or "")
            if when.relation not in ("before", "after"):
                parameters[last[1:]] = str(when.than.end or "") + _OPEN
        else:
            reference = f"s{number}" if when.than.hop is not None else f"t{number}"
            found += [known(reference, when.than.time), f"{ANSWER} <> t{number}"]
            start, end = ends(reference, when.than.time)
            first, last = _start(start), _end(end)
        found += _compared(when, *ends(owner, when.location.time), first, last)
    return found, parameters


def _compared(when: TimeFilter, start: str, end: str, first: str, last: str) -> list[str]:
    """A place's time against `first`, and `last`, the end with "~" behind it."""
    if when.relation == "before":
        return [f"{_start(start)} < {first}"]
    if when.relation == "after":
        return [f"{start} > {first}"]
    if when.relation == "starts":
        return [f"{start} < {last}", f"{start} + '{_OPEN}' > {first}"]
    if when.relation == "ends":
        return [f"{end} < {last}", f"{end} + '{_OPEN}' > {first}"]
    return [f"{_start(start)} < {last}", f"{_end(end)} > {first}"]


def _start(text: str) -> str:
    return "''" if text == "null" else f"coalesce({text}, '')"


def _end(text: str) -> str:
    return f"'{_OPEN}'" if text == "null" else f"coalesce({text}, '') + '{_OPEN}'"
