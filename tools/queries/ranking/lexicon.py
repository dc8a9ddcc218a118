"""What a relationship or property name means in general English: its concept, which end it leads to, and what
people say when they ask for that end. Data: lexicon.toml."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from clew.tools.queries.lexical import load_toml, stem
from clew.tools.queries.relation_names import relation_words

End = Literal["a", "b"]

LEAST_OVERLAP = 0.6
"""Below this a name is taken to be outside the lexicon and speaks for itself."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A relation as people think of it, with two ends (see the head of lexicon.toml)."""

    name: str
    forms: dict[End, tuple[str, ...]]
    phrases: dict[End, tuple[str, ...]]
    peers: dict[End, tuple[str, ...]]
    kinds: dict[End, str]
    verbs: tuple[str, ...] = ()
    """Active verbs …"""
    subject: End | None = None
    """… and the end that is their subject."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name means when it is followed in its own direction: it leads to `end` of `concept`."""

    concept: Concept
    end: End

    def reversed(self) -> Meaning:
        return Meaning(self.concept, "b" if self.end == "a" else "a")

    @property
    def phrases(self) -> tuple[str, ...]:
        return self.concept.phrases[self.end]

    @property
    def verbs(self) -> tuple[str, ...]:
        return self.concept.verbs

    @property
    def is_subject(self) -> bool:
        """Whether that end does what the verbs say."""
        return self.end == self.concept.subject

    @property
    def kind(self) -> str:
        """The kind of thing at that end: person, place, time, …"""
        return self.concept.kinds[self.end]


@cache
def concepts() -> dict[str, Concept]:
    """Every concept of the lexicon by name."""
    return {
        name: Concept(
            name,
            {"a": tuple(row["to_a"]), "b": tuple(row["to_b"])},
            {"a": tuple(row["a"]), "b": tuple(row["b"])},
            {"a": tuple(row.get("peers_a", ())), "b": tuple(row.get("peers_b", ()))},
            {"a": row["type_a"], "b": row["type_b"]},
            tuple(row.get("verbs", ())),
            row.get("subject"),
        )
        for name, row in load_toml("ranking", "lexicon.toml").items()
    }


@cache
def meaning(name: str) -> Meaning | None:
    """The best reading of a relationship or property name, None where the lexicon has nothing near.

    An exact form wins; otherwise forms are compared by shared word stems, the last word counting more.
    """
    words = relation_words(name)
    exact = _exact_forms().get(words)
    if exact is not None:
        return exact
    active = _exact_forms().get(words[:-1]) if words[-1:] == ("by",) else None
    if active is not None and active.is_subject is not active.reversed().is_subject:
        return active.reversed()  # "mentored by" leads to whoever mentored.
    noun = _exact_forms().get(words[:-1]) if words[-1:] == ("of",) else None
    if noun is not None:
        return noun.reversed()  # "offspring of" leads to the parents.
    if len(words) == 1 and (verbal := _verbs().get(words[0])) is not None:
        return verbal
    stems = [stem(word) for word in words]
    best, best_overlap = None, LEAST_OVERLAP
    for form, form_stems, candidate in _stemmed_forms():
        shared = len(set(form_stems) & set(stems))
        if not shared:
            continue
        overlap = shared / len(set(form_stems) | set(stems))
        overlap += 0.2 * (form_stems[-1] == stems[-1]) + 0.05 * (form[-1] == words[-1])
        overlap += 0.3 * all(stem in stems for stem in form_stems)
        if overlap > best_overlap:
            best, best_overlap = candidate, overlap
    return best


@cache
def _exact_forms() -> dict[tuple[str, ...], Meaning]:
    found: dict[tuple[str, ...], Meaning] = {}
    for form, _, candidate in _stemmed_forms():
        found.setdefault(form, candidate)
    return found


@cache
def _verbs() -> dict[str, Meaning]:
    """The verbs of concepts: "mentors" leads to whoever is mentored."""
    return {
        verb: Meaning(concept, "b" if concept.subject == "a" else "a")
        for concept in concepts().values()
        if concept.subject is not None
        for verb in concept.verbs
    }


@cache
def _stemmed_forms() -> tuple[tuple[tuple[str, ...], tuple[str, ...], Meaning], ...]:
    rows = []
    for concept in concepts().values():
        ends: tuple[End, End] = ("a", "b")
        for end in ends:
            for form in concept.forms[end]:
                words = tuple(form.split())
                rows.append((words, tuple(stem(word) for word in words), Meaning(concept, end)))
    return tuple(rows)


_TOGETHER = frozenset({
    "partnered", "partners", "partner", "teamed", "paired", "collaborated", "collaborates", "allied", "twinned",
    "married", "engaged", "merged", "shared", "worked", "affiliated", "friends", "acquainted", "related", "linked",
    "connected",
})  # fmt: skip
"""Verbs that two do with each other alike."""


def is_symmetric(relation: str) -> bool:
    """Whether the direction of a relation means nothing: both ends are called the same."""
    first, *others = relation_words(relation) or ("",)
    if others == ["with"] and first in _TOGETHER:
        return True
    found = meaning(relation)
    return found is not None and set(found.phrases) == set(found.reversed().phrases)
