"""Graphs node by node over HTTP, and Cypher that only reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving
from tests.app.web.web_world import film_club


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with film_club(clew_home, tmp_path_factory.mktemp("films")) as name:
        yield name


@pytest.fixture(scope="module")
def api(clew_home: Path, films: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    none = TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")
    with (
        serving(clew_home, none, graphs=(films,)) as url,
        httpx.Client(base_url=f"{url}/api/graphs/{films}", timeout=60) as opened,
    ):
        yield opened


def got(api: httpx.Client, path: str, **params: Any) -> Any:
    found = api.get(path, params=params)
    assert found.status_code == 200, found.text
    return found.json()


def test_nodes_are_found_by_parts_of_their_names(api: httpx.Client) -> None:
    assert got(api, "/nodes", search="MANN") == [{"id": "mann", "name": "Michael Mann", "label": "Person"}]
    assert {each["id"] for each in got(api, "/nodes", search="kismet")} == {"kismet-1944", "kismet-1955"}
    assert got(api, "/nodes", search="kismet", label="Person") == []
    assert [each["name"] for each in got(api, "/nodes", search="Micheal Man")] == ["Michael Mann"]  # misspelt
    assert len(got(api, "/nodes", limit=3)) == 3


def test_a_node_tells_its_properties_and_relations(api: httpx.Client) -> None:
    node = got(api, "/node", id="heat", label="Film")
    assert (node["name"], node["properties"]["year"], node["labels"]) == ("Heat", 1995, ["Film"])
    assert node["relations"] == [
        {"relation": "ACTED_IN", "label": "Person", "count": 3, "outgoing": False},
        {"relation": "DIRECTED", "label": "Person", "count": 1, "outgoing": False},
    ]
    assert api.get("/node", params={"id": "none", "label": "Film"}).status_code == 422


def test_neighbours_are_bounded_and_go_on(api: httpx.Client) -> None:
    found = got(api, "/neighbours", id="mann", of="Person", relation="DIRECTED", outgoing=True, limit=2)
    assert ([node["id"] for node in found["nodes"]], found["more"]) == (["hostile", "ali"], True)
    rest = got(api, "/neighbours", id="mann", of="Person", relation="DIRECTED", outgoing=True, skip=2)
    assert {node["id"] for node in rest["nodes"]} == {"collateral", "heat", "long"}
    assert rest["more"] is False
    roles = got(api, "/neighbours", id="heat", of="Film", relation="ACTED_IN")["edges"]
    assert {edge["properties"]["role"] for edge in roles} >= {"Vincent Hanna", "Neil McCauley"}
    assert all(edge["target"] == "heat" for edge in roles)
    assert got(api, "/neighbours", id="heat", of="Film", relation="`) DETACH DELETE (n")["nodes"] == []


def test_relations_among_nodes(api: httpx.Client) -> None:
    found = api.post("/subgraph", json={"ids": ["mann", "heat", "niro", "nobody"]}).json()
    assert {node["id"]: node["label"] for node in found["nodes"]} == {
        "mann": "Person",
        "heat": "Film",
        "niro": "Person",
    }
    assert {(edge["source"], edge["relation"], edge["target"]) for edge in found["edges"]} == {
        ("mann", "DIRECTED", "heat"),
        ("niro", "ACTED_IN", "heat"),
    }


def test_cypher_reads_and_does_not_write(api: httpx.Client) -> None:
    def ran(cypher: str, **given: Any) -> httpx.Response:
        return api.post("/query", json={"cypher": cypher, **given})

    found = ran("MATCH (f:Film) WHERE f.year > $from RETURN f.name AS film, f ORDER BY film", parameters={"from": 2000})
    assert found.json()["columns"] == ["film", "f"]
    assert [row["film"] for row in found.json()["rows"]] == ["Ali", "Collateral"]
    assert (found.json()["rows"][0]["f"]["nodeId"], found.json()["truncated"]) == ("ali", False)
    assert ran("MATCH (n) RETURN n.name AS name", rows=2).json()["truncated"] is True
    for writes in ("CREATE (n:Film {name: 'x'})", "MATCH (n) DETACH DELETE n", "MATCH (n) SET n.x = 1 RETURN n"):
        refused = ran(writes)
        assert refused.status_code == 422
        assert refused.json()["detail"]
    assert ran("MATCH (n RETURN n").status_code == 422


def test_cypher_is_put_in_words_that_are_read_as_it(api: httpx.Client) -> None:
    def said(cypher: str) -> dict[str, Any]:
        answer = api.post("/question", json={"cypher": cypher})
        assert answer.status_code == 200
        found: dict[str, Any] = answer.json()
        return found

    films = said("MATCH (p:Person)-[:DIRECTED]->(f:Film) WHERE p.name = 'Michael Mann' AND f.year < 2000 RETURN f")
    assert films["question"] == "What are the films that Michael Mann directed and with year under 2000?"
    assert films["same"] is True
    other = said("MATCH (f:Film) WHERE f.year <> 1995 RETURN f")
    assert (other["question"], other["same"]) == ("What are the films with year other than 1995?", False)
    assert other["reading"]
    none = said("MATCH (f:Film) WHERE f.year = 1995 OR f.name = 'Ali' RETURN f")
    assert none["question"] is None
    assert "OR" in none["why"]
    assert api.post("/question", json={"cypher": "MATCH (n) DETACH DELETE n"}).status_code == 422


@pytest.mark.parametrize("value", [10**30, -(2**63) - 1, [1, {"deep": 2**63}]])
def test_numbers_beyond_64_bits_are_refused_with_the_limit(api: httpx.Client, value: Any) -> None:
    refused = api.post("/query", json={"cypher": "RETURN $x AS x", "parameters": {"x": value}})
    assert refused.status_code == 422
    assert "'x' cannot be sent" in refused.json()["detail"]
    assert "9223372036854775807 (64 bits)" in refused.json()["detail"]
    fits = api.post("/query", json={"cypher": "RETURN $x AS x", "parameters": {"x": 2**63 - 1}})
    assert fits.json()["rows"] == [{"x": 2**63 - 1}]
