"""The queries for two sides of one event, on the databases, against counts in Python: goals, wins, draws, opponents."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

TEAMS = ("Hull", "Leeds", "York", "Ripon", "Selby")
LEAGUE = Schema(
    {"Match": 40, "Team": 5},
    (Relation("HOME_TEAM", "Match", "Team", 40), Relation("AWAY_TEAM", "Match", "Team", 40)),
    (
        Property("Match", "name", "STRING", 40, ("M1", "M2")),
        Property("Match", "home_goals", "INTEGER", 40, (1, 2), 0, 4),
        Property("Match", "away_goals", "INTEGER", 40, (0, 3), 0, 4),
        Property("Team", "name", "STRING", 5, TEAMS[:2]),
    ),
    "1",
)  # fmt: skip
NAMES = {name: Entity(name, name, "Team") for name in TEAMS}
Game = dict[str, Any]


@pytest.fixture(scope="module")
def league(any_database: BoltDatabase) -> Iterator[tuple[GraphStore, list[Game]]]:
    """Matches with a home team, an away team and the goals of both; one has no goals yet."""
    graph, chance = any_database.open(f"league-{uuid.uuid4().hex[:12]}", create=True), random.Random(3)
    games: list[Game] = []
    for i in range(40):
        home, away = chance.sample(TEAMS, 2)
        games.append({"nodeId": f"m{i}", "name": f"M{i}", "home": home, "away": away})
        games[-1] |= {} if i == 7 else {"home_goals": chance.randrange(5), "away_goals": chance.randrange(5)}
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    for label in ("Match", "Team"):
        graph.ensure_index(label, "nodeId")
    graph.write(f"UNWIND $names AS name CREATE (:Team{scope} {{nodeId: name, name: name}})", {"names": list(TEAMS)})
    for side in ("home", "away"):
        graph.write(
            f"UNWIND $rows AS row MERGE (m:Match{scope} {{nodeId: row.nodeId}}) SET m += row.own WITH m, row "
            f"MATCH (t:Team{scope} {{nodeId: row.{side}}}) CREATE (m)-[:{side.upper()}_TEAM]->(t)",
            {"rows": [{**g, "own": {k: v for k, v in g.items() if k not in ("home", "away")}} for g in games]},
        )
    yield graph, games
    any_database.drop(graph.name)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(LEAGUE, NAMES)


def told(game: Game, team: str) -> tuple[int, int] | None:
    """The goals of a team and those that it conceded; None if it did not play, or the goals are not known."""
    goals = game.get("home_goals"), game.get("away_goals")
    if team not in (game["home"], game["away"]) or None in goals:
        return None
    return goals if team == game["home"] else goals[::-1]  # type: ignore[return-value]


def outcome(game: Game, team: str) -> int | None:
    own = told(game, team)
    return None if own is None else (own[0] > own[1]) - (own[0] < own[1])


@pytest.mark.parametrize("team", TEAMS)
def test_numbers_of_a_team(reader: Reader, league: tuple[GraphStore, list[Game]], team: str) -> None:
    graph, games = league
    own = [told(game, team) for game in games]
    expected = {
        f"how many matches did {team} play?": sum(team in (g["home"], g["away"]) for g in games),
        f"how many home games has {team} played?": sum(g["home"] == team for g in games),
        f"how many goals did {team} score?": sum(goals[0] for goals in own if goals),
        f"how many matches did {team} win?": sum(outcome(g, team) == 1 for g in games),
        f"how many matches did {team} lose?": sum(outcome(g, team) == -1 for g in games),
        f"number of draws of {team}": sum(outcome(g, team) == 0 for g in games),
        f"number of away wins of {team}": sum(outcome(g, team) == 1 and g["away"] == team for g in games),
    }
    assert {question: rows(graph, reader, question)[0]["value"] for question in expected} == expected


@pytest.mark.parametrize("team", TEAMS)
def test_who_met_whom(reader: Reader, league: tuple[GraphStore, list[Game]], team: str) -> None:
    graph, games = league
    others = [name for name in TEAMS if name != team]

    def met(result: int | None) -> set[str]:
        return {
            name for name in others for game in games
            if {name, team} == {game["home"], game["away"]} and (result is None or outcome(game, name) == result)
        }  # fmt: skip

    expected = {
        f"which teams have {team} played?": met(None),
        f"which teams beat {team}?": met(1),
        f"which teams lost to {team}?": met(-1),
        f"which teams drew with {team}?": met(0),
        f"which teams never beat {team}?": {*others} - met(1),
    }
    assert {q: {row["name"] for row in rows(graph, reader, q)} for q in expected} == expected


def test_the_most_wins(reader: Reader, league: tuple[GraphStore, list[Game]]) -> None:
    graph, games = league
    wins = {team: sum(outcome(game, team) == 1 for game in games) for team in TEAMS}
    found = {row["name"] for row in rows(graph, reader, "which team has the most wins?")}
    assert found == {team for team in TEAMS if wins[team] == max(wins.values())}


def rows(graph: GraphStore, reader: Reader, question: str) -> list[dict[str, Any]]:
    query = render(best_reading(reader, question, NAMES).form, graph.terms, {})
    return list(graph.read(query.cypher, query.parameters).records)
