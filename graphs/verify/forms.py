"""Claims read as logical forms, by the reader of questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from clew.agents.linking.index_linker import read
from clew.agents.verifying.claims import Claim
from clew.agents.verifying.unknown_names import sure_links
from clew.agents.verifying.verdicts import REFUTED, Finding
from clew.graphs.verify.form_check import FormCheck
from clew.graphs.verify.lookup import ClaimLookup
from clew.tools.graph.entity import Mention
from clew.tools.linking.tokens import words_of
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import light, tokens
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.reader import Reading

MOST_COST = 1.7
"""A reading that agrees less with the claim is not used."""
_MOST_BESIDE = 0.9
"""What a reading with a name of the wrong kind may cost beside that."""
_WEAKEST = 0.7
"""A relation that agrees less with the words is not meant."""
_NEAR = 0.02
"""A reading that costs so little more than the best one is also tried."""
_NEAR_NAMESAKES = 0.4
"""The same for readings about other things of the same names: the book and the film."""
_SECONDS = 1.0
_SHOWN = 5
_LIVING = re.compile(r"([\d,.]+(?: [mb]illion)? (?:people|inhabitants|residents)) (?:live|reside) in (.+)", re.I)
"""“5000 people live in A” says that A has 5000 people."""
_THAN_THAT = re.compile(r"than (?:that|those|the one) of ", re.I)
_COMPARED_AS = re.compile(r"\ban? ([a-z]+er) ([a-z]+) than", re.I)
"""“A is a larger state than B” says that A is larger than B."""
_OF_ALL = re.compile(r" (?:of|among) (?:all|any|the) (?:the )?([\w ]+)$", re.I)
"""“… of all departments” behind a superlative says nothing more."""
_HAVING = re.compile(r"(.+?) (?:has|had|have) (.+?) as (?:its|his|her|their|a|an|the) ([\w -]+)", re.I)
"""“A has B as its director” says that the director of A is B."""
OF_ALL_OF_THEM = re.compile(r"\b(?:every(?:one|body|thing)?|each|(?<!\bof )all)\b(?! other\b)", re.I)
"""What is said of all, so that some of them are not enough."""


def check_form(lookup: ClaimLookup, claim: Claim) -> Finding | None:
    """The finding of the best reading; None if no reading explains the claim."""
    readings = _readings(lookup, claim)
    numbers = numbers_in(claim.text, [(part.start, part.end) for part in claim.parts if part.mention is not None])
    readings = [each for each in readings if numbers <= numbers_of(each)]
    named = [Mention(p.start, p.end, claim.text[p.start : p.end], ()) for p in claim.parts if p.mention is not None]
    if OF_ALL_OF_THEM.search(unnamed(claim.text, named)):  # "Everyone at X", of whom some are not enough.
        readings = [each for each in readings if each.form.whole is not None]
    if not readings or not _explained(readings[0]):
        return None
    near = [each for each in readings if _explained(each) and _is_near(each, readings[0])]
    checks = [FormCheck(lookup, claim, each) for each in near[:3]]
    found = next((found for each in checks if (found := each.supported()) is not None), None)
    if found is None and any(name == "label" and cost > 0.2 for name, cost in readings[0].features):
        return None  # A synonym of a label may mean another one.
    return found or (None if _is_of_a_fact(readings[0]) else checks[0].refuted())


def unnamed(text: str, names: Iterable[Mention]) -> str:
    """The words of a text beside its names."""
    for name in sorted(names, key=lambda each: -each.start):
        text = f"{text[: name.start]} {text[name.end :]}"
    return text


def _is_of_a_fact(reading: Reading) -> bool:
    """Whether two things of one kind are taken for ends of a relation that leads to a thing of another kind: the
    marriage of two people."""
    labels = {entity.label for entity in reading.form.entities}
    wrong = any(name == "wrong kind" for name, _ in reading.features)
    return wrong and len(reading.form.entities) > 1 and len(labels) == 1


def _is_near(reading: Reading, best: Reading) -> bool:
    """Whether a reading is as good as the best one, or nearly and about other things of the same names."""
    if reading.cost <= best.cost + _NEAR:
        return True
    alike = {e.name for e in reading.form.entities} == {e.name for e in best.form.entities}
    other = set(reading.form.entities) != set(best.form.entities)
    wrong = any(name == "wrong kind" for name, _ in reading.features)
    return alike and other and not wrong and reading.cost <= best.cost + _NEAR_NAMESAKES


def _explained(reading: Reading) -> bool:
    """Whether every word has a meaning in the reading, and it agrees well enough."""
    wrong = sum(n for name, n in reading.features if name == "wrong kind")
    lost = any(
        (name == "unexplained" and n > 0) or (name == "agreement" and n > _WEAKEST) for name, n in reading.features
    )
    least = MOST_COST if not wrong else _MOST_BESIDE
    if any(name == "linked value" and n >= 1 for name, n in reading.features) and _holds_far_values(reading.form.nodes):
        return False
    return not reading.unexplained and not lost and reading.cost - cost([("wrong kind", wrong)]) <= least


def _holds_far_values(nodes: Nodes, steps: int = 0) -> bool:
    """Whether a value is one of what is two or more relations away."""
    if steps > 1 and nodes.conditions:
        return True
    return any(_holds_far_values(link.other, steps + len(link.path)) for link in nodes.links)


def numbers_in(text: str, names: Iterable[tuple[int, int]]) -> set[float]:
    """The numbers in a text that belong to no name; "one" may be a pronoun."""
    spans = list(names)
    found = [t for t in tokens(text) if not any(start <= t.start < end for start, end in spans)]
    said = {number(token.text) for token in found if token.text not in ("one", "zero")}
    return {each for each in said if each is not None and each < 1000}


def numbers_of(reading: Reading) -> set[float]:
    """The numbers that a reading says something of, as written in its values."""
    found = {reading.form.bound[1]} if reading.form.bound is not None else set()
    for text in map(str, _values(reading.form.nodes)):
        found |= {float(each) for each in re.findall(r"\d+(?:\.\d+)?", text)}
    return found | {each / multiple for each in found for multiple in (1e3, 1e6, 1e9) if each >= multiple}


def _values(nodes: Nodes) -> Iterator[object]:
    """The values and numbers in a set's conditions."""
    for each in nodes.conditions:
        for predicate in (each.predicate, *each.alternatives):
            if predicate is not None:
                yield predicate.value
    for link in nodes.links:
        yield from (predicate.value for predicate in link.conditions)
        yield link.count[1] if link.count is not None else ""
        yield from _values(link.other)
    for inner in (*nodes.within, *nodes.without):
        yield inner.order.limit if inner.order is not None else ""
        yield from _values(inner)


def other_value(lookup: ClaimLookup, claim: Claim, unknown: str) -> Finding | None:
    """A refutation of "the status of X is Y" where the graph has another status, and nothing that is called Y."""
    for reading in _readings(lookup, claim)[:1]:
        said = [str(value).lower() for value in _values(reading.form.nodes)]
        if _explained(reading) and unknown.lower() in said and _exact(reading):
            found = FormCheck(lookup, claim, reading).refuted()
            return found if found["verdict"] == REFUTED else None
    return None


def _exact(reading: Reading) -> bool:
    """Whether the property is called by its own name."""
    return all(value < 0.3 for name, value in reading.features if name == "property")


def _readings(lookup: ClaimLookup, claim: Claim) -> list[Reading]:
    reader = lookup.context.tools.reader
    if reader is None:
        return []
    named = [part for part in claim.parts if part.mention is not None and lookup.mentions[part.mention].candidates]
    mentions = [replace(lookup.mentions[part.mention or 0], start=part.start, end=part.end) for part in named]
    text = claim.text
    if (living := _LIVING.fullmatch(text)) is not None and len(mentions) == 1:
        text = f"{living[2]} has {living[1]}"
        mentions = [replace(m, start=0, end=len(m.text)) for m in mentions if text.startswith(m.text)]
    if not any(m.candidates and "than" in m.text for m in mentions):
        compared = _COMPARED_AS.search(text)
        if compared is not None and compared[2] in reader.words.labels:
            text = text.replace(compared[0], f"{compared[1]} than")
        text = _THAN_THAT.sub("than ", text)
        mentions = [replace(m, start=s, end=s + len(m.text)) for m in mentions for s in [text.find(m.text)] if s >= 0]
    if (having := _HAVING.fullmatch(text)) is not None and len(mentions) == 2:
        text = f"the {having[3]} of {having[1]} is {having[2]}"
        mentions = [replace(m, start=s, end=s + len(m.text)) for m in mentions for s in [text.find(m.text)]]
    if (of_all := _OF_ALL.search(text)) is not None and of_all[1].lower() in reader.words.labels:
        text = text[: of_all.start()]
    found = read(text, lookup.context.tools.index)
    spans = {(m.start, m.end) for m in mentions}
    others = [m for m in sure_links((*found.mentions, *found.alternatives)) if (m.start, m.end) not in spans]
    seconds = min(_SECONDS, lookup.context.run.deadline.remaining)
    readings = reader.read(text, mentions, others, seconds, statement=True)
    shown = [{"words": words(r.form), "cost": round(r.cost, 3), "unexplained": list(r.unexplained),
              "features": [[name, round(value, 3)] for name, value in r.features if value]}
             for r in readings[:_SHOWN]]  # fmt: skip
    lookup.span.event("readings", claim=claim.text, readings=shown)
    return readings


_ENTITY_PLACE = re.compile(r"\b(?:by|in|of|to|with|from|at|for|on|as)\s+(?:the\s+)?([\w' -]+)$", re.I)
_INDEFINITE = re.compile(
    r"\b(?:some|any|no|one|two|several|many|some(?:one|body|thing|where)|anyone|least|most)\b", re.I
)
_NOUN = re.compile(r"\b(?:an?|the)\s+([\w-]+)$", re.I)


def unexplained_name(lookup: ClaimLookup, claim: Claim) -> str | None:
    """The words of a claim about one thing that stand where a second name would, and that the schema does not know."""
    reader = lookup.context.tools.reader
    if reader is None or len(claim.parts) != 1:
        return None
    part = claim.parts[0]
    before, after = claim.text[: part.start].strip(), claim.text[part.end :].strip()
    if any(token.isdecimal() for token in (before + " " + after).split()):
        return None
    noun, place = _NOUN.search(after), _ENTITY_PLACE.search(after)
    said = noun[1] if noun else place[1] if place else after.split()[-1] if after else ""
    like_name = (place and not noun) or (said and _is_rare(said) and not said.endswith("ed"))
    if (
        said
        and like_name
        and said.lower() not in light()
        and not _INDEFINITE.search(after)
        and not all(map(reader.knows, said.split()))
    ):
        return said
    subject = [word for word in before.split() if words_of(word.lower()).tokens[:1] and not _plain(word)]
    schema = reader.words
    unknown = [
        w for w in subject if not (w.lower() in schema.labels or w.lower() in schema.roles or schema.property(w))
    ]
    opens = re.match(r"(?:some|any|no|there|an?\b|people|in\b|it\b)", before, re.I)
    return before if unknown and not opens else None


def _plain(word: str) -> bool:
    return word.lower() in light() or words_of(word.lower()).tokens[0].kind in ("function", "question", "clitic")


def _is_rare(said: str) -> bool:
    return any(token.kind == "rare" for token in words_of(said.lower()).tokens[-1:])
