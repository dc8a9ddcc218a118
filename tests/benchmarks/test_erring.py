"""The scripted model that errs: what each kind of error does, and what the parsers make of it."""

from __future__ import annotations

import json
import random

import pytest

from benchmarks.erring import ERRORS, Erring
from clew.agents.patterns.pattern_writer import UnusableReply, read
from clew.agents.replies import parse_artifacts
from tests.scripted_model import Request

ARTIFACTS = (
    "<entities>\nHeat\n</entities>\n<paths>\ndirected_by -> written_by\n</paths>\n<opencypher>\n"
    'MATCH (a:Film {name: "Heat"})-[:directed_by]->(b:Person)<-[:written_by]-(c:Film) RETURN DISTINCT c.name\n'
    "</opencypher>\n<answers>\n</answers>"
)
PATTERN = json.dumps({"triples": [["Heat", "directed_by", "UNKNOWN person 1"]], "asked": "UNKNOWN person 1"})


def spoilt(kind: str, text: str) -> str:
    said = ERRORS[kind](text, random.Random(1))
    return said if isinstance(said, str) else str(said.text)


@pytest.mark.parametrize("kind", ERRORS)
def test_no_kind_of_error_breaks_the_parsers(kind: str) -> None:
    right, found = parse_artifacts(ARTIFACTS), parse_artifacts(spoilt(kind, ARTIFACTS))
    assert spoilt(kind, ARTIFACTS) != ARTIFACTS
    if kind in ("prose around code", "unknown relations", "reversed arrows", "over-long replies"):
        assert list(found.entities) == list(right.entities)
    if kind == "prose around code":
        assert list(found.paths) == list(right.paths)
        assert list(found.cypher) == list(right.cypher)
    try:
        pattern = read(spoilt(kind, PATTERN), asks=True).pattern
    except UnusableReply:
        assert kind in ("half JSON", "over-long replies", "refusals")
    else:
        assert [node.text for node in pattern.nodes if node.known] == ["Heat"]


def test_arrows_are_turned_round() -> None:
    turned = spoilt("reversed arrows", ARTIFACTS)
    assert '(a:Film {name: "Heat"})<-[:directed_by]-(b:Person)-[:written_by]->(c:Film)' in turned
    assert "\nwritten_by -> directed_by\n" in turned
    assert json.loads(spoilt("reversed arrows", PATTERN))["triples"] == [["UNKNOWN person 1", "directed_by", "Heat"]]


def test_the_rate_is_kept_and_the_same_prompts_are_spoilt_each_time() -> None:
    def asked(kind: str, rate: float) -> list[bool]:
        script = Erring(lambda request: ARTIFACTS, kind, rate)
        replies = [script(Request({"messages": [{"role": "user", "content": f"Q{n}"}]})) for n in range(400)]
        assert script.replies == 400
        assert script.spoilt == sum(reply != ARTIFACTS for reply in replies)
        return [reply != ARTIFACTS for reply in replies]

    assert sum(asked("refusals", 0.0)) == 0
    assert sum(asked("refusals", 1.0)) == 400
    assert 90 < sum(asked("refusals", 0.3)) < 150
    assert asked("refusals", 0.3) == asked("any", 0.3)
