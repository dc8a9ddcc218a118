"""Which words of a question are marked as names by their letters."""

from __future__ import annotations

import pytest

from clew.tools.linking.tokens import words_of


@pytest.mark.parametrize(
    ("question", "marked"),
    [
        ("IT staff hired since 2021", ["IT"]),
        ("who works in IT?", ["IT"]),
        ("Staff hired since 2021", []),
        ("WHICH films are there", []),
        ("IT STAFF HIRED", []),
        ("it staff", []),
    ],
)
def test_capitals_mark_names(question: str, marked: list[str]) -> None:
    assert [question[each.start : each.end] for each in words_of(question).tokens if each.marked] == marked
