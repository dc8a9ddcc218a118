"""Tables of a database server: PostgreSQL and MariaDB, where they are installed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest

from clew.tools.errors import BadInput
from clew.tools.ingest import inputs
from clew.tools.ingest.records import EdgeRecord, NodeRecord
from clew.tools.ingest.tables import plan
from clew.tools.ingest.tables.sources import databases
from tests import mariadb_server
from tests.postgres_server import NO_POSTGRES, binaries, server

SCRIPT = """
CREATE TABLE countries (code char(2) PRIMARY KEY, name text NOT NULL);
CREATE TABLE people (
    person_id serial PRIMARY KEY, first_name text, last_name text, born date, seen timestamptz, active boolean,
    pay numeric(9, 2), tags text[], photo bytea, note json, zip text, mentor int REFERENCES people,
    home char(2) REFERENCES countries, work char(2) REFERENCES countries
);
CREATE TABLE rooms (building text, number int, floor int, PRIMARY KEY (building, number));
CREATE TABLE bookings (
    person_id int REFERENCES people, building text, number int, day date,
    FOREIGN KEY (building, number) REFERENCES rooms, PRIMARY KEY (person_id, building, number, day)
);
CREATE VIEW young AS SELECT * FROM people;
INSERT INTO countries VALUES ('NA', 'Namibia'), ('DE', 'Germany');
INSERT INTO people VALUES
    (1, 'Ann', 'Lee', '1980-02-29', '2024-05-01 10:00+02', true, 12.50, '{a,b}', '\\x00', '{"x": 1}', '01581', NULL,
     'NA', 'DE'),
    (2, 'Bo', 'Day', NULL, NULL, false, NULL, NULL, NULL, NULL, '99', 1, 'DE', NULL);
INSERT INTO rooms VALUES ('A|1', 7, 1), ('A', 17, 2);
INSERT INTO bookings VALUES (1, 'A|1', 7, '2024-01-01'), (2, 'A', 17, '2024-01-02');
"""

MARIADB_SCRIPT = """
CREATE TABLE countries (code char(2) PRIMARY KEY, name varchar(60) NOT NULL);
CREATE TABLE people (
    person_id int AUTO_INCREMENT PRIMARY KEY, first_name varchar(40), last_name varchar(40), born date, seen datetime,
    active tinyint(1), pay decimal(9, 2), kind enum('guest', 'host'), photo blob, zip varchar(10), mentor int,
    home char(2), FOREIGN KEY (mentor) REFERENCES people (person_id), FOREIGN KEY (home) REFERENCES countries (code)
);
CREATE TABLE rooms (building varchar(20), number int, floor int, PRIMARY KEY (building, number));
CREATE TABLE bookings (
    person_id int, building varchar(20), number int, day date, PRIMARY KEY (person_id, building, number, day),
    FOREIGN KEY (person_id) REFERENCES people (person_id),
    FOREIGN KEY (building, number) REFERENCES rooms (building, number)
);
CREATE VIEW young AS SELECT * FROM people;
INSERT INTO countries VALUES ('NA', 'Namibia'), ('DE', 'Germany');
INSERT INTO people VALUES
    (1, 'Ann', 'Lée', '1980-02-29', '2024-05-01 10:00:00', 1, 12.50, 'host', x'00ff', '01581', NULL, 'NA'),
    (2, 'Bo', 'Day', NULL, NULL, 0, NULL, NULL, NULL, '99', 1, 'DE');
INSERT INTO rooms VALUES ('A|1', 7, 1), ('A', 17, 2);
INSERT INTO bookings VALUES (1, 'A|1', 7, '2024-01-01'), (2, 'A', 17, '2024-01-02');
"""
KEYS = {
    "countries": ("Country", ["code"]),
    "people": ("Person", ["person_id"]),
    "rooms": ("Room", ["building", "number"]),
    "bookings": ("Booking", ["person_id", "building", "number", "day"]),
}
BOOKED = {
    ("Booking:1|A\\|1|7|2024-01-01", "HAS_PERSON", "Person:1"),
    ("Booking:1|A\\|1|7|2024-01-01", "HAS_ROOM", "Room:A\\|1|7"),
    ("Booking:2|A|17|2024-01-02", "HAS_PERSON", "Person:2"),
    ("Booking:2|A|17|2024-01-02", "HAS_ROOM", "Room:A|17"),
}


def people_of(found: plan.ImportPlan) -> dict[str, dict[str, object]]:
    """The properties of the people by key."""
    return {each.key: dict(each.properties) for each in found.records.read("people") if isinstance(each, NodeRecord)}


def links_of(found: plan.ImportPlan) -> set[tuple[object, ...]]:
    """The ends and types of all relationships."""
    return {e[:3] for name in found.counts for e in found.records.read(name) if isinstance(e, EdgeRecord)}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed: pip install 'clew[postgres]'")
    if binaries() is None:
        pytest.skip(NO_POSTGRES)
    with server() as found:
        with psycopg.connect(found) as connection:
            connection.execute(SCRIPT)
        yield found


def test_declared_keys_and_types_of_postgresql(url: str, tmp_path: Path) -> None:
    scratch = plan.new_scratch(tmp_path)
    with plan.make(inputs.read([url], scratch).tables, scratch) as found:
        assert {name: (each.node, each.key) for name, each in found.model.tables.items()} == KEYS
        assert people_of(found) == {
            "Person:1": {
                "person_id": 1, "first_name": "Ann", "last_name": "Lee", "born": date(1980, 2, 29), "active": True,
                "seen": datetime(2024, 5, 1, 8), "pay": 12.5, "tags": "a, b", "note": '{"x": 1}', "zip": "01581",
            },
            "Person:2": {"person_id": 2, "first_name": "Bo", "last_name": "Day", "active": False, "zip": "99"},
        }  # fmt: skip
        assert links_of(found) == BOOKED | {
            ("Person:1", "HAS_HOME", "Country:NA"), ("Person:1", "HAS_WORK", "Country:DE"),
            ("Person:2", "HAS_HOME", "Country:DE"), ("Person:2", "HAS_MENTOR", "Person:1"),
        }  # fmt: skip
        assert found.model.tables["people"].left_out == {"photo": "binary data"}


def test_a_server_that_refuses_is_named_without_the_password(url: str) -> None:
    with pytest.raises(BadInput, match=r"postgresql://me:\*\*\*@") as raised:
        databases.tables(url.replace("/postgres", "/nothing"))
    assert "secret" not in str(raised.value)
    assert raised.value.remedy


def test_declared_keys_and_types_of_mariadb(tmp_path: Path) -> None:
    pytest.importorskip("pymysql", reason="the driver PyMySQL is not installed: pip install 'clew[mysql]'")
    if mariadb_server.binary() is None:
        pytest.skip(mariadb_server.NO_MARIADB)
    scratch = plan.new_scratch(tmp_path)
    with (
        mariadb_server.server(MARIADB_SCRIPT) as url,
        plan.make(inputs.read([url], scratch).tables, scratch) as found,
    ):
        assert {name: (each.node, each.key) for name, each in found.model.tables.items()} == KEYS
        assert people_of(found) == {
            "Person:1": {
                "person_id": 1, "first_name": "Ann", "last_name": "Lée", "born": date(1980, 2, 29), "active": True,
                "seen": datetime(2024, 5, 1, 10), "pay": 12.5, "kind": "host", "zip": "01581",
            },
            "Person:2": {"person_id": 2, "first_name": "Bo", "last_name": "Day", "active": False, "zip": "99"},
        }  # fmt: skip
        assert links_of(found) == BOOKED | {
            ("Person:1", "HAS_HOME", "Country:NA"), ("Person:2", "HAS_HOME", "Country:DE"),
            ("Person:2", "HAS_MENTOR", "Person:1"),
        }  # fmt: skip
