"""A logical form as a question in words, such as the reader reads."""

from __future__ import annotations

import re
from dataclasses import replace

from clew.tools.queries.reading.forms.form import Form, Link
from clew.tools.queries.reading.forms.form_words import set_words, words
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.space.words import noun_of

_SIGNS = {">=": "at least ", "<=": "at most ", ">": "over ", "<": "under ", "=": "", "<>": "other than "}
_SIGNS["CONTAINS"] = "containing "


def question(form: Form) -> str:
    """A form as a question. What only sorts or cuts the answers is left out of it."""
    nodes, order = replace(form.nodes, links=tuple(sorted(form.nodes.links, key=_size))), form.nodes.order
    first = ""
    if order is not None and order.limit is not None and form.asks == "nodes":
        alone = replace(nodes, conditions=(), links=(), order=None)
        some = set_words(alone) if order.limit != 1 else set_words(alone).removesuffix("s")
        number = f"{order.limit} " if order.limit != 1 else ""
        rest = set_words(replace(nodes, order=None))[len(set_words(alone)) :]
        first = f"{number}{some}{rest} with the {'highest' if order.descending else 'lowest'} {order.by.property}"
    plain = replace(form, nodes=replace(nodes, order=None), limit=None)
    said = first or _each(plain) or words(plain)
    said = re.sub(r" (>=|<=|<>|>|<|=|CONTAINS) (?=\S)", lambda sign: f" {_SIGNS[sign[1]]}", said)
    many = form.asks == "nodes" and (order is None or order.limit != 1) and not nodes.entities
    return f"What {'are' if many else 'is'} {'' if nodes.entities and form.asks == 'nodes' else 'the '}{_small(said)}?"


def _each(form: Form) -> str:
    """A number of nodes for each node that they belong to, whose relation only names it: HAS_CATEGORY."""
    link = form.value.link if form.value is not None and form.value.function == "count" else None
    if (
        form.asks != "groups"
        or link is None
        or form.nodes.links != (link,)
        or form.nodes.conditions
        or form.nodes.entities
    ):
        return ""
    label = noun_of(form.nodes.label)
    own = " ".join(word for word in relation_words(link.path[0].relation) if word not in ("has", "have"))
    return f"number of {set_words(link.other)} for each {label}" if len(link.path) == 1 and own == label else ""


def _size(link: Link) -> int:
    """What says little comes first, so that what follows is not taken to be of it."""
    return 1 + sum(map(_size, link.other.links)) + len(link.other.conditions)


def _small(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
