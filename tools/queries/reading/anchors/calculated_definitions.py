"""Calculated properties that users define for their graph: "net value" for "price * quantity of CONTAINS"."""

from __future__ import annotations

import re

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Step, Value
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.schema.calculated_words import Owned, Owner, owners
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_FORMULA = re.compile(r"[^<>=\"“”]*(?:[*+]|\s[-/]\s)[^<>=\"“”]*")
_OWNER = re.compile(r"(?P<formula>.+)\s+of\s+(?:an?\s+|the\s+)?(?P<owner>\S+)\s*", re.S)
_HOW = "Write names of properties with *, /, +, - and parentheses, such as price * quantity."


def calculated_definition(text: str, phrase: str, words: SchemaWords) -> PropertyChoice | str | None:
    """The property that a formula defines.

    Args:
        text: The meaning that was written: "unit price * quantity", "shipped date - order date of an Order".
        phrase: What it is called.
        words: The names of the schema.

    Returns:
        What is wrong with the formula, if anything; None if the text is no formula.
    """
    if not _FORMULA.fullmatch(text):
        return None
    if any(choice.cost == 0.0 for choice in words.property(phrase.lower())):
        return f"“{phrase}” is the name of a property already."
    every = owners(words)
    behind = _OWNER.fullmatch(text)
    named = [owner for owner in every if behind is not None and _alike(owner[0], behind["owner"])]
    formula = behind["formula"] if behind is not None and named else text
    found = [(owner, choice) for owner in named or every if (choice := Owned(words, owner).formula(formula, phrase))]
    if not found:
        return f"“{formula}” is no formula of properties that one label or relationship type has. {_HOW}"
    if len(found) > 1:
        have = ", ".join(_said(owner) for owner, _ in found)
        return f"{have} have these properties. Write “of {found[0][0][0]}” behind the formula."
    return found[0][1]


def values_of(choice: PropertyChoice, schema: Schema) -> Form:
    """The number of nodes, or of relationships, that have a calculated property."""
    if not choice.of_relation:
        return Form("number", Nodes(choice.label), Value(choice.name), "count")
    relation = next(each for each in schema.relations if each.type == choice.label)
    link = Link((Step(relation.type, True, relation.target),), Nodes(relation.target))
    return Form("number", Nodes(relation.source), Value(choice.name, "count", link, choice.label), "sum")


def _alike(name: str, said: str) -> bool:
    """Whether a word names a label or a type, in whichever case and number."""
    own, other = "".join(identifier_words(name)), "".join(identifier_words(said))
    return own in (other, other.removesuffix("s"))


def _said(owner: Owner) -> str:
    return f"{'relationships' if owner[1] else 'nodes'} {owner[0]}"
