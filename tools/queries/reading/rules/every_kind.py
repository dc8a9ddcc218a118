"""What a noun for an end of a relation names, of whatever label it is: the children of Loki are gods and creatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Step
from clew.tools.queries.reading.forms.wider_labels import MOST_ENDS, either_of, narrowed
from clew.tools.queries.reading.rules.grammar import Grammar


def of_every_kind(form: Form, said: Sequence[Token], grammar: Grammar) -> Form:
    """A form that asks for the nodes of a role, of every label that has it, unless the question names a label."""
    nodes = form.nodes
    link = nodes.links[0] if len(nodes.links) == 1 else None
    plain = link is not None and replace(nodes, links=()) == Nodes(nodes.label) and len(link.path) == 1
    if form.asks not in ("nodes", "number") or form.value is not None or form.columns or link is None or not plain:
        return form
    texts = [token.text for token in said]
    step = link.path[0]
    if not _is_said(texts, step, grammar) or _named(texts, nodes.label, grammar):
        return form
    label = _of_all(step, nodes.label, link, grammar)
    return form if label == nodes.label else replace(form, nodes=replace(nodes, label=label))


def _of_all(step: Step, label: str, link: Link, grammar: Grammar) -> str:
    """The label for all from which a step leads to what the set is linked to."""
    ends = set(narrowed(link.other.label))
    relations = [each for each in grammar.words.schema.relations if each.type == step.relation]
    if step.forward:
        found = {each.source for each in relations if each.target in ends}
    else:
        found = {each.target for each in relations if each.source in ends}
    wider = grammar.joins.wider
    kinds = {each for each in found if not set(wider.get(each, ())) & found}
    if label not in found or not 1 < len(kinds) <= MOST_ENDS:
        return label
    return next((each for each, narrower in wider.items() if set(narrower) == kinds), either_of(sorted(kinds)))


def _is_said(texts: Sequence[str], step: Step, grammar: Grammar) -> bool:
    """Whether a word is a noun for the end of a step: for whoever it starts from."""
    ends = (role.step for text in texts for role in grammar.words.roles.get(text, ()))
    return any(each.relation == step.relation and each.forward != step.forward for each in ends)


def _named(texts: Sequence[str], label: str, grammar: Grammar) -> bool:
    """Whether a word names a label, or one above it."""
    called = {each for text in texts for each, _ in grammar.words.labels.get(text, ())}
    return label in called or any(label in grammar.joins.wider.get(each, ()) for each in called)
