"""How two sets of nodes may be related, and how well the words between them say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path as Folder

import numpy as np

from clew.tools.embedding import Embedder
from clew.tools.graph.schema import Schema
from clew.tools.queries.lexical import stem
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.ranking.lexicon import is_symmetric
from clew.tools.queries.ranking.similarity import embedded
from clew.tools.queries.reading.english.inflection import kin
from clew.tools.queries.reading.english.verb_synonyms import with_synonyms
from clew.tools.queries.reading.english.words import listed
from clew.tools.queries.reading.forms.form import Path, Step
from clew.tools.queries.reading.forms.wider_labels import Wider, narrowed
from clew.tools.queries.reading.schema.phrases import Phrase, overlap, weight_of
from clew.tools.queries.reading.schema.relation_choices import Choices
from clew.tools.queries.reading.schema.relation_verbs import RelationVerbs
from clew.tools.queries.reading.schema.said_vectors import SaidVectors
from clew.tools.queries.reading.schema.unions import of_any, with_unions
from clew.tools.queries.reading.schema.voice import Voices
from clew.tools.queries.reading.schema.ways import Ways
from clew.tools.queries.relation_names import relation_words

_LOW, _WIDTH, _MOST = 0.35, 0.4, 0.92
"""The cosine that says nothing, the distance to one that says all, and the most that a cosine can say."""
_OTHER_WORDS = 0.92
"""How much words for a relation say beside the words of its own name."""
_UNSAID = 0.5
"""How well a word says, at most, a relation that it does not name."""
_MOST_DETOURS = 4
"""Paths of two steps between labels that nothing relates."""
_MOST_KEPT = 100_000
"""Agreements that are remembered."""
PAST = frozenset({"formerly", "former", "previously", "previous", "past", "ex", "earlier", "once", "used", "ever"})
"""Words of relations, and of clauses, that are of the past."""
_PLACING = frozenset({"in", "located", "part", "within", "inside", "at", "location", "belongs", "situated"})


class Joins:
    """The relations of one schema between labels. Agreement is between 0 (nothing in common) and 1 (the same words)."""

    def __init__(
        self,
        schema: Schema,
        glosses: Glosses,
        embedder: Embedder,
        said: SaidVectors,
        wider: Wider,
        cache: Folder | None = None,
    ) -> None:
        self._glosses, self.wider, self.ways = glosses, wider, Ways(schema)
        self._direct: dict[tuple[str, str], list[Step]] = defaultdict(list)
        self._from: dict[str, list[tuple[Step, int]]] = defaultdict(list)
        for relation in schema.relations:
            either = relation.source == relation.target and is_symmetric(relation.type)
            forward = Step(relation.type, True, relation.target, either)
            self._add(relation.source, forward, relation.count)
            if not either:
                self._add(relation.target, Step(relation.type, False, relation.source), relation.count)
        self.verbs = RelationVerbs({relation.type for relation in schema.relations}, glosses)
        self._phrases = {relation.type: self._said(relation.type) for relation in schema.relations}
        self.past = frozenset(each for each in self._phrases if PAST & set(relation_words(each)))
        """The relations of the past."""
        self._stems = {
            relation: [
                Phrase.of(phrase, 1.0 if phrase == relation_words(relation) else _OTHER_WORDS)
                for phrase in (*phrases, *with_synonyms(relation_words(relation)))
            ]
            for relation, phrases in self._phrases.items()
        }
        self._said_vectors = said
        texts = sorted({" ".join(p) for phrases in self._phrases.values() for p in phrases})
        self._row = {text: i for i, text in enumerate(texts)}
        self._vectors = embedded(texts, embedder, cache)
        self._said_by: dict[str, set[str]] = defaultdict(set)
        for relation_type, said_so in self._stems.items():
            for form in {form for each in said_so for form in each.forms}:
                self._said_by[form].add(relation_type)
        rows = [sorted({self._row[" ".join(p)] for p in phrases}) for phrases in self._phrases.values()]
        self._ordered = [name for name, own in zip(self._phrases, rows, strict=True) if own]
        self._rows = np.array([row for own in rows for row in own], dtype=np.int64)
        self._starts = np.cumsum([0, *(len(own) for own in rows if own)])[:-1]
        self._of_word: dict[str, dict[str, float]] = {}
        self._spelled = lru_cache(_MOST_KEPT)(self._spelled_in)
        self._placing: dict[tuple[str, bool], bool] = {}
        self._rivalry: dict[tuple[Step, str], float] = {}
        self._chosen: dict[tuple[str, str], Choices] = {}
        self._asked: dict[str, list[Step]] = {}
        self._paths: dict[tuple[str, str], list[Path]] = {}
        self._two_steps: dict[tuple[str, str], list[tuple[int, Path]]] = {}

    def _add(self, source: str, step: Step, count: int) -> None:
        self._direct[source, step.target].append(step)
        self._from[source].append((step, count))

    def know(self, label: str) -> None:
        """Know the steps of a label that stands for any of several, of a set that a conversation left: those of each.

        Args:
            label: As of `wider_labels.either_of`; any other one is known already.
        """
        if label in self._from:
            return
        self._from[label] = of_any(each for one in narrowed(label) for each in self._from.get(one, ()))
        for step, _ in self._from[label]:
            self._direct[label, step.target].append(step)
            self._direct[step.target, label].append(step.back(label))

    def from_label(self, label: str) -> list[Step]:
        """Every step that the nodes of a label can have."""
        return [step for step, _ in self._from.get(label, ())]

    def asked_from(self, label: str) -> list[Step]:
        """The steps that a question word may mean: each to one label, and to all labels that a relation leads to."""
        if label not in self._asked:
            self._asked[label] = with_unions(self._widest_from(label))
        return self._asked[label]

    def is_one_of_several(self, step: Step, source: str) -> bool:
        """Whether a step leads to one label, and its relation to several labels that a question word may mean."""
        ways = [
            each for each in self.asked_from(source) if (each.relation, each.forward) == (step.relation, step.forward)
        ]
        return any(step.target != each.target and step.target in narrowed(each.target) for each in ways)

    def alike(self, one: str, other: str) -> bool:
        """Whether a node may be of both labels."""
        return bool(set(narrowed(one, self.wider)) & set(narrowed(other, self.wider)))

    def _widest_from(self, label: str) -> list[Step]:
        """Every step that the nodes of a label can have; of labels above others only those that add something."""
        counts = {(step.relation, step.forward, step.target): count for step, count in self._from.get(label, ())}
        kept = []
        for step, count in self._from.get(label, ()):
            below = [counts.get((step.relation, step.forward, each), 0) for each in self.wider.get(step.target, ())]
            above = [counts.get((step.relation, step.forward, w), 0) for w, n in self.wider.items() if step.target in n]
            if all(count > each for each in below) and all(count >= each for each in above):
                kept.append(step)
        return kept

    def most_frequent(self, label: str) -> Step | None:
        """The step that the nodes of a label have most often."""
        return max(self._from.get(label, ()), key=lambda each: each[1], default=(None, 0))[0]

    def paths(self, source: str, target: str) -> list[Path]:
        """The ways from one label to another: direct ones; where there is none, or where the last step is one of
        containment ("rivers in the country"), those of two steps."""
        key = (source, target)
        if key not in self._paths:
            direct: list[Path] = [(step,) for step in self._direct.get(key, ())]
            self._paths[key] = direct or self._of_two(source, target)
        return self._paths[key]

    def direct(self, source: str, target: str) -> Sequence[Step]:
        """The steps from one label to another."""
        return self._direct.get((source, target), ())

    def through(self, source: str, target: str, middle: str) -> list[Path]:
        """The paths of two steps from one label to another through a third: what customers booked, by Booking."""
        ahead, behind = self._direct.get((source, middle), ()), self._direct.get((middle, target), ())
        return [(first, second) for first in ahead for second in behind]

    def _of_two(self, source: str, target: str) -> list[Path]:
        """Paths of two steps: those of containment, and the most frequent of the others."""
        found = sorted(self.two_steps(source, target), key=lambda each: -each[0])
        contained = [path for _, path in found if self._contains(*path)]
        contained.sort(key=lambda path: not self._all_contain(path))
        return contained or [path for _, path in found[:_MOST_DETOURS]]

    def two_steps(self, source: str, target: str) -> list[tuple[int, Path]]:
        """All paths of two steps through a third label, each with the number of the first relation."""
        key = (source, target)
        if key not in self._two_steps:
            self._two_steps[key] = [
                (count, (first, second))
                for first, count in self._from.get(source, ())
                for second in self._direct.get((first.target, target), ())
                if first.target not in key
            ]
        return self._two_steps[key]

    def _contains(self, first: Step, second: Step) -> bool:
        return self.is_placing(second) or self.is_placing(first.back(""))

    def _all_contain(self, path: Path) -> bool:
        """Whether every step leads to what a thing is in, or every one to what is in it: the museums in cities in
        countries, rather than those that keep what a country commissioned."""
        return all(map(self.is_placing, path)) or all(self.is_placing(step.back("")) for step in path)

    def is_placing(self, step: Step) -> bool:
        """Whether a step leads to what a thing is in."""
        key = (step.relation, step.forward)
        if key not in self._placing:
            words = set(relation_words(step.relation))
            said = words <= listed("places", "of_relations") or bool(words & _PLACING)
            self._placing[key] = step.forward and said and "with" not in words
        return self._placing[key]

    def rivalry(self, path: Path, source: str, among: Callable[[Step], int] | None = None) -> float:
        """What a choice among several relations to the same label costs: more for a rarer one (-log of its share).

        Args:
            path: The path; its first step is the choice.
            source: The label that it starts from.
            among: How many relationships named nodes have for a step. The cost is then the mean of that among the
                relationships of these nodes and of that in the whole graph, of the relations that the nodes have.
        """
        step = path[0]
        choices = self._choices(source, step.target)
        if among is not None:
            held = [among(each) for each, _ in choices.steps]
            known = choices.rarity(step, [count if n else 0 for n, (_, count) in zip(held, choices.steps, strict=True)])
            return (known + choices.rarity(step, held)) / 2
        key = (step, source)
        if key not in self._rivalry:
            self._rivalry[key] = choices.rarity(step, [count for _, count in choices.steps])
        return self._rivalry[key]

    def _choices(self, source: str, target: str) -> Choices:
        """The steps from one label to another, each of which may stand for several labels."""
        key = (source, target)
        if key not in self._chosen:
            ends = narrowed(target)
            steps = [each for label in narrowed(source) for each in self._from.get(label, ()) if each[0].target in ends]
            alike = [replace(each, target=target) for each, _ in steps]
            place = {each: number for number, each in enumerate(dict.fromkeys(alike))}
            self._chosen[key] = Choices(steps, [place[each] for each in alike], place, source)
        return self._chosen[key]

    # ---- agreement --------------------------------------------------------------------------------------------------

    def agreement(self, words: tuple[str, ...], step: Step) -> float:
        """How well words say a step, whichever way it goes; their vectors are those of `SaidVectors`."""
        found, key = self._said_vectors.found, (words, step.relation)
        if (known := found.get(key)) is None:
            known = found[key] = self._agree(words, step.relation)
        return known

    def agreements(self, word: str) -> Mapping[str, float]:
        """The relations that a word says, and how well; the same as `agreement`, of all relations at once."""
        if (vector := self._said_vectors.vector(word)) is None:
            return self._spelled(word)
        if word not in self._of_word:
            found = dict(self._spelled(word))
            if self._ordered:
                cosines = np.maximum.reduceat((self._vectors @ vector)[self._rows], self._starts)
                shares = np.clip((cosines - _LOW) / _WIDTH, 0.0, _MOST)
                near = ((self._ordered[i], float(shares[i])) for i in np.flatnonzero(shares))
                found |= {relation: max(share, found.get(relation, 0.0)) for relation, share in near}
            if len(self._of_word) > _MOST_KEPT:
                self._of_word.clear()
            self._of_word[word] = found
        return self._of_word[word]

    def says_another(self, word: str, path: Path) -> bool:
        """Whether a word is the verb of a relation that a path does not take, and says nothing of that path."""
        own = self._spelled(word) if self.verbs.say_another(word, path) else None
        return own is not None and all(own.get(step.relation, 0.0) < _UNSAID for step in path)

    def _spelled_in(self, word: str) -> dict[str, float]:
        """The relations that have a word in what people say for them, and how well it says them."""
        stems = [(stem(word), kin(word), weight_of(word))]
        return {
            relation: max(phrase.own * overlap(stems, phrase) for phrase in self._stems[relation])
            for relation in self._said_by.get(stems[0][0], set()) | self._said_by.get(stems[0][1], set())
        }

    def _agree(self, words: tuple[str, ...], relation: str) -> float:
        stems = [(stem(word), kin(word), weight_of(word)) for word in words]
        said = self._stems.get(relation, ())
        if any(relation in self._said_by.get(form, ()) for each in stems for form in each[:2]):
            spelled = max((phrase.own * overlap(stems, phrase) for phrase in said), default=0.0)
        else:
            spelled = 0.0
        if spelled >= _MOST or (vector := self._said_vectors.vector(" ".join(words))) is None:
            return spelled
        rows = [self._row[" ".join(phrase)] for phrase in self._phrases[relation]]
        cosine = float((self._vectors[rows] @ vector).max()) if rows else 0.0
        return max(spelled, min(_MOST, max(0.0, (cosine - _LOW) / _WIDTH)))

    def _said(self, relation: str) -> list[tuple[str, ...]]:
        """What people say for a relation between its two ends, as words."""
        own = [*self._glosses.phrases(relation, forward=True), *self._glosses.phrases(relation, forward=False)]
        own += self._glosses.verbs(relation, forward=True)[0]
        own.append(" ".join(relation_words(relation)))
        return list(dict.fromkeys(tuple(phrase.split()) for phrase in own if phrase))

    @cached_property
    def voices(self) -> Voices:
        return Voices(self._glosses, self.is_placing)
