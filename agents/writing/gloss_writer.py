"""Glosses by a model: the words that people use for each relation of a graph. They are written once, into a gloss file.

The schema and a few examples of each relation are sent. Replies are checked like a gloss file that a person wrote
(docs/glosses.md); invalid glosses are dropped, and their relations can be asked for again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from clew.agents.models.calls import Model
from clew.agents.prompting import one_line, prompt
from clew.agents.replies import parse_json
from clew.tools.graph.schema import Schema
from clew.tools.queries.ranking.glosses import KIND_WORDS, Gloss

BATCH = 12
"""Relations in one call."""
MOST_PHRASES = 6
LONGEST_PHRASE = 40
MOST_WORDS = 5
_ENDS_SHOWN = 3
_NOT_ASKED_FOR = ("name", "aliases", "labels")
"""Properties that need no gloss; `labels` is a table of its own in a gloss file."""
_PHRASE = re.compile(r"[^\W_][\w' /&+-]*")


@dataclass(frozen=True, slots=True)
class Described:
    """A relationship type or property as the model sees it."""

    name: str
    text: str
    is_property: bool = False


def described(schema: Schema, examples: Callable[[str], Sequence[tuple[str, str]]]) -> list[Described]:
    """Every relationship type of the schema, then every property except names; `examples` gives pairs (head name, tail
    name) of a type."""
    ends: dict[str, list[str]] = {}
    for r in schema.relations:
        ends.setdefault(r.type, []).append(f"({r.source})-[:{r.type}]->({r.target})")
    found = []
    for name, patterns in ends.items():
        shown = "; ".join(f"{head} → {tail}" for head, tail in examples(name))
        found.append(Described(name, f"{', '.join(patterns[:_ENDS_SHOWN])}{': ' + shown if shown else ''}"))
    owners: dict[str, list[str]] = {}
    values: dict[str, list[str]] = {}
    for p in schema.properties:
        if p.name not in ends and p.name not in _NOT_ASKED_FOR:
            owners.setdefault(p.name, []).append(p.label)
            values.setdefault(p.name, []).extend(str(example) for example in p.examples)
    for name, labels in owners.items():
        shown = ", ".join(values[name][:_ENDS_SHOWN])
        found.append(Described(name, f"property {name} of {', '.join(labels[:_ENDS_SHOWN])}: {shown}", True))
    return found


def write(model: Model, asked: Iterable[Described]) -> Iterator[tuple[list[Described], dict[str, Gloss]]]:
    """The relations of each call, and their valid glosses by name. Raises ModelFailed."""
    waiting = iter(asked)
    while batch := list(islice(waiting, BATCH)):
        lines = "\n".join(f"{number}. {one_line(each.text)}" for number, each in enumerate(batch, start=1))
        reply = model.ask(prompt("gloss", relations=lines, kinds=", ".join(KIND_WORDS)), json=True)
        yield batch, _read(reply.text, batch)


def _read(text: str, batch: Sequence[Described]) -> dict[str, Gloss]:
    data = parse_json(text)
    if not isinstance(data, Mapping):
        return {}
    found = {}
    for number, each in enumerate(batch, start=1):
        row = data.get(str(number), data.get(each.name))
        if isinstance(row, Mapping):
            kind = row.get("answer")
            gloss = Gloss(
                _phrases(row.get("forward")),
                () if each.is_property else _phrases(row.get("backward")),
                kind if isinstance(kind, str) and kind in KIND_WORDS else None,
            )
            if gloss.forward or gloss.backward:
                found[each.name] = gloss
    return found


def _phrases(value: object) -> tuple[str, ...]:
    """The phrases that could occur in a question."""
    given = value if isinstance(value, list) else [value]
    phrases = (" ".join(each.casefold().split()) for each in given if isinstance(each, str))
    kept = (p for p in phrases if len(p) <= LONGEST_PHRASE and len(p.split()) <= MOST_WORDS and _PHRASE.fullmatch(p))
    return tuple(dict.fromkeys(kept))[:MOST_PHRASES]


def as_toml(glosses: Mapping[str, Gloss]) -> str:
    """The glosses as tables of a gloss file."""
    return "\n".join(_table(name, gloss) for name, gloss in glosses.items())


def _table(name: str, gloss: Gloss) -> str:
    header = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _string(name)
    lines = [f"[{header}]"]
    for key, phrases in (("forward", gloss.forward), ("backward", gloss.backward)):
        if phrases:
            lines.append(f"{key} = [{', '.join(map(_string, phrases))}]")
    if gloss.answer is not None:
        lines.append(f"answer = {_string(gloss.answer)}")
    return "\n".join(lines) + "\n"


def _string(text: str) -> str:
    """A basic string of TOML, which has the escapes of JSON; only DEL needs one more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
