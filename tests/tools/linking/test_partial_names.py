"""Names as people write them: surnames, initials, nicknames, parts of titles, and words that are no names."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.linking.sentences import sentences
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.linking.mentions import find_mentions
from clew.tools.linking.ordinary import is_english
from clew.tools.linking.word_forms import nicknames, numerals, singulars

GRAPH = {
    "Person": "Tom Hanks;Colin Hanks;Stanley Kubrick;James Cameron;Steven Spielberg;Robert De Niro;Robert Redford;"
    "Francis Ford Coppola;Sofia Coppola;Billy Wilder;Sinéad O'Connor;Olga Winters;Jonathan Demme;Penélope Cruz",
    "Film": "The Shawshank Redemption;The Godfather;The Godfather Part II;Rocky;Rocky II;Kill Bill: Volume 2;Jaws;Heat;"
    "Sophie's Choice;The Pajama Game;Schindler's List;Kung Fu Panda;Kung Fu Panda 2;The Sting;The Sting II;"
    "Jurassic Park;Jurassic Park III;Back to the Future;Back to the Future Part II",
    "Character": "Scar;Yoda",
    "Book": "The Body",
    "City": "Seoul;Dallas;Boston",
    "Genre": "Western;Musical",
    "Dish": "kelp noodles",
    "Rating": "2;3",
}
CASES = {
    "films with Hanks": ["Colin Hanks", "Tom Hanks"],
    "films with hanks": ["Colin Hanks", "Tom Hanks"],
    "movies by kubrick": ["Stanley Kubrick"],
    "Kubrick's films": ["Stanley Kubrick"],
    "kubricks films": ["Stanley Kubrick"],
    "films by Kubrik": ["Stanley Kubrick"],
    "J. Cameron films": ["James Cameron"],
    "what did j cameron direct": ["James Cameron"],
    "films with Bob Redford": ["Robert Redford"],
    "films with bobby de niro": ["Robert De Niro"],
    "songs by s. o'connor": ["Sinéad O'Connor"],
    "films with Penelope": ["Penélope Cruz"],
    "Who is Mr. Spielberg?": ["Steven Spielberg"],
    "films by wilder": ["Billy Wilder"],
    "Wilder": ["Billy Wilder"],
    "who directed Shawshank": ["The Shawshank Redemption"],
    "who wrote shawshank redemption": ["The Shawshank Redemption"],
    "who directed sophie's": ["Sophie's Choice"],
    "who is in pajama game": ["The Pajama Game"],
    "who wrote kung fu panda two": ["Kung Fu Panda 2"],
    "who directed Rocky 2": ["Rocky II"],
    "who directed rocky two": ["Rocky II"],
    "who directed Kill Bill volume ii": ["Kill Bill: Volume 2"],
    "who was in the sting two": ["The Sting II"],
    "who directed Jurassic Park 3": ["Jurassic Park III"],
    "when did back to the future part two come out": ["Back to the Future Part II"],
    "who directed the sting": ["The Sting"],
    "who directed the Godfather sequel": ["The Godfather"],
    "list all westerns": ["Western"],
    "tell me about noodles": ["kelp noodles"],
    "What happened to the body?": ["The Body"],
    "is winters related to anything else": ["Olga Winters"],
    "reports to wilder": ["Billy Wilder"],
    # words of the language, and names that the graph does not have
    "How many Oscars did they win": [],
    "how many dollars did it make": [],
    "who walked on the moon": [],
    "who directed zorblax": [],
    "what did Tom Zorblaxian direct": [],
    "films by zorblax hanks": [],
    "the wilder parts of town": [],
    "how do I cook noodles": [],
    "list noodles": [],
    "tell me the noodles recipe": [],
    "how long does it take to wilder carrots": [],
    "we met on Monday": [],
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    return _index([(name, label) for label, names in GRAPH.items() for name in names.split(";")], tmp_path_factory)


def _index(named: Sequence[tuple[str, str]], factory: pytest.TempPathFactory | None = None) -> EntityIndex:
    folder = Path(tempfile.mkdtemp()) if factory is None else factory.mktemp("index")
    nodes = (IndexedNode(str(i), name, label, degree=i) for i, (name, label) in enumerate(named))
    return EntityIndex.build(nodes, folder, "1")


@pytest.mark.parametrize("question", CASES)
def test_what_is_named(index: EntityIndex, question: str) -> None:
    mentions = find_mentions(question, index, 5).mentions
    best = [sorted(c.entity.name for c in m.candidates if c.score >= m.candidates[0].score - 1e-6) for m in mentions]
    assert best == ([CASES[question]] if CASES[question] else [])


def test_a_shared_surname_is_ambiguous_and_the_node_with_more_relationships_first(index: EntityIndex) -> None:
    (mention,) = find_mentions("films with Coppola", index).mentions
    assert mention.ambiguous
    assert [c.entity.name for c in mention.candidates] == ["Sofia Coppola", "Francis Ford Coppola"]
    assert {c.matcher for c in mention.candidates} == {"partial"}


def test_a_whole_name_outranks_a_part_of_another(index: EntityIndex) -> None:
    (mention,) = find_mentions("who directed Rocky", index).mentions
    assert mention.candidates[0].entity.name == "Rocky"
    assert not mention.ambiguous


def test_ordinary_sentences_name_nothing(index: EntityIndex) -> None:
    linked = [sentence for sentence in sentences()[::5] if find_mentions(sentence, index).mentions]
    assert len(linked) <= 2, linked


SYLLABLES = [
    a + b for a in ("br", "z", "kl", "v", "dr", "g", "thr", "m") for b in ("ax", "ov", "ent", "ul", "iq", "orn")
]
made_up = st.lists(st.sampled_from(SYLLABLES), min_size=2, max_size=2).map(lambda parts: "".join(parts).capitalize())
people = st.lists(st.tuples(made_up, made_up), min_size=1, max_size=12, unique=True)


@settings(max_examples=40, deadline=None)
@given(people=people, capital=st.booleans())
def test_every_surname_links_to_all_its_bearers(people: list[tuple[str, str]], capital: bool) -> None:
    index = _index([(" ".join(person), "Person") for person in people])
    for _, surname in people:
        written = surname if capital else surname.lower()
        (mention,) = find_mentions(f"what do we know about {written}?", index, 50).mentions
        named = {c.entity.name for c in mention.candidates if c.score >= mention.candidates[0].score - 1e-6}
        assert {" ".join(person) for person in people if person[1] == surname} <= named
        assert all(surname in name.split() for name in named)
        assert mention.ambiguous == (len(named) > 1)


@settings(max_examples=40, deadline=None)
@given(titles=st.lists(st.lists(made_up, min_size=2, max_size=3).map(" ".join), min_size=1, max_size=8, unique=True))
def test_an_article_never_loses_a_link(titles: list[str]) -> None:
    index = _index([(title, "Film") for title in titles])
    for title in titles:
        for text in (title, title.split()[-1], title.lower(), title.split()[0].lower()):
            plain = find_mentions(f"who wrote {text}", index, 10).mentions
            with_article = find_mentions(f"who wrote the {text}", index, 10).mentions
            assert _linked(plain) <= _linked(with_article)


def _linked(mentions: Sequence[object]) -> set[str]:
    return {c.entity.id for mention in mentions for c in mention.candidates}  # type: ignore[attr-defined]


def test_forms_of_words() -> None:
    assert "robert" in nicknames("bob")
    assert "bob" in nicknames("robert")
    assert numerals("ii") == {"2", "two"}
    assert singulars("cities")[0] == "city"
    assert singulars("glass") == []
    assert is_english("batteries")
    assert is_english("quixotically")
    assert not is_english("jared")
    assert not is_english("kubrick")
