"""Spans of passages that answer a question: the kind that is asked for, the candidates, the choice."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.answer_spans.best_sentences import best_sentences
from clew.tools.answer_spans.candidates import candidates_in
from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.expected_answer import expected_answer
from clew.tools.answer_spans.name_kinds import people_odds
from clew.tools.answer_spans.question import NOTHING_BESIDE, Beside
from clew.tools.answer_spans.reader import AnswerSpan, listed_with, read
from clew.tools.answer_spans.reading import Reading
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.mentions.vocabulary import Vocabulary
from clew.tools.embedding import Embedder, MiniLM

LOG = Chunk(
    "log",
    "d",
    "Log of the Swallow",
    "Sailed from Lisbon on 4 March 1902 with a crew of thirty-one. The mate Piet Maas fell ill off Madeira, and "
    "twelve barrels of oil were lost. “Never again in winter,” said the cook, Anna Berg.",
)
HOUSE = Chunk("house", "d", "The house", "The house was built by Otto Rehn. It has nine rooms and cost 4,000 pounds.")
PRICES = Chunk("prices", "t", "Lamps", "lamp: Aurora; price: 45\nlamp: Boreal; price: 60", kind="table")
PASSAGES = (LOG, HOUSE, PRICES)


class Unlike:
    """Vectors of texts that have nothing to do with each other."""

    dimension = 4

    def embed(self, texts: list[str]) -> np.ndarray:  # type: ignore[type-arg]
        return np.zeros((len(texts), self.dimension), np.float32)


def rarity(term: str) -> float:
    held = sum(term in chunk.text.lower() for chunk in PASSAGES)
    return math.log(1 + (len(PASSAGES) - held + 0.5) / (held + 0.5))


def answered(question: str, beside: Beside = NOTHING_BESIDE) -> list[AnswerSpan]:
    embedder: Embedder = Unlike()  # type: ignore[assignment]
    corpus = Corpus(rarity)
    return read(Reading.of(question, PASSAGES, embedder, corpus, beside), corpus)


@pytest.mark.parametrize(
    ("question", "kind", "head"),
    [
        ("Who built the house?", "person", ()),
        ("Whom did Anna Berg marry?", "person", ()),
        ("When did the ship sail?", "time", ()),
        ("In what year was it built?", "time", ("year",)),
        ("Where was Piet Maas born?", "place", ()),
        ("How many barrels were lost?", "number", ("barrel",)),
        ("How heavy is the anchor?", "number", ()),
        ("What is the price of the Aurora lamp?", "number", ("pric",)),
        ("Which river runs through Lisbon?", "name", ("river",)),
        ("What did the cook say about the winter?", "quote", ()),
        ("Which line did the cook improvise?", "quote", ("lin",)),
        ("Why did the mate fall ill?", "text", ()),
        ("How do I clean the lamp?", "text", ()),
        ("What does the note say?", "quote", ()),
        ("What does the report say about the voyage?", "text", ()),
        ("What did the captain say about the report?", "quote", ()),
        ("What did the crew call the ship?", "name", ()),
        ("Tell me about the voyage", "text", ()),
        ("Is the anchor heavy?", "text", ()),
        ("release date of the log", "time", ()),
        ("name of the dog", "name", ()),
        ("location of the spare anchor", "place", ()),
        ("maximum load of the crane", "number", ()),
        ("spare anchor on the Swallow", "any", ()),
        ("What did the repair cost?", "number", ()),
        ("Which neighbour brought the rope?", "person", ("neighbour",)),
        ("Which of us has the key?", "any", ()),
    ],
)
def test_the_kind_that_a_question_asks_for(question: str, kind: str, head: tuple[str, ...]) -> None:
    asked = expected_answer(question)
    assert (asked.kind, asked.head) == (kind, head)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who built the house?", "Otto Rehn"),
        ("Who was the mate of the Swallow?", "Piet Maas"),
        ("When did the Swallow sail from Lisbon?", "4 March 1902"),
        ("How many barrels of oil were lost?", "twelve"),
        ("How many men were in the crew?", "thirty-one"),
        ("How many rooms does the house have?", "nine"),
        ("How much did the house cost?", "4,000 pounds"),
        ("What did the cook say?", "Never again in winter"),
        ("Where did the mate fall ill?", "Madeira"),
        ("What is the price of the Boreal lamp?", "60"),
    ],
)
def test_the_span_that_answers(question: str, answer: str) -> None:
    assert answered(question)[0].text == answer


def test_a_list_is_answered_as_a_whole() -> None:
    def listed(question: str) -> list[str]:
        embedder: Embedder = Unlike()  # type: ignore[assignment]
        corpus = Corpus(rarity)
        reading = Reading.of(question, [yard], embedder, corpus)
        found = read(reading, corpus)
        return [span.text for span in listed_with(found[0], found, reading.question.asked)]

    yard = Chunk("yard", "d", "", "The sisters Ida Holt, Ann Holt and Eva Ross ran the yard. Jon Bell paid all wages.")
    assert listed("Which sisters ran the yard?") == ["Ida Holt", "Ann Holt", "Eva Ross"]
    assert len(listed("Which sister ran the yard?")) == 1
    assert listed("Who paid the wages?") == ["Jon Bell"]


def test_a_name_that_no_passage_has_is_not_answered() -> None:
    assert answered("Who built Zorblax?") == []
    assert answered("When did Otto Rehn visit Zorblax?") == []


def test_what_the_question_says_is_not_its_answer() -> None:
    assert "Otto Rehn" not in {span.text for span in answered("Who is Otto Rehn's cook?")}


def test_what_the_graph_gives_stands_for_the_words_of_the_question() -> None:
    question = "How many rooms does the house have that the architect of the Rialto built?"
    assert answered(question) == []
    found = answered(question, Beside(("Otto Rehn",), left=("rooms", "house", "have")))
    assert found[0].text == "nine"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We slept at the Maid's Head.", {"Maid's Head": "name"}),
        ("It was won by Eva Ross of Bergen.", {"Eva Ross": "name", "Eva Ross of Bergen": "name"}),
        ("Biscuit, the dog, barks.", {"Biscuit": "name"}),
        ("It took 6 minutes 20 seconds.", {"6 minutes 20 seconds": "number", "6 minutes": "number"}),
        ("It opens on 4 March. Then it closes.", {"4 March": "time"}),
        (
            "It lies in the shelter by the rear entrance.",
            {"shelter": "phrase", "shelter by the rear entrance": "phrase"},
        ),
    ],
)
def test_candidates(text: str, found: dict[str, str]) -> None:
    made = candidates_in(Chunk("c", "d", "", text), Vocabulary.of([text]), ())
    assert found.items() <= {text[each.start : each.end]: each.kind for each in made}.items()


def test_a_long_cell_has_candidates_of_its_own() -> None:
    text = "drug: Edoxaban; advice: Take it within 12 hours or not at all"
    made = candidates_in(Chunk("c", "d", "", text, kind="table"), Vocabulary.of([text]), ())
    assert [text[c.start : c.end] for c in made if c.column == "advice" and c.kind == "number"] == ["12 hours"]


def test_sentences_follow_by_what_they_say_of_the_question() -> None:
    embedder: Embedder = Unlike()  # type: ignore[assignment]
    corpus = Corpus(rarity)
    asked = Reading.of("Why were barrels of oil lost off Madeira?", PASSAGES, embedder, corpus)
    assert best_sentences(asked)[0].text.startswith("The mate Piet Maas fell ill")
    assert best_sentences(Reading.of("Why do cats sleep?", PASSAGES, embedder, corpus)) == []


def test_names_of_people_are_told_by_vectors_of_one_model_only() -> None:
    embedder: Embedder = Unlike()  # type: ignore[assignment]
    assert people_odds(["Ann Lee"], embedder) == {}
    assert people_odds([], embedder) == {}
    odds = people_odds(["Hannah Cropper", "Fennimore Elastomers"], MiniLM())
    assert odds["Hannah Cropper"] > 1 > -1 > odds["Fennimore Elastomers"]


SAID = (
    "Anna Berg of the von 12 March 1902 “Quite so,” said thirty-one barrels, and $5 million. In New York; (E04) - "
    "Ærø 3.5 km 10.40 p.m. \n It cost 1,000 euros! Who? 7"
)
WORDS = st.lists(st.sampled_from(re.split(" ", SAID)), max_size=40)


@given(WORDS, st.sampled_from(("text", "table")))
def test_candidates_are_spans_of_their_text(words: list[str], kind: str) -> None:
    text = " ".join(words)
    chunk = Chunk("c", "d", "", text, kind=kind)  # type: ignore[arg-type]
    for candidate in candidates_in(chunk, Vocabulary.of([text]), ()):
        assert 0 <= candidate.start < candidate.end <= len(text)
        assert text[candidate.start : candidate.end].strip() == text[candidate.start : candidate.end]
        assert candidate.number_end <= candidate.end


@given(
    WORDS,
    st.sampled_from(("Who was it?", "When did Anna arrive?", "How many barrels?", "Which town lies in New York?")),
)
def test_an_answer_is_a_span_of_a_passage(words: list[str], question: str) -> None:
    chunk = Chunk("c", "d", "Anna", " ".join(words))
    embedder: Embedder = Unlike()  # type: ignore[assignment]
    corpus = Corpus(rarity)
    for span in read(Reading.of(question, [chunk, HOUSE], embedder, corpus), corpus):
        assert span.text == span.chunk.text[span.start : span.end] != ""
        assert span.chunk in (chunk, HOUSE)
        assert 0 <= span.confidence <= 1
