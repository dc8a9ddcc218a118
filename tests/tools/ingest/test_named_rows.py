"""Columns of tables that name rows of others, as people write them by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.tools.ingest.tables.plan import ImportPlan
from tests.tools.ingest.test_tables import edges, links, planned, put

__all__ = ["planned"]

TENANTS = (
    "id,full_name,town,vouched_for_by\n1,Ann Lee,Hull,\n2,Bo Moss,York,Ann Lee\n3,Cy Ott,Hull,Bo Moss\n"
    "4,Di Roe,Goole,Cy Ott\n"
)
FIELDS = "field,town,soil\nLong Field,York,clay\nHull,Hull,loam\nYork,York,sand\nGoole,Goole,clay\n"
HARVESTS = (
    "no,field,picked_by,kilos,sold_in\n1,Long Field,Ann Lee,3,Hull\n2,Hull,Bo Moss,4,York\n"
    "3,Long Field,Cy Ott,2,Goole\n"
)
TOOLS = "tool_no,tool,condition\n1,Big Fork,good\n2,Old Spade,worn\n3,Red Barrow,good\n"
REPAIRS = "nr,what,by\n1,Big Fork,Ann Lee\n2,Old Spade,Bo Moss\n3,Red Barrow,Ann Lee\n4,Big Fork,Cy Ott\n"


def test_rows_are_found_by_their_names(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    tables = {
        "tenants.csv": TENANTS, "fields.csv": FIELDS, "harvests.csv": HARVESTS, "tools.csv": TOOLS,
        "repairs.csv": REPAIRS,
    }  # fmt: skip
    found = planned(put(tmp_path / "in", tables))
    assert links(found.model) == {
        ("tenants", "vouched_for_by", "tenants"),
        ("harvests", "field", "fields"),
        ("harvests", "picked_by", "tenants"),
        ("repairs", "what", "tools"),
        ("repairs", "by", "tenants"),
    }  # Towns are no fields, though fields are called so.
    assert edges(found, "harvests") >= {(f"Harvest:{number}", "PICKED_BY", f"Tenant:{number}") for number in (1, 2, 3)}


def test_a_name_that_no_row_has_keeps_a_column_as_it_is(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    harvests = HARVESTS.replace("Bo Moss", "a visitor")
    found = planned(put(tmp_path / "in", {"tenants.csv": TENANTS, "harvests.csv": harvests}))
    assert links(found.model) == {("tenants", "vouched_for_by", "tenants")}
    assert found.model.tables["harvests"].columns["picked_by"].type == "text"


def test_first_and_last_names_are_one_name(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    people = "member_no,First Name,Last Name\n7,Ann,Lee\n8,Bo,Moss\n9,Ann,Moss\n"
    loans = "loan,borrower,days\nL1,Ann Moss,3\nL2,Bo Moss,4\nL3,Ann Lee,1\n"
    found = planned(put(tmp_path / "in", {"members.csv": people, "loans.csv": loans}))
    assert [each.key for each in found.model.tables["loans"].references] == [["First Name", "Last Name"]]
    assert edges(found, "loans") == {
        (f"Loan:L{loan}", "HAS_BORROWER", f"Member:{member}") for loan, member in ((1, 9), (2, 8), (3, 7))
    }


@pytest.mark.parametrize("first", ["ear_tag", "bib"])
def test_a_first_column_that_others_repeat_is_the_key_and_not_a_name(
    planned: Callable[..., ImportPlan], tmp_path: Path, first: str
) -> None:
    numbers = ["UK1", "UK4", "UK9"] if first == "ear_tag" else ["14", "22", "25"]
    sheep = f"{first},name,mother_tag\n{numbers[0]},Ada,\n{numbers[1]},Bea,\n{numbers[2]},Cleo,\n"
    shearings = f"shear_no,{first},kilos\n1,{numbers[2]},3\n2,{numbers[0]},4\n3,{numbers[1]},4\n"
    found = planned(put(tmp_path / "in", {"sheep.csv": sheep, "shearings.csv": shearings}))
    assert found.model.tables["sheep"].key == [first]
    assert ("shearings", first, "sheep") in links(found.model)


def test_people_are_found_by_their_addresses(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    people = "name,email,since\n" + "".join(f"Person {n},p{n}@kiln.example,20{10 + n}-01-02\n" for n in range(8))
    mails = "id,from,to,subject\n" + "".join(
        f"m{n},p{n % 8}@kiln.example,p{(n + 1) % 8}@kiln.example;p{(n + 3) % 8}@kiln.example,Order {n}\n"
        for n in range(24)
    )
    found = planned(put(tmp_path / "in", {"people.csv": people, "mails.csv": mails}))
    assert links(found.model) == {("mails", "from", "people"), ("mails", "to", "people")}
    assert [each.key for each in found.model.tables["mails"].references] == [["email"], ["email"]]


def test_a_numbered_column_refers_as_its_siblings_do(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    glazes = "code,glaze_name\n" + "".join(f"G{n:02},Glaze {n}\n" for n in range(12))
    pots = "pot,glaze1,glaze2,glaze3\n" + "".join(
        f"P{n},G{n % 12:02},G{(n + 5) % 12:02},{f'G{n:02}' if n in (3, 7) else ''}\n" for n in range(30)
    )
    found = planned(put(tmp_path / "in", {"glazes.csv": glazes, "pots.csv": pots}))
    assert links(found.model) == {("pots", f"glaze{n}", "glazes") for n in (1, 2, 3)}


ALBUMS = "album,year\nSluice,1971\nHarbour Lights,1974\nWinter Wheat,1969\nThe Orrery,1973\nSaga,1980\nOwl St,1977\n"
SINGERS = "singer,country\nAnn Lee,UK\nBo Moss,UK\nCy Ott,US\nDi Roe,US\n"


def test_rows_that_lack_one_end_are_no_relationships(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    rows = [f"{album},{no},Song {album} {no}," for album in ("Sluice", "Saga", "The Orrery") for no in range(1, 5)]
    guests = ["Ann Lee", "Bo Moss", "Cy Ott"]
    tracks = "album,no,title,guest\n" + "\n".join([*rows[:-3], *map(str.__add__, rows[-3:], guests)]) + "\n"
    found = planned(put(tmp_path / "in", {"albums.csv": ALBUMS, "singers.csv": SINGERS, "tracks.csv": tracks}))
    assert found.model.tables["tracks"].node == "Track"
    assert links(found.model) >= {("tracks", "album", "albums"), ("tracks", "guest", "singers")}
    assert len(edges(found, "tracks")) == len(rows) + len(guests)


def test_a_first_column_with_names_of_others_refers_to_them(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    loans = "record,lent\nSluice,2024-01-05\nSaga,2024-02-01\nThe Orrery,2024-02-01\nWinter Wheat,2024-03-09\n"
    loans += "Owl St,2024-03-11\n"
    found = planned(put(tmp_path / "in", {"albums.csv": ALBUMS, "loans.csv": loans}))
    assert links(found.model) == {("loans", "record", "albums")}
    assert found.model.tables["loans"].key != ["record"]
