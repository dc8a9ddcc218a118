"""Follow-ups about two earlier turns, and about what an earlier turn chose, left out or named beside its answers."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.queries.follow_ups.origins import of_one_origin
from clew.tools.queries.follow_ups.others import of_the_same, the_whole
from clew.tools.queries.follow_ups.pairs import of_the_pair, pair_of, those_two
from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.pointed import with_one_pointed
from clew.tools.queries.follow_ups.readings import changed_form
from clew.tools.queries.follow_ups.reordering import reordered
from clew.tools.queries.follow_ups.same_question import asked_of_the_chosen, summed
from clew.tools.queries.follow_ups.wording import FollowUp, taken_apart
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Step, Value
from clew.tools.queries.reading.forms.form_words import words

HULL, YORK = Entity("h", "Hull Works", "Yard"), Entity("y", "York Works", "Yard")
TERN, GULL = Entity("t", "Tern", "Ship"), Entity("g", "Gull", "Ship")
BUILT = Step("BUILT_BY", True, "Yard")


def built(yard: Entity, *conditions: Condition) -> Nodes:
    return Nodes("Ship", (), conditions, (Link((BUILT,), Nodes("Yard", (yard,))),))


def turn(number: int, form: Form, text: str = "", **kept: object) -> PastReading:
    return PastReading(number, form, count=kept.pop("count", 1), text=text, **kept)  # type: ignore[arg-type]


def said(question: str) -> FollowUp:
    return taken_apart(question, lambda word: word in ("ship", "ships", "yard", "yards"))


COUNTED = [
    turn(1, Form("number", built(HULL), None, "count"), "how many ships did Hull Works launch?"),
    turn(2, Form("number", built(YORK), None, "count"), "York Works"),
]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("so which of the two launched more?", "Hull Works or York Works, by number of ships, highest first: 1"),
        ("who launched the fewest?", "Hull Works or York Works, by number of ships, lowest first: 1"),
        ("so what's the difference?",
         "Difference between number of ships built by York Works and number of ships built by Hull Works"),
        ("by how many?",
         "Difference between number of ships built by York Works and number of ships built by Hull Works"),
        ("and both together?", "Number of ships built by Hull Works or York Works"),
    ],
)  # fmt: skip
def test_two_turns_are_compared(question: str, says: str) -> None:
    (found,) = of_the_pair(said(question), COUNTED)
    assert words(found.reading.form) == says


@pytest.mark.parametrize("question", ["which of the two has more cranes?", "who owns them?", "which are the oldest?"])
def test_a_question_for_something_else_is_no_comparison_of_turns(question: str) -> None:
    assert of_the_pair(said(question), COUNTED) == []


def test_two_years_of_one_question_are_compared() -> None:
    years = [Condition(Predicate("launched", "=", year, "date"), property="launched") for year in ("2023", "2024")]
    past = [turn(i, Form("number", Nodes("Ship", (), (year,)), None, "count")) for i, year in enumerate(years, 1)]
    (found,) = of_the_pair(said("which of the two years was busier?"), past)
    form = found.reading.form
    assert (form.asks, form.group, form.period, form.best, form.limit) == ("groups", "launched", "year", "highest", 1)


def test_turns_that_ask_different_things_are_no_pair() -> None:
    owners = turn(2, Form("number", Nodes("Owner"), None, "count"))
    assert pair_of([COUNTED[0], owners]) is None
    assert pair_of([*COUNTED, owners]) == pair_of(COUNTED)


def test_those_two_are_what_two_turns_were_about() -> None:
    (both,) = those_two(said("which of those two is older?"), COUNTED)
    assert both.nodes == Nodes("Yard", (HULL, YORK))
    assert list(those_two(said("which is older?"), COUNTED)) == []


def test_what_else_is_related_as_the_one_that_was_named() -> None:
    maker = Nodes("Yard", (), (), (Link((Step("BUILT_BY", False, "Ship"),), Nodes("Ship", (TERN,))),))
    past = [turn(1, Form("nodes", maker), "who built the Tern?", answers=(HULL,))]
    (found,) = of_the_same(said("what else did they make?"), past, lambda noun, nodes: True)
    assert words(found.reading.form) == "Ships built by Hull Works except Tern"
    assert of_the_same(said("what else is known of the owner?"), past, lambda noun, nodes: True) == []


def test_all_of_them_are_asked_of_again() -> None:
    large = built(HULL, Condition(Predicate("length", ">", 50), property="length"))
    past = [
        turn(1, Form("nodes", built(HULL)), count=5),
        turn(2, Form("nodes", large), base=built(HULL), count=3),
        turn(3, Form("number", large, Value("crew"), "sum"), base=large),
    ]
    (found,) = the_whole(said("sorry, I meant all of the ships, not just the large ones"), past)
    assert words(found.reading.form) == "Total crew of ships built by Hull Works"


def test_what_was_asked_of_the_chosen_one_is_asked_of_another() -> None:
    order = Order(Value("price"), True)
    dearest = Form("nodes", Nodes("Ship", (), (), (), order))
    owner = Form("nodes", Nodes("Owner", (), (), (Link((Step("OWNS", True, "Ship"),), Nodes("Ship", (TERN,))),)))
    past = [turn(1, dearest, answers=(TERN,)), turn(2, owner)]
    cheapest = Form("nodes", Nodes("Ship", (), (), (), Order(Value("price"), False)))
    found = asked_of_the_chosen(changed_form(cheapest, "correct", 1, "", None), past)
    assert words(found.reading.form) == "Owners that own ships, by price, lowest first: 1"


def test_the_one_of_an_origin() -> None:
    lost = Nodes("Ship", (), (Condition(Predicate("fate", "=", "lost"), property="fate"),))
    link = Link((Step("BUILT_BY", False, "Ship"),), lost)
    form = Form("nodes", Nodes("Yard", (), (), (link,)), columns=(Value("name", None, link, kind="text"),))
    past = [turn(1, form, answers=(HULL, YORK), base=lost, count=2)]
    question, turns = of_one_origin("who commanded the hull works one?", past)
    assert question == "who commanded that one?"
    assert turns[-1].form is not None
    assert words(turns[-1].form) == "Ships built by Hull Works and with fate = lost"
    assert of_one_origin("who commanded the red one?", past) == ("who commanded the red one?", past)


def test_the_other_one_is_the_one_that_was_not_chosen() -> None:
    third = Entity("o", "Owl", "Ship")
    past = [
        turn(1, Form("nodes", Nodes("Ship")), answers=(TERN, GULL, third), count=3),
        turn(2, Form("nodes", built(HULL)), answers=(TERN, third), count=2),
    ]
    assert with_one_pointed("where is the other one?", past, lambda text: (), lambda word: False) == "where is Gull?"


def test_the_best_of_groups() -> None:
    counted = Link((Step("BUILT_BY", False, "Ship"),), Nodes("Ship"))
    past = [turn(1, Form("groups", Nodes("Yard"), Value(None, "count", counted)), count=4)]
    (most,) = reordered(said("so who has the most?"), past, lambda noun, nodes: True)
    (least,) = reordered(said("and who has the fewest?"), past, lambda noun, nodes: True)
    assert words(most.reading.form) == "Yards, by number of ships, highest first: 1"
    assert words(least.reading.form) == "Yards, by number of ships, lowest first: 1"


def test_how_much_that_is_of_several_is_a_sum() -> None:
    rents = Form("value", Nodes("Plot"), Value("rent", kind="number"))
    assert summed(rents, "how much rent is that", several=True).function == "sum"
    assert summed(rents, "how much rent is that") == rents


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("leave out the ones without a licence", "them with a licence"),
        ("leave out the ones that aren't active", "them that are active"),
        ("put them in order of length, longest first", "them with the highest length"),
        ("whats that in total", None),
        ("how many crew have they got between them?", "how many crew have them got in total"),
    ],
)
def test_what_is_said_otherwise(question: str, written: str | None) -> None:
    parts = said(question)
    assert written is None or written in {variant.text for variant in parts.variants}
    assert not parts.rest.lower().startswith("whats")
