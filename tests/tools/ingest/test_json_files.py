"""JSON documents become tables: one for each kind of object, with references where objects stand in others."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput, BoundPassed
from clew.tools.ingest import inputs, source
from clew.tools.ingest.records import BadLine, EdgeRecord, NodeRecord
from clew.tools.ingest.tables import plan as planning
from clew.tools.ingest.tables.sources import Source
from clew.tools.ingest.tables.sources.json_files import JsonFile, tables


def sources(folder: Path, **files: Any) -> dict[str, Source]:
    """The tables of files: a name with the value that the file holds, or its text."""
    paths = []
    for name, value in files.items():
        path = folder / (name if "." in name else f"{name}.json")
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        paths.append(JsonFile(path, path))
    return {source.table: source for source in tables(paths, folder)}


def rows(source: Source) -> list[dict[str, Any]]:
    """The rows as objects, without what is missing."""
    found = [row for row in source.rows(None) if not isinstance(row, BadLine)]
    return [
        {k: v for k, v in zip(source.columns, values, strict=True) if v is not None} for _line, values in found
    ]  # fmt: skip


def references(source: Source) -> dict[str, str]:
    return {each.columns[0]: f"{each.table}.{each.key[0]}" for each in source.references}


def test_a_list_of_objects_is_a_table(tmp_path: Path) -> None:
    given = [{"name": "Ann", "age": 3}, {"name": "Bo", "vip": True, "note": None, "nick": ""}]
    [source] = sources(tmp_path, people=given).values()
    assert (source.table, source.columns) == ("people", ("name", "age", "vip"))
    assert rows(source) == [{"name": "Ann", "age": 3}, {"name": "Bo", "vip": True}]


def test_objects_in_objects_are_columns_or_rows(tmp_path: Path) -> None:
    author = {"id": 7, "name": "Vera Stone"}
    books = [
        {"id": 1, "title": "Reeds", "author": author, "size": {"height": 20, "width": 12}, "shelf": {"name": "A"}},
        {"id": 2, "title": "Salt", "author": author | {"born": 1960}, "size": {"height": 30}, "shelf": {"name": "B"}},
    ]
    found = sources(tmp_path, books=books)
    assert rows(found["books"])[0] == {
        "id": 1, "title": "Reeds", "size_height": 20, "size_width": 12, "shelf": "A", "author_id": 7,
    }  # fmt: skip
    assert rows(found["author"]) == [{"id": 7, "name": "Vera Stone", "born": 1960}]
    assert references(found["books"]) == {"author_id": "author.id"}


def test_lists_of_objects_refer_to_the_row_around_them(tmp_path: Path) -> None:
    orders = [{"id": "A1", "items": [{"sku": "x", "qty": 2}, {"sku": "y", "qty": 1}]}, {"id": "A2", "items": []}]
    found = sources(tmp_path, orders=orders)
    assert rows(found["order_items"]) == [
        {"sku": "x", "qty": 2, "order_id": "A1"}, {"sku": "y", "qty": 1, "order_id": "A1"},
    ]  # fmt: skip
    assert references(found["order_items"]) == {"order_id": "orders.id"}


def test_rows_without_a_key_are_numbered_if_others_refer_to_them(tmp_path: Path) -> None:
    found = sources(tmp_path, walks=[{"km": 3, "stops": [{"place": "Mill"}]}, {"km": 5, "stops": [{"place": "Ford"}]}])
    assert rows(found["walks"]) == [{"row_number": 1, "km": 3}, {"row_number": 2, "km": 5}]
    assert [row["walk_row_number"] for row in rows(found["stops"])] == [1, 2]


def test_what_several_objects_have_is_joined_with_them(tmp_path: Path) -> None:
    ann, bo = {"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}
    shows = [
        {"id": 10, "hosts": [ann | {"pay": 5}, bo | {"pay": 6}], "lead": ann},
        {"id": 11, "hosts": [ann | {"pay": 7}], "lead": bo},
    ]
    found = sources(tmp_path, network={"made": "2024", "shows": shows, "people": [ann | {"born": 1970}, bo]})
    assert rows(found["people"]) == [{"id": 1, "name": "Ann", "born": 1970}, {"id": 2, "name": "Bo"}]
    assert rows(found["show_hosts"]) == [
        {"show_id": 10, "host_id": 1, "pay": 5}, {"show_id": 10, "host_id": 2, "pay": 6},
        {"show_id": 11, "host_id": 1, "pay": 7},
    ]  # fmt: skip
    assert references(found["show_hosts"]) == {"show_id": "shows.id", "host_id": "people.id"}
    assert references(found["shows"]) == {"lead_id": "people.id"}
    assert sorted(found) == ["people", "show_hosts", "shows"]


def test_objects_that_stand_once_may_be_rows_of_another_table(tmp_path: Path) -> None:
    show = {"id": 7, "title": "Night Desk", "studio": {"id": 2, "name": "Leeds"}, "tags": ["crime", "law"],
            "hosts": [{"id": 31, "name": "Ann Lee", "share": 60}],
            "episodes": [{"id": 901, "title": "The Ferry", "length": {"minutes": 48}}]}  # fmt: skip
    found = sources(tmp_path, shows={"shows": [show], "people": [{"id": 31, "name": "Ann Lee", "born": 1980}]})
    assert rows(found["people"]) == [{"id": 31, "name": "Ann Lee", "born": 1980}]
    assert rows(found["show_hosts"]) == [{"show_id": 7, "host_id": 31, "share": 60}]
    assert rows(found["episodes"]) == [{"id": 901, "title": "The Ferry", "length_minutes": 48, "show_id": 7}]
    assert rows(found["studio"]) == [{"id": 2, "name": "Leeds"}]
    with planning.make(list(found.values()), tmp_path) as plan:
        assert plan.model.tables["show_hosts"].relationship is not None


def test_objects_called_alike_are_the_same_if_they_share_a_key(tmp_path: Path) -> None:
    ann, bo, cy = ({"id": n, "name": name} for n, name in ((1, "Ann"), (2, "Bo"), (3, "Cy")))
    posts = [{"id": 10, "author": ann, "comments": [{"id": 50, "author": bo}, {"id": 51, "author": cy}]},
             {"id": 11, "author": ann, "comments": [{"id": 52, "author": ann}]},
             {"id": 12, "author": {"id": 4, "name": "Di"}}]  # fmt: skip
    found = sources(tmp_path, posts=posts)
    assert sorted(found) == ["author", "comments", "posts"]
    assert sorted(row["name"] for row in rows(found["author"])) == ["Ann", "Bo", "Cy", "Di"]


def test_files_of_one_name_are_tables_of_their_own(tmp_path: Path) -> None:
    files = []
    for n in range(3):
        (tmp_path / str(n)).mkdir()
        (tmp_path / str(n) / "x.json").write_text(json.dumps([{"a": n, "b": 1}]))
        files.append(JsonFile(tmp_path / str(n) / "x.json", tmp_path / str(n) / "x.json"))
    assert [rows(source) for source in tables(files, tmp_path)] == [[{"a": n, "b": 1}] for n in range(3)]


def test_items_that_each_object_numbers_anew_are_not_the_same(tmp_path: Path) -> None:
    days = [{"id": n, "talks": [{"id": 1, "title": f"T{n}"}, {"id": 2, "title": f"U{n}"}]} for n in (1, 2, 3)]
    assert len(rows(sources(tmp_path, days=days)["talks"])) == 6


def test_objects_of_several_files_are_the_same_by_their_keys(tmp_path: Path) -> None:
    customers = [{"_id": {"$oid": "a1"}, "name": "Ann"}, {"_id": {"$oid": "b2"}, "name": "Bo"}]
    orders = [{"_id": {"$oid": "c3"}, "customer": {"id": "a1", "name": "Ann"}, "at": {"$date": "2024-03-05T10:00:00Z"}}]
    found = sources(tmp_path, customers=customers, orders=orders)
    assert rows(found["customers"])[0] == {"id": "a1", "name": "Ann"}
    assert rows(found["orders"]) == [{"id": "c3", "at": "2024-03-05T10:00:00Z", "customer_id": "a1"}]
    assert references(found["orders"]) == {"customer_id": "customers.id"}


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ({"$oid": "65f0"}, "65f0"),
        ({"$date": {"$numberLong": "86400000"}}, "1970-01-02T00:00:00+00:00"),
        ({"$date": 86400000}, "1970-01-02T00:00:00+00:00"),
        ({"$numberDecimal": "1.50"}, "1.50"),
        ({"$ref": "people", "$id": {"$oid": "9"}}, "9"),
        ({"$binary": {"base64": "AA=="}}, None),
        ([1, "b", None, True], "1; b; true"),
    ],
)
def test_values_of_extended_json_and_lists(tmp_path: Path, value: Any, cell: Any) -> None:
    [source] = sources(tmp_path, things=[{"name": "a", "v": value}]).values()
    assert rows(source) == [{"name": "a", "v": cell.replace("; ", ";") if cell else cell} if cell else {"name": "a"}]


def test_lists_are_separated_by_what_is_in_no_item(tmp_path: Path) -> None:
    [source] = sources(tmp_path, dishes=[{"name": "a", "of": ["x; y", "z"]}, {"name": "b", "of": ["p|q"]}]).values()
    assert source.lists == {"of": ","}
    assert rows(source)[0]["of"] == "x; y,z"


def test_a_map_has_a_row_for_each_key(tmp_path: Path) -> None:
    services = {"cart": {"team": "A", "tier": 1}, "auth": {"team": "B", "tier": 2, "old": True}}
    [source] = sources(tmp_path, services=services).values()
    assert rows(source)[1] == {"name": "auth", "team": "B", "tier": 2, "old": True}


def test_keys_that_differ_from_object_to_object_are_a_map(tmp_path: Path) -> None:
    clubs = [{"id": n, "points": {str(1990 + n * 3 + i): i for i in range(3)}} for n in range(6)]
    found = sources(tmp_path, clubs=clubs)
    assert rows(found["points"])[:2] == [
        {"name": "1990", "value": 0, "club_id": 0}, {"name": "1991", "value": 1, "club_id": 0},
    ]  # fmt: skip


def test_features_of_geojson_have_a_point(tmp_path: Path) -> None:
    tree = {"type": "Feature", "properties": {"ref": "T1", "kind": "Oak"},
            "geometry": {"type": "Point", "coordinates": [1.5, 52.0]}}  # fmt: skip
    park = tree | {"properties": {"ref": "P1"}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0]]]}}
    found = sources(tmp_path, **{"trees.geojson": {"type": "FeatureCollection", "features": [tree, park]}})
    assert rows(found["trees"]) == [
        {"ref": "T1", "kind": "Oak", "longitude": 1.5, "latitude": 52.0}, {"ref": "P1"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        {"name": {"0": "Ann", "1": "Bo"}, "age": {"0": 3, "1": 4}},
        {"columns": ["name", "age"], "index": [0, 1], "data": [["Ann", 3], ["Bo", 4]]},
        {"name": ["Ann", "Bo"], "age": [3, 4]},
        {"status": "ok", "count": 2, "results": [{"name": "Ann", "age": 3}, {"name": "Bo", "age": 4}]},
        '{"name": "Ann", "age": 3}\n{"name": "Bo", "age": 4}\n',
    ],
)
def test_other_ways_to_write_a_table(tmp_path: Path, value: Any) -> None:
    [source] = sources(tmp_path, people=value).values()
    assert (source.table, rows(source)) == ("people", [{"name": "Ann", "age": 3}, {"name": "Bo", "age": 4}])


def test_bad_lines_are_named(tmp_path: Path) -> None:
    text = '{"a": 1, "b": 2}\nno\n[1]\n{"a": 3}\n{"a": "\\ud800"}\n'
    [source] = sources(tmp_path, **{"x.jsonl": text}).values()
    assert [f"{each.line}: {each.reason}" for each in source.rows(None) if isinstance(each, BadLine)] == [
        "2: not JSON: Expecting value at column 1", "3: not a JSON object",
        "5: a \\u escape of half a character (a surrogate)",
    ]  # fmt: skip
    assert rows(source) == [{"a": 1, "b": 2}, {"a": 3}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1},\n{"a" 2}]', "x.json:2: not JSON: Expecting ':' delimiter at column 6"),
        ("[]", "holds no JSON object"),
        ("[1, 2]", "holds no JSON object"),
        ("[" * 100_000, "x.json: not JSON: nested too deeply"),
        ('{"a":' * 500 + "1" + "}" * 500, "hold no values"),
        ('[{"a": "\\ud800"}]', "x.json:1: a \\u escape of half a character"),
        (json.dumps([{f"k{n}": 1} for n in range(1001)]), "have 1,001 different fields"),
        (json.dumps({f"t{n}": [{"a": n}] for n in range(101)}), "more than 100 tables"),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=r".") as raised:
        sources(tmp_path, x=text)
    assert said in raised.value.message.replace(f"{tmp_path}/", "")


def test_a_value_that_takes_too_much_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MOST_WHOLE", 1024**2)
    with pytest.raises(BoundPassed, match=r"more than 1 MiB"):
        sources(tmp_path, x="[" + "[]," * 500_000 + "[]]")


def test_objects_with_lists_called_nodes_may_be_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "maps.jsonl"
    path.write_text("".join(json.dumps({"id": n, "nodes": [{"x": n}]}) + "\n" for n in range(100)))
    monkeypatch.setattr(source, "MOST_WHOLE", 1000)
    assert sorted(each.table for each in inputs.read([path], tmp_path).tables) == ["maps", "nodes"]


def test_latin_1_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes('[{"a": 1},\n{"a": "é"}]'.encode("latin-1"))
    with pytest.raises(BadInput, match=r"x\.json:2: not UTF-8"):
        tables([JsonFile(tmp_path / "x.json", tmp_path / "x.json")], tmp_path)


def test_a_folder_of_json_becomes_a_graph(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    people = [{"login": f"p{n}x", "name": f"Person {n}"} for n in range(6)]
    services = {f"svc-{n}": {"on_call": f"p{n}x", "depends_on": [f"svc-{n - 1}", "svc-0"]} for n in range(1, 6)}
    services["svc-0"] = {"on_call": "p0x", "depends_on": []}
    (data / "people.json").write_text(json.dumps(people))
    (data / "services.json").write_text(json.dumps(services))
    found = inputs.read([data], tmp_path)
    with planning.make(found.tables, tmp_path) as plan:
        records = [record for each in plan.formats() for record in each.read(None)]
    edges = {(each.type, each.source, each.target) for each in records if isinstance(each, EdgeRecord)}
    assert ("DEPENDS_ON", "Service:svc-3", "Service:svc-2") in edges
    assert ("HAS_ON_CALL", "Service:svc-3", "Person:p3x") in edges
    assert len([each for each in records if isinstance(each, NodeRecord)]) == 12


NAMES = st.sampled_from(
    ["id", "_id", "name", "items", "author", "tags", "a b", "", "type", "$oid", "$date", "properties"]
)
SCALARS = st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.text(max_size=5) | st.floats(allow_nan=False)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5), max_leaves=20
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=5), min_size=1, max_size=5) | VALUES)
def test_arbitrary_json_is_read_or_refused(tmp_path: Path, value: Any) -> None:
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    with suppress(BadInput), planning.make(list(sources(folder, x=value).values()), folder) as plan:
        for each in plan.formats():
            list(each.read(None))


FLAT = st.dictionaries(st.sampled_from(["id", "name", "age", "vip"]), st.integers(0, 99) | st.booleans(), max_size=4)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FLAT, min_size=2, max_size=8).filter(lambda each: any(each)))
def test_flat_objects_keep_every_value(tmp_path: Path, value: list[dict[str, Any]]) -> None:
    [source] = sources(Path(tempfile.mkdtemp(dir=tmp_path)), x=value).values()
    assert rows(source) == value
