"""Correction of labels, relationship types and properties to those of the schema."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from clew.tools.cypher.lexer import Edit, Refused, Token
from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.directions import possible_labels
from clew.tools.cypher_repair.draft import Draft
from clew.tools.cypher_repair.syntax import ParsedQuery, RelationshipPattern, Variable
from clew.tools.graph.identifiers import UNINFORMATIVE, identifier_words
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import RESERVED

_NAMING = frozenset({
    "name", "title", "label", "id", "fullname", "displayname", "caption", "value", "text", "entity", "entityname",
})  # fmt: skip
"""Names that models use for the naming property of a node, folded."""
_MOST_LISTED = 12
_NEAR = 0.8
"""Minimum similarity by edit distance; below it, another word may be meant."""
_LINKING = UNINFORMATIVE | {"by", "in", "of", "to", "at", "on", "for", "from", "with", "as", "be", "rel"}


def correct_types(draft: Draft) -> None:
    """Correct relationship types: case, separators, similar names. Unknown alternatives are removed."""
    query, known = draft.parsed(), _types(draft)
    edits: list[Edit] = []
    for relationship in query.relationships:
        edits += _type_edits(relationship, known, draft, query)
    draft.edit(edits)


def _type_edits(
    relationship: RelationshipPattern, known: Collection[str], draft: Draft, query: ParsedQuery
) -> list[Edit]:
    written = [token.name for token in relationship.types]
    if all(name in known for name in written):
        return []
    corrected = {name: closest_identifier(name, known) for name in written}
    found = dict.fromkeys(name for name in corrected.values() if name is not None)
    unknown = [name for name, right in corrected.items() if right is None]
    if not found:
        raise Refused(
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
    return [Edit(query.tokens[first].start, query.tokens[last - 1].end, text)]


def correct_labels(draft: Draft) -> None:
    """Correct labels: case, number, separators, similar names. Unknown labels are left to `correct_unknown_labels`."""
    query, known = draft.parsed(), _labels(draft)
    edits = []
    for token in _label_tokens(query):
        name = closest_identifier(token.name, known)
        if name is not None and name != token.name:
            draft.changed(f"label “{token.name}” is “{name}”")
            edits.append(Edit(token.start, token.end, quoted(name)))
    draft.edit(edits)


def refuse_unknown_labels(draft: Draft) -> None:
    """Refuse labels that are still unknown."""
    query, known = draft.parsed(), _labels(draft)
    for token in _label_tokens(query):
        if token.name not in known:
            raise Refused(
                f"The graph has no label “{token.name}”.", f"It has {_listed(draft.schema.labels)}.",
                cypher=draft.cypher,
            )  # fmt: skip


def _label_tokens(query: ParsedQuery) -> list[Token]:
    return [label for node in query.nodes for label in node.labels] + [
        query.tokens[use.place] for use in query.label_uses
    ]


def correct_properties(draft: Draft) -> None:
    """Correct property names, given the possible labels of the node or the types of the relationship."""
    query = draft.parsed()
    edits = []
    for use in _unknown_properties(query, draft):
        token = query.tokens[use.place]
        name = _property_meant(token.name, use, draft.terms)
        composed = _composed(query, use, draft.terms)
        if name is not None:
            draft.changed(f"property “{token.name}” is “{name}”")
            edits.append(Edit(token.start, token.end, quoted(name)))
        elif composed:
            draft.changed(f"property “{token.name}” is composed of other properties")
            edits.append(Edit(query.tokens[use.place - 2].start, token.end, composed))
    draft.edit(edits)


def doubt_properties(draft: Draft) -> None:
    """Record the properties that the graph does not seem to have (the schema knows those of a sample)."""
    query = draft.parsed()
    for use in _unknown_properties(query, draft):
        owner = " or ".join(sorted(use.owners)) if len(use.owners) < _MOST_LISTED else "any node"
        draft.doubt(f"there is no property “{query.tokens[use.place].name}” of {owner}, but {_listed(use.known)}")


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A property that the schema does not have for its owner."""

    variable: Variable
    place: int
    owners: frozenset[str]
    known: frozenset[str]


def _unknown_properties(query: ParsedQuery, draft: Draft) -> Iterator[_Unknown]:
    possible = possible_labels(query, draft.schema)
    for variable, place in _property_places(query):
        owners = possible.get(variable, frozenset(variable.types))
        known = _properties_of(variable, owners, draft)
        if known and query.tokens[place].name not in known:
            yield _Unknown(variable, place, owners, known)


def _property_places(query: ParsedQuery) -> list[tuple[Variable, int]]:
    found = [(use.variable, use.place) for use in query.property_uses]
    for pattern in query.patterns:
        if pattern.properties:
            found += [(pattern.variable, key) for key, _, _ in pattern.properties.entries]
    return found


def _properties_of(variable: Variable, owners: Collection[str], draft: Draft) -> frozenset[str]:
    """The properties of labels or types in the schema."""
    if variable.kind == "node":
        own = frozenset(each.name for each in draft.schema.properties if each.label in owners)
        return own | RESERVED if own and draft.terms.imported else own
    return frozenset(each.name for each in draft.schema.relation_properties if each.label in owners)


def naming_property(labels: Collection[str], terms: NodeTerms) -> str | None:
    """The property that names the nodes of these labels; None if there is none, or several together do."""
    if terms.imported:
        return "name"
    named = {terms.names.get(label, ()) for label in labels}
    parts = named.pop() if len(named) == 1 else ()
    return parts[0] if len(parts) == 1 else None


def _property_meant(name: str, use: _Unknown, terms: NodeTerms) -> str | None:
    found = closest_identifier(name, use.known)
    if found is None and use.variable.kind == "node" and is_naming(name, use.owners):
        naming = naming_property(use.owners, terms)
        found = naming if naming in use.known else None
    return found


def _composed(query: ParsedQuery, use: _Unknown, terms: NodeTerms) -> str | None:
    """The replacement of `variable.name` if several properties form the name: the node itself in a column, whose rows
    contain its name, else the expression of the name."""
    parts = {terms.names.get(label, ()) for label in use.owners}
    dot, variable = query.tokens[use.place - 1], query.tokens[use.place - 2]
    if terms.imported or dot.text != "." or not variable.is_name or len(parts) != 1 or len(min(parts)) < 2:
        return None
    name = query.tokens[use.place].name
    if not is_naming(name, use.owners):
        return None
    returned = query.projections[-1]
    for item in returned.items if not query.unions else ():
        if item.property == use.place:
            return variable.text if item.alias else f"{variable.text} AS {quoted(f'{variable.name}.{name}')}"
    own = NodeTerms(terms.scope, imported=False, names={label: terms.names[label] for label in sorted(use.owners)})
    return own.name(variable.text)


def is_naming(name: str, labels: Collection[str]) -> bool:
    """Whether a property of that name would be the naming property of these labels."""
    folded = name.replace("_", "").lower()
    own = {label.replace("_", "").lower() for label in labels}
    return folded in _NAMING or any(folded in (label, f"{label}name", f"{label}title") for label in own)


def _types(draft: Draft) -> list[str]:
    return list(dict.fromkeys(relation.type for relation in draft.schema.relations))


def _labels(draft: Draft) -> list[str]:
    return [*draft.schema.labels, *([draft.terms.scope] if draft.terms.scope else [])]


def _listed(names: Collection[str]) -> str:
    """The names as a list for a sentence; those beyond a limit are counted."""
    shown = sorted(names)[:_MOST_LISTED]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return ", ".join(shown) + more


def closest_identifier(name: str, known: Iterable[str]) -> str | None:
    """The only identifier in `known` that equals `name` except for its spelling; None if there is none or several.
    Compared in turn: letter case and separators, singular and plural, content words, typing errors."""
    names = list(known)
    if name in names:
        return name
    for fold in (_joined, _singular, _bearing):
        found = _only(name, names, fold)
        if found is not None:
            return found
    folded = _joined(name)
    if not folded:
        return None
    scored = sorted(((OSA.normalized_similarity(folded, _joined(other)), other) for other in names), reverse=True)
    near = [entry for entry in scored if entry[0] >= _NEAR]
    if not near or (len(near) > 1 and near[1][0] == near[0][0]):
        return None
    return near[0][1]


def _only(name: str, names: list[str], fold: Callable[[str], str]) -> str | None:
    folded = fold(name)
    found = [other for other in names if folded and fold(other) == folded]
    return found[0] if len(found) == 1 else None


def _joined(name: str) -> str:
    return "".join(identifier_words(name))


def _singular(name: str) -> str:
    return "".join(_without_plural(word) for word in identifier_words(name))


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _bearing(name: str) -> str:
    """The words without function words: `has_genre` and `genre`, `DIRECTED` and `directed_by`."""
    return " ".join(_without_plural(word) for word in identifier_words(name) if word not in _LINKING)
