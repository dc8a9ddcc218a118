"""Conversion of claim formulas to the plain values of the state, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any as Anything

from clew.agents.verifying.claims import All, Any, Claim, Formula, Not, Part, Quantity

FormulaRef = dict[str, Anything]


def as_plain(formula: Formula | None) -> FormulaRef | None:
    if formula is None:
        return None
    if isinstance(formula, Claim):
        return {
            "claim": formula.text,
            "parts": [[part.start, part.end, part.mention] for part in formula.parts],
            "quantity": [formula.quantity.bound, formula.quantity.number] if formula.quantity else None,
            "shared": formula.shared,
        }
    if isinstance(formula, Not):
        return {"not": as_plain(formula.of)}
    return {"all" if isinstance(formula, All) else "any": [as_plain(part) for part in formula.of]}


def from_plain(value: Mapping[str, Anything]) -> Formula:
    if "claim" in value:
        parts = tuple(Part(*part) for part in value["parts"])
        quantity = Quantity(*value["quantity"]) if value["quantity"] else None
        return Claim(value["claim"], parts, quantity, value["shared"])
    if "not" in value:
        return Not(from_plain(value["not"]))
    if "all" in value:
        return All(tuple(from_plain(part) for part in value["all"]))
    return Any(tuple(from_plain(part) for part in value["any"]))
