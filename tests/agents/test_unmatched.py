"""Names and words of a question that the graph does not have, and what an answer says of its certainty."""

from __future__ import annotations

import string
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clew.agents.answering.explanation import doubt, listed, of_unmatched
from clew.agents.answering.reasoner import best_attempt
from clew.agents.answering.unmatched import Vocabulary, unmatched_in
from clew.agents.evidence import PASSAGE, Attempt, Findings
from clew.agents.planning.clauses import Description
from clew.agents.traits import Traits
from clew.graphs.strategies.registry import REGISTRY
from clew.tools.graph.entity import Candidate, Entity, Matcher, Mention
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import FREE, light, tokens

SCHEMA = {"directed": 1.0, "capital": 1.0, "state": 1.0, "films": 1.0, "people": 0.9, "labelled": 0.86, "phd": 0.6}
TRAITS: Traits = REGISTRY


def vocabulary(*near: str, texts: str = "") -> Vocabulary:
    """The words of SCHEMA; names that are similar to everything; and what stands in texts."""

    def unmatched(question: str, mentions: Any) -> list[Token]:
        spans = [(m.start, m.end) for m in mentions]
        known = FREE | QUESTION_WORDS | light() | {word for word, cosine in SCHEMA.items() if cosine > 0.95}
        free = [t for t in tokens(question) if not any(t.start < end and t.end > start for start, end in spans)]
        return [t for t in free if t.quoted or t.text not in known]

    def nearness(asked: Any) -> list[float]:
        return [max((SCHEMA.get(word, 0.3) for word in text.split()), default=0.0) if " " not in text
                else min(SCHEMA.get(word, 0.3) for word in text.split()) for text in asked]  # fmt: skip

    similar = [Candidate(Entity(name, name, "Film"), 0.9, "fuzzy", name) for name in near]
    return Vocabulary(unmatched, nearness, lambda _: similar, lambda word: word in texts)


def mention(question: str, text: str, *candidates: Candidate) -> Mention:
    start = question.index(text)
    return Mention(start, start + len(text), text, candidates)


def candidate(name: str, score: float = 1.0, matcher: Matcher = "exact") -> Candidate:
    return Candidate(Entity(name, name, "City"), score, matcher, name)


def attempt(confidence: float, *anchors: str, **more: Any) -> Attempt:
    made: dict[str, Any] = {
        "strategy": "cypher", "iteration": 1, "rank": 0, "words": "words", "cypher": "", "parameters": {},
        "confidence": confidence, "anchors": [{"id": a, "name": a, "label": "City"} for a in anchors],
        "answers": [{"id": "x", "name": "x", "label": "", "support": 1}], "truncated": False, "ms": 0.0,
    }  # fmt: skip
    return Attempt(**{**made, **more})  # type: ignore[typeddict-item]


def said(question: str, best: Attempt | None = None, *mentions: Mention, words: Vocabulary | None = None) -> list[Any]:
    found = unmatched_in(Findings(question, mentions), best, words or vocabulary())
    return [(each["kind"], each["text"], each["near"]) for each in found]


def test_a_capitalised_or_quoted_name_that_no_node_has_is_told() -> None:
    assert said("Who directed Zorblax?") == [("name", "Zorblax", [])]
    assert said("Who directed 'zed quibble'?") == [("name", "zed quibble", [])]
    assert said("who directed Leopold Winterbottom 5.0?", attempt(0.99)) == [("name", "Leopold Winterbottom 5.0", [])]
    assert said("who directed zorblax") == [("name", "zorblax", [])]
    assert said("people directed by zorblax quimby") == [("name", "zorblax quimby", [])]
    assert said("which zorblax directed films") == []  # a noun or an adjective
    assert said("people directed by filmms") == []  # a misspelt word
    assert said("Who directed Zorblax?", words=vocabulary("Zorba")) == [("name", "Zorblax", ["Zorba"])]


def test_a_title_belongs_to_the_name_behind_it() -> None:
    assert said("films that Dr. Harrington directed") == [("name", "Dr. Harrington", [])]


def test_words_of_the_schema_months_and_linked_names_are_no_unknown_names() -> None:
    assert said("Which PhD people directed films in June?", attempt(0.9)) == []
    question = "Who directed Alien?"
    assert said(question, attempt(0.9, "Alien"), mention(question, "Alien", candidate("Alien"))) == []


def test_a_name_that_stands_in_a_text_is_known() -> None:
    assert said("Who directed Zorblax?", words=vocabulary(texts="zorblax was a hoax")) == []
    passage: Any = {"head": {}, "relation": "text", "tail": {"id": "p", "name": "Zorblax, a hoax", "label": PASSAGE}}
    assert unmatched_in(Findings("Who directed Zorblax?", evidence={"p": passage}), None, vocabulary()) == []


def test_what_the_schema_lacks_may_be_in_a_passage() -> None:
    question = "what is the phone number"
    assert said(question) == [("schema", "phone number", [])]
    passage: Any = {"head": {}, "relation": "text", "tail": {"id": "p", "name": "Call 555.", "label": PASSAGE}}
    assert unmatched_in(Findings(question, evidence={"p": passage}), None, vocabulary()) == []


def test_a_name_that_is_spelled_otherwise_is_told_but_a_typing_error_is_not() -> None:
    question = "what is the capital of Atlantis"
    atlantis = mention(question, "Atlantis", candidate("atlanta", 0.66, "fuzzy"))
    assert said(question, attempt(0.9, "atlanta"), atlantis) == [("name", "Atlantis", ["atlanta"])]
    assert said(question, attempt(0.9), atlantis) == []  # the answer does not rest on it
    question = "who directed Heet"
    assert said(question, attempt(0.9, "Heat"), mention(question, "Heet", candidate("Heat", 0.7, "fuzzy"))) == []
    question = "who directed Quentin Tarentino"
    near = mention(question, "Quentin Tarentino", candidate("Quentin Tarantino", 0.89, "fuzzy"))
    assert said(question, attempt(0.9, "Quentin Tarantino"), near) == []


def test_what_a_question_asks_for_is_told_if_the_schema_lacks_it() -> None:
    question = "what is the phone number of texas"
    texas = mention(question, "texas", candidate("texas"))
    assert said(question, attempt(0.5, "texas"), texas) == [("schema", "phone number", [])]
    assert said(question, attempt(0.7, "texas"), texas) == []  # it is sure
    question = "what is the capital of texas by plane"
    assert said(question, attempt(0.5, "texas"), mention(question, "texas", candidate("texas"))) == []
    assert said("issues labelled debt", attempt(0.5)) == []  # one of the words is near the schema


def test_texts_that_the_user_searches_need_not_have_the_question_s_words() -> None:
    def searched(question: str) -> list[str]:
        found = unmatched_in(Findings(question), attempt(0.4), vocabulary(), by_texts=True)
        return [each["text"] for each in found]

    for question in ("what is the phone number", "films made by zorblax"):
        assert said(question, attempt(0.4)) != []
        assert searched(question) == []
    assert searched("films made by Zorblax") == ["Zorblax"]


def test_words_of_a_description_are_no_names_unless_nothing_else_of_it_needs_the_texts() -> None:
    def left(question: str, asked: str | None = None, *, anything: bool = False) -> list[str]:
        noun = next((token for token in tokens(question) if token.text == asked), None)
        start = noun.end if noun is not None else 0
        described = Description(noun, anything, ((start, len(question)),))
        found = unmatched_in(Findings(question), attempt(0.4), vocabulary(), description=described)
        return [each["text"] for each in found]

    assert said("films about poisoned pollinators", attempt(0.4)) == [("name", "pollinators", [])]
    assert left("films by poisoned pollinators", "films") == []
    assert left("films directed by pollinators", "films") == ["pollinators"]  # "directed" is a relation
    assert left("films by poisoned Zorblax", "films") == ["Zorblax"]
    assert left("films by poisoned 'zed quibble'", "films") == ["zed quibble"]
    assert left("suggest films that shine", "films") == []
    assert left("suggest gadgets that shine", "gadgets") == ["gadgets"]
    assert left("suggest anything that shines") == ["suggest"]
    assert left("suggest anything that shines", anything=True) == []


def test_nothing_is_said_of_the_schema_if_the_question_could_not_be_read() -> None:
    late: Any = {"step": "read", "iteration": 1, "kind": "TimeoutError", "message": "late"}
    findings = Findings("what is the phone number", errors={"read/1": late})
    assert unmatched_in(findings, None, vocabulary()) == []
    assert (
        len(unmatched_in(Findings("what is the phone number of Zorblax", errors={"read/1": late}), None, vocabulary()))
        == 1
    )


@given(st.sampled_from(["kettle", "umbrella", "batteries", "walked", "greatest", "knitting"]) | st.text(string.digits))
def test_words_of_the_language_in_lower_case_are_never_unknown_names(word: str) -> None:
    assert all(kind == "schema" for kind, *_ in said(f"who directed {word} and films", attempt(0.4)))


@given(st.text(string.ascii_lowercase, min_size=5, max_size=12).filter(lambda word: f"xq{word}" not in SCHEMA))
def test_every_invented_capitalised_name_is_told(word: str) -> None:
    name = f"Xq{word}"
    assert said(f"who directed {name}", attempt(0.99)) == [("name", name, [])]


def test_sentences_of_what_is_not_there() -> None:
    found = Findings("")
    name: Any = {"kind": "name", "text": "Zorblax", "near": ["Zorba"]}
    assert of_unmatched([name], found).startswith("The graph has no node named “Zorblax”. Did you mean “Zorba”?")
    schema: Any = {"kind": "schema", "text": "phone number", "near": []}
    assert of_unmatched([schema], found).startswith("Nothing in the graph's schema matches “phone number”.")


def test_only_an_unsure_answer_has_doubt() -> None:
    assert doubt(("foo",), 3, sure=True, answered=True) == ""
    assert doubt((), 3, sure=False, answered=True) == "I am not sure. Did you mean:"
    assert doubt(("foo",), 1, sure=False, answered=True) == "I am not sure. I cannot explain: “foo”."
    assert doubt((), 0, sure=False, answered=False) == ""
    assert doubt((), 1, sure=False, answered=False) == "Did you mean:"


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True), st.integers(0, 9), st.booleans())
def test_answers_in_words_name_the_first_and_count_the_rest(names: list[str], others: int, more: bool) -> None:
    told = listed(names, len(names) + others, more=more)
    assert told.startswith(names[0])
    assert ("more" in told) == (others > 0 or more)
    assert str(others) in told or not others


def test_nothing_is_better_than_an_unsure_answer_that_leaves_words_out() -> None:
    nothing = attempt(0.01, answers=[], none=True, strategy="read")
    unsure = attempt(0.5, unexplained=["married"])
    assert best_attempt([unsure, nothing], TRAITS) is nothing
    assert best_attempt([attempt(0.5), nothing], TRAITS) != nothing
    assert best_attempt([attempt(0.8, unexplained=["married"]), nothing], TRAITS) != nothing
    assert best_attempt([{**unsure, "chosen": True}, nothing], TRAITS) != nothing


def test_what_the_question_names_is_no_answer_to_it() -> None:
    echo = attempt(0.5, "x", unexplained=["capital"])
    path = attempt(0.4, strategy="paths", answers=[{"id": "y", "name": "y", "label": "", "support": 1}])
    assert best_attempt([echo, path], TRAITS) is path
    assert best_attempt([{**echo, "unexplained": []}, path], TRAITS) != path
    assert best_attempt([echo], TRAITS) is echo


def test_words_that_join_or_measure_stand_for_nothing() -> None:
    for question in ("vs in total", "kilos in total", "between in total"):
        assert unmatched_in(Findings(question), attempt(0.2), vocabulary()) == [], question


def test_a_name_that_the_reading_explains_is_none_of_the_unknown_ones() -> None:
    findings = Findings("ports of Zorblaxia")
    assert [each["text"] for each in unmatched_in(findings, attempt(0.7), vocabulary())] == ["Zorblaxia"]
    assert unmatched_in(findings, attempt(0.7, unexplained=[]), vocabulary()) == []


def test_the_title_of_a_linked_name_is_no_name() -> None:
    question = "How many people has Mrs Ulm in total?"
    linked = mention(question, "Ulm", candidate("Ulm"))
    assert unmatched_in(Findings(question, [linked]), attempt(0.2, "Ulm"), vocabulary()) == []
