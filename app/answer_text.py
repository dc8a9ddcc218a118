"""An answer in sentences that cite their evidence by number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clew.app.answer_sentence import (
    answer_sentence,
    answers_of_reading,
    listed,
    name_in_sentence,
    sentence,
    sentence_template,
)
from clew.app.printable import markdown_text, printable, printable_line
from clew.tools.graph.identifiers import shown

MOST_ANSWERS = 50
NEAR_SHOWN = 10
NOTHING_FITS = "Nothing fits all of the question."
CITED = 3
"""Pieces of evidence for one answer."""


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The parts of an answer in words."""

    answer: str
    evidence: tuple[str, ...]
    """The cited evidence: "[1] Heat — directed by → Michael Mann"."""
    doubt: tuple[str, ...] = ()
    """What the graph has lost, what the answer says of itself where it is not sure, and the readings of the question, a
    line each."""
    reading: str = ""
    """How the question was read: "Read as: …"."""

    @property
    def whole(self) -> str:
        return "\n\n".join(filter(None, [self.answer, "\n".join(self.doubt), self.reading, "\n".join(self.evidence)]))

    @property
    def markdown(self) -> str:
        """`whole` for what renders Markdown: it shows the same text, and nothing in it becomes a link or an image."""
        return markdown_text(self.whole)


def answer_text(result: Mapping[str, Any]) -> AnswerText:
    """The text of a result as `clew ask --json` prints it."""
    answers = result["answers"]
    doubt = tuple(map(printable_line, [*result.get("notes", ()), *doubt_lines(result)]))
    if not answers:
        return AnswerText(printable(result["explanation"]) or "No answer found.", (), doubt)
    numbers, evidence = _Numbers(result["evidence"]), result["evidence"]
    asked = answers_of_reading(result)
    near = [answer for answer in answers if answer.get("near")]
    further = [answer for answer in answers if answer not in asked and answer not in near]
    phrases = [f"{name_in_sentence(each, result, _name(each))}{numbers.cited(each)}" for each in asked[:MOST_ANSWERS]]
    more = len(asked) - len(phrases)
    text = NOTHING_FITS if near else ""
    if asked:
        text = sentence({**result, "answers": asked}, listed([*phrases, *[""] * more], MOST_ANSWERS))
    for lead, more_found in (("Near to it", near), ("Further queries found", further)):
        if names := [f"{_name(answer)}{numbers.cited(answer)}" for answer in more_found]:
            text += f" {lead}: {listed(names, NEAR_SHOWN)}."
    facts = tuple(f"[{number}] {printable_line(_fact(evidence[place]))}" for place, number in numbers.given.items())
    return AnswerText(printable(text.lstrip()), facts, doubt, printable_line(reading_line(result)))


def sentence_line(result: Mapping[str, Any]) -> str:
    """The answer in a sentence by a template of its reading; "" where it has none, and a list of names says as much."""
    return answer_sentence(result) if result["answers"] and sentence_template(result) is not None else ""


def reading_line(result: Mapping[str, Any]) -> str:
    """How the question was read, and which change of an earlier one that is; "" where nothing fits it, or where
    `doubt_lines` list the reading."""
    read = result.get("reading") and result["answers"] and not _listed(result)
    change = result.get("follow_up")
    told = f" ({change['says']})" if change else ""
    return f"Read as: {result['reading']}{told}" if read else ""


def doubt_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """What a result says of itself where it is not sure, and the readings of the question by number, with what each
    answers."""
    if result.get("doubt"):
        yield result["doubt"]
        for number, each in enumerate(_listed(result), 1):
            yield f"  {number}  {each['reading']}" + (f": {each['says']}" if each["says"] else "")


def _listed(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The readings of an unsure result, if there is another one than that of its answers."""
    readings = result.get("readings", []) if result.get("doubt") else []
    return list(readings) if len(readings) > bool(result["answers"]) else []


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
    name = printable_line(shown(str(answer["name"])))
    return f"{name} (the model's own, not in the graph)" if answer.get("own") else name


def _fact(item: Mapping[str, Any]) -> str:
    return f"{shown(item['head']['name'])} — {_words(item['relation'])} → {shown(item['tail']['name'])}"


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
