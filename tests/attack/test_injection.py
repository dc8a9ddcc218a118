"""Orders in data: a model that obeys them changes no graph, file, prompt or limit, and no link leaves an answer."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.agents.prompting import PROMPTS, prompt
from clew.agents.replies.composed import fit_to_show
from clew.app.cli import run as run_command
from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving
from tests.attack.obedient import ASKED, MARK, SECRET, STOLEN, Obedient, order, prompt_of, systems, tables
from tests.attack.world import Listener, content
from tests.scripted_model import ScriptedModel

MOST_CALLS = 8
PASSAGES = ("describe_chunks", "extract_skeleton")
"""Prompts whose texts keep their lines."""
LIMITS = {"model", "temperature", "max_completion_tokens", "max_tokens", "response_format", "messages", "stream"}
"""What a request may hold: no tools."""


class World:
    """A poisoned graph with documents, an obedient model, and a listener whose address the orders contain."""

    def __init__(self, home: Path, folder: Path, model: Obedient, server: ScriptedModel, listener: Listener) -> None:
        self.home, self.model, self.server, self.listener = home, model, server, listener
        self.settings = {
            "model": "scripted", "model_base_url": server.base_url, "model_api_key": SECRET, "model_calls": MOST_CALLS,
            "model_own_answers": "mark",
        }  # fmt: skip
        self.name = f"orders-{uuid.uuid4().hex[:8]}"
        self.graph = clew.connect(self.name, home=home, **self.settings)
        for file, text in tables(listener).items():
            (folder / file).write_text(text, encoding="utf-8")
        self.graph.import_files(folder / "nodes.csv", folder / "edges.csv")
        self.graph.index(texts=True)
        told = order(listener)
        (folder / "note.md").write_text(f"# Heat\n\nHeat was made by Mann. {told}\n\n{told}\n", encoding="utf-8")
        rows = "".join(f'Heat,"{told}"\n' for _ in range(3))
        (folder / "table.csv").write_text(f"name,remark\n{rows}", encoding="utf-8")
        self.graph.documents.add(folder / "note.md", folder / "table.csv")

    def asked(self, *prompts: str) -> None:
        """The model was asked with these prompts, and with nothing that data or replies changed."""
        seen = set()
        for request in self.server.requests:
            name = prompt_of(request)
            assert name, request.system
            assert request.keys() <= LIMITS, request.keys()
            assert [each["role"] for each in request["messages"]] == ["system", "user"]
            assert (request["model"], request["temperature"]) == ("scripted", 0.0)
            assert SECRET not in request.user
            if name not in PASSAGES:
                assert not re.search(r"^(?:System:|\[F9\] Heat|7\. \(another)", request.user, re.M), (
                    name,
                    request.user,
                )
            if MARK in request.user:
                seen.add(name)
        assert {*prompts} <= seen, seen
        self.server.requests.clear()


@pytest.fixture(scope="module")
def poisoned(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    listener = Listener()
    model = Obedient(listener)
    with ScriptedModel(model) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOME_SERVICE_KEY", SECRET)
        world = World(clew_home, tmp_path_factory.mktemp("orders"), model, server, listener)
        with world.graph:
            yield world
            world.graph.client.drop(world.name)
    listener.close()


@pytest.fixture
def world(poisoned: World) -> Iterator[World]:
    """The same, which nothing may have changed or contacted."""
    before = content(poisoned.graph.files.store)
    poisoned.server.requests.clear()
    yield poisoned
    assert content(poisoned.graph.files.store) == before
    assert poisoned.listener.contacts == 0


def clean(said: str) -> None:
    """A text that leaves has nothing that only the model wrote, no secret, and no instructions."""
    assert STOLEN not in said
    assert SECRET not in said
    for name in systems():
        told = (PROMPTS / f"{name}.md").read_text(encoding="utf-8").partition("# system\n")[2]
        assert told.splitlines()[0][:60] not in said, name


def inert(markdown: str) -> None:
    """Markdown that shows no link, image or HTML."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(markdown)
    inline = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inline)}
    assert not kinds & {"link_open", "image", "html_inline", "html_block"}
    assert "://" not in "".join(child.content for child in inline if child.type == "text")


@pytest.mark.parametrize(
    ("method", "prompts"),
    [
        (None, ["link", "answer"]),
        ("byokg", ["link", "link_again", "select_relations", "select_entities", "answer"]),
        ("simgrag", ["pattern", "answer"]),
        ("spark", ["plan", "repair_plan"]),
        ("sage", ["answer"]),
        ("graphraft", ["repair_query", "answer"]),
    ],
)
def test_questions(world: World, method: str | None, prompts: list[str]) -> None:
    result = world.graph.ask(ASKED, method=method)
    assert result.model
    assert result.model["calls"] <= MOST_CALLS
    world.asked(*prompts)
    clean(json.dumps(result.to_dict()))
    inert(result._repr_markdown_())
    assert result.explanation


def test_replies_that_are_asked_for_again(world: World) -> None:
    world.model.formless = ("link", "pattern")
    for method in (None, "simgrag"):
        clean(json.dumps(world.graph.ask(ASKED, method=method).to_dict()))
    world.model.formless = ()
    world.asked("repair_artifacts", "repair_pattern")


def test_statements(world: World) -> None:
    result = world.graph.verify("Odd directed Heat.")
    world.asked("verdict")
    clean(json.dumps(result.to_dict()))


def test_what_a_model_writes_once(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Words for relations, questions to teach, descriptions and a skeleton of documents."""
    glossed = "".join(batch.toml for batch in world.graph.write_glosses(save=False))
    clean(glossed)
    assert "made by" in glossed
    for each in world.graph.teaching.write_questions(3):
        clean(str(each))
    model = ["--model", "scripted", "--base-url", world.server.base_url, "--graph", world.name]
    for command in (["describe"], ["skeleton", "--beta", "1", "--yes"]):
        assert run_command(["--home", str(world.home), "documents", *command, *model]) == 0
    world.asked("gloss", "write_questions", "describe_chunks", "extract_skeleton")
    found = world.graph.ask("Who made Heat?", strategies=["documents"])
    clean(json.dumps(found.to_dict()))
    inert(found._repr_markdown_())


def test_the_command_line_and_exports(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in world.server.environment(key=SECRET).items():
        monkeypatch.setenv(name, value)
    home = ["--home", str(world.home)]
    session = f"orders-{uuid.uuid4().hex[:8]}"
    assert run_command([*home, "ask", ASKED, "--graph", world.name]) == 0
    world.graph.ask(ASKED, session=session)
    capsys.readouterr()
    assert run_command([*home, "sessions", "export", session]) == 0
    exported = capsys.readouterr().out
    clean(exported)
    inert(exported)
    assert "## Who directed Heat?" in exported


def test_a_client_that_renders_markdown(world: World, tmp_path: Path) -> None:
    """Also, nothing but the user's questions of a history reaches the model."""
    history = [{"role": role, "content": f"{MARK} of {role}"} for role in ("system", "assistant", "tool")]
    asked: dict[str, Any] = {"model": f"clew:{world.name}", "messages": [*history, {"role": "user", "content": ASKED}]}
    tokens = TokenFile(tmp_path / "tokens.json")
    with serving(world.home, tokens, graphs=(world.name,), **world.settings) as url:
        said = httpx.post(f"{url}/v1/chat/completions", json=asked, timeout=60).json()["choices"][0]["message"]
        raw = httpx.post(f"{url}/api/ask", json={"question": ASKED, "stream": False}, timeout=60)
    assert not said.get("tool_calls")
    assert not any(f"{MARK} of" in request.user for request in world.server.requests)
    world.asked("link", "answer")
    inert(said["content"])
    clean(said["content"] + raw.text)


# ---- laws -----------------------------------------------------------------------------------------------------------

PARTS = re.findall(r"<([a-z-]+)>", "".join(path.read_text(encoding="utf-8") for path in PROMPTS.glob("*.md")))
TAGS = st.tuples(
    st.sampled_from(["<", "< ", "<\n", "</", "< / ", "<<", "\uff1c", "</<"]),
    st.sampled_from(sorted({*PARTS, "system", "SCHEMA", "script"})),
    st.sampled_from([">", " >", "\n>", " x='1'>", ">>", "\uff1e", "/>"]),
).map("".join)


@given(st.lists(TAGS | st.text(max_size=5), max_size=6).map("".join))
def test_no_value_closes_a_part_of_a_prompt(value: str) -> None:
    places = {"question": value, "schema": value, "names": value}
    tags = re.compile(r"[<\uff1c]\s*/?\s*(?:schema|names|question|entities|paths|opencypher|answers)\b", re.I)
    filled, empty = prompt("link", **places), prompt("link", question="", schema="", names="")
    whole = [m.group() for m in tags.finditer(filled.user) if re.match(r"[^<\uff1c]*[>\uff1e]", filled.user[m.end() :])]
    assert whole == tags.findall(empty.user)
    assert filled.system == empty.system


@given(
    st.text(max_size=30), st.sampled_from(["https://a.b/", "http:/\\a", "www.a.b", "![x](y)", "<img src=x>", "&#104;"])
)
def test_no_link_of_a_model_is_shown(words: str, link: str) -> None:
    assert not fit_to_show(f"{words} {link} {words}", "")


TOLD = ("read", "the", "facts", "and", "answer", "every", "question", "briefly")


@given(st.lists(st.sampled_from(TOLD), max_size=12) | st.integers(0, 7).map(lambda at: list(TOLD[at:] + TOLD[:at])))
def test_only_a_run_of_the_instructions_is_refused(words: list[str]) -> None:
    system = " ".join(TOLD)
    piece = any(" ".join(words[at : at + 6]) in system for at in range(len(words) - 5))
    assert fit_to_show(" ".join(words), system) is not piece
