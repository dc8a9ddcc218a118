"""Training questions: queries are sampled from a graph, and a model phrases each in several ways.

The answers come from the graph, never from the model, so only the wording of a question can be wrong. Wrong wordings
are not detected, but they rarely agree with each other, so a few do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from threading import Event
from typing import Protocol

from clew.agents.models.calls import Model, ModelFailed, Role
from clew.agents.prompting import one_line, prompt
from clew.agents.replies.composed import fit_to_show
from clew.tools.learning.teaching.sampling import Sampled, sampled_queries
from clew.tools.linking.index import EntityIndex
from clew.tools.queries.space.space import QuerySpace
from clew.tools.queries.space.words import noun_of

ROLE: Role = "glosser"
PER_QUERY = 3
"""Questions written for each query."""
SECONDS = 60.0
"""Time for one call."""
FAILURES = 3
"""Failed calls in a row after which the next failure ends the run."""
SHOWN = 5
"""Answers shown to the model."""
_REPLY = re.compile(r"<questions>(.*?)(?:</questions>|\Z)", re.DOTALL | re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+")


class Models(Protocol):
    """What gives the model that writes (`clew.agents.models.role_models.Models`)."""

    def of(self, role: Role, *, seconds: float, cancelled: Event) -> Model | None: ...


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question with its answers, and its query in words."""

    question: str
    answers: tuple[str, ...]
    words: str


def write_questions(
    models: Models, space: QuerySpace, index: EntityIndex, wanted: int, seed: int = 0
) -> Iterator[WrittenQuestion | str]:
    """Yield `wanted` questions, fewer if the graph has no more queries, and a message for each reply without any.

    Raises:
        ModelFailed: The model failed several times in a row.
    """
    yielded = failures = 0
    seen: set[str] = set()
    for sampled in sampled_queries(space, index, seed):
        model = models.of(ROLE, seconds=SECONDS, cancelled=Event())
        if model is None:
            return
        try:
            questions = _questions(model, sampled)
            failures = 0
        except ModelFailed as error:
            failures += 1
            if failures > FAILURES:
                raise
            yield error.message
            continue
        if not questions:
            yield f"no question about {sampled.entity.name} in the reply"
        for question in islice((q for q in questions if q not in seen), wanted - yielded):
            seen.add(question)
            yielded += 1
            yield WrittenQuestion(question, sampled.answers, sampled.words)
        if yielded >= wanted:
            return


def _questions(model: Model, sampled: Sampled) -> list[str]:
    """The written questions that name the entity, and contain no answer and nothing that a model may not show."""
    entity = sampled.entity
    asked = prompt(
        "write_questions",
        count=str(PER_QUERY),
        query=one_line(sampled.words),
        entity=one_line(entity.name),
        label=noun_of(entity.label),
        answers=one_line(", ".join(sampled.answers[:SHOWN])),
    )
    reply = model.ask(asked)
    found = _REPLY.search(reply.text)
    lines = (found[1] if found else reply.text).splitlines()
    texts = [" ".join(_BULLET.sub("", line).split()) for line in lines]
    return [text for text in dict.fromkeys(texts) if _usable(text, sampled, asked.system)]


def _usable(text: str, sampled: Sampled, system: str) -> bool:
    name = one_line(sampled.entity.name).casefold()
    rest = text.casefold().replace(name, " ")
    told = any(answer.casefold() in rest for answer in sampled.answers if len(answer) > 2)
    return name in text.casefold() and len(rest.split()) > 1 and not told and fit_to_show(rest, system)
