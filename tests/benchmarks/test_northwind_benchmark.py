"""How the Northwind benchmark compares rows, and the commands that its text gives."""

from __future__ import annotations

import csv
import io
import subprocess
from pathlib import Path

import pytest

from benchmarks.queries.northwind import COMMANDS, Gold, cell, compared

NAMES = {"Product:1": "Chai", "Product:2": "Chang"}


def gold(rows: list[tuple[str, ...]], cypher: str = "MATCH (n) RETURN n") -> Gold:
    return Gold("?", "t", cypher, rows)


def names(*given: str) -> list[dict[str, str]]:
    return [{"name": name} for name in given]


def test_rows_in_any_order_by_id_or_name() -> None:
    row = compared(gold([("Product:1",), ("Chang",)]), names("chang", "Chai"), NAMES)
    assert (row["execution_match"], row["entities"], row["set_f1"]) == (1, 1, 1)


def test_rows_count_as_often_as_they_come() -> None:
    row = compared(gold([("Product:1",), ("Product:1",)]), names("Chai"), NAMES)
    assert (row["execution_match"], row["entities"], row["set_f1"]) == (0, 1, 1)


def test_a_further_column_is_no_match_but_the_right_entities() -> None:
    row = compared(gold([("Product:1", "18"), ("Product:2", "19")]), names("18", "19"), NAMES)
    assert (row["execution_match"], row["entities"], row["set_f1"]) == (0, 1, 0)


def test_nothing_is_right_where_gold_has_no_rows() -> None:
    assert compared(gold([]), [], NAMES)["execution_match"] == 1
    assert compared(gold([]), names("Chai"), NAMES)["set_f1"] == 0


def test_cells() -> None:
    assert cell({"nodeId": "Product:1", "name": "Chai"}) == "Product:1"
    assert (cell(3.0), cell(3), cell(2.50001), cell(["b", "a"])) == ("3", "3", "2.5", "['a', 'b']")


@pytest.mark.parametrize(
    ("cypher", "kinds"),
    [
        ("MATCH (a)-[:R]->(b) RETURN b", ["none of these"]),
        ("MATCH (a) WHERE NOT (a)-->() RETURN count(a)", ["negation", "count"]),
        ("MATCH (a) WHERE a.price > 5 RETURN a ORDER BY a.price LIMIT 3", ["order", "comparison"]),
        ("MATCH (o) WHERE o.orderDate STARTS WITH '1996' RETURN o", ["dates", "text pattern"]),
    ],
)
def test_what_gold_asks_for(cypher: str, kinds: list[str]) -> None:
    assert gold([], cypher).kinds == kinds


def test_the_commands_mend_addresses_and_foreign_keys(tmp_path: Path) -> None:
    head = "orderID,customerID,employeeID,orderDate,requiredDate,shippedDate,shipVia,freight,shipName,"
    head += "shipAddress,shipCity,shipRegion,shipPostalCode,shipCountry"
    row = "1,VICTE,3,d,d,NULL,1,4.5,Victuailles,2, rue du Commerce,Lyon,NULL,69004,France"
    (tmp_path / "orders.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")
    lines = [line for line in COMMANDS.splitlines() if "orders.csv" in line]
    subprocess.run(
        ["bash", "-euc", "\n".join(lines)], check=True, cwd=tmp_path, env={"DATA": ".", "PATH": "/usr/bin:/bin"}
    )
    files = [(tmp_path / name).read_text("utf-8") for name in ("Order.csv", "PURCHASED.csv")]
    order, edge = (next(csv.DictReader(io.StringIO(text))) for text in files)
    assert (order["shipAddress"], order["shipCity"], order["shippedDate"]) == ("2, rue du Commerce", "Lyon", "")
    assert (edge["customerID:START_ID(Customer)"], edge["orderID:END_ID(Order)"]) == ("VICTE", "1")
    assert all(name.endswith((")", ":IGNORE")) for name in edge)
