"""Words of a question that are one name."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.reading.anchors.spans import undivided
from clew.tools.queries.reading.english.words import tokens


@pytest.mark.parametrize(
    ("question", "name", "matched", "read"),
    [
        ("money sent from 20-3721", "20-3721", "20-3721", ["money", "sent", "from", "20-3721"]),
        ("races with over 100k in prizes", "100k", "100", ["races", "with", "over", "100", "k", "in", "prizes"]),
        ("everyone in IT who left", "IT", "IT", ["everyone", "in", "IT", "who", "left"]),
        ("was it sold?", "it", "IT", ["was", "it", "sold"]),
    ],
)
def test_a_name_without_blanks_is_one_word(question: str, name: str, matched: str, read: list[str]) -> None:
    start = question.find(name)
    entity = Entity("e1", matched, "Thing")
    mention = Mention(start, start + len(name), name, (Candidate(entity, 1.0, "exact", matched),))
    assert [token.text for token in undivided(tokens(question), [mention])] == read
