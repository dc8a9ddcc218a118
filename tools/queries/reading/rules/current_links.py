"""What is of now, of the past, or of the longest time: "who currently works for X", "has been open the longest"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import SAMPLED, Property
from clew.tools.queries.lexical import Token
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Order, Value
from clew.tools.queries.reading.schema.endings import is_ending
from clew.tools.queries.reading.schema.property_names import property_kind
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.values import holds_years

_NOW = re.compile(r"\b(?:currently|presently|still|nowadays|at present|at the moment|right now|as of now)\b")
_BEGUN = frozenset({"since", "from", "start", "started", "joined", "began", "begin", "hired"})
_OVER = re.compile(r"\b(?:formerly|previously|used to|no longer|in the past|former)\b")


def of_the_time(nodes: Nodes, said: Sequence[Token], words: SchemaWords) -> Nodes:
    """A set whose relationships are those of now, or of the past, as a question says, where a property of theirs tells
    when they ended.

    Args:
        nodes: The set.
        said: The words of the question.
        words: The words of the schema.
    """
    text = " ".join(token.text for token in said)
    now, over = _NOW.search(text) is not None, _OVER.search(text) is not None
    if now == over:
        return nodes
    links = tuple(_of_the_time(each, words, over=over) for each in nodes.links)
    return nodes if links == nodes.links else replace(nodes, links=links)


def longest(form: Form, said: Sequence[Token], words: SchemaWords) -> tuple[Form, frozenset[int]]:
    """A form that asks for those with the longest relationship, where a property tells since when each is, and the
    places of the words that say so: "which company has used X the longest?"."""
    texts = [token.text for token in said]
    nodes, link = form.nodes, form.nodes.links[-1] if form.nodes.links else None
    if form.asks != "nodes" or nodes.order is not None or link is None or texts[-1:] != ["longest"]:
        return form, frozenset()
    relation = link.path[-1].relation
    since = next((p for p in words.schema.relation_properties if p.label == relation and _is_beginning(p)), None)
    if since is None or not link.positive or link.deep or _ending(relation, words) is not None:
        return form, frozenset()
    order = Order(Value(since.name, "min", link, relation, property_kind(since)), descending=False)
    told = frozenset(range(len(texts) - 1 - (texts[-2:-1] == ["the"]), len(texts)))
    return replace(form, nodes=replace(nodes, order=order)), told


def longest_first(form: Form, said: Sequence[Token], words: SchemaWords) -> Form:
    """What has been open the longest was opened first."""
    order, texts = form.nodes.order, {token.text for token in said}
    owned = words.choice(form.nodes.label, order.by.property or "") if order is not None and not order.by.link else None
    if order is None or owned is None or not texts & {"longest", "shortest"}:
        return form
    if not _is_time(owned):
        return form
    return replace(form, nodes=replace(form.nodes, order=replace(order, descending="shortest" in texts)))


def _is_beginning(owned: Property) -> bool:
    """Whether a property tells when a relationship began."""
    return _is_time(owned) and bool(_BEGUN & set(identifier_words(owned.name)))


def _is_time(owned: Property) -> bool:
    return holds_years(owned) or property_kind(owned) == "date"


def _of_the_time(link: Link, words: SchemaWords, *, over: bool) -> Link:
    ending = _ending(link.path[-1].relation, words)
    known = {each.property for each in link.conditions}
    if ending is None or ending in known or not link.positive or link.deep:
        return link
    told = Predicate(ending, "<>" if over else "=", True, "missing")
    return replace(link, conditions=(*link.conditions, told))


def _ending(relation: str, words: SchemaWords) -> str | None:
    """The property that tells when relationships ended, if some have not."""
    every = min(sum(each.count for each in words.schema.relations if each.type == relation), SAMPLED)
    for owned in words.schema.relation_properties:
        if owned.label == relation and is_ending(owned.name) and owned.count < every:
            return owned.name
    return None
