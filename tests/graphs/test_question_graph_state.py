"""The laws of the state's reducers, and the token budget."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.graphs.state import TURNS_KEPT, latest_turns, merge_by_key, merge_evidence, union
from clew.tools.embedding import token_budget
from clew.tools.embedding.token_budget import estimate, fitting

SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
REFS = st.sampled_from([{"id": i, "name": i.upper(), "label": "Film"} for i in "abc"])
PROVENANCE = st.builds(
    lambda strategy, iteration, score: {
        f"{strategy}/{iteration}": {
            "strategy": strategy, "iteration": iteration, "score": score, "cypher": "", "parameters": {}, "node_ids": []
        }
    },
    st.sampled_from(["cypher", "paths", "triplets"]), st.integers(1, 2), SCORES,
)  # fmt: skip
ITEMS = st.builds(
    lambda head, tail, properties, sources: {
        "head": head, "relation": "r", "tail": tail, "properties": properties, "provenance": sources,
        "score": max(source["score"] for source in sources.values()),
    },
    REFS, REFS, st.sampled_from([{}, {"since": 1999}]), PROVENANCE,
)  # fmt: skip
EVIDENCE = st.dictionaries(st.sampled_from(["a r b", "b r c"]), ITEMS)
TURNS = st.lists(st.builds(lambda n, q: {"number": n, "question": q}, st.integers(1, 50), st.sampled_from("xy")))
REDUCERS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (merge_evidence, EVIDENCE),
    (merge_by_key, st.dictionaries(st.sampled_from("kl"), st.fixed_dictionaries({"rank": st.integers(0, 3)}))),
    (union, st.lists(st.sampled_from("abcd"))),
    (latest_turns, TURNS),
]


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize(("reducer", "values"), REDUCERS, ids=[reducer.__name__ for reducer, _ in REDUCERS])
class TestReducers:
    def test_do_not_depend_on_order_or_grouping(self, reducer: Any, values: st.SearchStrategy[Any]) -> None:
        @given(st.data())
        def law(data: st.DataObject) -> None:
            a, b, c = (data.draw(values) for _ in range(3))
            if reducer is latest_turns:  # a state only ever holds what the reducer gave
                a, b, c = (reducer([], turns) for turns in (a, b, c))
            assert canonical(reducer(a, b)) == canonical(reducer(b, a))
            assert canonical(reducer(reducer(a, b), c)) == canonical(reducer(a, reducer(b, c)))

        law()

    def test_applying_an_update_again_changes_nothing(self, reducer: Any, values: st.SearchStrategy[Any]) -> None:
        @given(st.data())
        def law(data: st.DataObject) -> None:
            a, b = data.draw(values), data.draw(values)
            once = reducer(a, b)
            assert canonical(reducer(once, b)) == canonical(once)

        law()


def test_evidence_keeps_every_source_and_the_best_score() -> None:
    def item(strategy: str, score: float) -> Any:
        source = {"strategy": strategy, "iteration": 1, "score": score, "cypher": "", "parameters": {}, "node_ids": []}
        return {"k": {"head": {}, "relation": "r", "tail": {}, "properties": {}, "score": score,
                      "provenance": {f"{strategy}/1": source}}}  # fmt: skip

    merged = merge_evidence(item("cypher", 0.4), item("triplets", 0.7))["k"]
    assert (set(merged["provenance"]), merged["score"]) == ({"cypher/1", "triplets/1"}, 0.7)


def test_only_the_latest_turns_are_kept() -> None:
    turns: Any = [{"number": n} for n in range(1, TURNS_KEPT + 6)]
    assert [turn["number"] for turn in latest_turns(turns[:10], turns[10:])] == list(range(6, TURNS_KEPT + 6))


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(0, 80))
def test_what_fits_is_a_leading_part_within_the_budget(texts: list[str], budget: int) -> None:
    token_budget.counter.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_budget, "_on_this_machine", lambda: False)
        kept = fitting([(str(i), text) for i, text in enumerate(texts)], budget)
        assert kept == [str(i) for i in range(len(kept))]
        assert sum(estimate(texts[int(key)]) for key in kept) <= budget
        if len(kept) < len(texts):
            assert sum(estimate(text) for text in texts[: len(kept) + 1]) > budget
    token_budget.counter.cache_clear()


def test_no_encoding_is_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    token_budget.counter.cache_clear()
    assert token_budget.counter() is estimate
    token_budget.counter.cache_clear()
