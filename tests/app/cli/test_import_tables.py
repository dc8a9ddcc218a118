"""`clew import` of tables: the plan, the model as a file, and a graph that can be asked."""

from __future__ import annotations

import json
import re
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.app.cli import run
from tests.conftest import Said
from tests.scripted_model import Request, ScriptedModel, failing
from tests.tools.ingest.sample_schemas import CHINOOK, as_sqlite
from tests.tools.ingest.test_tables import SHOP, put


@pytest.fixture
def name(clew_home: Path) -> Iterator[str]:
    made = f"shop-{uuid.uuid4().hex[:8]}"
    yield made
    run(["--home", str(clew_home), "drop", made, "--yes"])


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return put(tmp_path / "shop", dict(SHOP))


def test_a_folder_of_tables_becomes_a_graph_that_answers(said: Said, name: str, shop: Path) -> None:
    out, err = said("import", shop, "--graph", name)
    assert "(Staff)" in err
    assert "Imported 14 nodes and 21 relationships" in out
    assert "order-items: 4 rows; 4 relationships." in out
    found = json.loads(said("ask", "Who does Bo Day report to?", "--graph", name, "--json")[0])
    assert [answer["name"] for answer in found["answers"]] == ["Ann Lee"]
    assert "nothing changed" in said("import", shop, "--graph", name)[0]


def test_names_are_embedded_on_request_and_patterns_have_the_graphs_own_examples(
    said: Said, name: str, shop: Path, clew_home: Path
) -> None:
    said("import", shop, "--graph", name, "--dense")
    folder = clew.Client(home=clew_home).folder(name)
    assert (folder / "dense" / "chroma.sqlite3").exists()
    triple = '"triples": [["Bo Day", "reports to", "UNKNOWN staff 1"]], "asked": "UNKNOWN staff 1"}'
    (folder / "patterns.jsonl").write_text('{"text": "Whom does Bo Day obey?", ' + triple)
    with ScriptedModel('{"segments": [], ' + triple) as server:
        asked = ("ask", "Who does Bo Day report to?", "--graph", name, "--method", "simgrag", "--json")
        found = json.loads(said(*asked, "--model", "scripted", "--base-url", server.base_url)[0])
        assert any("\u201cWhom does Bo Day obey?\u201d" in request.user for request in server.requests)
    assert [answer["name"] for answer in found["answers"]] == ["Ann Lee"]
    (folder / "patterns.jsonl").write_text("no example")
    err = said(*asked, "--model", "scripted", "--base-url", server.base_url, status=1)[1]
    assert "patterns.jsonl:1 is not an example" in err


def test_a_plan_is_written_edited_and_imported(
    said: Said, name: str, shop: Path, tmp_path: Path, clew_home: Path
) -> None:
    model = tmp_path / "model.yaml"
    said("import", shop, "--graph", name, "--plan", model)
    assert name not in said("graphs")[0]
    assert not (clew_home / "graphs" / name).exists()
    model.write_text(model.read_text().replace("HAS_SELLER", "SOLD_BY").replace("node: Staff", "node: Seller"))
    report = json.loads(said("import", shop, "--graph", name, "--model", model, "--yes", "--json")[0])
    assert report["labels"]["Seller"] == 3
    assert report["relations"]["SOLD_BY"] == 3
    assert {each["table"]: each["rows"] for each in report["tables"]}["orders"] == 3
    model.write_text(model.read_text().replace("node: Seller", "node: Seller\n    colour: red"))
    line = model.read_text().splitlines().index("    colour: red") + 1
    assert (
        f"model.yaml:{line}: `tables.staff.colour`" in said("import", shop, "-g", name, "--model", model, status=1)[1]
    )


OLD_TABLES = {
    "kd.csv": "kdnr,bez\n1,Smith and Sons\n2,Weber KG\n3,Tanaka\n",
    "auf.csv": "aufnr,kdnr,btr\n100,1,12.50\n101,2,7.00\n102,1,20.00\n",
}
BETTER = {"Auf": "Order", "HAS_KD": "placed by", "btr": "amount", "Kd": "Customer", "bez": "company"}


def better_names(request: Request) -> str:
    """A reply with a better name for each of those that are shown."""
    shown = re.findall(r"^(\d+)\. (?:label |property |relationship \(\w+\)-\[)(\w+)", request.user, re.MULTILINE)
    return json.dumps({number: [name, BETTER[name]] for number, name in shown if name in BETTER})


def test_a_model_suggests_names(said: Said, name: str, tmp_path: Path) -> None:
    tables = put(tmp_path / "old", dict(OLD_TABLES))
    asked = ("import", tables, "--graph", name, "--suggest-names", "--yes")
    with ScriptedModel(better_names) as server:
        model = ("--model", "scripted", "--base-url", server.base_url)
        out, err = said(*model, *asked)
        assert "Names by the language model:" in err
        assert "auf.kdnr: HAS_KD → PLACED_BY" in err
        assert "Relationships: PLACED_BY 3" in out
        assert "Weber KG" in server.requests[0].user
        assert f"{name} keeps the names of its last import" in said(*model, *asked, status=1)[1]
        assert "nothing changed" in said(*model, "import", tables, "--graph", name)[0]
        assert len(server.requests) == 1
    found = json.loads(
        said("ask", "What is the total amount of the orders of Smith and Sons?", "-g", name, "--json")[0]
    )
    assert [answer["name"] for answer in found["answers"]] == ["32.5"]


def test_without_the_suggested_names_nothing_is_imported(said: Said, name: str, tmp_path: Path) -> None:
    asked = ("import", put(tmp_path / "old", dict(OLD_TABLES)), "--graph", name, "--suggest-names", "--yes")
    assert "none is set" in said(*asked, status=1)[1]
    with ScriptedModel(failing(401)) as server:
        said("--model", "scripted", "--base-url", server.base_url, *asked, status=1)
    assert name not in said("graphs")[0]
    triples = tmp_path / "films.txt"
    triples.write_text("Heat\tdirected_by\tMichael Mann\n")
    assert "A model is for tables" in said("import", triples, "--graph", name, "--suggest-names", status=1)[1]


def test_a_terminal_is_asked_first(said: Said, name: str, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.app.cli.importing.is_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", lambda *_args, **_options: False)
    said("import", shop, "--graph", name, status=130)
    assert name not in said("graphs")[0]
    said("import", shop, "--graph", name, "--yes")


def test_bad_tables_leave_no_graph(said: Said, name: str, shop: Path) -> None:
    good = "".join(f"B-{n},01.02.2024,1,DE,FR\n" for n in range(20))
    (shop / "orders.csv").write_text(SHOP["orders.csv"] + good + "A-4,x\n" * 12)
    assert "orders.csv:25: 2 columns instead of 5" in said("import", shop, "--graph", name, status=1)[1]
    assert name not in said("graphs")[0]


def test_a_database_is_imported_by_the_python_interface(clew_home: Path, name: str, tmp_path: Path) -> None:
    sample = as_sqlite(CHINOOK, tmp_path / "music.db", declared=True)
    with clew.connect(name, home=str(clew_home)) as graph:
        report = graph.import_files(f"sqlite:///{tmp_path}/music.db")
        assert report.labels["Track"] == 350
        assert sum(each.rows for each in report.tables) == sum(len(rows) for rows in sample.rows.values())
        rows = graph.query("MATCH (c:Customer)-[:HAS_SUPPORT_REP]->(e:Employee) RETURN count(*) AS n").rows
        assert rows == ({"n": 59},)
    shutil.rmtree(tmp_path, ignore_errors=True)
