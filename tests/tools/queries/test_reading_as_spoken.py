"""Questions as people put them: greetings, titles, kinds of kinds, amounts for periods, whom somebody reports to."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.english.expected import expects
from clew.tools.queries.reading.english.sentences import asking_sentence
from clew.tools.queries.reading.english.short_forms import full_words, of_period, shortened, shortens
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

GARDENS = Schema(
    {"Shrub": 60, "Variety": 20, "Species": 6, "Garden": 5, "Village": 4, "Visitor": 40, "Gardener": 12, "Fund": 4},
    (
        Relation("OF_VARIETY", "Shrub", "Variety", 60), Relation("BELONGS_TO", "Variety", "Species", 20),
        Relation("GROWS_IN", "Shrub", "Garden", 60), Relation("LIVES_IN", "Visitor", "Village", 40),
        Relation("REPORTS_TO", "Gardener", "Gardener", 11), Relation("RENTED", "Visitor", "Garden", 30),
        Relation("HOSTS", "Gardener", "Garden", 9), Relation("PAYS_INTO", "Visitor", "Fund", 40),
    ),
    (
        Property("Shrub", "height_cm", "INTEGER", 60, (40, 120)),
        Property("Shrub", "planted", "DATE", 60, ("2020-02-01",)),
        Property("Visitor", "guest_no", "STRING", 40, ("G7",)), Property("Visitor", "surname", "STRING", 40, ("Moss",)),
        Property("Garden", "hr_rate", "FLOAT", 5, (12.5, 30.0)), Property("Garden", "tour_min", "INTEGER", 5, (30, 90)),
        Property("Garden", "opened_on", "DATE", 5, ("1990-01-01",)),
        Property("Shrub", "colour", "STRING", 60, ("red", "white")),
        Property("Shrub", "watered", "STRING", 60, ("Mon", "Fri")),
        Property("Fund", "max_grant_pa", "INTEGER", 4, (100, 900)),
        Property("Gardener", "salary", "INTEGER", 12, (20000, 40000)),
    ),
    "1",
    (Property("PAYS_INTO", "share_pm", "FLOAT", 40, (3.5, 9.0)),),
)  # fmt: skip
_NAMES = {
    "Rose": Entity("s1", "Rose", "Species"), "Kew": Entity("g1", "Kew", "Garden"),
    "Eden": Entity("g2", "Eden", "Garden"),
    "Ann Moss": Entity("a1", "Ann Moss", "Gardener"), "Ben Reed": Entity("a2", "Ben Reed", "Gardener"),
}  # fmt: skip


def _values(text: str) -> dict[tuple[str, str, bool], list[str]]:
    return {("Shrub", "watered", False): ["Fri"]} if text == "fri" else {}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(GARDENS, _NAMES, _values)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who is the boss of Ann Moss's boss?", "Gardeners that gardeners that Ann Moss reports to report to"),
        ("who is Ann Moss's manager's manager?", "Gardeners that gardeners that Ann Moss reports to report to"),
        ("how many roses grow in Kew", "Number of shrubs"),
        ("how many guests are there", "Number of visitors"),
        ("who is Ann Moss's line manager?", "Gardeners"),
        ("presenter of Kew", "Gardeners"),
        ("Who earns more, Mr Ann Moss or Ms Ben Reed?", "by salary, highest first"),
        ("Eden or Kew: which one has more shrubs?", "by number of shrubs"),
        ("hourly price Kew", "hour rate of Kew"),
        ("how many minutes does the tour of Kew take", "Tour min of Kew"),
        ("which fund has the highest annual grant", "Funds, by maximum grant pa, highest first"),
        ("which fund has the lowest average monthly share", "by average share pm of visitors, lowest first"),
        ("where do most of the guests live?", "Villages, by number of visitors, highest first"),
        ("what variety do we have the most of on our books", "Varieties, by number of shrubs"),
        ("Which colour has the fewest shrubs?", "Least common colour of shrubs"),
        ("the shrubs in Kew - how many?", "Number of shrubs that grow in Kew"),
        ("shrubs watered on fridays", "with watered = Fri"),
        ("shrubs at Kew in 2021", "Shrubs that grow in Kew and with planted"),
    ],
)
def test_questions_as_spoken(reader: Reader, question: str, read: str) -> None:
    assert read.lower() in words(best_reading(reader, question, _NAMES).form).lower()


def test_things_of_a_kind_whose_kind_is_of_that_kind(reader: Reader) -> None:
    form = best_reading(reader, "how many roses grow in Kew", _NAMES).form
    assert form.nodes.label == "Shrub"
    assert [step.relation for link in form.nodes.links for step in link.path] == ["OF_VARIETY", "GROWS_IN"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("hi all, who runs Kew?", "who runs Kew?"),
        ("I'm new here, which garden is open?", "which garden is open?"),
        ("the address of Kew please, I need to send a letter", "the address of Kew please"),
        ("Kew or Eden: which one is older?", "Kew or Eden: which one is older?"),
        ("In Kew, which roses grow?", "In Kew, which roses grow?"),
    ],
)
def test_what_people_say_of_themselves_is_left_out(text: str, left: str) -> None:
    assert asking_sentence(text)[0].strip() == left


def test_polite_questions_ask_for_more_than_yes() -> None:
    assert expects("could i have the email of X") == ""
    assert expects("can I see the gardens") == ""
    assert expects("could Ann see the gardens") == "truth"


def test_endings_for_periods_are_no_initials() -> None:
    assert not shortens("pm", "premium")
    assert list(shortened("monthly premium", ("pm",))) == ["premium pm"]
    assert list(shortened("paid more", ("pm",))) == []
    assert of_period("hourly price") == "hour price"
    assert of_period("good price") is None
    assert full_words(["dur", "min"])[-1] == "min"
    assert full_words(["min", "price"]) == ("minimum", "price")
