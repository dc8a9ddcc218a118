"""Questions behind other sentences, in the words of speech, and in phrasings that are read as others."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.queries.reading.anchors.antecedents import with_antecedents
from clew.tools.queries.reading.english import phrasings
from clew.tools.queries.reading.english.in_stock import in_stock
from clew.tools.queries.reading.english.phrasings import rephrased
from clew.tools.queries.reading.english.sentences import asking_sentence
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
        ("I am a fan of Ada Quist. Which films did she direct?", "Films that Ada Quist directed"),
        ("Nightfall is a great film. How long is it?", "runtime of Nightfall"),
        ("I love Nightfall. Which films did Ada Quist direct in her life?", "Films that Ada Quist directed"),
        ("My colleague says Ada Quist and I say Ben Orly. Who of the two directed more films?", "by number of films"),
        ("I've got Nightfall on one side and Daybreak on the other. How big is the difference in their runtime?",
         "Difference in runtime of Nightfall or Daybreak"),
        ("Let's start with the films directed by Ada Quist. Now, which of those are also written by Ben Orly?",
         "Films that Ada Quist directed and that Ben Orly wrote"),
        ("I'd like to compare the genres. What is the average runtime of the films for each of them?",
         "Average runtime of films for each of genres"),
        ("I have Ada Quist and Ben Orly on my list. Show me the films that were directed by either one of them.",
         "Films that Ada Quist or Ben Orly directed"),
        ("I'm looking back at 1951. How many people were born that year?", "Number of people with born = 1951"),
        ("I was just looking at the runtime of Nightfall. Which films have an even higher one?",
         "Films with runtime higher than that of Nightfall"),
        ("Can you pull up the films directed by Ada Quist? I'd like them sorted by runtime, longest first.",
         "Films that Ada Quist directed, by runtime, highest first"),
        ("um so which films did uh Ada Quist direct", "Films that Ada Quist directed"),
        ("okay so um for every genre I want the film that has the highest runtime",
         "Films, by runtime, highest first: 1 for each genre"),
        ("so um break it down by genre and give me the average runtime of the films",
         "Average runtime of films for each of genres"),
        ("Ada Quist vs Ben Orly more films", "Ada Quist or Ben Orly, by number of films, highest first: 1"),
        ("runtime gap between Nightfall and Daybreak", "Difference in runtime of Nightfall or Daybreak"),
        ("films runtime 90 to 100", "Films with runtime >= 90 and with runtime <= 100"),
        ("median runtime of films per genre", "Median runtime of films for each of genres"),
        ("genres with only films directed by Ada Quist", "no others"),
        ("genres with more films than average", "Genres with number of films higher than the average"),
    ],
)  # fmt: skip
def test_what_is_asked_among_other_words(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, _NAMES).form)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Does Apple Inc. Have more people than Heat?", "Does Apple Inc. Have more people than Heat?"),
        ("Who treated Mrs. Smith in the Elm Ward?", "Who treated Mrs. Smith in the Elm Ward?"),
        ("I need this for a chart. Out of all films, how many won?", "Out of all films, how many won?"),
        ("We argued over lunch, so settle it for us. Which film is longer?", "Which film is longer?"),
    ],
)
def test_where_the_sentence_begins_that_asks(text: str, asks: str) -> None:
    assert asking_sentence(text).text.strip() == asks


_SAID = "he she it they them their its those which of two each one ones that year even higher either the films A B 1999"
_WORDS = st.lists(st.sampled_from(_SAID.split()), max_size=10).map(" ".join)


@given(_WORDS, _WORDS)
def test_any_pronouns_find_something_or_stay(lead: str, asked: str) -> None:
    """Words are added or replaced by those of the sentence before; nothing raises."""
    text = f"{lead}. {asked}"
    before, said = tokens(lead), [t for t in tokens(text) if t.start > len(lead)]
    named = [(t.start, t.end) for t in before if t.text in ("a", "b")]
    found = with_antecedents(said, before, named, lambda phrase: phrase == "films")
    assert bool(found) == bool(said)
    assert all(text[t.start : t.end].lower() == t.text or t.start == t.end or t.text in _ADDED for t in found)


_ADDED = frozenset({"the", "of", "and", "or", "in", "than", "film", "each"})


_PHRASED = (
    "break it down by films and give me sort them if you add up 3 to 9 vs more runtime percentage what share of all "
    "the gap between"
)
_TEXTS = st.lists(st.sampled_from(_PHRASED.split()), max_size=12).map(" ".join)


@given(_TEXTS)
def test_phrasings_keep_the_words_of_their_slots(text: str) -> None:
    said = tokens(text)
    found = rephrased(said, lambda phrase: phrase == "runtime")
    assert bool(found) == bool(said)
    assert all(token in said for token in found if token.start != token.end)


@pytest.mark.parametrize(("said", "read"), phrasings._table()["phrasings"].items())
def test_a_phrasing_is_read_with_slots_that_it_has(said: str, read: str) -> None:
    assert set(re.findall(r"<(\w+)>", read)) <= set(re.findall(r"<(\w+)>", said))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("what was the busiest month for number of bookings", "which month had the most bookings"),
        ("How often have we played Pilgrims of Umbra", "how often was pilgrims of umbra played"),
        ("which kiln does she take care of", "which kiln does she look after"),
    ],
)
def test_phrasings(text: str, read: str) -> None:
    assert [token.text for token in rephrased(tokens(text), lambda phrase: True)] == read.split()


def test_what_is_left_is_the_stock_where_there_is_one() -> None:
    said = tokens("how many bottles of tamar brut are left")
    assert [each.text for each in in_stock(said, lambda text: True)] == ["stock", "of", "tamar", "brut"]
    assert in_stock(said, lambda text: False) == said
