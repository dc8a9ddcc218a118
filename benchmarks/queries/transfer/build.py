"""Writes nodes.csv, edges.csv and the question files: `python -m benchmarks.queries.transfer.build [folder]`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.queries.transfer.gold import Answering, Gold
from benchmarks.queries.transfer.graph import HERE, SEED, SOURCES, Graph, Node, build, write

QUOTA = {"1hop": 90, "2hop": 75, "3hop": 25, "conjunction": 12, "count": 10, "superlative": 8}
DEV = {"1hop": 25, "2hop": 20, "3hop": 7, "conjunction": 3, "count": 3, "superlative": 2}
MOST_ANSWERS = 25
Question = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Phrasing:
    """One line of phrasings.tsv: a question as written, with a place for each topic."""

    number: int
    kind: str
    topics: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    flags: frozenset[str]
    text: str

    def option(self, name: str) -> str | None:
        return next((flag.partition(":")[2] for flag in self.flags if flag.startswith(name + ":")), None)

    def gold(self, topics: tuple[Node, ...]) -> Gold:
        gold: Gold = {
            "all_of": [{"start": topic.id, "path": list(path)} for topic, path in zip(topics, self.paths, strict=True)]
        }
        if label := self.option("label"):
            gold["label"] = label
        if self.kind == "count":
            gold["count"] = True
        for order in ("most", "least"):
            if name := self.option(order):
                gold["best"] = {"property": name, "order": order}
        return gold


def read_phrasings() -> Iterator[Phrasing]:
    lines = [line for line in (SOURCES / "phrasings.tsv").read_text("utf-8").splitlines() if not line.startswith("#")]
    for number, line in enumerate(lines, 1):
        kind, topics, joined, flags, text = line.split("\t")
        paths = tuple(tuple(path.split()) for path in joined.split(" & "))
        yield Phrasing(number, kind, tuple(topics.split(" & ")), paths, frozenset(filter(None, flags.split(","))), text)


class Writer:
    """Puts topics into phrasings, taking each topic as seldom as it can."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.answering = Answering(graph)
        self.random = Random(SEED + 1)
        self.used: Counter[str] = Counter()

    def questions(self) -> list[Question]:
        """Every phrasing once, then phrasings drawn at random a second time until each kind has its number."""
        phrasings = list(read_phrasings())
        written: list[Question] = []
        for kind, quota in QUOTA.items():
            own = [phrasing for phrasing in phrasings if phrasing.kind == kind]
            again = self.random.sample(own, quota - len(own))
            written += [self.question(phrasing) for phrasing in sorted(own + again, key=lambda each: each.number)]
        return [{"id": f"t{number:03d}", **question} for number, question in enumerate(written, 1)]

    def question(self, phrasing: Phrasing) -> Question:
        topics = self.topics(phrasing)
        self.used.update(topic.id for topic in topics)
        gold = phrasing.gold(topics)
        return {
            "question": self.text(phrasing, topics),
            "topics": [topic.name for topic in topics],
            "path": [list(path) for path in phrasing.paths] if len(topics) > 1 else list(phrasing.paths[0]),
            "kind": phrasing.kind,
            "gold": gold,
            "answers": self.answering.answers(gold),
            "phrasing": phrasing.number,
        }

    def topics(self, phrasing: Phrasing) -> tuple[Node, ...]:
        choices = list(product(*(self.graph.of(ends) for ends in phrasing.topics)))
        self.random.shuffle(choices)
        choices.sort(key=lambda topics: sum(self.used[topic.id] for topic in topics))
        return next(topics for topics in choices if self.suits(phrasing, topics))

    def suits(self, phrasing: Phrasing, topics: tuple[Node, ...]) -> bool:
        """Whether the question makes sense: as many answers as its words suppose, none of them given away."""
        gold = phrasing.gold(topics)
        found = self.answering.nodes(gold)
        least, most = 1, MOST_ANSWERS
        if "one" in phrasing.flags:
            most = 1
        elif "some" in phrasing.flags or phrasing.kind == "count":
            least = 2
        elif phrasing.kind == "superlative":
            least = 3
        if not least <= len(found) <= most or ("alias" in phrasing.flags and not all(node.aliases for node in topics)):
            return False
        if len(topics) > 1 and min(len(self.answering.reached(branch)) for branch in gold["all_of"]) <= len(found):
            return False
        text, answers = self.text(phrasing, topics).lower(), self.answering.answers(gold)
        tied = phrasing.kind == "superlative" and len(answers) > 1
        return not tied and not any(answer.lower() in text for answer in answers)

    def text(self, phrasing: Phrasing, topics: tuple[Node, ...]) -> str:
        names = [topic.aliases[0] if "alias" in phrasing.flags else topic.name for topic in topics]
        # A name that brings its own article does not take another one.
        bare = [name[4:] if name.startswith("The ") and "the {}" in phrasing.text else name for name in names]
        text = phrasing.text.format(*bare)
        return text.lower() if "lower" in phrasing.flags else text


def split(questions: list[Question]) -> tuple[list[Question], list[Question]]:
    """Development and test questions; all questions of one phrasing fall on the same side."""
    random = Random(SEED + 2)
    numbers = list({question["phrasing"]: None for question in questions})
    random.shuffle(numbers)
    left, chosen = dict(DEV), set()
    for number in numbers:
        same = [question for question in questions if question["phrasing"] == number]
        if left[same[0]["kind"]] >= len(same):
            left[same[0]["kind"]] -= len(same)
            chosen.add(number)
    return (
        [question for question in questions if question["phrasing"] in chosen],
        [question for question in questions if question["phrasing"] not in chosen],
    )


def main(folder: Path) -> None:
    graph = build()
    write(graph, folder)
    questions = Writer(graph).questions()
    dev, test = split(questions)
    for name, some in (("questions", questions), ("questions.dev", dev), ("questions.test", test)):
        lines = (json.dumps(question, ensure_ascii=False) + "\n" for question in some)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    print(
        f"{len(graph.nodes)} nodes, {len(graph.edges)} edges, {len({r for _, r, _ in graph.edges})} relation types, "
        f"{len(questions)} questions ({len(dev)} dev, {len(test)} test)"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
