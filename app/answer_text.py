"""An answer in sentences that cite their evidence by number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MOST_ANSWERS = 50
CITED = 3
"""Pieces of evidence for one answer."""
_UNSURE = 0.5
"""A lower confidence is mentioned."""


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The parts of an answer in words."""

    answer: str
    evidence: tuple[str, ...]
    """The cited evidence: "[1] Heat — directed by → Michael Mann"."""

    @property
    def whole(self) -> str:
        return "\n\n".join(filter(None, [self.answer, "\n".join(self.evidence)]))


def answer_text(result: Mapping[str, Any]) -> AnswerText:
    """The text of a result as `clew ask --json` prints it."""
    answers = result["answers"]
    if not answers:
        return AnswerText(result["explanation"] or "No answer found.", ())
    numbers, evidence = _Numbers(result["evidence"]), result["evidence"]
    phrases = [f"{_name(answer)}{numbers.cited(answer)}" for answer in answers[:MOST_ANSWERS]]
    more = len(answers) - len(phrases)
    if len(answers) == 1:
        text = f"The answer is {phrases[0]}."
    else:
        listed = ", ".join(phrases) if more else f"{', '.join(phrases[:-1])} and {phrases[-1]}"
        text = f"There are {len(answers):,} answers: {listed}{f', and {more:,} more' if more else ''}."
    if result["confidence"] < _UNSURE:
        text += f" This is not sure (confidence {result['confidence']:.2f})."
    return AnswerText(text, tuple(f"[{number}] {_fact(evidence[place])}" for place, number in numbers.given.items()))


class _Numbers:
    """Numbers evidence in the order in which it is cited."""

    def __init__(self, evidence: list[Mapping[str, Any]]) -> None:
        self._supporting: dict[str, list[int]] = {}
        for place, item in enumerate(evidence):
            for key in item["supports"]:
                self._supporting.setdefault(key, []).append(place)
        self.given: dict[int, int] = {}

    def cited(self, answer: Mapping[str, Any]) -> str:
        """ " [1][2]"; "" where nothing supports it."""
        places = self._supporting.get(answer["id"] or answer["name"], [])[:CITED]
        marks = [f"[{self.given.setdefault(place, len(self.given) + 1)}]" for place in places]
        return f" {''.join(marks)}" if marks else ""


def _name(answer: Mapping[str, Any]) -> str:
    return f"{answer['name']} (the model's own, not in the graph)" if answer.get("own") else str(answer["name"])


def _fact(item: Mapping[str, Any]) -> str:
    return f"{item['head']['name']} — {_words(item['relation'])} → {item['tail']['name']}"


def _words(relation: str) -> str:
    """ "directed by" of DIRECTED_BY, directed_by or directedBy."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", relation.rsplit("/", 1)[-1])
    return " ".join(re.split(r"[\W_]+", parted)).strip().lower() or relation


def pieces(text: str) -> Iterator[str]:
    """A text in words with their spaces, to stream it."""
    yield from re.findall(r"\S+\s*|\s+", text)


def token_count(text: str) -> int:
    """The tokens of a text, as those of evidence are counted."""
    from clew.tools.embedding.token_budget import counter

    return counter()(text)
