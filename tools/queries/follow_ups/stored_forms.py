"""Logical forms as plain values, so that a conversation can keep them."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from clew.tools.graph.entity import Entity
from clew.tools.queries.calculated import Calculated, Calculation, Operand
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Step, Value
from clew.tools.queries.running_times import Lasting
from clew.tools.queries.sided import Sided, Sides

_KINDS = {
    kind.__name__: kind
    for kind in (
        Calculated,
        Calculation,
        Condition,
        Entity,
        Form,
        Lasting,
        Link,
        Nodes,
        Operand,
        Order,
        Predicate,
        Sided,
        Sides,
        Step,
        Value,
    )
}
MOST_CHARACTERS = 20_000
"""Of a stored form as JSON; a longer one is not kept."""


def stored(part: Any) -> Any:
    """A form, or a part of one, as lists, dicts, texts and numbers. Fields with their default are left out."""
    if isinstance(part, Calculated):
        return {"is": "Calculated", "calculation": stored(part.calculation), "called": part.called}
    if isinstance(part, Lasting):
        return {"is": "Lasting", "name": str(part), "notation": part.notation}
    if isinstance(part, Sided):
        return {"is": "Sided", "name": str(part), "sides": stored(part.sides), "told": part.told}
    if is_dataclass(part) and not isinstance(part, type):
        given = {f.name: getattr(part, f.name) for f in fields(part)}
        kept = {
            f.name: stored(given[f.name]) for f in fields(part) if f.default is MISSING or given[f.name] != f.default
        }
        return {"is": type(part).__name__, **kept}
    if isinstance(part, tuple):
        return [stored(each) for each in part]
    return part if part is None or isinstance(part, (str, bool, int, float)) else str(part)


def restored(value: Any) -> Any:
    """What `stored` was given. Raises KeyError, TypeError or ValueError if it is something else."""
    if isinstance(value, dict):
        values = dict(value)
        return _KINDS[values.pop("is")](**{name: restored(each) for name, each in values.items()})
    return tuple(restored(each) for each in value) if isinstance(value, list) else value


def stored_within_limit(form: Form) -> dict[str, Any] | None:
    """A form as a plain value; None if it is too long to be kept."""
    value: dict[str, Any] = stored(form)
    return value if len(json.dumps(value)) <= MOST_CHARACTERS else None


def restored_form(value: dict[str, Any] | None) -> Form | None:
    """A kept form; None if there is none, or it is of another version of the program."""
    try:
        form = None if value is None else restored(value)
    except (KeyError, TypeError, ValueError):
        return None
    return form if isinstance(form, Form) else None
