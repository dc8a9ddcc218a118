"""The verbs of one graph's relations: by their names, and by their meanings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cache

from clew.tools.queries.lexical import stem
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.english.words import listed
from clew.tools.queries.reading.forms.form import Path, Step
from clew.tools.queries.reading.schema.voice import source_is_subject
from clew.tools.queries.relation_names import relation_words


@cache
def _made() -> frozenset[str]:
    return frozenset(map(stem, listed("verbs", "making")))


class RelationVerbs:
    """Which relations a verb says: "watched" of WATCHED, "owns" of SUBSIDIARY_OF."""

    def __init__(self, relations: Iterable[str], glosses: Glosses) -> None:
        self._said: dict[str, set[str]] = defaultdict(set)
        for relation in relations:
            own = relation_words(relation)[:1] if source_is_subject(Step(relation, True, "")) is not None else ()
            verbs = (each for each in glosses.verbs(relation, forward=True)[0] if " " not in each)
            for verb in (*own, *verbs):
                self._said[stem(verb)].add(relation)
        self._named: dict[str, set[str]] = defaultdict(set)
        for relation in relations:
            verb, *others = relation_words(relation) or ("",)
            if others in ([], ["by"], ["from"]):  # Who runs a line is none of what RUNS_ON it.
                self._named[stem(verb)].add(relation)

    def make(self, path: Path) -> bool:
        """Whether a relation says that somebody made something: "the posts *by* Ann" are those that she posted."""
        words = relation_words(path[0].relation)
        return len(path) == 1 and not {stem(word) for word in words}.isdisjoint(_made())

    def say_another(self, word: str, path: Path) -> bool:
        """Whether a word is the verb of relations of which a path takes none."""
        said = self._said.get(stem(word), set())
        return bool(said) and all(step.relation not in said for step in path)

    def name_another(self, said: Iterable[str], step: Step, others: Collection[Step]) -> bool:
        """Whether a word is the first of the name of one of some other relations: "makes" of `madeBy`, of which
        `developedBy` is a near synonym."""
        named = [found for word in said if (found := self._named.get(stem(word))) and step.relation not in found]
        return any(each.relation in found for found in named for each in others)
