"""Names that run their parts together, or shorten them: what they say, and that other names stay as they are."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.ingest.tables.plan import ImportPlan
from clew.tools.ingest.tables.short_names import ShortNames
from tests.tools.ingest.test_tables import planned, put, typed_links

__all__ = ["planned"]

OFFICES = Path(__file__).parents[3] / "benchmarks" / "queries" / "offices"
CARRIER = {
    "consign": ["CONNO", "CUSTNO", "FRDEP", "WTKG", "DUEDT", "BOOKBY"],
    "customer": ["CUSTNO", "CUSTNM", "CONTACT", "TOWN"],
    "depot": ["DEPCD", "DEPNM", "MGR", "STATE", "PHONE"],
    "team": ["TMCODE", "TMNAME", "LEADER"],
    "tkevent": ["EVNO", "TKNO", "EVAT"],
    "ticket": ["TKNO", "PRIO", "OUTTM"],
}


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("CONNO", "consign_no"), ("CUSTNM", "customer_name"), ("FRDEP", "from_depot"), ("WTKG", "weight_kg"),
        ("DUEDT", "due_date"), ("BOOKBY", "booked_by"), ("MGR", "manager"), ("TMNAME", "team_name"),
        ("OUTTM", "out_time"), ("EVAT", "event_at"), ("PRIO", "priority"), ("LODGDT", "lodg_date"),
        ("CONTACT", "CONTACT"), ("TOWN", "TOWN"), ("STATE", "STATE"), ("PHONE", "PHONE"), ("LEADER", "LEADER"),
        ("unit_prc", "unit_price"), ("discPct", "discount_percent"), ("Name", "Name"),
    ],
)  # fmt: skip
def test_the_parts_of_a_short_name(column: str, said: str) -> None:
    assert ShortNames(CARRIER).readable(column) == said


def test_tables_and_properties() -> None:
    names = ShortNames(CARRIER)
    assert [names.table(name) for name in ("tkevent", "ticket", "prod_grp")] == [
        "ticket_event", "ticket", "product_group",
    ]  # fmt: skip
    assert [names.property(name) for name in ("INVDT", "inv_dt", "discPct", "TOWN")] == [
        "invoiceDate", "invoice_date", "discountPercent", "",
    ]  # fmt: skip


@pytest.mark.parametrize("office", ["bakery", "bikeshop", "bookings", "clinic", "fleet", "repairs", "tutoring"])
def test_names_of_words_stay_as_they_are(office: str) -> None:
    tables = {}
    for path in (OFFICES / office / "csv").iterdir():
        with path.open(encoding="utf-8-sig", newline="") as file:
            tables[path.stem] = next(csv.reader(file))
    names = ShortNames(tables)
    assert not [name for columns in tables.values() for name in columns if names.readable(name) != name]


@given(st.dictionaries(st.text("abcdeno", min_size=1), st.lists(st.text("abdmnotcqyNT_", min_size=1), min_size=1)))
def test_any_name_can_be_read(tables: dict[str, list[str]]) -> None:
    names = ShortNames(tables)
    for table, columns in tables.items():
        assert names.table(table)
        for column in columns:
            assert names.readable(column)
            assert "".join(names.property(column).split()) == names.property(column)


def test_no_two_columns_become_one_property(tmp_path: Path, planned: Callable[..., ImportPlan]) -> None:
    files = {
        "item.csv": "ITEMNO,ITEMNM,DESC,DESCR,DOB,QTY,quantity\n"
        + "1,Nut,a,b,2001-02-03,4,5\n2,Bolt,c,d,2002-03-04,6,7\n"
    }
    model = planned(put(tmp_path / "x", dict(files))).model.tables["item"]
    names = [each.property or column for column, each in model.columns.items()]
    assert len(set(names)) == 7
    assert {"itemNo", "itemName", "description", "DESCR", "dateOfBirth", "quantity", "QTY"} == set(names)


def test_references_by_short_names(tmp_path: Path, planned: Callable[..., ImportPlan]) -> None:
    files = {
        "staff.csv": "STFNO,NAME,JOB,BOSSNO\n"
        + "".join(f"{101 + n},Ann {n},{'Driver' if n > 4 else 'Clerk'},{101 if n else ''}\n" for n in range(30)),
        "depot.csv": "DEPCD,DEPNM,MGR\n" + "".join(f"D{n},Depot {n},{102 + n}\n" for n in range(5)),
        "consign.csv": "CONNO,FRDEP,TODEP,BOOKBY,HANDLER,MINS,WTKG\n"
        + "".join(f"{5001 + n},D{n % 5},D{n % 3},{101 + n % 4},{103 + n % 2},{101 + n % 9},7.5\n" for n in range(200)),
        "stop.csv": "STOPID,CONNO,DRVNO,ARRTM,MINS,RSLT\n"
        + "".join(f"{n},{5001 + n // 2},{106 + n % 20},07:{10 + n % 50},{n % 30},OK\n" for n in range(400)),
    }
    model = planned(put(tmp_path / "carrier", dict(files))).model
    assert typed_links(model) == {
        ("staff", "BOSSNO", "staff", "HAS_BOSS"),
        ("depot", "MGR", "staff", "HAS_MANAGER"),
        ("consign", "FRDEP", "depot", "HAS_FROM_DEPOT"),
        ("consign", "TODEP", "depot", "HAS_TO_DEPOT"),
        ("consign", "BOOKBY", "staff", "BOOKED_BY"),
        ("consign", "HANDLER", "staff", "HAS_HANDLER"),
        ("stop", "CONNO", "consign", "HAS_CONSIGN"),
        ("stop", "DRVNO", "staff", "HAS_DRIVER"),
    }
    assert model.tables["depot"].name == ["DEPNM"]
    assert model.tables["consign"].columns["WTKG"].property == "weightKg"


def test_what_all_columns_of_a_table_begin_with_says_nothing(
    tmp_path: Path, planned: Callable[..., ImportPlan]
) -> None:
    files = {
        "cns.csv": "cns_id,cns_fnm,cns_lnm,cns_mgr,cns_st_dt\n"
        + "".join(f"K{n:02},Ann{n},Lee{n},{'K00' if n else ''},2020-01-{n + 1:02}\n" for n in range(20)),
        "cli.csv": "cli_cd,cli_nm,cli_town,cli_grp_of,cli_acc_own,cli_psl_yn\n"
        + "".join(
            f"CL{n:03},Client {n},Cork,{f'CL{n % 4:03}' if n > 30 else ''},K{n % 7:02},Y\n" for n in range(40)
        ),
        "plc.csv": "plc_no,plc_cli,plc_by,plc_fee,plc_sal,plc_dt,plc_sts,plc_rsn\n"
        + "".join(f"P{n},CL{n % 40:03},K{n % 9:02},{100 + n}.5,{n}.5,2024-01-02,OPEN,x\n" for n in range(90)),
    }  # fmt: skip
    model = planned(put(tmp_path / "agency", dict(files))).model
    assert typed_links(model) == {
        ("cns", "cns_mgr", "cns", "HAS_MANAGER"),
        ("cli", "cli_grp_of", "cli", "GROUP_OF"),
        ("cli", "cli_acc_own", "cns", "HAS_ACCOUNT_OWN"),
        ("plc", "plc_cli", "cli", "HAS_CLIENT"),
        ("plc", "plc_by", "cns", "PLC_BY"),
    }
    assert model.tables["cns"].name == ["cns_fnm", "cns_lnm"]
    properties = {column: each.property for column, each in model.tables["cns"].columns.items()}
    assert properties["cns_fnm"] == "first_name"
    assert properties["cns_st_dt"] == "start_date"
    assert model.tables["cli"].columns["cli_town"].property == "town"
    assert not model.tables["cns"].columns["cns_id"].property


def test_references_by_codes_and_by_roles(tmp_path: Path, planned: Callable[..., ImportPlan]) -> None:
    """Codes that are all keys of a table refer to it; small numbers do that count nothing, in a role of people."""
    files = {
        "staff.csv": "staff_id,first_name,last_name\n" + "".join(f"{n + 1},Ann{n},Lee{n}\n" for n in range(25)),
        "rooms.csv": "room_no,room_name,area\n" + "".join(f"G{n},Hall {n},{n + 7}\n" for n in range(12)),
        "objects.csv": "object_no,title,loc,part_of,weight,colour\n"
        + "".join(f"TM{n},Pot {n},G{n % 12},{f'TM{n % 5}' if n > 50 else ''},{n % 9},red\n" for n in range(60)),
        "shows.csv": "show_id,title,lead_curator,keyholder,helpers,diameter,max_guest,follow_up_to\n"
        + "".join(
            f"X{n},Show {n},{(6, 12, 20)[n % 3]},{4 + n % 5},{1 + n % 4},{(5, 12, 20)[n % 3]},{(10, 24)[n % 2]},"
            f"{f'X{n % 4}' if n > 8 else ''}\n" for n in range(20)
        ),
    }  # fmt: skip
    assert typed_links(planned(put(tmp_path / "museum", dict(files))).model) == {
        ("objects", "loc", "rooms", "HAS_LOC"),
        ("objects", "part_of", "objects", "PART_OF"),
        ("shows", "lead_curator", "staff", "HAS_LEAD_CURATOR"),
        ("shows", "keyholder", "staff", "HAS_KEYHOLDER"),
        ("shows", "follow_up_to", "shows", "FOLLOW_UP_TO"),
    }


def test_numbers_among_codes_are_no_reference(tmp_path: Path, planned: Callable[..., ImportPlan]) -> None:
    files = {
        "spots.csv": "spot_code,area\n" + "".join(f"{'A' if n > 90 else ''}{101 + n},{n % 7}\n" for n in range(99)),
        "visits.csv": "visit_no,dam_id,paid\n" + "".join(f"V{n},{101 + n},{n}.5\n" for n in range(60)),
    }
    assert not typed_links(planned(put(tmp_path / "x", dict(files))).model)


def test_short_forms_of_several_words() -> None:
    columns = ["inv_dt", "dep_amt", "dep_time", "st_dt", "term_dt", "wd_rsn", "exp_dt", "exp_sal"]
    names = ShortNames({"contract": columns})
    assert [names.readable(each) for each in columns] == [
        "invoice_date", "deposit_amount", "departure_time", "start_date", "termination_date", "withdrawn_reason",
        "expiry_date", "expected_salary",
    ]  # fmt: skip


def test_points_cut_words_short_in_any_style() -> None:
    names = ShortNames({
        "producer": ["Producer", "Region", "Country", "Owner"],
        "wine": ["Wine", "Prod.", "Vintage", "Dist. (km)", "No. of panels", "Tel.", "Colour"],
    })  # fmt: skip
    assert [names.property(name) for name in ("Prod.", "Dist. (km)", "Tel.", "No. of panels", "Colour")] == [
        "producer", "distanceKm", "telephone", "", "",
    ]  # fmt: skip
    assert names.readable("Prod.") == "producer"
