r"""Northwind: importing the CSV files of a shop, and questions of a text-to-Cypher set, answered without a model.

The files have plain headers and foreign keys as columns. Headers in neo4j-admin's words say what is a node and what is
a relationship; one file under several headers gives both. NULL is text in these files, booleans are 0 and 1, and 176
of the 830 orders have an address with a comma that nobody put in quotes; the commands mend that. They are run as they
stand, in an empty folder, with the data set's folder as $DATA and the graph's home as $CLEW_HOME::

    sed -e 's/,0$/,false/; s/,1$/,true/' -e '1c productID:ID(Product),productName,supplierID,categoryID,quantityPerUnit,unitPrice:float,unitsInStock:int,unitsOnOrder:int,reorderLevel:int,discontinued:boolean' $DATA/products.csv > Product.csv
    sed -e '1c categoryID:ID(Category),categoryName,description,picture:IGNORE' $DATA/categories.csv > Category.csv
    sed -e 's/\bNULL\b//g' -e '1s/supplierID/supplierID:ID(Supplier)/' $DATA/suppliers.csv > Supplier.csv
    sed -e 's/\bNULL\b//g' -e '1s/customerID/customerID:ID(Customer)/' $DATA/customers.csv > Customer.csv
    sed -E -e '2,$s/^(([^,]*,){9})(.*)((,[^,]*){4})$/\1"\3"\4/' -e 's/\bNULL\b//g' -e '1s/orderID/orderID:ID(Order)/' $DATA/orders.csv > Order.csv
    sed -e '1s/,[^,]*/&:IGNORE/g; 1s/productID/productID:START_ID(Product)/; 1s/categoryID:IGNORE/categoryID:END_ID(Category)/' $DATA/products.csv > PART_OF.csv
    sed -e '1s/,[^,]*/&:IGNORE/g; 1s/productID/productID:END_ID(Product)/; 1s/supplierID:IGNORE/supplierID:START_ID(Supplier)/' $DATA/products.csv > SUPPLIES.csv
    sed -E -e '2,$s/^(([^,]*,){9})(.*)((,[^,]*){4})$/\1"\3"\4/' -e '1s/,[^,]*/&:IGNORE/g; 1s/orderID/orderID:END_ID(Order)/; 1s/customerID:IGNORE/customerID:START_ID(Customer)/' $DATA/orders.csv > PURCHASED.csv
    sed -e '1c orderID:START_ID(Order),productID:END_ID(Product),unitPrice,quantity:int,discount' $DATA/order-details.csv > ORDERS.csv
    clew import *.csv --graph northwind --name-property Order=orderID

Then every gold query is run, and every question asked. Execution match: the rows are the same as often as in the
gold result, columns' names and the order of rows and columns left aside; a node is its id, and as good as its name; the
values beside an answer are its further columns, as many as the gold result has. `entities` asks
less: that the answers are what some one column of the gold result holds, as a set; `entities_or_as_good` accepts also
what is as good as that where a LIMIT leaves it open: any rows without an order, and any of those that tie for the last
place with one. F1 is over the first column.

Eight of the development file's 394 gold queries are no Cypher that any engine runs: variables that nothing binds, GROUP
BY, a node pattern as a value, and texts with a blank between date and time given to date() and datetime().

    python -m benchmarks.queries.northwind --data ../shared/data/northwind --home HOME --json northwind.json
"""  # noqa: E501

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clew.app.api.graph import Graph
from clew.app.cli.progress_bars import ProgressBars
from clew.app.container import Container
from clew.app.evaluation.evaluation import folded, percentile
from clew.app.settings import load_settings
from clew.tools.errors import ClewError
from clew.tools.graph.store.graph_store import GraphStore, Limits

GRAPH = "northwind"
COMMANDS = (__doc__ or "").partition("::\n")[2].partition("\nThen every")[0]
LIMITS = Limits(timeout_s=30, max_rows=20_000)
KINDS = {
    "negation": r"\bNOT\b|<>", "count": r"\bcount\b", "other aggregation": r"\b(avg|sum|min|max|collect)\(",
    "order": r"\bORDER BY\b", "dates": r"Date\b|\bdatetime\(|duration", "comparison": r"[<>]=?\s*['\d]",
    "text pattern": r"STARTS WITH|ENDS WITH|CONTAINS|=~",
}  # fmt: skip
"""What gold queries ask for, by a pattern in their text; one query may be of several kinds."""


Row = tuple[str, ...]
_MOST_COLUMNS = 5


@dataclass(frozen=True, slots=True)
class Gold:
    """A question whose gold query runs, and its rows; a cell is a node's id or a value, as text."""

    question: str
    type: str
    cypher: str
    rows: list[Row]
    sure: list[Row] | None = None
    """Of a query with a LIMIT the rows that must be among the result …"""
    open: Sequence[Row] = ()
    """… and those of which any may be: without an order all rows, else those that tie for the last place."""

    @property
    def kinds(self) -> list[str]:
        bare = re.sub(r"<-|->", "", self.cypher)
        return [kind for kind, pattern in KINDS.items() if re.search(pattern, bare, re.I)] or ["none of these"]

    @property
    def is_any(self) -> bool:
        """Whether a LIMIT without an order leaves open which rows are meant."""
        return "LIMIT" in self.cypher.upper() and "ORDER BY" not in self.cypher.upper()


def main() -> None:
    given = _arguments()
    if not (given.home / "graphs" / GRAPH).exists():
        import_files(given.data, given.home)
    container = Container(load_settings(home=given.home), ProgressBars())
    container.keep_open(inf)
    lines = [json.loads(line) for line in (given.data / "questions.dev.jsonl").read_text("utf-8").splitlines()]
    names = {str(row["id"]): str(row["name"]) for row in container.store(GRAPH).scan(
        "MATCH (n) RETURN n.nodeId AS id, n.name AS name")}  # fmt: skip
    golds, report = run_gold(container.store(GRAPH), lines)
    for name, asked in _runs(given.only).items():
        report[name] = ask_all(container, golds[:: given.every], names, asked)
        print(json.dumps({name: report[name]["all"]}))
    container.close()
    report = {"command": "python -m benchmarks.queries.northwind", "date": time.strftime("%Y-%m-%d"), **report}
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")


def import_files(data: Path, home: Path) -> None:
    """Run the commands above. Raises CalledProcessError where one fails."""
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "DATA": str(data.resolve()), "CLEW_HOME": str(home.resolve()), "PATH": paths}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["bash", "-euc", COMMANDS], check=True, cwd=folder, env=environment)


def run_gold(store: GraphStore, lines: Sequence[Mapping[str, Any]]) -> tuple[list[Gold], dict[str, Any]]:
    """The gold queries that run, with their rows; which do not and why, and how often the set's flag for a result that
    is not empty is another than ours."""
    golds, failed, flagged = [], [], 0
    for number, line in enumerate(lines, start=1):
        try:
            found = store.read(line["cypher"], limits=LIMITS)
        except ClewError as error:
            failed.append({"line": number, "type": line["type"], "why": error.message})
            continue
        rows = [tuple(cell(value) for value in record.values()) for record in found.records]
        golds.append(
            Gold(line["question"], line["type"], line["cypher"], rows, *as_good(store, line["cypher"], len(rows)))
        )
        flagged += bool(rows) != line["returns_results"]
    return golds, {
        "questions": len(lines),
        "gold_runs": len(golds),
        "gold_fails": failed,
        "gold_rows_unlike_the_set_s_flag": flagged,
        "gold_without_rows": sum(not gold.rows for gold in golds),
        "gold_limit_without_order": sum(gold.is_any for gold in golds),
        "gold_of_several_columns": sum(len(gold.rows[0]) > 1 for gold in golds if gold.rows),
    }


_LIMIT = re.compile(r"\bLIMIT\s+\d+", re.I)
_ORDER = re.compile(r"\bORDER BY\s+(?P<key>[^,;]+?)(?:\s+(?:ASC|DESC))?\s*(?=\bRETURN\b|;?\s*$)", re.I)


def as_good(store: GraphStore, cypher: str, number: int) -> tuple[list[Row] | None, list[Row]]:
    """Of a query with a LIMIT the rows that must be in its result, and those of which any may be (`Gold`); None for a
    query without one, or of which the database does not tell by what its rows are ordered.

    Args:
        store: The graph.
        cypher: The query.
        number: How many rows it has.
    """
    if len(_LIMIT.findall(cypher)) != 1 or not number:
        return None, []
    query = _LIMIT.sub("", cypher).rstrip("; \n")
    order = _ORDER.search(query)
    if order is None:
        return (None, []) if "ORDER BY" in query.upper() else ([], [row for row, _ in _rows(store, query, "")])
    key, behind = order["key"].strip(), query[order.end() :].strip()
    told = f", {key} AS key_of_order"
    rows = _rows(store, f"{query}{told}" if behind else f"{query[: order.start()].rstrip()}{told} {order.group()}", key)
    rows = rows or _rows(store, query, key)
    if len(rows) < number or rows[number - 1][1] is None:
        return None, []
    edge = rows[number - 1][1]
    return [row for row, own in rows[:number] if own != edge], [row for row, own in rows if own == edge]


def _rows(store: GraphStore, cypher: str, key: str) -> list[tuple[Row, Any]]:
    """The rows of a query, each with what it is ordered by; none where it cannot be run."""
    try:
        records = [dict(record) for record in store.read(cypher, limits=LIMITS).records]
    except ClewError:
        return []
    keys = [record.pop("key_of_order", record.get(key)) for record in records]
    return [(tuple(map(cell, record.values())), own) for record, own in zip(records, keys, strict=True)]


def cell(value: Any) -> str:
    """A node by its id; numbers without a needless fraction; anything else as text."""
    if isinstance(value, Mapping):
        return str(value.get("nodeId") or sorted((k, cell(v)) for k, v in value.items() if not k.startswith("@")))
    if isinstance(value, (list, tuple)):
        return str(sorted(cell(each) for each in value))
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return str(value)


def ask_all(
    container: Container, golds: Sequence[Gold], names: Mapping[str, str], asked: Mapping[str, Any]
) -> dict[str, Any]:
    """Means overall, by the set's types, and by what the gold query asks for."""
    groups: dict[str, list[dict[str, float]]] = defaultdict(list)
    errors: Counter[str] = Counter()
    times = []
    for gold in golds:
        started = time.perf_counter()
        try:
            answers = Graph(container, GRAPH).ask(gold.question, **asked).to_dict()["answers"]
        except ClewError as error:
            answers = []
            errors[error.message] += 1
        times.append((time.perf_counter() - started) * 1000)
        row = compared(gold, answers, names)
        result = "gold rows: some" if gold.rows else "gold rows: none"
        for group in ("all", result, f"type: {gold.type}", *(f"asks for: {kind}" for kind in gold.kinds)):
            groups[group].append(row)
    figures: dict[str, Any] = {
        group: {"n": len(rows), **{m: round(fmean(row[m] for row in rows), 4) for m in rows[0]}}
        for group, rows in sorted(groups.items())
    }
    latency = {"p50": percentile(times, 0.5), "p95": percentile(times, 0.95)}
    return {**figures, "latency_ms": {k: round(v or 0, 1) for k, v in latency.items()}, "errors": dict(errors)}


def compared(gold: Gold, answers: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, float]:
    """The scores of one question. Nothing answered is right where the gold result is empty."""
    given = [folded(str(each["name"])) for each in answers]
    columns = [[folded(names.get(text, text)) for text in column] for column in zip(*gold.rows, strict=True)]
    if not columns:
        right = float(not given)
        return {
            "execution_match": right, "entities": right, "entities_or_as_good": right, "set_f1": right,
            "answered": float(bool(given)),
        }  # fmt: skip
    wanted, found = set(columns[0]), set(given)
    same = any(set(column) == found for column in columns)
    return {
        "execution_match": float(_same_rows(columns, answers)),
        "entities": float(same),
        "entities_or_as_good": float(same or any(_as_good(gold, i, found, names) for i in range(len(columns)))),
        "set_f1": 2 * len(wanted & found) / (len(wanted) + len(found)),
        "answered": float(bool(given)),
    }


def _same_rows(columns: Sequence[Sequence[str]], answers: Sequence[Mapping[str, Any]]) -> bool:
    """Whether answers with their values are the rows of a gold result, whatever the order of its columns."""
    given = [
        [folded(str(each["name"])), *(folded(cell(value)) for value in (each.get("values") or {}).values())][
            : len(columns)
        ]
        for each in answers
    ]
    if len(columns) > _MOST_COLUMNS or any(len(row) < len(columns) for row in given):
        return False
    told = Counter(map(tuple, given))
    return any(Counter(zip(*order, strict=True)) == told for order in permutations(columns))


def _as_good(gold: Gold, column: int, found: set[str], names: Mapping[str, str]) -> bool:
    """Whether answers are as good as those of a column of a gold result whose LIMIT leaves some of them open."""
    if gold.sure is None:
        return False
    sure, other = ({folded(names.get(row[column], row[column])) for row in rows} for rows in (gold.sure, gold.open))
    wanted = len({row[column] for row in gold.rows})
    return len(found) == wanted and sure <= found <= sure | other


METHODS_ASKED = ("graphraft", "simgrag", "byokg")
"""Asked only where they are named."""


def _runs(only: Sequence[str] | None) -> dict[str, dict[str, Any]]:
    """The options of `Graph.ask` by the name of the run."""
    runs: dict[str, dict[str, Any]] = {"default": {}}
    runs |= {name: {"strategies": (name,)} for name in ("plan", "cypher")}
    every = {**runs, **{name: {"method": name} for name in METHODS_ASKED}}
    return {name: asked for name, asked in every.items() if name in only} if only else runs


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the CSV files and the questions")
    parser.add_argument("--home", type=Path, required=True, help="where the graph is kept between runs")
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help="some of the runs, or methods, by name; none for the gold alone"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th question")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
