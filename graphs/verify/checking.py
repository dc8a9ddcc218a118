"""Checking one claim in the graph without a model.

The words are first mapped to a path of the schema (`clew.tools.queries.ranking.claims`). The claim is supported if this
path connects its entities. Otherwise it is refuted if the path leads to other nodes, because the graph then has such
facts about the entity. It is unknown if the path leads nowhere, because the graph may be incomplete. A claim that
something of a kind exists ("X has a spouse") is refuted if the graph has none.
"""

from __future__ import annotations

import re

from clew.agents.kinds import label_words, names_label, noun_kind, singular
from clew.agents.verifying.claims import Claim, Quantity
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding
from clew.graphs.verify.asked import ONLY, check_asked, is_asked_first
from clew.graphs.verify.forms import check_form, other_value, unexplained_name
from clew.graphs.verify.lookup import (
    LINK_WEIGHT,
    MARGIN,
    MIN_SCORE,
    READINGS,
    TRIPLETS,
    ClaimLookup,
    hop_records,
    is_wordless,
    make_finding,
    name_list,
    names_of,
    no_relation,
    query_variants,
    reading_confidence,
    span_of,
    without_article,
)
from clew.graphs.verify.relations import check_relation, check_shared
from clew.tools.graph.entity import Entity
from clew.tools.queries.lexical import tokens
from clew.tools.queries.ranking.claims import ClaimPath, ClaimReader
from clew.tools.queries.reading.forms.form import Step
from clew.tools.queries.reading.rules.agreement import comparing
from clew.tools.queries.space.query import Chain, Query
from clew.tools.queries.space.words import noun_of, words


def check(lookup: ClaimLookup, claim: Claim) -> Finding:
    """Check one claim, add its evidence to `lookup`, and record the finding in the trace."""
    unknown = [part for part in claim.parts if part.mention is not None and not lookup.entities(part)]
    named = names_of(lookup, claim)
    first = unknown or is_asked_first(claim.text, named) or ONLY.search(claim.text)
    found = None if first else check_form(lookup, claim)
    if found is not None and found["verdict"] != UNKNOWN and found["confidence"] >= LITERAL:
        lookup.span.event("claim", **found)
        return found
    if (asked := check_asked(lookup, claim.text, named)) is not None:
        return asked
    if claim.parts and _PRONOUN.match(claim.text):
        return make_finding(claim, UNKNOWN, 0.5, "It is about a person without a name.")
    text = claim.text[unknown[0].start : unknown[0].end] if len(unknown) == 1 else ""
    if text and (other := other_value(lookup, claim, text)) is not None:
        return other
    if unknown:
        names = " or ".join(f"\u201c{claim.text[part.start : part.end]}\u201d" for part in unknown)
        finding = make_finding(claim, UNKNOWN, 0.9, f"The graph has no node named {names}.")
        lookup.span.event("claim", **finding)
        return finding
    found = check_form(lookup, claim) if first else found
    if ONLY.search(claim.text):
        return make_finding(claim, UNKNOWN, 0.5, "Clew does not read \u201conly\u201d here.")
    if found is not None and found["verdict"] != UNKNOWN:
        lookup.span.event("claim", **found)
        return found
    if (words := unexplained_name(lookup, claim)) is not None:
        return make_finding(claim, UNKNOWN, 0.7, f"Nothing in the graph is called \u201c{words}\u201d.")
    if lookup.context.tools.patterns is None:
        return make_finding(claim, UNKNOWN, 0.0, "This graph was opened without what claims are read with.")
    reader = lookup.context.tools.patterns.claims
    if claim.shared is not None:
        finding = check_shared(lookup, claim, reader)
    elif _compared(claim.text):
        finding = make_finding(claim, UNKNOWN, 0.5, "Clew does not read this comparison.")
    elif len(claim.parts) == 2 and all(part.mention is not None for part in claim.parts):
        finding = check_relation(lookup, claim, reader)
    elif len(claim.parts) == 1 and claim.parts[0].mention is not None:
        finding = check_type(lookup, claim) or check_existence(lookup, claim, reader)
    else:
        finding = make_finding(claim, UNKNOWN, 0.5, "I couldn't match any name in the statement to this graph.")
    if found is not None and finding["verdict"] == SUPPORTED:
        finding = found
    lookup.span.event("claim", **finding)
    return finding


def _compared(text: str) -> bool:
    return " than " in text or (any(token.text in comparing() for token in tokens(text)) and " least " not in text)


LITERAL = 0.7
"""Confidence of a logical form that says a claim literally."""
_PRONOUN = re.compile(r"(?:we|they|you|i|he|she)\b", re.I)
_SAID = 0.5
"""Agreement of a word and a relation from which it says it."""
_ANYBODY = frozenset({"person", "human", "man", "woman", "guy"})
_TYPE = re.compile(r"\s*(?:is|was)\s+(?:a|an|the)\s+(\w+)\s*", re.I)


def check_type(lookup: ClaimLookup, claim: Claim) -> Finding | None:
    """Check "X is a film" by the labels of X; None if the noun names no label."""
    part = claim.parts[0]
    noun_text = _TYPE.fullmatch(claim.text[part.end :])
    if noun_text is None or claim.text[: part.start].strip() or claim.quantity:
        return None
    noun = noun_text.group(1)
    labels = {entity.label for entity, _ in lookup.entities(part)}
    if not any(_names(noun, label) for label in lookup.context.tools.schema.labels):
        return None
    holds = any(_names(noun, label) for label in labels)
    label = " or ".join(sorted(noun_of(label) for label in labels))
    name = lookup.entities(part)[0][0].name
    reason = f"In the graph {name} is a {label}."
    return make_finding(claim, SUPPORTED if holds else REFUTED, 0.9, reason, f"{name} is a {label}")


def _names(noun: str, label: str) -> bool:
    """Whether the noun means exactly this label: a person is not necessarily a director."""
    return names_label(noun, label) and (
        noun_kind(noun) != "person" or singular(noun.lower()) in _ANYBODY | {*label_words(label)}
    )


def check_existence(lookup: ClaimLookup, claim: Claim, reader: ClaimReader) -> Finding:
    """Check that an entity has a relation at all: "X has a spouse"."""
    part = claim.parts[0]
    found: list[tuple[float, Entity, ClaimPath]] = []
    for entity, link in lookup.entities(part):
        paths = [path for path in reader.beyond(claim.text, span_of(part), entity) if _states(lookup, claim, path)]
        found += [(path.score + LINK_WEIGHT * (link - 1), entity, path) for path in paths]
    found.sort(key=lambda each: -each[0])
    if not found or found[0][0] < MIN_SCORE or is_wordless(claim):
        return no_relation(claim)
    lookup.span.event("readings", claim=claim.text, paths=[[*hop_records(p), round(s, 3)] for s, _, p in found[:5]])
    near = [each for each in found if each[0] >= found[0][0] - MARGIN][:READINGS]
    findings = [_check_count(lookup, claim, entity, path, reading_confidence(score)) for score, entity, path in near]
    return next((finding for finding in findings if finding["verdict"] == SUPPORTED), findings[0])


def _states(lookup: ClaimLookup, claim: Claim, path: ClaimPath) -> bool:
    """Whether some word of a claim says a relation of a path."""
    reader = lookup.context.tools.reader
    if path.property_name is not None or reader is None:
        return path.property_name is None
    part = claim.parts[0]
    said = [t.text for t in tokens(claim.text) if t.content and not part.start <= t.start < part.end]
    steps = [Step(hop.relation, hop.forward, hop.target) for hop in path.hops]
    return any(reader.joins.agreement((word,), step) >= _SAID for word in said for step in steps)


def _check_count(lookup: ClaimLookup, claim: Claim, entity: Entity, path: ClaimPath, sure: float) -> Finding:
    """Compare the number of results with the claimed quantity; without one, at least one result is required."""
    query = Query((Chain(entity, path.hops),))
    queries = list(query_variants(entity, path.hops))
    rows = list({(row.id, row.name): row for row in lookup.answers(queries)}.values())
    keys: list[str] = []
    for each in queries if rows else ():
        keys += lookup.add_evidence(lookup.context.tools.space.evidence(each, [], TRIPLETS), each)
    quantity = claim.quantity or Quantity("at least", 1)
    verdict = SUPPORTED if _fits(len(rows), quantity) else REFUTED
    noun_text = without_article(words(query))
    reason = f"The {noun_text} in the graph: {name_list(rows)}." if rows else f"The graph has no {noun_text}."
    if claim.quantity is not None:
        reason = f"The graph has {len(rows)} as {noun_text}; the statement says {quantity.bound} {quantity.number}."
    return make_finding(claim, verdict, sure, reason, words(query), list(dict.fromkeys(keys)))


def _fits(count: int, quantity: Quantity) -> bool:
    number = quantity.number
    return {
        "at least": count >= number,
        "at most": count <= number,
        "more than": count > number,
        "fewer than": count < number,
        "exactly": count == number,
    }[quantity.bound]
