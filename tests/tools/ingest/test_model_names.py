"""Names of a graph model that are replaced: nothing else changes, and two things never become one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.ingest.tables.model import GraphModel
from clew.tools.ingest.tables.model_names import ModelName, ends, names, renamed

MODEL = GraphModel.model_validate(
    {
        "tables": {
            "kd": {
                "node": "Kd",
                "key": ["kdnr"],
                "name": ["bez"],
                "columns": {"kdnr": "integer", "bez": "text", "land": "text"},
                "value_nodes": [{"column": "land", "label": "Land", "type": "HAS_LAND"}],
            },
            "lief": {
                "node": "Lief",
                "key": ["nr"],
                "columns": {"nr": "integer", "land": "text"},
                "value_nodes": [{"column": "land", "label": "Land", "type": "HAS_LAND"}],
            },
            "auf": {
                "node": "Auf",
                "key": ["nr"],
                "columns": {"nr": "integer", "dat": "date", "re_kd": "integer", "li_kd": "integer"},
                "references": [
                    {"columns": ["re_kd"], "table": "kd", "type": "RE_KD"},
                    {"columns": ["li_kd"], "table": "kd", "type": "LI_KD", "direction": "in"},
                ],
            },
            "pos": {
                "relationship": {
                    "type": "HAS_LIEF",
                    "source": {"columns": ["auf"], "table": "auf"},
                    "target": {"columns": ["lief"], "table": "lief"},
                },
                "columns": {"auf": "integer", "lief": "integer", "mg": "integer", "pr": "number"},
            },
        }
    }
)
ALL = [each for table in MODEL.tables for each in names(MODEL, table)]


def place(kind: str, table: str, column: str = "") -> ModelName:
    return next(each for each in ALL if (each.kind, each.table, each.column) == (kind, table, column))


def test_the_names_of_a_model_are_its_labels_types_and_properties() -> None:
    assert [(each.kind, each.name) for each in names(MODEL, "auf")] == [
        ("label", "Auf"), ("type", "RE_KD"), ("type", "LI_KD"), ("property", "nr"), ("property", "dat"),
    ]  # fmt: skip
    assert [(each.kind, each.name) for each in names(MODEL, "pos")] == [
        ("type", "HAS_LIEF"), ("property", "mg"), ("property", "pr"),
    ]  # fmt: skip
    assert ends(MODEL, place("type", "auf", "re_kd")) == ("Auf", "Kd")
    assert ends(MODEL, place("type", "auf", "li_kd")) == ("Kd", "Auf")
    assert ends(MODEL, place("type", "pos")) == ("Auf", "Lief")
    assert ends(MODEL, place("type", "kd", "land")) == ("Kd", "Land")


def test_names_are_replaced_where_they_stand() -> None:
    wanted = [
        (place("label", "kd"), "Customer"), (place("label", "kd", "land"), "Country"),
        (place("type", "auf", "li_kd"), "RECEIVES"), (place("type", "pos"), "SUPPLIED_BY"),
        (place("property", "pos", "mg"), "quantity"), (place("property", "kd", "bez"), "company"),
    ]  # fmt: skip
    model, done = renamed(MODEL, wanted)
    assert [(each.old, each.new) for each in done] == wanted
    assert done[2].line() == "auf.li_kd: LI_KD → RECEIVES"
    assert model.tables["kd"].node == "Customer"
    assert [model.tables[name].value_nodes[0].label for name in ("kd", "lief")] == ["Country", "Country"]
    assert model.tables["auf"].references[1].type == "RECEIVES"
    assert model.name_properties()["Customer"] == "company"
    assert MODEL.tables["kd"].node == "Kd", "the model that was given stays"


@pytest.mark.parametrize(
    ("at", "new"),
    [
        (place("label", "kd"), "auf"),
        (place("label", "kd"), "Land"),
        (place("type", "auf", "re_kd"), "LI_KD"),
        (place("property", "pos", "mg"), "pr"),
        (place("label", "kd"), "two words"),
        (place("label", "kd"), "1st"),
        (place("label", "kd"), ""),
        (place("property", "kd", "bez"), "a`b"),
        (place("property", "kd", "bez"), "x" * 61),
        (ModelName("label", "kd", "node", "", "Old"), "Customer"),
    ],
)
def test_a_name_that_does_not_fit_is_left_out(at: ModelName, new: str) -> None:
    assert renamed(MODEL, [(at, new)]) == (MODEL, [])


@given(
    st.lists(st.tuples(st.sampled_from(ALL), st.sampled_from(["Kd", "kd", "Land", "LI_KD", "nr", "pr", "Neu", "b c"])))
)
def test_two_things_never_become_one(wanted: list[tuple[ModelName, str]]) -> None:
    model, done = renamed(MODEL, wanted)
    assert GraphModel.model_validate(model.model_dump()) == model
    assert _shape(model) == _shape(MODEL)
    assert _kinds(model) == _kinds(MODEL), done


def _shape(model: GraphModel) -> Any:
    """Everything but the names."""
    found = model.model_dump()
    for table in found["tables"].values():
        for part in (table["relationship"], *table["references"], *table["value_nodes"]):
            if part is not None:
                part["type"] = part["label"] = ""
        table["node"] = table["node"] and "x"
        table["columns"] = {
            name: {"type": each} if isinstance(each, str) else {**each, "property": ""}
            for name, each in table["columns"].items()
        }
        for each in table["columns"].values():
            each.pop("property", None)
    return found


def _kinds(model: GraphModel) -> Any:
    """How many things there are of each kind, where names that differ only in case are one."""
    every = [(table, each) for table in model.tables for each in names(model, table)]
    labels = Counter(each.name.casefold() for _, each in every if each.kind == "label")
    types = Counter((each.name.casefold(), frozenset(ends(model, each))) for _, each in every if each.kind == "type")
    properties = Counter((table, each.name.casefold()) for table, each in every if each.kind == "property")
    return [sorted(found.values()) for found in (labels, types, properties)]
