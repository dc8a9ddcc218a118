"""Mentions in questions about a made-up graph of films, companies, genes and places."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.graph.entity import Mention
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.linking.mentions import best_cover, find_mentions
from clew.tools.linking.spans import Reading

GRAPH = {
    "Movie": "It;The Room;Who?;Following;Police;Horton Hears a Who!;"
    "M*A*S*H;The Harvey Girls;Amélie;Her;Hush;Hush!;!!!;$;In Hell;I, Robot;Robot;Hell",
    "Person": "Temuera Morrison;Keanu Reeves;Daryl Duke;Sinéad O'Connor;Tom;Tom Cullen;"
    "Ron Howard;Byron Howard;philip_iii_of_navarre;Prince",
    "Genre": "Drama;Comedy",
    "Company": "Acme Holdings Ltd.;AT&T;Procter & Gamble;Apple;3M;Yahoo!;BlueRiverSystems",
    "Fruit": "Apple",
    "Gene": "BRCA1;TP53;FOXP2;WAS;IL-6;insulin receptor",
    "Disease": "breast cancer;Alzheimer's disease",
    "City": "Paris;New York;Reading;Nice;Bath;Springfield, Illinois;東京",
    "Year": "1997",
}
NODES = [IndexedNode(f"{label}/{n}", n, label) for label, line in GRAPH.items() for n in line.split(";")]

CASES = {
    "who acted in it": ["It"],
    "Who directed It?": ["It"],
    'Who directed "It"?': ["It"],
    "who starred in the room": ["The Room"],
    "which drama did the writer of Police make": ["Police"],
    "which movies are similar to following": ["Following"],
    "Who wrote Who?": ["Who?"],
    "who directed Horton Hears a Who!": ["Horton Hears a Who!"],
    "who directed horton hears a who": ["Horton Hears a Who!"],
    "who is in M*A*S*H ?": ["M*A*S*H"],
    "who is in MASH?": ["M*A*S*H"],
    "who stars in Harvey Girls": ["The Harvey Girls"],
    "who stars in the Amelie": ["Amélie"],
    "what is the language in Hush!": ["Hush!"],
    "what is the language in Hush?": ["Hush"],
    "who directed !!!": ["!!!"],
    "where does philip_iii_of_navarre 's mom come from ?": ["philip_iii_of_navarre"],
    "where does philip_iii_of_navare 's mom come from ?": ["philip_iii_of_navarre"],
    "where does philip iii of navarre's mom come from?": ["philip_iii_of_navarre"],
    "where was PhilipIIIOfNavarre born": ["philip_iii_of_navarre"],
    "what movies did Temeura Morisson act in": ["Temuera Morrison"],
    "what movies did temeura morisson act in": ["Temuera Morrison"],
    "who married Tom Culen": ["Tom Cullen"],
    "which comedy films star keanu reeves": ["Keanu Reeves"],
    "Which films did Keanu Reeves and Daryl Duke make?": ["Keanu Reeves", "Daryl Duke"],
    "songs by sinead oconnor": ["Sinéad O'Connor"],
    "WHO DIRECTED AMELIE": ["Amélie"],
    "who supplies acme holdings": ["Acme Holdings Ltd."],
    "is AT&T a customer of Procter and Gamble?": ["AT&T", "Procter & Gamble"],
    "who are the customers of 3M and Yahoo!?": ["3M", "Yahoo!"],
    "what does blue river systems make": ["BlueRiverSystems"],
    "is brca1 linked to brest cancer": ["BRCA1", "breast cancer"],
    "does FOXP2 regulate WAS?": ["FOXP2", "WAS"],
    "Does TP-53 regulate the insulin receptor?": ["TP53", "insulin receptor"],
    "is il6 linked to Alzheimers disease": ["IL-6", "Alzheimer's disease"],
    "How far is Bath from Nice?": ["Bath", "Nice"],
    "people in springfield illinois": ["Springfield, Illinois"],
    "東京の人口は?": ["東京"],
    "films released in 1997": ["1997"],
    "which films did Zorblax Quimby make": [],
    "what did Tom Zorblaxian direct": [],
    "who acted in $?": ["$"],
    "which movies were made by Ron Howard": ["Ron Howard"],
    "which movies were made by ron howard": ["Ron Howard"],
    "which people live in Hell": ["Hell"],
    "who starred in In Hell": ["In Hell"],
    "The Room, when was it released": ["The Room"],
    "when was I, Robot released": ["I, Robot"],
}

PIECES = st.one_of(st.sampled_from([*CASES, "'", '"', "_", "&", "!!!"]), st.text(max_size=8))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    return EntityIndex.build(NODES, tmp_path_factory.mktemp("index"), "1")


@pytest.mark.parametrize("question", CASES)
def test_the_names_in_a_question(index: EntityIndex, question: str) -> None:
    found = find_mentions(question, index).mentions
    assert [mention.candidates[0].entity.name for mention in found] == CASES[question]


def test_ambiguity_is_reported(index: EntityIndex) -> None:
    (mention,) = find_mentions("Which company owns Apple?", index).mentions
    assert mention.ambiguous
    assert {c.entity.label for c in mention.candidates} == {"Company", "Fruit"}


def test_readings_that_lost_are_alternatives(index: EntityIndex) -> None:
    linking = find_mentions("which comedy films star Tom Cullen", index)
    lost = {c.entity.name for mention in linking.alternatives for c in mention.candidates}
    assert {"Comedy", "Tom"} <= lost


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    question=st.lists(st.one_of(st.sampled_from([*CASES, "'", '"', "_", "&", "!!!"]), st.text(max_size=8))).map("".join)
)
def test_any_text_gives_spans_in_order_that_do_not_overlap(index: EntityIndex, question: str) -> None:
    linking = find_mentions(question[:300], index, m=2)
    end = 0
    for mention in linking.mentions:
        assert end <= mention.start < mention.end
        assert 1 <= len(mention.candidates) <= 2
        end = mention.end
    for mention in (*linking.mentions, *linking.alternatives):
        assert question[mention.start : mention.end] == mention.text


@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.integers(1, 4), st.floats(-1, 3)).map(
            lambda t: Reading(t[0], min(8, t[0] + t[1]), t[2], False, Mention(0, 1, "x", ()))
        ),
        max_size=8,
    )
)
def test_the_cover_is_worth_most(readings: list[Reading]) -> None:
    def most(taken: list[Reading], rest: list[Reading]) -> float:
        worth = sum(r.value for r in taken)
        free = [r for r in rest if all(r.last <= t.first or t.last <= r.first for t in taken)]
        return max([worth, *(most([*taken, r], free[i + 1 :]) for i, r in enumerate(free))])

    cover = best_cover(readings, 8)
    assert sum(r.value for r in cover) == pytest.approx(most([], readings))
    assert all(one.last <= other.first for one, other in itertools.pairwise(cover))


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("how many visits in 2023", []),
        ("what happened at visit 2023", ["2023"]),
        ("top 3 customers", []),
        ("visits over 2105", []),
        ("which year was 2023", []),
        ("who came to 2105", []),
        ("visit 2105", ["2105"]),
    ],
)
def test_a_number_that_counts_is_no_name(tmp_path: Path, question: str, found: list[str]) -> None:
    numbers = (1, 2, 3, 4, 2022, 2023, 2024, 2104, 2105, 2106)
    numbered = [IndexedNode(f"v{number}", str(number), "Visit") for number in numbers]
    index = replace(EntityIndex.build(numbered, tmp_path / "index", "1"), years=range(2020, 2026))
    assert [mention.text for mention in find_mentions(question, index).mentions] == found
