"""One reading out of a model's and the index's: which of two mentions of the same words stays."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.evidence import exact_candidate
from clew.agents.linking.readings import MOST_NAMES, located, settled, unlocated
from clew.tools.graph.entity import Candidate, Entity, Mention

QUESTION = "Who wrote The Name of the Rose with Eco in 1980?"


def candidate(id: str, score: float = 1.0) -> Candidate:
    return exact_candidate(Entity(id, id, "Book"), score)


def read(text: str, *candidates: Candidate, group: bool = False) -> Mention:
    start = QUESTION.index(text)
    return Mention(start, start + len(text), text, candidates, group=group)


def offered(text: str, *candidates: Candidate) -> Mention:
    (mention,) = located(QUESTION, [text])
    return replace(mention, candidates=candidates)


class TestLocating:
    def test_words_of_the_question_have_their_span(self) -> None:
        (ref,) = located(QUESTION, ["the name of the rose"])
        assert (ref.text, ref.said, ref.source) == ("The Name of the Rose", "the name of the rose", "question")

    def test_others_stand_at_the_end(self) -> None:
        (mention,) = located(QUESTION, ["Umberto"])
        assert (mention, mention.source) == (unlocated(QUESTION, "Umberto", "model"), "model")

    @pytest.mark.parametrize("word", ["wrote", "with", "the"])
    def test_ordinary_words_are_no_names(self, word: str) -> None:
        (ref,) = located("who wrote the rose with eco?", [word])
        assert ref.start == ref.end

    def test_one_place_is_given_once(self) -> None:
        first, second = located(QUESTION, ["The Name of the Rose", "Rose"])
        assert (first.start < first.end, second.start == second.end) == (True, True)

    @given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=20))
    def test_spans_are_of_the_question_and_apart(self, question: str, names: list[str]) -> None:
        refs = located(question, names)
        assert len(refs) <= MOST_NAMES
        spans = sorted((r.start, r.end) for r in refs if r.start < r.end)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
        for ref in refs:
            inside = ref.text == question[ref.start : ref.end]
            assert inside or ref.start == ref.end == len(question)


class TestSettling:
    def test_a_longer_name_takes_the_place_of_its_parts(self) -> None:
        part, whole = read("Rose", candidate("rose")), offered("The Name of the Rose", candidate("novel", 0.9))
        assert settled(QUESTION, [whole], [part], ()) == ([whole], [part])

    def test_a_worse_link_does_not(self) -> None:
        whole, part = read("The Name of the Rose", candidate("novel")), offered("Rose", candidate("rose", 0.85))
        kept, lost = settled(QUESTION, [part], [whole], ())
        assert (kept[0], lost) == (whole, [])
        assert [(m.start, m.candidates[0].entity.id) for m in kept[1:]] == [(len(QUESTION), "rose")]

    def test_one_that_links_to_nothing_is_gone(self) -> None:
        eco = read("Eco", candidate("eco"))
        assert settled(QUESTION, [offered("Eco")], [eco], ()) == ([eco], [])

    def test_the_same_words_keep_the_better_link(self) -> None:
        own, same = read("Eco", candidate("eco"), candidate("echo", 0.9)), offered("Eco", candidate("eco"))
        kept, lost = settled(QUESTION, [same], [own], ())
        assert (kept, kept[0].source, lost) == ([own], "question", [])
        worse = read("Eco", candidate("echo", 0.7))
        assert settled(QUESTION, [same], [worse], ())[0] == [same]

    def test_what_a_conversation_gives_stays(self) -> None:
        given = read("Eco", candidate("umberto", 0.7), group=True)
        kept, _ = settled(QUESTION, [offered("Eco", candidate("eco"))], [given], {(given.start, given.end)})
        assert kept[0] == given

    def test_no_entity_is_said_twice(self) -> None:
        aliases = [
            offered("Eco", candidate("eco")),
            offered("Umberto", candidate("eco")),
            offered("Dott", candidate("x")),
        ]
        kept, _ = settled(QUESTION, aliases, [], ())
        assert [m.candidates[0].entity.id for m in kept] == ["eco", "x"]

    @given(st.data())
    def test_spans_stay_apart_and_every_entity_read_stays_or_lost(self, data: st.DataObject) -> None:
        spans = st.tuples(st.integers(0, 20), st.integers(1, 8), st.sampled_from("abcdef"), st.floats(0.5, 1))

        def mention(start: int, length: int, id: str, score: float, **more: Any) -> Any:
            return Mention(start, start + length, "", (candidate(id, score),), **more)

        def apart(found: list[Any]) -> list[Any]:
            kept: list[Any] = []
            for m in found:
                if all(m.end <= k.start or k.end <= m.start for k in kept):
                    kept.append(m)
            return kept

        index = apart([mention(*s) for s in data.draw(st.lists(spans, max_size=5))])
        model = apart([mention(*s, source="question") for s in data.draw(st.lists(spans, max_size=5))])
        kept, lost = settled("x" * 40, model, index, ())
        placed = [m for m in kept if m.start < m.end]
        assert placed == apart(placed) == sorted(placed, key=lambda m: m.start)
        for m in index:
            assert any((k.start, k.end) == (m.start, m.end) for k in [*placed, *lost])
