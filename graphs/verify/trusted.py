"""Which readings of a question may judge a statement: those that say all of it, and say it of the right things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.graphs.context import Context
from clew.graphs.form_support import query_of
from clew.graphs.verify.forms import numbers_in, numbers_of
from clew.tools.graph.entity import Mention
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.forms.form import Form, Nodes, sets
from clew.tools.queries.reading.forms.step_words import is_verbal
from clew.tools.queries.reading.reader import Reading

_MOST_LOST = 1
"""Words that a reading may leave to its relations, whatever these are called: "was built by"."""
_NEAR = 0.85
"""A kind of thing that a word is only near to ("profit" to Company) judges nothing."""
_FAR_AND_WEAK = 0.5
"""A relation over a third thing that agrees less with the words is not meant."""
_WEAKEST = 0.7
"""A relation that is called by a verb, and that agrees less with the words, is not meant."""
TOGETHER = re.compile(
    r"\b(?:on average|average|in total|altogether|all together|together|combined|add up|in all)\b", re.I
)
_LIFE = frozenset({"birth", "born", "dob", "yob", "birthday", "death", "died"})
_OF_LIFE = re.compile(
    r"\b(?:born|birth\w*|di(?:e|es|ed)|dead|death|live[sd]?|alive|old\w*|young\w*|aged?|years)\b", re.I
)
_NAMING = frozenset({"name", "surname", "firstname", "lastname", "forename"})


def says_all(reading: Reading, text: str, names: Sequence[Mention], context: Context) -> bool:
    """Whether a reading may judge a statement.

    Args:
        reading: The reading, with the form of what is stated.
        text: The statement.
        names: The names in it; those that the graph does not have are without candidates.
        context: The context of the run.
    """
    anybody = any(name == "wild" and n > 0 for name, n in reading.features)
    anybody = anybody or any(name == "label" and n > _NEAR for name, n in reading.features)
    if anybody or reading.unexplained or not _is_sound(reading.form, text, context):
        return False
    if not numbers_in(text, [(name.start, name.end) for name in names if name.candidates]) <= numbers_of(reading):
        return False
    lost = sum(n for name, n in reading.features if name == "unexplained")
    return lost <= _MOST_LOST and _has_all(reading.form, names) and not (_is_loose(reading) or _is_turnable(reading))


def _is_turnable(reading: Reading) -> bool:
    """Whether two names are related, and the order of the words was given up, or they say a further relation: either
    name may be the one that does it."""
    nodes = reading.form.nodes
    related = bool(nodes.entities) and any(link.other.entities for link in nodes.links)
    return related and (any(name == "floats" for name, _ in reading.features) or any(link.open for link in nodes.links))


def _is_loose(reading: Reading) -> bool:
    """Whether the words hardly say a relation that is called by a verb of its own, or say it of what lies between."""
    weak = any(n > _WEAKEST if name == "agreement" else name == "extra hop" for name, n in reading.features)
    steps = (step for nodes in sets(reading.form.nodes) for link in nodes.links for step in link.path)
    if reading.form.whole is not None and any(name == "bare set" and n > 0 for name, n in reading.features):
        return True  # "All winners are scientists" is not "… know scientists".
    hop = any(name == "extra hop" and n > 0 for name, n in reading.features)
    if hop and any(name == "agreement" and n > _FAR_AND_WEAK for name, n in reading.features):
        return True
    return weak and any(is_verbal(step.relation) for step in steps)


def _has_all(form: Form, names: Sequence[Mention]) -> bool:
    """Whether a form speaks of everything that is named, as a node or as a value."""
    entities = set(form.entities)
    told = " ".join(
        str(test.value).lower() for nodes in sets(form.nodes) for each in nodes.conditions
        for test in (each.predicate, *each.alternatives) if test is not None
    )  # fmt: skip
    return all(
        any(candidate.entity in entities for candidate in mention.candidates) or mention.text.lower() in told
        for mention in names
        if mention.candidates and not mention.text[:1].isdecimal()
    )


def _is_sound(form: Form, text: str, context: Context) -> bool:
    """Whether a form can be what somebody states: nothing is said of the order of its own nodes, a denial is one of
    a named thing, a total is compared with a number, and whoever is named by parts of a name exists."""
    nodes = form.nodes
    denies = bool(nodes.without) or any(link.negated for link in nodes.links)
    judged = form.bound is None and form.whole is None
    if nodes.order is not None or (judged and denies and not nodes.entities):
        return False
    if len(nodes.entities) > 1 and any(link.open and link.path[-1].target == nodes.label for link in nodes.links):
        return False  # "A and B are siblings": of each other, not of anybody.
    several = form.whole is not None and len(form.whole.entities) > 1
    if several and any(link.negated and not link.other.entities for link in nodes.links):
        return False  # "A and B are not siblings" says nothing of whom siblings know.
    lives = any(_LIFE & set(identifier_words(c.property)) for each in sets(nodes) for c in each.conditions)
    if lives and not _OF_LIFE.search(text):
        return False  # "A has been a member since 1999" says nothing of A's birth.
    if any(each.entities and replace(other, entities=()).bare for each in sets(nodes) for other in each.without):
        return False  # "A except B" is nobody.
    if form.bound is None and TOGETHER.search(text):
        return False
    return all(_may_be_named(each, context) for each in sets(nodes))


def _may_be_named(nodes: Nodes, context: Context) -> bool:
    """Whether conditions on the parts of a name (`first_name`, `last_name`) are those of somebody; "Ann Lee" is no
    Ann Moss."""
    named = tuple(each for each in nodes.conditions if _NAMING & set(identifier_words(each.property)))
    if not named:
        return True
    query = query_of(Form("nodes", Nodes(nodes.label, conditions=named)), context)
    return not nodes.entities and bool(
        context.tools.store.read(query.cypher, query.parameters, context.limits(1)).records
    )
