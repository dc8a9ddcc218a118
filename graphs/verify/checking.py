"""Checking one claim in the graph without a model.

The reader of questions reads the claim as a logical form, literally or as a question. The claim is supported if the
graph has what the form says. It is refuted if the graph has other facts of that kind about its entities. It is unknown
if the graph has none, because the graph may be incomplete, or if some of the claim's words mean nothing in the graph.
"""

from __future__ import annotations

import re

from clew.agents.kinds import label_words, names_label, noun_kind, singular
from clew.agents.verifying.claims import Claim
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding
from clew.graphs.verify.asked import ONLY, check_asked, is_asked_first
from clew.graphs.verify.forms import check_form, other_value, unexplained_name
from clew.graphs.verify.lookup import ClaimLookup, make_finding, names_of, no_relation
from clew.tools.queries.lexical import tokens
from clew.tools.queries.reading.rules.agreement import comparing
from clew.tools.queries.space.words import noun_of


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
    if _compared(claim.text):
        finding = make_finding(claim, UNKNOWN, 0.5, "Clew does not read this comparison.")
    elif claim.parts:
        finding = check_type(lookup, claim) or no_relation(claim)
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
_ANYBODY = frozenset({"person", "human", "man", "woman", "guy"})
_TYPE = re.compile(r"\s*(?:is|was)\s+(?:a|an|the)\s+(\w+)\s*", re.I)


def check_type(lookup: ClaimLookup, claim: Claim) -> Finding | None:
    """Check "X is a film" by the labels of X; None if it is no such claim, or the noun names no label."""
    part = claim.parts[0]
    noun_text = _TYPE.fullmatch(claim.text[part.end :])
    if len(claim.parts) > 1 or part.mention is None or noun_text is None or claim.text[: part.start].strip():
        return None
    noun = noun_text.group(1)
    labels = {entity.label for entity in lookup.entities(part)}
    if not any(_names(noun, label) for label in lookup.context.tools.schema.labels):
        return None
    holds = any(_names(noun, label) for label in labels)
    label = " or ".join(sorted(noun_of(label) for label in labels))
    name = lookup.entities(part)[0].name
    reason = f"In the graph {name} is a {label}."
    return make_finding(claim, SUPPORTED if holds else REFUTED, 0.9, reason, f"{name} is a {label}")


def _names(noun: str, label: str) -> bool:
    """Whether the noun means exactly this label: a person is not necessarily a director."""
    return names_label(noun, label) and (
        noun_kind(noun) != "person" or singular(noun.lower()) in _ANYBODY | {*label_words(label)}
    )
