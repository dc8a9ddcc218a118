"""What the words of a question cost that a reading does not explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.durations import lasts
from clew.tools.queries.reading.english.gap import denies
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.short_forms import full_words
from clew.tools.queries.reading.english.words import FREE, light, stating_verbs
from clew.tools.queries.reading.forms.asked_kind import is_called_after, never_asked
from clew.tools.queries.reading.forms.form import Form, sets
from clew.tools.queries.reading.forms.items import Feature
from clew.tools.queries.reading.rules.grammar import LOST_NAME, Grammar
from clew.tools.queries.reading.schema.property_names import NUMBERING, root
from clew.tools.queries.values import holds_clock_times

TOTALS = frozenset({"total", "combined", "altogether"})
_PEOPLE = frozenset({"people", "persons"})
_AMOUNT = frozenset({"much", "many", "long", "far", "big", "high", "old"})
_LIGHT = 0.4
"""What it costs, beside another word, that a light word stays unexplained which names a relation of the graph."""
_OF_DATES = frozenset({"when", "day", "date", "month"})
_NUMBER_BEFORE = 3
"""Words between which a number and its unit stand: "25 or more people"."""
_ROWS = 2.5
"""What it costs that "where" is answered by rows that have no names."""


def outside_words(
    said: Sequence[Token], form: Form, grammar: Grammar, words: Set[int], first: str
) -> list[tuple[Feature, str]]:
    """What each word costs that is not among those that a reading explains, and the word if it stays unexplained.

    Args:
        said: The words of the question.
        form: The form of the reading.
        grammar: The question.
        words: The places of the words that the reading explains.
        first: The first of them.
    """
    return [each for i in range(len(said)) if i not in words for each in _outside(said, i, form, grammar, first)]


def _outside(
    said: Sequence[Token], place: int, form: Form, grammar: Grammar, first: str
) -> Iterator[tuple[Feature, str]]:
    text = said[place].text
    if denies(said, place):
        yield ("lost negation", 1.0), text
    elif text == "who" and len(said) > 1 and said[1].text in ("are", "is", "was", "were"):
        chosen = form.nodes.order is not None and form.nodes.entities  # "Who is bigger, X or Y?"
        people = form.asks != "value" and (
            chosen or form.nodes.label in grammar.words.persons | grammar.words.bodies  # "Who is her employer?"
        )
        yield ("asks", 0.2 if people or _is_called(first, form, grammar) else 0.7), ""
    elif is_called_after(form, text):
        yield ("light", 1.0), ""
    elif is_measured(said, place, form) or (form.asks == "value" and _asks_for(form, text, grammar)):
        return
    elif text == "why" or (text in ("where", "who", "whom") and form.asks == "number"):
        yield ("asks", 2.0), ""  # Only a property may be the reason.
    elif text in ("where", "who", "whom", "when", "many") and form.asks != "number":
        rows = form.asks == "nodes" and form.nodes.label in grammar.words.nameless
        rows = rows or (text == "when" and form.asks == "nodes" and grammar.words.has_dates(form.nodes.label))
        yield ("asks", _ROWS if rows or never_asked(form, text) else 0.7), ""
    elif text in _PEOPLE and _counts_people(said, place, form):
        return
    elif _is_lost(text, form, grammar):
        yield ("asks", 1.0), ""
    elif _says_little(said, place, grammar) or _is_own_label(said, place, form, grammar):
        known = text in light() and root(text) in grammar.words.verbs
        yield (("unexplained", _LIGHT) if known else ("light", 1.0)), ""
    elif _says_a_condition(text, form, grammar) or _says_a_link(text, form, grammar):
        yield ("light", 1.0), ""
    elif text not in FREE or _is_asked_label(said, place, grammar):
        lost = LOST_NAME * grammar.names[place] + (text == "than" or text.isdecimal())
        yield ("unexplained", 1.0 + lost), text


def _counts_people(said: Sequence[Token], place: int, form: Form) -> bool:
    """Whether people are the unit of a number that a condition compares: rooms that "hold more than 25 people"."""
    numbers = {
        each.predicate.value for nodes in sets(form.nodes) for each in nodes.conditions if each.predicate is not None
    }
    before = [number(token.text) for token in said[max(0, place - _NUMBER_BEFORE) : place]]
    return any(each in before for each in numbers if isinstance(each, int | float))


def _is_lost(text: str, form: Form, grammar: Grammar) -> bool:
    """Whether a word asks for people, or for a total, and the form gives none."""
    if text in _PEOPLE and form.asks == "nodes":
        return form.nodes.label not in grammar.words.persons
    asked = text in TOTALS or text in ("come", "comes")
    return asked and form.function is None and (form.value is None or form.value.function is None)


def is_measured(said: Sequence[Token], place: int, form: Form) -> bool:
    """Whether a word asks for the amount that a form gives: "how much", or "take" behind "how long"."""
    amount = form.asks == "number" or _asked(form) in ("number", "written number")
    asked = amount and place > 0 and said[place - 1].text == "how" and said[place].text in _AMOUNT
    return asked or lasts(said, place)


def _asked(form: Form) -> str:
    """The kind of the property that a form asks for."""
    return form.value.kind if form.asks == "value" and form.value is not None else ""


def _asks_for(form: Form, text: str, grammar: Grammar) -> bool:
    """Whether a word says no more than the value that it asks for: "in which year", "when", "based" of headquarters."""
    value = form.value
    if value is None:
        return False
    named = () if value.property is None else full_words(identifier_words(value.property))
    if any(text in stating_verbs(word) or (word.endswith(("er", "or")) and root(text) == root(word)) for word in named):
        return True
    if text == "time":
        owned = grammar.words.choice(form.nodes.label, value.property or "")
        return owned is not None and holds_clock_times(owned)
    return (value.kind == "date" and text in _OF_DATES) or (value.kind in ("date", "number") and text == "year")


def _says_little(said: Sequence[Token], place: int, grammar: Grammar) -> bool:
    """Whether a word may stay unexplained: a light one that is part of no value of several words."""
    known = said[place].text in light() and not any(grammar.valued[place : place + 1])
    return said[place].text in TOTALS or (known and not _is_asked_label(said, place, grammar))


def _is_asked_label(said: Sequence[Token], place: int, grammar: Grammar) -> bool:
    """ "Which *show*", which is no request."""
    return place > 0 and said[place - 1].text in ("which", "what") and said[place].text in grammar.words.labels


def _says_a_condition(text: str, form: Form, grammar: Grammar) -> bool:
    """Whether a word, which names no kind of thing, is part of the name of a property whose value is said: "at home" of
    `home_language`, "a day" of a relationship's `times_per_day`."""
    if text in grammar.words.labels or text in grammar.words.roles:
        return False
    said = (each.property for nodes in sets(form.nodes) for each in nodes.conditions if each.predicate is not None)
    own = [name for name in said if name and identifier_words(name)[-1] not in NUMBERING]
    edges = [each.property for nodes in sets(form.nodes) for link in nodes.links for each in link.conditions]
    return any(root(text) in map(root, identifier_words(name)) for name in (*own, *edges))


def _says_a_link(text: str, form: Form, grammar: Grammar) -> bool:
    """Whether a verb is that of a date of one of the relationships: "where did it open", of an `openingDate`."""
    relations = {link.path[-1].relation for nodes in sets(form.nodes) for link in nodes.links}
    dates = (c for c in grammar.words.choices if c.of_relation and c.kind == "date" and c.label in relations)
    return any(root(text) == root(word) for c in dates for word in identifier_words(c.name)[:1])


def _is_called(text: str, form: Form, grammar: Grammar) -> bool:
    """Whether a noun names what a form asks for: "who is the *gender* of X"."""
    words = grammar.words
    called = {label for label, _ in words.labels.get(text, ())} | {
        role.step.target for role in words.roles.get(text, ())
    }
    return form.asks == "nodes" and form.nodes.label in called


def _is_own_label(said: Sequence[Token], place: int, form: Form, grammar: Grammar) -> bool:
    """Whether a word is what something named is: "when was X made a judge"."""
    if not place or said[place - 1].text not in ("a", "an"):
        return False
    labels = {entity.label for entity in form.entities}
    return any(label in labels for label, own in grammar.words.labels.get(said[place].text, ()) if not own)
