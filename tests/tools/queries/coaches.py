"""A coach company's schema, with short forms, and a reader of questions about it."""

from __future__ import annotations

from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.reader import Reader


def _text(label: str, name: str, *examples: str) -> Property:
    return Property(label, name, "STRING", 30, examples)


def _number(label: str, name: str, *examples: float) -> Property:
    return Property(label, name, "INTEGER", 30, examples)


COACHES = Schema(
    {"Trip": 40, "Line": 10, "Stop": 12, "Town": 8, "Country": 3, "Driver": 20, "Sponsor": 5, "Award": 6, "Engine": 7},
    (
        Relation("ON_LINE", "Trip", "Line", 40), Relation("STARTS_AT", "Line", "Stop", 10),
        Relation("ENDS_AT", "Line", "Stop", 10), Relation("STANDS_IN", "Stop", "Town", 12),
        Relation("PART_OF", "Town", "Country", 8), Relation("DROVE", "Driver", "Trip", 60),
        Relation("LIVES_IN", "Driver", "Town", 20), Relation("BASED_AT", "Driver", "Stop", 20),
        Relation("APPRENTICE_OF", "Driver", "Driver", 9), Relation("SPONSORED_BY", "Award", "Sponsor", 6),
        Relation("CHOSEN_BY", "Award", "Driver", 6), Relation("PAUSED_AT", "Trip", "Stop", 90),
    ),
    (
        _text("Trip", "dep_time", "07:30", "12:15"), _text("Trip", "arr_time", "09:30", "14:15"),
        _number("Trip", "pax_count", 30, 41), _number("Trip", "delay_min", 0, 12),
        _number("Line", "total_eur", 12, 40), _number("Stop", "elev_m", 12, 340),
        _number("Stop", "shltr_count", 1, 2),
        Property("Driver", "dob", "DATE", 20, ("1970-02-01",)), _number("Driver", "deathYear", 2019),
        _number("Trip", "hurt", 0, 2), _text("Stop", "stopType", "kerb", "station"),
        _text("Trip", "closes_at", "09:30"),
        _number("Engine", "hp", 90, 300), _number("Engine", "width_cm", 210, 320),
        _number("Engine", "tonnes", 3, 9),
    ),
    "1",
    (_number("PAUSED_AT", "pauseNumber", 1, 2),),
)  # fmt: skip
NAMES = {
    "Anna": Entity("d1", "Anna", "Driver"), "T100": Entity("t1", "T100", "Trip"),
    "Leeds": Entity("o1", "Leeds", "Town"), "France": Entity("c1", "France", "Country"),
    "Quay": Entity("s1", "Quay", "Stop"), "X1": Entity("e1", "X1", "Engine"), "X2": Entity("e2", "X2", "Engine"),
    "Pier": Entity("s2", "Pier", "Stop"), "Gold": Entity("a1", "Gold", "Award"),
}  # fmt: skip


def coach_reader() -> Reader:
    names = GraphNames(lambda name: [NAMES[name]] if name in NAMES else [], lambda text: {})
    return Reader(COACHES, names, MiniLM(), Glosses())
