"""A token sees nothing of graphs that it is not for, nor of other users, whatever there is.

The requests are made from the application's OpenAPI document: every route, with every choice of the things that its
parameters and its body name, of a graph that the token is for (OURS) and of another one (THEIRS).
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

from clew.app.api.client import Client
from clew.app.serving.application import Serving, local_service, serving_app
from clew.app.serving.authentication import TokenFile, Tokens
from clew.app.serving.hosts import hosts_of
from clew.app.serving.mcp_tools import mcp_server
from clew.app.serving.middleware import RequestMiddleware
from clew.app.serving.page_routes import page_files
from clew.app.serving.runs import Runs
from clew.app.serving.shared_access import tokens_of
from clew.app.settings import load_settings
from tests.app.serving.serving_world import imported, listening, serving
from tests.app.serving.test_mcp import called

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
PERSONAL = {"session", "trace", "import"}
"""What only its user sees; graphs and documents are everybody's who has a token for the graph."""
SESSION = ("body", "session")
"""A session that a question begins, if its user has none of the name."""
OPEN = {"/health", "/ready"}
"""Routes of the document that answer without a token."""
VALUES: dict[str, Any] = {
    "question": "who directed Heat?", "statement": "Michael Mann directed Heat.", "rating": "up",
    "messages": [{"role": "user", "content": "who directed Heat?"}], "from": "link_entities", "path": "x.csv",
    "id": "Zelda Quorn", "label": "Person", "of": "Person", "ids": ["Zelda Quorn"], "name": "another",
    "text": "Heat", "cypher": "MATCH (n) RETURN n LIMIT 9",
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
    """A user with two tokens, one for all graphs and one for OURS alone, what they have in both, and a stranger."""

    whole: httpx.Client
    limited: httpx.Client
    stranger: httpx.Client
    """Another user, with a token for all graphs."""
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


@pytest.fixture(scope="module", params=["files", "postgres"])
def world(
    clew_home: Path, graphs: dict[str, str], tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("things")
    shared = {} if request.param == "files" else {"state_url": request.getfixturevalue("make_state")()}
    with Client(load_settings(home=folder, **shared)) as of_tokens:
        yield from _world(clew_home, graphs, folder, tokens_of(of_tokens), shared)


def _world(
    clew_home: Path, graphs: dict[str, str], folder: Path, tokens: Tokens, shared: dict[str, Any]
) -> Iterator[World]:
    headers = [
        {"Authorization": f"Bearer {tokens.add(USER, only, may_import=True)[1]}"} for only in (None, (graphs[OURS],))
    ]
    headers.append({"Authorization": f"Bearer {tokens.add('stranger', None, may_import=True)[1]}"})
    with serving(clew_home, tokens, graphs=tuple(graphs.values()), **shared) as url:
        whole, limited, stranger = (httpx.Client(base_url=url, headers=each, timeout=60) for each in headers)
        with whole, limited, stranger, Client(load_settings(home=clew_home, **shared)) as client:
            made = World(whole, limited, stranger)
            for whose, graph in graphs.items():
                made.things[whose] = things_in(whole, client, graph, whose, folder)
            mixed(client, graphs)
            yield made
            for whose, graph in graphs.items():
                client.graph(graph).documents.remove(made.things[whose]["document"])


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
            why = told(world, operation, choice, world.limited, (*world.things[THEIRS].values(), *WORDS))
            faults += [f"{operation.method} {operation.route} {choice}: {each}" for each in why]
    assert not faults, "\n".join(faults)
    assert kept(world) == before


def test_nothing_of_another_user_is_shown_or_changed(world: World) -> None:
    before, faults, asked = kept(world), list[str](), set[str]()
    personal_things = [each for whose in world.things.values() for kind, each in whose.items() if kind in PERSONAL]
    secrets = [*personal_things, f"about {WORDS[1]}", QUESTION[THEIRS]]
    for operation in operations(world.stranger.get("/openapi.json").json()):
        personal = [place for place in operation.naming if operation.kind(place) in PERSONAL and place != SESSION]
        if operation.method in ("DELETE", "PATCH", "PUT") and not personal:
            continue  # What it changes is everybody's.
        graphs = [place for place in operation.naming if operation.kind(place) == "graph"]
        shared = {place: OURS for place, needed in operation.naming.items() if needed and place not in personal}
        shared |= dict.fromkeys(graphs, OURS)
        for chosen in personal or [None]:
            needed = [place for place in personal if operation.naming[place]]
            choice = shared | dict.fromkeys([*needed, *([chosen] if chosen else [])], THEIRS)
            asked |= {operation.route} if chosen else set()
            why = told(world, operation, choice, world.stranger, secrets)
            faults += [f"{operation.method} {operation.route} {choice}: {each}" for each in why]
    assert not faults, "\n".join(faults)
    assert len(asked) >= 10
    session, graph = world.things[THEIRS]["session"], world.things[OURS]["graph"]
    said = {"question": "And who starred in it?", "graph": graph, "session": session, "stream": False}
    begun = world.stranger.post("/api/ask", json=said)
    assert begun.json()["follow_up"] is None, "a session of the same name is another one"
    assert len(world.stranger.get(f"/api/sessions/{session}").json()["turns"]) == 1
    assert kept(world) == before


def test_without_a_token_nothing_is_answered(world: World) -> None:
    answered = set()
    with httpx.Client(base_url=world.whole.base_url) as nobody:
        for operation in operations(world.whole.get("/openapi.json").json()):
            request = operation.request(world.values(operation, dict.fromkeys(operation.naming, THEIRS)))
            for headers in ({}, {"Authorization": "Bearer clew_0123456789abcdef0123456789abcdef"}):
                found = nobody.request(**request, headers=headers)
                answered |= {operation.route} if found.status_code != 401 else set()
                assert not any(word in found.text for word in WORDS)
    assert answered == OPEN


async def test_tools_of_mcp_are_limited_to_the_graphs_of_a_token(
    clew_home: Path, graphs: dict[str, str], tmp_path: Path
) -> None:
    """Every tool, with every graph that it may name."""
    tokens = TokenFile(tmp_path / "tokens.json")
    headers = {"Authorization": f"Bearer {tokens.add(USER, (graphs[OURS],))[1]}"}
    with Client(load_settings(home=clew_home)) as client:
        service = local_service(client, Runs(4, 64))
        server = mcp_server(service)
        server.settings.transport_security = None
        app = RequestMiddleware(server.streamable_http_app(), hosts_of("127.0.0.1", ()), tokens, service.metrics)
        with listening(app) as url:
            assert httpx.post(f"{url}/mcp", json={}).status_code == 401
            async with (
                streamablehttp_client(f"{url}/mcp", headers) as (reader, writer, _),
                ClientSession(reader, writer) as session,
            ):
                await session.initialize()
                assert (await called(session, "graphs"))[1] == [graphs[OURS]]
                for tool in (await session.list_tools()).tools:
                    needed = {name: VALUES[name] for name in tool.inputSchema.get("required", ())}
                    if "graph" in tool.inputSchema["properties"]:
                        failed, found = await called(session, tool.name, **needed, graph=graphs[OURS])
                        assert not failed, found
                        failed, found = await called(session, tool.name, **needed, graph=graphs[THEIRS])
                        other, missing = await called(session, tool.name, **needed, graph="missing")
                        assert (failed, other) == (True, True)
                        assert found == missing.replace("missing", graphs[THEIRS])
                        assert not any(word in found for word in WORDS)
        service.runs.close()


def told(
    world: World, operation: Operation, choice: dict[Place, str], asks: httpx.Client, known: Sequence[str]
) -> Iterator[str]:
    """How the answer differs from that of a server without the other things; `known` of them is not to be shown."""
    values = world.values(operation, choice)
    request = operation.request(values)
    found = asks.request(**request)
    marks = [mark for mark in known if mark not in str(request)]
    yield from (f"it shows {mark}" for mark in marks if mark in found.text)
    if THEIRS not in choice.values():
        return
    others = world.values(operation, choice, missing=True)
    none = asks.request(**operation.request(others))
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
