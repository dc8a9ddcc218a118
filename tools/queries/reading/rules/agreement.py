"""How well the words of a sentence agree with a relation between two sets."""

from __future__ import annotations

from functools import cache
from itertools import takewhile

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import adjectives, is_superlative, light, listed
from clew.tools.queries.reading.forms.form import Nodes, Path, Step
from clew.tools.queries.reading.forms.items import Feature, Noun
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.event_roles import role_direction, tells_roles
from clew.tools.queries.reading.schema.joins import PAST, Joins
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.voice import source_is_subject
from clew.tools.queries.relation_names import relation_words

_ENDS = {
    "from": frozenset({"from", "origin", "source", "departure", "start", "sender"}),
    "to": frozenset({"to", "destination", "target", "arrival", "recipient", "receiver"}),
}
"""Prepositions, with the words in names of relations for the end that each is said of …"""
_OTHER_END = {"from": "to", "to": "from"}
"""… and for the other one."""
_LEAST_OF_VERB = 0.15
_NOT_MADE = 3.0
"""What it costs that "by" somebody is not by who made it."""
_ANOTHER = 0.5
"""What it costs that a word is the name of another relation: nobody directed what somebody watched."""
_OF_NO_VERB = 0.4
"""The least agreement of a verb with a relation that has none."""


def passed_over(between: Gap) -> list[Feature]:
    """What it costs to pass over a superlative: "the suspects in the most recent burglary"."""
    return [("unexplained", 1.0)] * any(
        text in ("most", "least", "top") or is_superlative(text) for text in between.texts
    )


def agrees(said: tuple[str, ...], path: Path, grammar: Grammar) -> bool:
    """Whether a verb behind the nouns says anything of the relation, or of what stands between the two."""
    if len(path) > 1 and path[0].target in grammar.words.events(said):
        return True
    return max(grammar.joins.agreement(said, step) for step in path) > _LEAST_OF_VERB


def attached(noun: Noun, between: Gap) -> list[Feature]:
    """What it costs that a modifier skips the nearest noun, which could take it itself."""
    own = [link for link in noun.nodes.links if noun.role is None or link.path != noun.role]
    if between.conjunction or not own or _is_named(own[-1].other) or own[-1].count is not None:
        return []
    if own[-1].negated and own[-1].other.bare:
        return []  # "patients not insured" ends there.
    return [("attached high", 2.0 if between.relative else 1.0)]


def _is_named(nodes: Nodes) -> bool:
    """Whether nodes are named, or are all that are of one named kind: "roses" by their varieties."""
    kinds = len(nodes.links) == 1 and not nodes.conditions and len(nodes.links[0].path) == 1
    return bool(nodes.entities) or (kinds and bool(nodes.links[0].other.entities))


def agreement(
    path: Path, label: str, said: tuple[str, ...], between: Gap, grammar: Grammar, end: Nodes | None = None
) -> list[Feature]:
    """How well words say the steps of a path from a label to some nodes; none of it lowers a cost."""
    known = end if end is not None and grammar.knows(end) else None
    key = (path, label, said, between, known and known.entities)
    if (found := grammar.agreed.get(key)) is None:
        found = grammar.agreed[key] = tuple(_agreement(path, label, said, between, grammar, known))
    return list(found)


def _agreement(
    path: Path, label: str, said: tuple[str, ...], between: Gap, grammar: Grammar, end: Nodes | None
) -> list[Feature]:
    joins = grammar.joins
    unknown = sum(word in grammar.unknown for word in said)
    unknown += said == between.words and sum(grammar.antecedents[between.first : between.last])
    features: list[Feature] = [("unexplained", float(unknown))] if unknown else []
    said = tuple(word for word in said if word not in grammar.unknown) if unknown else said
    if (fits := _of_past(path, label, between, grammar)) is not None:
        features += [] if fits else [("rivals", 1.0)]
        said = tuple(word for word in said if word not in PAST)
    heavy = [word for word in said if word not in light() and word not in PREPOSITIONS]
    heavy = [word for word in heavy if word != "part"] if len(heavy) > 1 else heavy  # "took part"
    compared = sum(word in comparing() for word in said)
    of_degree: list[Feature] = [("unexplained", float(compared))] if compared else []
    if tells_roles(path, said):
        return [*features, *of_degree, ("bare join", 1.0)]
    events = grammar.words.events(heavy) if len(path) > 1 and heavy else []  # "booked": by a Booking.
    if fact := next((step.target for step in path[:-1] if step.target in events), ""):
        others = sum(not grammar.words.likeness((word,), fact) and word not in comparing() for word in heavy)
        rivals = (1 - 0.7 * joins.agreement(said, path[0])) * grammar.rivalry(path, label, None)
        features += [*of_degree, ("bare join", 1.0), *([("rivals", rivals)] if rivals else [])]
        return [*features, ("unexplained", float(others))] if others else features
    by_another = relation_words(path[0].relation)[-1] == "by"
    alone = len(path) == 1 == len(heavy) and not by_another
    if alone and grammar.words.does(label, heavy):  # "Who wrote X?" asks for writers.
        return [*features, *of_degree, ("bare join", 1.0), ("rivals", grammar.rivalry(path, label, end))]
    if heavy or (said and max(joins.agreement(said, step) for step in path) > 0.8):
        best = max(joins.agreement(said, step) for step in path)
        if len(path) == 1 and _says_nothing(path[0], label) and all(map(is_verb, heavy)):
            best = max(best, _OF_NO_VERB)
        features += [("agreement", (1 - best) * min(2, max(1, len(heavy)))), *of_degree]
        elsewhere = sum(joins.says_another(word, path) for word in heavy) if len(path) == 1 else 0
        features += [("agreement", _ANOTHER * elsewhere)] if elsewhere else []
        if len(path) == 1:
            # The less the words say, the more the numbers decide.
            features.append(("rivals", (1 - 0.7 * best) * grammar.rivalry(path, label, end)))
    else:
        features.append(("bare join", 1.0))
        features.append(("rivals", grammar.rivalry(path, label, end)))
        by_other = between.says("by") and not joins.verbs.make(path)
        if by_other and any(joins.verbs.make(each) for each in joins.paths(label, path[-1].target)):
            features.append(("rivals", _NOT_MADE))
        if _leads_elsewhere(path[-1], between):
            features.append(("not placing", 1.0))
        if said:
            features.append(("light", float(len(said))))
    if between.says("in", "within", "inside") and not said and not any(_either_placing(s, joins) for s in path):
        features.append(("not placing", 1.0))
    if len(path) > 1:
        direct = path[-1] in joins.from_label(
            label
        )  # "Routes from X" start there; those that descend by such a route do not.
        placing = joins.is_placing(path[-1]) or (bool(heavy) and joins.is_placing(path[0].back(label)))
        placing = placing and not direct
        features.append(("placing hop" if placing else "extra hop", 1.0))
    return features


def _leads_elsewhere(step: Step, between: Gap) -> bool:
    """Whether a relation is called after the other one of two ends: "tickets *from* X" have no HAS_TO_STATION."""
    said = {word for word in between.texts if word in _ENDS}
    named = set(relation_words(step.relation))
    return len(said) == 1 and bool(named & _ENDS[_OTHER_END[min(said)]]) and not named & _ENDS[min(said)]


def is_verb(word: str) -> bool:
    """Whether a word is a form of a verb, as far as its ending tells."""
    return (word.endswith(("ed", "ing")) and word != "going") or word in listed("verbs", "irregular")


def _says_nothing(step: Step, label: str) -> bool:
    """Whether a relation is called as one of its ends, so that any verb may say it: HAS_USER, of tables."""
    words = set(relation_words(step.relation)) - {"has", "have", "of", "with"}
    return words <= {*identifier_words(step.target), *identifier_words(label)}


def _of_past(path: Path, label: str, between: Gap, grammar: Grammar) -> bool | None:
    """Whether a relation is one of the past ("FORMERLY_PLAYED_FOR") exactly if the clause is; None where none is."""
    joins = grammar.joins
    own = [each for each in joins.paths(label, path[-1].target) if len(each) == len(path)] if joins.past else []
    past = [each for each in own if any(step.relation in joins.past for step in each)]
    clause = takewhile(lambda token: token.text not in ("and", "but"), grammar.tokens[between.first :])
    return any(token.text in PAST for token in clause) == (path in past) if past else None


@cache
def comparing() -> frozenset[str]:
    """Words of degree, which no relation explains."""
    degrees = {form for form, each in adjectives().items() if each.comparative or each.superlative}
    return frozenset(degrees | {"than", "more", "less", "most", "least", "fewer", "fewest", "each", "per", "average"})


def _either_placing(step: Step, joins: Joins) -> bool:
    return joins.is_placing(step) or joins.is_placing(step.back(""))


def direction(path: Path, said: tuple[str, ...], subject: bool, grammar: Grammar) -> list[Feature]:
    """Between nodes of one label only the sentence tells which end does what the verb says."""
    if len(path) > 1:
        return role_direction(path, said, subject)
    forward = source_is_subject(path[0])
    led = grammar.joins.voices.leads_to_doer(path[0], said) if forward is None else None
    if led is not None:  # "Owns" for SUBSIDIARY_OF.
        head_is_source = (subject != led) != ("by" in said)
        return [] if head_is_source == path[0].forward else [("subject", 1.0)]
    if forward is None or not said:
        return [("subject", 0.3)] if not path[0].forward else []
    same_way = grammar.joins.voices.same_way(path[0], said)
    if same_way is not None:
        return [] if (subject == same_way) == path[0].forward else [("subject", 1.0)]
    head_is_source = subject != (("by" in said) != grammar.joins.voices.is_turned(path[0], said))
    return [] if (head_is_source == (path[0].forward == forward)) else [("subject", 1.0)]
