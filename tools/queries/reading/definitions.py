"""Words that users define for their graph: "major city" for "a City with population > 150000".

A definition is a set of nodes. It is written as conditions on properties (`LABEL with PROPERTY OPERATOR VALUE and …`),
or in any words that the reader reads as a set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.form import Condition, Nodes
from clew.tools.queries.reading.form_words import set_words
from clew.tools.queries.reading.inflection import noun_forms
from clew.tools.queries.reading.items import Reading
from clew.tools.queries.reading.vocabulary import SchemaWords
from clew.tools.queries.reading.words import number
from clew.tools.queries.space.query import Comparison

_MOST_COST = 2.5
"""A reading that costs more agrees too little with a definition."""
_ARTICLE = re.compile(r"^\s*(?:an?|the|any)\s+", re.I)
_PLAIN = re.compile(r"^(?P<label>[\w ]+?)\s+(?:with|where|whose)\s+(?P<conditions>.*(?:[<>=]).*)$", re.I | re.S)
_CONDITION = re.compile(
    r"^\s*(?:an?\s+|the\s+)?(?P<property>[\w ]+?)\s*(?P<sign><=|>=|<>|!=|<|>|=)\s*(?P<value>.+?)\s*$"
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A phrase and what it stands for."""

    phrase: str
    meaning: str
    nodes: Nodes | None
    """None where it has no effect."""
    problem: str = ""
    """Why it has none."""


def read_definitions(
    texts: Mapping[str, str], words: SchemaWords, read: Callable[[str], Sequence[Reading]]
) -> tuple[Definition, ...]:
    """Read definitions, those first that others use, and add their phrases to the words of a graph.

    Args:
        texts: Phrase → its meaning.
        words: Gets the phrases.
        read: Reads a text with the words so far, best reading first.
    """
    labels = {phrase for phrase in texts if any(not cost for _, cost in words.labels.get(phrase.lower(), ()))}
    pending = {phrase: text for phrase, text in texts.items() if phrase not in labels}
    found = {each: Definition(each, texts[each], None, f"“{each}” is the name of a label already.") for each in labels}
    while pending:
        ready = [phrase for phrase, text in pending.items() if not _uses(text, pending)]
        for phrase in ready or list(pending):
            text = pending.pop(phrase)
            nodes = _nodes(text, words, read) if ready else "It is defined by itself."
            if isinstance(nodes, str):
                found[phrase] = Definition(phrase, text, None, nodes)
            else:
                found[phrase] = Definition(phrase, text, nodes)
                words.define(phrase, nodes)
    return tuple(found[phrase] for phrase in texts)


def _uses(text: str, phrases: Mapping[str, str]) -> bool:
    said = " ".join(re.findall(r"\w+", text.lower()))
    return any(f" {form} " in f" {said} " for phrase in phrases for form in noun_forms(phrase.lower()))


def _nodes(text: str, words: SchemaWords, read: Callable[[str], Sequence[Reading]]) -> Nodes | str:
    """The set that a text means, or what is wrong with it."""
    text = _ARTICLE.sub("", text)
    plain = _PLAIN.match(text)
    if plain is not None:
        return _conditions(plain["label"].strip(), plain["conditions"], words)
    readings = read(text)
    sets = [each for each in readings if each.form.asks == "nodes" and not (each.form.columns or each.form.limit)]
    if not sets:
        return f"“{text}” is not read as a set of nodes. Write it as LABEL with PROPERTY > VALUE."
    best = sets[0]
    if best.unexplained:
        return f"Nothing in the graph explains {', '.join(best.unexplained)}."
    if best.cost > _MOST_COST or best.form.nodes.bare:
        return f"It would be read as “{set_words(best.form.nodes)}”, which is not what it says."
    return best.form.nodes


def _conditions(label: str, text: str, words: SchemaWords) -> Nodes | str:
    """`City`, `population > 150000 and …`."""
    label, known = label.lower(), words.defined.get(label.lower(), ())
    labels = [name for name, _ in words.labels.get(label, ())]
    if not (known or labels):
        return f"The graph has no label {label}. It has {', '.join(sorted(words.schema.labels))}."
    nodes = known[0] if known else Nodes(labels[0])
    for part in re.split(r"\s+and\s+", text):
        condition = _condition(nodes.label, part, words)
        if isinstance(condition, str):
            return condition
        nodes = nodes.where(condition)
    return nodes


def _condition(label: str, text: str, words: SchemaWords) -> Condition | str:
    match = _CONDITION.match(text)
    if match is None:
        return f"“{text.strip()}” is not a condition. Write PROPERTY OPERATOR VALUE with <, <=, =, !=, >= or >."
    own = [c for c in words.property(match["property"].lower()) if c.label == label and not c.of_relation]
    if not own:
        names = sorted({p.name for p, of_relation in words.properties if p.label == label and not of_relation})
        return f"{label} has no property {match['property']}. It has {', '.join(names)}."
    owned = words.choice(label, own[0].name)
    assert owned is not None
    value = match["value"].strip("\"'“”")
    amount = number(value) if value == match["value"] else None
    sign = cast(Comparison, {"!=": "<>"}.get(match["sign"], match["sign"]))
    given = value if amount is None else int(amount) if amount == int(amount) else amount
    predicate = typed(Predicate(owned.name, sign, given), owned)
    return predicate + "." if isinstance(predicate, str) else Condition(predicate, property=owned.name)
