"""Whether a form gives an answer of the kind that a question's words ask for: a number, yes or no, or things."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token, is_past, stem
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import COPULAS, FREE, people
from clew.tools.queries.reading.forms.form import Form, Nodes, Value
from clew.tools.queries.reading.forms.items import Feature
from clew.tools.queries.reading.forms.wider_labels import narrowed

_LEAST_BEGUN = 5
"""Letters of a label that begin a word which names it: "consignments" of Consign."""
_HOW_MUCH_MORE = [["how", much, more] for much in ("much", "many") for more in ("more", "less", "fewer")]
_NUMBERS = ("number", "written number")
_PRICES = frozenset({"price", "cost", "fee", "rate", "fare", "rent"})


def counts(said: Sequence[Token]) -> bool:
    """Whether the first words ask for a number of things."""
    texts = [token.text for token in said[:4] if token.text not in ("the", "total")]
    return texts[:2] == ["number", "of"] or any(texts[i : i + 2] == ["how", "many"] for i in range(3))


def counted(form: Form) -> Form:
    """ "How many accounts", where an account number is a property of a customer: the number of those that have one."""
    value = form.value
    if form.asks != "value" or value is None or value.kind != "identifier" or value.link is not None:
        return form
    if form.nodes.entities:
        return form
    return Form("number", form.nodes, None, "count")


def which_value(nodes: Nodes, said: Sequence[Token]) -> Form | None:
    """Which of two values something named has: "Is measles caused by a virus or a bacterium?"; None for a question
    that is answered by yes or no."""
    last = nodes.conditions[-1] if nodes.conditions else None
    if last is None or last.predicate is None or not last.alternatives or last.negated:
        return None
    named = bool(nodes.entities) or any(link.named for link in nodes.links)
    if not named or last.predicate.kind != "text" or all(token.text != "or" for token in said):
        return None
    return Form("value", replace(nodes, conditions=nodes.conditions[:-1]), Value(last.property, kind="text"))


def gives_rows(form: Form, said: Iterable[Token], nameless: Collection[str]) -> bool:
    """Whether a form gives nodes of a label that has no names (one of `nameless`), which the words do not name in
    full."""
    if form.asks != "nodes" or form.nodes.label not in nameless:
        return False
    texts = [token.text for token in said]
    stems = set(map(stem, texts))
    return not all(
        stem(word) in stems or (len(word) >= _LEAST_BEGUN and any(text.startswith(word) for text in texts))
        for word in identifier_words(form.nodes.label)
    )


_TIMES = frozenset({"day", "days", "date", "time", "month", "year", "weekday", "hour", "hours"})
_IDENTIFYING = frozenset({"id", "ids", "number", "no", "code", "key", "reference", "ref", "identifier"})
_DID = frozenset({"do", "does", "did", "has", "have", "had"})
_WHAT_DO = [["what", verb] for verb in ("do", "does", "did")]
_ASKING = frozenset({"what", "which", "who", "where", "when", "why"})
_AT = frozenset({"on", "at", "in"})
_UNSAID = 0.5
"""What a property costs that no word names."""


def of_people(form: Form, said: Sequence[Token], persons: Set[str]) -> Iterator[Feature]:
    """What it costs that things are counted, where "how many people" asks for people, or that people are given, where
    it is asked what they did."""
    counted = form.asks == "number" and form.value is None and not persons & set(narrowed(form.nodes.label))
    if counted and any(one.text == "many" and two.text in ("people", "persons") for one, two in pairwise(said)):
        yield "asks", 1.0
    begins = [token.text for token in said[:3] if token.text != "else"][:2]
    done = begins[:1] == ["what"] and begins[-1] in _DID and form.asks == "nodes"
    if done and persons >= set(narrowed(form.nodes.label)):
        yield "asks", 0.7  # "What has Ann directed?" asks for no people.


def of_other_things(
    form: Form, said: Sequence[Token], labels: Collection[str], subjects: Collection[str], nameless: Collection[str]
) -> Iterator[Feature]:
    """What it costs that a form gives something else than the things that a question asks for.

    Args:
        form: The form.
        said: The words of the question.
        labels: The kinds of things that "which telescope" asks for.
        subjects: Those that stand behind "what do".
        nameless: The labels of rows that have no names. People ask for one only by its full name.
    """
    value = form.value.property if form.asks == "value" and form.value is not None else None
    if [token.text for token in said[:2]] in _WHAT_DO and form.asks == "nodes" and form.nodes.label in subjects:
        yield "asks", 1.0  # "What do the companies in Leipzig make?" asks for no companies.
    if value is not None and labels and len(said) > 2 and said[2].text not in ("of", "'s"):
        if not {stem(token.text) for token in said[1:3]} & {stem(word) for word in identifier_words(str(value))}:
            yield "asks", 1.0  # "Which telescope is it mounted on?" asks for no kind of mount.
    elif gives_rows(form, said, nameless):
        yield "asks", 2.0 if said[0].text == "what" else 1.0


def of_another_time(
    form: Form, features: Iterable[Feature], nameless: Collection[str], has_dates: Callable[[str], bool]
) -> Iterator[Feature]:
    """What it costs that "when" is answered by a date of somebody, where a fact about them is spoken of: "when did X
    become a Grandmaster" does not ask for a birth date that no word says. A fact is a row without a name, or what two
    things of one kind have together and has dates, such as a marriage."""
    value = form.value if form.asks == "value" and form.value is not None and form.value.link is None else None
    dated = value is not None and (value.kind == "date" or "year" in identifier_words(str(value.property)))
    guessed = any(name == "property" and much >= _UNSAID for name, much in features)
    links = [link for link in form.nodes.links if link.positive and not link.other.bare]
    shared = (each for link in links if has_dates(link.other.label) for each in link.other.links)
    facts = any(link.other.label in nameless for link in links) or any(
        each.other.label == form.nodes.label and each.other.entities for each in shared
    )
    facts = facts or (bool(form.nodes.entities) and any(has_dates(link.other.label) for link in links))
    if dated and guessed and facts and form.nodes.label not in nameless:
        yield "asks", 2.0


def is_called_after(form: Form, text: str) -> bool:
    """Whether a word stands in the name of the time that is asked for: "what time does it start"."""
    value = form.value if form.asks == "value" else None
    if value is None or value.kind != "date" or not value.property:
        return False
    return text not in FREE and stem(text) in map(stem, identifier_words(value.property))


_OF_OTHERS = {
    "number": ("where", "who", "what time"),
    "date": ("where", "who"),
    "boolean": ("where", "who", "when", "how", "what time"),
}
"""By the kind of a property the question words that never ask for it: "how much does Ann get paid" for no yes."""


def first_words(said: Sequence[Token]) -> tuple[str, str]:
    """The first word of a question, and the first two."""
    return said[0].text, " ".join(token.text for token in said[:2])


def never_asked(form: Form, *asking: str) -> bool:
    """Whether one of some question words never asks for the property that a form gives."""
    kind = form.value.kind if form.asks == "value" and form.value is not None else ""
    return not set(asking).isdisjoint(_OF_OTHERS.get(kind, ()))


def _has_happened(verb: Sequence[Token], named: Set[str]) -> bool:
    """Whether the word behind "what" is the past of a verb that names a date: "opened" of an opening date."""
    return any(is_past(token.text) and stem(token.text) in map(stem, named) for token in verb)


def of_another_kind(form: Form, said: Sequence[Token], *, truth: bool, counting: bool) -> Iterator[Feature]:
    """What it costs that a form gives another kind of answer."""
    kind = form.value.kind if form.asks == "value" and form.value is not None else ""
    if counting and ((form.asks == "nodes" and not form.columns) or (kind and kind not in _NUMBERS)):
        yield "asks", 1.5
    if counting and kind and form.value is not None and _PRICES & set(identifier_words(form.value.property or "")):
        yield "asks", 1.0  # "How many kegs" asks for no price of a keg.
    order = form.nodes.order
    if counting and form.asks == "number" and form.value is None and order is not None and order.limit == 1:
        yield "asks", 1.0  # "How many minutes is the shortest episode" does not count the shortest ones.
    priced = form.asks == "number" and form.value is not None and form.value.link is None and form.value.property
    if counting and priced and (_PRICES | {"amount"}) & set(identifier_words(str(priced))):
        yield "asks", 1.5  # "How many sales fell through" asks for no sum of prices.
    if [token.text for token in said[:3]] in _HOW_MUCH_MORE and form.asks == "nodes":
        yield "asks", 1.0  # "How much more does A cost than B" asks for a difference.
    asked = said[0].text in _ASKING or not form.nodes.entities
    if kind == "boolean" and not truth and asked and form.value is not None and not form.value.link:
        yield "asks", 1.5  # "Which engineers are not cleared?" asks for engineers, "what is X used for" for no yes.
    if said[0].text in ("how", "what") and never_asked(form, *first_words(said)):
        yield "asks", 2.0
    if kind == "number" and said[0].text == "which" and len(said) > 1 and singular(said[1].text) in people():
        yield "asks", 1.5  # "Which employees of X went to Y?" asks for no number of employees.
    if kind == "identifier" and said[0].text == "what" and not {token.text for token in said} & _IDENTIFYING:
        yield "asks", 1.0  # "What has X written?" asks for no id.
    value = form.value
    own = set(identifier_words(str(value.property or ""))) if value is not None else set()
    done = kind == "date" and identifier_words(str(form.value and form.value.property))[-1] in _AT
    if said[0].text == "what" and done and not _TIMES & {token.text for token in said}:
        yield "asks", 1.5  # "What was seized?" asks for no day.
    happened = said[2:3] if said[1:2] and said[1].text in COPULAS else said[1:2]
    if said[0].text == "what" and kind in ("date", "text") and _has_happened(happened, own):
        yield "asks", 1.5  # "What opened in Leeds in 2012?" asks for no day, "what was staged there" for no stage.
    if said[0].text == "where" and own & _TIMES:
        yield "asks", 1.5  # "Where does the club meet?" asks for no meeting day.
    if truth and (form.asks == "number" or (kind and kind != "boolean")):
        yield "asks", 2.0
