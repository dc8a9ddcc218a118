"""Names as people write them: surnames, initials, parts of titles, nicknames, made from the names of graphs.

A case is a text in a sentence, with the nodes that the text fits. The rules make the texts; the nodes are those whose
names contain the words of the text, or whose first name may be the initial or the nickname. A case has one node, or
several. `recall_at_5` is the share of the nodes, at most five, among the first five candidates.
"""

from __future__ import annotations

import random
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.linking.misspelling import misspell
from benchmarks.linking.timing import quantiles
from clew.agents.kinds import label_kind
from clew.tools.graph.entity import Entity
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.mentions import find_mentions
from clew.tools.linking.normalise import compact, fold, without_article
from clew.tools.linking.ordinary import word_class

_SENTENCES = (
    "{}", "tell me about {}", "What do we know about {}?", "everything that is connected with {}", "Who or what is {}?",
    "Show me what {} is linked to", "Is {} related to anything else?", "how does {} fit in", "What happened to {}?",
    "Please list all there is for {}.",
)  # fmt: skip
_PERSONS = {"Patient", "Nurse", "Doctor", "Student", "Staff", "Seafarer", "Inspector", "Developer"}
_NICKNAMES = {
    "robert": "bob", "william": "bill", "richard": "dick", "james": "jim", "john": "jack", "charles": "charlie",
    "thomas": "tom", "michael": "mike", "joseph": "joe", "edward": "ted", "elizabeth": "liz", "margaret": "maggie",
    "katherine": "kate", "catherine": "cathy", "daniel": "dan", "david": "dave", "samuel": "sam", "benjamin": "ben",
    "anthony": "tony", "stephen": "steve", "steven": "steve", "kenneth": "ken", "ronald": "ron", "donald": "don",
    "matthew": "matt", "andrew": "andy", "jennifer": "jen", "susan": "sue", "victoria": "vicky", "nicholas": "nick",
    "patricia": "pat", "alexander": "alex", "christopher": "chris", "gregory": "greg", "philip": "phil",
    "timothy": "tim", "jeffrey": "jeff", "lawrence": "larry", "frederick": "fred", "harold": "harry", "peter": "pete",
    "deborah": "debbie", "rebecca": "becky", "jessica": "jess", "amanda": "mandy", "abigail": "abby",
}  # fmt: skip
_NO_NAMES = frozenset(
    {"jr", "sr", "ii", "iii", "iv", "princess", "prince", "lord", "lady", "sir", "dame", "king", "queen", "emperor",
     "saint", "st", "dr", "mr", "mrs", "the", "blessed"}
)  # fmt: skip
_NUMERALS = {"ii": ("2", "two"), "iii": ("3", "three"), "iv": ("4", "four"), "v": ("5", "five"), "2": ("ii", "two"),
             "3": ("iii", "three")}  # fmt: skip
_SHORTEST_MISSPELT = 6
_LONGEST_NAME = 8


@dataclass(frozen=True, slots=True)
class Case:
    """A text that people may write for a name."""

    rule: str
    text: str
    sentence: str
    start: int
    """Of `text` in `sentence`."""
    nodes: frozenset[str]
    """The ids of the nodes that the text fits."""


@dataclass
class Names:
    """The names of one graph, by the runs of words in them."""

    entities: dict[str, Entity] = field(default_factory=dict)
    runs: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Run of words → ids of the nodes with that run in their name."""
    whole: set[str] = field(default_factory=set)
    """Whole names, without spaces."""
    bearers: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    """Last word → (first word, id) of the persons."""

    @classmethod
    def of(cls, index: EntityIndex) -> Names:
        names = cls()
        for _, name in index.distinct_names():
            words = fold(name).split()
            if not words or len(words) > 20:
                continue
            names.whole |= {compact(fold(name)), compact(without_article(fold(name)))}
            for entity in index.by_name(name):
                names.entities[entity.id] = entity
                for first in range(len(words)):
                    for last in range(first + 1, len(words) + 1):
                        names.runs[" ".join(words[first:last])].add(entity.id)
                if is_person(entity):
                    names.bearers[words[-1]].append((words[0], entity.id))
        return names


def is_person(entity: Entity) -> bool:
    """Whether the entity is a person who has a first name and a surname, and perhaps others."""
    person = entity.label in _PERSONS or label_kind(entity.label) == "person"
    words = fold(entity.name).split()
    named = all(word.isalpha() and word_class(word) != "function" for word in (words[0], words[-1])) if words else False
    titled = bool({words[0], words[-1]} & _NO_NAMES) or any(word_class(word) == "function" for word in words[1:-1])
    return person and entity.label != "Character" and 2 <= len(words) <= 4 and named and not titled


Made = Iterator[tuple[str, set[str]]]
"""Texts with the ids of the nodes that they fit."""


def _surname(entity: Entity, names: Names, source: random.Random) -> Made:
    if is_person(entity) and len(surname := _parts(entity)[-1]) > 2 and not surname.isdigit():
        yield surname, names.runs[fold(surname)]


def _first_name(entity: Entity, names: Names, source: random.Random) -> Made:
    if is_person(entity) and len(first := _parts(entity)[0].rstrip(".")) > 2:
        yield first, names.runs[fold(first)]


def _initial(entity: Entity, names: Names, source: random.Random) -> Made:
    if not is_person(entity):
        return
    first, surname = _parts(entity)[0], _parts(entity)[-1]
    letter = fold(first)[:1]
    fits = {id for other, id in names.bearers[fold(surname)] if other.startswith(letter)}
    if letter and len(first) > 2 and len(surname) > 2:
        yield source.choice(("{}. {}", "{} {}")).format(letter.upper(), surname), fits


def _nickname(entity: Entity, names: Names, source: random.Random) -> Made:
    if not is_person(entity):
        return
    surname = fold(_parts(entity)[-1])
    short = _NICKNAMES.get(fold(_parts(entity)[0]))
    if short is not None and not any(other == short for other, _ in names.bearers[surname]):
        fits = {id for other, id in names.bearers[surname] if _NICKNAMES.get(other) == short}
        yield f"{short.capitalize()} {_parts(entity)[-1]}", fits


def _part_of_title(entity: Entity, names: Names, source: random.Random) -> Made:
    """Some words of a title that stand together, the rarest of the graph among them."""
    words = _parts(entity)
    folded = [fold(word) for word in words]
    content = [i for i, word in enumerate(folded) if len(word) > 2 and word_class(word) != "function"]
    if is_person(entity) or len(content) < 2 or len(words) > _LONGEST_NAME:
        return
    rarest = min(content, key=lambda i: len(names.runs[folded[i]]))
    first = source.choice([i for i in content if i <= rarest])
    last = source.choice([i for i in content if i >= rarest])
    run = folded[first : last + 1]
    telling = len(run) > 1 or (word_class(run[0]) == "rare" and len(run[0]) > 4)
    if telling and len([i for i in content if first <= i <= last]) < len(content):
        yield " ".join(words[first : last + 1]).strip(".,:;!?()'\""), names.runs[" ".join(run)]


def _article_dropped(entity: Entity, names: Names, source: random.Random) -> Made:
    bare = without_article(fold(entity.name))
    if bare != fold(entity.name):
        text = entity.name.replace("_", " ").split(" ", 1)[-1]
        yield text, {id for form in _with_articles(bare) for id in names.runs[form] if _is_whole(names, id, bare)}


def _plural(entity: Entity, names: Names, source: random.Random) -> Made:
    """The plural of a kind of thing."""
    text = entity.name.replace("_", " ")
    last = fold(text).split()[-1]
    kind = text == text.lower() or entity.label in ("Genre", "Commodity")
    if kind and last.isalpha() and len(last) > 3 and not last.endswith(("s", "x")):
        ending = last[:-1] + "ies" if last.endswith("y") and last[-2] not in "aeiou" else last + "s"
        yield text[: len(text) - len(last)] + ending, _whole(names, fold(text))


def _possessive(entity: Entity, names: Names, source: random.Random) -> Made:
    """The name with "'s", or without the apostrophe; of persons the surname."""
    text = _parts(entity)[-1] if is_person(entity) else entity.name.replace("_", " ")
    if text[-1:].isalpha() and len(text) > 3:
        fits = names.runs[fold(text)] if is_person(entity) else _whole(names, fold(text))
        yield text + source.choice(("'s", "\u2019s")), fits


def _other_signs(entity: Entity, names: Names, source: random.Random) -> Made:
    """Diacritics, hyphens and "&" as they are typed."""
    name = entity.name.replace("_", " ")
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    plain = plain.replace("&", "and").replace("-", source.choice((" ", "")))
    if plain != name:
        yield plain, _whole(names, fold(entity.name))


def _numeral(entity: Entity, names: Names, source: random.Random) -> Made:
    words = _parts(entity)
    if len(words) > 1 and fold(words[-1]) in _NUMERALS and not is_person(entity):
        written = source.choice(_NUMERALS[fold(words[-1])])
        yield " ".join([*words[:-1], written]), _whole(names, fold(entity.name))


RULES: dict[str, Callable[[Entity, Names, random.Random], Made]] = {
    "surname": _surname, "first_name": _first_name, "initial": _initial, "nickname": _nickname,
    "part_of_title": _part_of_title, "article_dropped": _article_dropped, "plural": _plural,
    "possessive": _possessive, "other_signs": _other_signs, "numeral": _numeral,
}  # fmt: skip
_MISSPELT_TOO = ("surname", "part_of_title", "nickname", "article_dropped")
_WHOLE_NAMES = ("article_dropped", "possessive", "other_signs", "plural", "numeral")
"""Rules of which a text may be a whole name."""


def cases_of(index: EntityIndex, seed: int, each: int) -> list[Case]:
    """At most `each` cases of every rule with one node, and as many with several."""
    names, source = Names.of(index), random.Random(seed)
    entities = sorted(names.entities.values(), key=lambda entity: entity.id)
    found: list[Case] = []
    for rule, make in RULES.items():
        source.shuffle(entities)
        made: dict[bool, dict[str, set[str]]] = {True: {}, False: {}}
        for entity in entities:
            for text, nodes in make(entity, names, source):
                kept = made[len(nodes) == 1]
                if not nodes or len(kept) == each:
                    continue
                spelled = {candidate.entity.id for candidate in index.search(text) if candidate.score > 0.96}
                known = bool(spelled - nodes) or (bool(spelled) and rule not in _WHOLE_NAMES)
                if not known:
                    kept.setdefault(text, nodes)
        for texts in made.values():
            for text, nodes in texts.items():
                found.append(_case(rule, text, nodes, source))
                wrong = _misspelt(text, source)
                if rule in _MISSPELT_TOO and wrong != text and fold(wrong) not in names.runs:
                    found.append(_case(f"{rule}_misspelt", wrong, nodes, source))
    return found


def measured(graphs: Sequence[tuple[EntityIndex, Sequence[Case]]]) -> dict[str, Any]:
    """Accuracy and recall by rule, with one node and with several."""
    results: dict[str, dict[str, list[tuple[bool, float, bool]]]] = defaultdict(lambda: defaultdict(list))
    times = []
    for index, case in ((index, case) for index, cases in graphs for case in cases):
        started = time.process_time()
        linking = find_mentions(case.sentence, index, 5)
        times.append(time.process_time() - started)
        end = case.start + len(case.text)
        near = [mention for mention in linking.mentions if mention.start < end and mention.end > case.start]
        firsts = {mention.candidates[0].entity.id for mention in near}
        among = {candidate.entity.id for mention in near for candidate in mention.candidates[:5]}
        recall = len(among & case.nodes) / min(5, len(case.nodes))
        ambiguous = any(mention.ambiguous for mention in near)
        kind = "one" if len(case.nodes) == 1 else "several"
        for rule in (case.rule, "all"):
            results[kind][rule].append((bool(firsts & case.nodes), min(1.0, recall), ambiguous))
    return {
        kind: {
            rule: {
                "cases": len(rows),
                "accuracy_at_1": round(sum(row[0] for row in rows) / len(rows), 4),
                "recall_at_5": round(sum(row[1] for row in rows) / len(rows), 4),
            }
            | ({"told_ambiguous": round(sum(row[2] for row in rows) / len(rows), 4)} if kind == "several" else {})
            for rule, rows in rules.items()
        }
        for kind, rules in results.items()
    } | quantiles(times)


def _case(rule: str, text: str, nodes: set[str], source: random.Random) -> Case:
    if source.random() < 0.5:
        text = text.lower()
    sentence = source.choice(_SENTENCES)
    return Case(rule, text, sentence.format(text), sentence.index("{}"), frozenset(nodes))


def _misspelt(text: str, source: random.Random) -> str:
    """The text with one typing error in a word of six letters or more; unchanged without such a word."""
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if len(word) >= _SHORTEST_MISSPELT and word.isalpha()]
    if long:
        at = source.choice(long)
        words[at] = misspell(words[at], 1, source)
    return " ".join(words)


def _parts(entity: Entity) -> list[str]:
    return entity.name.replace("_", " ").split()


def _whole(names: Names, folded: str) -> set[str]:
    return {id for id in names.runs[folded] if fold(names.entities[id].name) == folded}


def _with_articles(bare: str) -> tuple[str, ...]:
    return (bare, *(f"{article} {bare}" for article in ("the", "a", "an")))


def _is_whole(names: Names, id: str, bare: str) -> bool:
    return without_article(fold(names.entities[id].name)) == bare
