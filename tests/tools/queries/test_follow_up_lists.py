"""Follow-ups about whole answers: what is in two of them, what is left out, another edition, a property asked anew."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.follow_ups.in_both import in_both
from clew.tools.queries.follow_ups.joined import joined
from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.pointed import with_one_pointed
from clew.tools.queries.follow_ups.same_question import summed, without_asked
from clew.tools.queries.follow_ups.two_in_one import asks_for_two, parts_of
from clew.tools.queries.follow_ups.wording import taken_apart
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Step, Value

WON = (Step("WON", True, "Prize"),)
GOLD, SILVER = (Entity(name, name, "Prize") for name in ("Gold Mask", "Silver Mask"))


def winners(prize: Entity) -> Nodes:
    return Nodes("Person", links=(Link(WON, Nodes("Prize", (prize,))),))


def turn(number: int, nodes: Nodes, *named: Entity, count: int = 4) -> PastReading:
    return PastReading(number, Form("nodes", nodes), count=count, named=named)


def is_kind(word: str) -> bool:
    return word in ("people", "prizes")


@pytest.mark.parametrize(
    "question",
    ["Who won both?", "Did anyone win both? Who?", "Is anyone on both lists?", "who is in both lists?"],
)
def test_what_stands_in_both_of_two_answers(question: str) -> None:
    past = [turn(1, winners(GOLD)), turn(2, winners(SILVER))]

    (found,) = in_both(taken_apart(question, is_kind), past)

    assert found.reading.form == Form("nodes", Nodes("Person", links=(*winners(GOLD).links, *winners(SILVER).links)))


def test_a_sorted_answer_stays_a_set_of_its_own() -> None:
    first = Nodes("Person", order=Order(Value("born"), False, 3))
    (found,) = in_both(taken_apart("Which ones are on both lists?", is_kind), [turn(1, first), turn(2, winners(GOLD))])

    assert found.reading.form.nodes.within == (first,)


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("Who won both?", Nodes("Prize")),  # Of another kind.
        ("Who won both?", Nodes("Person", links=(Link((Step("JUDGED", True, "Prize"),), Nodes("Prize")),))),
        ("Who directed both of the films?", Nodes("Film")),
        ("Who won it?", winners(SILVER)),
    ],
)
def test_other_questions_do_not_ask_for_what_is_in_both(question: str, last: Nodes) -> None:
    assert not list(in_both(taken_apart(question, is_kind), [turn(1, winners(GOLD)), turn(2, last)]))


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("leave out the retired ones", "without the retired ones"),
        ("leave the retired ones out", "without the retired ones"),
        ("exclude those made in Oslo", "without the ones made in Oslo"),
        ("minus the retired ones", "without the retired ones"),
        ("which of them got an A*?", "which of them got an A*"),
    ],
)
def test_what_is_left_out_is_what_a_set_is_without(question: str, rest: str) -> None:
    assert taken_apart(question, is_kind).rest == rest


def test_another_edition_is_called_by_its_year() -> None:
    known = {name: Entity(name, name, "Race") for name in ("Moor Prize (2021)", "Moor Prize (2012)")}
    past = [turn(1, winners(GOLD), known["Moor Prize (2021)"])]

    def find(text: str) -> list[Mention]:
        return [Mention(0, len(text), text, (Candidate(known[text], 1.0, "exact", text),))] if text in known else []

    assert with_one_pointed("sorry, I meant the 2012 race", past, find, is_kind) == "sorry, I meant Moor Prize (2012)"
    assert with_one_pointed("sorry, I meant the 2013 race", past, find, is_kind) == "sorry, I meant the 2013 race"


def test_a_property_that_is_asked_anew_is_no_condition() -> None:
    country = Condition(Predicate("country", "=", "Chile"), property="country")
    approvals = Nodes("Approval", conditions=(country,))

    assert without_asked(Form("value", approvals, Value("country"))).nodes == Nodes("Approval")
    assert without_asked(Form("value", approvals, Value("date"))).nodes == approvals


def test_what_numbers_add_up_to_is_their_sum() -> None:
    fees = Form("value", Nodes("Club"), Value("fee", kind="number"))

    assert summed(fees, "what do the fees of all five add up to").function == "sum"
    assert summed(fees, "what are the fees of all five") == fees


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("french oral: date and board", "date of french oral", "board of french oral"),
        ("Who played which part in Heat?", "Who played in Heat", "what part did they have in Heat"),
    ],
)
def test_two_things_are_asked_of_one_title(question: str, first: str, second: str) -> None:
    parts = next(iter(parts_of(question)))

    assert (parts.first, parts.second) == (first, second)


def test_a_value_of_a_relationship_stands_beside_what_it_leads_to() -> None:
    rovers = Nodes("Club", (Entity("c1", "Rovers", "Club"),))
    rival = Nodes("Club", links=(Link((Step("SPLIT_FROM", False, "Club"),), rovers),))
    year = Value("year", None, rival.links[0], "SPLIT_FROM")

    both = joined(Form("value", rival, year), Form("nodes", rival), (), lambda label: Value("name", kind="text"))

    assert both == Form("nodes", rival, columns=(year,))


@pytest.mark.parametrize(
    ("question", "two"),
    [
        ("When and where was she born?", True),
        ("In which year did they split, and from which club?", True),
        ("Which club has the most members, and how many?", False),
        ("The towns and villages in Kent", False),
    ],
)
def test_what_surely_asks_for_two_things(question: str, two: bool) -> None:
    assert asks_for_two(question) is two
