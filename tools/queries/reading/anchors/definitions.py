"""Words that users define for their graph: "major city" for "a City with population > 150000".

A definition is a set of nodes. It is written as conditions on properties (`LABEL with PROPERTY OPERATOR VALUE and …`),
in any words that the reader reads as a set, or as both. It may also be a formula, which defines a calculated property
(`calculated_definitions.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import cast

from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.anchors.calculated_definitions import calculated_definition
from clew.tools.queries.reading.english.inflection import noun_forms
from clew.tools.queries.reading.english.numbers import MULTIPLES, number
from clew.tools.queries.reading.english.words import FREE, NEGATIVE, general, tokens
from clew.tools.queries.reading.forms.form import Condition, Nodes
from clew.tools.queries.reading.forms.form_words import set_words
from clew.tools.queries.reading.forms.items import PropertyChoice, Reading
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import moment, whole

_MOST_COST = 2.5
"""A reading that costs more agrees too little with a definition."""
_MOST_BESIDE = 1.0
"""The same of words beside conditions, which are few, so that one that is only near in meaning is not enough."""
_ARTICLE = re.compile(r"^\s*(?:an?|the|any)\s+", re.I)
_PLAIN = re.compile(r"^(?P<head>.+?)\s+(?:with|where|whose)\s+(?P<conditions>.*[<>=].*)$", re.I | re.S)
_CONDITION = re.compile(
    r"^\s*(?:(?:with|where|whose)\s+)?(?:an?\s+|the\s+)?"
    r"(?P<property>[\w ]+?)\s*(?P<sign><=|>=|<>|!=|<|>|=)\s*(?P<value>.+?)\s*$",
    re.I | re.S,
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<=[\s=<>])'[^']*'")
_NUMBER = re.compile(r"[$€£]?\s*(?P<number>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d{1,2})?)%?", re.I)
_BEHIND = re.compile(r" (?:of|in|on|at|for|from|with|without|by) ")
"""Between a noun and what is said of it: "city of gold"."""
_AND = re.compile(r"\s+and\s+", re.I)
_MULTIPLIED = re.compile(rf"(?P<number>\S+)\s+(?P<multiple>{'|'.join(MULTIPLES)})", re.I)
_HOW = "Write PROPERTY OPERATOR VALUE with <, <=, =, !=, >= or >."

Read = Callable[[str], Sequence[Reading]]
"""Reads a text with the words so far, best reading first."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A phrase and what it stands for."""

    phrase: str
    meaning: str
    nodes: Nodes | None
    """None where it has no effect, or is a property."""
    problem: str = ""
    """Why it has none."""
    calculated: PropertyChoice | None = None
    """The property that it is."""


def read_definitions(texts: Mapping[str, str], words: SchemaWords, read: Read) -> tuple[Definition, ...]:
    """Read definitions, those first that others use, and add their phrases to the words of a graph.

    Args:
        texts: Phrase → its meaning.
        words: Gets the phrases.
        read: Reads a text with the words so far, best reading first.
    """
    found: dict[str, Definition] = {}
    fit = list[str]()
    for phrase, text in texts.items():
        if problem := _unfit(phrase, fit, words):
            found[phrase] = Definition(phrase, text, None, problem)
            continue
        fit.append(phrase)
        calculated = calculated_definition(text, phrase, words)
        if isinstance(calculated, str):
            found[phrase] = Definition(phrase, text, None, calculated)
        elif calculated is not None:
            found[phrase] = Definition(phrase, text, None, calculated=calculated)
            words.define_property(phrase_forms(phrase), calculated)
    parsed = {phrase: _parsed(text) for phrase, text in texts.items() if phrase not in found}
    uses = {phrase: _used(meaning, parsed) for phrase, meaning in parsed.items()}
    needs = {phrase: _needed(phrase, uses) for phrase in uses}
    for phrase in parsed:
        if phrase in needs[phrase]:
            others = "".join(f" It uses “{each}”, which uses it." for each in uses[phrase] if phrase in needs[each])
            others = "" if phrase in uses[phrase] else others
            found[phrase] = Definition(phrase, texts[phrase], None, f"It is defined by itself.{others}")
    acyclic = {phrase: used - found.keys() for phrase, used in uses.items() if phrase not in found}
    for phrase in TopologicalSorter(acyclic).static_order():
        lost = [each for each in uses[phrase] if found[each].problem]
        nodes = f"It uses “{lost[0]}”, which has no effect." if lost else _nodes(parsed[phrase], words, read)
        if isinstance(nodes, str):
            found[phrase] = Definition(phrase, texts[phrase], None, nodes)
        else:
            found[phrase] = Definition(phrase, texts[phrase], nodes)
            words.define(phrase_forms(phrase), nodes)
    return tuple(found[phrase] for phrase in texts)


def defined_in(text: str, definitions: Iterable[Definition]) -> list[Definition]:
    """The definitions with an effect whose phrases stand in a text, and those that they use."""
    known = [each for each in definitions if not each.problem]
    found, texts = dict[str, Definition](), [text]
    for said in texts:
        new = [each for each in known if each.phrase not in found and _stands_in(each.phrase, f" {_words(said)} ")]
        found |= {each.phrase: each for each in new}
        texts += [each.meaning for each in new]
    return list(found.values())


def phrase_forms(phrase: str) -> tuple[str, ...]:
    """The singular and the plural of a phrase, as the words of a question; two phrases that share one are the same."""
    said = _words(_ARTICLE.sub("", phrase))
    head = _BEHIND.search(said)
    end = len(said) if head is None else head.start()
    forms = [form + said[end:] for form in noun_forms(said[:end])]
    return tuple(dict.fromkeys([*forms, *(form.replace("-", " ") for form in forms)]))


def _words(text: str) -> str:
    return " ".join('"' if token.quoted else token.text for token in tokens(text))


def _unfit(phrase: str, before: Iterable[str], words: SchemaWords) -> str:
    """Why a phrase cannot be defined; empty where it can."""
    forms = phrase_forms(phrase)
    if not forms[0]:
        return "It has no words."
    if any(not cost for form in forms for _, cost in words.labels.get(form, ())):
        return f"“{phrase}” is the name of a label already."
    if same := next((each for each in before if set(forms) & set(phrase_forms(each))), None):
        return f"It is defined already, as “{same}”."
    general_words = FREE | NEGATIVE | QUESTION_WORDS | general()
    if all(word in general_words or number(word) is not None for word in forms[0].split()):
        return f"“{phrase}” has another sense in questions. Define it with a noun, such as “{phrase} …”."
    return ""


# ---- which definitions use which -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The parts of a definition's text."""

    text: str
    head: str
    """What the conditions are of: a label, or words for the reader. The whole text where there are no conditions."""
    conditions: tuple[str, ...] = ()
    """The parts of the form `PROPERTY OPERATOR VALUE`."""
    others: tuple[str, ...] = ()
    """Further parts among the conditions, for the reader: "located in Texas"."""


def _parsed(text: str) -> _Meaning:
    text = _ARTICLE.sub("", text)
    plain = _PLAIN.match(text)
    if plain is None:
        return _Meaning(text, text)
    parts = _parts(plain["conditions"])
    conditions = tuple(part for part in parts if _CONDITION.match(part))
    return _Meaning(text, plain["head"], conditions, tuple(part for part in parts if part not in conditions))


def _parts(text: str) -> list[str]:
    """A text split at each "and" outside quotes."""
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), text)
    ands = list(_AND.finditer(masked))
    starts, ends = [0, *(each.end() for each in ands)], [*(each.start() for each in ands), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _used(meaning: _Meaning, phrases: Iterable[str]) -> set[str]:
    """The phrases that the reader meets in a definition."""
    said = f" {_words(' '.join((meaning.head, *meaning.others)))} "
    return {phrase for phrase in phrases if _stands_in(phrase, said)}


def _stands_in(phrase: str, said: str) -> bool:
    """Whether a phrase stands among words between blanks."""
    return any(f" {form} " in said for form in phrase_forms(phrase))


def _needed(phrase: str, uses: Mapping[str, set[str]]) -> set[str]:
    """The phrases that a definition uses, and those that they use."""
    found, waiting = set[str](), [phrase]
    while waiting:
        new = uses[waiting.pop()] - found
        found |= new
        waiting += new
    return found


# ---- what a definition means -----------------------------------------------------------------------------------------


def _nodes(meaning: _Meaning, words: SchemaWords, read: Read) -> Nodes | str:
    """The set that a definition means, or what is wrong with it."""
    nodes = _head(meaning, words, read) if meaning.conditions else _set(meaning.text, read)
    for part in meaning.conditions:
        if isinstance(nodes, str):
            break
        condition = _condition(nodes.label, part, words)
        nodes = condition if isinstance(condition, str) else nodes.where(condition)
    return nodes


def _head(meaning: _Meaning, words: SchemaWords, read: Read) -> Nodes | str:
    """The set that the conditions are of."""
    said = _words(meaning.head)
    if meaning.others:
        others = " and ".join(meaning.others)
        for text in (f"{meaning.head} {others}", f"{meaning.head} with {others}"):
            nodes = _set(text, read, _MOST_BESIDE)
            if isinstance(nodes, Nodes):
                return nodes
        return f"“{meaning.others[0]}” is not a condition. {_HOW}"
    if defined := words.defined.get(said, ()):
        return defined[0]
    if labels := words.labels.get(said, ()):
        return Nodes(min(labels, key=lambda each: each[1])[0])
    if " " in said:
        return _set(meaning.head, read)
    return f"The graph has no label {said}. It has {', '.join(sorted(words.schema.labels))}."


def _set(text: str, read: Read, most: float = _MOST_COST) -> Nodes | str:
    """The set that a text is read as, or what is wrong with it."""
    sets = [each for each in read(text) if each.form.asks == "nodes" and not (each.form.columns or each.form.limit)]
    if not sets:
        return f"“{text}” is not read as a set of nodes. Write it as LABEL with PROPERTY > VALUE."
    best, nodes = sets[0], sets[0].form.nodes
    if best.unexplained:
        return f"Nothing in the graph explains {', '.join(best.unexplained)}."
    if nodes.bare:
        return f"It means all {set_words(nodes)}. Write other words for a label in the table [labels]."
    if best.cost > most:
        return f"It would be read as “{set_words(nodes)}”, which is not what it says."
    return nodes


def _condition(label: str, text: str, words: SchemaWords) -> Condition | str:
    """`population > 150000`."""
    match = _CONDITION.match(text)
    assert match is not None
    own = [c for c in words.property(match["property"].lower()) if c.label == label and not c.of_relation]
    if not own:
        names = sorted({p.name for p, of_relation in words.properties if p.label == label and not of_relation})
        return f"{label} has no property {match['property']}. It has {', '.join(names)}."
    owned = words.choice(label, own[0].name)
    assert owned is not None
    bare = match["value"].strip("\"'“”")
    amount = _amount(bare) if bare == match["value"] else None
    sign = cast(Comparison, {"!=": "<>"}.get(match["sign"], match["sign"]))
    predicate = typed(Predicate(owned.name, sign, bare if amount is None else amount), owned)
    if isinstance(predicate, str):
        return f"{predicate}, not with “{bare}”."
    if predicate.kind in ("number", "written number") and amount is None and moment(bare) is None:
        return f"“{owned.name}” of {label} is compared with a number, not with “{bare}”."
    return Condition(predicate, property=owned.name)


def _amount(text: str) -> int | float | None:
    """The number that a text is: "150,000", "1.5 million", "1e6", "ten"."""
    multiplied = _MULTIPLIED.fullmatch(text)
    factor = MULTIPLES[multiplied["multiple"].lower()] if multiplied else 1
    text = multiplied["number"] if multiplied else text
    written = _NUMBER.fullmatch(text)
    amount = float(written["number"].replace(",", "")) if written else None if text[:1].isdigit() else number(text)
    return None if amount is None else whole(amount * factor)
