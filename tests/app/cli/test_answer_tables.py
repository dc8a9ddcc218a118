"""Answers with several values, as a table in a terminal."""

from __future__ import annotations

from typing import Any

from clew.app.cli.render import brief_lines


def lines(*answers: dict[str, Any]) -> list[str]:
    return list(brief_lines({"answers": answers, "reading": "", "sure": True, "doubt": "", "readings": []}))


def answer(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "label": "Genre", "detail": "d", **more}


def test_several_values_are_columns() -> None:
    shown = lines(
        answer("Drama", values={"films": 12, "mean runtime": 98.23456, "in colour": True, "by": ["Ada", "Bo"]}),
        answer("Sci\tFi", values={"films": None, "mean runtime": 7.0, "in colour": False, "by": []}),
    )
    assert shown[:3] == [
        "genre   films  mean runtime  in colour  by",
        "Drama      12       98.2346  yes        Ada, Bo",
        "Sci Fi                    7  no",
    ]


def test_one_value_stays_on_the_line_of_its_answer() -> None:
    assert lines(answer("Drama", values={"films": 12}), answer("Comedy", values={"films": 3}))[0] == "Drama  (Genre)  d"
