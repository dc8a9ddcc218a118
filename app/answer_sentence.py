"""An answer as a sentence with its names in it, by templates from the reading of the question: "Michael Mann directed
Heat."

The readings are those of `clew.tools.queries.reading.forms.form_words`. A reading whose sentence could say something
else than the reading does has no template; then there is none but "The answer is Michael Mann."
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clew.app.surroundings_sentence import description_sentence, surroundings_template
from clew.tools.graph.identifiers import shown
from clew.tools.queries.lexical import stem
from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.space.words import noun_of

NAMED = 5
"""Names in one sentence; further ones are counted."""
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does", "go": "goes"}
_PLURAL = {singular: plural for plural, singular in _SINGULAR.items()}
_DOCUMENTS = ("document", "passage")
_PARTICIPLES = {"born", "built", "made", "written", "won", "held", "sold", "bought"}
_ORDERED = re.compile(r"(?P<nodes>[^,]+), by (?P<value>[^,]+), (?P<way>highest|lowest) first: 1")
_TWO_NUMBERS = re.compile(
    r"Whether (?P<one>.+?) (?P<sign>[<>]=?) (?P<other>(?:number|total|average|median|highest|lowest) .+)"
)
_WAYS = {">": "higher than", "<": "lower than", ">=": "at least", "<=": "at most"}
_WHETHER = re.compile(r"Whether (?P<who>.+?) is one of the (?P<nodes>.+)")

_LONGEST = 140
"""Characters of a reading that is told in a sentence."""
_SIGNS = {">=": "at least ", "<=": "at most ", "<>": "other than ", ">": "over ", "<": "under ", "=": ""}

Template = Callable[[str], str]
"""From the names of the answers to the sentence, which contains them unchanged."""


def answer_sentence(result: Mapping[str, Any]) -> str:
    """The sentence of a result as `clew ask --json` prints it; "" where its reading has no answer."""
    answers = answers_of_reading(result)
    names = [name_in_sentence(each, result, shown(str(each["name"]))) for each in answers]
    return sentence({**result, "answers": answers}, listed(names, NAMED)) if names else ""


def answers_of_reading(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The answers that the result's reading gives: neither those that are merely near, nor those that only further
    queries found (the method graphraft)."""
    return [each for each in result["answers"] if not each.get("near") and 1 in (each.get("queries") or (1,))]


def name_in_sentence(answer: Mapping[str, Any], result: Mapping[str, Any], name: str) -> str:
    """The name of an answer; "Oslo: 12" where a number for each of several is asked for."""
    detail = shown(str(answer.get("detail") or ""))
    return f"{name}: {detail}" if detail and " for each " in str(result.get("reading") or "") else name


def sentence(result: Mapping[str, Any], names: str) -> str:
    """The sentence of a result with these words for its answers."""
    if (template := sentence_template(result)) is not None:
        return template(names)
    if described := description_sentence(result, names):
        return described
    several = len(result["answers"])
    if several == 1:
        return f"The {told} is {names}." if (told := _one_node(result)) else f"The answer is {names}."
    return f"The {told} are {names}." if (told := _set_of_nodes(result)) else f"There are {several:,} answers: {names}."


def _set_of_nodes(result: Mapping[str, Any]) -> str:
    """The words of a reading that is a set of nodes, to stand in a sentence; "" for other readings and long ones."""
    reading, answers = str(result.get("reading") or ""), result["answers"]
    label = answers[0].get("label")
    if not label or any(each.get("label") != label or each.get("near") or each.get("own") for each in answers):
        return ""
    nouns = noun_of(label, plural=True)
    if not reading.lower().startswith(f"{nouns.lower()} ") or len(reading) > _LONGEST or "," in reading:
        return ""
    return _spoken(f"{nouns}{reading[len(nouns) :]}")


def _one_node(result: Mapping[str, Any]) -> str:
    """The words of a reading that is one node, to stand in a sentence; "" where they may say something else."""
    reading, answer = str(result.get("reading") or ""), result["answers"][0]
    if not (label := answer.get("label")) or answer.get("near") or answer.get("own"):
        return ""
    noun, nouns = noun_of(label), noun_of(label, plural=True)
    own = next((each for each in (nouns, noun) if reading.lower().startswith(f"{each.lower()} ")), "")
    if not own or len(reading) > _LONGEST or "," in reading:
        return ""
    rest = reading[len(own) + 1 :]
    if re.search(r" and (that|with|whose) |^not ", rest):
        return ""
    head, that, clause = rest.partition("that ")
    verb, _, object = clause.partition(" ")
    is_subject = any(clause.lower().startswith(each.lower()) for each in _entities(result))
    if not head and that and not is_subject and own == nouns:
        rest = f"that {_agreed(verb, False)} {object}"
    return _spoken(f"{noun} {rest}")


def _spoken(reading: str) -> str:
    """A reading without signs."""
    return re.sub(rf" ({'|'.join(_SIGNS)}) (?=\S)", lambda sign: f" {_SIGNS[sign[1]]}", reading)


def listed(names: Sequence[str], most: int) -> str:
    """ "Ann, Bob and Eve", "Ann, Bob and 7 more"."""
    more = len(names) - most
    shown_names = [*names[:most], f"{more:,} more"] if more > 0 else list(names)
    return shown_names[0] if len(shown_names) == 1 else f"{', '.join(shown_names[:-1])} and {shown_names[-1]}"


def sentence_template(result: Mapping[str, Any]) -> Template | None:
    """The template of a result's reading; None where it has none."""
    reading = str(result.get("reading") or "")
    answers = answers_of_reading(result)
    if not reading or not answers or any(answer.get("own") or answer.get("label") in _DOCUMENTS for answer in answers):
        return None
    if (surrounding := surroundings_template(reading, answers)) is not None:
        return surrounding
    many = len(answers) > 1
    entities = _entities(result)
    if all(answer["id"] is None for answer in answers):
        return _of_value(reading, many, answers[0], entities)
    if (ordered := _ORDERED.fullmatch(reading)) is not None:
        return _ordered(ordered, many, entities)
    return _of_nodes(reading, many, entities)


def _entities(result: Mapping[str, Any]) -> list[str]:
    """The names that the question's names stand for, the longest first."""
    found = {shown(str(each["name"])) for mention in result.get("linked", ()) for each in mention["candidates"]}
    return sorted(found, key=len, reverse=True)


def _of_value(reading: str, many: bool, answer: Mapping[str, Any], entities: Sequence[str]) -> Template | None:
    value = str(answer["name"])
    if (whether := _WHETHER.fullmatch(reading)) is not None:
        return _truth(whether["who"], whether["nodes"], value)
    if reading.startswith("Whether there are "):
        nodes = _spoken(reading.removeprefix("Whether there are "))
        some = f": {shown(str(answer['detail']))}" if answer.get("detail") else ""
        return lambda names: f"{names.capitalize()}, there are {'' if value == 'yes' else 'no '}{nodes}{some}."
    if (two := _TWO_NUMBERS.fullmatch(reading)) is not None and value in ("yes", "no"):
        one, other = _spoken(two["one"]), _spoken(two["other"])
        is_so = "is" if value == "yes" else "is not"
        return lambda names: f"{names.capitalize()}, the {one} {is_so} {_WAYS[two['sign']]} the {other}."
    if reading.startswith("Number of ") and not many:
        return _number(reading.removeprefix("Number of "), value)
    what, of, whose = reading.partition(" of ")
    if not of or "," in reading or " for each" in reading or reading.startswith("Difference"):
        return None
    first = what.split()[-1].lower()
    if first in _PARTICIPLES or first.endswith("ed"):
        return (lambda names: f"{whose}: {what.lower()} {names}.") if whose in entities else None
    verb = "are" if many or is_plural(what.split()[-1]) else "is"
    return lambda names: f"The {what[:1].lower()}{what[1:]} of {whose} {verb} {names}."


def _truth(who: str, nodes: str, value: str) -> Template | None:
    if value not in ("yes", "no"):
        return None
    head, that, clause = nodes.partition(" that ")
    verb, _, rest = clause.partition(" ")
    if value == "yes" and that and " " not in head and _is_past(verb):
        return lambda names: f"{names.capitalize()}, {who} {verb} {rest}."
    negation = "" if value == "yes" else "not "
    return lambda names: f"{names.capitalize()}, {who} is {negation}one of the {nodes}."


def _number(nodes: str, value: str) -> Template | None:
    if "," in nodes:
        return None
    nodes = _spoken(nodes)
    if nodes.startswith("times that "):
        done = nodes.removeprefix("times that ")
        return lambda names: f"{done[:1].upper()}{done[1:]}: {names} {'time' if value == '1' else 'times'}."
    if value in ("0", "1"):
        return lambda names: f"The number of {nodes} is {names}."
    return lambda names: f"There are {names} {nodes}."


def _ordered(reading: re.Match[str], many: bool, entities: Sequence[str]) -> Template | None:
    """Only where nothing but the nodes themselves can be what is ordered: one step from a named node, or none."""
    nodes, value, way = reading["nodes"], reading["value"], reading["way"]
    steps = nodes.count(" that ") + nodes.count(" with ")
    if not ((steps <= 1 and any(nodes.endswith(f" {name}") for name in entities)) or " " not in nodes):
        return None
    verb = "have" if many else "has"
    return lambda names: f"{names} {verb} the {way} {value} of the {nodes[:1].lower()}{nodes[1:]}."


def _of_nodes(reading: str, many: bool, entities: Sequence[str]) -> Template | None:
    head, that, clause = reading.partition(" that ")
    if not that or "," in reading or " and " in clause or " with " in head or " except " in reading:
        return None
    subject = next((name for name in entities if clause.lower().startswith(f"{name.lower()} ")), None)
    if subject is not None:
        rest = clause[len(subject) + 1 :]
        simple = len(rest.split()) <= 4 and not re.search(r"\b(that|with|whose|among|located)\b", rest)
        return (lambda names: f"{subject} {rest} {names}.") if simple else None
    verb, _, rest = clause.partition(" ")
    if not rest or not any(rest.endswith(name) for name in entities) or verb != verb.lower():
        return None
    agreed = _agreed(verb, many)
    return lambda names: f"{names} {agreed} {rest}."


def _agreed(verb: str, many: bool) -> str:
    """The verb with a subject in the singular or the plural."""
    if many:
        return _PLURAL.get(verb, verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb)
    if verb in _SINGULAR or _is_past(verb) or verb.endswith("s"):
        return _SINGULAR.get(verb, verb)
    return f"{verb}es" if verb.endswith(("sh", "ch", "x", "z", "o")) else f"{verb}s"


def _is_past(verb: str) -> bool:
    """Whether a verb is in the past: regular, or an irregular form, whose stem is that of its base."""
    return verb.endswith("ed") or (not verb.endswith("s") and stem(verb) != stem(f"{verb}s"))
