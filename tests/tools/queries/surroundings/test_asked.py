"""Which questions ask in general words for what surrounds nodes, and which have a word of their own."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.lexical import tokens
from clew.tools.queries.surroundings.asked import Asked, GraphWords, surroundings_asked

NODES = [
    Entity("p1", "Ann Lee", "Person"),
    Entity("p2", "Bob Ray", "Person"),
    Entity("p3", "Eve Fox", "Person"),
    Entity("f1", "Heat", "Film"),
]
LABELS = {
    word: [(label, 0.0)]
    for label, words in {
        "Person": ("person", "people"),
        "Film": ("film", "films"),
        "Studio": ("studio", "studios"),
    }.items()
    for word in words
}
NOWHERE = {"deadline", "gossip", "festival"}
"""Words that name nothing in the graph."""
RELATIONS = ["acted", "in", "directed"]


def asked(question: str, schema_words: list[str] = RELATIONS) -> Asked | None:
    mentions = []
    for node in NODES:
        if (start := question.find(node.name)) >= 0:
            found = (Candidate(node, 1.0, "exact", node.name),)
            mentions.append(Mention(start, start + len(node.name), node.name, found))
    mentions.sort(key=lambda each: each.start)
    nothing = [token.start for token in tokens(question) if token.text in NOWHERE]
    words = GraphWords(LABELS, frozenset({"Person"}), lambda: schema_words, lambda: nothing)
    return surroundings_asked(question, mentions, words)


def named(found: Asked | None) -> list[str]:
    assert found is not None
    return [node.name for name in found.named for node in name]


@pytest.mark.parametrize(
    "question",
    [
        "Ann Lee",
        "who is Ann Lee?",
        "so who's Ann Lee, please?",
        "Tell me about Ann Lee.",
        "could you tell me everything you know about the person Ann Lee?",
        "what do we have on Ann Lee",
        "give me a short summary of Ann Lee",
        "Ann Lee - what do we know?",
        "fill me in on Ann Lee would you",
        "explain who Ann Lee is",
        "look up Ann Lee for me",
        "Ann Lee's profile",
    ],
)
def test_a_description_is_asked_for(question: str) -> None:
    found = asked(question)
    assert found is not None
    assert (found.kind, named(found), found.phrase) == ("description", ["Ann Lee"], None)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("how are Ann Lee and Bob Ray connected?", "way"),
        ("what links Ann Lee to Bob Ray", "way"),
        ("Show me the shortest path from Ann Lee to Bob Ray, please.", "way"),
        ("how do I get from Ann Lee to Bob Ray in the graph?", "way"),
        ("what does Ann Lee have to do with Bob Ray?", "way"),
        ("I'd like to know how Ann Lee and Bob Ray are related. What is the connection between the two?", "way"),
        ("is Ann Lee connected to Bob Ray in any way?", "whether"),
        ("any connection between Ann Lee and Bob Ray?", "whether"),
        ("can you get from Ann Lee to Bob Ray?", "whether"),
        ("would you say Ann Lee and Bob Ray are linked", "whether"),
        ("how many steps are there between Ann Lee and Bob Ray?", "steps"),
        ("how far apart are Ann Lee and Bob Ray, counted in hops?", "steps"),
        ("what do Ann Lee and Bob Ray have in common?", "shared"),
        ("Ann Lee and Bob Ray - common ground?", "shared"),
    ],
)
def test_a_relation_of_two_nodes_is_asked_for(question: str, kind: str) -> None:
    found = asked(question)
    assert found is not None
    assert (found.kind, named(found), found.labels) == (kind, ["Ann Lee", "Bob Ray"], ())


@pytest.mark.parametrize(
    ("question", "kind", "labels", "number"),
    [
        ("what is linked to Ann Lee?", "neighbours", (), 1),
        ("who is associated with Heat", "neighbours", ("Person",), 1),
        ("who or what is connected to Heat?", "neighbours", (), 1),
        ("list all the films Ann Lee has something to do with", "neighbours", ("Film",), 1),
        ("films like Heat", "similar", ("Film",), 1),
        ("who is most similar to Ann Lee?", "similar", ("Person",), 1),
        ("anything like Heat?", "similar", (), 1),
        ("which films do Ann Lee and Bob Ray share?", "shared", ("Film",), 1),
        ("which film connects Ann Lee and Bob Ray?", "way", ("Film",), 1),
        ("who is the best connected person?", "hub", ("Person",), 1),
        ("the top 3 films by number of connections", "hub", ("Film",), 3),
        ("which node has the most links?", "hub", (), 1),
        ("rank the two most central studios", "hub", ("Studio",), 2),
    ],
)
def test_a_kind_of_node_is_asked_for(question: str, kind: str, labels: tuple[str, ...], number: int) -> None:
    found = asked(question)
    assert found is not None
    assert (found.kind, found.labels, found.number) == (kind, labels, number)


def test_a_difference_in_a_number_describes_nothing() -> None:
    assert asked("what is the difference in age between Ann Lee and Bob Ray?") is None
    assert asked("what is the difference between Ann Lee and Bob Ray?") is not None


def test_three_nodes_share_something_and_two_are_compared() -> None:
    assert named(asked("what do Ann Lee, Bob Ray and Eve Fox have in common?")) == ["Ann Lee", "Bob Ray", "Eve Fox"]
    found = asked("compare Ann Lee with Bob Ray")
    assert found is not None
    assert (found.kind, named(found)) == ("description", ["Ann Lee", "Bob Ray"])


@pytest.mark.parametrize(
    "question",
    [
        "who directed Heat?",
        "who does Ann Lee know?",
        "which films did Ann Lee act in?",
        "what is the runtime of Heat?",
        "how old is Ann Lee?",
        "how are Ann Lee and Zed Quibble connected?",
        "who did Ann Lee marry?",
        "who does Ann Lee like?",
        "who likes Heat?",
        "what share of Ann Lee does Bob Ray hold?",
        "how many relationships are there?",
        "did Ann Lee direct Heat?",
        "how many films has Ann Lee directed?",
        "which films were Ann Lee and Bob Ray in together?",
        "what does Ann Lee know about Heat?",
        "how far is it from Ann Lee to Bob Ray?",
        "the largest studio",
        "who is Ann Lee married to?",
        "what is Heat based on?",
    ],
)
def test_a_question_with_a_word_of_its_own_is_left_to_the_reader(question: str) -> None:
    assert asked(question) is None


def test_a_general_word_that_the_schema_has_is_its_own() -> None:
    question = "who is related to Ann Lee?"
    found = asked(question)
    assert found is not None
    assert found.kind == "neighbours"
    assert asked(question, ["related", "to"]) is None


@pytest.mark.parametrize("question", ["tell me about the director of Heat", "describe the oldest film"])
def test_what_is_described_may_be_said_in_words(question: str) -> None:
    found = asked(question)
    assert found is not None
    assert found.kind == "description"
    assert question[found.phrase :] in ("the director of Heat", "the oldest film")


@pytest.mark.parametrize(
    ("question", "kind", "passed_over"),
    [
        ("festival or no festival, how are Ann Lee and Bob Ray connected?", "way", ("festival", "festival")),
        ("how many steps from Ann Lee to Bob Ray, on deadline", "steps", ("deadline",)),
        ("some background on Ann Lee before the deadline", "description", ("deadline",)),
    ],
)
def test_words_that_name_nothing_are_passed_over(question: str, kind: str, passed_over: tuple[str, ...]) -> None:
    found = asked(question)
    assert found is not None
    assert (found.kind, found.passed_over) == (kind, passed_over)


@pytest.mark.parametrize(
    "question",
    [
        "which festival connects Ann Lee and Bob Ray?",  # The kind of thing that is asked for.
        "how are Ann Lee and Bob Ray connected by Deadline?",  # A name.
        "how are the films that Ann Lee directed connected to Bob Ray?",  # A relation.
        "tell me the gossip about Ann Lee",  # What is to be told.
    ],
)
def test_words_that_say_what_is_asked_are_not(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    ("question", "kind", "names"),
    [
        ("I like Ann Lee. Who is she?", "description", ["Ann Lee"]),
        ("Ann Lee, a lovely name! Do tell me more.", "description", ["Ann Lee"]),
        ("I met Ann Lee. What is she linked to?", "neighbours", ["Ann Lee"]),
        ("I know Ann Lee. How does she relate to Bob Ray?", "way", ["Ann Lee", "Bob Ray"]),
        ("My friends like Ann Lee and Bob Ray. What do they have in common?", "shared", ["Ann Lee", "Bob Ray"]),
    ],
)
def test_a_pronoun_stands_for_what_an_earlier_sentence_names(question: str, kind: str, names: list[str]) -> None:
    found = asked(question)
    assert found is not None
    assert (found.kind, named(found)) == (kind, names)


def test_a_word_for_a_label_is_no_name_that_has_it_as_a_part() -> None:
    nodes = [Entity("s1", "Elm Studio", "Studio"), Entity("s2", "Oak Studio", "Studio")]
    question = "which of the studios has the most connections?"
    parts = tuple(Candidate(node, 0.9, "partial", node.name) for node in nodes)
    found = surroundings_asked(question, [Mention(13, 20, "studios", parts)], GraphWords(LABELS))
    assert found == Asked("hub", labels=("Studio",))


def test_keywords_describe_a_thing_where_the_graph_has_them() -> None:
    found = asked("describe Heat")
    assert found is not None
    assert found.kind == "description"
    assert asked("describe Heat", ["has", "tags"]) is None


def test_what_somebody_has_is_no_description() -> None:
    assert asked("Have you got Ann Lee's deadline?") is None
    assert named(asked("have you got anything on Ann Lee")) == ["Ann Lee"]
    assert named(asked("tell me about Ann Lee's gossip")) == ["Ann Lee"]
