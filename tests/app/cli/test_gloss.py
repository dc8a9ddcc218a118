"""Glosses written by a model: what is taken from its reply, and that questions profit from it."""

from __future__ import annotations

import json
import tomllib
import uuid
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.agents.models.calls import Reply, Usage
from clew.agents.prompting import Prompt
from clew.agents.writing.gloss_writer import BATCH, Described, as_toml, described, write
from clew.app.cli import run
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.ranking.glosses import Gloss, Glosses
from tests.scripted_model import Request, ScriptedModel

SCHEMA = Schema(
    {"Depot": 2, "Shop": 3},
    (Relation("R1", "Depot", "Shop", 3),),
    (Property("Shop", "name", "STRING", 3, ("Corner",)), Property("Shop", "opened", "INTEGER", 3, (1987, 1990))),
    "1",
)


class Fake:
    """A model that says the given texts, one after the other."""

    def __init__(self, *texts: str) -> None:
        self.texts, self.prompts = list(texts), list[Prompt]()

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        self.prompts.append(prompt)
        return Reply(self.texts.pop(0), Usage(1, 1), "fake", "stop")


def examples(relation: str) -> Sequence[tuple[str, str]]:
    return [("North", "Corner")]


def glossed(*texts: str, asked: Sequence[Described] | None = None) -> dict[str, Gloss]:
    found: dict[str, Gloss] = {}
    for _, batch in write(Fake(*texts), described(SCHEMA, examples) if asked is None else asked):
        found |= batch
    return found


def test_the_model_sees_patterns_examples_and_values_but_not_the_name() -> None:
    first, second = described(SCHEMA, examples)
    assert first.text == "(Depot)-[:R1]->(Shop): North → Corner"
    assert second == Described("opened", "property opened of Shop: 1987, 1990", True)


def test_what_passes_is_taken() -> None:
    said = {
        "1": {"forward": ["Delivers to"], "backward": ["supplier"], "answer": "place"},
        "2": {"forward": ["opened"]},
    }
    assert glossed(json.dumps(said)) == {
        "R1": Gloss(("delivers to",), ("supplier",), "place"),
        "opened": Gloss(("opened",)),
    }


@pytest.mark.parametrize(
    ("row", "gloss"),
    [
        ({"forward": "supplies"}, Gloss(("supplies",))),
        ({"forward": ["supplies"], "answer": "spaceship"}, Gloss(("supplies",))),
        ({"forward": ["supplies", 3, "a phrase that is far too long to be said"]}, Gloss(("supplies",))),
        ({"forward": ["supplies", "supplies\n[labels]", 'x"]\n[R2]']}, Gloss(("supplies",))),
        ({"forward": [f"word {i}" for i in range(9)]}, Gloss(tuple(f"word {i}" for i in range(6)))),
    ],
)
def test_what_does_not_pass_is_left_out(row: object, gloss: Gloss) -> None:
    assert glossed(json.dumps({"1": row}))["R1"] == gloss


def test_replies_that_say_nothing_leave_relations_out() -> None:
    assert glossed("import os; os.remove('x')") == {}
    assert glossed('{"1": "supplies", "7": {"forward": ["x"]}}') == {}


def test_relations_go_out_in_batches() -> None:
    many = [Described(f"R{i}", f"(A)-[:R{i}]->(B)") for i in range(BATCH + 1)]
    said = json.dumps({"1": {"forward": ["supplies"]}})
    assert set(glossed(said, said, asked=many)) == {"R0", f"R{BATCH}"}


@given(st.text())
def test_any_reply_is_read(text: str) -> None:
    glossed(text)


@given(
    st.dictionaries(
        st.text(min_size=1).filter(lambda name: name != "labels"),
        st.builds(Gloss, st.lists(st.text(min_size=1).filter(str.strip)).map(tuple)),
        max_size=3,
    )
)
def test_what_is_written_reads_back(glosses: dict[str, Gloss]) -> None:
    read = tomllib.loads(as_toml(glosses))
    assert {name: tuple(row.get("forward", ())) for name, row in read.items()} == {
        name: gloss.forward for name, gloss in glosses.items()
    }


class TestTheCommand:
    def test_glosses_once_and_questions_profit_without_the_model(
        self, clew_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        graph = f"test-gloss-{uuid.uuid4().hex[:8]}"
        facts = tmp_path / "depots.tsv"
        facts.write_text("North Depot\tR1\tCorner Books\nNorth Depot\tR2\tAda Fenn\nSouth Depot\tR1\tMarket Hall\n")
        monkeypatch.setenv("CLEW_HOME", str(clew_home))

        def reply(request: Request) -> str:
            rows = {"R1": ["supplies", "delivers to"], "R2": ["boss", "runs", "manager"]}
            lines = [line for line in request.user.splitlines() if line[:1].isdigit()]
            said = {
                line.split(".")[0]: {"forward": words}
                for line in lines
                for r, words in rows.items()
                if f":{r}]" in line
            }
            return json.dumps(said)

        def asked() -> str:
            capsys.readouterr()
            assert run(["ask", "who is the boss of North Depot", "--graph", graph, "--json"]) == 0
            answers = json.loads(capsys.readouterr().out)["answers"]
            return str(answers[0]["name"]) if answers else ""

        assert run(["import", str(facts), "--graph", graph]) == 0
        with ScriptedModel(reply) as server:
            arguments = ["gloss", "--graph", graph, "--model", "scripted", "--base-url", server.base_url]
            assert run(arguments) == 0
            assert "2 relations" in capsys.readouterr().err
            assert asked() == "Ada Fenn"
            calls = len(server.requests)
            assert run(arguments) == 0
            assert len(server.requests) == calls, "what is glossed is not asked for again"
        path = next((clew_home / "graphs").glob(f"{graph}*")) / "glosses.toml"
        assert Glosses.load(path).relations["R2"].forward == ("boss", "runs", "manager")
        assert run(["drop", graph, "--yes"]) == 0

    def test_without_a_model_it_says_what_to_do(
        self, clew_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        graph = f"test-gloss-{uuid.uuid4().hex[:8]}"
        facts = tmp_path / "depots.tsv"
        facts.write_text("North Depot\tR1\tCorner Books\n")
        monkeypatch.setenv("CLEW_HOME", str(clew_home))
        assert run(["import", str(facts), "--graph", graph]) == 0
        assert run(["gloss", "--graph", graph]) == 1
        assert "--model NAME" in capsys.readouterr().err
        assert run(["drop", graph, "--yes"]) == 0


class TestDefinitions:
    def test_they_are_added_shown_used_and_removed(
        self, clew_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        graph = f"test-defined-{uuid.uuid4().hex[:8]}"
        (tmp_path / "shops.csv").write_text(":ID(Shop),name,staff:int,:LABEL\n1,Corner,3,Shop\n2,Market,40,Shop\n")
        monkeypatch.setenv("CLEW_HOME", str(clew_home))
        assert run(["import", str(tmp_path / "shops.csv"), "--graph", graph]) == 0
        glosses = clew_home / "graphs" / graph / "glosses.toml"
        glosses.write_text('# Ours.\n[labels]\nShop = ["store"] # as we say\n')

        def said(*arguments: str, status: int = 0) -> str:
            capsys.readouterr()
            assert run([*arguments, "--graph", graph]) == status
            told = capsys.readouterr()
            return told.out + told.err

        assert "read as: Shops with staff > 10 (1 now)" in said("gloss", "-d", "flagship = a store with staff > 10")
        assert glosses.read_text().startswith('# Ours.\n[labels]\nShop = ["store"] # as we say\n')
        assert "Market" in said("ask", "which flagships are there?")
        kept = glosses.read_bytes()
        assert "Shop has no property stuff" in said("gloss", "-d", "big shop = a Shop with stuff > 10", status=1)
        assert glosses.read_bytes() == kept
        said("gloss", "-d", "empty flagship = a flagship with staff = 0")
        assert "empty flagship" in said("gloss", "--undefine", "flagship", status=1), "another definition uses it"
        said("gloss", "--undefine", "Empty Flagship", "--undefine", "flagship")
        assert said("gloss", "--show").strip() == f"{glosses} defines nothing."
        glosses.write_text('[definitions]\ngiant = "a Shop with stuff > 1"\n')
        assert "giant = a Shop with stuff > 1\n  has no effect: Shop has no property stuff" in said(
            "gloss", "--check", status=1
        )
        assert run(["drop", graph, "--yes"]) == 0

    def test_a_file_that_is_edited_by_hand_or_by_the_api_holds_at_the_next_question(
        self, clew_home: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "shops.csv").write_text(":ID(Shop),name,staff:int,:LABEL\n1,Corner,3,Shop\n2,Market,40,Shop\n")
        with clew.connect(f"test-defined-{uuid.uuid4().hex[:8]}", home=clew_home) as shops:
            shops.import_files(tmp_path / "shops.csv")

            def flagships() -> set[str]:
                return {each.name for each in shops.ask("Which Big Flagships are there?")}

            defined = shops.define("big flagship", "a Shop with staff > 10")
            assert (defined.count, defined.problem, flagships()) == (1, "", {"Market"})
            path = shops.files.gloss_file
            text = (
                '# Ours.\r\n[definitions] # here\r\n"big  flagship" = "a Shop with staff > 2" # two\r\n\r\n[labels]\r\n'
            )
            path.write_bytes(text.encode())
            assert flagships() == {"Market", "Corner"}
            assert shops.define("Big Flagships", "a Shop with staff > 30").phrase == "big flagship", "it is the same"
            assert path.read_bytes().decode() == text.replace("> 2", "> 30")
            assert flagships() == {"Market"}
            with pytest.raises(clew.BadInput, match="no “flagship”"):
                shops.undefine("flagship")
            shops.undefine("big flagships")
            assert shops.definitions() == []
            assert path.read_bytes().decode() == "# Ours.\r\n[definitions] # here\r\n\r\n[labels]\r\n"
            shops.client.drop(shops.name)
