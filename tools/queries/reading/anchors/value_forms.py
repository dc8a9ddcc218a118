"""Values that another form of the word says: "commanded" of the role "commander", "intravenously" of "intravenous",
"successful" of "success"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.queries.lexical import Token, base_of
from clew.tools.queries.reading.anchors.literals import Values
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Item, PropertyChoice
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_LIKELY = ("property", 0.3)
_ENDINGS = ("", "er", "or", "man", "person")
_AGENTS = {"led": ("leader", "lead"), "lead": ("leader",), "leads": ("leader", "lead")}
_LEAST = 4
"""Letters of a word that has such a form."""


def value_forms(tokens: Sequence[Token], words: SchemaWords, values: Values) -> Iterator[AnyItem]:
    """The conditions that verbs and adverbs state which no relation, label or property of the graph says: the part that
    somebody takes, as a value of a relationship, and the manner of something.

    Args:
        tokens: The words of the question.
        words: The words of the schema.
        values: Gives the properties that have a text.
    """
    for i, token in enumerate(tokens):
        text = token.text
        if not text.isalpha() or words.has(text) or root(text) in words.verbs or values(text):
            continue
        manner = _manner(text)
        for form in manner or _agents(text):
            held = {place: written for place, written in values(form).items() if manner or place[2]}
            choices = tuple(
                PropertyChoice(label, name, 0.0, of_relation=edge, kind="text") for label, name, edge in held
            )
            if choices:
                given = ConditionNoun(choices, values=(next(iter(held.values()))[0],))
                yield Item(i, i + 1, given, cost([_LIKELY]), (_LIKELY,))
                break


def _manner(text: str) -> tuple[str, ...]:
    """What an adverb or an adjective is made of: "intravenous" of "intravenously", "success" of "successful"."""
    if text.endswith("ly") and len(text) > _LEAST + 2:
        return text[:-2], f"{text[:-2]}e"
    return (text[:-3],) if text.endswith("ful") and len(text) > _LEAST + 3 else ()


def _agents(verb: str) -> Iterator[str]:
    """Who does it: the commander, the captain, the chairman."""
    yield from _AGENTS.get(verb, ())
    base = base_of(verb)
    for stem in dict.fromkeys((base, verb.removesuffix("ed"), verb.removesuffix("d"))) if len(base) >= _LEAST else ():
        yield from (f"{stem.removesuffix('e') if ending[:1] in ('e', 'o') else stem}{ending}" for ending in _ENDINGS)
