"""A query in plain words, for people and for models: "the birthplace of the person that Blue Train is driven by".

Relationship types have no grammar; whether one is a noun (`GENRE`), a passive (`DRIVEN_BY`), an active verb (`WROTE`,
`PLAYS_FOR`) or a verb with its object (`HELD_POSITION`) is guessed from its words.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from clew.tools.graph.identifiers import bare_words, identifier_words
from clew.tools.graph.temporal import Period
from clew.tools.queries import lexical
from clew.tools.queries.lexical import UNSPECIFIC_LABELS, load_toml
from clew.tools.queries.space.query import Chain, Hop, Order, Query, ReferenceFact, TimeFilter, TimeOrder

Form = Literal["noun", "noun of", "passive", "active", "verb and object"]

_WORDS = load_toml("space", "verbs.toml")
PREPOSITIONS, PAST, ACTIVE, FINITE = (frozenset(_WORDS[k]) for k in ("prepositions", "past", "active", "finite"))


def words(query: Query) -> str:
    """The query as a noun phrase."""
    plural = query.returns == "count"
    text = " and ".join(_chain(chain, plural=plural) for chain in query.chains if chain.hops or len(query.chains) == 1)
    for condition in query.filters:
        text += f", with {' '.join(identifier_words(condition.property))} {condition.comparison} {condition.value}"
    for when in query.time_filters:
        text += f", {_when(when)}"
    if query.order is not None:
        return _ordered(query.order, text)
    if query.time_order is not None:
        return _in_turn(query.time_order, text)
    if query.time_answer is not None:
        return _told(query)
    if query.returns == "count":
        return f"number of {text}"
    if query.returns == "property" and query.property_name is not None:
        return f"{' '.join(identifier_words(query.property_name))} of {_the(text, query.chains[0])}"
    return text


def hop_words(hop: Hop, start: str, *, plural: bool = False) -> str:
    """What a hop leads to from `start`, as a noun phrase without an article."""
    relation = " ".join(bare_words(hop.relation))
    noun = noun_of(hop.target, plural=plural)
    form = form_of(hop.relation)
    if hop.forward:
        if form == "noun":
            return f"{_plural(relation) if plural else relation} of {start}"
        if form == "verb and object":
            verb, _, thing = relation.partition(" ")
            return f"{_plural(thing) if plural else thing} that {start} {verb}"
        be = "" if form == "active" else "is "
        return f"{noun} that {start} {be}{relation}"
    if form == "noun":
        return f"{noun} with {relation} {start}"
    if form == "noun of":
        return f"{_plural_head(relation) if plural else relation} {start}"
    if form == "passive":
        return f"{noun} {relation} {start}"
    return f"{noun} that {_of_several(relation) if plural else relation} {start}"


@cache
def form_of(relation: str) -> Form:
    """What kind of words a relationship type is made of."""
    first, *rest = bare_words(relation) or ("",)
    last = rest[-1] if rest else first
    verb = first in FINITE or first in PAST
    if last in PREPOSITIONS and rest:
        if last == "by":
            return "passive"
        if verb or first in ACTIVE:
            return "active"
        if last == "of":
            return "noun of"
        return "passive"
    if first.endswith("ing") and not rest:
        return "passive"
    if not (verb or first.endswith("ed")):
        return "noun"
    return "verb and object" if rest else "active"


def noun_of(label: str, *, plural: bool = False) -> str:
    """What one node of a label is called, or several."""
    text = " ".join(identifier_words(label))
    text = "thing" if text in UNSPECIFIC_LABELS or not text else text
    return _plural(text) if plural else text


def _chain(chain: Chain, *, plural: bool) -> str:
    if isinstance(chain.anchor, str):
        text = noun_of(chain.anchor, plural=True) if not chain.hops else f"any {noun_of(chain.anchor)}"
    else:
        text = chain.anchor.name
    for place, hop in enumerate(chain.hops):
        last = place == len(chain.hops) - 1
        text = hop_words(hop, text if place == 0 else f"the {text}", plural=plural and last)
    return text


def _the(text: str, chain: Chain) -> str:
    return f"the {text}" if chain.hops else text


def _ordered(order: Order, text: str) -> str:
    extreme = "most" if order.descending else "least"
    if isinstance(order.by, str):
        extreme = "highest" if order.descending else "lowest"
        return f"the one with the {extreme} {' '.join(identifier_words(order.by))} among {text}"
    relation = " ".join(bare_words(order.by.relation))
    things = noun_of(order.by.target, plural=True)
    return f"the one with the {extreme} {things} ({relation}) among {text}"


def _in_turn(turn: TimeOrder, text: str) -> str:
    return f"the {'last' if turn.last else 'first'} {text}"


def _told(query: Query) -> str:
    assert query.time_answer is not None
    chain = query.chains[query.time_answer.location.chain]
    start = chain.anchor if isinstance(chain.anchor, str) else chain.anchor.name
    when = {"both": "when", "start": "since when", "end": "until when"}[query.time_answer.side]
    others = [c.anchor.name for c in query.chains if c is not chain and not isinstance(c.anchor, str)]
    told = [" ".join(bare_words(hop.relation)) for hop in chain.hops]
    return " ".join([when, start, *told, *others])


def _when(when: TimeFilter) -> str:
    than = when.than
    if isinstance(than, Period):
        text = than.words()
        if when.relation in ("starts", "ends"):
            return f"{'starting' if when.relation == 'starts' else 'ending'} in {text}"
        return text if text.startswith(("since", "until")) else f"in {text}"
    fact = _fact(than)
    if when.relation in ("before", "after"):
        return f"{when.relation} {fact}"
    return f"at the time of {fact}" if than.hop is None else f"while {fact}"


def _fact(fact: ReferenceFact) -> str:
    relation = " ".join(bare_words(fact.hop.relation)) if fact.hop is not None else ""
    ends = [fact.entity.name, relation, fact.other.name if fact.other is not None else ""]
    if fact.hop is not None and not fact.hop.forward:
        ends = ends[::-1]
    return " ".join(end for end in ends if end)


def _plural(noun: str) -> str:
    if noun in ("person", "child", "man", "woman", "series", "species", "people", "children"):
        return {"person": "people", "child": "children", "man": "men", "woman": "women"}.get(noun, noun)
    return lexical.plural(noun)


def _of_several(verb: str) -> str:
    """ "play for", for "plays for"; other tenses stay as they are."""
    first, space, rest = verb.partition(" ")
    if first in FINITE:
        cut = 3 if first.endswith("ies") and first != "lies" else 2 if first.endswith(("sses", "ches", "xes")) else 1
        first = first[:-cut] + ("y" if cut == 3 else "")
    return f"{first}{space}{rest}"


def _plural_head(relation: str) -> str:
    """ "children of", for "child of"."""
    head, _, rest = relation.partition(" ")
    return f"{_plural(head)} {rest}"
