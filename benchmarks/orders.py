"""Import of orders with their customers and products: time, memory, and the CPU of Clew and of the database.

The tables are made up: 20,000 customers, 500 products, and orders that refer to both. `clew import` imports them
into a fresh home, in a process of its own; the CPU of the database is that of its server process.

    python -m benchmarks.orders --orders 1000000 --json orders.json
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from clew.tools.graph.store import daemon

_CUSTOMERS, _PRODUCTS = 20_000, 500
_CLEW = "from clew.app.cli import main; main()"
_COUNTRIES = ("Austria", "Belgium", "Chile", "Denmark", "Estonia", "Finland", "Ghana", "Hungary")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        shop, home = Path(scratch) / "shop", Path(scratch) / "home"
        _write_tables(shop, arguments.orders, arguments.seed)
        home.mkdir()
        try:
            report = {"orders": arguments.orders, **_measured(shop, home)}
        finally:
            daemon.stop(home)
    text = json.dumps(report, indent=2)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n", encoding="utf-8")


def _write_tables(folder: Path, orders: int, seed: int) -> None:
    drawn = random.Random(seed)
    folder.mkdir()
    _write(folder / "customers.csv", ["customer_id", "name", "city", "country"], (
        [f"C{n:05}", f"Customer {n}", f"City {n % 900}", drawn.choice(_COUNTRIES)] for n in range(_CUSTOMERS)
    ))  # fmt: skip
    _write(folder / "products.csv", ["product_id", "name", "price"], (
        [n, f"Product {n}", f"{drawn.uniform(1, 900):.2f}"] for n in range(1, _PRODUCTS + 1)
    ))  # fmt: skip
    first = date(2015, 1, 1)
    _write(folder / "orders.csv", ["order_id", "customer_id", "product_id", "order_date", "quantity", "amount"], (
        [
            n,
            f"C{drawn.randrange(_CUSTOMERS):05}",
            drawn.randrange(1, _PRODUCTS + 1),
            first + timedelta(days=n * 3650 // orders),
            drawn.randrange(1, 12),
            f"{drawn.uniform(1, 5000):.2f}",
        ]
        for n in range(1, orders + 1)
    ))  # fmt: skip


def _write(path: Path, header: list[str], rows: Any) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        write = csv.writer(file)
        write.writerow(header)
        write.writerows(rows)


def _measured(shop: Path, home: Path) -> dict[str, Any]:
    environment = {**os.environ, "CLEW_HOME": str(home), "CLEW_WARM": "0"}
    command = [sys.executable, "-c", _CLEW, "import", str(shop), "--graph", "shop", "--yes"]
    load = os.getloadavg()[0]
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True)
    seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": round(seconds, 1),
        "clew_cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "database_cpu_seconds": _cpu_of_server(home),
        "clew_peak_mib": round(used.ru_maxrss / 1024),
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "date": time.strftime("%Y-%m-%d"),
    }


def _cpu_of_server(home: Path) -> float | None:
    """CPU seconds of the embedded database's process; None where the system does not tell."""
    for endpoint in home.rglob("endpoint.json"):
        stat = Path(f"/proc/{json.loads(endpoint.read_text())['pid']}/stat")
        if stat.exists():
            fields = stat.read_text().rpartition(")")[2].split()
            return round((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), 1)
    return None


if __name__ == "__main__":
    main()
