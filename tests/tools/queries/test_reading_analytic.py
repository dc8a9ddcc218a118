"""Questions that analysts ask: lists in an order, totals of groups, percentages, differences, one of two, years."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.queries.reading.english.rewording import in_order
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of
from tests.tools.queries.test_reading_films import _NAMES, FILMS


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(FILMS, _NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("films directed by Ada Quist sorted by runtime, longest first", "by runtime, highest first"),
        ("films directed by Ada Quist by descending runtime", "by runtime, highest first"),
        ("films directed by Ada Quist from shortest to longest", "by runtime, lowest first"),
        ("sort the films directed by Ada Quist by year", "that Ada Quist directed, by year, lowest first"),
        ("rank the films by runtime from high to low and give me the first 3", "Films, by runtime, highest first: 3"),
        ("which genre has the highest total runtime of films", "Genres, by total runtime of films"),
        ("director whose films have the highest average runtime", "by average runtime of films, highest first: 1"),
        ("highest average runtime of films: which genre", "Genres, by average runtime of films, highest first: 1"),
        ("what director has the largest number of films", "People that directed films, by number of films"),
        ("genre with lowest number of films", "Genres, by number of films, lowest first: 1"),
        ("the genre where the number of films is the highest", "Genres, by number of films, highest first: 1"),
        ("genres where the number of films is greater than 5", "Genres that are genre of more than 5 films"),
        ("which genre has more films than any other genre", "Genres, by number of films, highest first: 1"),
        ("for each genre, which film has the longest runtime", "Films, by runtime, highest first: 1 for each genre"),
        ("for every genre, how many films are there", "Number of films for each of genres"),
        ("films count by genre", "Number of films for each of genres"),
        ("films per genre", "Number of films for each of genres"),
        ("bottom 3 films by runtime", "Films, by runtime, lowest first: 3"),
        ("how much films are there", "Number of films"),
        ("list each genre with its number of films", "Number of films for each of genres"),
        ("second-highest runtime, which film", "Films, by runtime, highest first: 1 after the first 1"),
        ("what percentage of films are directed by Ada Quist", "Percentage of films that are films that Ada Quist"),
        ("films directed by Ada Quist as a percentage of all films", "Percentage of films that are films that Ada"),
        ("out of all films, what percent won an award", "Percentage of films that are films that won awards"),
        ("how much longer is the runtime of Nightfall than that of Daybreak", "Difference in runtime of Nightfall or"),
        ("how much do Nightfall and Daybreak differ in runtime", "Difference in runtime of Nightfall or Daybreak"),
        ("runtime difference Nightfall vs Daybreak", "Difference in runtime of Nightfall or Daybreak"),
        ("films directed by Ada Quist or written by Ben Orly", "that Ada Quist directed or that Ben Orly wrote"),
        ("films directed by Ada Quist or directed by Ben Orly", "Films that Ada Quist or Ben Orly directed"),
        ("films longer than 150 minutes or released before 1960", "with runtime > 150 or with year < 1960"),
        ("films with a higher runtime than the overall average", "runtime higher than the average"),
        ("most common genre of films", "Genres, by number of films, highest first: 1"),
        ("films from 1990-1992", "Films with year >= 1990 and with year <= 1992"),
        ("how many people were born each year", "Number of people, for each year of born"),
        ("year with the most films", "Most common year of films"),
        ("yearly number of films", "Number of films, for each year"),
        ("the last film to be released", "Films, by year, highest first: 1"),
        ("films with runtime in the range 90 to 100", "Films with runtime >= 90 and with runtime <= 100"),
    ],
)
def test_analytic_questions(reader: Reader, question: str, read: str) -> None:
    reading = best_reading(reader, question, _NAMES)
    assert read in words(reading.form)
    assert not reading.unexplained


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("transfers that A arranged, with fee and date", "transfers that a arranged with fee and date"),
        ("which films are longer than X or Y", "which films are longer than x or y"),
        ("how many orders were there in 1996, please", "how many orders were there in 1996 please"),
        ("the second-best film", "the second best film"),
        ("order 10248 was shipped by whom", "order 10248 was shipped by whom"),
        ("which order was shipped by Federal", "which order was shipped by federal"),
        ("top 4 awards by films count", "top 4 awards by number of films"),
        ("doctors other than the ones in Cardiology", "doctors not in cardiology"),
        ("which level occurs most often among nurses", "which level occurs most often among nurses"),
        ("are there more ships in A or in B", "are there more ships in a or b"),
    ],
)
def test_the_words_of_a_question_in_the_order_in_which_they_are_read(question: str, read: str) -> None:
    assert " ".join(token.text for token in in_order(tokens(question))) == read


_LOOKED_FOR = (
    "the a which what how many much percent % of all each every per for by or and between than more higher "
    "most highest number count sort rank order first top last latest to be is are in 1990 1995 5 compare as "
    "well year yearly films director difference differ apart far except ones those average above on with its "
    "that have A, B: C? - second-best descending from low high broken down up at least range looking among"
)
_WORDS = st.sampled_from(_LOOKED_FOR.split())


@given(st.lists(_WORDS, max_size=14))
def test_any_words_can_be_put_in_order(said: list[str]) -> None:
    """No order of the words that rewordings look for raises, and a question keeps some words."""
    before = tokens(" ".join(said))
    after = in_order(before, lambda text: "count" in text)
    assert bool(after) == bool(before)
    assert in_order(after) is not None


def test_a_property_is_no_number_of_things() -> None:
    said = tokens("clubs with a member count above 20")
    assert [t.text for t in in_order(said, lambda text: text == "member count")] == [t.text for t in said]
    assert "number" in [t.text for t in in_order(said)]
