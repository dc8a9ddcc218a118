"""Patterns as models write them, and those made from ranked queries."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.answering.verbalising import Verbalised
from clew.agents.models.calls import ModelFailed, Reply, Usage
from clew.agents.patterns.pattern_writer import UnusableReply, WrittenPattern, read, write
from clew.agents.patterns.query_patterns import LONGEST, MOST, of_query, pattern_examples, patterns_of
from clew.agents.prompting import Prompt, prompt
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN
from clew.agents.verifying.verifier import ModelVerdict, read_verdict
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.space.query import Chain, Filter, Hop, Query, RankedQuery

GOOD = json.dumps({
    "segments": ["a river crosses a county", "Lake Pell lies there"],
    "triples": [["UNKNOWN river 1", "crosses", "UNKNOWN county 1"], ["Lake Pell", "UNKNOWN", "unknown county 1"]],
    "asked": "UNKNOWN river 1",
})  # fmt: skip
DOWN = ModelFailed("The endpoint does not answer.", reason="unavailable")


class Fake:
    def __init__(self, *replies: str | ModelFailed) -> None:
        self.replies, self.prompts = list(replies), list[Prompt]()

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        self.prompts.append(prompt)
        said = self.replies.pop(0)
        if isinstance(said, ModelFailed):
            raise said
        return Reply(said, Usage(1, 1), "fake", "stop")


def parsed(text: str, *, asks: bool) -> WrittenPattern | str:
    """The pattern in a reply, or what is wrong with it."""
    try:
        return read(text, asks=asks)
    except UnusableReply as fault:
        return str(fault)


def test_a_reply_becomes_a_pattern() -> None:
    found = write(Fake(GOOD), "Which rivers …?", "(Lake)-[:IN]->(County)", asks=True).written
    assert found is not None
    assert found.by_model
    assert [(n.text, n.type) for n in found.pattern.nodes] == [(None, "river"), (None, "county"), ("Lake Pell", None)]
    assert [(e.head, e.tail, e.relation) for e in found.pattern.edges] == [(0, 1, "crosses"), (2, 1, None)]
    assert found.pattern.asked == 0
    assert found.segments == ("a river crosses a county", "Lake Pell lies there")


@pytest.mark.parametrize(
    "reply",
    [
        '[["A", "knows", "UNKNOWN person 1"]]',
        "```json\n{'triples': [['A', 'knows', 'UNKNOWN person 1'],],}\n```",
        '{"triples": [{"head": "A", "relation": "knows", "tail": "UNKNOWN person 1"}]}',
        '{"triples": ["A -> knows -> UNKNOWN person 1"]}',
        '{"triples": [["A", "knows", "UNKNOWN person 1"], ["A", "knows"], 7], "asked": "nobody"}',
    ],
)  # fmt: skip
def test_other_ways_to_write_it(reply: str) -> None:
    found = parsed(reply, asks=True)
    assert isinstance(found, WrittenPattern)
    assert [(n.text, n.type) for n in found.pattern.nodes] == [("A", None), (None, "person")]
    assert found.pattern.asked == 1


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("I cannot do that.", "no JSON object"), ('{"triples": []}', "empty"),
        ('{"triples": [["a", "b"]]}', "three texts"),
        ('{"triples": [["UNKNOWN a", "b", "UNKNOWN c"]]}', "has a name"),
        ('{"triples": [["A", "b", "C"]]}', "asks for nothing"),
        ('{"triples": [["A", "b", "UNKNOWN 1"], ["C", "d", "UNKNOWN 2"]]}', "not connected"),
    ],
)  # fmt: skip
def test_what_is_no_pattern_is_asked_for_once_more(reply: str, problem: str) -> None:
    model = Fake(reply, GOOD)
    found = write(model, "?", "", asks=True)
    assert found.written is not None
    assert problem in found.written.notes[0]
    assert [prompt.name for prompt in model.prompts] == ["pattern", "repair_pattern"]
    assert problem in model.prompts[1].user
    again = write(Fake(reply, reply), "?", "", asks=True)
    assert again.written is None
    assert problem in again.degraded
    assert write(Fake(reply, DOWN), "?", "", asks=True).degraded.endswith(DOWN.message)


def test_a_model_that_fails_is_not_asked_again() -> None:
    assert write(Fake(DOWN), "?", "", asks=False).degraded == DOWN.message


def test_a_statement_asks_for_nothing() -> None:
    found = parsed('{"triples": [["A", "b", "C"]], "asked": "C"}', asks=False)
    assert isinstance(found, WrittenPattern)
    assert found.pattern.asked is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just("UNKNOWN x 1"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["triples", "asked", "segments", "head", "relation", "tail", "verdict", "facts", "reason"]), inner, max_size=4),
    max_leaves=24,
)  # fmt: skip


@given(st.one_of(st.text(), JSON.map(lambda value: json.dumps(value)), JSON.map(str)), st.booleans())
def test_any_reply_is_read(reply: str, asks: bool) -> None:
    found = parsed(reply, asks=asks)
    assert isinstance(found, (str, WrittenPattern))
    verdict = read_verdict(reply, Verbalised("", {}, {"F1": ("key",)}))
    assert isinstance(verdict, (str, ModelVerdict))


TOLD = Verbalised("[F1] A → b → C", {}, {"F1": ("a\tb\tc",)})


@pytest.mark.parametrize(
    ("said", "verdict"),
    [("Supported", SUPPORTED), ("TRUE", SUPPORTED), ("refuted", REFUTED), ("not supported", REFUTED), (False, REFUTED),
     ("Not enough evidence", UNKNOWN), ("NEI", UNKNOWN)],
)  # fmt: skip
def test_verdicts_are_read(said: object, verdict: str) -> None:
    found = read_verdict(json.dumps({"verdict": said, "facts": ["[F1]"], "reason": "so"}), TOLD)
    assert isinstance(found, ModelVerdict)
    assert (found.verdict, found.cited, found.reason) == (verdict, ("a\tb\tc",), "so")


def test_a_verdict_cites_what_was_shown() -> None:
    assert "cites no fact" in str(read_verdict('{"verdict": "supported", "facts": ["F9"]}', TOLD))
    assert isinstance(read_verdict('{"verdict": "not enough evidence"}', TOLD), ModelVerdict)


# ---- without a model ------------------------------------------------------------------------------------------------

ALIEN, SCOTT = Entity("f", "Alien", "Film"), Entity("p", "Ridley Scott", "Person")
BORN = Query((Chain(ALIEN, (Hop("directed_by", True, "Person"), Hop("born_in", True, "City"))),))


def test_a_query_is_a_pattern() -> None:
    found = of_query(BORN)
    assert found is not None
    assert [(n.text, n.type) for n in found.pattern.nodes] == [(None, "city"), ("Alien", None), (None, "person")]
    assert [(e.head, e.tail, e.relation) for e in found.pattern.edges] == [(1, 2, "directed_by"), (2, 0, "born_in")]
    assert found.pattern.asked == 0
    assert all(edge.directed for edge in found.pattern.edges)


def test_chains_meet_in_the_asked_node() -> None:
    query = Query((
        Chain(ALIEN, (Hop("directed_by", True, "Person"),)), Chain(SCOTT, (Hop("sibling", False, "Person"),)),
    ))  # fmt: skip
    found = of_query(query)
    assert found is not None
    assert [(e.head, e.tail) for e in found.pattern.edges] == [(1, 0), (0, 2)]


def test_counts_and_conditions_are_no_patterns() -> None:
    assert of_query(Query(BORN.chains, returns="count")) is None
    assert of_query(Query(BORN.chains, filters=(Filter("year", ">", 1990),))) is None


def test_the_best_is_relaxed() -> None:
    found = list(patterns_of([RankedQuery(BORN, 1.0, {})]))
    assert [[e.relation for e in w.pattern.edges] for w in found] == [
        ["directed_by", "born_in"], [None, "born_in"], ["directed_by", None]
    ]  # fmt: skip
    assert found[1].notes == ("the relation “directed_by” left open",)


def test_examples_have_the_graphs_own_names_and_relations_and_can_be_read_back() -> None:
    schema = Schema(
        {"Lake": 9, "County": 3, "River": 4},
        (Relation("lies_in", "Lake", "County", 9), Relation("crosses", "River", "County", 8)),
        (
            Property("Lake", "name", "STRING", 9, ("Lake Pell",)),
            Property("County", "name", "STRING", 3, ("Sandry",)),
            Property("River", "depth", "INTEGER", 4, (3,)),
        ),
        "1",
    )
    lines = pattern_examples(schema, NodeTerms()).splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        "\u201cWhich is the county that Lake Pell lies in?\u201d",
        "\u201cWhich is the river that crosses Sandry?\u201d",
    ]
    patterns = [read(line.partition(": ")[2], asks=True).pattern for line in lines]
    assert [(p.edges[0].relation, p.nodes[p.asked or 0].known) for p in patterns] == [
        ("lies_in", False),
        ("crosses", False),
    ]
    assert pattern_examples(schema, NodeTerms(imported=False)) == ""
    assert prompt("pattern", text="?", schema="", examples=lines[0]).user.count("Lake Pell") == 2


def test_examples_stay_short() -> None:
    relations = tuple(Relation(f"knows_{i}", "Person", "Person", 9) for i in range(40))
    schema = Schema({"Person": 9}, relations, (Property("Person", "name", "STRING", 9, ("x" * 80,)),), "1")
    assert 0 < len(pattern_examples(schema, NodeTerms())) <= LONGEST + MOST


def test_a_pattern_that_breaks_off_is_refused() -> None:
    whole = json.dumps({"triples": [["Heat", "by", "UNKNOWN person 1"], ["X", "by", "UNKNOWN person 1"]],
                        "asked": "UNKNOWN person 1"})  # fmt: skip
    with pytest.raises(UnusableReply, match="breaks off"):
        read(whole[: whole.index('["X"')], asks=True)
    assert len(read(whole[:-1], asks=True).pattern.edges) == 2, "only its last bracket is missing"
