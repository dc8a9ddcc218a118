"""Follow-up questions: what they take from the conversation, and what they leave alone."""

from __future__ import annotations

import pytest

from clew.agents.kinds import label_kind, names_label, singular
from clew.agents.linking.follow_ups import PastTurn, Resolution, resolve
from clew.tools.graph.entity import Candidate, Entity, Mention


def thing(name: str, label: str) -> Entity:
    return Entity(f"{label}:{name}", name, label)


INCEPTION, TENET = thing("Inception", "Film"), thing("Tenet", "Film")
ALIEN, ALIENS, BRAZIL = thing("Alien", "Film"), thing("Aliens", "Film"), thing("Brazil", "Country")
NOLAN, SPIELBERG = thing("Christopher Nolan", "Person"), thing("Steven Spielberg", "Person")
LONDON, THRILLER = thing("London", "City"), thing("thriller", "Genre")
KNOWN = [INCEPTION, TENET, ALIEN, ALIENS, BRAZIL, NOLAN, SPIELBERG, LONDON]


def find(text: str) -> list[Mention]:
    found: list[Mention] = []
    for entity in sorted(KNOWN, key=lambda e: -len(e.name)):
        start = text.find(entity.name)
        end = start + len(entity.name)
        if start >= 0 and not any(m.start < end and start < m.end for m in found):
            found.append(Mention(start, end, entity.name, (Candidate(entity, 1.0, "exact", entity.name),)))
    return found


def turn(question: str, *answers: Entity) -> PastTurn:
    return PastTurn(question, tuple(find(question)), answers)


DIRECTOR = turn("Who directed Inception?", NOLAN)
FILMS = turn("Which films did Christopher Nolan direct?", INCEPTION, TENET)
GENRE = turn("What genre is Inception?", THRILLER)
BORN = turn("Where was Christopher Nolan born?", LONDON)


def asked(question: str, *turns: PastTurn) -> Resolution:
    resolution = resolve(question, turns, find)
    for given in resolution.given:
        text = resolution.question[given.start : given.end]
        assert text.startswith(given.entities[0].name), "a span stands where its name was written"
    return resolution


@pytest.mark.parametrize(
    ("question", "turns", "expected"),
    [
        ("And who wrote it?", [DIRECTOR], "And who wrote Inception?"),
        ("When was he born?", [DIRECTOR], "When was Christopher Nolan born?"),
        ("What other films did he direct?", [DIRECTOR], "What other films did Christopher Nolan direct?"),
        ("What is his birthplace?", [DIRECTOR], "What is Christopher Nolan's birthplace?"),
        ("Which films star her?", [DIRECTOR], "Which films star Christopher Nolan?"),
        ("when was that film released?", [DIRECTOR], "when was Inception released?"),
        ("who acted in the movie?", [DIRECTOR], "who acted in Inception?"),
        ("Where was the director born?", [DIRECTOR], "Where was Christopher Nolan born?"),
        ("who directed it?", [GENRE], "who directed Inception?"),
        ("Who directed it?", [turn("What is the sequel of Alien?", ALIENS)], "Who directed Aliens?"),
        ("who was born there?", [BORN], "who was born in London?"),
        ("When were they released?", [FILMS], "When were Inception and Tenet released?"),
        ("who acted in those movies?", [FILMS], "who acted in Inception and Tenet?"),
        ("what are their genres?", [FILMS], "what are Inception and Tenet's genres?"),
        ("who wrote the second one?", [FILMS], "who wrote Tenet?"),
        ("who wrote the last one?", [FILMS], "who wrote Tenet?"),
        ("Where was he born?", [FILMS], "Where was Christopher Nolan born?"),
        ("what about Alien?", [DIRECTOR], "Who directed Alien?"),
        ("And Aliens?", [DIRECTOR], "Who directed Aliens?"),
        ("how about Steven Spielberg?", [FILMS], "Which films did Steven Spielberg direct?"),
        ("and in 2012?", [turn("Which films came out in 2011?", INCEPTION)], "Which films came out in 2012?"),
        ("And when?", [BORN], "When was Christopher Nolan born?"),
        ("and the budget?", [DIRECTOR], "the budget of Inception?"),
        ("And who acted in?", [DIRECTOR], "who acted in Inception?"),
        ("And who wrote it?", [DIRECTOR, turn("What is 6 times 7?")], "And who wrote Inception?"),
    ],
)
def test_a_follow_up_is_written_out(question: str, turns: list[PastTurn], expected: str) -> None:
    resolution = asked(question, *turns)
    assert resolution.question == expected
    assert resolution.rule


@pytest.mark.parametrize(
    "question",
    [
        "Who directed It?",
        "Which film has the highest rating?",
        "Who wrote Alien and when was it released?",
        "What did Steven Spielberg and his wife produce?",
        "is there a film set in Brazil?",
        "Who directed the film Alien?",
        "Which films that Steven Spielberg directed are set in Brazil?",
    ],
)
def test_a_question_that_stands_by_itself_is_left_alone(question: str) -> None:
    assert asked(question, DIRECTOR) == Resolution(question)


def test_without_a_conversation_nothing_changes() -> None:
    assert asked("Who wrote it?") == Resolution("Who wrote it?")


def test_a_name_beside_the_pronoun_is_kept() -> None:
    question = asked("is there a film by Steven Spielberg with him?", DIRECTOR).question
    assert question == "is there a film by Steven Spielberg with Christopher Nolan?"


def test_they_stands_for_all_answers_together() -> None:
    (given,) = asked("When were they released?", FILMS).given
    assert (given.entities, given.together) == ((INCEPTION, TENET), True)


def test_many_answers_are_counted_instead_of_written() -> None:
    films = [thing(f"Film {i}", "Film") for i in range(15)]
    resolution = asked("When were they released?", turn("Which films did Christopher Nolan direct?", *films))
    assert resolution.question == "When were Film 0, Film 1, Film 2 and 7 more released?"
    assert len(resolution.given[0].entities) == 10


def test_where_several_fit_the_choice_is_left_open() -> None:
    (given,) = asked("who directed it?", GENRE).given
    assert given.entities == (INCEPTION, THRILLER)
    assert not given.together


def test_labels_that_say_nothing_leave_it_to_the_question_word() -> None:
    ann, bob = thing("Ann", "Entity"), thing("Bob", "Entity")
    question = "Who is the spouse of Ann?"
    candidates = (Candidate(ann, 1.0, "exact", "Ann"),)
    past = PastTurn(question, (Mention(21, 24, "Ann", candidates),), (bob,))
    assert asked("Where was he born?", past).question == "Where was Bob born?"


def test_nearer_turns_come_first() -> None:
    question = asked("And who wrote it?", DIRECTOR, turn("Who directed Alien?", thing("Ridley Scott", "Person")))
    assert question.question == "And who wrote Alien?"


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Person", "person"),
        ("FilmDirector", "person"),
        ("MOVIE", "thing"),
        ("release_year", "value"),
        ("Xyz", "unknown"),
    ],
)
def test_labels_have_kinds(label: str, kind: str) -> None:
    assert label_kind(label) == kind


def test_nouns_name_labels() -> None:
    assert names_label("movies", "Film")
    assert names_label("director", "Person")
    assert not names_label("city", "Film")
    assert [singular(w) for w in ("cities", "series", "people", "movies", "glass")] == [
        "city", "series", "person", "movie", "glass"
    ]  # fmt: skip
