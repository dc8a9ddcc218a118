"""The readings of a question: those that ran, and the next ones, which are offered where the answer is not sure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic

from clew.agents.answering import confidence
from clew.agents.answering.agreement import answer_keys
from clew.agents.answering.explanation import listed
from clew.agents.answering.reasoner import ranked_attempts, reading_of, sentence
from clew.agents.evidence import Attempt, OfferedReading
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import NodeState, StrategyInput, strategy_input
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.queries import run_all, supporting
from clew.graphs.strategies.ranking import anchors_of, for_members, ranked_queries
from clew.graphs.strategies.read import confidence_of, likely_readings, run_reading
from clew.graphs.strategies.registry import REGISTRY
from clew.tools.errors import BadInput, QueryFailed
from clew.tools.linking.normalise import fold
from clew.tools.queries.reading.forms.form_words import words as words_of_form
from clew.tools.queries.reading.forms.paraphrase import embed_together
from clew.tools.queries.reading.reader import Reading
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.words import words as words_of_query

MOST = 3
"""Readings that are offered, the one that is answered among them."""
_FIRST = 3
"""Answers that an offer shows."""
_ROWS = 100
"""Rows that are read for an offer."""
_MOST_RUN = 6
_SECONDS = 2.0
"""Time for all offers of a question."""
_LEAST = 0.02
"""Confidence below which a reading is not offered."""
_FAR = 0.2
"""A ranked query whose score is lower by more than this is not offered."""

Run = tuple[StrategyFindings, Attempt]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading of the question that may be offered."""

    words: str
    confidence: float
    run: Callable[[int | None], Run]
    """Runs it with a maximum number of rows; None for all. Raises QueryFailed."""
    names: str = ""
    """The entities that it starts from, where the words do not distinguish them from others of their name."""
    strategy: str = ""
    attempt: Attempt | None = None
    """The result, where it ran already."""


def candidates(state: NodeState, context: Context, *, compared: bool = True) -> list[Candidate]:
    """The readings of the question without repeats: the one that is answered first, then the surest ones.

    Args:
        state: The state of the question, with its attempts.
        context: The context of the run.
        compared: Whether the words of each reading are compared with the question, which takes a call of the embedding
            model for each.
    """
    sent = strategy_input(state)
    ran = {step["node"] for step in state["steps"].values()} - {each["step"] for each in state["errors"].values()}
    attempts = ranked_attempts(state["attempts"].values(), REGISTRY)
    others = [_attempted(attempt) for attempt in attempts[1:] if attempt["answers"] and "fits" not in attempt]
    if "read" in ran and not context.run.deadline.passed:
        readings = likely_readings(sent, context)
        if compared:
            embed_together(readings, sent["question"], context.tools.fitted_embedder)
        others += [_form(each, sent, context, compared) for each in readings]
    if "cypher" in ran and not context.run.deadline.passed:
        others += _ranked(state, sent, context)
    others = sorted((each for each in others if each.confidence >= _LEAST), key=lambda each: -each.confidence)
    return list(_distinct([*map(_attempted, attempts[:1]), *others]))


def choose(state: NodeState, context: Context, span: Span) -> StrategyFindings | None:
    """Run the reading that the user chose; None if they chose none.

    Raises:
        BadInput: There is no such reading.
        QueryFailed: The database rejected its query.
    """
    wanted = context.reading
    if wanted is None:
        return None
    every = candidates(state, context)
    offered = [each for each, _ in _different(every, context)]
    if isinstance(wanted, int):
        chosen = offered[wanted - 1] if 1 <= wanted <= len(offered) else None
    else:
        chosen = next((each for each in every if fold(each.words) == fold(wanted)), None)
    if chosen is None:
        told = "; ".join(f"{number}: {each.words}" for number, each in enumerate(offered, 1))
        raise BadInput(f"There is no reading {wanted!r} of this question.", f"There is {told or 'none'}.")
    if chosen.attempt is not None:
        found, attempt = StrategyFindings(chosen.attempt["strategy"], state["iteration"]), chosen.attempt
    else:
        found, attempt = chosen.run(None)
    span.event("chosen reading", reading=chosen.words, number=wanted if isinstance(wanted, int) else None)
    sure = confidence.of_choice(attempt["truncated"])
    found.attempts = {"chosen": {**attempt, "words": chosen.words, "confidence": sure, "chosen": True}}
    return found


def offered(state: NodeState, context: Context, *, run: bool) -> list[OfferedReading]:
    """The first different readings, the likeliest first.

    Args:
        state: The state of the question, with its attempts.
        context: The context of the run.
        run: Whether they are run, to say what each of them answers and to leave out those without an answer.
    """
    every = candidates(state, context, compared=run)
    if run:
        return [_offer(each, attempt) for each, attempt in _different(every, context)]
    alike = [each for each in every if each.strategy == every[0].strategy]  # others may say the same in other words
    return [_offer(each, None if place else each.attempt) for place, each in enumerate(alike[:MOST])]


def _offer(candidate: Candidate, attempt: Attempt | None) -> OfferedReading:
    answers = attempt["answers"] if attempt is not None else []
    spans = [answer for answer in answers if "passage" in answer]  # Beside them, sentences say no more.
    names = list(dict.fromkeys(answer["name"] for answer in spans or answers))
    more = attempt is not None and attempt["truncated"]
    return {
        "reading": candidate.words,
        "confidence": candidate.confidence,
        "answers": None if attempt is None else names[:_FIRST],
        "count": None if attempt is None else len(names),
        "more": more,
        "says": "" if attempt is None else listed(names[:_FIRST], len(names), more=more),
        "chosen": attempt is not None and attempt.get("chosen", False),
    }


def _different(every: Sequence[Candidate], context: Context) -> Iterator[tuple[Candidate, Attempt]]:
    """The first readings with different answers, and what they answer."""
    seen: set[frozenset[str]] = set()
    until = monotonic() + _SECONDS
    ran = 0
    for candidate in every:
        attempt = candidate.attempt
        if attempt is None:
            if ran >= _MOST_RUN or monotonic() > until or context.run.deadline.passed:
                continue
            ran += 1
            try:
                _, attempt = candidate.run(_ROWS)
            except QueryFailed:
                continue
        keys = answer_keys(attempt)
        says_something = keys - {anchor["id"] for anchor in attempt["anchors"]}
        if keys not in seen and (says_something or candidate is every[0]):
            seen.add(keys)
            yield candidate, attempt
        if len(seen) == MOST:
            return


def _distinct(every: Sequence[Candidate]) -> Iterator[Candidate]:
    """The candidates with different words; of several with the same words, those with other entities say which."""
    seen: dict[str, str] = {}
    for each in every:
        key = fold(each.words)
        if key not in seen:
            seen[key] = each.names
            yield each
        elif each.names and seen[key] != each.names and (told := fold(f"{key} {each.names}")) not in seen:
            seen[told] = each.names
            yield replace(each, words=f"{each.words} ({each.names})")


def _attempted(attempt: Attempt) -> Candidate:
    ids = ", ".join(anchor["id"] for anchor in attempt["anchors"])
    words, sure, strategy = reading_of(attempt)[0], attempt["confidence"], attempt["strategy"]
    return Candidate(words, sure, lambda _: (StrategyFindings(strategy, 1), attempt), ids, strategy, attempt)


def _form(reading: Reading, sent: StrategyInput, context: Context, compared: bool) -> Candidate:
    ids = ", ".join(entity.id for entity in reading.form.entities)
    run = partial(run_reading, reading, sent, context)
    sure = confidence_of(reading, sent, context, compared=compared)
    return Candidate(sentence(words_of_form(reading.form)), sure, run, ids, strategy="read")


def _ranked(state: NodeState, sent: StrategyInput, context: Context) -> Iterator[Candidate]:
    """The ranked queries that are nearly as good as the one that ran, as far below its confidence as their scores."""
    ranked = ranked_queries(sent, context)
    ran = [a["confidence"] for a in state["attempts"].values() if a["strategy"] == "cypher" and not a.get("by_model")]
    for place, each in enumerate(ranked):
        behind = ranked[0].score - each.score
        if behind <= _FAR and ran:
            said = words_of_query(each.query)
            ids = ", ".join(entity.id for entity in anchors_of(each.query))
            sure = round(max(0.0, max(ran) - behind), 4)
            run = partial(_run_ranked, each, place, sure, sent, context)
            yield Candidate(sentence(said), sure, run, ids, strategy="cypher")


def _run_ranked(
    ranked: RankedQuery, place: int, sure: float, sent: StrategyInput, context: Context, rows: int | None = None
) -> Run:
    found = StrategyFindings("cypher", sent["iteration"])
    result = run_all(for_members(ranked.query, sent), context, rows=rows)
    attempt = result.attempt(found, words_of_query(ranked.query), sure, place, by_support=True)
    if rows is None and attempt["answers"]:
        found.support(attempt, supporting(ranked.query, attempt, sent, context))
    return found, attempt
