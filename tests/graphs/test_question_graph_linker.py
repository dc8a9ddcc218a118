"""The linker without a model: a first reading, and what it offers when it is asked again."""

from __future__ import annotations

import pytest

from clew.agents.linking.index_linker import Artifacts, read, read_again
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.linking.index import EntityIndex
from tests.tools.queries.question_world import entity, film_index

__all__ = ["film_index"]

QUESTION = "Which robots did Alien writers praise?"


def mention(text: str, *entities: Entity, score: float = 1.0, question: str = QUESTION) -> Mention:
    start = question.index(text)
    return Mention(start, start + len(text), text, tuple(Candidate(e, score, "exact", e.name) for e in entities))


def test_the_first_reading_is_the_index_s(film_index: EntityIndex) -> None:
    artifacts = read("Who directed Blade Runner?", film_index)
    assert [m.candidates[0].entity.name for m in artifacts.mentions] == ["Blade Runner"]
    assert not artifacts.finished


def test_what_the_conversation_gives_stands_against_other_readings(film_index: EntityIndex) -> None:
    question = "Who directed Blade Runner?"
    given = mention("Blade Runner", entity("Alien", "Film"), question=question)
    artifacts = read(question, film_index, [given])
    assert artifacts.mentions == (given,)
    assert not any(m.start < given.end and given.start < m.end for m in artifacts.alternatives)


def test_asked_again_it_takes_lower_readings_with_untried_entities() -> None:
    first, tried = mention("Alien", Entity("1", "Alien", "Film")), mention("robots", Entity("2", "Robots", "Film"))
    other = mention("writers", Entity("3", "Writers", "Film"))
    again = read_again(QUESTION, Artifacts((first,), (tried, other)), {"1", "2"})
    assert again.mentions == (first, other)
    assert not again.finished


def test_a_lower_reading_replaces_the_one_it_overlaps() -> None:
    first, longer = (
        mention("Alien", Entity("1", "Alien", "Film")),
        mention("Alien writers", Entity("4", "A. W.", "Band")),
    )
    assert read_again(QUESTION, Artifacts((first,), (longer,)), {"1"}).mentions == (longer,)


def test_unlikely_readings_are_not_taken_up() -> None:
    question = "Alien writers"
    whole = mention(question, Entity("1", "Alien Writers", "Band"), question=question)
    unlikely = mention("writers", Entity("3", "Winters", "Film"), score=0.6, question=question)
    assert read_again(question, Artifacts((whole,), (unlikely,)), {"1"}).finished


def test_then_the_words_that_nothing_covers_are_looked_up_by_meaning() -> None:
    again = read_again(QUESTION, Artifacts((mention("Alien", Entity("1", "Alien", "Film")),), ()), {"1"})
    fresh = [m.text for m in again.mentions if not m.candidates]
    assert "robots" in fresh
    assert not {"Which", "did"} & set(" ".join(fresh).split())


@pytest.mark.parametrize("question", ["Who is it?", "which?", ""])
def test_with_nothing_left_it_says_so(question: str) -> None:
    assert read_again(question, Artifacts((), ()), set()).finished
