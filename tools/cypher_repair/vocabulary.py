"""Labels, relationship types and properties as the schema has them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from clew.tools.cypher.lexer import Edit, QueryRejected, Token
from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.directions import possible_labels
from clew.tools.cypher_repair.outcome import Draft
from clew.tools.cypher_repair.spelling import meant
from clew.tools.cypher_repair.syntax import Reading, RelationshipPattern, Variable
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import RESERVED

_NAMING = frozenset({
    "name", "title", "label", "id", "fullname", "displayname", "caption", "value", "text", "entity", "entityname",
})  # fmt: skip
"""What models call the property that names a node, folded."""
_MOST_LISTED = 12


def correct_types(draft: Draft) -> None:
    """Relationship types: case, separators, near names. Of alternatives, those that the graph lacks are left out."""
    reading, known = draft.read(), _types(draft)
    edits: list[Edit] = []
    for relationship in reading.relationships:
        edits += _type_edits(relationship, known, draft, reading)
    draft.edit(edits)


def _type_edits(
    relationship: RelationshipPattern, known: Collection[str], draft: Draft, reading: Reading
) -> list[Edit]:
    written = [token.name for token in relationship.types]
    if all(name in known for name in written):
        return []
    corrected = {name: meant(name, known) for name in written}
    found = dict.fromkeys(name for name in corrected.values() if name is not None)
    unknown = [name for name, right in corrected.items() if right is None]
    if not found:
        raise QueryRejected(
            f"The graph has no relationship type “{unknown[0]}”.", f"It has {_listed(known)}.", cypher=draft.cypher
        )
    for name, right in corrected.items():
        if right is None:
            draft.changed(f"relationship type “{name}”, which the graph does not have, is left out")
        elif right != name:
            draft.changed(f"relationship type “{name}” is “{right}”")
    assert relationship.type_span is not None
    first, last = relationship.type_span
    text = ":" + "|".join(map(quoted, found))
    return [Edit(reading.tokens[first].start, reading.tokens[last - 1].end, text)]


def correct_labels(draft: Draft) -> None:
    """Labels: case, singular and plural, separators, near names. Those that are still unknown are left to
    `correct_unknown_labels`."""
    reading, known = draft.read(), _labels(draft)
    edits = []
    for token in _label_tokens(reading):
        name = meant(token.name, known)
        if name is not None and name != token.name:
            draft.changed(f"label “{token.name}” is “{name}”")
            edits.append(Edit(token.start, token.end, quoted(name)))
    draft.edit(edits)


def refuse_unknown_labels(draft: Draft) -> None:
    """The last word on labels: what the graph does not have cannot be matched."""
    reading, known = draft.read(), _labels(draft)
    for token in _label_tokens(reading):
        if token.name not in known:
            raise QueryRejected(
                f"The graph has no label “{token.name}”.", f"It has {_listed(draft.schema.labels)}.",
                cypher=draft.cypher,
            )  # fmt: skip


def _label_tokens(reading: Reading) -> list[Token]:
    return [label for node in reading.nodes for label in node.labels] + [
        reading.tokens[use.place] for use in reading.label_uses
    ]


def correct_properties(draft: Draft) -> None:
    """Property names, by the labels that their node can have or the types of their relationship."""
    reading = draft.read()
    edits = []
    for use in _unknown_properties(reading, draft):
        token = reading.tokens[use.place]
        name = _property_meant(token.name, use, draft.terms)
        composed = _composed(reading, use, draft.terms)
        if name is not None:
            draft.changed(f"property “{token.name}” is “{name}”")
            edits.append(Edit(token.start, token.end, quoted(name)))
        elif composed:
            draft.changed(f"property “{token.name}” is composed of other properties")
            edits.append(Edit(reading.tokens[use.place - 2].start, token.end, composed))
    draft.edit(edits)


def doubt_properties(draft: Draft) -> None:
    """Say which properties the graph does not seem to have (the schema knows those of a sample)."""
    reading = draft.read()
    for use in _unknown_properties(reading, draft):
        owner = " or ".join(sorted(use.owners)) if len(use.owners) < _MOST_LISTED else "any node"
        draft.doubt(f"there is no property “{reading.tokens[use.place].name}” of {owner}, but {_listed(use.known)}")


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A property that its owner does not have by the schema."""

    variable: Variable
    place: int
    owners: frozenset[str]
    known: frozenset[str]


def _unknown_properties(reading: Reading, draft: Draft) -> Iterator[_Unknown]:
    possible = possible_labels(reading, draft.schema)
    for variable, place in _property_places(reading):
        owners = possible.get(variable, frozenset(variable.types))
        known = _properties_of(variable, owners, draft)
        if known and reading.tokens[place].name not in known:
            yield _Unknown(variable, place, owners, known)


def _property_places(reading: Reading) -> list[tuple[Variable, int]]:
    found = [(use.variable, use.place) for use in reading.property_uses]
    for pattern in reading.patterns:
        if pattern.properties:
            found += [(pattern.variable, key) for key, _, _ in pattern.properties.entries]
    return found


def _properties_of(variable: Variable, owners: Collection[str], draft: Draft) -> frozenset[str]:
    """The properties that the schema gives to labels or types."""
    if variable.kind == "node":
        own = frozenset(each.name for each in draft.schema.properties if each.label in owners)
        return own | RESERVED if own and draft.terms.imported else own
    return frozenset(each.name for each in draft.schema.relation_properties if each.label in owners)


def naming_property(labels: Collection[str], terms: NodeTerms) -> str | None:
    """The property that names the nodes of these labels; None where none does, or several together do."""
    if terms.imported:
        return "name"
    named = {terms.names.get(label, ()) for label in labels}
    parts = named.pop() if len(named) == 1 else ()
    return parts[0] if len(parts) == 1 else None


def _property_meant(name: str, use: _Unknown, terms: NodeTerms) -> str | None:
    found = meant(name, use.known)
    if found is None and use.variable.kind == "node" and is_naming(name, use.owners):
        naming = naming_property(use.owners, terms)
        found = naming if naming in use.known else None
    return found


def _composed(reading: Reading, use: _Unknown, terms: NodeTerms) -> str | None:
    """What stands for a name that several properties make up, in place of `variable.name`: the node itself where that
    is a column, whose rows tell its name; else the expression for it."""
    parts = {terms.names.get(label, ()) for label in use.owners}
    dot, variable = reading.tokens[use.place - 1], reading.tokens[use.place - 2]
    if terms.imported or dot.text != "." or not variable.is_name or len(parts) != 1 or len(min(parts)) < 2:
        return None
    name = reading.tokens[use.place].name
    if not is_naming(name, use.owners):
        return None
    returned = reading.projections[-1]
    for item in returned.items if not reading.unions else ():
        if item.property == use.place:
            return variable.text if item.alias else f"{variable.text} AS {quoted(f'{variable.name}.{name}')}"
    own = NodeTerms(terms.scope, imported=False, names={label: terms.names[label] for label in sorted(use.owners)})
    return own.name(variable.text)


def is_naming(name: str, labels: Collection[str]) -> bool:
    """Whether a property of that name would be what names a node of these labels."""
    folded = name.replace("_", "").lower()
    own = {label.replace("_", "").lower() for label in labels}
    return folded in _NAMING or any(folded in (label, f"{label}name", f"{label}title") for label in own)


def _types(draft: Draft) -> list[str]:
    return list(dict.fromkeys(relation.type for relation in draft.schema.relations))


def _labels(draft: Draft) -> list[str]:
    return [*draft.schema.labels, *([draft.terms.scope] if draft.terms.scope else [])]


def _listed(names: Collection[str]) -> str:
    """The names as a sentence's object, the rest counted."""
    shown = sorted(names)[:_MOST_LISTED]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return ", ".join(shown) + more
