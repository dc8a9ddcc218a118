"""How questions are worded: short forms in a schema, whose graph it is, who is alive, where things come from and go."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.graph.entity import Entity
from clew.tools.linking.normalise import of_other_number
from clew.tools.linking.ordinary import nearest_english
from clew.tools.queries.lexical import Token, stem
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.left_out import telling_words
from clew.tools.queries.reading.english.sentences import asking_sentence
from clew.tools.queries.reading.english.short_forms import full_words, shortened, shortens
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form import Condition, Form, Nodes, Step
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.plausible import implausible
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.reading.schema.ways import Ways
from tests.tools.queries.coaches import COACHES, NAMES, coach_reader
from tests.tools.queries.question_readings import best_reading


@pytest.fixture(scope="module")
def reader() -> Reader:
    return coach_reader()


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("What time does T100 leave?", "departure time of T100"),
        ("When does T100 arrive?", "arrival time of T100"),
        ("When does T100 close?", "closes at of T100"),
        ("T100 departure time", "departure time of T100"),
        ("departure time T100", "departure time of T100"),
        ("How many passengers did T100 have?", "passengers count of T100"),
        ("How late was T100?", "delay min of T100"),
        ("youngest driver", "by date of birth"),
        ("Which stop lies highest?", "by elevation m"),
        ("How many shelters does Quay have?", "shelter count of Quay"),
        ("most expensive line", "by total eur"),
        ("Where does Anna live?", "Towns that Anna lives in"),
        ("Who sponsored Gold?", "Sponsors that Gold is sponsored by"),
        ("Who was the teacher of Anna?", "Drivers whose apprentice is Anna"),
        ("What kind of stop is Quay?", "stop type of Quay"),
        ("Which drivers are still alive?", "Drivers whose death year is missing"),
        ("Which drivers are dead?", "Drivers whose death year is present"),
        ("Was anybody hurt on T100?", "hurt > 0"),
        ("How many drivers do we employ?", "number of drivers"),
        ("youngest driver in the company", "by date of birth"),
        ("Who are the drivers called Anna?", "Anna"),
        ("How many trips... I mean, how many drivers are there?", "number of drivers"),
        ("How much did Anna pay to Quay? I mean, how many drivers are there?", "number of drivers"),
        ("most powerful engine", "by hp"),
        ("narrowest engine", "by width cm, lowest first"),
        ("bigest engine", "by hp, highest first"),
        ("most expensive single line", "by total eur"),
        ("T100 - does it serve Quay?", "Whether T100 is one of the trips paused at Quay"),
        ("By how many tonnes is X1 heavier than X2?", "difference in tonnes of X1 or X2"),
        ("the engines wider than 3 metres", "Engines with width cm > 300"),
        ("engines more than 3 metres wide", "Engines with width cm > 300"),
        ("Which stop lies highest above sea level?", "by elevation m"),
        ("How many passengers do I have to reckon with on T100?", "passengers count of T100"),
        ("Which drivers whose trips paused at Quay are there?", "Drivers"),
        ("trips with no delay", "Trips with delay min = 0"),
        ("How many pauses does T100 have?", "number of times that T100 paused at stops"),
    ],
)
def test_words_of_a_question_find_their_part_of_the_schema(reader: Reader, question: str, read: str) -> None:
    assert read.lower() in words(best_reading(reader, question, NAMES).form).lower()


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("trips to France", "ON_LINE ENDS_AT STANDS_IN PART_OF"),
        ("Which trips to Leeds are there?", "ON_LINE ENDS_AT STANDS_IN"),
        ("trips from Leeds", "ON_LINE STARTS_AT STANDS_IN"),
        ("Who drove to Leeds?", "DROVE ON_LINE ENDS_AT STANDS_IN"),
        ("Which countries can you reach from Quay?", "PART_OF STANDS_IN ENDS_AT STARTS_AT"),
        ("where can you travel to from Quay", "ENDS_AT STARTS_AT"),
        ("Do you go from Quay to Pier?", "STARTS_AT ENDS_AT"),
    ],
)
def test_where_things_go_is_found_over_several_relations(reader: Reader, question: str, way: str) -> None:
    form = best_reading(reader, question, NAMES).form
    assert " ".join(step.relation for link in form.nodes.links for step in link.path) == way


def test_a_way_leads_to_one_thing_at_each_step() -> None:
    found = Ways(COACHES).ways("Trip", "Country", "to")
    assert [step.relation for step in found] == ["ON_LINE", "ENDS_AT", "STANDS_IN", "PART_OF"]
    assert Ways(COACHES).ways("Driver", "Country", "to") == ()  # A driver drove several trips.
    assert Ways(COACHES).between("Stop", "to", "Stop") == (
        Step("STARTS_AT", False, "Line"), Step("ENDS_AT", True, "Stop"),
    )  # fmt: skip


def test_a_relative_clause_asks_for_no_property(reader: Reader) -> None:
    assert ("floats", 1.0) in best_reading(reader, "trips that are closed", NAMES).features


@pytest.mark.parametrize(("name", "costs"), [("Ben", ["wrong kind"]), ("Anna", []), ("Cleo", [])])
def test_no_named_node_has_the_name_of_another(name: str, costs: list[str]) -> None:
    named = [Entity("d1", "Anna", "Driver"), Entity("d2", "Ben", "Driver"), Entity("s1", "Cleo", "Stop")]
    condition = Condition(Predicate("full_name", "=", name, "text"), property="full_name")
    form = Form("truth", Nodes("Driver", (named[0],), (condition,)))
    assert [feature for feature, _ in implausible(form, lambda *_: None, named, COACHES)] == costs


class TestWhoseGraphItIs:
    @pytest.mark.parametrize(
        ("question", "left"),
        [
            ("How many drivers do we employ?", "how many drivers"),
            ("the oldest driver in the company", "the oldest driver"),
            ("What does our fleet cost?", "what does cost"),
            ("the museum of Leeds", "the museum of leeds"),
            ("the Company Quay", "the company quay"),
            ("our drivers", "our drivers"),
        ],
    )
    def test_it_needs_no_explanation(self, question: str, left: str) -> None:
        assert " ".join(t.text for t in self._left(question)) == left

    def test_what_is_owned_may_be_a_value(self) -> None:
        own = self._left("Which trips do we own?", {"owned"})
        assert own[-1].text == "own"

    @given(
        st.lists(st.sampled_from(["the", "our", "museum", "company", "do", "we", "own", "drivers", "of"]), min_size=1)
    )
    def test_never_all_of_a_question_is_left_out(self, said: list[str]) -> None:
        question = " ".join(said)
        kept = self._left(question)
        assert kept
        assert [t.text for t in kept] == [t.text for t in tokens(question) if t in kept]

    @staticmethod
    def _left(question: str, values: Collection[str] = ()) -> list[Token]:
        known = {value: {("Trip", "state", False): [value]} for value in values}
        schema_words = SchemaWords(COACHES, Glosses(), {})
        return telling_words(tokens(question), question, schema_words, lambda text: known.get(text, {}))


class TestShortForms:
    @pytest.mark.parametrize(("short", "word"), [("elev", "elevation"), ("rwy", "runways"), ("qty", "quantity")])
    def test_a_beginning_or_the_consonants(self, short: str, word: str) -> None:
        assert shortens(short, word)

    @pytest.mark.parametrize(
        ("short", "word"), [("elev", "elves"), ("rwy", "railyard"), ("dep", "adept"), ("rwy", "rowing")]
    )
    def test_other_letters_do_not(self, short: str, word: str) -> None:
        assert not shortens(short, word)

    def test_initials_and_usual_forms(self) -> None:
        assert "ff miles" in set(shortened("frequent flyer miles", ["ff"]))
        assert full_words(("dep", "time")) == ("departure", "time")
        assert full_words(("dob",)) == ("date", "of", "birth")


@pytest.mark.parametrize(
    "forms",
    [("live", "lives", "lived", "living"), ("leave", "leaves", "left"), ("give", "gave", "given"), ("fly", "flies")],
)
def test_forms_of_a_verb_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len(set(map(stem, forms))) == 1


def test_a_code_with_another_number_is_another_code() -> None:
    assert of_other_number("AU999", "AU199")
    assert not of_other_number("ATR 72600", "ATR 72-600")
    assert not of_other_number("Ocean's 8", "Ocean's Eight")


@pytest.mark.parametrize(("typed", "meant"), [("paitings", "paintings"), ("zzqx", None), ("painter", "painter")])
def test_a_typing_error_in_an_english_word(typed: str, meant: str | None) -> None:
    assert nearest_english(typed) == meant


def test_what_is_taken_back_is_not_asked() -> None:
    text, *_ = asking_sentence("Who won it... I mean, who lost it there?")
    assert text.strip() == "who lost it there?"
    assert len(text) == len("Who won it... I mean, who lost it there?")
