"""The parts of teaching that need no database: patterns, masks, lessons, given candidates, training."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.learning.teaching.given import given_example, options_given, read_cypher
from clew.tools.learning.teaching.options import FEATURES, Option, masked, options_of, replaced
from clew.tools.learning.teaching.pattern import Pattern, anchors_in_order, pattern_of
from clew.tools.learning.teaching.preference import Preference
from clew.tools.learning.teaching.training import FEWEST, fits, train
from clew.tools.learning.teaching.training_examples import (
    Rated,
    TrainingExample,
    example_of,
    f1,
    patterns_of,
    preferred,
    with_rivals,
)
from clew.tools.linking.mentions import Linking
from clew.tools.queries.space.query import Chain, Filter, Hop, Order, Query, RankedQuery
from tests.tools.linking.letters import Letters

HEAT = Entity("f1", "Heat", "Film")
MANN = Entity("p1", "Michael Mann", "Person")
names = st.sampled_from(["directed_by", "STARS_IN", "release year", "`x`"])
labels = st.sampled_from(["Film", "Person", "Year"])
hops = st.builds(Hop, names, st.booleans(), labels, st.booleans())
entities = st.builds(Entity, st.sampled_from("abc"), st.just("Name"), labels)
chains = st.builds(Chain, entities | labels, st.lists(hops, min_size=1, max_size=3).map(tuple))
queries = st.builds(
    Query,
    st.lists(chains, min_size=1, max_size=2).map(tuple),
    st.lists(st.builds(Filter, names, st.just("<"), st.integers()), max_size=1).map(tuple),
    st.none() | st.builds(Order, names, st.booleans()),
    st.sampled_from(["nodes", "count"]),
)


@given(queries)
def test_patterns_survive_json_and_do_not_depend_on_the_order_of_chains(query: Query) -> None:
    pattern = pattern_of(query)
    again = Pattern.from_json(json.loads(json.dumps(pattern.to_json())))
    assert again == pattern
    assert (again.key, again.words, again.parts) == (pattern.key, pattern.words, pattern.parts)
    turned = Query(query.chains[::-1], query.filters, query.order, query.returns)
    assert pattern_of(turned) == pattern
    assert f"whole {pattern.key}" in pattern.parts
    assert "Name" not in pattern.words


@given(queries)
def test_a_pattern_makes_the_query_again_that_it_was_taken_from(query: Query) -> None:
    pattern = pattern_of(query)
    if pattern.can_be_asked:
        assert pattern.query(anchors_in_order(query)).key() == query.key()
    else:
        assert query.filters or query.order or any(isinstance(chain.anchor, str) for chain in query.chains)


def linking(question: str, *named: Entity) -> Linking:
    mentions = []
    for entity in named:
        start = question.index(entity.name)
        mention = Mention(start, start + len(entity.name), entity.name, (Candidate(entity, 1.0, "exact", entity.name),))
        mentions.append(mention)
    return Linking(tuple(mentions), ())


def test_masking_takes_the_nouns_of_the_anchors() -> None:
    question = "who starred in Heat by Michael Mann"
    found = linking(question, HEAT, MANN)
    assert masked(question, [HEAT], found) == "who starred in film by Michael Mann"
    assert masked(question, [HEAT, MANN], found) == "who starred in film by person"
    assert masked(question, [Entity("x", "X", "Film")], found) == question
    assert replaced("abcdef", [(1, 4, "X"), (2, 5, "Y")]) == "aXef"


def test_options_are_made_of_what_the_ranker_says() -> None:
    question = "who directed Heat"
    path = Query((Chain(HEAT, (Hop("directed_by", True, "Person"),)),))
    other = Query((Chain(HEAT, (Hop("written_by", True, "Person"),)),))
    proposed = Query((Chain(HEAT, (Hop("shot_by", True, "Person"),)),))
    ranked = [RankedQuery(path, 0.8, {"alignment": 0.5, "matched": "Heat"}), RankedQuery(other, 0.3, {})]
    options = options_of(question, linking(question, HEAT), ranked, [proposed])
    values = [dict(zip(FEATURES, option.features, strict=True)) for option in options]
    assert [v["score"] for v in values] == pytest.approx([0.0, -0.5, -0.8])
    assert [v["first"] for v in values] == [1.0, 0.0, 0.0]
    assert [v["proposed"] for v in values] == [0.0, 0.0, 1.0]
    assert values[0]["alignment"] == 0.5
    assert {option.masked for option in options} == {"who directed film"}


# ---- lessons ---------------------------------------------------------------------------------------------------------


def pattern(relation: str, *more: str) -> Pattern:
    steps = tuple(Hop(name, True, "Thing") for name in (relation, *more))
    return pattern_of(Query((Chain(Entity("e", "E", "Thing"), steps),)))


def option(made: Pattern, text: str = "q", score: float = 0.0) -> Option:
    features = {"score": score, "first": float(score == 0), "length": float(made.length), "strands": 1.0}
    return Option(made, text, tuple(features.get(name, 0.0) for name in FEATURES), (1.0, 0.0, 1.0))


def rated(made: Pattern, hits: int, total: int, wanted: int = 1, text: str = "q", score: float = 0.0) -> Rated:
    return Rated(option(made, text, score), hits, total, f1(hits, total, wanted))


def test_f1() -> None:
    assert f1(0, 5, 1) == 0.0
    assert f1(2, 2, 2) == 1.0
    assert f1(1, 3, 1) == pytest.approx(0.5)


def test_ties_go_to_what_the_corpus_prefers() -> None:
    by_chance, meant = pattern("CHANCE"), pattern("MEANT")
    sure = [
        TrainingExample(f"sure {i}", ("a",), "found", (rated(meant, 1, 1), rated(by_chance, 0, 1))) for i in range(3)
    ]
    unsure = TrainingExample(
        "unsure", ("a",), "found", (rated(by_chance, 1, 1), rated(meant, 1, 1), rated(by_chance, 1, 4))
    )
    settled = preferred([*sure, unsure])[-1]
    assert settled.rated[0].option.pattern == meant
    assert all(r.f1 < 1 for r in settled.rated[1:])
    assert patterns_of(preferred([*sure, unsure])) == [meant]


def test_precision_goes_before_what_is_common_and_length_comes_last() -> None:
    long, short = pattern("A", "B"), pattern("A")
    lesson = TrainingExample("q", ("a",), "found", (rated(long, 1, 1), rated(short, 1, 1)))
    assert preferred([lesson])[0].rated[0].option.pattern == short


def test_lessons_survive_json() -> None:
    lesson = TrainingExample("q", ("a", "b"), "found", (rated(pattern("A"), 1, 2, 2), rated(pattern("B"), 0, 3, 2)))
    assert example_of(json.loads(json.dumps(lesson.to_json()))).to_json() == lesson.to_json()


def test_rivals_are_patterns_that_are_right_for_others() -> None:
    lessons = preferred([TrainingExample(n, ("a",), "found", (rated(pattern(n), 1, 1, text=n),)) for n in "ABC"])
    for lesson in with_rivals(lessons):
        right, *others = lesson.rated
        assert right.option.pattern == pattern(lesson.question)
        assert {r.option.pattern for r in others} == {pattern(n) for n in "ABC" if n != lesson.question}
        assert all(r.f1 == 0 and r.option.masked == lesson.question for r in others)


# ---- candidates that are given --------------------------------------------------------------------------------------

CITED = (
    'MATCH (x1:Paper {name: "On \\"Snow\\""})-[r1:CITES]->(x2:Paper)<-[r2:WRITES]-(x3:Author) RETURN x3.name AS name'
)
TOPIC = "MATCH (a:`FieldOfStudy` {name: 'Ice'})-[:HAS_TOPIC]-(b:Paper) RETURN b"


def test_cypher_of_a_chain_is_read() -> None:
    found, name = read_cypher(CITED)
    assert name == 'On "Snow"'
    assert found.key == "Paper/CITES:Paper/^WRITES:Author =nodes"
    assert read_cypher(TOPIC)[0].key == "FieldOfStudy/HAS_TOPIC:Paper =nodes"


@pytest.mark.parametrize(
    "cypher", ["", "RETURN 1", "MATCH (a:A)-[:R]->(b:B) RETURN b", 'MATCH (a:A {name: "x"}) RETURN a']
)
def test_other_cypher_is_refused(cypher: str) -> None:
    with pytest.raises(ValueError, match="not a chain"):
        read_cypher(cypher)


def test_hits_are_for_learning_alone() -> None:
    question = "papers about Ice"
    with_hits = [{"cypher": TOPIC, "results": 7, "hits": 3}, {"cypher": CITED, "results": 2, "hits": 0}]
    without = [{key: value for key, value in query.items() if key != "hits"} for query in with_hits]
    assert options_given(question, with_hits) == options_given(question, without)
    lesson = given_example({"question": question, "n_answers": 5, "queries": with_hits})
    assert [r.f1 for r in lesson.rated] == [0.5, 0.0]
    assert lesson.rated[0].option.untaught == 0.0
    assert lesson.rated[0].option.masked == "papers about field of study"
    assert lesson.rated[1].option.untaught < -0.5


# ---- training --------------------------------------------------------------------------------------------------------

KINDS = {"zzzz": pattern("ALPHA"), "qqqq": pattern("BETA"), "xxxx": pattern("ALPHA", "BETA"), "jjjj": pattern("GAMMA")}


def lessons(count: int, *, opaque: bool = True) -> list[TrainingExample]:
    """Questions of four kinds; untaught, ALPHA always comes first (or, not `opaque`, the right one)."""
    made = []
    for number in range(count):
        word, right = list(KINDS.items())[number % len(KINDS)]
        text = f"{word} {'abcdefghi'[number % 9]}"
        first = KINDS["zzzz"] if opaque else right
        options = [rated(p, int(p == right), 1, text=text, score=0.0 if p == first else -0.1) for p in KINDS.values()]
        made.append(TrainingExample(text, ("a",), "found", tuple(options)))
    return made


def test_training_learns_which_words_speak_for_which_pattern() -> None:
    steps: list[int] = []
    trained = train(lessons(40), Letters(), step=steps.append)
    assert trained is not None
    assert trained.held_back.better
    assert trained.held_back.untaught_f1 == 0.25
    assert trained.held_back.taught_f1 > 0.95
    assert steps == list(range(1, fits(40) + 1))
    fresh = lessons(44)[40:]
    for lesson in fresh:
        scores = trained.preference.scores([r.option for r in lesson.rated], Letters())
        assert lesson.rated[int(scores.argmax())].f1 == 1.0


def test_what_cannot_be_better_is_not_used() -> None:
    trained = train(lessons(24, opaque=False), Letters())
    assert trained is not None
    assert trained.held_back.untaught_f1 == trained.held_back.taught_f1 == 1.0
    assert not trained.held_back.better


def test_a_tie_is_not_decided_by_the_order_of_the_lessons() -> None:
    tied = [
        replace(
            lesson, rated=tuple(sorted((rated(r.option.pattern, r.hits, 1) for r in lesson.rated), key=lambda r: -r.f1))
        )
        for lesson in lessons(24)
    ]
    trained = train(tied, Letters())
    assert trained is not None
    assert trained.held_back.untaught_f1 == pytest.approx(0.25)


def test_too_little_is_not_learned_from() -> None:
    assert train(lessons(FEWEST - 1), Letters()) is None
    poor = [TrainingExample(f"q{i}", ("a",), "poor", (rated(pattern("A"), 0, 1),)) for i in range(30)]
    assert train(poor, Letters()) is None


def test_a_preference_is_the_same_after_it_was_saved(tmp_path: Path) -> None:
    trained = train(lessons(20), Letters())
    assert trained is not None
    trained.preference.save(tmp_path / "weights.npz")
    again = Preference.load(tmp_path / "weights.npz")
    options = [r.option for r in lessons(20)[3].rated]
    assert np.allclose(again.scores(options, Letters()), trained.preference.scores(options, Letters()), atol=1e-4)
