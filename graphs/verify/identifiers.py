"""Nodes that a statement names by an identifier: "HRB-128", "pull request 354"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.graphs.context import Context
from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property

_CODE = re.compile(r"(?<![\w-])[A-Za-z]{1,6}[-_#]?\d[\w-]*(?![\w-])")
_NUMBER = re.compile(r"(?P<kind>[A-Za-z]+(?: [A-Za-z]+)?) (?:number |no\.? |#)?(?P<number>\d+)(?![\w.,%-]*\d)")
_NAMES = frozenset({"id", "key", "code", "number", "no", "nr", "identifier"})


def identified(text: str, mentions: Sequence[Mention], context: Context) -> list[Mention]:
    """The mentions of a text with those added that identifiers make. An identifier that no node has gets no
    candidates."""
    found = list(mentions)
    for start, end, owned, value in _written(text, context):
        inside = [m for m in found if m.start < end and start < m.end]
        if any(m.start <= start and end <= m.end for m in inside):
            continue
        nodes = [entity for each in owned for entity in _having(each, value, context)]
        candidates = tuple(Candidate(entity, 1.0, "exact", entity.name) for entity in nodes)
        found = [m for m in found if m not in inside]
        found.append(Mention(start, end, text[start:end], candidates))
    return sorted(found, key=lambda mention: mention.start)


def _written(text: str, context: Context) -> Iterator[tuple[int, int, list[Property], str | int]]:
    """The identifiers of a text, each with the properties that may hold it."""
    reader, schema = context.tools.reader, context.tools.schema
    if reader is None:
        return
    for match in _CODE.finditer(text):
        places = reader.names.values(match.group())
        owned = [p for p in schema.properties if (p.label, p.name, False) in places and _identifies(p)]
        if owned:
            yield *match.span(), owned, places[owned[0].label, owned[0].name, False][0]
    for match in _NUMBER.finditer(text):
        words = match["kind"].lower()
        for noun in (words, words.rpartition(" ")[2]):
            labels = {label for label, cost in reader.words.labels.get(noun, ()) if not cost}
            owned = [p for p in schema.properties if p.label in labels and _identifies(p) and p.type == "INTEGER"]
            if owned:
                start = match.start("kind") + len(words) - len(noun)
                yield start, match.end("number"), owned, int(match["number"])
                break


def _identifies(owned: Property) -> bool:
    words = identifier_words(owned.name)
    return bool(words) and words[-1] in _NAMES


def _having(owned: Property, value: str | int, context: Context) -> list[Entity]:
    """The nodes that have a value; none if several have it, as it then identifies nothing."""
    terms, node = context.tools.store.terms, "n"
    query = f"MATCH {terms.node(node, owned.label)} WHERE n.{quoted(owned.name)} = $value "
    query += f"RETURN {terms.id(node)} AS id, {terms.name(node)} AS name LIMIT 2"
    rows = list(context.tools.store.read(query, {**terms.parameters, "value": value}, context.limits(2)).records)
    return [Entity(str(row["id"]), str(row["name"]), owned.label) for row in rows] if len(rows) == 1 else []
