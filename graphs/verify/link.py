"""link: find the graph's names in the statement, and the claims that it makes about them."""

from __future__ import annotations

import re

from clew.agents.evidence import mention_ref
from clew.agents.linking.index_linker import read
from clew.agents.verifying.claims import Claim, claims_of
from clew.agents.verifying.decomposition import decompose
from clew.agents.verifying.unknown_names import sure_links, with_unknown_names
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.steps import StepResult, spoken
from clew.graphs.verify.identifiers import identified
from clew.graphs.verify.state import VerifyState
from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import tokens

_NUMBER = re.compile(r"\b\d[\d,.-]*\b")
_SURE = 0.93
"""Minimum link score of an ordinary word that is also a name ("is a *comedy*")."""
_SCHEMA_WORD = 0.65
"""An ordinary word with this cosine to a phrase of the schema is not read as a name."""


def link(state: VerifyState, context: Context, span: Span) -> StepResult:
    """The step that finds the entities which a statement names, and divides it into claims about them."""
    text = state["text"]
    found = read(text, context.tools.index)
    mentions = _with_numbers(text, sure_links(found.mentions), context)
    if len(mentions) < 2:
        mentions = _with_words(text, mentions, found.alternatives, context)
    mentions = sorted((m for m in mentions if m.candidates), key=lambda m: m.start)
    if (reader := context.tools.reader) is not None:
        mentions = identified(text, mentions, context)
        mentions = with_unknown_names(text, mentions, reader.knows, reader.names.partly)
    formula = decompose(text, [(m.start, m.end) for m in mentions])
    if formula is None and context.tools.reader is not None:
        formula = Claim(text, ())  # "There are three cities."
    claims = claims_of(formula) if formula is not None else []
    span.event("reading", mentions=list(map(mention_ref, mentions)), claims=[claim.text for claim in claims])
    names = ", ".join(f"\u201c{mention.text}\u201d" for mention in mentions)
    title = f"{spoken(len(claims), 'claim')} about {names}" if claims else "No name of the graph in it"
    return StepResult({"mentions": mentions, "formula": formula}, title, [claim.text for claim in claims])


def _with_numbers(text: str, mentions: list[Mention], context: Context) -> list[Mention]:
    """Add the numbers that are names of nodes, such as years; rows without names are called by numbers as well."""
    nameless = context.tools.reader.words.nameless if context.tools.reader is not None else ()
    for found in _NUMBER.finditer(text):
        start, end = found.start(), found.start() + len(found.group().rstrip(".,-"))
        if _overlaps(start, end, mentions):
            continue
        found_names = context.tools.index.search(text[start:end], m=3, mode="fuzzy")
        exact = [c for c in found_names if c.matcher == "exact" and c.entity.label not in nameless]
        if exact:
            mentions.append(Mention(start, end, text[start:end], tuple(exact)))
    return mentions


def _with_words(
    text: str, mentions: list[Mention], alternatives: tuple[Mention, ...], context: Context
) -> list[Mention]:
    """Add the best ordinary word that names a node and does not refer to the schema."""
    free = [
        m
        for m in alternatives
        if m.candidates
        and m.candidates[0].score >= _SURE
        and [token.content for token in tokens(m.text)] == [True]
        and not _overlaps(m.start, m.end, mentions)
    ]
    if free and context.tools.patterns is not None:
        near = context.tools.patterns.phrases.compare([m.text.lower() for m in free]).nearest
        mentions += [m for m, cosine in zip(free, near, strict=True) if cosine < _SCHEMA_WORD][:1]
    return mentions


def _overlaps(start: int, end: int, mentions: list[Mention]) -> bool:
    return any(m.start < end and start < m.end for m in mentions)
