"""Example questions that a graph can answer, made from its most frequent relations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import QueryFailed
from clew.tools.graph.identifiers import bare_words, identifier_words, shown
from clew.tools.graph.schema import Relation, Schema
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.space.query import Hop
from clew.tools.queries.space.words import PREPOSITIONS, form_of, hop_words, noun_of

MOST = 5
_TRIED = 15
"""Maximum number of relations that are tried."""
_SEARCHED = 5_000
"""Relationships of one type that are searched for a good name."""
_ANSWERS = (2, 10)
"""The fewest and the most answers of a good example."""
_BEHIND_VERBS = frozenset({"through", "across", "over", "under", "against", "between", "around"})
"""Words behind a verb that are no objects."""
_NAMES = 20
"""Names with the most answers, of which one with letters is taken."""
_LIMITS = Limits(timeout_s=2.0, max_rows=_NAMES)


def example_questions(store: GraphStore, schema: Schema, most: int = MOST) -> list[str]:
    """At most `most`, each about another relation; none where the graph has no relations between nodes with names."""
    found: list[str] = []
    for place, relation in enumerate(islice(_kinds(schema), _TRIED)):
        if len(found) == most:
            break
        first = place % 2 == 0
        if question := _question(store, relation, forward=first) or _question(store, relation, forward=not first):
            found.append(question)
    return found


def _kinds(schema: Schema) -> Iterator[Relation]:
    """The most frequent pair of ends of each relationship type, the most frequent type first."""
    seen: set[str] = set()
    for relation in sorted(schema.relations, key=lambda each: (-each.count, each.type)):
        if relation.type not in seen:
            seen.add(relation.type)
            yield relation


def _question(store: GraphStore, relation: Relation, *, forward: bool) -> str | None:
    start, target = (relation.source, relation.target) if forward else (relation.target, relation.source)
    hop = Hop(relation.type, forward, target)
    start_name, end_name = store.terms.name("start"), store.terms.name("end")
    few, many = _ANSWERS
    cypher = (
        f"MATCH (start:{quoted(start)}){hop.pattern('end')} WHERE {end_name} IS NOT NULL "
        f"WITH start, end LIMIT {_SEARCHED} WITH {start_name} AS name, count(DISTINCT end) AS answers "
        f"WHERE name IS NOT NULL AND answers >= {few} AND answers <= {many} "
        f"RETURN name ORDER BY answers DESC, name LIMIT {_NAMES}"
    )
    try:
        rows = store.read(cypher, limits=_LIMITS).records
    except QueryFailed:
        return None
    spoken = (name for name in (str(row["name"]) for row in rows) if any(map(str.isalpha, name)))
    name = next(spoken, None)  # People do not ask about 10248.
    return example_question(hop, shown(name), start) if name is not None else None


def example_question(hop: Hop, name: str, start: str = "") -> str | None:
    """A question about where a hop leads to from a name of the label `start`, as people ask; None if its words make
    none."""
    words, noun, form = bare_words(hop.relation), noun_of(hop.target, plural=True), form_of(hop.relation)
    relation, who = " ".join(words), noun == "people"
    which = "Who" if who else f"Which {noun}"
    is_verb = (
        is_plural(words[0]) if form == "passive" else form == "noun" and _is_verb(hop, noun_of(start, plural=True))
    )
    if is_verb:
        form = "active"
    if form == "passive":
        is_, are = ("was", "were") if words[0] == "born" else ("is", "are")
        return (
            f"{which} {is_} {name} {relation}?" if hop.forward else f"{which} {is_ if who else are} {relation} {name}?"
        )
    if form in ("active", "verb and object"):
        if hop.forward and (form == "active" or words[-1] in _BEHIND_VERBS):
            return f"What are the {noun} that {name} {relation}?"
        if not hop.forward:
            return f"{which} {relation if who else _in_plural(relation)} {name}?"
    if form == "noun":
        if words[0] in PREPOSITIONS:
            return None
        if not hop.forward:
            return f"Which {noun} have the {relation} {name}?"
        if is_plural(words[-1]):
            return f"What are the {relation} of {name}?"
    said = hop_words(hop, name, plural=not is_plural(words[-1]))
    return f"{'Who' if said.startswith('people ') else 'What'} are the {said}?"


def _is_verb(hop: Hop, noun: str) -> bool:
    """Whether a relation that may be a noun in the plural is a verb: "takes" is not what courses are called."""
    word, *rest = identifier_words(hop.relation)
    return not rest and is_plural(word) and word != noun


def _in_plural(relation: str) -> str:
    """The relation with its verb in the plural: "border" of "borders"."""
    verb, space, rest = relation.partition(" ")
    irregular = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}
    if verb.endswith("ies"):
        regular = f"{verb[:-3]}y"
    elif verb.endswith(("sses", "shes", "ches", "xes")):
        regular = verb[:-2]
    else:
        regular = verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
    return f"{irregular.get(verb, regular)}{space}{rest}"
