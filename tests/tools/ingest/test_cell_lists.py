"""Cells that list several values: what lists are, what they become, and what people ask of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.tools.ingest.tables.cell_lists import SEPARATORS, separator
from clew.tools.ingest.tables.plan import ImportPlan
from tests.tools.ingest.test_tables import edges, links, planned, put

__all__ = ["planned"]

COOKS = "cook_no,name,town\nC1,Ann Lee,York\nC2,Bo Ek,Leeds\nC3,Cy Poe,York\nC4,Di Moss,Hull\n"
DISHES = """\
dish,course,price,allergens,chefs,on duty,address
Apple Strudel,dessert,6.5,"gluten, nuts","Ann Lee, Bo Ek",C1;C2,"1 High St, York"
Caesar Salad,starter,8,"egg, fish",Bo Ek,C2,"2 Low St, Leeds"
Beet Tartare,starter,9,mustard,"Cy Poe, Ann Lee",C3,"3 Mid St, York"
Haddock,main,15.5,"fish, gluten",Ann Lee,C1,"14 End St, Hull"
Truffle Risotto,main,17,milk,"Cy Poe, Bo Ek, Ann Lee",C1;C3,"5 Far St, York"
Cheese Fondue,main,19,"milk, gluten",Bo Ek,C2;C3,"6 New St, Leeds"
Onion Soup,starter,7,"gluten, milk, egg",Cy Poe,C1;C2;C3,"7 Old St, York"
Green Salad,starter,5,,Cy Poe,C3,"8 Top St, Hull"
"""


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["a, b", "b", "a, c", "c, b, a", "c"], ","),
        (["Mon;Thu", "Wed;Sat", "Mon;Thu", "Wed;Thu", "Sat;Mon"], ";"),
        (["Lee, Ann", "Ek, Bo", "Poe, Ann", "Lee, Bo", "Ek, Ann"], ""),
        (["York", "Hull", "York", "Leeds", "York"], ""),
        (["red, a bit late", "fine", "came on Monday, in the rain, alone", "broken, then mended", "lost"], ""),
        (["1, 2", "2, 3", "1", "1, 2, 3", "3"], ""),
        (["a, b", "b", "a, c"], ""),
    ],
)
def test_what_separates_the_values_of_cells(texts: list[str], found: str) -> None:
    assert separator(texts) == found


@given(st.lists(st.lists(st.sampled_from(["milk", "egg", "fish", "oats"]), min_size=1, max_size=3), min_size=1))
def test_a_separator_is_in_the_cells_that_have_several_values(cells: list[list[str]]) -> None:
    for each in SEPARATORS:
        found = separator([f"{each} ".join(cell) for cell in cells])
        assert found in ("", each)
        assert found == "" or sum(len(cell) > 1 for cell in cells) >= 3


def test_lists_are_properties_or_relationships(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    found = planned(put(tmp_path / "in", {"cooks.csv": COOKS, "dishes.csv": DISHES}))
    columns = found.model.tables["dishes"].columns
    assert {name: each.type for name, each in columns.items() if each.type == "list"} == {
        "allergens": "list", "chefs": "list", "on duty": "list",
    }  # fmt: skip
    assert columns["on duty"].format == ";"
    assert links(found.model) == {("dishes", "chefs", "cooks"), ("dishes", "on duty", "cooks")}
    assert edges(found, "dishes") >= {
        ("Dish:Truffle Risotto", "HAS_CHEFS", "Cook:C1"),
        ("Dish:Truffle Risotto", "HAS_CHEFS", "Cook:C2"),
        ("Dish:Truffle Risotto", "HAS_CHEFS", "Cook:C3"),
        ("Dish:Onion Soup", "HAS_ON_DUTY", "Cook:C2"),
    }


def test_a_list_with_a_name_that_no_row_has_is_a_property(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    dishes = DISHES.replace("Cy Poe, Ann Lee", "Cy Poe, a friend")
    found = planned(put(tmp_path / "in", {"cooks.csv": COOKS, "dishes.csv": dishes}))
    assert ("dishes", "chefs", "cooks") not in links(found.model)
    assert found.model.tables["dishes"].columns["chefs"].type == "list"


def test_questions_about_lists(clew_home: Path, tmp_path: Path) -> None:
    files = put(tmp_path / "in", {"cooks.csv": COOKS, "dishes.csv": DISHES})
    with clew.connect("menu-of-lists", home=clew_home) as menu:
        menu.import_files(files)

        def told(question: str) -> list[tuple[str, str]]:
            return [(each.name, each.detail) for each in menu.ask(question).answers]

        def names(question: str) -> set[str]:
            return {name for name, _ in told(question)}

        assert names("which dishes contain egg?") == {"Caesar Salad", "Onion Soup"}
        assert names("how many dishes have gluten in them?") == {"4"}
        assert names("dishes with milk and gluten") == {"Cheese Fondue", "Onion Soup"}
        assert names("dishes without milk") == {
            "Apple Strudel", "Beet Tartare", "Caesar Salad", "Green Salad", "Haddock",
        }  # fmt: skip
        assert told("how many dishes per allergen?")[:2] == [("gluten", "4"), ("milk", "3")]
        assert dict(told("average price by allergen"))["egg"] == "7.5"
        assert names("which allergen is in the most dishes?") == {"gluten"}
        assert names("how many different allergens are there?") == {"6"}
        assert names("who are the chefs of Truffle Risotto?") == {"Ann Lee", "Bo Ek", "Cy Poe"}
