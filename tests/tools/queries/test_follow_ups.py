"""Follow-ups: the words that refer to earlier sets or leave them out, forms as plain values, and changes of forms."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.follow_ups.changes import (
    exchanged,
    mark,
    narrowed,
    of_known_links,
    put_in,
    speaks_of,
    spoken_sets,
)
from clew.tools.queries.follow_ups.kinds import Kinds
from clew.tools.queries.follow_ups.meant_turns import turns_meant
from clew.tools.queries.follow_ups.merging import merged
from clew.tools.queries.follow_ups.others import the_rest
from clew.tools.queries.follow_ups.past import Antecedent, PastReading, antecedents
from clew.tools.queries.follow_ups.pointed import with_one_pointed
from clew.tools.queries.follow_ups.query_forms import form_of_query
from clew.tools.queries.follow_ups.reordering import reordered
from clew.tools.queries.follow_ups.same_question import for_each
from clew.tools.queries.follow_ups.stored_forms import MOST_CHARACTERS, restored, stored, stored_within_limit
from clew.tools.queries.follow_ups.times import with_times
from clew.tools.queries.follow_ups.two_in_one import asks_twice, parts_of
from clew.tools.queries.follow_ups.two_references import with_one_named
from clew.tools.queries.follow_ups.variants import Variant
from clew.tools.queries.follow_ups.wording import asked_of_another, on_another_topic, taken_apart
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Step, Value
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.group_forms import counted_set, with_counted_set
from clew.tools.queries.space.query import Chain, Hop, Query

KINDS = {"ship", "ships", "harbour", "harbours", "captain", "captains"}


@pytest.mark.parametrize(
    ("question", "begins", "written"),
    [
        ("how many is that?", "", "how many them"),
        ("only the ones after 1990", "", "them after 1990"),
        ("which of them is the longest?", "", "which them is the longest"),
        ("and who commands it?", "also", "who commands them"),
        ("Which of these ships are retired?", "", "Which them are retired"),
        ("no, I meant the shortest", "instead", "the shortest them"),
        ("not those, the retired ones", "not", "the retired them"),
        ("her ships?", "", "them's ships"),
        ("which ones were built in 1994?", "", "which them were built in 1994"),
        ("how many sail from there?", "", "how many sail from them"),
        ("the three oldest", "", "the three oldest them"),
        ("what's the shortest?", "", "the shortest them"),
        ("narrow that down to 1994", "", "which them are 1994"),
        ("is any of those a ferry?", "", "is them a ferry"),
        ("which one has X in it?", "", "which them has X"),
    ],
)
def test_what_a_follow_up_refers_to_is_written_out(question: str, begins: str, written: str) -> None:
    parts = taken_apart(question, lambda word: word.lower() in KINDS)
    found = {variant.text.lower(): variant for variant in parts.variants}
    assert parts.begins == begins
    assert written.lower() in found
    variant = found[written.lower()]
    assert [variant.text[start:end] for start, end in variant.spans] == ["them"] * len(variant.spans)


@pytest.mark.parametrize(
    ("question", "product"),
    [
        ("which of them were built after 1980?", True),
        ("when were they released?", True),
        ("and which of those came out in 1994?", True),
        ("which of them were born after 1980?", False),
        ("which of them made a film in 1994?", False),
        ("which of them were made captain?", False),
    ],
)
def test_what_was_made_is_no_person(question: str, product: bool) -> None:
    found = taken_apart(question, lambda word: word.lower() in KINDS).variants
    assert {variant.kind == "product" for variant in found} == {product}


@pytest.mark.parametrize("question", ["ships in Oban", "Harbours with more than three berths"])
def test_a_question_that_names_its_kind_refers_to_nothing(question: str) -> None:
    assert not taken_apart(question, lambda word: word.lower() in KINDS).variants


def test_a_question_may_go_back() -> None:
    first = taken_apart("back to the first list: which are retired?", KINDS.__contains__)
    assert (first.turn, first.rest) == (1, "which are retired")
    named = taken_apart("back to the ships, who commands them?", KINDS.__contains__)
    assert (named.turn, named.back_to) == (None, "ships")


# ---- earlier texts --------------------------------------------------------------------------------------------------

PEOPLE = {"Ann Moss": "Person", "Bob Hay": "Person", "Petrel": "Ship"}


def names(text: str) -> list[Mention]:
    """The names of PEOPLE in a text."""
    found = ((text.find(name), name, label) for name, label in PEOPLE.items() if name in text)
    return [
        Mention(at, at + len(name), name, (Candidate(Entity(name, name, label), 1.0, "exact", name),))
        for at, name, label in found
    ]


@pytest.mark.parametrize(
    ("said", "earlier", "written"),
    [
        ("in May?", "How much was paid in April 2024?", "How much was paid in May 2024"),
        ("4 September", "Who was ill on 3 September 2024?", "Who was ill on 4 September 2024"),
        ("with black?", "Which games did Ann win with the white pieces?", "Which games did Ann win with black"),
        ("Bob Hay?", "How old is Ann Moss?", "How old is Bob Hay"),
        ("the ferries", "How many tugs sail from Oban?", "How many ferries sail from Oban"),
        ("who gave Bob Hay the fewest?", "Who gave Ann Moss the fewest stars?", "Who gave Bob Hay the fewest stars"),
        ("the Petrel", "How old is Ann Moss?", None),
        ("in which year was it built?", "Who built it in 1994?", None),
    ],
)  # fmt: skip
def test_a_follow_up_is_written_into_the_earlier_question(said: str, earlier: str, written: str | None) -> None:
    kinds = {"tugs": ["type"], "ferries": ["type"]}
    found = [way.text for way in merged(said, earlier, names, lambda text: kinds.get(text, []))]
    assert found[:1] == ([written] if written else [])


def turn(number: int = 1, text: str = "", form: Form | None = None, **about: Any) -> PastReading:
    return PastReading(number, form, text=text, **about)


@pytest.mark.parametrize(
    ("question", "past", "written"),
    [
        ("Who steered that day?", [turn(text="Who fell on 3 March 2024?")], "Who steered on 3 March 2024?"),
        ("Who steered that day?", [turn(text="When?", values=("2024-05-11",))], "Who steered on 2024-05-11?"),
        ("what was paid in that month", [turn(text="Who sailed on 3 May 2021?")], "what was paid in May 2021"),
        ("what was paid that year", [turn(text="Who sailed in 1994?")], "what was paid in 1994"),
        ("Who steered that day?", [turn(text="Who sailed in 1994?")], "Who steered that day?"),
        ("and the year before?", [turn(text="How many sailed in 1994?")], "and in 1993?"),
        ("what about the following month", [turn(text="Who sailed in December 2021?")], "what about in January 2022"),
        ("who sailed the year before she died?", [turn(text="In 1994?")], "who sailed the year before she died?"),
        ("and the year before?", [turn(text="Who sailed?")], "and the year before?"),
    ],
)  # fmt: skip
def test_the_time_that_a_question_points_to_is_written_out(
    question: str, past: list[PastReading], written: str
) -> None:
    assert with_times(question, past) == written


@pytest.mark.parametrize("begun", ["ok never mind. ", "Different question: ", "forget that, "])
def test_a_change_of_topic_is_left_out(begun: str) -> None:
    assert on_another_topic(f"{begun}who steered?") == "who steered?"


ANN, PETREL = Entity("a", "Ann Moss", "Person"), Entity("p", "Petrel", "Ship")
KNOWN = [
    Antecedent(Nodes("Ship", (PETREL,)), 0.0, 1, single=True),
    Antecedent(Nodes("Person", (ANN,)), 0.3, 1, single=True),
]


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("how much did she pay for it?", "how much did Ann Moss pay for it?"),
        ("when did her father buy it?", "when did Ann Moss's father buy it?"),
        ("which of them sailed it?", "which of them sailed Petrel?"),
        ("what about Bob Hay, when was he born?", "when was Bob Hay born?"),
        ("And Bob Hay, what has he sailed?", "what has Bob Hay sailed?"),
        ("and the same for Kite: who sails it?", "who sails Kite?"),
        ("what about Oslo, which harbours are there?", "which harbours are in Oslo?"),
        ("what about Oslo, how many are there?", "what about Oslo, how many are there?"),
        ("And in 2020, who sailed it?", "And in 2020, who sailed it?"),
        ("how old is she?", "how old is she?"),
        ("which one has Ann in it?", "which one has Ann in it?"),
    ],
)
def test_of_two_things_that_are_meant_one_is_named(question: str, written: str) -> None:
    assert with_one_named(question, KNOWN, lambda label: label == "Person") == written


def names_no_kind(noun: str, nodes: Nodes) -> bool:
    return False


ORDERED = Form("nodes", Nodes("Ship", order=Order(Value("year"), descending=True, limit=None)))
ORDERED_LAST = Form("nodes", Nodes("Ship", order=Order(Value("builtYear"), descending=True)))
LONGEST = Form("nodes", Nodes("Ship", order=Order(Value("length"), descending=True)))


@pytest.mark.parametrize(
    ("question", "last", "order"),
    [
        ("the last one", turn(form=ORDERED, text="newest first"), Order(Value("year"), descending=False)),
        ("the second one", turn(form=ORDERED, text="newest first"), Order(Value("year"), True, 1, 1, ties=False)),
        ("and the shortest?", turn(form=LONGEST, text="the longest ship"), Order(Value("length"), descending=False)),
        ("and the longest?", turn(form=LONGEST, text="the longest ship"), None),
        ("and the cheapest?", turn(form=LONGEST, text="the longest ship"), None),
    ],
)
def test_an_order_may_be_turned_round(question: str, last: PastReading, order: Order | None) -> None:
    found = reordered(taken_apart(question, KINDS.__contains__), [last], names_no_kind)
    assert [each.reading.form.nodes.order for each in found] == ([order] if order else [])


def test_what_was_counted_may_be_listed() -> None:
    berthed = Nodes("Ship", links=(Link((Step("BERTHED_AT", True, "Harbour"),), Nodes("Harbour", (PETREL,))),))
    counted = turn(form=Form("number", berthed), text="how many?", count=1)
    (found,) = reordered(taken_apart("which ones?", KINDS.__contains__), [counted], names_no_kind)
    assert found.reading.form == Form("nodes", berthed)


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("how many is that?", True),
        ("How many ships are those?", True),
        ("how many are there", True),
        ("how many harbours are those?", False),
        ("how many ships are there?", False),
    ],
)
def test_an_answer_may_be_counted(question: str, counts: bool) -> None:
    others = Nodes("Ship", without=(Nodes("Ship", (PETREL,)),))
    last = turn(form=Form("nodes", others), text="which other ships?", count=3)
    parts = taken_apart(question, KINDS.__contains__)
    found = reordered(parts, [last], lambda noun, nodes: nodes.label.lower() in noun)
    assert [each.reading.form for each in found] == ([Form("number", others, None, "count")] if counts else [])


def test_the_value_by_which_an_answer_is_the_first_may_be_asked_for() -> None:
    last = turn(form=LONGEST, text="the longest ship", answers=(PETREL,), count=1)
    (found,) = reordered(taken_apart("how much was it?", KINDS.__contains__), [last], names_no_kind)
    assert found.reading.form == Form("value", Nodes("Ship", (PETREL,)), Value("length"))


GANNET = replace(PETREL, id="g", name="Grey Gannet")
SORTED = turn(form=ORDERED, text="ships by year", answers=(PETREL, GANNET), count=2)
OF_ONE = Form("value", Nodes("Ship", (PETREL,)), Value("homeDock"))
OF_PETREL = turn(form=replace(OF_ONE, value=Value("length")), text="how long is Petrel?", count=1, values=("9",))
BELL, OTHER_BELL = Entity("b", "Ann Bell", "Captain"), Entity("c", "Tom Bell", "Captain")
CAPTAINS = turn(form=Form("nodes", Nodes("Captain")), text="captains", answers=(BELL, ANN), count=2)
DOCK = turn(form=OF_ONE, text="which dock?", answers=(), count=1, values=("7",))


@pytest.mark.parametrize(
    ("question", "past", "written"),
    [
        ("who built the first one?", [SORTED], "who built Petrel?"),
        ("who built the last of them?", [SORTED], "who built Grey Gannet?"),
        ("who built the third one?", [SORTED], "who built the third one?"),
        ("who built the first one?", [DOCK], "who built the first one?"),
        ("when was the grey one built?", [SORTED], "when was Grey Gannet built?"),
        ("when was the red one built?", [SORTED], "when was the red one built?"),
        ("when was the old one built?", [SORTED], "when was the old one built?"),
        ("and the second?", [SORTED, OF_PETREL], "and Grey Gannet?"),
        ("same question for the last", [SORTED, OF_PETREL], "same question for Grey Gannet"),
        ("and the second?", [SORTED], "and the second?"),
        ("who built the other one?", [SORTED, OF_PETREL], "who built Grey Gannet?"),
        ("who built the other ship?", [SORTED, OF_PETREL], "who built Grey Gannet?"),
        ("who built the other one?", [SORTED], "who built the other one?"),
        ("where does the gannet nest?", [SORTED], "where does Grey Gannet nest?"),
        ("where does Bell live?", [CAPTAINS], "where does Ann Bell live?"),
        ("where does Bell live?", [SORTED], "where does Bell live?"),
        ("any others in that dock?", [SORTED, DOCK], "any others in dock 7?"),
        ("any others in that harbour?", [SORTED, DOCK], "any others in that harbour?"),
    ],
)
def test_what_a_question_points_at_is_written_out(question: str, past: list[PastReading], written: str) -> None:
    def find(text: str) -> list[Mention]:
        places = [(text.find("Bell"), "Bell")] if "Bell" in text else []
        both = tuple(Candidate(each, 0.9, "normalised", each.name) for each in (BELL, OTHER_BELL))
        return [Mention(start, start + len(name), name, both) for start, name in places]

    assert with_one_pointed(question, past, find, KINDS.__contains__) == written


@pytest.mark.parametrize("question", ["Which ones don't?", "and the others?", "what about the rest?", "who isn't?"])
def test_what_a_choice_left_out_may_be_asked_for(question: str) -> None:
    fleet = Nodes("Ship", links=(Link((Step("BERTHED_AT", True, "Harbour"),), Nodes("Harbour")),))
    fast = replace(fleet, conditions=(Condition(Predicate("speed", ">", 20)),))
    chosen = turn(2, "which are fast?", Form("nodes", fast), answers=(PETREL, GANNET), count=2, base=fleet)
    parts = taken_apart(question, KINDS.__contains__)
    slow = replace(fleet, without=(fast,))
    (found,) = the_rest(parts, [chosen])
    assert found.reading.form == Form("nodes", slow)
    lengths = turn(3, "how long are they?", Form("value", fast, Value("length")), count=2, values=("9", "7"))
    (found,) = the_rest(parts, [chosen, lengths])
    assert found.reading.form == Form("value", slow, Value("length"))
    assert the_rest(parts, [turn(1, "ships", Form("nodes", fleet), count=4)]) == []
    assert the_rest(taken_apart("which are fast?", KINDS.__contains__), [chosen]) == []


def test_a_property_of_any_relationship_is_asked_of_the_known_one() -> None:
    known = Link((Step("SAILS", False, "Captain"),), Nodes("Captain", (ANN,)))
    since = Value("since", None, replace(known, other=Nodes("Captain")), edge="SAILS")
    asked = Form("value", Nodes("Ship", (PETREL,)), since)
    assert of_known_links(asked, [known]) == replace(asked, value=replace(since, link=known))
    elsewhere = Link((Step("BERTHED_AT", True, "Harbour"),), Nodes("Harbour"))
    assert of_known_links(asked, [elsewhere]) == asked


def test_another_value_of_a_relationship_stays_with_the_known_one() -> None:
    known = Link(
        (Step("SAILS", False, "Captain"),), Nodes("Captain", (ANN,)), conditions=(Predicate("rank", "=", "mate"),)
    )
    said = replace(known, other=Nodes("Captain"), conditions=(Predicate("rank", "=", "cook"),))
    found, same = exchanged(Nodes("Ship", links=(known,)), Nodes("Ship", links=(said,)))
    assert same
    assert found == Nodes("Ship", links=(replace(known, conditions=said.conditions),))


@pytest.mark.parametrize(
    ("question", "function"),
    [("and on average?", "avg"), ("What's that in total?", "sum"), ("altogether?", "sum"), ("and in 2024?", None)],
)
def test_numbers_that_were_told_may_be_worked_out(question: str, function: str | None) -> None:
    lengths = Form("value", Nodes("Ship", links=ORDERED.nodes.links), Value("length"))
    last = turn(form=lengths, text="how long are they?", count=3, values=("9", "7", "5"))
    found = reordered(taken_apart(question, KINDS.__contains__), [last], names_no_kind)
    assert [each.reading.form.function for each in found] == ([function] if function else [])


def test_the_time_of_the_last_to_come_is_that_by_which_it_is_the_last() -> None:
    last = turn(form=ORDERED_LAST, text="the last ship built", answers=(PETREL,), count=1)
    (found,) = reordered(taken_apart("In what year was that?", KINDS.__contains__), [last], names_no_kind)
    assert found.reading.form == Form("value", Nodes("Ship", (PETREL,)), Value("builtYear"))


def test_of_so_many_means_a_list_of_that_length() -> None:
    ships = turn(1, "ships", Form("nodes", Nodes("Ship", (PETREL, GANNET))), answers=(PETREL, GANNET), count=2)
    one = turn(2, "the oldest", Form("nodes", Nodes("Ship", (PETREL,))), answers=(PETREL,), count=1)
    parts = taken_apart("which of the two is longer?", KINDS.__contains__)
    assert turns_meant(parts, [ships, one], names_no_kind, lambda text: ()) == [ships]


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("Who made the oldest of these?", "Who made the oldest them"),
        ("longest voyage of the three?", "which them has the longest voyage"),
        ("the heavier of the two", "the heaviest them"),
        ("In which harbour?", "which harbour is them In"),
    ],
)
def test_parts_of_questions_about_a_set_are_written_out(question: str, written: str) -> None:
    found = taken_apart(question, KINDS.__contains__).variants
    assert written in [each.text for each in found]


@pytest.mark.parametrize(
    ("question", "sorts"),
    [
        ("sort all four by weight, heaviest first", "down"),
        ("sort them by weight, lightest first", "up"),
        ("order the three by age, oldest first", "down"),
        ("order them by founding year, oldest first", "up"),
        ("rank those by price, cheapest first", "up"),
        ("list them from oldest to newest", "read"),
    ],
)
def test_the_words_for_what_comes_first_give_the_direction(question: str, sorts: str) -> None:
    assert taken_apart(question, KINDS.__contains__).variants[0].sorts == sorts


def test_what_is_said_of_any_relationship_is_said_of_the_known_one() -> None:
    known = Link((Step("SAILS", False, "Captain"),), Nodes("Captain", (ANN,)))
    rank = Predicate("rank", "=", "mate")
    set_ = Nodes("Ship", links=(known,))
    by = Nodes("Ship", links=(replace(known, other=Nodes("Captain"), conditions=(rank,)),))
    assert narrowed(set_, by) == Nodes("Ship", links=(replace(known, conditions=(rank,)),))


def test_a_number_may_be_asked_for_each_of_a_set() -> None:
    ships = Nodes("Ship", (PETREL, replace(PETREL, id="g", name="Gannet")))
    form = Form("number", Nodes("Harbour", links=(Link((Step("BERTHED_AT", False, "Ship"),), ships),)))
    found = for_each(form, ships, "how many harbours has each of them?")
    counted = Link((Step("BERTHED_AT", True, "Harbour"),), Nodes("Harbour"))
    assert found == Form("groups", ships, Value(None, "count", counted))
    assert for_each(form, ships, "how many harbours have they?") == form


# ---- forms ----------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["Petrel", "Gannet", "Øre sund", "“x”"])
ENTITIES = st.builds(Entity, NAMES, NAMES, st.sampled_from(["Ship", "Harbour"]))
STEPS = st.builds(Step, st.sampled_from(["BERTHED_AT", "SAILS"]), st.booleans(), st.just("Harbour"), st.booleans())
CONDITIONS = st.builds(
    lambda name, sign, value: Condition(Predicate(name, sign, value), property=name),
    st.sampled_from(["year", "berths"]), st.sampled_from([">", "="]), st.integers(0, 99) | NAMES | st.booleans(),
)  # fmt: skip
ORDERS = st.none() | st.builds(Order, st.builds(Value, st.sampled_from(["year", "berths"])), st.booleans())


def sets(depth: int = 1) -> st.SearchStrategy[Nodes]:
    inner = sets(depth - 1) if depth else st.just(Nodes("Harbour"))
    links = st.builds(Link, st.tuples(STEPS), inner, st.booleans())
    return st.builds(
        Nodes, st.just("Harbour"), st.lists(ENTITIES, max_size=2, unique=True).map(tuple),
        st.lists(CONDITIONS, max_size=2).map(tuple), st.lists(links, max_size=2).map(tuple), ORDERS,
    )  # fmt: skip


UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""The first draw of nested sets takes a second on a busy machine."""
FORMS = st.builds(Form, st.sampled_from(["nodes", "number", "truth"]), sets())


@UNHURRIED
@given(FORMS)
def test_a_stored_form_comes_back_as_it_was(form: Form) -> None:
    assert restored(json.loads(json.dumps(stored(form)))) == form


def test_a_form_that_is_too_long_is_not_kept() -> None:
    many = tuple(Entity(f"ship/{number}", f"Ship {number}", "Ship") for number in range(MOST_CHARACTERS // 10))
    assert stored_within_limit(Form("nodes", Nodes("Ship", many))) is None
    assert stored_within_limit(Form("nodes", Nodes("Ship", many[:5]))) is not None


@UNHURRIED
@given(sets(), sets(0))
def test_a_set_put_in_for_its_mark_is_narrowed_by_what_was_said(earlier: Nodes, said: Nodes) -> None:
    marked = mark(earlier)
    asked = Form("nodes", Nodes(said.label, marked.entities, said.conditions, said.links, said.order))
    assert speaks_of(asked, marked)
    found = put_in(asked, earlier)
    if marked.entities != earlier.entities:
        assert not set(marked.entities) & set(found.entities), "nothing stands in for the set any more"
        assert set(earlier.entities) <= set(found.entities)
    assert {c.property for c in said.conditions} <= {c.property for c in found.nodes.conditions}


@UNHURRIED
@given(sets())
def test_narrowing_by_nothing_changes_nothing(nodes: Nodes) -> None:
    assert narrowed(nodes, Nodes(nodes.label)) == nodes


@UNHURRIED
@given(sets(), st.lists(CONDITIONS, min_size=1, max_size=1).map(tuple), ORDERS)
def test_an_exchange_leaves_one_condition_of_a_kind(nodes: Nodes, said: tuple[Condition, ...], order: Order) -> None:
    by = Nodes(nodes.label, conditions=said, order=order)
    changed, _ = exchanged(nodes, by)
    assert [each for each in changed.conditions if each.property == said[0].property] in ([], list(said))
    assert exchanged(changed, by)[0] == changed, "to say it again changes nothing"


def test_the_query_of_the_ranker_is_a_form() -> None:
    skarvik = Entity("h/1", "Skarvik", "Harbour")
    query = Query((Chain(skarvik, (Hop("BERTHED_AT", False, "Ship"),)),))
    form = form_of_query(query)
    assert form == Form(
        "nodes", Nodes("Ship", links=(Link((Step("BERTHED_AT", True, "Harbour"),), Nodes("Harbour", (skarvik,))),))
    )
    assert "Skarvik" in words(form)


def test_what_a_question_only_speaks_of_can_be_meant_as_well() -> None:
    oban = Nodes("Harbour", (Entity("h/2", "Oban", "Harbour"),))
    built, berthed = Step("BUILT", True, "Ship"), Step("BERTHED_AT", True, "Harbour")
    builders = Nodes("Builder", links=(Link((built, berthed), oban),))
    along = [each.nodes for each in antecedents([PastReading(1, Form("nodes", builders), count=3)])]
    assert along == [builders, Nodes("Ship", links=(Link((berthed,), oban),)), oban]
    founded = Condition(Predicate("founded", ">", 1900), property="founded")
    old = Nodes("Builder", conditions=(founded,))
    any_ship = [
        each.nodes
        for each in antecedents([PastReading(1, Form("nodes", old.linked(Link((built,), Nodes("Ship")))), count=3)])
    ]
    assert any_ship[1:] == [Nodes("Ship", links=(Link((built.back("Builder"),), old),))]


def test_people_are_never_what_was_made() -> None:
    reader: Any = SimpleNamespace(words=SimpleNamespace(persons={"Captain"}), wider={})
    made, other = Variant("them were built in 1994", ((0, 4),), kind="product"), Variant("them", ((0, 4),))
    people, ships = (Antecedent(Nodes(label), 0.0, 1, single=False) for label in ("Captain", "Ship"))
    kinds = Kinds(reader)
    assert kinds.misfit(made, people) > 4
    assert [kinds.misfit(made, ships), kinds.misfit(other, people)] == [0, 0]


def test_an_unanswered_turn_leaves_the_sets_before_it() -> None:
    ship = Nodes("Ship", conditions=(Condition(Predicate("year", ">", 1990), property="year"),))
    good = PastReading(1, Form("nodes", ship), count=3)
    bad = PastReading(2, None)
    assert [each.nodes for each in antecedents([good, bad])] == [ship]
    unsure = PastReading(3, Form("nodes", Nodes("Ship", (Entity("s", "Gannet", "Ship"),))), count=1, sure=False)
    assert {each.turn for each in antecedents([good, bad, unsure])} == {1, 3}


def test_numbers_for_each_of_several_may_be_worked_out_over_other_nodes() -> None:
    sailed = (Step("SAILS", False, "Harbour"),)
    per_harbour = Form("groups", Nodes("Harbour"), Value(None, "count", Link(sailed, Nodes("Ship"))))
    per_year = Form("groups", Nodes("Ship"), None, "count", "year")
    old = Nodes("Ship", conditions=(Condition(Predicate("year", "<", 1950), property="year"),))
    for form in (per_harbour, per_year):
        assert counted_set(form) == Nodes("Ship")
        assert counted_set(with_counted_set(form, old)) == old
    assert counted_set(Form("number", Nodes("Ship"))) is None
    assert (
        counted_set(Form("groups", Nodes("Harbour"), Value(None, "count", Link(sailed, Nodes("Ship"), True)))) is None
    )


def test_a_mark_in_a_share_and_in_a_choice_is_put_in() -> None:
    marked = mark(Nodes("Ship", links=(Link((Step("SAILS", True, "Harbour"),), Nodes("Harbour")),)))
    old = Nodes("Ship", conditions=(Condition(Predicate("year", "<", 1950), property="year"),))
    share = put_in(Form("number", replace(marked, either=(old,)), function="share", whole=marked), old)
    assert share.whole == old
    assert share.nodes == replace(old, either=(old,))


@pytest.mark.parametrize(
    ("question", "first", "second", "written_out"),
    [
        ("When and where did she die?", "When did she die", "where did she die", ()),
        ("On which day and at what time does it sail?", "On which day does it sail", "at what time does it sail", ()),
        ("From when to when was she captain?", "since when was she captain", "until when was she captain", ()),
        ("Where was it built, and by whom?", "Where was it built", "by whom", ("by whom was it built",)),
        ("Who owns it and since when?", "Who owns it", "since when", ()),
        ("Which ships, and when were they built?", "Which ships", "when were they built", ()),
        ("the harbours, with their depths", "the harbours", "what are their depths", ()),
        ("list the name and age of all captains", "list the name of all captains", "list the age of all captains", ()),
    ],
)  # fmt: skip
def test_a_question_is_taken_apart_where_it_asks_two_things(
    question: str, first: str, second: str, written_out: tuple[str, ...]
) -> None:
    parts = next(iter(parts_of(question)))
    assert (parts.first, parts.second, parts.written_out) == (first, second, written_out)


@pytest.mark.parametrize(
    "question",
    ["Which ships were built in 1994?", "ships and boats in Oslo", "Is there a ferry, and which one?"],
)  # fmt: skip
def test_a_question_that_asks_one_thing_is_not_taken_apart(question: str) -> None:
    assert not asks_twice(question)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Sorry, I meant the Heron. Who commands it?", "Who commands the Heron"),
        ("No wait, I meant Oslo. Which ships sail from there?", "Which ships sail from Oslo"),
        ("I meant the Heron.", "I meant the Heron."),
        ("Who commands it?", "Who commands it?"),
    ],
)
def test_what_was_meant_is_put_into_the_question_behind_it(question: str, asked: str) -> None:
    assert asked_of_another(question, lambda word: word in KINDS).replace("in Oslo", "Oslo") == asked


def test_what_stands_beside_an_answer_can_be_referred_to() -> None:
    step = Step("STUDIED_AT", True, "School")
    ada = Nodes("Person", (Entity("p1", "Ada", "Person"),))
    form = Form("nodes", ada, columns=(Value("name", None, Link((step,), Nodes("School")), kind="text"),))
    assert spoken_sets(form)[-1] == Nodes("School", links=(Link((step.back("Person"),), ada),))
