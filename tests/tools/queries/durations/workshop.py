"""A workshop whose repairs, loans, shifts and orders have times."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema

_DRAWN = random.Random(11)


def _day(after: date, most: int) -> date:
    return after + timedelta(days=_DRAWN.randrange(most))


GARAGES = [{"name": name} for name in ("Westway", "Hilltop")]
MECHANICS: list[dict[str, Any]] = [
    {"name": name, "birth_date": str(born), "hired_on": str(hired)}
    for name, born, hired in (
        ("Ann Lee", date(1980, 7, 1), date(2010, 3, 15)), ("Bo Moss", date(1992, 2, 29), date(2019, 9, 2)),
    )
]  # fmt: skip
REPAIRS: list[dict[str, Any]] = []
for _number in range(24):
    _reported = _day(date(2023, 1, 1), 300)
    _finished = _day(_reported, 40)
    REPAIRS.append({
        "name": f"J{_number}", "kind": _DRAWN.choice(["brakes", "tyres"]), "reported_on": str(_reported),
        "finished_on": str(_finished), "due_on": str(_day(_reported, 30)), "garage": _DRAWN.choice(GARAGES)["name"],
    })  # fmt: skip
TOOLS = [{"name": name, "bought_on": "2015-01-01"} for name in ("Crane", "Lathe")]
LOANS = [
    {"tool": "Crane", "mechanic": "Ann Lee", "from_date": "2021-01-10", "to_date": "2021-02-09"},
    {"tool": "Lathe", "mechanic": "Bo Moss", "from_date": "2022-05-01", "to_date": "2022-05-04"},
]
SHIFTS = [
    {"name": "Early", "starts_at": "6:30", "ends_at": "14:45"},
    {"name": "Night", "starts_at": "22:00", "ends_at": "05:15"},
]
ORDERS: list[dict[str, Any]] = [{"name": f"O{n}", "ordered_on": str(_day(date(2023, 1, 1), 90))} for n in range(8)]
DELIVERIES = [
    {"name": f"D{n}", "delivered_on": str(_day(date.fromisoformat(order["ordered_on"]), 25)), "order": order["name"]}
    for n, order in enumerate(ORDERS)
]


def _properties(label: str, rows: list[dict[str, Any]]) -> list[Property]:
    names = [name for name in rows[0] if name not in ("garage", "order", "tool", "mechanic")]
    return [
        Property(label, name, "STRING", len(rows), tuple(row[name] for row in rows[:10])) for name in names
    ]  # fmt: skip


NODES: dict[str, list[dict[str, Any]]] = {
    "Garage": GARAGES, "Mechanic": MECHANICS, "Repair": REPAIRS, "Tool": TOOLS, "Shift": SHIFTS, "Order": ORDERS,
    "Delivery": DELIVERIES,
}  # fmt: skip
WORKSHOP = Schema(
    {label: len(rows) for label, rows in NODES.items()},
    (
        Relation("DONE_AT", "Repair", "Garage", len(REPAIRS)),
        Relation("LENT_TO", "Tool", "Mechanic", len(LOANS)),
        Relation("DELIVERS", "Delivery", "Order", len(ORDERS)),
    ),
    tuple(each for label, rows in NODES.items() for each in _properties(label, rows)),
    "1",
    tuple(_properties("LENT_TO", LOANS)),
)
NAMES = {
    row["name"]: Entity(f"{label}/{row['name']}", row["name"], label)
    for label in ("Garage", "Mechanic", "Repair", "Tool", "Shift")
    for row in NODES[label]
}


def days(first: str, last: str) -> int:
    """Full days from one date to another."""
    return (date.fromisoformat(last) - date.fromisoformat(first)).days
