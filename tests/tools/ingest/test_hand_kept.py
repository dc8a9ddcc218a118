"""Tables of people and of web applications: names of sheets, sums in cents, names of rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.tools.ingest.tables.plan import ImportPlan
from clew.tools.ingest.tables.table_words import property_name, without_hundredths
from tests.tools.ingest.test_tables import links, nodes, planned, put

__all__ = ["planned"]

HIRERS = """\
Group,Kind,Contact,What's owed
Over 60s Club,Social,Ann Lee,0
Little Acorns,Children,Bo Ek,12
1st Scouts,Children,Cy Poe,0
Brass Band,Arts,Di Moss,7
"""
BOOKINGS = """\
Ref,Date,Booked by,Hrs
B1,2024-09-04,Brass Band,2
B2,2024-09-05,Little Acorns,1
B3,2024-09-06,Over 60s Club,3
"""


def test_the_first_column_of_words_names_rows_and_a_year_says_nothing(
    planned: Callable[..., ImportPlan], tmp_path: Path
) -> None:
    found = planned(put(tmp_path / "in", {"Hirers.csv": HIRERS, "Bookings 24-25.csv": BOOKINGS}))
    hirers = next(each for each in found.model.tables.values() if each.node == "Hirer")
    assert hirers.name == ["Group"]
    assert hirers.columns["What's owed"].property == "whatsOwed"
    assert {each.node for each in found.model.tables.values()} == {"Hirer", "Booking"}
    assert {(column, other) for _, column, other in links(found.model)} == {("Booked by", "Hirers")}


ARTISTS = """\
Name,Initials,Town
Ann Lee,AL,Bath
Bo Ek,BE,Wells
Cy Poe,CP,Bath
Di Moss,DM,Frome
"""
PIECES = """\
No,Artist,Loaded by,Kiln
P1,Ann Lee ,AL,Big
P2,Bo Ek,BE,Big
P3,Cy Poe,CP,Small
P4,Di Moss,AL,Small
P5,Zoe Guest,,Small
P6,Ann Lee,DM,Big
"""


def test_initials_blanks_and_names_of_others(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    found = planned(put(tmp_path / "in", {"artists.csv": ARTISTS, "pieces.csv": PIECES}))
    refers = {each.columns[0]: each for each in found.model.tables["pieces"].references}
    assert refers["Loaded by"].key == ["Initials"]
    assert not refers["Loaded by"].otherwise
    assert refers["Artist"].why.endswith("4 of 5 values found")
    assert refers["Artist"].otherwise == "otherArtist"
    made = nodes(found, "pieces")
    assert made["Piece:P5"]["otherArtist"] == "Zoe Guest"
    assert all("otherArtist" not in properties for key, properties in made.items() if key != "Piece:P5")


def test_tables_of_several_years_keep_their_years(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    found = planned(put(tmp_path / "in", {"sales_2023.csv": BOOKINGS, "sales_2024.csv": BOOKINGS}))
    assert {each.node for each in found.model.tables.values()} == {"Sales2023", "Sales2024"}


def test_cents_become_whole_sums(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    plans = "id,title,price_cents,tip_in_pence,tip,cents\n1,Fixed Desk,36050,20,5,7\n2,Suite,100,5,6,8\n3,Pass,,7,8,9\n"
    found = planned(put(tmp_path / "in", {"plans.csv": plans}))
    columns = found.model.tables["plans"].columns
    assert {name: (each.type, each.format, each.property) for name, each in columns.items() if each.format} == {
        "price_cents": ("number", "cents", "price"),
        "tip_in_pence": ("number", "cents", "tip_amount"),
    }
    assert nodes(found, "plans")["Plan:1"] == {
        "id": 1,
        "title": "Fixed Desk",
        "price": 360.5,
        "tip_amount": 0.2,
        "tip": 5,
        "cents": 7,
    }
    assert "price" not in nodes(found, "plans")["Plan:3"]
    again = planned(put(tmp_path / "in", {"plans.csv": plans}), model=found.model)
    assert nodes(again, "plans") == nodes(found, "plans")


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("price_cents", "price"),
        ("totalInCents", "total"),
        ("fee_pence", "fee"),
        ("accents", "accents"),
        ("cents", "cents"),
    ],
)
def test_names_without_hundredths(name: str, whole: str) -> None:
    assert without_hundredths(name) == whole


def test_signs_in_names() -> None:
    assert property_name("Where we\u2019re at") == "whereWereAt"
