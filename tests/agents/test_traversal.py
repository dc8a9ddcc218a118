"""The traversal agent with models that say what a test tells them to, in both databases."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents import traversal
from clew.agents.models.calls import ModelFailed
from clew.agents.traversal import Traversal, TraversalAgent
from clew.graphs.question import build_question_graph
from clew.graphs.run import Budget, Deadline
from clew.graphs.steps import StepResult
from clew.graphs.strategies import STRATEGIES
from clew.graphs.strategies.traversal import LEFT_FOR_OTHERS
from clew.graphs.strategies.traversal import traversal as strategy
from clew.tools.graph.entity import Entity
from clew.tools.graph.neighbourhood import Expansion, Neighbourhood, Step
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.triplets import Triplet
from tests.tools.linking.letters import Letters
from tests.tools.queries.railway import facts, store_railway
from tests.tools.queries.retrieval_world import KNOWN, Kept, Told, asked, known_schema, mention, railway_context

FACTS = {Triplet(*fact) for fact in facts()}
QUESTION = "In which town was the founder of the company that operates the Marsh Line born?"
BROKEN = ModelFailed("The model does not answer.", reason="unavailable")


def selected(*relations: str) -> str:
    return "<selected>\n" + "\n".join(relations) + "\n</selected>"


def onwards(*names: str) -> str:
    return "<next-entities>\n" + "\n".join(names) + "\n</next-entities>"


@pytest.fixture(scope="module")
def railway(any_database: BoltDatabase) -> Iterator[GraphStore]:
    graph = any_database.open(f"traversal-{uuid.uuid4().hex[:12]}", create=True)
    store_railway(graph)
    yield graph
    any_database.drop(graph.name)


Walk = Callable[..., Traversal]


@pytest.fixture(scope="module")
def walk(railway: GraphStore) -> Walk:
    around = Neighbourhood(railway, known_schema(railway))

    def run(model: Told, *names: str, out_of_time: Callable[[], bool] = bool, **changed: int) -> Traversal:
        agent = TraversalAgent(model, around, Letters(), Limits, out_of_time)
        return agent.walk(QUESTION, [KNOWN[name] for name in names], **changed)

    return run


def told(triplets: Sequence[Triplet] | dict[Triplet, None]) -> set[tuple[str, str, str]]:
    return {(t.head.name, t.relation, t.tail.name) for t in triplets}


def test_it_follows_what_the_model_selects_hop_by_hop(walk: Walk) -> None:
    model = Told([
        selected("OPERATED_BY"), onwards("Dunmere Railways"), selected("FOUNDED_BY"), onwards("Piers Holloway"),
        selected("BORN_IN"),
    ])  # fmt: skip
    found = walk(model, "Marsh Line")
    assert {("Marsh Line", "OPERATED_BY", "Dunmere Railways"), ("Piers Holloway", "BORN_IN", "Thistleby")} <= told(
        found.triplets
    )
    assert set(found.triplets) <= FACTS
    assert not any(t.relation == "STOPS_AT" for t in found.triplets)
    assert model.asked == ["select_relations", "select_entities"] * 2 + ["select_relations"]
    assert [[e.name for e in r.frontier] for r in found.rounds] == [
        ["Marsh Line"], ["Dunmere Railways"], ["Piers Holloway"]
    ]  # fmt: skip
    assert found.ended == "the limit of 3 hops is reached"


def test_the_prompts_hold_what_there_is_to_choose_from(walk: Walk) -> None:
    model = Told([selected("OPERATED_BY", "STOPS_AT"), onwards("FINISH")])
    walk(model, "Marsh Line")
    relations, entities = (prompt.user for prompt in model.prompts)
    assert QUESTION in relations
    assert "Marsh Line (Line)" in relations
    assert {"OPERATED_BY", "RUNS_ON", "STOPS_AT"} <= set(relations.split("\n"))
    assert "Marsh Line → OPERATED_BY (since 1990) → Dunmere Railways" in entities
    assert re.search(r"Marsh Line → STOPS_AT \(since 1990\) → [\w ]+ \| [\w ]+ \| [\w ]+\n", entities)
    assert "RUNS_ON" not in entities


def test_finish_ends_it(walk: Walk) -> None:
    model = Told([selected("OPERATED_BY"), onwards("FINISH")])
    found = walk(model, "Marsh Line")
    assert found.finished
    assert found.ended == "the model says that the facts are enough"
    assert told(found.triplets) == {("Marsh Line", "OPERATED_BY", "Dunmere Railways")}


@pytest.mark.parametrize(
    ("said", "followed"),
    [
        (selected("operated by"), ["OPERATED_BY"]),
        (selected("Marsh Line -> OPERATED_BY"), ["OPERATED_BY"]),
        (selected("1. **OPERATED_BY**", "2. STOPS_AT"), ["OPERATED_BY", "STOPS_AT"]),
        ('{"selected": ["STOPS_AT"]}', ["STOPS_AT"]),
        (selected("OPERATEDBY"), ["OPERATED_BY"]),
        (selected("PAINTED_BY", "STOPS_AT"), ["STOPS_AT"]),
    ],
)
def test_relations_are_matched_with_those_offered(walk: Walk, said: str, followed: list[str]) -> None:
    found = walk(Told([said, onwards("FINISH")]), "Marsh Line")
    assert [step.relation for step in found.rounds[0].selected] == followed


@pytest.mark.parametrize("said", ["", selected(), selected("PAINTED_BY"), "I would rather not."])
def test_a_selection_of_nothing_falls_back_to_the_nearest(
    walk: Walk, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traversal, "FALLBACK", 1)
    found = walk(Told([said, onwards("FINISH")]), "Marsh Line")
    letters = Letters()
    nearest = max(
        ["OPERATED_BY", "STOPS_AT", "RUNS_ON"],
        key=lambda name: letters.cosine(QUESTION, name.lower().replace("_", " ")),
    )
    assert {step.relation for step in found.rounds[0].selected} == {nearest}
    assert "selected no relation" in found.rounds[0].notes[0]


def test_entities_are_matched_with_those_shown(walk: Walk) -> None:
    model = Told([
        selected("OPERATED_BY", "STOPS_AT"), onwards("Nowhere", "- alder cross", "Ferrow Halt (Station)"),
        selected("LOCATED_IN"), onwards("FINISH"),
    ])  # fmt: skip
    found = walk(model, "Marsh Line")
    assert [e.name for e in found.rounds[1].frontier] == ["Alder Cross", "Ferrow Halt"]


@pytest.mark.parametrize("said", [onwards("Nowhere"), onwards("Marsh Line"), "", "<entities></entities>"])
def test_no_new_entity_ends_it(walk: Walk, said: str) -> None:
    found = walk(Told([selected("OPERATED_BY"), said]), "Marsh Line")
    assert found.ended == "the model named no entity of the facts that was not explored"
    assert len(found.rounds) == 1


def test_a_hop_back_to_the_same_facts_ends_it(walk: Walk) -> None:
    model = Told([selected("MARRIED_TO"), onwards("Wilma Thorne"), selected("MARRIED_TO")])
    found = walk(model, "Osric Vane")
    assert found.ended == "the relations lead to nothing new"
    assert model.asked == ["select_relations", "select_entities", "select_relations"]


def test_a_model_that_fails_leaves_what_was_found(walk: Walk) -> None:
    found = walk(Told([selected("OPERATED_BY"), BROKEN]), "Marsh Line")
    assert told(found.triplets) == {("Marsh Line", "OPERATED_BY", "Dunmere Railways")}
    assert found.ended == "The model does not answer."
    assert walk(Told([BROKEN]), "Marsh Line").triplets == {}


def test_time_and_calls_that_are_over_leave_what_was_found(walk: Walk) -> None:
    looks = iter([False, False, True])
    found = walk(Told([selected("OPERATED_BY")]), "Marsh Line", out_of_time=lambda: next(looks))
    assert (len(found.triplets), found.ended) == (1, "the time is over")
    found = walk(Told([selected("OPERATED_BY")]), "Marsh Line", calls=1)
    assert (len(found.triplets), found.ended) == (1, "there are no model calls left for it")


def test_a_single_relation_is_followed_without_asking() -> None:
    model = Told([onwards("FINISH")])
    founded = Triplet(KNOWN["Dunmere Railways"], "FOUNDED_BY", KNOWN["Piers Holloway"])
    agent = TraversalAgent(model, InMemory({founded}), Letters(), Limits, bool)
    assert list(agent.walk(QUESTION, [founded.head]).triplets) == [founded]
    assert model.asked == ["select_entities"]


def test_hubs_are_cut_and_said(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traversal, "FAN_OUT", 2)
    found = walk(Told([selected("STOPS_AT", "OPERATED_BY"), onwards("FINISH")]), "Harbour Loop")
    assert [t.relation for t in found.triplets].count("STOPS_AT") == 2
    assert found.rounds[0].notes == ("Harbour Loop has more than 2 STOPS_AT",)


def test_what_a_prompt_holds_is_bounded(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traversal, "OFFERED", 2)
    monkeypatch.setattr(traversal, "SHOWN", 3)
    monkeypatch.setattr(traversal, "SCORED", 4)
    monkeypatch.setattr(traversal, "FRONTIER", 2)
    model = Told([selected("STOPS_AT", "LOCATED_IN", "RUNS_ON", "OPERATED_BY"), onwards("FINISH")])
    found = walk(model, "Marsh Line", "Harbour Loop", "Upland Line")
    assert len(found.rounds[0].frontier) == 2
    assert len(found.rounds[0].offered) == 2
    lines = [line for line in model.prompts[1].user.split("\n") if "→" in line]
    assert sum(line.count("|") + 1 for line in lines) == 3


def test_names_cannot_speak_for_the_model(walk: Walk) -> None:
    model = Told(["</selected>", "<next-entities>"])
    walk(model, "Marsh Line")
    for prompt in model.prompts:
        assert prompt.user.count("<") == prompt.user.count(">")


class InMemory(Neighbourhood):
    """A few facts without a database."""

    def __init__(self, known: set[Triplet]) -> None:
        self._known = known

    def steps(self, entities: Sequence[Entity], limits: Limits) -> list[Step]:
        out = [Step(t.relation, True) for t in self._known if t.head in entities]
        return list(dict.fromkeys(out + [Step(t.relation, False) for t in self._known if t.tail in entities]))

    def expand(self, entities: Sequence[Entity], steps: Sequence[Step], each: int, limits: Limits) -> Expansion:
        out = [t for t in self._known if Step(t.relation, True) in steps and t.head in entities]
        back = [t for t in self._known if Step(t.relation, False) in steps and t.tail in entities]
        return Expansion(tuple(dict.fromkeys(out + back)), ())


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_reply_breaks_it(one: str, other: str) -> None:
    model = Told(lambda prompt: one if prompt.name == "select_relations" else other)
    found = TraversalAgent(model, InMemory(FACTS), Letters(), Limits, bool).walk(QUESTION, [KNOWN["Marsh Line"]])
    assert found.ended
    assert set(found.triplets) <= FACTS
    assert len(model.prompts) <= traversal.CALLS


# ---- the strategy ---------------------------------------------------------------------------------------------------


def run(railway: GraphStore, model: Told | None, *names: str, **changed: object) -> tuple[StepResult, Kept]:
    span = Kept()
    state = asked(QUESTION, [mention(KNOWN[name]) for name in names])
    return strategy(state, railway_context(railway, model, **changed), span), span


def test_the_strategy_gives_evidence_and_what_the_last_hop_leads_to(railway: GraphStore) -> None:
    model = Told([selected("OPERATED_BY"), onwards("Dunmere Railways"), selected("FOUNDED_BY"), onwards("FINISH")])
    done, span = run(railway, model, "Marsh Line")
    evidence = {(e["head"]["name"], e["relation"]): e["score"] for e in done.update["evidence"].values()}
    assert evidence["Marsh Line", "OPERATED_BY"] > evidence["Dunmere Railways", "FOUNDED_BY"], "both ends explored"
    assert all(list(e["provenance"]) == ["traversal/1"] for e in done.update["evidence"].values())
    (attempt,) = done.update["attempts"].values()
    assert [answer["name"] for answer in attempt["answers"]] == ["Piers Holloway"]
    assert (attempt["strategy"], attempt["by_model"], attempt["confidence"]) == ("traversal", True, 0.4)
    assert [hop["selected"] for hop in span.of("hop")] == [["OPERATED_BY"], ["FOUNDED_BY"]]
    assert span.of("end")[0]["finished"]
    assert len(span.of("model call")) == 4
    assert done.details[-1] == "Ended: the model says that the facts are enough"


def test_the_last_hop_of_several_entities_is_one_attempt(railway: GraphStore) -> None:
    done, _ = run(railway, Told([selected("DRIVEN_BY"), onwards("FINISH")]), "Silver Heron", "Night Badger")
    (attempt,) = done.update["attempts"].values()
    assert {answer["name"] for answer in attempt["answers"]} == {"Lene Maddox", "Jonas Brandt"}


def test_it_leaves_calls_for_the_other_roles(railway: GraphStore) -> None:
    model = Told([selected("OPERATED_BY")])
    done, _ = run(railway, model, "Marsh Line", budget=Budget(max_model_calls=LEFT_FOR_OTHERS + 1))
    assert len(model.prompts) == 1
    assert done.details[-1] == "Ended: there are no model calls left for it"
    assert done.update["evidence"]


def test_without_a_model_or_an_entity_or_time_it_does_nothing(railway: GraphStore) -> None:
    assert run(railway, None, "Marsh Line")[0].update == {}
    assert run(railway, Told([]))[0].update == {}
    assert run(railway, Told([]), "Marsh Line", deadline=Deadline(0.0))[0].update == {}


def test_a_model_that_fails_at_once_is_said(railway: GraphStore) -> None:
    done, _ = run(railway, Told([BROKEN]), "Marsh Line")
    assert done.update == {"evidence": {}, "attempts": {}}
    assert done.details == ["Ended: The model does not answer."]


def test_every_strategy_is_a_node_and_is_named_by_the_command_line() -> None:
    from clew.app.cli.ask import ask

    assert set(STRATEGIES) <= build_question_graph().get_graph().nodes.keys()
    told_by_help = next(p.help for p in ask.params if p.name == "strategies")  # type: ignore[attr-defined]
    assert all(name in told_by_help for name in STRATEGIES)
