"""Nouns for those who share something with somebody: colleagues, team-mates, classmates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from clew.tools.queries.lexical import Token, load_toml
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Noun
from clew.tools.queries.reading.forms.scoring import anchor, cost
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_LEAST_AGREEMENT = 0.6
_OF_ANY = ("guess", 0.5)
"""What it costs that such people are any of their label."""
_BESIDE = (("alongside",), ("together", "with"))
"""What makes a verb one of peers: "play alongside", "works together with"."""


def peers(tokens: Sequence[Token], words: SchemaWords, joins: Joins) -> Iterator[AnyItem]:
    """Each such noun, or verb with "alongside", as a role: the people who have the same relation to the same thing."""
    for first, token in enumerate(tokens):
        last = _beside(tokens, first)
        together = token.text.removeprefix("co-") if last else ""
        for verb in (together,) if together else _peers().get(singular(token.text), ()):
            for label in words.persons:
                for step in joins.from_label(label):
                    agreed = joins.agreement((verb,), step)
                    if agreed >= _LEAST_AGREEMENT and step.target not in words.persons:
                        yield _peer(first, last or first + 1, token, label, step, ("agreement", 1 - agreed))
                if not together and joins.direct(label, label):  # "Who supervises most colleagues?"
                    yield anchor(first, first + 1, Noun(Nodes(label), is_plural(token.text)), _OF_ANY)


def _beside(tokens: Sequence[Token], first: int) -> int:
    """Where "alongside" ends behind a verb and at most one noun, as in "wrote films together with"; 0 without."""
    texts = tuple(token.text for token in tokens[first : first + 4])
    if texts[0].startswith("co-") and texts[1:2] == ("with",):
        return first + 2
    ends = (first + i + len(each) for i in (1, 2) for each in _BESIDE if texts[i : i + len(each)] == each)
    return next(ends, 0)


def _peer(first: int, last: int, token: Token, label: str, step: Step, agreed: Feature) -> AnyItem:
    path = (step, step.back(label))
    noun = Noun(Nodes(label, links=(Link(path, Nodes(label)),)), is_plural(token.text), role=path)
    return Item(first, last, noun, cost([agreed]), (agreed,))


@cache
def _peers() -> Mapping[str, Sequence[str]]:
    """A noun → verbs for what its people do together."""
    found: Mapping[str, Sequence[str]] = load_toml("reading.english", "reading_words.toml")["peers"]
    return found
