"""The words people use for each hop of a graph: the general lexicon, the identifiers themselves, and a gloss file
that users can write for their graph.

A gloss file is TOML, one table a relationship type or property:

    [SUPPLIES]
    forward = ["supplies", "delivers to"]      # what is said when asking for the end it leads to
    backward = ["supplier", "who supplies"]    # what is said when asking for the end it starts from
    answer = "place"                           # optional: the kind of thing it leads to

    [labels]
    Film = ["movie", "picture"]                # other words for the nodes of a label

    [definitions]
    "long film" = "a Film with runtime > 180"  # a phrase for a set of nodes
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import UNSPECIFIC_LABELS, load_toml, plural
from clew.tools.queries.ranking.lexicon import Meaning, meaning
from clew.tools.queries.relation_names import relation_words

KIND_WORDS: dict[str, tuple[str, ...]] = {
    "person": ("person", "people", "player", "member"),
    "work": ("work",),
    "group": ("company", "organisation", "team"),
    "place": ("place", "city", "location"),
    "country": ("country", "nation"),
    "time": ("year", "date", "time"),
    "number": ("number",),
    "language": ("language",),
    "category": ("category", "kind"),
    "event": ("event",),
    "cause": ("cause",),
    "job": ("job", "profession"),
}
"""What nodes may be called where their label says nothing ("Entity")."""


@dataclass(frozen=True, slots=True)
class Gloss:
    """A user's words for one relationship type or property."""

    forward: tuple[str, ...] = ()
    backward: tuple[str, ...] = ()
    answer: str | None = None


@dataclass(frozen=True)
class Glosses:
    """The glosses of one graph; without a file, the lexicon alone speaks."""

    relations: dict[str, Gloss] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    """Phrase → the set of nodes that it stands for, in words."""

    @classmethod
    def load(cls, path: Path) -> Glosses:
        """Read a gloss file. Raises BadInput naming the file, the table and what is wrong with it."""
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadInput(
                f"{path}: cannot be read as a gloss file: {error}", "It is TOML; see docs/glosses.md."
            ) from None
        definitions = _definitions(path, table.pop("definitions", {}))
        labels = table.pop("labels", {})
        if not isinstance(labels, dict):
            raise BadInput(f"{path}: [labels] must be a table of lists of words.", "See docs/glosses.md.")
        labels = {name: _phrases(path, f"labels.{name}", value) for name, value in labels.items()}
        return cls({name: _gloss(path, name, row) for name, row in table.items()}, labels, definitions)

    def phrases(self, relation: str, *, forward: bool) -> tuple[str, ...]:
        """What people say for a hop along `relation`."""
        own = self.relations.get(relation, Gloss())
        found = own.forward if forward else own.backward
        sense = self._meaning(relation, forward)
        identifier = " ".join(relation_words(relation))
        if sense is not None:
            return (*found, *sense.phrases, *((identifier,) if forward else ()))
        return (*found, identifier) if forward else (*found, f"{identifier} of", identifier)

    def peer_phrases(self, relation: str, *, forward: bool) -> tuple[str, ...]:
        """What people say for a hop and straight back again: "same director", "co-star"."""
        sense = self._meaning(relation, forward)
        if sense is None:
            identifier = " ".join(relation_words(relation))
            return (f"same {identifier}", f"share {identifier}")
        back = sense.reversed()
        made = [
            phrase
            for noun in sense.phrases[:2]
            for phrase in (f"same {noun}", f"share {noun}", f"also {back.phrases[0]}")
        ]
        return (*back.concept.peers[back.end], *made)

    def label_phrases(self, label: str, kind: str | None) -> tuple[str, ...]:
        """What the nodes of a label are called; `kind` is what the relations that lead there say of them."""
        words = " ".join(identifier_words(label))
        own = self.labels.get(label, ())
        if words in UNSPECIFIC_LABELS:
            return (*own, *KIND_WORDS.get(kind or "", ()))
        others = _label_words().get(words, ())
        first, _, last = words.rpartition(" ")
        others += tuple(f"{first} {word}" for word in _label_words().get(last, ()) if first)
        return (*own, *(form for word in (words, *others) for form in (word, plural(word))))

    def verbs(self, relation: str, *, forward: bool) -> tuple[tuple[str, ...], bool]:
        """Active verbs for the relation, and whether a hop along it leads to their subject."""
        sense = self._meaning(relation, forward)
        return ((), False) if sense is None else (sense.verbs, sense.is_subject)

    def kind(self, relation: str, *, forward: bool) -> str | None:
        """The kind of thing a hop leads to, None where nobody knows."""
        own = self.relations.get(relation)
        if forward and own is not None and own.answer is not None:
            return own.answer
        sense = self._meaning(relation, forward)
        return None if sense is None else sense.kind

    def sense(self, relation: str, *, forward: bool) -> tuple[str, str] | None:
        """Identifies what a hop means, so that two relations of one meaning are seen to be alike."""
        found = self._meaning(relation, forward)
        return None if found is None else (found.concept.name, found.end)

    @staticmethod
    def _meaning(relation: str, forward: bool) -> Meaning | None:
        found = meaning(relation)
        return found if found is None or forward else found.reversed()


@cache
def _label_words() -> dict[str, tuple[str, ...]]:
    return {label: tuple(words) for label, words in load_toml("ranking", "label_words.toml").items()}


def _gloss(path: Path, name: str, row: Any) -> Gloss:
    known = {"forward", "backward", "answer"}
    if not isinstance(row, dict) or set(row) - known:
        raise BadInput(f"{path}: [{name}] may hold only {', '.join(sorted(known))}.", "See docs/glosses.md.")
    answer = row.get("answer")
    if answer is not None and answer not in tuple(KIND_WORDS):
        raise BadInput(
            f"{path}: [{name}] answer = {answer!r} is none of {', '.join(KIND_WORDS)}.", "See docs/glosses.md."
        )
    return Gloss(_phrases(path, name, row.get("forward", [])), _phrases(path, name, row.get("backward", [])), answer)


def _definitions(path: Path, table: Any) -> dict[str, str]:
    rows: Iterable[tuple[str, Any]] = table.items() if isinstance(table, dict) else [("", None)]
    if not all(isinstance(text, str) and text.strip() and phrase.strip() for phrase, text in rows):
        raise BadInput(
            f"{path}: [definitions] must be a table of phrases, each with its meaning as a text.",
            'Write, for example, "major city" = "a City with population > 150000"; see docs/glosses.md.',
        )
    return {" ".join(phrase.split()): " ".join(text.split()) for phrase, text in rows}


def _phrases(path: Path, name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise BadInput(f"{path}: {name} must be a list of non-empty strings.", "See docs/glosses.md.")
    return tuple(value)
