"""The sentence of an answer about what surrounds nodes (`clew.graphs.strategies.surroundings`), from its reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clew.tools.graph.identifiers import shown
from clew.tools.queries.space.words import noun_of

_READINGS = re.compile(
    r"Shortest paths from (?P<source>.+) to (?P<target>.+)"
    r"|Whether (?P<one>.+) is connected to (?P<other>.+)"
    r"|.+ linked to (?P<node>.+)"
    r"|.+ that (?P<sharing>.+) have in common"
    r"|.+, by number of relationships, highest first: (?P<most>\d+)"
)


def surroundings_template(reading: str, answers: Sequence[Mapping[str, Any]]) -> Callable[[str], str] | None:
    """From the names of the answers to the sentence, which contains them unchanged; None for other readings."""
    if (found := _READINGS.fullmatch(reading)) is None or not answers:
        return None
    said, many = found.groupdict(), len(answers) > 1
    detail = shown(str(answers[0].get("detail") or ""))
    if source := said["source"]:
        far = f"{source} is {detail} from {said['target']}"
        is_path = answers[0]["label"] == "path"
        return lambda names: f"{far}: {names}." if is_path else f"Between {source} and {said['target']}: {names}."
    if one := said["one"]:
        negation = "" if answers[0]["name"] == "yes" else "not "
        return lambda names: f"{names.capitalize()}, {one} is {negation}connected to {said['other']}: {detail}."
    if node := said["node"]:
        return lambda names: f"{names} {'are' if many else 'is'} linked to {node}."
    if sharing := said["sharing"]:
        return lambda names: f"{sharing} have {names} in common."
    return lambda names: f"{names} {'have' if many else 'has'} the most relationships."


def description_sentence(result: Mapping[str, Any], names: str) -> str:
    """The sentence of one node that is described; "" for other results."""
    if not str(result.get("reading") or "").startswith("About ") or len(result["answers"]) != 1:
        return ""
    (answer,) = result["answers"]
    noun = noun_of(str(answer["label"]))
    article = "an" if noun[:1] in "aeiou" else "a"
    told = shown(str(answer.get("detail") or ""))
    return f"{names} is {article} {noun}{': ' if told else ''}{told}."
