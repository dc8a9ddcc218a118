"""A token sees nothing of graphs that it is not for, whatever its user has there.

The requests are made from the application's OpenAPI document: every route, with every choice of the things that its
parameters and its body name, of a graph that the token is for (OURS) and of another one (THEIRS).
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.api.client import Client
from clew.app.serving.application import Serving, serving_app
from clew.app.serving.authentication import TokenFile
from clew.app.serving.hosts import hosts_of
from clew.app.serving.page_routes import page_files
from clew.app.settings import load_settings
from tests.app.serving.serving_world import imported, serving

USER = "several-tokens"
OURS, THEIRS = "ours", "theirs"
QUESTION = {OURS: "who directed Heat?", THEIRS: "who directed Zanzibar Nights?"}
FACTS = "Zanzibar Nights|directed_by|Zelda Quorn\nQuiet Zebras|directed_by|Zelda Quorn\n"
WORDS = ("Zanzibar Nights", "Zelda Quorn", "Quiet Zebras")
"""What only the other graph says."""
KINDS = {
    ("/api/graphs/", "path", "name"): "graph",
    ("/api/graphs/", "path", "id"): "document",
    ("/api/sessions/", "path", "name"): "session",
    ("/api/traces/", "path", "id"): "trace",
    ("/api/traces/", "path", "a"): "trace",
    ("/api/traces/", "path", "b"): "trace",
    ("/api/imports/", "path", "id"): "import",
    ("/v1/", "path", "model"): "model",
    ("/v1/", "body", "model"): "model",
}
"""What a parameter names, by the beginning of its route, its place and its name."""
ANYWHERE = ("graph", "session", "trace")
"""Names that mean the same in every route."""
VALUES: dict[str, Any] = {
    "question": "who directed Heat?", "statement": "Michael Mann directed Heat.", "rating": "up",
    "messages": [{"role": "user", "content": "who directed Heat?"}], "from": "ground", "path": "x.csv",
    "id": "Zelda Quorn", "label": "Person", "of": "Person", "ids": ["Zelda Quorn"], "name": "another",
    "cypher": "MATCH (n) RETURN n LIMIT 9",
}  # fmt: skip
"""Of parameters that name nothing that is kept."""
ALWAYS = {"question", "rating"}
"""Parameters that are given, though they can be left out."""
LISTS = {
    "/api/graphs", "/api/me", "/api/sessions", "/api/traces", "/api/traces/choices", "/api/feedback", "/api/imports",
    "/v1/models",
}  # fmt: skip
"""Routes that list things of all graphs."""
WITHOUT_SCHEMA = {
    "/openapi.json", "/web/{name}", "/ask/playground/{file_path:path}", "/verify/playground/{file_path:path}",
    "/ask/c/{options}/input_schema", "/verify/c/{options}/input_schema",
    "/v1/models/{model:path}", *(path for path in page_files() if not path.startswith("/web/")),
}  # fmt: skip
"""Routes that the document leaves out, or writes in another way."""

Place = tuple[str, str]
"""Where a parameter is (path, query or body), and its name."""


@dataclass(frozen=True)
class Operation:
    """A route with a method."""

    method: str
    route: str
    parameters: list[Mapping[str, Any]]
    body: Mapping[str, Any] | None
    schemas: Mapping[str, Any]

    def kind(self, place: Place) -> str | None:
        where, name = place
        if name in ANYWHERE:
            return name
        found = [kind for (start, *known), kind in KINDS.items() if self.route.startswith(start) and known == [*place]]
        assert found or where != "path", f"{self.route}: what does {name} name? Add it to KINDS."
        return found[0] if found else None

    @property
    def naming(self) -> dict[Place, bool]:
        """The parameters that name things, and whether they are needed."""
        places = {(each["in"], each["name"]): bool(each.get("required")) for each in self.parameters}
        places |= {("body", name): needed for name, needed in self._properties(self.body)}
        return {place: needed for place, needed in places.items() if self.kind(place)}

    def choices(self) -> Iterator[dict[Place, str]]:
        """Every choice of whose things are named, with at least one of theirs; and none, where none is needed."""
        naming = self.naming
        options = [(OURS, THEIRS) if needed else (None, OURS, THEIRS) for needed in naming.values()]
        for chosen in itertools.product(*options):
            if THEIRS in chosen or not any(chosen):
                yield {place: whose for place, whose in zip(naming, chosen, strict=True) if whose is not None}

    def request(self, values: Mapping[Place, str]) -> dict[str, Any]:
        path, query = self.route, {}
        for each in self.parameters:
            place = (each["in"], each["name"])
            if place[0] == "path":
                path = path.replace("{" + place[1] + "}", values[place])
            elif place in values or each.get("required"):
                query[place[1]] = values[place] if place in values else VALUES[place[1]]
        given = {"method": self.method, "url": path, "params": query}
        return given | ({} if self.body is None else {"json": self._filled(self.body, values)})

    def _properties(self, schema: Mapping[str, Any] | None) -> Iterator[tuple[str, bool]]:
        schema = self._resolved(schema or {})
        for name, part in schema.get("properties", {}).items():
            yield name, name in schema.get("required", ())
            yield from self._properties(part)
        if "items" in schema:
            yield from self._properties(schema["items"])

    def _filled(self, schema: Mapping[str, Any], values: Mapping[Place, str]) -> Any:
        schema = self._resolved(schema)
        if "items" in schema:
            return [self._filled(schema["items"], values)]
        found = {}
        for name, part in schema.get("properties", {}).items():
            inner = {each for each, _ in self._properties(part)}
            if ("body", name) in values:
                found[name] = values["body", name]
            elif inner & {each for where, each in values if where == "body"}:
                found[name] = self._filled(part, values)
            elif name in schema.get("required", ()) or name in ALWAYS:
                found[name] = VALUES[name] if name in VALUES else self._filled(part, values)
        return found

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema or "anyOf" in schema:
            schema = self.schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema["anyOf"][0]
        return schema


def operations(document: Any) -> list[Operation]:
    schemas = document["components"]["schemas"]
    return [
        Operation(
            method.upper(), route, each.get("parameters", []),
            each.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema"), schemas,
        )
        for route, methods in document["paths"].items()
        for method, each in methods.items()
    ]  # fmt: skip


@dataclass
class World:
    """A user with two tokens, one for all graphs and one for OURS alone, and what they have in both graphs."""

    whole: httpx.Client
    limited: httpx.Client
    things: dict[str, dict[str, str]] = field(default_factory=lambda: {OURS: {}, THEIRS: {}})

    def values(self, operation: Operation, choice: Mapping[Place, str], *, missing: bool = False) -> dict[Place, str]:
        """The things that are named; with `missing`, things that nobody has in place of theirs."""
        none = uuid.uuid4().hex[:16]
        kinds = {place: operation.kind(place) or "" for place in choice}
        return {
            place: (f"clew:{none}" if kinds[place] == "model" else none)
            if missing and whose == THEIRS
            else self.things[whose][kinds[place]]
            for place, whose in choice.items()
        }


@pytest.fixture(scope="module")
def graphs(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder = tmp_path_factory.mktemp
    with imported(clew_home, folder("ours")) as ours, imported(clew_home, folder("theirs"), FACTS) as theirs:
        yield {OURS: ours, THEIRS: theirs}


@pytest.fixture(scope="module")
def world(clew_home: Path, graphs: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("things")
    tokens = TokenFile(folder / "tokens.json")
    headers = [
        {"Authorization": f"Bearer {tokens.add(USER, only, may_import=True)[1]}"} for only in (None, (graphs[OURS],))
    ]
    with serving(clew_home, tokens, graphs=tuple(graphs.values())) as url:
        whole, limited = (httpx.Client(base_url=url, headers=each, timeout=60) for each in headers)
        with whole, limited, Client(load_settings(home=clew_home)) as client:
            made = World(whole, limited)
            for whose, graph in graphs.items():
                made.things[whose] = things_in(whole, client, graph, whose, folder)
            mixed(client, graphs)
            yield made


def things_in(whole: httpx.Client, client: Client, graph: str, whose: str, folder: Path) -> dict[str, str]:
    """One thing of every kind about a graph."""
    note = folder / f"{whose}.md"
    note.write_text(f"# {whose} notes\n\nIt is said: {WORDS[0] if whose == THEIRS else 'Heat'} is long.\n")
    documents = client.graph(graph).documents
    documents.add(note)
    session = f"{whose}-{uuid.uuid4().hex[:8]}"
    asked = {"question": QUESTION[whose], "graph": graph, "session": session, "stream": False}
    trace = whole.post("/api/ask", json=asked).json()["trace_id"]
    note_of_it = {"rating": "up", "note": f"about {WORDS[1] if whose == THEIRS else 'Heat'}"}
    assert whole.put(f"/api/traces/{trace}/feedback", json=note_of_it).status_code == 204
    started = whole.post("/api/imports", json={"graph": graph})
    [document] = documents
    return {
        "graph": graph, "model": f"clew:{graph}", "document": document.id, "session": session, "trace": trace,
        "import": started.json()["id"],
    }  # fmt: skip


def mixed(client: Client, graphs: dict[str, str]) -> None:
    """A conversation with a question to each graph, as a file of an earlier release may have."""
    for whose, graph in graphs.items():
        result = {"graph": graph, "sentence": QUESTION[whose], "answers": []}
        client.sessions.add_turn(f"{USER}/mixed", graphs[OURS], QUESTION[whose], result)


def test_every_route_of_the_application_is_in_the_document(clew_home: Path, tmp_path: Path) -> None:
    with Client(load_settings(home=clew_home)) as client:
        app = serving_app(client, Serving(hosts_of("127.0.0.1", ()), TokenFile(tmp_path / "tokens.json"))).app
        routes = {route.path for route in app.routes}
    assert routes - set(app.openapi()["paths"]) == WITHOUT_SCHEMA


def test_nothing_of_another_graph_is_shown_or_changed(world: World) -> None:
    before = kept(world)
    faults = []
    for operation in operations(world.limited.get("/openapi.json").json()):
        for choice in operation.choices():
            faults += [
                f"{operation.method} {operation.route} {choice}: {why}" for why in told(world, operation, choice)
            ]
    assert not faults, "\n".join(faults)
    assert kept(world) == before


def told(world: World, operation: Operation, choice: dict[Place, str]) -> Iterator[str]:
    """How the answer to the limited token differs from that of a server without the other graph's things."""
    values = world.values(operation, choice)
    request = operation.request(values)
    found = world.limited.request(**request)
    marks = [mark for mark in (*world.things[THEIRS].values(), *WORDS) if mark not in str(request)]
    yield from (f"it shows {mark}" for mark in marks if mark in found.text)
    if THEIRS not in choice.values():
        return
    others = world.values(operation, choice, missing=True)
    none = world.limited.request(**operation.request(others))
    makes = none.is_success and operation.method != "GET"  # A session that is missing is begun.
    lists = none.is_success and operation.method == "GET"
    if not lists and found.status_code != 404:
        yield f"{found.status_code} {found.text[:200]}"
    same = (found.status_code, without(found.text, values)) == (none.status_code, without(none.text, others))
    if not makes and not same:
        yield f"{found.status_code} {found.text[:200]}; a missing one gives {none.status_code} {none.text[:200]}"


def without(text: str, values: Mapping[Place, str]) -> str:
    for (_, name), value in values.items():
        text = text.replace(value.removeprefix("clew:"), f"<{name}>")
    return text


def kept(world: World) -> list[str]:
    """What the user has in the other graph."""
    theirs = world.things[THEIRS]
    paths = [
        f"/api/sessions/{theirs['session']}", f"/api/traces/{theirs['trace']}", f"/api/traces?graph={theirs['graph']}",
        f"/api/imports/{theirs['import']}", f"/api/graphs/{theirs['graph']}/documents", "/api/sessions/mixed",
        f"/api/feedback?graph={theirs['graph']}",
    ]  # fmt: skip
    found = [world.whole.get(path) for path in paths]
    assert [each.status_code for each in found] == [200] * len(found)
    return [each.text for each in found]


def test_the_other_token_of_the_user_shows_all_that_is_looked_for(world: World) -> None:
    lists, shown = set(), []
    for operation in operations(world.whole.get("/openapi.json").json()):
        if operation.method != "GET":
            continue
        choice = {place: THEIRS for place, needed in operation.naming.items() if needed}
        answer = world.whole.request(**operation.request(world.values(operation, choice)))
        assert answer.status_code == 200, (operation.route, answer.text)
        if any(mark in answer.text for mark in (*world.things[THEIRS].values(), *WORDS)):
            (shown.append if choice else lists.add)(operation.route)
    assert lists == LISTS
    assert len(shown) >= 10


def test_a_conversation_about_several_graphs_is_there_only_for_tokens_for_all_of_them(world: World) -> None:
    assert len(world.whole.get("/api/sessions/mixed").json()["turns"]) == 2
    assert world.limited.get("/api/sessions/mixed").status_code == 404
    listed = [[each["name"] for each in one.get("/api/sessions").json()] for one in (world.whole, world.limited)]
    assert ("mixed" in listed[0], "mixed" in listed[1]) == (True, False)
    asked = {"question": QUESTION[OURS], "graph": world.things[OURS]["graph"], "session": "mixed"}
    assert world.limited.post("/api/ask", json=asked).status_code == 404
    refused = world.limited.patch(f"/api/sessions/{world.things[OURS]['session']}", json={"name": "mixed"})
    assert (refused.status_code, refused.json()["detail"]) == (422, "There is a session of that name.")


def test_the_beginning_of_an_id_tells_nothing_of_other_graphs(world: World) -> None:
    for path in ("/api/traces/{}", "/api/traces/{}/export"):
        assert world.limited.get(path.format("%")).status_code == 404
        assert world.limited.get(path.format(world.things[THEIRS]["trace"][:6])).status_code == 404
        assert world.limited.get(path.format(world.things[OURS]["trace"])).status_code == 200
