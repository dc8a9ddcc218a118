"""Question files for `clew eval`: JSON lines with `question`, `answers` or `answer_ids`, and for diagnosis `topics`
and `path`; and what reads any such file."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from clew.tools.errors import BadInput

Item = TypeVar("Item")
By = Literal["id", "name"] | None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answers."""

    text: str
    answers: tuple[str, ...]
    """Names of all correct answers; empty where the right reply is that there is none, or where only ids are given."""
    topics: tuple[str, ...] = ()
    """Names of the entities that the question is about: they score the linking, and are never used to answer."""
    path: str = ""
    """The gold path, relations joined by " > ", or the question's type: it groups the figures, and is never used to
    answer."""
    answer_ids: tuple[str, ...] | None = None
    """Ids of all nodes that are correct, as they were imported; None where the answers are known by name."""


class ItemFile(NamedTuple, Generic[Item]):
    """What a file of JSON lines holds."""

    items: list[Item]
    bad_lines: list[str]
    """For each line that could not be used: "file:line: reason"."""


def read_questions(path: Path, by: By = None) -> ItemFile[Question]:
    """Read questions from JSON lines, plain or gzipped. Blank lines are skipped.

    Args:
        by: Which gold answers to take: "id" those of `answer_ids`, "name" those of `answers`, None the ids where a line
            has them.

    Raises BadInput if the file cannot be read, or holds no usable question.
    """
    example = '{"question": "who wrote Emma?", "answers": ["Jane Austen"]}'
    if by == "id":
        example = '{"question": "who wrote Emma?", "answer_ids": ["person-12"]}'
    return read_items(path, partial(_question, by=by), example)


def read_items(path: Path, item: Callable[[Any], Item], example: str) -> ItemFile[Item]:
    """Read JSON lines, and make each value an item; a ValueError of `item` says what is wrong with a line. Raises
    BadInput, with the example, if no line can be used."""
    read = json_items(path, item)
    if not read.items:
        raise BadInput(read.bad_lines[0] if read.bad_lines else f"{path} is empty.", f"A line looks like {example}.")
    return read


def json_items(path: Path, item: Callable[[Any], Item]) -> ItemFile[Item]:
    """As `read_items`, for a file that may have no item."""
    read: ItemFile[Item] = ItemFile([], [])
    for number, line in json_lines(path):
        try:
            read.items.append(item(json.loads(line)))
        except json.JSONDecodeError as error:
            read.bad_lines.append(f"{path}:{number}: not JSON ({error.msg})")
        except (KeyError, TypeError, ValueError) as error:
            read.bad_lines.append(f"{path}:{number}: {error}")
    return read


def sample(questions: Sequence[Item], limit: int | None, seed: int) -> list[Item]:
    """A random sample of `limit` items, by `random.Random(seed)`; all, in file order, if there are no more."""
    if limit is None or limit >= len(questions):
        return list(questions)
    return random.Random(seed).sample(list(questions), limit)


def json_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The numbers and texts of a file's lines, without blank ones. Raises BadInput if it cannot be read."""
    try:
        with path.open("rb") as raw:
            gzipped = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if gzipped else raw as file:
                for number, line in enumerate(file, start=1):
                    text = line.decode("utf-8").strip()
                    if text:
                        yield number, text
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.", "Check the path.") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8 text.", "Questions are JSON lines, gzipped or plain.") from None
    except (OSError, EOFError) as error:
        raise BadInput(f"{path} cannot be read: {error}.", "Questions are JSON lines, gzipped or plain.") from error


def _question(value: Any, by: By = None) -> Question:
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    text = value.get("question")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no `question`")
    accepted = {"id": ("answer_ids",), "name": ("answers",), None: ("answers", "answer_ids")}[by]
    if not any(key in value for key in accepted):
        raise ValueError("no " + " and no ".join(f"`{key}`" for key in accepted))
    ids = _names(value, "answer_ids") if by != "name" and "answer_ids" in value else None
    path = _path(value.get("path", value.get("type")))
    return Question(text, _names(value, "answers"), _names(value, "topics"), path, ids)


def _names(value: dict[str, Any], key: str) -> tuple[str, ...]:
    names = value.get(key, [])
    if not isinstance(names, list) or not all(isinstance(n, str | int | float) for n in names):
        raise ValueError(f"`{key}` is not a list of names")
    return tuple(str(name) for name in names)


def _path(value: Any) -> str:
    if isinstance(value, list):
        return " > ".join(str(step) for step in value)
    return "" if value is None else str(value)
