"""Claims about one entity: what it is, what there is of it and how much, and what its properties are."""

from __future__ import annotations

import re
from dataclasses import replace

from clew.agents.kinds import label_words, names_label, noun_kind, singular
from clew.agents.verifying.claims import Claim, Quantity
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding
from clew.graphs.verify.findings import finding_of, hop_records, listed, sureness, unsaid, without_article
from clew.graphs.verify.look import LEAST, LINK_WEIGHT, MARGIN, READINGS, TRIPLETS, Look, either_way, place_of, wordless
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.ranking.claims import ClaimPath, ClaimReader
from clew.tools.queries.space.query import Chain, Query
from clew.tools.queries.space.words import noun_of, words

_ANYBODY = frozenset({"person", "human", "man", "woman", "guy"})
_TYPE = re.compile(r"\s*(?:is|was)\s+(?:a|an|the)\s+(\w+)\s*", re.I)


def valued(look: Look, claim: Claim, reader: ClaimReader) -> Finding:
    first, second = claim.parts
    value = claim.text[second.start : second.end]
    found: list[tuple[float, Entity, ClaimPath]] = []
    for entity, link in look.entities(first):
        paths = reader.valued(claim.text, place_of(first), entity, place_of(second))
        found += [(path.score + LINK_WEIGHT * (link - 1), entity, path) for path in paths]
    found.sort(key=lambda each: -each[0])
    if not found or found[0][0] < LEAST:
        return unsaid(claim)
    for score, entity, path in found[:1]:
        query = Query((Chain(entity, path.hops),), returns="property", property_name=path.property_name)
        rows = look.context.tools.space.execute(query, look.context.limits(50)).rows
        sure = sureness(score)
        if not rows:
            reason = f"The graph has no {without_article(words(query))}."
            return finding_of(claim, UNKNOWN, sure, reason, words(query))
        keys = look.keep(
            [Triplet(entity, path.property_name or "", Entity(r.name, r.name, "value")) for r in rows], query
        )
        verdict = SUPPORTED if any(_same_value(row.name, value) for row in rows) else REFUTED
        reason = f"The {without_article(words(query))} in the graph: {listed(rows)}."
        return finding_of(claim, verdict, sure, reason, words(query), keys)
    return unsaid(claim)


def typed(look: Look, claim: Claim) -> Finding | None:
    """ "X is a film": by the label; None where the noun names none."""
    part = claim.parts[0]
    said = _TYPE.fullmatch(claim.text[part.end :])
    if said is None or claim.text[: part.start].strip() or claim.quantity:
        return None
    noun = said.group(1)
    labels = {entity.label for entity, _ in look.entities(part)}
    if not any(_names(noun, label) for label in look.context.tools.schema.labels):
        return None
    holds = any(_names(noun, label) for label in labels)
    label = " or ".join(sorted(noun_of(label) for label in labels))
    name = look.entities(part)[0][0].name
    reason = f"In the graph {name} is a {label}."
    return finding_of(claim, SUPPORTED if holds else REFUTED, 0.9, reason, f"{name} is a {label}")


def _names(noun: str, label: str) -> bool:
    """Whether a noun says that a node has this label, and no more: every director is a person, but a person need be
    no director."""
    return names_label(noun, label) and (
        noun_kind(noun) != "person" or singular(noun.lower()) in _ANYBODY | {*label_words(label)}
    )


def existing(look: Look, claim: Claim, reader: ClaimReader) -> Finding:
    part = claim.parts[0]
    found: list[tuple[float, Entity, ClaimPath]] = []
    for entity, link in look.entities(part):
        paths = reader.beyond(claim.text, place_of(part), entity)
        found += [(path.score + LINK_WEIGHT * (link - 1), entity, path) for path in paths]
    found.sort(key=lambda each: -each[0])
    if not found or found[0][0] < LEAST or wordless(claim):
        return unsaid(claim)
    look.span.event("readings", claim=claim.text, paths=[[*hop_records(p), round(s, 3)] for s, _, p in found[:5]])
    near = [each for each in found if each[0] >= found[0][0] - MARGIN][:READINGS]
    findings = [_counted(look, claim, entity, path, sureness(score)) for score, entity, path in near]
    return next((finding for finding in findings if finding["verdict"] == SUPPORTED), findings[0])


def _counted(look: Look, claim: Claim, entity: Entity, path: ClaimPath, sure: float) -> Finding:
    """Whether there are as many as is said: one at least, where no number is."""
    query = Query((Chain(entity, path.hops),))
    if path.property_name is not None:
        query = replace(query, returns="property", property_name=path.property_name)
        queries: list[Query] = [query]
    else:
        queries = list(either_way(entity, path.hops))
    rows = list({(row.id, row.name): row for row in look.answers(queries)}.values())
    keys: list[str] = []
    if rows and path.property_name is None:
        for each in queries:
            keys += look.keep(look.context.tools.space.evidence(each, [], TRIPLETS), each)
    quantity = claim.quantity or Quantity("at least", 1)
    verdict = SUPPORTED if _fits(len(rows), quantity) else REFUTED
    said = without_article(words(query))
    reason = f"The {said} in the graph: {listed(rows)}." if rows else f"The graph has no {said}."
    if claim.quantity is not None:
        reason = f"The graph has {len(rows)} as {said}; said is {quantity.bound} {quantity.number}."
    return finding_of(claim, verdict, sure, reason, words(query), list(dict.fromkeys(keys)))


def _fits(count: int, quantity: Quantity) -> bool:
    number = quantity.number
    return {
        "at least": count >= number,
        "at most": count <= number,
        "more than": count > number,
        "fewer than": count < number,
        "exactly": count == number,
    }[quantity.bound]


def _same_value(known: str, said: str) -> bool:
    if known.strip().casefold() == said.strip().casefold():
        return True
    try:
        return float(known) == float(said.replace(",", ""))
    except ValueError:
        return known.startswith(f"{said}-")  # the year of a date
