"""`clew serve`, `clew sessions` and `clew trace diff` as a user has them; terminal and server share sessions."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import httpx

from tests.app.serving.serving_world import until
from tests.command_processes import CommandProcess
from tests.conftest import Said


def test_tokens_are_made_listed_and_revoked(said: Said, tmp_path: Path) -> None:
    secret, told = said("--home", tmp_path, "serve", "token", "add", "ann", "--graph", "films", "--per-minute", "5")
    assert secret.startswith("clew_")
    assert "cannot be shown again" in told
    (listed,) = json.loads(said("--home", tmp_path, "serve", "token", "list", "--json")[0])
    assert (listed["user"], listed["graphs"], listed["per_minute"]) == ("ann", ["films"], 5)
    assert secret.strip() not in said("--home", tmp_path, "serve", "token", "list")[0]
    said("--home", tmp_path, "serve", "token", "revoke", listed["id"])
    assert said("--home", tmp_path, "serve", "token", "list", "--json")[0].strip() == "[]"
    assert "no token" in said("--home", tmp_path, "serve", "token", "revoke", listed["id"], status=1)[1]
    assert "not a name of a user" in said("--home", tmp_path, "serve", "token", "add", "a/b", status=1)[1]


def test_elsewhere_than_here_is_refused_without_a_token(said: Said, tmp_path: Path) -> None:
    assert "there are no tokens" in said("--home", tmp_path, "serve", "--host", "0.0.0.0", "--port", "0", status=1)[1]
    assert (
        "there are no tokens"
        in said("--home", tmp_path, "mcp", "--http", "--host", "0.0.0.0", "--port", "0", status=1)[1]
    )
    (tmp_path / "tokens.json").write_text("{")
    assert "no tokens that can be read" in said("--home", tmp_path, "serve", "--port", "0", status=1)[1]


def test_the_terminal_and_the_server_share_sessions(said: Said, clew_home: Path, films: str, tmp_path: Path) -> None:
    process = CommandProcess(clew_home, "serve", "--port", "0", "--graph", films)
    try:
        told = process.stderr.readline()
        address = re.search(r"http://\S+", told)
        assert address is not None, told
        url = address[0]
        until(lambda: reachable(url), 60)
        body = {"question": "who directed Casino?", "graph": films, "session": "shared", "stream": False}
        first = httpx.post(f"{url}/api/ask", json=body, timeout=60).json()
        chatted = chat(
            clew_home, "--session", "shared", lines=["and who starred in it?", "/sessions", "/rename renamed"]
        )
        assert sorted(chatted[0].split(", ")) == ["Robert De Niro", "Sharon Stone"]
        assert f"shared  ({films}, 2 questions): who directed Casino?" in chatted
        assert chatted[-1] == "The conversation is now called renamed."
        turns = httpx.get(f"{url}/api/sessions/renamed", timeout=20).json()["turns"]
        assert [turn["question"] for turn in turns] == ["who directed Casino?", "and who starred in it?"]
        out = tmp_path / "session.md"
        chatted = chat(
            clew_home, "--graph", films, lines=["/resume renamed", f"/export {out}", "/delete", "/resume gone"]
        )
        assert chatted[0].startswith(f"Continuing renamed, about {films}")
        assert "## and who starred in it?" in out.read_text()
        assert "no such session" in chatted[-1]
        assert httpx.get(f"{url}/api/sessions/renamed", timeout=20).status_code == 404
        assert httpx.get(f"{url}/api/traces/{first['trace_id']}", timeout=20).status_code == 404
    finally:
        process.send_signal(signal.SIGTERM)
        _, rest = process.communicate(timeout=60)
    assert "Traceback" not in rest


def reachable(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ready", timeout=10).status_code == 200
    except httpx.TransportError:
        return False


def chat(home: Path, *arguments: str, lines: list[str]) -> list[str]:
    process = CommandProcess(home, "chat", *arguments)
    out, err = process.communicate("\n".join(lines) + "\n", timeout=120)
    assert process.returncode == 0, err
    return out.splitlines()


def test_sessions_and_differences_on_the_command_line(said: Said, clew_home: Path, films: str, tmp_path: Path) -> None:
    chat(clew_home, "--graph", films, "--session", "cli", lines=["who directed Heat?", "and who starred in it?"])
    assert "who directed Heat?" in said("--home", clew_home, "sessions", "list")[0]
    names = {each["name"] for each in json.loads(said("--home", clew_home, "sessions", "list", "--json")[0])}
    assert "cli" in names
    assert said("--home", clew_home, "sessions", "export", "cli")[0].startswith("# cli\n")
    said("--home", clew_home, "sessions", "export", "cli", "--json", "--out", str(tmp_path / "cli.json"))
    turns = json.loads((tmp_path / "cli.json").read_text())["turns"]
    ids = [turn["result"]["trace_id"] for turn in turns]
    out = said("--home", clew_home, "trace", "diff", *ids)[0]
    assert "- Michael Mann" in out
    assert "+ Al Pacino" in out
    assert json.loads(said("--home", clew_home, "trace", "diff", ids[0], ids[0], "--json")[0])["same"]
    said("--home", clew_home, "sessions", "rename", "cli", "other")
    assert "cannot be the name" in said("--home", clew_home, "sessions", "rename", "other", "a/b", status=1)[1]
    said("--home", clew_home, "sessions", "delete", "other", "--yes")
    assert "no such session" in said("--home", clew_home, "sessions", "export", "other", status=1)[1]
