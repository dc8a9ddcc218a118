"""Questions about the demo graph with their queries, drawn at random: the graph's entities in the phrases of
`phrases.toml`. Not one of the questions in `demo/questions.jsonl` is looked at."""

from __future__ import annotations

import csv
import random
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.tools.graph.entity import Entity
from clew.tools.queries.space.query import Chain, Hop, Order, Query

HERE = Path(__file__).resolve().parent
GRAPH = HERE.parent / "graph"
SHAPES = {
    "path": 20, "property": 3, "property of path": 2, "both": 6, "shared": 3, "count": 4, "extreme": 1, "extreme of": 4
}  # fmt: skip
"""How often each is drawn, of those that can be made."""
MISTYPED = 0.06
"""Share of the names that are not written as they should be, of those with more than LONG letters."""
LONG = 5
_PLAIN = ("please tell me ", "do you know ", "can you tell me ")


@dataclass(frozen=True, slots=True)
class Step:
    """A hop along or against a relationship from a node."""

    relation: str
    forward: bool
    end: str

    @property
    def key(self) -> str:
        return f"{self.relation}{'>' if self.forward else '<'}"


class World:
    """The graph's files in memory."""

    def __init__(self, graph: Path = GRAPH) -> None:
        self.nodes: dict[str, Entity] = {}
        self.properties: dict[str, list[str]] = {}
        for path in sorted(graph.glob("nodes-*.csv")):
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    self._add(row)
        self.steps: dict[str, list[Step]] = defaultdict(list)
        with (graph / "edges.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                head, tail, relation = row[":START_ID"], row[":END_ID"], row[":TYPE"]
                self.steps[head].append(Step(relation, True, tail))
                self.steps[tail].append(Step(relation, False, head))

    def around(self, entity: Entity) -> list[Query]:
        """Its properties, and the paths of one and two hops that lead somewhere, as queries.space.around has them
        of a database."""
        found = [
            Query((Chain(entity, ()),), returns="property", property_name=name) for name in self.properties[entity.id]
        ]
        paths: dict[tuple[Hop, ...], set[str]] = {(): {entity.id}}
        for _ in range(2):
            longer: dict[tuple[Hop, ...], set[str]] = {}
            for path, ends in paths.items():
                for end in sorted(ends):
                    for step in self.steps[end]:
                        hop = Hop(step.relation, step.forward, self.nodes[step.end].label)
                        longer.setdefault((*path, hop), set()).add(step.end)
            found += [Query((Chain(entity, path),)) for path in longer]
            paths = longer
        return found

    def _add(self, row: dict[str, str]) -> None:
        columns = {name: name.partition(":")[0] for name in row}
        id = row["id:ID"]
        self.nodes[id] = Entity(id, row["name"], row[":LABEL"])
        self.properties[id] = [name for column, name in columns.items() if name and row[column]]


def drawn_questions(wanted: int, seed: int) -> Iterator[tuple[str, Query]]:
    """`wanted` questions with their queries; the same for the same seed."""
    maker = _Maker(World(), random.Random(seed))
    count = 0
    while count < wanted:
        made = maker.make()
        if made is not None:
            count += 1
            yield made


class _Maker:
    def __init__(self, world: World, chance: random.Random) -> None:
        self._world, self._chance = world, chance
        self._phrases = tomllib.loads((HERE / "phrases.toml").read_text(encoding="utf-8"))
        self._steps = self._phrases["steps"]
        by_key: dict[str, list[str]] = defaultdict(list)
        for id, steps in sorted(world.steps.items()):
            for key in sorted({step.key for step in steps}):
                by_key[key].append(id)
        self._starts = {key: ids for key, ids in by_key.items() if key in self._steps}

    def make(self) -> tuple[str, Query] | None:
        shape = self._chance.choices(list(SHAPES), list(SHAPES.values()))[0]
        made = {
            "path": self._path,
            "property": self._property,
            "property of path": self._property_of_path,
            "both": self._both,
            "shared": self._shared,
            "count": self._count,
            "extreme": self._extreme,
            "extreme of": self._extreme_of,
        }[shape]()
        if made is None:
            return None
        question, query = made
        return self._worded(question), query

    def _worded(self, question: str) -> str:
        """With the slips and turns of people."""
        chance = self._chance.random()
        if chance < 0.15:
            question = question.rstrip("?")
        elif chance < 0.2:
            question = self._chance.choice(_PLAIN) + question
        return question[:1].upper() + question[1:] if self._chance.random() < 0.6 else question

    def _walk(self, hops: int) -> tuple[Entity, list[Step]] | None:
        """From a node of a relation drawn at random, so that rare relations come up as well."""
        key = self._chance.choice(list(self._starts))
        id = self._chance.choice(self._starts[key])
        start, steps = self._world.nodes[id], list[Step]()
        for number in range(hops):
            by_key: dict[str, list[Step]] = defaultdict(list)
            for step in self._world.steps[id]:
                if step.key in self._steps and not (steps and self._turns(steps[-1], step)):
                    by_key[step.key].append(step)
            if number == 0:
                by_key = defaultdict(list, {key: by_key[key]})
            if not by_key:
                return None
            chosen = self._chance.choice(by_key[self._chance.choice(sorted(by_key))])
            steps.append(chosen)
            id = chosen.end
        return start, steps

    def _turns(self, before: Step, step: Step) -> bool:
        """Back along what one came by: said of casts and directors, but of little else."""
        back = before.relation == step.relation and before.forward != step.forward
        return back and before.relation not in ("ACTED_IN", "DIRECTED", "COMPOSED_MUSIC_FOR")

    def _path(self) -> tuple[str, Query] | None:
        walk = self._walk(self._chance.choice((1, 1, 1, 2, 2, 2, 3)))
        if walk is None:
            return None
        start, steps = walk
        end = self._world.nodes[steps[-1].end].label
        typed = steps[-1].key == "BORN_IN>" and end in self._phrases["typed"] and self._chance.random() < 0.5
        question = self._asked(self._named(start), steps, end if typed else None)
        return question, Query((Chain(start, self._hops(steps, typed=typed)),))

    def _asked(self, text: str, steps: Sequence[Step], end: str | None) -> str:
        """A question for where the steps end, by the label `end` if given; every step but the last is a phrase."""
        text = self._inner(text, steps[:-1])
        if end is not None:
            phrase = str(self._chance.choice(self._phrases["typed"][end]))
            text = phrase.format(text)
        elif self._chance.random() < 0.7:
            text = str(self._chance.choice(self._steps[steps[-1].key]["ask"])).format(text)
        else:
            noun = str(self._chance.choice(self._steps[steps[-1].key]["noun"])).format(text)
            text = self._chance.choice(("{}", "what is {}?", "who is {}?", "which are {}?", "name {}")).format(noun)
        return text

    def _inner(self, text: str, steps: Sequence[Step]) -> str:
        for step in steps:
            text = str(self._chance.choice(self._steps[step.key]["noun"])).format(text)
        return text

    def _hops(self, steps: Sequence[Step], *, typed: bool = False) -> tuple[Hop, ...]:
        """`typed`: the last one names the label of its end."""
        ends = [self._world.nodes[step.end].label for step in steps]
        return tuple(
            Hop(step.relation, step.forward, end, typed=typed and step is steps[-1])
            for step, end in zip(steps, ends, strict=True)
        )

    def _property(self) -> tuple[str, Query] | None:
        entity = self._world.nodes[self._chance.choice(sorted(self._world.nodes))]
        names = [n for n in self._world.properties[entity.id] if n in self._phrases["properties"]]
        if not names:
            return None
        name = self._chance.choice(names)
        question = str(self._chance.choice(self._phrases["properties"][name])).format(self._named(entity))
        return question, Query((Chain(entity, ()),), returns="property", property_name=name)

    def _property_of_path(self) -> tuple[str, Query] | None:
        walk = self._walk(1)
        if walk is None:
            return None
        start, steps = walk
        names = [n for n in self._world.properties[steps[-1].end] if n in self._phrases["properties"]]
        if not names:
            return None
        name = self._chance.choice(names)
        phrase = self._inner(self._named(start), steps)
        question = str(self._chance.choice(self._phrases["properties"][name])).format(phrase)
        return question, Query((Chain(start, self._hops(steps)),), returns="property", property_name=name)

    def _both(self) -> tuple[str, Query] | None:
        """Films that two entities lead to."""
        film = self._chance.choice([id for id, node in sorted(self._world.nodes.items()) if node.label == "Film"])
        sides = [step for step in self._world.steps[film] if self._reversed_key(step) in self._said_of_films()]
        if len(sides) < 2:
            return None
        chosen = self._chance.sample(sides, 2)
        if chosen[0].end == chosen[1].end:
            return None
        parts, chains = [], []
        for step in chosen:
            entity = self._world.nodes[step.end]
            key = self._reversed_key(step)
            parts.append((key, self._named(entity)))
            chains.append(Chain(entity, (Hop(step.relation, not step.forward, "Film"),)))
        (one, a), (two, b) = parts
        said = [str(self._chance.choice(self._steps[key]["is"])).format(name) for key, name in parts]
        texts = [f"which films {said[0]} and {said[1]}?", f"what movies {said[0]} and {said[1]}?"]
        texts += [f"{self._chance.choice(self._steps[one]['ask']).format(a).rstrip('?')} that {said[1]}?"]
        if one == two:
            both = str(self._chance.choice(self._steps[one]["is"]))
            texts += [
                f"which films {both.format(f'both {a} and {b}')}?",
                f"films that {both.format(f'{a} and {b}')}",
            ] * 2
        return self._chance.choice(texts), Query(tuple(chains))

    def _said_of_films(self) -> set[str]:
        return {key for key, phrases in self._steps.items() if "is" in phrases}

    def _reversed_key(self, step: Step) -> str:
        return f"{step.relation}{'<' if step.forward else '>'}"

    def _shared(self) -> tuple[str, Query] | None:
        """What two entities lead to in the same way."""
        key = self._chance.choice(list(self._starts))
        relation, forward = key[:-1], key.endswith(">")
        start = self._chance.choice(self._starts[key])
        end = next(step.end for step in self._world.steps[start] if step.key == key)
        others = [s.end for s in self._world.steps[end] if s.relation == relation and s.forward != forward]
        others = [other for other in others if other != start]
        if not others:
            return None
        two = [self._world.nodes[start], self._world.nodes[self._chance.choice(others)]]
        names = f"{self._named(two[0])} and {self._named(two[1])}"
        phrase = self._chance.choice((names, f"both {names}"))
        question = str(self._chance.choice(self._steps[key]["ask"])).format(phrase)
        label = self._world.nodes[end].label
        return question, Query(tuple(Chain(entity, (Hop(relation, forward, label),)) for entity in two))

    def _count(self) -> tuple[str, Query] | None:
        walk = self._walk(self._chance.choice((1, 1, 2)))
        if walk is None:
            return None
        start, steps = walk
        noun = self._head(self._inner(self._named(start), steps), "")
        if noun is None:
            return None
        texts = (f"how many {noun} are there?", f"how many {noun}?", f"the number of {noun}", f"count the {noun}")
        return self._chance.choice(texts), Query((Chain(start, self._hops(steps)),), returns="count")

    def _head(self, phrase: str, adjective: str) -> str | None:
        """ "the films of X" as "films of X", or with an adjective as "longest film of X"; None for other phrases."""
        _, _, rest = phrase.partition("the ")
        head, _, tail = rest.partition(" ")
        if not phrase.startswith("the ") or head not in self._phrases["heads"]:
            return None
        return f"{adjective} {self._phrases['heads'][head]} {tail}" if adjective else rest

    def _extreme(self) -> tuple[str, Query]:
        way = self._chance.choice(("most", "least"))
        name = self._chance.choice(sorted(self._phrases[way]))
        question = str(self._chance.choice(self._phrases[way][name]))
        return question, Query((Chain("Film", ()),), order=Order(name, way == "most"))

    def _extreme_of(self) -> tuple[str, Query] | None:
        """Of what an entity leads to."""
        walk = self._walk(self._chance.choice((1, 1, 2)))
        if walk is None:
            return None
        start, steps = walk
        kinds = self._phrases["adjectives"].get(self._world.nodes[steps[-1].end].label, {})
        if not kinds:
            return None
        name = self._chance.choice(sorted(kinds))
        most = self._chance.random() < 0.5
        adjective = self._chance.choice(kinds[name][0 if most else 1])
        noun = self._head(self._inner(self._named(start), steps), adjective)
        if noun is None:
            return None
        texts = (f"what is the {noun}?", f"which is the {noun}?", f"who is the {noun}?", f"the {noun}")
        return self._chance.choice(texts), Query((Chain(start, self._hops(steps)),), order=Order(name, most))

    def _named(self, entity: Entity) -> str:
        name = entity.name.lower() if self._chance.random() < 0.15 else entity.name
        return self._mistyped(name) if len(name) > LONG and self._chance.random() < MISTYPED else name

    def _mistyped(self, name: str) -> str:
        """With one letter left out, doubled, or swapped with the next."""
        place = self._chance.randrange(1, len(name) - 1)
        here, after = name[place], name[place + 1]
        return name[:place] + self._chance.choice((after, here * 2 + after, after + here)) + name[place + 2 :]
