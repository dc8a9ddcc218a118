"""What speaks for a logical form being the right reading of a question or a statement (`answering.confidence`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.agents.answering.confidence import ReadingSigns
from clew.graphs.context import Context
from clew.tools.queries.follow_ups.double_questions import tells_two
from clew.tools.queries.follow_ups.two_in_one import asks_for_two
from clew.tools.queries.reading.english.words import country_codes
from clew.tools.queries.reading.forms.form_words import meaning
from clew.tools.queries.reading.forms.paraphrase import nearness
from clew.tools.queries.reading.reader import Reading

FURTHEST = 1.5
"""What a reading may cost more than the best one."""
_COUNTED = re.compile(
    r"\b(?:how many|number of|than|(?:the|with) (?:most|fewest)) (?:more |fewer |different |other )?([\w'-]+)", re.I
)
"""What is counted, or what a number is compared with."""


def reading_signs(
    reading: Reading,
    readings: Sequence[Reading],
    question: str | None,
    context: Context,
    *,
    answers: int,
    compared: bool = True,
) -> ReadingSigns:
    """The signs of a reading.

    Args:
        reading: The reading.
        readings: All readings of the question.
        question: The question; None of a follow-up, whose words say only a part of the form.
        context: The context of the run.
        answers: The number of its answers.
        compared: Whether it is compared with the question by its words.
    """
    form, reader = reading.form, context.tools.reader
    assert reader is not None
    near = nearness(reading, question, context.tools.fitted_embedder) if compared and question else None
    return ReadingSigns(
        reading.cost,
        _margin(reading, readings),
        len(reading.unexplained),
        answers,
        form.hops if form.plain else None,
        near,
        reader.misfit(question, reading) if question else (0.0, 0.0),
        _loses_a_number(reading, question or ""),
        bool(question) and reader.gives_rows(question or "", reading),
        bool(question) and asks_for_two(question or "") and not tells_two(form),
    )


def _loses_a_number(reading: Reading, question: str) -> bool:
    """Whether a number or a country is not explained, or what is counted: "how many *forklifts* has the depot?", "who
    won the most *awards*"."""
    counts = reading.form.asks == "number" or reading.form.nodes.order is not None
    counted = {word.lower() for word in _COUNTED.findall(question)} if counts else set()
    return any(
        word in counted or word in country_codes() or any(map(str.isdecimal, word)) for word in reading.unexplained
    )


def _margin(reading: Reading, readings: Sequence[Reading]) -> float:
    """How much more the next reading costs that asks something else."""
    own = meaning(reading.form)
    others = [each.cost - reading.cost for each in readings if meaning(each.form) != own]
    return min((abs(each) for each in others), default=FURTHEST)
