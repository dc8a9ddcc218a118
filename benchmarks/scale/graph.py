"""A synthetic graph with 4 relationships a node and skewed degrees, as files of neo4j-admin, and questions about it."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.linking.many_names import synthetic_names

SHARES = {"Person": 0.45, "Work": 0.45, "Company": 0.05, "Topic": 0.03, "Place": 0.02}
"""Of the nodes."""
RELATIONS = (
    ("Person", "LIVES_IN", "Place", 0.45),
    ("Person", "KNOWS", "Person", 0.90),
    ("Work", "WRITTEN_BY", "Person", 0.60),
    ("Work", "PUBLISHED_BY", "Company", 0.45),
    ("Work", "ABOUT", "Topic", 0.90),
    ("Work", "CITES", "Work", 0.70),
)
"""Source, type, target, and relationships for each node of the graph: 4 together."""
SKEW = 3
"""The target is the (u ** SKEW)-th part of its label, for u uniform in [0, 1): few nodes have most relationships."""
HUB_SHARE = 0.5
"""Of the persons live in the first place."""
TEMPLATES = (
    ("who wrote {}?", "Work"),
    ("which company is {} published by?", "Work"),
    ("where does {} live?", "Person"),
    ("who does {} know?", "Person"),
    ("where does the writer of {} live?", "Work"),
    ("which works does {} cite?", "Work"),
)


QUESTIONS = 120


@dataclass(frozen=True)
class Made:
    """The files of a graph, and what to ask about it."""

    folder: Path
    hub: str
    """The place that most persons live in."""
    questions: list[tuple[str, str]]
    """Questions with the name in each."""
    persons: list[str]

    @property
    def paths(self) -> tuple[Path, Path]:
        return self.folder / "nodes.csv", self.folder / "edges.csv"


def make(size: int, folder: Path, seed: int) -> Made:
    """Write the files, if they are not there."""
    asked = folder / "asked.json"
    if not asked.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write_nodes(size, folder / "nodes.csv", seed)
        _write_edges(size, folder / "edges.csv", seed)
        drawn = random.Random(seed + 1)
        names = {label: list(_named(size, label, seed)) for label in ("Person", "Work", "Place")}
        questions = []
        for number in range(QUESTIONS + 1):
            template, label = TEMPLATES[number % len(TEMPLATES)]
            name = drawn.choice(names[label])
            questions.append((template.format(name), name))
        persons = drawn.sample(names["Person"], QUESTIONS)
        asked.write_text(json.dumps([names["Place"][0], questions, persons]), encoding="utf-8")
    hub, questions, persons = json.loads(asked.read_text(encoding="utf-8"))
    return Made(folder, hub, [(text, name) for text, name in questions], persons)


def blocks(size: int) -> dict[str, tuple[int, int]]:
    """By label its first node and the one after its last."""
    found, first = {}, 0
    for label, share in SHARES.items():
        count = max(5, round(size * share))
        found[label] = (first, first + count)
        first += count
    return found


def _named(size: int, label: str, seed: int) -> Iterator[str]:
    """The names of the nodes of a label, in their order."""
    first, last = blocks(size)[label]
    return islice(synthetic_names(last, seed), first, last)


def _write_nodes(size: int, path: Path, seed: int) -> None:
    places = blocks(size)
    names = synthetic_names(max(last for _, last in places.values()), seed)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("id:ID", "name", "year:int", ":LABEL"))
        for label, (first, last) in places.items():
            rows.writerows((node, next(names), 1900 + node % 125, label) for node in range(first, last))


def _write_edges(size: int, path: Path, seed: int) -> None:
    drawn, places = random.Random(seed), blocks(size)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow((":START_ID", ":END_ID", ":TYPE"))
        for source, kind, target, share in RELATIONS:
            (first, last), (low, high) = places[source], places[target]
            for number in range(round(size * share)):
                start = first + number % (last - first)
                end = low + int((high - low) * drawn.random() ** SKEW)
                if kind == "LIVES_IN" and drawn.random() < HUB_SHARE:
                    end = low
                rows.writerow((start, end, kind))
