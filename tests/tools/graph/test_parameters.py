"""Values of parameters that no database can hold are refused before they are sent, with the reason."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from clew.tools.errors import BadInput, QueryForbidden
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.parameters import checked_parameters


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (10**30, "whole number 1000000000000000000000000000000 is not between .* 9223372036854775807 .64 bits"),
        (2**63, "64 bits"),
        (-(2**63) - 1, "64 bits"),
        (10**500, "of 1661 bits"),
        ([1, [10**30]], "64 bits"),
        ({"a": (1, {"b": 10**30})}, "64 bits"),
        ("\ud800", "surrogate"),
        ({"\udfff": 1}, "surrogate"),
        ({1: 2}, "keys that are no text"),
        ({1, 2}, "type set"),
        (object(), "type object"),
    ],
)
def test_what_no_database_can_hold_is_named(database: BoltDatabase, value: Any, reason: str) -> None:
    store = database.open("parameters", create=True)
    for run in (store.read, store.plan):
        with pytest.raises(BadInput, match=rf"'given' cannot be sent to the database: .*{reason}"):
            run("RETURN $given AS x", {"given": value})


def test_what_a_database_can_hold_passes(database: BoltDatabase) -> None:
    values = [2**63 - 1, -(2**63), True, None, 1e308, "ä\u0000", [1, "x"], {"a": [1]}]
    store = database.open("parameters", create=True)
    assert store.read("UNWIND $all AS x RETURN x", {"all": values}).records == [{"x": value} for value in values]
    others = {"day": date(2020, 1, 1), "while": timedelta(1), "n": np.int64(5), "bytes": b"x", "inf": float("inf")}
    assert checked_parameters(others) == others
    assert checked_parameters(None) == {}


def test_half_a_character_in_a_query_is_refused(database: BoltDatabase) -> None:
    with pytest.raises(QueryForbidden):
        database.open("parameters", create=True).read("RETURN '\ud800' AS x")
