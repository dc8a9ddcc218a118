"""Statements that deny something of all things of a kind."""

from __future__ import annotations

import pytest

from clew.graphs.verify.asked import without_none
from clew.tools.graph.entity import Mention


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("None of the pubs has a high risk level", "There are pubs that have a high risk level"),
        ("No casino is open on Mondays", "There is a casino that is open on Mondays"),
        ("No casino opens on Mondays", None),
        ("The casino has a high risk level", None),
    ],
)
def test_what_none_of_a_kind_is_denies_that_one_is(text: str, some: str | None) -> None:
    assert without_none(text, ()) == some


def test_a_statement_that_names_something_is_left_as_it_is() -> None:
    assert without_none("No pub is near Oslo", [Mention(15, 19, "Oslo", ())]) is None
