"""Tables: which files are tables, how their values are read, and which model is inferred from keys and names."""

from __future__ import annotations

import gzip
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput, BoundPassed
from clew.tools.ingest import inputs
from clew.tools.ingest.records import BadLine, EdgeRecord, NodeRecord, Record
from clew.tools.ingest.tables import model_file, plan, plan_text, table_words, workspace
from clew.tools.ingest.tables.model import GraphModel
from clew.tools.ingest.tables.plan import ImportPlan
from clew.tools.ingest.tables.sources import databases
from tests.tools.ingest import sample_schemas

RELAXED = settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
SHOP = {
    "countries.csv": "code,name\nDE,Germany\nFR,France\nNA,Namibia\n",
    "categories.csv": "category_id,title\n1,Tea\n2,Coffee\n",
    "staff.csv": "staff_id,first_name,last_name,reportsTo,active\n1,Ann,Lee,,true\n2,Bo,Day,1,false\n3,Cy,Fox,1,true\n",
    "products.csv": "id,name,category_id,made_in_country_code,price\n"
    "1,Assam,1,NA,3.50\n2,Mocha,2,FR,9\n3,Sencha,1,DE,4.25\n",
    "orders.csv": "order_no,placed,seller_id,shipFrom_country,shipTo_country\n"
    "A-1,05.03.2024,1,DE,FR\nA-2,17.12.2024,2,FR,NA\nA-3,01.01.2025,2,DE,DE\n",
    "order-items.csv": "order_no,product_id,quantity\nA-1,1,5\nA-1,2,1\nA-2,3,2\nA-3,1,7\n",
}


def put(folder: Path, files: dict[str, str | bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


@pytest.fixture
def planned(tmp_path: Path) -> Iterator[Callable[..., ImportPlan]]:
    """Plans the import of paths and URLs."""
    plans: list[ImportPlan] = []

    def make(*given: str | Path, model: GraphModel | None = None, **options: Any) -> ImportPlan:
        scratch = plan.new_scratch(tmp_path / "scratch")
        plans.append(plan.make(inputs.read(given, scratch).tables, scratch, model=model, **options))
        return plans[-1]

    yield make
    for each in plans:
        each.close()


def records(found: ImportPlan, table: str) -> list[Record]:
    return list(found.records.read(table))


def nodes(found: ImportPlan, table: str) -> dict[str, dict[str, Any]]:
    return {each.key: each.properties for each in records(found, table) if isinstance(each, NodeRecord)}


def edges(found: ImportPlan, table: str) -> set[tuple[str, str, str]]:
    return {(each.source, each.type, each.target) for each in records(found, table) if isinstance(each, EdgeRecord)}


def typed_links(model: GraphModel) -> set[tuple[str, str, str, str]]:
    """The references of a model: their table, their first column, the table they refer to, and their type."""
    return {(name, each.columns[0], each.table, each.type) for name, t in model.tables.items() for each in t.references}


def links(found: GraphModel) -> set[tuple[str, str, str]]:
    return {(n, column, e.table) for n, t in found.tables.items() for e in t.ends() for column in e.columns}


# Which files are tables


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("shipperID,companyName,phone\n1,Speedy Express,(503) 555-9831\n2,United,(503) 555-3199\n", "table"),
        ("code\tname\tcontinent\nDE\tGermany\tEurope\nFR\tFrance\tEurope\n", "table"),
        ("a;b\n1;x\n", "table"),
        ("city,founded,area\nRome,-753,1285\nBonn,1,141\n", "table"),
        ("Heat|directed_by|Michael Mann\nHeat|release_year|1995\nRonin|release_year|1998\n", "triples"),
        ("Heat,release_year,1995\nRonin,release_year,1998\n", "triples"),
        ("subject,predicate,object\nHeat,directed_by,Michael Mann\n", "triples"),
        ("head\trelation\ttail\na\tlikes\tb\n", "triples"),
        ("anna,knows,bob\nbob,likes,cat\n", "triples"),
        (":ID,name\n1,Ann\n", "csv"),
    ],
)
def test_a_table_is_told_from_triples_by_its_header(tmp_path: Path, text: str, kind: str) -> None:
    path = put(tmp_path / "in", {"x.csv": text}) / "x.csv"
    found = inputs.read([path], tmp_path)
    assert (["table"] if found.tables else [each.kind for each in found.files]) == [kind]


def test_the_user_may_name_the_format(tmp_path: Path) -> None:
    path = put(tmp_path / "in", {"x.csv": "anna,knows,bob\nbob,likes,cat\n"}) / "x.csv"
    assert [each.columns for each in inputs.read([path], tmp_path, "table").tables] == [("anna", "knows", "bob")]
    path.write_text("shipperID,companyName,phone\n1,Speedy,5\n")
    assert [each.kind for each in inputs.read([path], tmp_path, "triples").files] == ["triples"]
    with pytest.raises(BadInput, match="cannot be read as json-lines"):
        inputs.read([path], tmp_path, "json-lines")


def test_folders_wildcards_archives_and_databases_hold_tables(tmp_path: Path) -> None:
    shop = put(tmp_path / "shop", {**SHOP, "README.md": "x", "notes.txt": "just a line\n", ".hidden.csv": "a,b\n"})
    (shop / "staff.csv").rename(shop / "staff.tmp")
    (shop / "staff.csv.gz").write_bytes(gzip.compress((shop / "staff.tmp").read_bytes()))
    names = ["categories", "countries", "order-items", "orders", "products", "staff"]
    found = inputs.read([shop], tmp_path)
    assert [each.table for each in found.tables] == names
    assert [note.replace(f"{shop}/", "") for note in found.notes] == [
        "Left out: notes.txt is of no known format.",
        "Left out: README.md, staff.tmp are of no known format.",
    ]
    assert [each.table for each in inputs.read([f"{shop}/*s.csv"], tmp_path).tables] == names[:-1]
    with zipfile.ZipFile(tmp_path / "shop.zip", "w") as archive:
        for name, text in SHOP.items():
            archive.writestr(f"data/{name}", text)
        archive.writestr("../../evil.csv", "a,b\n1,2\n")
    packed = inputs.read([tmp_path / "shop.zip"], tmp_path)
    assert [each.table for each in packed.tables] == names
    assert str(packed.tables[0].path).endswith("shop.zip/data/categories.csv")
    assert not (tmp_path.parent / "evil.csv").exists()
    with sqlite3.connect(tmp_path / "shop.db") as db:
        db.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, photo BLOB, name TEXT)")
        db.execute("INSERT INTO people VALUES (1, x'00', 'Ann')")
    for given_path in (f"sqlite:///{tmp_path}/shop.db", tmp_path / "shop.db"):
        (people,) = inputs.read([given_path], tmp_path).tables
        assert (people.columns, people.key, people.left_out) == (("id", "name"), ("id",), {"photo": "binary data"})


def test_texts_of_databases_may_have_any_line_end(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "pets.db") as db:
        db.execute("CREATE TABLE pets (id INTEGER, name TEXT)")
        db.executemany("INSERT INTO pets VALUES (?, ?)", [(1, "Rex\rDog"), (2, "Tom\r\nCat")])
    found = planned(tmp_path / "pets.db")
    names = [each.properties["name"] for each in found.records.read("pets") if isinstance(each, NodeRecord)]
    assert names == ["Rex\nDog", "Tom\nCat"]


@pytest.mark.parametrize(
    ("files", "given_name", "said"),
    [
        ({"a.csv": "id,name\n1,x\n", "b.csv": ":ID,name\n1,x\n"}, "", "cannot be imported together"),
        ({"a.csv": "just text\nmore text here\n"}, "a.csv", "no known format"),
        ({"a.csv": "just text\nmore text here\n", "b.csv": "id,name\n1,x\n"}, "", "a.csv is of no known format"),
        ({"a.xlsx": b"PK\x03\x04nonsense"}, "a.xlsx", "cannot be read as a workbook"),
        ({"a.zip": b"PK\x03\x04nonsense"}, "a.zip", "cannot be unpacked"),
        ({"a.parquet": b"PAR1nonsense"}, "a.parquet", "cannot be read as Parquet"),
        ({"a.csv": "id,name\n1,x\n"}, "*.tsv", "No file matches"),
        ({"a.csv": "id,name\n1,x\n"}, "missing.csv", "no such file"),
        ({".x": ""}, "", "nothing to import"),
    ],
)
def test_what_cannot_be_used_is_named(
    tmp_path: Path, files: dict[str, str | bytes], given_name: str, said: str
) -> None:
    folder = put(tmp_path / "in", files)
    with pytest.raises(BadInput, match=said) as raised:
        inputs.read([str(folder / given_name) if given_name else folder], tmp_path)
    assert raised.value.remedy


@pytest.mark.parametrize("url", ["sqlite:///none.db", "oracle9://x/y", "postgresql://nobody:secret@127.0.0.1:9/x"])
def test_a_database_that_cannot_be_read_is_named_without_its_password(url: str) -> None:
    with pytest.raises(BadInput) as raised:
        databases.tables(url)
    assert "secret" not in str(raised.value)
    assert "psycopg://" not in str(raised.value)


# Values


def test_types_are_taken_from_all_values(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    rows = [
        "id,zip,amount,rate,day,moment,us_day,unclear,is_new,big,gone,word",
        "1,01581,5,1.5,2024-02-29,2024-02-29T10:00:00Z,12/31/2024,01/02/2024,0,123456789012345678901,NULL,true love",
        "2,99999,N/A,-.5e3,2024-03-01,2024-03-01 11:30:00,01/15/2024,03/04/2024,1,2,,false",
    ]
    folder = put(tmp_path / "in", {"t.csv": "\n".join(rows)})
    found = planned(folder)
    (first, second) = nodes(found, "t").values()
    assert first == {
        "id": 1, "zip": "01581", "amount": 5, "rate": 1.5, "day": date(2024, 2, 29), "is_new": False,
        "moment": datetime(2024, 2, 29, 10), "us_day": date(2024, 12, 31), "unclear": "01/02/2024",
        "big": pytest.approx(1.2345678901234568e20), "word": "true love",
    }  # fmt: skip
    assert "amount" not in second
    assert second["rate"] == -500
    assert found.model.tables["t"].left_out == {"gone": "no values"}
    assert any("t.unclear" in note for note in found.notes)


def test_encodings_line_ends_and_names_are_read(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    folder = put(tmp_path / "in", {
        "west.csv": "id;Name (full)\r\n1;Jürgen “Jo”\r\n".encode("cp1252"),
        "wide.csv": "id\tname\n1\tŁódź\n".encode("utf-16"),
        "bom.csv": "\ufeffid,name,,note\n1,\"two\nlines \"\"x\"\"\",a,b\n".encode(),
    })  # fmt: skip
    found = planned(folder)
    assert nodes(found, "west") == {"West:1": {"id": 1, "nameFull": "Jürgen “Jo”"}}
    assert nodes(found, "wide") == {"Wide:1": {"id": 1, "name": "Łódź"}}
    assert list(nodes(found, "bom").values()) == [{"id": 1, "name": 'two\nlines "x"', "column_3": "a", "note": "b"}]
    assert any("Windows-1252" in note for note in found.notes)


def test_every_row_that_is_skipped_is_told_with_its_line(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    good = "".join(f"{n},name {n},x\n" for n in range(10, 280))
    text = 'id,name,note\n1,"a\nb",x\n\n2,two\n3,three,x,y\n4,"open,x\n5,Paço, 67,x\n1,again,x\n,none,x\n' + good
    found = planned(put(tmp_path / "in", {"t.csv": text}))
    told = {(each.line, each.reason) for each in records(found, "t") if isinstance(each, BadLine)}
    assert told == {
        (5, "2 columns instead of 3"), (6, "4 columns instead of 3"),
        (7, "a quote is not closed, or text follows a closing quote"),
        (9, "an earlier row has the same id"), (10, "the key id is empty"),
    }  # fmt: skip
    assert nodes(found, "t")["T:5"]["name"] == "Paço, 67"
    assert any(note.startswith("1 row of ") for note in found.notes)
    count = found.counts["t"]
    assert (count.rows, count.used, count.skipped, count.nodes) == (277, 272, 5, 272)


def test_workbooks_and_parquet_files_are_tables(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    with duckdb.connect() as db:
        db.execute(
            f"COPY (SELECT 7 AS id, 'Ann' AS name, DATE '2024-01-02' AS born, [1, 2] AS marks, '007' AS code) "
            f"TO '{folder}/people.parquet' (FORMAT parquet)"
        )
    write_workbook(folder / "book.xlsx", {
        "Pets": [["Our pets"], [], ["pet_id", "name", "people_id"], [1, "Rex", 7], [2, "Tom", 7.5]],
        "Empty": [],
    })  # fmt: skip
    found = planned(folder)
    assert (
        nodes(found, "people")
        == {"People:7": {"id": 7, "name": "Ann", "born": date(2024, 1, 2), "marks": "1, 2", "code": "007"}}
        or nodes(found, "people")["Person:7"]
    )
    assert [each["name"] for each in nodes(found, "Pets").values()] == ["Rex", "Tom"]


METAL: dict[str, str | bytes] = {
    "Kunden.csv": "Kundennr.;Firma;PLZ;Kunde seit\r\nK1;Müller GmbH;80331;03.05.2001\r\n"
    "K2;Köhler AG;01067;17.12.1999\r\nK3;Übersee KG;50667;30.01.2010\r\n".encode("cp1252"),
    "Artikel.csv": "Artikelnr.;Bezeichnung;Preis (€);Lagernd\nA-1;Flansch;12,50;ja\n"
    'A-2;"Blech; 2 mm";1.249,00;nein\n'.encode("cp1252"),
    "Aufträge.csv": "\ufeffAuftragsnr.;Kundennr.;Datum\n"
    + "".join(f"{n};K{n % 3 + 1};{n:02}.06.2024\n" for n in range(1, 19))
    + "7;K2;07.06.2024\n19;K9;19.06.2024\n;K1;20.06.2024\n",
    "Auftragspositionen.csv": (
        "Auftragsnr.;Pos.;Artikelnr.;Menge\n" + "".join(f"{n};1;A-{n % 2 + 1};{n}\n" for n in range(1, 20))
    ).encode("utf-16"),
    "leer.csv": "", "README": "x", ".DS_Store": "x", "Thumbs.db": "x",
}  # fmt: skip
"""German: semicolons, three encodings, decimal commas, units, a key given twice and an empty one, a customer that is
not there, and files that are no tables."""
NURSERY: dict[str, str | bytes] = {
    "Fournisseurs.csv": "Code fournisseur;Nom ;Ville;\nF01;Plantes du Sud;Nîmes;\nF02;Vert;Orléans;\n".encode("cp1252"),
    "Plantes.csv": "Réf;Nom commun;Code fournisseur;Prix\nPL1;Lavande;F01;6,90\nPL2;Olivier;F01;1 249,00\n"
    "PL3;Menthe;F04;4,20\nPL4;Figuier;F02;34,00\n",
    "Clients.csv": "N° client;Prénom;Nom;Nom\n100;Zoé;Martin;x\n101;Inès;Roux;y\n",
    "Ventes.csv": "N° vente;N° client;Réf plante;Date\n"
    + "".join(f"{n};{100 + n % 2};PL{n % 4 + 1};{n + 12}/06/2024\n" for n in range(9)),
}
"""French: key words first, a blank and an unnamed column in a header, a name twice in another, a supplier that is not
there."""


def references(found: ImportPlan) -> set[str]:
    return {
        f"{name}.{'+'.join(end.columns)} -> {end.table}"
        for name, table in found.model.tables.items()
        for end in table.ends()
    }


def told(found: ImportPlan, folder: Path) -> list[str]:
    return [line.replace(f"{folder}/", "") for line in plan_text.lines(found)]


def test_a_folder_of_a_german_workshop(tmp_path: Path, planned: Callable[..., ImportPlan]) -> None:
    folder = put(tmp_path / "metall", METAL)
    found = planned(folder)
    assert references(found) == {
        "Aufträge.Kundennr. -> Kunden",
        "Auftragspositionen.Auftragsnr. -> Aufträge",
        "Auftragspositionen.Artikelnr. -> Artikel",
    }
    assert found.model.tables["Aufträge"].key == ["Auftragsnr."]
    assert nodes(found, "Artikel")["Artikel:A-2"]["preis"] == 1249.0
    assert nodes(found, "Kunden")["Kunden:K2"] == {
        "kundennr": "K2", "Firma": "Köhler AG", "PLZ": "01067", "kundeSeit": date(1999, 12, 17),
    }  # fmt: skip
    said = told(found, folder)
    assert "Skipped: 1 row of Aufträge, the first is Aufträge.csv:20: an earlier row has the same Auftragsnr.." in said
    assert "Skipped: 1 row of Aufträge, the first is Aufträge.csv:22: the key Auftragsnr. is empty." in said
    remedy = "  To keep them, give each row of Aufträge a Auftragsnr. of its own, or name another key in the model."
    assert remedy in said
    assert "Aufträge: 1 row has a Kundennr. that no row of Kunden has, and no relationship by it: K9 (line 21)." in said
    notes = [note.replace(f"{folder}/", "") for note in inputs.read([folder], tmp_path).notes]
    assert notes == ["Left out: leer.csv is empty.", "Left out: README is of no known format."]


def test_a_folder_of_a_french_nursery(tmp_path: Path, planned: Callable[..., ImportPlan]) -> None:
    folder = put(tmp_path / "pepiniere", NURSERY)
    found = planned(folder)
    assert references(found) == {
        "Plantes.Code fournisseur -> Fournisseurs", "Ventes.N° client -> Clients", "Ventes.Réf plante -> Plantes",
    }  # fmt: skip
    named = {name: table.name for name, table in found.model.tables.items()}
    assert named["Clients"] == ["Prénom", "Nom"]
    assert named["Plantes"] == ["Nom commun"]
    assert nodes(found, "Plantes")["Plante:PL2"]["Prix"] == 1249.0
    said = told(found, folder)
    assert "Clients.csv:1: two columns are named `Nom`; the later one is called `Nom_2`." in said
    assert any("a Code fournisseur that no row of Fournisseurs has" in line and "F04 (line 4)" in line for line in said)


def test_a_folder_of_an_office_in_short_names(tmp_path: Path, planned: Callable[..., ImportPlan]) -> None:
    names = ["Ann Lee", "Bo Day", "Cy Fox", "Di Orr", "Ed Poe", "Flo Gray", "Gus Hale", "Ida Irk"]
    groups = ["Dry Goods", "Rice", "Pasta", "Oils", "Dairy", "Cheese"]
    files = {
        "sls_rep.csv": "rep_no,rep_nm,hire_dt,mgr_no\n"
        + "".join(f"{11 + n},{name},2015-0{n + 1}-01,{11 + n // 3 if n else ''}\n" for n, name in enumerate(names)),
        "prod_grp.csv": "grp_cd,grp_nm,par_grp_cd\n"
        + "".join(f"G{n},{name},{f'G{n // 3}' if n else ''}\n" for n, name in enumerate(groups)),
        "guests.csv": "guestId,guestName,referredBy\n"
        + "".join(f"{5001 + n},Guest {n},{5001 + n // 2 if n % 5 == 0 and n else ''}\n" for n in range(40)),
        "tickets.csv": "ticket_no,assigned_to,checked_by,hrs\n"
        + "".join(f"{7001 + n},{11 + n % 8},{11 + n % 5},{n % 9}\n" for n in range(60)),
    }
    model = planned(put(tmp_path / "office", dict(files))).model
    assert typed_links(model) == {
        ("sls_rep", "mgr_no", "sls_rep", "HAS_MANAGER"),
        ("prod_grp", "par_grp_cd", "prod_grp", "HAS_PARENT_GROUP"),
        ("guests", "referredBy", "guests", "REFERRED_BY"),
        ("tickets", "assigned_to", "sls_rep", "ASSIGNED_TO"),
        ("tickets", "checked_by", "sls_rep", "CHECKED_BY"),
    }
    assert model.tables["prod_grp"].name == ["grp_nm"]


def test_references_to_people_where_several_tables_hold_people(
    tmp_path: Path, planned: Callable[..., ImportPlan]
) -> None:
    files = {
        "staff.csv": "staffId,firstName,lastName,jobTitle\n"
        + "".join(f"{n},Ann {n},Lee,{'Driver' if n > 4 else 'Clerk'}\n" for n in range(1, 13)),
        "customers.csv": "custId,custName,introducedBy\n"
        + "".join(f"{n},Client {n},{n // 2 if n % 7 == 0 else ''}\n" for n in range(1, 151)),
        "depots.csv": "depotId,depotName,mgrId\n" + "".join(f"{n},Depot {n},{n + 1}\n" for n in range(1, 6)),
        "articles.csv": "articleId,articleName,replacesId,layerId\n"
        + "".join(f"{n},Thing {n},{n - 3 if n in (7, 17) else ''},{n % 4 + 1}\n" for n in range(1, 21)),
        "trips.csv": "tripId,custId,takenBy,driverId,helperId,price\n"
        + "".join(f"{n},{n % 150 + 1},{n % 4 + 1},{n % 8 + 5},{n % 9 + 3},{n * 3}\n" for n in range(1, 300)),
    }
    model = planned(put(tmp_path / "hire", dict(files))).model
    assert typed_links(model) == {
        ("customers", "introducedBy", "customers", "INTRODUCED_BY"),
        ("depots", "mgrId", "staff", "HAS_MANAGER"),
        ("articles", "replacesId", "articles", "REPLACES"),
        ("trips", "custId", "customers", "HAS_CUSTOMER"),
        ("trips", "takenBy", "staff", "TAKEN_BY"),
        ("trips", "driverId", "staff", "HAS_DRIVER"),
        ("trips", "helperId", "staff", "HAS_HELPER"),
    }


def test_a_folder_of_a_clinic_with_files_of_all_kinds(tmp_path: Path, planned: Callable[..., ImportPlan]) -> None:
    rows = "".join(f"P{n:02}\tPatient {n}\tLee {n}\n" for n in range(1, 20))
    folder = put(
        tmp_path / "clinic", {"patients.tsv": "patient_id\tfirst_name\tlast_name\n" + rows + "P03\tTwo\tLee\n"}
    )
    write_workbook(folder / "staff.xlsx", {
        "Dentists": [["Dentist ID", "First name", "Last name"], [1, "Ana", "Lima"], [2, "Ben", "Okoro"]],
        "Treatments": [["Prices"], ["Code", "Treatment", "Price"], ["T1", "Filling", 120.5], ["T2", "Cleaning", 80]],
        "Remarks": [["without tax"]],
    })  # fmt: skip
    with duckdb.connect() as db:
        visits = "SELECT n AS visit_id, 'P' || lpad(n::VARCHAR, 2, '0') AS patient_id, n % 2 + 1 AS dentist_id"
        db.execute(f"COPY ({visits} FROM range(1, 20) t(n)) TO '{folder}/visits.parquet' (FORMAT parquet)")
    lines = "".join(f'{n},T{n % 2 + 1},"sharp,\nat night"\n' for n in range(1, 20))
    for name, text in (
        ("export", "visit_id,treatment_code,note\n" + lines),
        ("rooms", "room_id,visit_id\n" + "".join(f"{n},{n}\n" for n in range(1, 20))),
    ):
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
            archive.writestr(f"{name}.csv", text)
            archive.writestr("about.txt", "no table\n")
            archive.writestr("__MACOSX/._x.csv", "junk")
    (folder / "old").mkdir()
    found = planned(folder)
    assert references(found) == {
        "visits.patient_id -> patients", "visits.dentist_id -> Dentists", "export.visit_id -> visits",
        "export.treatment_code -> Treatments", "rooms.visit_id -> visits",
    }  # fmt: skip
    assert found.model.tables["Treatments"].name == ["Treatment"]
    assert any(line.startswith("Left out: the sheet Remarks of staff.xlsx") for line in told(found, folder))
    notes = [note.replace(f"{folder}/", "") for note in inputs.read([folder], tmp_path).notes]
    assert notes == [
        "Left out: export.zip/about.txt is of no known format.",
        "Left out: rooms.zip/about.txt is of no known format.",
        "Left out: old/. To import a folder in a folder, name it, too.",
    ]


def write_workbook(path: Path, sheets: dict[str, Sequence[Sequence[Any]]]) -> None:
    """A minimal .xlsx."""
    names = list(sheets)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"

    def cell(value: Any) -> str:
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        return f"<c><v>{value}</v></c>"

    with zipfile.ZipFile(path, "w") as book:
        kinds = "".join(
            f'<Override PartName="/xl/worksheets/s{i}.xml" ContentType="application/vnd.openxmlformats-officedocument.'
            'spreadsheetml.worksheet+xml"/>'
            for i in range(len(names))
        )
        book.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.'
            'openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/'
            f'vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{kinds}</Types>',
        )
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" Type="{office}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        listed = "".join(f'<sheet name="{n}" sheetId="{i + 1}" r:id="r{i}"/>' for i, n in enumerate(names))
        book.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{listed}</sheets></workbook>'
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}/relationships">'
            + "".join(
                f'<Relationship Id="r{i}" Type="{office}/worksheet" Target="worksheets/s{i}.xml"/>'
                for i in range(len(names))
            )
            + "</Relationships>",
        )
        for i, name in enumerate(names):
            rows = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in sheets[name])
            book.writestr(
                f"xl/worksheets/s{i}.xml", f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>'
            )


# The model


def test_the_model_of_a_shop(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    found = planned(put(tmp_path / "shop", SHOP))
    tables = found.model.tables
    assert {name: (each.node, each.key, each.name) for name, each in tables.items() if each.node} == {
        "countries": ("Country", ["code"], ["name"]),
        "categories": ("Category", ["category_id"], ["title"]),
        "staff": ("Staff", ["staff_id"], ["first_name", "last_name"]),
        "products": ("Product", ["id"], ["name"]),
        "orders": ("Order", ["order_no"], ["order_no"]),
    }
    assert {(name, *each.columns, each.type, each.table) for name, t in tables.items() for each in t.references} == {
        ("staff", "reportsTo", "REPORTS_TO", "staff"),
        ("products", "category_id", "HAS_CATEGORY", "categories"),
        ("products", "made_in_country_code", "MADE_IN", "countries"),
        ("orders", "seller_id", "HAS_SELLER", "staff"),
        ("orders", "shipFrom_country", "SHIP_FROM", "countries"),
        ("orders", "shipTo_country", "SHIP_TO", "countries"),
    }
    assert ("Order:A-1", "HAS_PRODUCT", "Product:2") in edges(found, "order-items")
    assert nodes(found, "orders")["Order:A-2"] == {"order_no": "A-2", "placed": date(2024, 12, 17)}
    assert nodes(found, "staff")["Staff:2"]["active"] is False
    assert edges(found, "staff") == {("Staff:2", "REPORTS_TO", "Staff:1"), ("Staff:3", "REPORTS_TO", "Staff:1")}
    text = "\n".join(plan_text.lines(found))
    assert "6 tables become 14 nodes and 21 relationships." in text
    assert "-[HAS_PRODUCT 4]-> Product" in text


MISSED = {("races", "year", "seasons")}
"""Only the declaration says that a year is a reference: 1 of the 79 references of these schemas."""


@pytest.mark.parametrize("name", sample_schemas.ALL)
def test_undeclared_keys_of_known_schemas_are_found_and_no_wrong_one(
    planned: Callable[..., ImportPlan], tmp_path: Path, name: str
) -> None:
    sample = sample_schemas.as_sqlite(sample_schemas.ALL[name], tmp_path / "x.db", declared=False)
    found = planned(tmp_path / "x.db")
    assert links(found.model) == sample.links - MISSED
    joins = {table for table, each in found.model.tables.items() if each.relationship is not None}
    assert {t: each.key for t, each in found.model.tables.items() if t in sample.keys and t not in joins} == {
        table: [column] for table, column in sample.keys.items() if table not in joins
    }
    for table, count in found.counts.items():
        assert count.rows == count.used == len(sample.rows[table])
        assert not count.unmatched


@pytest.mark.parametrize("name", ["chinook", "sakila"])
def test_declared_keys_give_the_same_model(planned: Callable[..., ImportPlan], tmp_path: Path, name: str) -> None:
    schema = sample_schemas.ALL[name]
    sample_schemas.as_sqlite(schema, tmp_path / "hidden.db", declared=False)
    sample_schemas.as_sqlite(schema, tmp_path / "declared.db", declared=True)
    hidden, declared = planned(tmp_path / "hidden.db"), planned(tmp_path / "declared.db")

    def without_reasons(model: GraphModel) -> dict[str, Any]:
        def stripped(value: Any) -> Any:
            if isinstance(value, dict):
                return {name: stripped(each) for name, each in value.items() if name != "why"}
            return [stripped(each) for each in value] if isinstance(value, list) else value

        return dict(stripped(model.model_dump()))

    assert without_reasons(hidden.model) == without_reasons(declared.model)
    assert "declared" in declared.model.tables[next(iter(schema))].why


def test_a_prefix_of_all_tables_is_no_part_of_labels(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    sample_schemas.as_sqlite(sample_schemas.STORE, tmp_path / "x.db", declared=False)
    found = planned(tmp_path / "x.db").model
    assert {each.node for each in found.tables.values() if each.node} == {
        "Customer", "Order", "Item", "Product", "Seller", "Category", "Review",
    }  # fmt: skip


def test_words_of_names_in_lower_case_are_told_apart(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    sample_schemas.as_sqlite(sample_schemas.FOLDED, tmp_path / "x.db", declared=False)
    details = planned(tmp_path / "x.db").model.tables["orderdetails"].relationship
    assert details is not None
    assert (details.source.table, details.type, details.target.table) == ("orders", "HAS_PRODUCT", "products")
    assert table_words.apart("playlisttrack", {"playlist", "track"}) == "playlist_track"
    assert table_words.apart("news", {"new"}) == "news"


@pytest.mark.parametrize(
    ("column", "target", "type"),
    [
        ("reportsTo", "employees", "REPORTS_TO"), ("category_id", "categories", "HAS_CATEGORY"),
        ("shipVia", "shippers", "SHIP_VIA"), ("customerid", "customers", "HAS_CUSTOMER"),
        ("lives_in_city_id", "cities", "LIVES_IN"), ("created_by", "users", "CREATED_BY"),
        ("original_language_id", "language", "HAS_ORIGINAL_LANGUAGE"), ("id", "people", "HAS_PERSON"),
    ],
)  # fmt: skip
def test_relationship_types_come_from_columns(column: str, target: str, type: str) -> None:
    assert table_words.reference_type(column, target, frozenset({"customer"})) == type


@pytest.mark.parametrize(
    ("table", "source", "target", "type"),
    [
        ("order-details", "orders", "products", "HAS_PRODUCT"), ("film_actor", "film", "actor", "HAS_ACTOR"),
        ("dept_emp", "employees", "departments", "HAS_DEPARTMENT"), ("likes", "users", "posts", "LIKES"),
        ("enrollments", "students", "courses", "ENROLLMENT"), ("works_on", "people", "projects", "WORKS_ON"),
    ],
)  # fmt: skip
def test_relationship_types_come_from_joining_tables(table: str, source: str, target: str, type: str) -> None:
    assert table_words.join_type(table, source, target, f"{target}_id") == type


def test_columns_can_become_nodes(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    rows = "".join(f"{n},name {n},{'Bonn' if n % 2 else 'Rome'}\n" for n in range(30))
    folder = put(tmp_path / "in", {"people.csv": "id,name,city\n" + rows})
    assert planned(folder).suggestions() == [("people", "city", 2)]
    found = planned(folder, value_nodes=[("people", "city")])
    assert nodes(found, "people")["City:Bonn"] == {"name": "Bonn"}
    assert ("Person:1", "HAS_CITY", "City:Bonn") in edges(found, "people")
    assert "city" not in nodes(found, "people")["Person:1"]
    with pytest.raises(BadInput, match=r"no column people\.town"):
        planned(folder, value_nodes=[("people", "town")])


VALUES = {
    "numbers": st.integers(0, 40).map(str),
    "words": st.sampled_from(["red", "green", "blue", "tea", "x"]),
    "amounts": st.floats(0, 99, allow_nan=False).map(lambda value: f"{value:.2f}"),
    "gaps": st.sampled_from(["", "1", "2"]),
}
COLUMNS = ("score", "height", "color", "size", "amount", "remark", "level", "weight", "points", "shade")


@RELAXED
@given(data=st.data())
def test_random_columns_never_refer_to_anything(
    planned: Callable[..., ImportPlan], tmp_path: Path, data: st.DataObject
) -> None:
    """Columns with values that are among the keys of other tables, and names that say nothing of it."""
    folder = put(tmp_path / f"in{data.draw(st.uuids())}", {})
    for table in data.draw(st.lists(st.sampled_from(["box", "rope", "stone"]), min_size=1, unique=True)):
        columns = data.draw(st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=4, unique=True))
        kinds = [data.draw(st.sampled_from(sorted(VALUES))) for _ in columns]
        size = data.draw(st.integers(1, 30))
        rows = [[str(n), *(data.draw(VALUES[kind]) for kind in kinds)] for n in range(1, size + 1)]
        text = "\n".join(",".join(row) for row in [[f"{table}_id", *columns], *rows])
        put(folder, {f"{table}.csv": text})
    found = planned(folder)
    assert links(found.model) == set()
    assert {name: each.key for name, each in found.model.tables.items()} == {n: [f"{n}_id"] for n in found.model.tables}


# The model as a file


def test_a_model_reads_back_as_it_was_written(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    found = planned(put(tmp_path / "shop", SHOP), value_nodes=[("orders", "placed")])
    model_file.write(found.model, tmp_path / "model.yaml")
    read = model_file.read(tmp_path / "model.yaml")
    assert read == found.model
    again = planned(tmp_path / "shop", model=read)
    assert again.model == found.model
    assert [records(again, name) for name in SHOP_TABLES] == [records(found, name) for name in SHOP_TABLES]


SHOP_TABLES = [name.removesuffix(".csv") for name in SHOP]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("node: Country", "node: 1Country", r"model.yaml:\d+: `tables.countries.node`: `1Country` must be a letter"),
        ("node: Country", "knot: Country", r"model.yaml:\d+: `tables.countries.knot`: there is no such field"),
        ("price: number", "price: money", r"model.yaml:\d+: `tables.products.columns.price.type`"),
        ("    key: [code]", "    key: [kode]", r"model.yaml:\d+: `tables.countries`: `key` names the column `kode`"),
        ("table: categories", "table: kategories", "refers to `kategories`, which is not among `tables`"),
        ("node: Country", "node: [", r"model.yaml:\d+: "),
        ("    node: Country", "    node: Country\n    node: Land", r"model.yaml:\d+: `node` is there twice"),
        ("version: 1", "version: 2", "model.yaml:5: `version`"),
    ],
)
def test_a_wrong_model_is_refused_with_its_line(
    planned: Callable[..., ImportPlan], tmp_path: Path, old: str, new: str, said: str
) -> None:
    path = tmp_path / "model.yaml"
    model_file.write(planned(put(tmp_path / "shop", SHOP)).model, path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(BadInput, match=said) as raised:
        model_file.read(path)
    assert raised.value.remedy


def test_an_edited_model_is_followed(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    shop = put(tmp_path / "shop", SHOP)
    model = planned(shop).model.model_copy(deep=True)
    model.tables["products"].columns["price"].property = "cost"
    model.tables["products"].references[0].direction = "in"
    model.tables["products"].references[0].type = "HOLDS"
    del model.tables["order-items"]
    found = planned(shop, model=GraphModel.model_validate(model.model_dump()), complete=False)
    assert nodes(found, "products")["Product:1"]["cost"] == 3.5
    assert ("Category:1", "HOLDS", "Product:1") in edges(found, "products")
    assert "The table order-items is not in the model, and is left out." in found.notes
    (shop / "products.csv").write_text("id,name\n1,Assam\n")
    with pytest.raises(BadInput, match="has no column `category_id`"):
        planned(shop, model=model)


def test_values_that_match_nothing_are_counted_and_shown(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    files = {**SHOP, "order-items.csv": SHOP["order-items.csv"] + "A-9,1,1\nA-1,99,1\n"}
    found = planned(put(tmp_path / "shop", files))
    count = found.counts["order-items"]
    assert (count.rows, count.used, count.skipped, count.relationships) == (6, 4, 2, 4)
    assert [(each.columns, each.rows, each.examples) for each in count.unmatched] == [
        (("order_no",), 1, ("A-9 (line 6)",)), (("product_id",), 1, ("99 (line 7)",)),
    ]  # fmt: skip


def test_rows_that_do_not_fit_into_memory_are_told(
    planned: Callable[..., ImportPlan], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "MEMORY_MB", 16)
    path = tmp_path / "long.csv"
    path.write_text("id,name\n" + "".join(f"{n},{'x' * 2_000_000}\n" for n in range(12)))
    with pytest.raises(BoundPassed, match="more than 16 MB of memory"):
        planned(path)
