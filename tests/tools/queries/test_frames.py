"""Frames: what a question says of its graph, which way of asking it is, and its canonical words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.graph.entity import Candidate, Mention
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form import Form, Nodes
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.frames.canonical import TURNED, canonical, wordings
from clew.tools.queries.reading.frames.classifier import PROBABLE, features, shipped
from clew.tools.queries.reading.frames.slots import counts, masked, slots_of
from clew.tools.queries.reading.frames.weighing import Framed, weighed
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.whole_readings import best_readings
from tests.tools.queries.question_readings import best_reading, reader_of
from tests.tools.queries.test_reading_films import _NAMES, FILMS


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(FILMS, _NAMES)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Tally up the films, genre by genre", "tally up the things thing by thing"),
        ("which 3 films have the longest runtime", "which 5 things have the longest amount"),
        ("films with a runtime between 90 and 120", "things with a amount between 5 and 9"),
        ("how many awards are there", "how many things are there"),
    ],
)
def test_what_names_something_is_masked(question: str, text: str, reader: Reader) -> None:
    said = tokens(question)
    chart = reader.chart(question, said, ((), (), {}), 60)
    assert chart is not None
    assert masked(said, slots_of(chart.anchors, said)) == text


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Tally up the films, genre by genre.", "Number of films for each of genres"),
        ("Hand me the genre whose films, added together, run up the biggest runtime.", "Genres, by total runtime of"),
        ("Nightfall against Daybreak on runtime: by how much are they apart?", "Difference in runtime of Nightfall or"),
        ("leave out whatever Ada Quist directed and hand me the remaining films", "Films except those"),
    ],
)
def test_wordings_that_no_rule_knows_are_read(question: str, read: str, reader: Reader) -> None:
    assert read in words(best_reading(reader, question, _NAMES).form)


@pytest.mark.parametrize(
    ("frame", "read"),
    [
        ("worst_average", "Genres, by average runtime of films, lowest first: 1"),
        ("bottom_groups", "Genres, by number of films, lowest first: 3"),
        ("top_each", "Films, by runtime, highest first: 3 for each genre"),
        ("count_none", "Number of genres except those that are genre of films"),
        ("average_above", "Genres with average runtime of films > 3"),
        ("range", "Films with runtime >= 3 and with runtime <= 90"),
        ("lower_of", "Nightfall or Daybreak, by runtime, lowest first: 1"),
        ("difference", "Difference in runtime of Nightfall or Daybreak"),
        ("with_amounts", "Films, each with its runtime"),
        ("sorted_all", "Films, by runtime, highest first"),
    ],
)
def test_canonical_words_are_read_as_the_frame_means(frame: str, read: str, reader: Reader) -> None:
    slots = {"as": "films", "a": "film", "bs": "genres", "b": "genre", "p": "runtime", "n": "3", "m": "90",
             "x": "Nightfall", "y": "Daybreak"}  # fmt: skip
    said = " ".join(slots[part[1:-1]] if part.startswith("<") else part for part in wordings()[frame] if part != ",")
    mentions = [Mention(at, at + len(name), name, (Candidate(entity, 1.0, "exact", name),))
                for name, entity in _NAMES.items() if (at := said.find(name)) >= 0]  # fmt: skip
    chart = reader.chart(said, tokens(said), (mentions, (), {}), 60)
    assert chart is not None
    assert words(best_readings(chart.readings())[0].form) == read


def test_every_frame_that_is_learned_has_canonical_words() -> None:
    model = shipped()
    assert {frame.removesuffix(TURNED) for frame in model.classes} - set(wordings()) == {"other", "list_of"}
    assert model.weights.shape == (len(model.classes), len(features(np.zeros(384, np.float32), counts([]))) + 1)


SAID = st.lists(
    st.sampled_from("films genre runtime Nightfall Daybreak 90 1999 how many per not directed by tally".split()),  # noqa: SIM905
    min_size=1,
    max_size=9,
)


@settings(max_examples=40, deadline=None)
@given(SAID)
def test_canonical_words_take_nothing_that_was_not_said(reader: Reader, said: list[str]) -> None:
    question = " ".join(said)
    chart = reader.charted(question, ((), (), {}), 60)
    if chart is None:
        return
    told = chart.grammar.tokens
    slots = slots_of(chart.anchors, told)
    places = [i for slot in slots for i in range(slot.first, slot.last)]
    assert len(places) == len(set(places))
    assert len(masked(told, slots).split()) == len(told) - len(places) + len(slots)
    for frame, parts in wordings().items():
        written = canonical(frame, told, slots, chart.items, frozenset(), frozenset())
        if written is not None:
            own = {token for token in written.tokens if token not in told}
            assert {token.text for token in own} <= {*parts, "of"}
            assert not set(written.lost) - {token.text for token in told}


@given(st.integers(0, 2**32 - 1))
def test_the_probabilities_of_frames_are_those_of_one_choice(seed: int) -> None:
    vector = np.random.default_rng(seed).normal(size=384).astype(np.float32)
    vector /= np.linalg.norm(vector)
    model = shipped()
    assert model.shares(features(vector, counts([]))).sum() == pytest.approx(1, abs=1e-4)
    likely = model.likely(vector, [])
    assert all(probability >= PROBABLE for _, probability in likely)
    assert [p for _, p in likely] == sorted((p for _, p in likely), reverse=True)


def test_a_reading_that_no_frame_has_costs_more() -> None:
    own, other = (Reading(Form("nodes", Nodes(label)), 1.0, (), ()) for label in ("Film", "Genre"))
    framed = Framed("list_all", 0.9, [Reading(other.form, 0.6, (), ())], lost=False)
    found = {reading.form: reading.cost for reading in weighed([own], [framed])}
    assert found[other.form] < own.cost < found[own.form]
    assert {reading.cost for reading in weighed([own], [])} == {own.cost}
