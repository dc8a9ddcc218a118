"""`clew documents skeleton`, and questions that follow what it wrote down."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import filelock
import pytest

from clew.app.cli import run
from tests.command_processes import CommandProcess
from tests.film_facts import FACTS
from tests.scripted_model import Request, Said, ScriptedModel

NOTES = {
    "camera.md": "# The glass camera\n\nThe glass camera was lent to Michael Mann by a painter called Ilse Brandt.\n",
    "brandt.md": "# A painter\n\nAs a girl I. B. lived on the island of Sark, where she kept bees.\n",
    "rain.md": "# Weather\n\nIt rained on every day of the shoot, and the umbrellas were all painted black.\n",
    "food.md": "# Food\n\nThe soup was cold and nobody complained about the bread that came with it.\n",
}
TOLD = {
    "glass camera was lent": (
        ["glass camera", "Michael Mann", "Ilse Brandt"],
        [("glass camera", "was lent by", "Ilse Brandt"), ("glass camera", "was lent to", "Michael Mann")],
    ),
    "As a girl": (["I. B.", "Sark"], [("I. B.", "lived on the island of", "Sark")]),
}


def reply(request: Request) -> str:
    """What a good model would say of the passages that are sent."""
    assert request.wants_json
    found = {}
    _, *parts = re.split(r"^(\d+)\. \(", request.user, flags=re.MULTILINE)
    for number, passage in zip(parts[::2], parts[1::2], strict=True):
        names, told = next((value for key, value in TOLD.items() if key in passage), ([], []))
        found[number] = {
            "entities": [{"name": name, "type": "person", "description": f"About {name}."} for name in names],
            "relations": [{"head": h, "relation": r, "tail": t, "description": f"{h} {r} {t}."} for h, r, t in told],
        }
    return json.dumps(found)


@pytest.fixture
def notes(at_home: None, tmp_path: Path) -> Iterator[str]:
    """A graph of films with notes beside it."""
    (tmp_path / "films.txt").write_text(FACTS, encoding="utf-8")
    (tmp_path / "notes").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "notes" / name).write_text(text, encoding="utf-8")
    name = f"notes-{uuid.uuid4().hex[:8]}"
    assert run(["import", str(tmp_path / "films.txt"), "--graph", name]) == 0
    assert run(["documents", "add", str(tmp_path / "notes"), "--graph", name]) == 0
    yield name
    run(["drop", name, "--yes"])


def shown(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    capsys.readouterr()
    assert run([*command, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command(
    notes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["documents", "skeleton", "--graph", notes, "--beta", "1"]
    assert run(command) == 1
    assert "none is set" in capsys.readouterr().err
    assert run([*command, "--forget"]) == 1
    assert "has no skeleton" in capsys.readouterr().err
    assert run([*command, "--forget", "--rules"]) == 2
    with ScriptedModel(reply) as server:
        command += ["--model", "m", "--base-url", server.base_url]
        assert run([*command, "--estimate"]) == 0
        estimate = capsys.readouterr().out
        assert "4 of 4 chunks are core (β 1)." in estimate
        assert "4 chunks in 2 calls: about" in estimate
        assert "No price of m is known" in estimate
        assert run([*command, "--dollars", "1"]) == 1
        assert "No price of m is known, so a limit of 1 dollars cannot be checked." in capsys.readouterr().err
        monkeypatch.setattr("click.confirm", lambda *_, **__: False)
        assert run(command) == 130
        assert run([*command, "--yes", "--tokens", "1000"]) == 0
        assert "0 of 4 chunks extracted in 0 calls" in capsys.readouterr().err
        assert len(server.requests) == 0
        prices = tmp_path / "prices.toml"
        prices.write_text('["m"]\ninput = 1000000\noutput = 1000000\n')
        monkeypatch.setenv("CLEW_MODEL_PRICES", str(prices))
        assert run([*command, "--yes", "--dollars", "2"]) == 0
        assert "The next call might have exceeded the limit" in capsys.readouterr().err
        assert len(server.requests) == 0
        assert run([*command, "--yes"]) == 0
        told = capsys.readouterr()
        assert "4 of 4 chunks extracted in 2 calls, 200 + 40 tokens, $240.0000." in told.err
        assert "The skeleton has 5 entities (1 of them the graph's) and 3 relations, from 4 chunks." in told.out
        assert run([*command, "--yes"]) == 0
        assert "4 of them extracted before" in capsys.readouterr().err
        assert len(server.requests) == 2
        (tmp_path / "notes" / "more.md").write_text(
            "# More\n\nThe glass camera was lent again in spring, and broken.\n"
        )
        assert run(["documents", "add", str(tmp_path / "notes"), "--graph", notes]) == 0
        assert run([*command, "--yes"]) == 0
        assert len(server.requests) == 3
        assert "soup" not in server.requests[2].user
    assert {d["extracted"] for d in shown(capsys, "documents", "list", "--graph", notes)} == {1}
    capsys.readouterr()
    assert run(["documents", "list", "--graph", notes]) == 0
    assert "A skeleton by m, from 5 of 5 chunks." in capsys.readouterr().out
    camera = shown(capsys, "documents", "show", str(tmp_path / "notes" / "camera.md"), "--graph", notes)
    assert camera["chunks"][0]["extraction"]["relations"][0]["words"] == "was lent by"
    assert run(["documents", "show", str(tmp_path / "notes" / "camera.md"), "--graph", notes]) == 0
    assert "  relation: glass camera —was lent by→ Ilse Brandt" in capsys.readouterr().out
    assert run(["documents", "remove", str(tmp_path / "notes" / "camera.md"), "--graph", notes]) == 0
    assert run([*command, "--yes"]) == 0
    assert "The skeleton has 3 entities and 1 relation, from 4 chunks." in capsys.readouterr().out
    assert run(["documents", "skeleton", "--graph", notes, "--forget", "--yes"]) == 0
    assert "4 chunks" in capsys.readouterr().err
    assert {d["extracted"] for d in shown(capsys, "documents", "list", "--graph", notes)} == {0}


def test_questions_follow_the_relations_and_cite_them(
    notes: str, clew_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = ["ask", "Who lent the glass camera?", "--graph", notes, "--strategies", "documents"]
    assert not any(item["relation"] == "was lent by" for item in shown(capsys, *ask)["evidence"])
    with ScriptedModel(reply) as server:
        model = ["--model", "m", "--base-url", server.base_url]
        assert run(["documents", "skeleton", "--graph", notes, "--beta", "1", "--yes", *model]) == 0
    (told,) = [item for item in shown(capsys, *ask)["evidence"] if item["relation"] == "was lent by"]
    assert (told["head"]["name"], told["tail"]["name"]) == ("glass camera", "Ilse Brandt")
    assert told["properties"]["source"] == "The glass camera"
    assert told["found_by"][0]["strategy"] == "documents"
    (chunk,) = told["found_by"][0]["parameters"]["chunks"]
    assert chunk.startswith("chunk:")
    lent = [item for item in shown(capsys, *ask)["evidence"] if item["relation"] == "was lent to"]
    assert lent[0]["tail"]["label"] not in ("person", "")  # The graph's Michael Mann, with the graph's label.
    assert run(ask) == 0
    assert "glass camera —was lent by→ Ilse Brandt [The glass camera]" in capsys.readouterr().out
    kept = clew_home / "graphs" / notes
    with closing(sqlite3.connect(kept / "documents" / "documents.sqlite")) as db:
        db.execute("UPDATE extractions SET said = '[1]'")
        db.commit()
    shutil.rmtree(kept / "document-skeleton")
    without = shown(capsys, *ask)  # A skeleton that cannot be made takes no passage away.
    assert without["answers"]
    assert not any(item["relation"] == "was lent by" for item in without["evidence"])
    assert run(["documents", "skeleton", "--graph", notes, "--rules", "--beta", "1"]) == 0
    assert "from 4 chunks" in capsys.readouterr().out
    assert not any(item["relation"] == "was lent by" for item in shown(capsys, *ask)["evidence"])


def test_two_commands_do_not_pay_for_the_same(notes: str, clew_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedModel(reply) as server:
        command = ["documents", "skeleton", "--graph", notes, "--model", "m", "--base-url", server.base_url]
        with filelock.FileLock(clew_home / "graphs" / notes / "documents" / "extracting.lock"):
            assert run([*command, "--yes"]) == 1
            assert "Another command is extracting" in capsys.readouterr().err
            assert run([*command, "--estimate"]) == 0
        assert len(server.requests) == 0
        assert run([*command, "--yes"]) == 0
        assert len(server.requests) == 1


def test_coverage_tells_the_skeletons_share(notes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"question": "Who lent the glass camera?", "answers": ["Ilse Brandt"]}\n')
    command = ["eval", str(questions), "--graph", notes, "--coverage", "--context-tokens", "200", "--ablate"]
    assert run(command) == 0
    assert "skeleton" not in capsys.readouterr().out
    assert run([*command, "--theta", "0.3"]) == 1
    assert "no skeleton" in capsys.readouterr().err
    assert run(["documents", "skeleton", "--graph", notes, "--rules", "--beta", "1"]) == 0
    capsys.readouterr()
    assert run([*command, "--theta", "0.3", "--json", str(tmp_path / "report.json")]) == 0
    assert "without skeleton" in capsys.readouterr().out
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["skeleton"], report["theta"]) == ("rules", 0.3)
    assert report["channels"]["all"]["coverage"]["200"] == 1


def test_ctrl_c_keeps_what_is_paid_for(notes: str, clew_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first_is_in = [False]

    def slowly(request: Request) -> Said:
        first_is_in[0] = True
        return Said(reply(request), wait=1.5)

    with ScriptedModel(slowly) as server:
        command = ["documents", "skeleton", "--graph", notes, "--beta", "1", "--yes"]
        command += ["--model", "m", "--base-url", server.base_url]
        running = CommandProcess(clew_home, *command)
        assert server.wait_until(lambda _: first_is_in[0] or running.returncode is not None, 60)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
        assert running.returncode == 130
        assert "chunks are extracted and kept; the same command continues." in said
        sent = len(server.requests)
        kept = sum(document["extracted"] for document in shown(capsys, "documents", "list", "--graph", notes))
        assert kept == (3 if sent == 1 else 4)
        assert run(command) == 0
        assert len(server.requests) == 2
