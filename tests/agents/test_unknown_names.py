"""Names that a graph does not have, and names that it nearly has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.verifying.unknown_names import is_like_names, is_near, sure_links, with_unknown_names
from clew.tools.graph.entity import Candidate, Entity, Mention

PEOPLE = {name: Entity(name, name, "Person") for name in ("Michael Mann", "Steven Spielberg", "Ridley Scott")}
SCHEMA = {"film", "director", "open"}


def partly(word: str) -> list[Entity]:
    return [entity for name, entity in PEOPLE.items() if word in name.lower().split()]


def mention(text: str, name: str) -> Mention:
    start = text.index(name)
    return Mention(start, start + len(name), name, (Candidate(PEOPLE[name], 1.0, "exact", name),))


def unknown(text: str, *linked: str) -> list[str]:
    """The names of a text that nothing in the graph has."""
    found = with_unknown_names(text, [mention(text, name) for name in linked], SCHEMA.__contains__, partly)
    return [each.text for each in found if not each.candidates]


@pytest.mark.parametrize(
    ("text", "linked", "names"),
    [
        ("Steven Spielberg was born in Atlantis", ["Steven Spielberg"], ["Atlantis"]),
        ("Heat was directed by Zed Quibble", [], ["Zed Quibble"]),
        ("Ridley Scott directed Zorblax", ["Ridley Scott"], ["Zorblax"]),
        ("Michael Mann Junction is a film", ["Michael Mann"], ["Michael Mann Junction"]),
        ("Ridley Spielberg directed the film", [], ["Ridley Spielberg"]),
        ("Ridley Scott is a director", ["Ridley Scott"], []),
        ("the film was directed by Dr. Mann", [], []),
        ("Ridley Scott directed the film in March 2001", ["Ridley Scott"], ["March"]),
    ],
)
def test_unknown_names(text: str, linked: list[str], names: list[str]) -> None:
    assert unknown(text, *linked) == names


def test_a_surname_may_be_anybody_who_has_it() -> None:
    found = with_unknown_names("the film was directed by Spielberg", [], SCHEMA.__contains__, partly)
    assert [[c.entity.name for c in each.candidates] for each in found] == [["Steven Spielberg"]]


@pytest.mark.parametrize(
    ("said", "name", "near"),
    [
        ("Stephen Spielburg", "Steven Spielberg", True),
        ("Micheal Mann", "Michael Mann", True),
        ("Michael Manning", "Michael Mann", False),
        ("Atlantis", "Atlanta", False),
        ("Sprint 99", "Sprint 49", False),
        ("Zed Quibble", "Zoe Quinn", False),
    ],
)
def test_misspellings(said: str, name: str, near: bool) -> None:
    assert is_near(said, name) is near


@given(st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=20))
def test_a_name_is_near_itself_and_far_from_a_longer_one(name: str) -> None:
    assert is_near(name, name)
    assert not is_near(name, f"{name} Quibble")


def test_far_candidates_are_no_links() -> None:
    far = Mention(0, 8, "Atlantis", (Candidate(Entity("1", "Atlanta", "City"), 0.76, "fuzzy", "Atlanta"),))
    assert sure_links([far]) == []


LINES = [Entity(name, name, "Line") for name in ("Red Line", "Blue Line", "Night Line", "Silver Arrow")]


@pytest.mark.parametrize(
    ("text", "alike"),
    [("Silver Line", True), ("Red Line", False), ("Line", False), ("Silver Arrow", False), ("Silver Arrows", False)],
)
def test_a_name_may_be_like_those_of_a_kind(text: str, alike: bool) -> None:
    def named(word: str) -> list[Entity]:
        return [each for each in LINES if word in each.name.lower().split()]

    assert is_like_names(text, named) is alike
    known = {"silver", "line", "red line"}
    found = with_unknown_names(f"The {text} is late", [], lambda phrase: phrase.lower() in known, named)
    assert any(text == each.text and not each.candidates for each in found) or not alike
