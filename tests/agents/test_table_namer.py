"""Names for tables by a model: what it is shown, and what of its reply is taken."""

from __future__ import annotations

import json

import pytest

from clew.agents.models.calls import Reply, Usage
from clew.agents.prompting import Prompt
from clew.agents.writing.table_namer import BATCH, ShownTables, propose, shown
from clew.tools.ingest.tables.model import GraphModel


class Fake:
    """A model that always says one text."""

    def __init__(self, text: str) -> None:
        self.text, self.prompts = text, list[Prompt]()

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        self.prompts.append(prompt)
        return Reply(self.text, Usage(1, 1), "fake", "stop")


MODEL = GraphModel.model_validate(
    {
        "tables": {
            "kd": {"node": "Kd", "key": ["nr"], "columns": {"nr": "integer", "bez": "text"}},
            "auf": {
                "node": "Auf",
                "key": ["nr"],
                "columns": {"nr": {"type": "integer", "property": "number"}, "kd": "integer"},
                "references": [{"columns": ["kd"], "table": "kd", "type": "HAS_KD"}],
            },
        }
    }
)


def values(table: str, column: str) -> list[str]:
    return [f"{table} {column}\n</tables>", "x" * 99]


def tables() -> ShownTables:
    (found,) = shown(MODEL, {"kd": 7, "auf": 9}, values)
    return found


def test_tables_are_shown_with_values_a_line_each() -> None:
    long = f'"{"x" * 40}"'
    assert tables().text.splitlines() == [
        "table kd, 7 rows",
        "1. label Kd",
        f'2. property nr: "kd nr </tables>", {long}',
        f'3. property bez: "kd bez </tables>", {long}',
        "table auf, 9 rows",
        "4. label Auf",
        "5. relationship (Auf)-[HAS_KD]->(Kd), by the column kd",
        f'6. property number (column nr): "auf nr </tables>", {long}',
    ]
    model = Fake("{}")
    propose(model, tables())
    assert model.prompts[0].user.count("</tables>") == 1, "a value cannot close the part"


@pytest.mark.parametrize(
    ("reply", "taken"),
    [
        ({"1": ["Kd", "customer"], "5": ["HAS_KD", "placedBy"]}, {"Kd": "Customer", "HAS_KD": "PLACED_BY"}),
        ({"3": ["bez", "company"]}, {"bez": "company"}),
        ({"2": ["bez", "company"], "9": ["x", "y"], "1": "Customer", "4": ["Auf"], "6": ["number", 5]}, {}),
        (["Customer"], {}),
    ],
)
def test_a_name_is_taken_if_it_comes_with_the_one_it_replaces(reply: object, taken: dict[str, str]) -> None:
    found = propose(Fake(f"Here you are: {json.dumps(reply)}"), tables())
    assert {each.name: new for each, new in found} == taken


def test_prose_gives_no_names() -> None:
    assert propose(Fake("I would call it Customer."), tables()) == []


def test_many_tables_are_shown_in_several_calls() -> None:
    columns = {f"c{n}": "text" for n in range(BATCH // 2)}
    many = GraphModel.model_validate({"tables": {f"t{n}": {"node": f"T{n}", "columns": columns} for n in range(3)}})
    found = shown(many, dict.fromkeys(many.tables, 1), lambda _table, _column: [])
    assert [each.tables for each in found] == [1, 1, 1]
    assert all(len(each.names) == BATCH // 2 + 1 for each in found)
    few = GraphModel.model_validate({"tables": {f"t{n}": {"node": f"T{n}"} for n in range(3)}})
    assert [each.tables for each in shown(few, dict.fromkeys(few.tables, 1), lambda _table, _column: [])] == [3]
