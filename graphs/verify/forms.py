"""Claims read as logical forms, by the reader of questions."""

from __future__ import annotations

import re
from dataclasses import replace

from clew.agents.evidence import mention_of
from clew.agents.linking.index_linker import read
from clew.agents.verifying.claims import Claim
from clew.agents.verifying.unknown_names import sure_links
from clew.agents.verifying.verdicts import REFUTED, Finding
from clew.graphs.verify.form_check import FormCheck
from clew.graphs.verify.lookup import ClaimLookup
from clew.tools.linking.tokens import words_of
from clew.tools.queries.reading.form_words import words
from clew.tools.queries.reading.reader import Reading

MOST_COST = 1.7
"""A reading that agrees less with the claim is not used."""
_NEAR = 0.02
"""A reading that costs so little more than the best one is also tried."""
_SECONDS = 1.0
_SHOWN = 5
_OF_ALL = re.compile(r" (?:of|among) (?:all|any|the) (?:the )?([\w ]+)$", re.I)
"""“… of all departments” behind a superlative says nothing more."""
_HAVING = re.compile(r"(.+?) (?:has|had|have) (.+?) as (?:its|his|her|their|a|an|the) ([\w -]+)", re.I)
"""“A has B as its director” says that the director of A is B."""


def check_form(lookup: ClaimLookup, claim: Claim) -> Finding | None:
    """The finding of the best reading; None if no reading explains the claim."""
    claim = claim.whole or claim
    readings = _readings(lookup, claim)
    if not readings or readings[0].cost > MOST_COST or not _explained(readings[0]):
        return None
    near = [each for each in readings if each.cost <= readings[0].cost + _NEAR and _explained(each)]
    checks = [FormCheck(lookup, claim, each) for each in near[:3]]
    found = next((found for each in checks if (found := each.supported()) is not None), None)
    if found is None and any(name == "label" and cost > 0.2 for name, cost in readings[0].features):
        return None  # A synonym of a label may mean another one.
    return found or checks[0].refuted()


def _explained(reading: Reading) -> bool:
    """Whether every word has a meaning in the reading."""
    return not reading.unexplained and not any(name == "unexplained" and n > 0 for name, n in reading.features)


def other_value(lookup: ClaimLookup, claim: Claim) -> Finding | None:
    """A refutation of "the status of X is Y" where the graph has another status, and nothing that is called Y."""
    found = check_form(lookup, claim)
    return found if found is not None and found["verdict"] == REFUTED and " with " in found["reading"] else None


def _readings(lookup: ClaimLookup, claim: Claim) -> list[Reading]:
    reader = lookup.context.tools.reader
    if reader is None:
        return []
    named = [part for part in claim.parts if part.mention is not None and lookup.mentions[part.mention]["candidates"]]
    mentions = []
    for part in named:
        mention = mention_of(lookup.mentions[part.mention or 0])
        mentions.append(replace(mention, start=part.start, end=part.end))
    text = claim.text
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
    if any(token.isdecimal() for token in (before + " " + after).split()) and claim.quantity is None:
        return None
    noun, place = _NOUN.search(after), _ENTITY_PLACE.search(after)
    said = noun[1] if noun else place[1] if place else after.split()[-1] if after else ""
    like_name = (place and not noun) or (said and _is_rare(said) and not said.endswith("ed"))
    if said and like_name and not _INDEFINITE.search(after) and not all(map(reader.knows, said.split())):
        return said
    subject = [word for word in before.split() if words_of(word.lower()).tokens[:1] and not _plain(word)]
    unknown = [word for word in subject if not reader.knows(word)]
    opens = re.match(r"(?:some|any|no|there|an?\b|people|in\b|it\b)", before, re.I)
    return before if unknown and not opens else None


def _plain(word: str) -> bool:
    return words_of(word.lower()).tokens[0].kind in ("function", "question", "clitic")


def _is_rare(said: str) -> bool:
    return any(token.kind == "rare" for token in words_of(said.lower()).tokens[-1:])
