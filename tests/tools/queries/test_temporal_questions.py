"""Questions about times without a model: what they say, the queries that answer them, and the conditions by brute
force on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.cypher import guard
from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.graph.schema import Property, Schema, introspect
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.graph.temporal import Moment, Period
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.ranking.ranker import Ranker
from clew.tools.queries.ranking.time_expressions import TimeExpressions, find_time_expressions
from clew.tools.queries.space import render
from clew.tools.queries.space.query import (
    Chain,
    Hop,
    Query,
    RankedQuery,
    ReferenceFact,
    TimeAnswer,
    TimeFilter,
    TimeLocation,
    TimeOrder,
    TimeProperties,
)
from clew.tools.queries.space.space import QuerySpace
from clew.tools.queries.space.times import time_properties
from clew.tools.queries.space.words import words
from tests.conftest import FULL
from tests.tools.queries.temporal_world import (
    HELD,
    HELD_OUT,
    PLAYED,
    QUESTIONS,
    entities,
    index_town,
    questions,
    store_town,
)

# ---- what a question says -------------------------------------------------------------------------------------------


def times_of(question: str, *names: str) -> TimeExpressions | None:
    """What is read where these are the names that the question mentions."""
    found = []
    for name in names:
        start, entity = question.index(name), Entity(name, name, "Thing")
        found.append(Mention(start, start + len(name), name, (Candidate(entity, 1.0, "exact", name),)))
    return find_time_expressions(question, found, [(m.start, m.end) for m in found])


PERIODS = [
    ("Who led X in 1979?", Period(1979, 1979)),
    ("Who led X during the year 1979?", Period(1979, 1979)),
    ("Who led X between 1979 and 1983?", Period(1979, 1983)),
    ("Who led X from 1979 until 1983?", Period(1979, 1983)),
    ("Who led X in 1979-1983?", Period(1979, 1983)),
    ("Who has led X since 1979?", Period(1979, None)),
    ("Who led X until 1979?", Period(None, 1979)),
    ("Who led X before 1979?", Period(None, 1978)),
    ("Who led X after 1979?", Period(1980, None)),
    ("Who led X in the 1980s?", Period(1980, 1989)),
    ("Who led X in May 1979?", Period(date(1979, 5, 1), date(1979, 5, 31))),
    ("Who led X on 3 May 1979?", Period(date(1979, 5, 3), date(1979, 5, 3))),
    ("Who led X on May 3rd, 1979?", Period(date(1979, 5, 3), date(1979, 5, 3))),
    ("Who led X before 1979-05-03?", Period(None, date(1979, 5, 2))),
    ("Since 1995, who has led X?", Period(1995, None)),
]


@pytest.mark.parametrize(("question", "period"), PERIODS)
def test_periods(question: str, period: Period) -> None:
    found = times_of(question, "X")
    assert found is not None
    assert found.period == period
    assert found.clause is None


@pytest.mark.parametrize(
    "question", ["Who led X?", "Which town has 1500 people?", "What is X about?", "", "Who led 1979?"]
)
def test_questions_without_a_time(question: str) -> None:
    assert times_of(question, *(["1979"] if "1979" in question else ["X"] if "X" in question else [])) is None


CLAUSES = [
    ("When Ann was mayor of X, who led Y?", "during", "When Ann was mayor of X", None),
    ("Who led Y while Ann was mayor of X?", "during", "while Ann was mayor of X", None),
    ("At the time of the X, who led Y?", "during", "At the time of the X", "X"),
    ("Who led Y during the X?", "during", "during the X", "X"),
    ("Who led Y before Ann?", "before", "before Ann", "Ann"),
    ("Who came after Ann as head of Y?", "after", "came after Ann", "Ann"),
    ("Who succeeded Ann as head of Y?", "after", "succeeded Ann", "Ann"),
    ("Who was Ann's predecessor at Y?", "before", "Ann's predecessor", "Ann"),
    ("Who did Ann replace as head of Y?", "before", "Ann replace", "Ann"),
    ("Who was succeeded by Ann as head of Y?", "before", "succeeded by Ann", "Ann"),
    ("Who led Y after Ann left X?", "after", "after Ann left X", None),
]


@pytest.mark.parametrize(("question", "relation", "span", "holder"), CLAUSES)
def test_clauses(question: str, relation: str, span: str, holder: str | None) -> None:
    found = times_of(question, *(name for name in ("Ann", "X", "Y") if name in question))
    assert found is not None
    assert found.clause is not None
    start, end = found.clause.span
    assert (found.clause.relation, question[start:end]) == (relation, span)
    assert (found.clause.holder.text if found.clause.holder else None) == holder


@pytest.mark.parametrize(
    ("question", "side"),
    [
        ("When was Ann mayor of X?", "both"),
        ("When did Ann become mayor of X?", "start"),
        ("When did Ann leave X?", "end"),
        ("Since when has Ann led X?", "start"),
        ("Until when did Ann lead X?", "end"),
        ("For how long was Ann mayor of X?", "both"),
        ("In which years was Ann mayor of X?", "both"),
        ("Who led X when Ann left?", None),
    ],
)
def test_questions_that_ask_for_a_time(question: str, side: str | None) -> None:
    found = times_of(question, "Ann", "X")
    assert found is not None
    assert found.asks == side


@given(st.text(max_size=40), st.sampled_from(["when", "before", "since 1979", "in 31 May 1979", "Ann's successor"]))
def test_any_text_can_be_read(text: str, said: str) -> None:
    found = times_of(f"{text} {said} Ann {text}", "Ann")
    assert found is None or all(0 <= start < end for start, end in found.spans)


# ---- clocks ---------------------------------------------------------------------------------------------------------


def test_clocks_are_properties_whose_names_and_values_are_times() -> None:
    properties = (
        Property("HELD", "start_time", "INTEGER", 9, (1979,)),
        Property("HELD", "end_time", "INTEGER", 9, (1983,)),
        Property("WON", "year", "INTEGER", 9, (1979,)),
        Property("BASED", "period", "STRING", 9, ("1979 - 1983", "1990")),
        Property("LED", "since", "DATE", 9, ("1979-05-03",)),
        Property("SENT", "from", "STRING", 9, ("Paris",)),
        Property("RATED", "score", "INTEGER", 9, (1999,)),
    )
    clocks = {
        "HELD": TimeProperties("start_time", "end_time"),
        "WON": TimeProperties("year", "year"),
        "BASED": TimeProperties("period", "period", 4),
        "LED": TimeProperties("since", None),
    }
    assert time_properties(properties) == clocks


# ---- conditions by brute force --------------------------------------------------------------------------------------


def held(text: str) -> dict[str, list[tuple[str, Period]]]:
    """By office or club, who held it when."""
    found: dict[str, list[tuple[str, Period]]] = {}
    for line in text.strip().split("\n"):
        person, start, end, thing = line.split("|")
        found.setdefault(thing, []).append((person, Period(moment(start), moment(end) if end else None)))
    return found


def moment(text: str) -> Moment:
    return int(text) if text.isdigit() else date.fromisoformat(text)


@pytest.fixture(scope="module")
def both_towns(any_database: BoltDatabase) -> Iterator[QuerySpace]:
    yield from opened(any_database, "temporal-town-both")


def opened(database: BoltDatabase, name: str) -> Iterator[QuerySpace]:
    if database.exists(name):
        database.drop(name)
    graph: GraphStore = database.open(name, create=True)
    store_town(graph)
    yield QuerySpace(graph, introspect(graph))
    database.drop(name)


ASKED = [Period(1979, 1983), Period(1990, None), Period(None, 1978), Period(date(1993, 6, 30), date(1993, 7, 1))]


def overlap(one: Period, other: Period) -> bool:
    """Whether some day belongs to both."""
    return one.first <= other.last and other.first <= one.last


def test_conditions_mean_what_periods_mean(both_towns: QuerySpace) -> None:
    space, known, seen = both_towns, entities(), 0
    for relation, text in (("HELD_POSITION", HELD), ("PLAYED_FOR", PLAYED)):
        clock = space.relation_times[relation]
        cases = list(product(held(text).items(), ASKED))
        for (thing, holders), asked in cases if FULL or space.store.engine != "neo4j" else cases[::3]:
            chain, place = Chain(known[thing], (Hop(relation, False, "Person"),)), TimeLocation(0, 0, clock)

            def found(condition: TimeFilter, chain: Chain = chain) -> set[str]:
                query = Query((chain,), time_filters=(condition,))
                names = {row.name for row in space.execute(query).rows}
                assert bool(names) == space.matches(query)
                return names

            starts = {n for n, p in holders if p.start and overlap(asked, Period(p.start, p.start))}
            ends = {n for n, p in holders if p.end and overlap(asked, Period(p.end, p.end))}
            assert found(TimeFilter(place, "during", asked)) == {n for n, p in holders if overlap(p, asked)}
            assert found(TimeFilter(place, "starts", asked)) == starts
            assert found(TimeFilter(place, "ends", asked)) == ends
            seen += len(starts) + len(ends)
    assert seen > 9


def test_facts_are_compared_with_facts(both_towns: QuerySpace) -> None:
    space, known, clock = both_towns, entities(), both_towns.relation_times["HELD_POSITION"]
    offices = held(HELD)
    for (one, holders), (other, others) in product(offices.items(), offices.items()):
        chain = Chain(known[one], (Hop("HELD_POSITION", False, "Person"),))
        for person, period in others[:2]:
            fact = ReferenceFact(known[person], clock, Hop("HELD_POSITION", True, "Office"), known[other])
            query = Query((chain,), time_filters=(TimeFilter(TimeLocation(0, 0, clock), "during", fact),))
            expected = {n for n, p in holders if overlap(p, period) and n != person}
            assert {row.name for row in space.execute(query).rows} == expected
            if expected:
                evidence = space.evidence(query, [])
                assert (person, other) in {(t.head.name, t.tail.name) for t in evidence}
                assert all("start_time" in t.properties for t in evidence)


def test_turns_and_told_times(both_towns: QuerySpace) -> None:
    space, known, clock = both_towns, entities(), both_towns.relation_times["HELD_POSITION"]
    for office, holders in held(HELD).items():
        chain, place = Chain(known[office], (Hop("HELD_POSITION", False, "Person"),)), TimeLocation(0, 0, clock)
        ordered = [name for name, _ in sorted(holders, key=lambda pair: pair[1].first)]
        for last in (False, True):
            found = space.execute(Query((chain,), time_order=TimeOrder(place, last))).rows
            assert [row.name for row in found] == [ordered[-1 if last else 0]]
        told = space.execute(Query((chain,), returns="period", time_answer=TimeAnswer(place))).rows
        assert {row.name for row in told} == {period.words() for _, period in holders}
        counted = Query((chain,), returns="count", time_filters=(TimeFilter(place, "during", Period(1980, 1995)),))
        expected = sum(overlap(period, Period(1980, 1995)) for _, period in holders)
        assert [row.name for row in space.execute(counted).rows] == [str(expected)]


# ---- rendering ------------------------------------------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=8).filter(
    lambda name: "\\u" not in name
)
ENTITIES = st.builds(Entity, NAMES, NAMES, NAMES)
CLOCKS = st.builds(TimeProperties, NAMES, st.none() | NAMES, st.sampled_from([0, 0, 4, 10]))
HOPS = st.builds(Hop, NAMES, st.booleans(), NAMES, st.booleans())
PLACES = st.builds(TimeLocation, st.just(0), st.just(0), CLOCKS, st.booleans())
FACTS = st.builds(ReferenceFact, ENTITIES, CLOCKS, st.none() | HOPS, st.none() | ENTITIES)
WHENS = st.builds(
    TimeFilter, PLACES, st.sampled_from(["during", "starts", "ends", "before", "after"]), FACTS | st.sampled_from(ASKED)
)


@given(ENTITIES, HOPS, WHENS, st.none() | st.builds(TimeOrder, PLACES, st.booleans()))
def test_every_query_with_a_time_passes_the_guard_and_has_words(
    entity: Entity, hop: Hop, when: TimeFilter, turn: TimeOrder | None
) -> None:
    query = Query((Chain(entity, (hop,)),), time_filters=(when,), time_order=turn)
    statement = render.cypher(query)
    guard.check(statement.cypher)
    assert all(f"${name}" in statement.cypher for name in statement.parameters)
    told = Query((Chain(entity, (hop,)),), returns="period", time_answer=TimeAnswer(when.location))
    guard.check(render.cypher(told).cypher)
    assert entity.name in words(query)
    assert len({query.key(), told.key(), Query(query.chains).key()}) == 3


# ---- questions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Town:
    space: QuerySpace
    index: EntityIndex
    ranker: Ranker

    def rank(self, question: str) -> list[RankedQuery]:
        return self.ranker.rank(question, find_mentions(question, self.index))

    def answers(self, question: str) -> set[str]:
        ranked = self.rank(question)
        return {row.name for row in self.space.execute(ranked[0].query).rows} if ranked else set()


@pytest.fixture(scope="module")
def town(database: BoltDatabase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    for space in opened(database, "temporal-town"):
        index = index_town(tmp_path_factory.mktemp("index"))
        yield Town(space, index, Ranker(space, MiniLM()))


@pytest.mark.parametrize(
    ("question", "answers"), questions(QUESTIONS), ids=lambda v: v[:50] if isinstance(v, str) else ""
)
def test_questions_about_times_are_answered(town: Town, question: str, answers: set[str]) -> None:
    assert town.answers(question) == answers


def test_paraphrases_that_no_rule_was_made_for_are_answered(town: Town) -> None:
    asked = questions(HELD_OUT)
    right = sum(town.answers(question) == answers for question, answers in asked)
    assert right / len(asked) >= 0.9


def test_a_graph_without_times_is_asked_as_before(town: Town) -> None:
    """The same graph as if its schema had no time: no query has one."""
    bare = Schema(town.space.schema.labels, town.space.schema.relations, (), "1")
    ranker = Ranker(QuerySpace(town.space.store, bare), MiniLM())
    question = "Who was Mayor of Garrick in 1981?"
    assert town.rank(question)[0].query.timed
    assert not any(item.query.timed for item in ranker.rank(question, find_mentions(question, town.index)))
