"""The reasoner without a model: answers, their evidence, their confidence, and reasons for none."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clew.agents import evidence as shapes
from clew.agents.answering import confidence
from clew.agents.answering.reasoner import best_attempt, reason
from clew.agents.evidence import Attempt, Evidence, evidence_key, evidence_of, exact_candidate, plain
from clew.graphs.strategies.registry import REGISTRY
from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.triplets import Triplet

Findings = partial(shapes.Findings, strategies=REGISTRY)


def node(name: str, label: str = "Film") -> Entity:
    return Entity(name.lower(), name, label)


ALIEN, ALIENS, RUNNER = node("Alien"), node("Aliens"), node("Runner")
SCOTT, FORD, WEAVER = node("Scott", "Person"), node("Ford", "Person"), node("Weaver", "Person")
DIRECTED, RUNNER_BY = Triplet(ALIEN, "directed_by", SCOTT), Triplet(RUNNER, "directed_by", SCOTT)
STARS = Triplet(RUNNER, "starring", FORD)


def attempt(*answers: Entity | str, strategy: str = "cypher", sure: float = 0.8, **more: Any) -> Attempt:
    rows = [
        {"id": None, "name": a, "label": "value", "support": 1}
        if isinstance(a, str)
        else {"id": a.id, "name": a.name, "label": a.label, "support": len(answers) - i}
        for i, a in enumerate(answers)
    ]
    base: Any = {
        "strategy": strategy, "iteration": 1, "rank": 0, "words": "what it asks", "cypher": f"MATCH {strategy}",
        "parameters": {}, "confidence": sure, "anchors": [{"id": ALIEN.id, "name": "Alien", "label": "Film"}],
        "answers": rows, "truncated": False, "ms": 1.0,
    }  # fmt: skip
    return {**base, **more}


def found(*triplets: Triplet, strategy: str = "cypher", score: float = 0.8) -> dict[str, Evidence]:
    items: dict[str, Evidence] = {}
    for triplet in triplets:
        items |= evidence_of(triplet, score, strategy, 1, f"MATCH {strategy}")
    return items


def key(triplet: Triplet) -> str:
    return evidence_key(triplet.head.id, triplet.relation, triplet.tail.id)


MENTIONS = [Mention(0, 5, "Alien", (exact_candidate(Entity("alien", "Alien", "Film")),))]


class TestFromAQuery:
    def test_each_answer_has_the_triplets_on_the_way_to_it(self) -> None:
        runs = {"cypher/1/0": attempt(FORD, WEAVER)}
        conclusion = reason(Findings("q", MENTIONS, attempts=runs, evidence=found(DIRECTED, RUNNER_BY, STARS)))
        assert conclusion.supports == {key(t): ["ford"] for t in (DIRECTED, RUNNER_BY, STARS)}
        assert conclusion.cypher == "MATCH cypher"

    def test_support_orders_the_answers_a_little(self) -> None:
        conclusion = reason(Findings("q", attempts={"a": attempt(FORD, WEAVER)}))
        assert [(a["name"], a["score"]) for a in conclusion.answers] == [("Ford", 0.8), ("Weaver", 0.76)]

    def test_others_than_the_topic_are_preferred(self) -> None:
        assert [a["name"] for a in reason(Findings("q", attempts={"a": attempt(ALIEN, RUNNER)})).answers] == ["Runner"]

    def test_the_topic_answers_where_nothing_else_does(self) -> None:
        conclusion = reason(Findings("q", attempts={"a": attempt(ALIEN)}, evidence=found(DIRECTED)))
        assert [a["name"] for a in conclusion.answers] == ["Alien"]
        assert conclusion.supports == {key(DIRECTED): ["alien"]}

    def test_a_number_rests_on_all_that_was_counted(self) -> None:
        conclusion = reason(Findings("q", attempts={"a": attempt("2")}, evidence=found(DIRECTED, RUNNER_BY)))
        assert conclusion.answers[0]["id"] is None
        assert conclusion.supports == {key(DIRECTED): ["2"], key(RUNNER_BY): ["2"]}

    def test_a_whole_query_is_preferred_to_a_part_of_one(self) -> None:
        part, whole = attempt(FORD, strategy="paths", sure=0.9), attempt(WEAVER, sure=0.3)
        assert best_attempt([part, whole], REGISTRY) is whole
        assert best_attempt([part, attempt()], REGISTRY) is part
        assert best_attempt([attempt()], REGISTRY) is None

    def test_an_independent_triplet_corroborates(self) -> None:
        runs = {"a": attempt(SCOTT)}
        alone = reason(Findings("q", attempts=runs, evidence=found(DIRECTED)))
        near = reason(Findings("q", attempts=runs, evidence=found(DIRECTED, strategy="triplets")))
        assert alone.confidence == 0.8
        assert near.confidence == confidence.corroborated(0.8) == 0.85

    def test_queries_do_not_corroborate_what_texts_were_searched_for(self) -> None:
        query = attempt(SCOTT, FORD, sure=0.4)
        texts = attempt(FORD, SCOTT, strategy="plan", sure=0.5, searched="sings")
        other = attempt(SCOTT, FORD, strategy="read", sure=0.3)
        near = found(DIRECTED, strategy="triplets")
        assert reason(Findings("q", attempts={"a": query, "b": texts}, evidence=near)).confidence == 0.5
        sure = attempt(SCOTT, FORD, sure=0.55)
        assert reason(Findings("q", attempts={"a": sure, "b": texts})).confidence == 0.55  # nor the other way
        read = reason(Findings("q", attempts={"a": sure, "b": other})).confidence
        assert read == confidence.corroborated(0.55)

    def test_a_preferred_attempt_answers(self) -> None:
        query, nothing = attempt(SCOTT, sure=0.5), attempt(sure=0.3, none=True)
        texts = attempt(FORD, strategy="plan", sure=0.1, preferred=True, unexplained=["pollinators"])
        assert best_attempt([query, texts, nothing], REGISTRY) is texts
        chosen = {**query, "chosen": True}
        assert best_attempt([chosen, texts], REGISTRY) is chosen  # type: ignore[list-item]

    def test_cut_rows_and_ambiguity_are_said(self) -> None:
        song = exact_candidate(Entity("x", "Alien", "Song"))
        other = replace(MENTIONS[0], candidates=(*MENTIONS[0].candidates, song))
        runs = {"a": attempt(SCOTT, truncated=True)}
        said = reason(Findings("q", MENTIONS, ambiguous=[other], attempts=runs)).explanation
        assert "There are more" in said
        assert "may also be Alien (Song, x)" in said


class TestWithoutAQuery:
    def test_the_nearest_triplet_answers_with_its_like(self) -> None:
        near = found(DIRECTED, strategy="triplets", score=0.9)
        near |= found(Triplet(ALIEN, "directed_by", FORD), strategy="triplets", score=0.6)
        near |= found(Triplet(ALIEN, "starring", WEAVER), strategy="triplets", score=0.7)
        conclusion = reason(Findings("q", MENTIONS, evidence=near))
        assert [a["name"] for a in conclusion.answers] == ["Scott", "Ford"]
        assert conclusion.confidence < 0.35
        assert conclusion.cypher is None
        assert "nearest to it in meaning: Alien — directed_by → Scott" in conclusion.explanation

    def test_nothing_at_all_is_explained(self) -> None:
        failure: Any = {"step": "paths", "iteration": 1, "kind": "QueryTimeout", "message": "it took too long"}
        conclusion = reason(
            Findings("q", MENTIONS, attempts={"a": attempt()}, errors={"paths/1": failure},
                     stop_reason="out of time", missing=["a path"])
        )  # fmt: skip
        assert conclusion.answers == []
        for part in ("Linked “Alien”", "Tried: what it asks", "Missing: a path", "out of time", "it took too long"):
            assert part in conclusion.explanation


SCORES = st.lists(st.floats(-1, 1.5), min_size=1, max_size=8).map(lambda s: sorted(s, reverse=True))
LINKS = st.lists(st.floats(0, 1), max_size=3)


class TestConfidence:
    @given(SCORES, LINKS, st.booleans(), st.data())
    def test_lies_between_0_and_1(
        self, scores: list[float], links: list[float], cut: bool, data: st.DataObject
    ) -> None:
        rank = data.draw(st.integers(0, len(scores) - 1))
        assert 0 <= confidence.of_query(scores, rank, links, cut) <= 1

    @given(SCORES, LINKS)
    def test_later_queries_worse_links_and_cut_rows_lower_it(self, scores: list[float], links: list[float]) -> None:
        first = confidence.of_query(scores, 0, links, False)
        assert first >= confidence.of_query(scores, len(scores) - 1, links, False)
        assert first >= confidence.of_query(scores, 0, [*links, 0.5], False)
        assert first >= confidence.of_query(scores, 0, links, True)

    def test_a_lead_raises_it(self) -> None:
        assert confidence.of_query([0.5, 0.1], 0, [1], False) > confidence.of_query([0.5, 0.5], 0, [1], False)


def test_plain_values_have_no_types_of_a_driver() -> None:
    class Date:
        def __str__(self) -> str:
            return "2001-04-02"

    assert plain({"on": Date(), 1: (1.5, {"x"}), "n": None}) == {"on": "2001-04-02", "1": [1.5, ["x"]], "n": None}


def test_of_unsure_attempts_the_one_that_explains_more_words_answers() -> None:
    part = attempt(FORD, sure=0.45, unexplained=["over", "price", "bought"])
    whole = attempt(WEAVER, strategy="read", sure=0.4)
    texts = attempt(SCOTT, strategy="plan", sure=0.42, searched="over")
    assert best_attempt([part, whole, texts], REGISTRY) is whole
    sure = attempt(FORD, sure=0.65, unexplained=["over", "price", "bought"])
    assert best_attempt([sure, whole], REGISTRY) is sure


def test_a_choice_between_two_names_is_no_echo() -> None:
    anchors = [{"id": e.id, "name": e.name, "label": e.label} for e in (SCOTT, FORD)]
    chosen = attempt(FORD, strategy="read", sure=0.5, anchors=anchors, unexplained=["been"])
    chosen["form"] = {"nodes": {"order": {"is": "Order"}}}
    other = attempt(WEAVER, sure=0.05, unexplained=["longer"])
    assert best_attempt([other, chosen], REGISTRY) is chosen
    named: Any = {**chosen, "form": {"nodes": {}}}
    assert best_attempt([other, named], REGISTRY) is other


def test_nothing_answers_rather_than_a_query_that_leaves_words_out() -> None:
    part = attempt(FORD, sure=0.8, unexplained=["more"])
    nothing = attempt(strategy="read", sure=0.4, none=True)
    assert best_attempt([part, nothing], REGISTRY) is nothing
    assert best_attempt([attempt(FORD, sure=0.8), nothing], REGISTRY) is not nothing
