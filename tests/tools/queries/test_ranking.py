"""The ranker and its parts: lexicon, glosses, the reading of questions, and questions about an invented railway."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.cypher.quoting import quoted
from clew.tools.embedding import Embedder, MiniLM, Vectors
from clew.tools.errors import BadInput
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.graph.identifiers import bare_words, identifier_words
from clew.tools.graph.schema import Relation, Schema, introspect
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.linking.mentions import Linking, find_mentions
from clew.tools.queries.lexical import tokens
from clew.tools.queries.ranking.constraints import find_constraints
from clew.tools.queries.ranking.glosses import KIND_WORDS, Gloss, Glosses
from clew.tools.queries.ranking.lexicon import concepts, meaning
from clew.tools.queries.ranking.ranker import Ranker
from clew.tools.queries.ranking.reading import Reading, read
from clew.tools.queries.ranking.similarity import SchemaPhrases
from clew.tools.queries.space.moves import Moves
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.space import QuerySpace
from tests.tools.linking.letters import Letters
from tests.tools.queries.railway import NODES, index_railway, store_railway

# ---- lexicon --------------------------------------------------------------------------------------------------------

SHARED_FORMS = {
    "capital", "capital of", "contains", "country of origin", "established", "imported by", "location", "made from",
    "participants", "race", "route", "used by", "uses",
}  # fmt: skip
"""Forms that stand for more than one concept; the first in the file is meant."""


def all_forms() -> Iterator[tuple[str, str, str]]:
    for concept in concepts().values():
        for end, forms in concept.forms.items():
            for form in forms:
                yield form, concept.name, end


def test_the_lexicon_is_written_in_plain_lower_case() -> None:
    for concept in concepts().values():
        said = [*concept.forms.values(), *concept.phrases.values(), *concept.peers.values()]
        for text in (text for texts in said for text in texts):
            assert text == text.strip().lower() != ""
        for texts in said:
            assert len(set(texts)) == len(texts), concept.name
        assert all(concept.phrases.values())
        assert concept.forms["a"]
        assert set(concept.kinds.values()) <= {*KIND_WORDS, "thing"}


def test_a_form_stands_for_one_concept() -> None:
    meanings = defaultdict(set)
    for form, concept, end in all_forms():
        meanings[form].add((concept, end))
    assert {form for form, found in meanings.items() if len(found) > 1} <= SHARED_FORMS


def test_every_form_has_its_own_meaning() -> None:
    for form, concept, end in all_forms():
        found = meaning(form)
        assert found is not None
        if form not in SHARED_FORMS and bare_words(form) == tuple(form.split()):
            assert (found.concept.name, found.end) == (concept, end), form


MEANINGS = [
    ("directedBy", "direct", "a"),
    ("DIRECTED_BY", "direct", "a"),
    ("directed-by", "direct", "a"),
    ("film.directed_by", "direct", "a"),
    ("filmDirector", "direct", "a"),
    ("isDirectorOf", "direct", "b"),
    ("DIRECTED", "direct", "b"),
    ("has_author", "write", "a"),
    ("hasAuthor", "write", "a"),
    ("HAS_AUTHOR", "write", "a"),
    ("authorOf", "write", "b"),
    ("author_of", "write", "b"),
    ("WROTE", "write", "b"),
    ("wasBornIn", "birth_place", "a"),
    ("birthPlace", "birth_place", "a"),
    ("ACTED_IN", "act", "b"),
    ("starring", "act", "a"),
    ("suppliedBy", "supply", "a"),
    ("SUPPLIES", "supply", "b"),
    ("employeeOf", "employ", "a"),
    ("reports_to", "report", "a"),
    ("isOffspringOf", "parent", "a"),
    ("OFFSPRING", "parent", "b"),
    ("LOCATED IN", "located", "a"),
]


@pytest.mark.parametrize(("name", "concept", "end"), MEANINGS)
def test_identifiers_of_every_style_are_read(name: str, concept: str, end: str) -> None:
    found = meaning(name)
    assert found is not None
    assert (found.concept.name, found.end) == (concept, end)
    assert found.reversed().reversed() == found
    assert found.reversed().end != end
    assert found.phrases == concepts()[concept].phrases[found.end]
    assert found.kind == concepts()[concept].kinds[found.end]


@pytest.mark.parametrize("name", ["zorblax", "x123", "has", "", "___", "größe", "東京", "rollingStock"])
def test_other_identifiers_have_no_meaning(name: str) -> None:
    assert meaning(name) is None


@given(st.text(max_size=20))
def test_any_identifier_can_be_read(name: str) -> None:
    words = identifier_words(name)
    assert all(word == word.lower() and word.strip() for word in words)
    assert set(bare_words(name)) <= set(words)
    assert bool(bare_words(name)) == bool(words)
    meaning(name)


def test_identifier_words() -> None:
    assert identifier_words("isDirectorOf2Films") == ("is", "director", "of2", "films")
    assert identifier_words("HAS__PART-time job") == ("has", "part", "time", "job")
    assert bare_words("hasAnAuthor") == ("author",)
    assert bare_words("has") == ("has",)


# ---- glosses --------------------------------------------------------------------------------------------------------


def gloss_file(folder: Path, text: str | bytes) -> Path:
    path = folder / "glosses.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_gloss_file_adds_words(tmp_path: Path) -> None:
    glosses = Glosses.load(gloss_file(tmp_path, """
[ZORB]
forward = ["zorbs"]
backward = ["zorbed by", "zorber"]
answer = "place"

[SUPPLIES]
forward = ["hands out"]

[labels]
Ship = ["vessel of war"]
"""))  # fmt: skip
    assert glosses.relations["ZORB"] == Gloss(("zorbs",), ("zorbed by", "zorber"), "place")
    assert glosses.phrases("ZORB", forward=True) == ("zorbs", "zorb")
    assert glosses.phrases("ZORB", forward=False) == ("zorbed by", "zorber", "zorb of", "zorb")
    assert glosses.phrases("SUPPLIES", forward=True)[0] == "hands out"
    assert set(Glosses().phrases("SUPPLIES", forward=True)) < set(glosses.phrases("SUPPLIES", forward=True))
    assert glosses.label_phrases("Ship", None)[0] == "vessel of war"
    assert {"ship", "vessel"} <= set(glosses.label_phrases("Ship", None))
    assert glosses.kind("ZORB", forward=True) == "place"
    assert glosses.kind("ZORB", forward=False) is None


WRONG = [
    ("[A]\nforwards = ['x']", r"\[A\] may hold only answer, backward, forward"),
    ("A = 'x'", r"\[A\] may hold only"),
    ("[A]\nforward = 'x'", "A must be a list"),
    ("[A]\nbackward = ['x', 3]", "A must be a list"),
    ("[A]\nforward = ['x', ' ']", "A must be a list of non-empty"),
    ("[A]\nanswer = 'robot'", "answer = 'robot' is none of person"),
    ("[A]\nanswer = ['place']", r"answer = \['place'\] is none of person"),
    ("[labels]\nFilm = 'movie'", "labels.Film must be a list"),
    ("labels = 3", r"\[labels\]"),
    ("[A\n", r"line 1"),
    (b"\xff\xfe", "cannot be read"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_faulty_gloss_file_names_the_place(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        Glosses.load(gloss_file(tmp_path, text))
    assert "glosses.toml" in caught.value.message
    assert "docs/glosses.md" in caught.value.remedy


def test_the_documented_example_is_a_gloss_file(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "glosses.md").read_text(encoding="utf-8")
    examples = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert examples
    for example in examples:
        glosses = Glosses.load(gloss_file(tmp_path, example))
        assert glosses.relations
    for kind in KIND_WORDS:
        assert kind in page


def test_a_missing_gloss_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.toml"):
        Glosses.load(tmp_path / "nowhere.toml")


def test_words_without_a_gloss_file() -> None:
    glosses = Glosses()
    assert "who directed" in glosses.phrases("directed_by", forward=True)
    assert "films directed" in glosses.phrases("directed_by", forward=False)
    assert glosses.kind("directed_by", forward=True) == "person"
    assert glosses.sense("directed_by", forward=True) == glosses.sense("DIRECTED", forward=False)
    assert glosses.phrases("zorbs", forward=False) == ("zorbs of", "zorbs")
    assert glosses.sense("zorbs", forward=True) is None
    assert "co-star" in glosses.peer_phrases("ACTED_IN", forward=True) + glosses.peer_phrases("ACTED_IN", forward=False)
    assert "same zorbs" in glosses.peer_phrases("zorbs", forward=True)
    assert "movie" in glosses.label_phrases("Film", None)
    assert glosses.label_phrases("Entity", "person") == KIND_WORDS["person"]
    assert glosses.label_phrases("Entity", None) == ()


# ---- constraints ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    ["How many films are there?", "What is the number of films by X?", "Count the films", "the total number of trains"],
)
def test_counts(question: str) -> None:
    found = find_constraints(question, [])
    assert found.count is not None
    assert found.superlative is None
    assert found.count in found.spans


SUPERLATIVES = [
    ("the oldest film", False, "release year", False),
    ("which is the most recent film", True, "release year", False),
    ("the highest mountain", True, "elevation", False),
    ("the most expensive product", True, "price", False),
    ("who has the most awards", True, "awards", True),
    ("who has the fewest awards", False, "awards", True),
    ("who has the highest number of awards", True, "awards", True),
    ("the largest number of players", True, "players", True),
]


@pytest.mark.parametrize(("question", "descending", "name", "counted"), SUPERLATIVES)
def test_superlatives(question: str, descending: bool, name: str, counted: bool) -> None:
    found = find_constraints(question, []).superlative
    assert found is not None
    assert (found.descending, found.counted) == (descending, counted)
    assert name in found.names


NUMBERS = [
    ("films after 1990", [(">", 1990, "", True)]),
    ("films since 1990 by X", [(">=", 1990, "", True)]),
    ("Which films released in 1999 were directed by X?", [("=", 1999, "", True)]),
    ("released before 1950, when", [("<", 1950, "", True)]),
    ("hospitals with more than 1,200 beds", [(">", 1200, "beds", False)]),
    ("with at least 3 depots", [(">=", 3, "depots", False)]),
    ("at most 2.5 metres", [("<=", 2.5, "metres", False)]),
    ("no fewer than 4 platforms and under 9 trains", [(">=", 4, "platforms", False), ("<", 9, "trains", False)]),
    ("over 2000 seats", [(">", 2000, "seats", False)]),
    ("films between 1990 and 2000", [(">=", 1990, "", True), ("<=", 2000, "", True)]),
    ("hospitals with between 100 and 200 beds", [(">=", 100, "beds", False), ("<=", 200, "beds", False)]),
    ("films from 1990 to 2000 by X", [(">=", 1990, "", True), ("<=", 2000, "", True)]),
    ("nothing 12 here", []),
]


@pytest.mark.parametrize(("question", "expected"), NUMBERS)
def test_numbers(question: str, expected: list[tuple[str, float, str, bool]]) -> None:
    found = find_constraints(question, [])
    assert [(n.comparison, n.value, n.unit, n.is_year) for n in sorted(found.numbers, key=lambda n: n.span)] == expected
    assert found.superlative is None
    assert found.count is None


def test_what_a_number_is_compared_with_may_be_said_before_it() -> None:
    found = find_constraints("products with unitsInStock less than 15", [])
    assert found.numbers[0].before[-3:] == ("units", "in", "stock")


@pytest.mark.parametrize(
    "name", ["The Oldest Profession", "How Many Roads", "Most Wanted", "Friday after 1990", "The Number of Magic"]
)
def test_words_inside_a_name_do_not_count(name: str) -> None:
    question = f"who directed {name}"
    assert find_constraints(question, []).spans
    assert find_constraints(question, [(13, len(question))]).spans == []


# ---- reading --------------------------------------------------------------------------------------------------------


def reading_of(question: str, name: str, *masked: str) -> Reading:
    start = question.index(name)
    others = [(question.index(other), question.index(other) + len(other)) for other in masked]
    return read(question, start, start + len(name), others)


def test_words_to_either_side_of_the_mention() -> None:
    found = reading_of("Which country does the director of Blue Train come from?", "Blue Train")
    assert found.left == ("country", "director")
    assert found.right[0] == "come"
    assert found.asked == "country"
    assert found.fronted
    assert found.kinds is None
    assert not found.apposed


@pytest.mark.parametrize("apostrophe", ["'", "\u2019"])
def test_possessives_belong_to_no_word(apostrophe: str) -> None:
    found = reading_of(f"Who is Ada Brandt{apostrophe}s husband{apostrophe}s mother?", "Ada Brandt")
    assert found.right == ("husband", "mother")
    assert found.kinds is not None
    assert "person" in found.kinds
    assert [t.text for t in tokens(f"the O{apostrophe}Briens{apostrophe} dog")] == [
        "the",
        f"o{apostrophe}briens",
        "dog",
    ]


def test_a_noun_beside_the_name_is_an_apposition() -> None:
    assert reading_of("who directed the film Blue Train", "Blue Train").apposed
    assert not reading_of("who directed the film of Blue Train", "Blue Train").apposed
    assert not reading_of("Blue Train director", "Blue Train").apposed


def test_masked_words_are_not_read() -> None:
    found = reading_of(
        "Which trains on the Marsh Line did Corvane Works build?", "Corvane Works", "Marsh Line", "trains"
    )
    assert "trains" not in found.left
    assert not {"marsh", "line"} & {*found.left, *found.right}
    assert found.right == ("build",)


@pytest.mark.parametrize(
    ("question", "kind"), [("Who is X", "person"), ("when was X made", "time"), ("Where is X", "place")]
)
def test_who_when_and_where_ask_for_kinds(question: str, kind: str) -> None:
    assert kind in (reading_of(question, "X").kinds or ())


def test_orders_hold_every_word_once() -> None:
    found = reading_of("Which country does the famous director of Blue Train really come from?", "Blue Train")
    words = {("L", i) for i in range(len(found.left))} | {("R", i) for i in range(len(found.right))}
    orders = found.orders()
    assert len({tuple(order) for order in orders}) == len(orders) > 2
    for order in orders:
        assert set(order) == words
        assert len(order) == len(words)
        assert sorted(found.span(order).split()) == sorted([*found.left, *found.right])
    assert found.span([("L", 1), ("L", 0), ("R", 0)]) == f"{found.left[0]} {found.left[1]} {found.right[0]}"


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_any_text_can_be_read(question: str, start: int, length: int) -> None:
    found = read(question, start, start + length, [(0, 3)])
    assert all(set(order) == set(found.orders()[0]) for order in found.orders())
    spans = find_constraints(question, [(start, start + length)]).spans
    assert all(0 <= first < last <= len(question) for first, last in spans)


# ---- phrases of a schema --------------------------------------------------------------------------------------------

SCHEMA = Schema({"Film": 5, "Person": 9}, (Relation("DIRECTED_BY", "Film", "Person", 5),), (), "1")


class Refusing(Letters):
    """Embeds questions, but none of the schema's phrases."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        assert len(texts) < 3, "the vectors were kept"
        return super().embed(texts)


def test_phrase_vectors_are_kept_between_processes(tmp_path: Path) -> None:
    moves = Moves(SCHEMA)
    first = SchemaPhrases(moves, Glosses(), Letters(), tmp_path).compare(["who directed it"])
    again = SchemaPhrases(moves, Glosses(), Refusing(), tmp_path).compare(["who directed it"])
    np.testing.assert_array_equal(first.steps, again.steps)
    assert len(list(tmp_path.iterdir())) == 1
    assert first.steps.shape == (1, 2)
    assert first.pairs.shape == (1, 2)
    assert first.labels.shape == (1, 2)


def test_damaged_phrase_vectors_are_made_again(tmp_path: Path) -> None:
    moves = Moves(SCHEMA)
    first = SchemaPhrases(moves, Glosses(), Letters(), tmp_path).compare(["who directed it"])
    (kept,) = tmp_path.iterdir()
    for damage in (b"", b"\x93NUMPY damaged", kept.read_bytes()[:-4]):
        kept.write_bytes(damage)
        again = SchemaPhrases(moves, Glosses(), Letters(), tmp_path).compare(["who directed it"])
        np.testing.assert_array_equal(first.steps, again.steps)


def test_other_glosses_have_other_vectors(tmp_path: Path) -> None:
    moves, gloss = Moves(SCHEMA), Glosses({"DIRECTED_BY": Gloss(("helmed by",))})
    plain = SchemaPhrases(moves, Glosses(), Letters(), tmp_path).compare(["helmed by"])
    glossed = SchemaPhrases(moves, gloss, Letters(), tmp_path).compare(["helmed by"])
    assert glossed.steps.max() == pytest.approx(1)
    assert plain.steps.max() < 0.99


# ---- questions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Railway:
    space: QuerySpace
    index: EntityIndex
    ranker: Ranker

    def rank(self, question: str) -> list[RankedQuery]:
        return self.ranker.rank(question, find_mentions(question, self.index))

    def answers(self, ranked: RankedQuery) -> list[str]:
        return sorted(row.name for row in self.space.execute(ranked.query).rows)


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    return MiniLM()


@pytest.fixture(scope="module")
def stored(database: BoltDatabase) -> Iterator[GraphStore]:
    if database.exists("ranking-railway"):
        database.drop("ranking-railway")
    graph = database.open("ranking-railway", create=True)
    store_railway(graph)
    yield graph
    database.drop("ranking-railway")


@pytest.fixture(scope="module")
def railway(stored: GraphStore, minilm: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Railway:
    space = QuerySpace(stored, introspect(stored))
    return Railway(space, index_railway(tmp_path_factory.mktemp("index")), Ranker(space, minilm))


QUESTIONS = [
    # one hop, forwards and backwards
    ("path", "Who drives the Silver Heron?", "Lene Maddox"),
    ("path", "Which company operates the Marsh Line?", "Dunmere Railways"),
    ("path", "Which stations does the Marsh Line stop at?", "Alder Cross;Ferrow Halt;Quill Junction"),
    ("path", "In which town is Alder Cross?", "Thistleby"),
    ("path", "Who designed Quill Junction?", "Osric Vane"),
    ("path", "Who is the architect of Alder Cross?", "Wilma Thorne"),
    ("path", "On which line does the Night Badger run?", "Marsh Line"),
    ("path", "Which trains did Corvane Works build?", "Moor Pony;Red Plover;Silver Heron"),
    ("path", "Who was born in Thistleby?", "Ada Brandt;Jonas Brandt;Piers Holloway"),
    ("path", "Which lines does Dunmere Railways operate?", "Harbour Loop;Marsh Line"),
    ("path", "Which train does Wilma Thorne drive?", "Moor Pony"),
    ("path", "Who is Osric Vane's wife?", "Wilma Thorne"),
    ("path", "Who is the mother of Jonas Brandt?", "Ada Brandt"),
    ("path", "Which children does Ada Brandt have?", "Jonas Brandt"),
    # two and three hops
    ("path", "Where was the driver of the Silver Heron born?", "Port Ansel"),
    ("path", "Who founded the company that operates the Marsh Line?", "Piers Holloway"),
    ("path", "What is Jonas Brandt's mother's birthplace?", "Thistleby"),
    ("path", "Who is the wife of the founder of Corvane Works?", "Wilma Thorne"),
    ("path", "In which towns are the stations of the Upland Line?", "Garrick;Port Ansel"),
    ("path", "Which other trains are driven by the driver of the Red Plover?", "Silver Heron"),
    ("path", "Where was the founder of the company that built the Silver Heron born?", "Garrick"),
    # two entities
    ("intersection", "Which trains run on the Marsh Line and were built by Corvane Works?", "Silver Heron"),
    ("intersection", "Which stations in Garrick are on the Upland Line?", "Old Sallow"),
    # properties
    ("property", "What is the top speed of the Silver Heron?", "210"),
    ("property", "When was Quill Junction opened?", "1904"),
    ("property", "What is the population of Port Ansel?", "230000"),
    # counts
    ("count", "How many stations does the Marsh Line stop at?", "3"),
    ("count", "How many trains did Corvane Works build?", "3"),
    ("count", "How many lines are there?", "3"),
    # superlatives
    ("superlative", "Which station on the Harbour Loop has the most platforms?", "Quill Junction"),
    ("superlative", "Which is the oldest station on the Harbour Loop?", "Old Sallow"),
    ("superlative", "What is the fastest train?", "Silver Heron"),
    ("superlative", "Which town has the largest population?", "Port Ansel"),
    ("superlative", "Which line stops at the most stations?", "Harbour Loop"),
    ("superlative", "Which company has built the most trains?", "Corvane Works"),
    # filters
    ("path+filter", "Which stations on the Harbour Loop opened after 1900?", "Quill Junction;Tern Bridge"),
    ("path+filter", "Which stations opened before 1900?", "Alder Cross;Old Sallow"),
    ("path+filter", "Which stations have platforms under 4?", "Ferrow Halt;Tern Bridge"),
    ("path+filter", "Which trains have a topSpeed above 150?", "Red Plover;Silver Heron"),
]


@pytest.mark.parametrize(("shape", "question", "answers"), QUESTIONS, ids=lambda value: value[:50])
def test_the_first_query_answers(railway: Railway, shape: str, question: str, answers: str) -> None:
    first, *rest = railway.rank(question)
    assert railway.answers(first) == sorted(answers.split(";"))
    assert first.query.shape == shape
    assert all(first.score >= other.score for other in rest)
    assert first.reasons


def test_every_ranked_query_has_an_answer_and_comes_once(railway: Railway) -> None:
    questions = [question for _, question, _ in QUESTIONS[::4]]
    for question in [*questions, "When was the company that operates the Marsh Line founded?"]:
        ranked = railway.rank(question)
        assert len({r.query.key() for r in ranked}) == len(ranked)
        for item in ranked:
            assert railway.answers(item), item.query.key()


def test_the_limit_is_kept(railway: Railway) -> None:
    question = "Who founded the company that operates the Marsh Line?"
    assert len(railway.ranker.rank(question, find_mentions(question, railway.index), limit=2)) == 2


def test_the_same_question_is_ranked_alike(railway: Railway) -> None:
    question = "Which trains run on the Marsh Line and were built by Corvane Works?"
    assert railway.rank(question) == railway.rank(question)


def test_a_gloss_teaches_a_word(railway: Railway, minilm: Embedder) -> None:
    question = "Who is the gaffer of the Silver Heron?"
    glosses = Glosses({"BUILT_BY": Gloss(("gaffer",))})
    ranked = Ranker(railway.space, minilm, glosses).rank(question, find_mentions(question, railway.index))
    assert railway.answers(ranked[0]) == ["Corvane Works"]


def test_of_several_entities_of_one_name_the_one_that_fits_is_taken(railway: Railway) -> None:
    """ "Garrick" may be a town or, by a wrong link as good, a person: people are not born in people."""
    question = "Who was born in Garrick?"
    found = [Entity("Person/Ada Brandt", "Ada Brandt", "Person"), Entity("Town/Garrick", "Garrick", "Town")]
    mention = Mention(16, 23, "Garrick", tuple(Candidate(entity, 1.0, "exact", "Garrick") for entity in found))
    ranked = railway.ranker.rank(question, Linking((mention,), ()))
    assert railway.answers(ranked[0]) == ["Osric Vane", "Wilma Thorne"]


def test_a_question_without_an_entity_or_a_constraint_has_no_query(railway: Railway) -> None:
    assert railway.ranker.rank("What is the meaning of life?", Linking((), ())) == []
    assert railway.ranker.rank("", Linking((), ())) == []


def test_an_entity_that_is_gone_has_no_query(railway: Railway) -> None:
    gone = Candidate(Entity("Train/Ghost", "Ghost", "Train"), 1.0, "exact", "Ghost")
    assert railway.ranker.rank("Who drives Ghost?", Linking((Mention(11, 16, "Ghost", (gone,)),), ())) == []
    assert railway.ranker.rank("Who drives Ghost?", Linking((Mention(11, 16, "Ghost", ()),), ())) == []


WORDS = (
    "who what which when where how many the of in by most oldest after 1900 at least 3 train trains station and 's "
    "born built ? driver, number fewest same"
)
PIECES = st.one_of(
    st.sampled_from([name for names in NODES.values() for name in names]),
    st.sampled_from(re.split(" ", WORDS)),
    st.text(max_size=6),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=7).map(" ".join))
def test_any_question_can_be_ranked(railway: Railway, question: str) -> None:
    ranker = Ranker(railway.space, Letters())
    for item in ranker.rank(question, find_mentions(question, railway.index)):
        assert railway.answers(item)


def test_a_graph_of_properties_alone_can_be_asked(database: BoltDatabase, minilm: Embedder, tmp_path: Path) -> None:
    """A table of things without a relationship."""
    if database.exists("ranking-towns"):
        database.drop("ranking-towns")
    graph = database.open("ranking-towns", create=True)
    try:
        rows = [{"nodeId": f"{i}", "name": name, **row} for i, (name, row) in enumerate(NODES["Town"].items())]
        graph.write(f"UNWIND $rows AS row CREATE (n:{quoted('Town')}) SET n = row", {"rows": rows})
        graph.set_version("1")
        space = QuerySpace(graph, introspect(graph))
        index = EntityIndex.build([IndexedNode(r["nodeId"], r["name"], "Town") for r in rows], tmp_path, "1")
        ranker = Ranker(space, minilm)
        for question, answer in [
            ("What is the population of Garrick?", "9800"),
            ("Which town has the largest population?", "Port Ansel"),
            ("How many towns are there?", "3"),
        ]:
            ranked = ranker.rank(question, find_mentions(question, index))
            assert [row.name for row in space.execute(ranked[0].query).rows] == [answer]
    finally:
        database.drop("ranking-towns")
