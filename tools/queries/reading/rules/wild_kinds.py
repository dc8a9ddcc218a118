"""Whether what "who" or "where" asks for is of their kind."""

from __future__ import annotations

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.ranking.lexicon import meaning
from clew.tools.queries.reading.english.expected import asks_what_is_done
from clew.tools.queries.reading.forms.form import Path
from clew.tools.queries.reading.forms.items import Feature, Noun
from clew.tools.queries.reading.forms.wider_labels import narrowed
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.event_roles import tells_roles
from clew.tools.queries.relation_names import relation_words

_ANOTHER = 0.5
"""What it costs that a word is the name of another relation: "who makes it", of what is `madeBy` somebody and
`developedBy` somebody else."""
_AUXILIARIES = frozenset({"do", "does", "did", "is", "was"})
_INVENTED = frozenset({"character", "characters", "role"})


def wild_kind(a: Noun, b: Noun, label: str, path: Path, said: tuple[str, ...], grammar: Grammar) -> list[Feature]:
    """Whether what a question word asks for is of its kind, whether it is one of several kinds, and whether the words
    that are said name another relation of what is known."""
    step = path[0].back(label)
    features: list[Feature] = []
    if tells_roles(path, said):
        return features  # Who slew somebody may be a hero or a beast.
    if len(path) == 1 and grammar.joins.verbs.name_another(said, path[0], grammar.joins.from_label(b.nodes.label)):
        features.append(("agreement", _ANOTHER))
    if grammar.joins.is_one_of_several(step, b.nodes.label):
        features.append(("guess", 0.5))
    if a.wild == "who":
        persons = grammar.words.persons
        if persons and not persons & set(narrowed(label)):
            doing = step.forward and bool({"by", "employed"} & set(relation_words(step.relation)))
            body = label in grammar.words.bodies  # "Who supplies the flour?"
            served = _is_object(grammar)  # "Who does Ann play for?" may be a club.
            features.append(("kind", 0.2 if served and body else 0.5 if doing or served else 0.8 if body else 2.0))
        elif not persons and grammar.words.bodies and not grammar.words.bodies & set(narrowed(label)):
            features.append(("kind", 1.0))  # "Who runs the line?" asks for no vehicle, beside operators.
        elif persons and not persons >= set(narrowed(label)):
            features.append(("kind", 0.5))
        elif _INVENTED & set(identifier_words(label)) and len(persons) > 1:
            features.append(("kind", 0.3))  # "Who starred in Heat?"
    if a.wild == "what" and grammar.words.nameless >= set(narrowed(label)):
        features.append(("kind", 1.0))  # "What does X sell?" asks for things, not for sales.
    if a.wild == "what" and grammar.words.persons >= set(narrowed(label)) and len(path) > 1:
        features.append(("kind", 0.5))  # "What has X written?"
    if a.wild == "what" and asks_what_is_done(grammar.tokens):
        found = meaning(step.relation)
        features.append(
            ("guess", -1.0) if found is not None and "profession" in found.concept.phrases["a"] else ("kind", 0.5)
        )
    led = meaning(step.relation) if a.wild == "where" else None
    at_work = led is not None and led.concept.name in ("employ", "education") and led.end == "a"
    if a.wild == "where" and not (grammar.joins.is_placing(step) or (at_work and step.forward)):
        features.append(("kind", 0.2 if grammar.places & set(narrowed(label)) else 3.0))
    return features


def _is_object(grammar: Grammar) -> bool:
    """Whether "who" belongs to the preposition at the end: "who does Ann work for"."""
    texts = [token.text for token in grammar.tokens]
    return texts[0] == "who" and texts[1] in _AUXILIARIES and texts[-1] in ("for", "with", "to", "from", "by", "at")
