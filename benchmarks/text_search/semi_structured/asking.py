"""Questions over a benchmark graph, each with the nodes that answer it.

Every part of a question is needed: without one of its relations, facts or comparisons more nodes would answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from typing import Any

from benchmarks.text_search.semi_structured.gold import FactKey, Gold, Relation, Wanted, key
from benchmarks.text_search.semi_structured.lexicon import Fact
from benchmarks.text_search.semi_structured.wording import BEST, BEST_LEADS, COMPARISONS, LAST, LEADS, NOUNS, ROUTES
from benchmarks.text_search.semi_structured.world import Node, World

MOST_ANSWERS = 20
QUOTA = {
    "relation": 40, "text": 60, "text+number": 20, "relation+text": 120, "two relations+text": 50,
    "relation+text+number": 40, "superlative": 30,
}  # fmt: skip
NESTED = tuple(p.split("{}")[0] for route in ROUTES if route.described for half in route.phrases for p in half)
"""How phrases begin that say what another node is like."""


def make_questions(world: World, quota: dict[str, int] = QUOTA) -> list[dict[str, Any]]:
    """Lines for a question file: question, answer_ids, type, and for diagnosis what is wanted (`gold`) and how the
    question says each fact (`phrases`)."""
    writer = _Writer(world)
    found, seen = [], set[str]()
    for kind, count in quota.items():
        made = 0
        while made < count:
            line = writer.attempt(kind)
            if line and line["question"] not in seen:
                seen.add(line["question"])
                found.append(line)
                made += 1
    return found


class _Writer:
    def __init__(self, world: World) -> None:
        self.world, self.gold = world, Gold(world)
        self.chance = Random(f"questions {world.seed}")
        self.half = world.seed % 2

    def attempt(self, kind: str) -> dict[str, Any] | None:
        """A question of the kind about a random node, or None where what was drawn makes no good one."""
        relations = {"relation": 1, "relation+text": 1, "two relations+text": 2, "relation+text+number": 1}.get(kind, 0)
        if kind == "superlative":
            relations = self.chance.choice((0, 1, 1))
        labels = ["Paper", "Compound", "Product", "Condition"]
        if relations and "number" not in kind:
            labels.append("Researcher")
        label = self.chance.choice(labels)
        node = self.chance.choice(self.world.of_label[label])
        phrases: dict[FactKey, str] = {}
        paths = self._paths(node, relations, phrases)
        described = bool(phrases)
        if len(paths) < relations or (label == "Researcher" and "text" in kind and not described):
            return None
        facts = self._facts(node, kind, described)
        phrases |= {key(fact): self.chance.choice(fact.asked) for fact in facts}
        wanted = Wanted(label, tuple(relation for _, relation in paths), tuple(key(fact) for fact in facts))
        said = [phrase for phrase, _ in paths] + [phrases[fact] for fact in wanted.facts]
        if kind.endswith("number"):
            line = self._compared(wanted, said, node, kind)
        elif kind == "superlative":
            line = self._best(wanted, said, kind)
        else:
            line = self._line(wanted, self._asked(label, said), kind)
        return line and {**line, "phrases": [[*fact, phrase] for fact, phrase in phrases.items()]}

    def _paths(self, node: Node, count: int, phrases: dict[FactKey, str]) -> list[tuple[str, Relation]]:
        """Relations of the node with the words for them, fewer where it lacks some; what is said of nodes that are
        not named goes to `phrases`."""
        routes = [route for route in ROUTES if route.label == node.label]
        found: list[tuple[str, Relation]] = []
        near = [route for route in routes if len(route.steps) == 1]
        for route in self.chance.sample(near if self.chance.random() < 0.5 else routes, count):
            ends = self.gold.ends(node.id, route.steps)
            if not ends:
                break
            end = self.world.nodes[self.chance.choice(ends)]
            phrase = self.chance.choice(route.phrases[self.half])
            if route.described:
                fact = self.chance.choice(list(end.facts.values()))
                phrases[key(fact)] = self.chance.choice(fact.asked)
                found.append((phrase.format(phrases[key(fact)]), Relation(route.steps, None, key(fact))))
            else:
                name = end.name.lower() if self.chance.random() < 0.1 else end.name
                found.append((phrase.format(name), Relation(route.steps, end.id)))
        return found

    def _facts(self, node: Node, kind: str, described: bool) -> list[Fact]:
        if kind == "relation" or not node.facts:
            return []
        count = {"text": self.chance.choice((3, 4, 4)), "text+number": 3, "superlative": 1}.get(kind, 0)
        if kind == "text" and node.label == "Condition":
            count = self.chance.choice((2, 3, 4))
        if not count:
            count = 1 if described or kind != "relation+text" else self.chance.choice((1, 1, 2))
        return self.chance.sample(list(node.facts.values()), count)

    def _compared(self, wanted: Wanted, said: list[str], node: Node, kind: str) -> dict[str, Any] | None:
        words, comparison = self.chance.choice(COMPARISONS[node.label])(node, self.chance)
        if not comparison.holds(node):
            return None
        wanted = Wanted(wanted.label, wanted.relations, wanted.facts, comparison)
        return self._line(wanted, self._asked(node.label, [*said, words]), kind)

    def _best(self, wanted: Wanted, said: list[str], kind: str) -> dict[str, Any] | None:
        if wanted.label == "Researcher":
            return None
        name, end, before, after = self.chance.choice(BEST[wanted.label])
        group = self.gold.answers(wanted)
        wanted = Wanted(wanted.label, wanted.relations, wanted.facts, best=(name, end))
        if not 3 <= len(group) <= 400 or len(self.gold.answers(wanted)) > 1:
            return None
        noun = self.chance.choice(NOUNS[wanted.label][self.half])
        lead = self.chance.choice(BEST_LEADS[self.half])
        return self._line(wanted, lead.format(before, noun, after, self._joined(said)), kind)

    def _asked(self, label: str, said: list[str]) -> str:
        noun = self.chance.choice(NOUNS[label][self.half])
        lead = self.chance.choice(LEADS[self.half]).format(noun, self._joined(said))
        return lead.replace(" a illness", " an illness").replace(" a item", " an item").replace(" a a", " an a")

    def _joined(self, said: list[str]) -> str:
        """In any order, but what is said of another node last, so that nothing after it seems to be said of it."""
        shuffled = sorted(self.chance.sample(said, len(said)), key=lambda phrase: phrase.startswith(NESTED))
        last = self.chance.choice(LAST[self.half])
        return shuffled[0] if len(said) == 1 else f"{', '.join(shuffled[:-1])} {last} {shuffled[-1]}"

    def _line(self, wanted: Wanted, text: str, kind: str) -> dict[str, Any] | None:
        answers = self.gold.answers(wanted)
        if not 1 <= len(answers) <= MOST_ANSWERS or not self._all_needed(wanted, len(answers)):
            return None
        if self.chance.random() < 0.1:
            text = text.lower()
        return {"question": text, "answer_ids": answers, "type": kind, "gold": asdict(wanted)}

    def _all_needed(self, wanted: Wanted, count: int) -> bool:
        """Whether each part left out lets in more answers (a best one is checked before)."""
        if wanted.best:
            return True
        parts = (*wanted.relations, *wanted.facts, wanted.comparison)
        return all(len(self.gold.answers(less)) > count for less in _without_one(wanted)) or len(parts) == 1


def _without_one(wanted: Wanted) -> Iterator[Wanted]:
    for i in range(len(wanted.relations)):
        yield Wanted(wanted.label, wanted.relations[:i] + wanted.relations[i + 1 :], wanted.facts, wanted.comparison)
    for i in range(len(wanted.facts)):
        yield Wanted(wanted.label, wanted.relations, wanted.facts[:i] + wanted.facts[i + 1 :], wanted.comparison)
    if wanted.comparison:
        yield Wanted(wanted.label, wanted.relations, wanted.facts)
