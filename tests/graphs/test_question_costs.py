"""What a question without a language model costs: calls of the embedding model and queries to the database."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.agents.answering.confidence import CERTAIN
from clew.tools.embedding import MiniLM
from clew.tools.graph.store.bolt import BoltStore
from tests.film_facts import FACTS


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[clew.Graph]:
    path = tmp_path_factory.mktemp("costs") / "films.txt"
    path.write_text(FACTS, encoding="utf-8")
    with clew.connect(f"costs-{uuid.uuid4().hex[:8]}", home=clew_home) as graph:
        graph.import_files(path)
        graph.open()
        yield graph
        graph.client.drop(graph.name)


@dataclass(slots=True)
class Costs:
    """What was asked since the last `clear`: the texts of each call of the embedding model, and queries."""

    embedded: list[list[str]] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    planned: list[str] = field(default_factory=list)

    def clear(self) -> None:
        self.embedded, self.read, self.planned = [], [], []


@pytest.fixture
def costs(monkeypatch: pytest.MonkeyPatch) -> Costs:
    found = Costs()

    def watch(owner: type, name: str, note: Callable[..., None]) -> None:
        own = getattr(owner, name)

        def watched(*given: Any, **named: Any) -> Any:
            note(*given[1:])
            return own(*given, **named)

        monkeypatch.setattr(owner, name, watched)

    watch(MiniLM, "_encode", lambda texts: found.embedded.append(list(texts)))
    watch(BoltStore, "read", lambda cypher, *_: found.read.append(cypher))
    watch(BoltStore, "plan", lambda cypher, *_: found.planned.append(cypher))
    return found


@pytest.mark.parametrize(
    ("question", "answers", "most_read"),
    [
        ("Who directed Heat?", {"Michael Mann"}, 3),
        ("which films star Robert De Niro", {"Heat", "Casino", "Taxi Driver"}, 3),
        ("who starred in the films that Michael Mann directed", {"Al Pacino", "Robert De Niro", "Tom Cruise"}, 3),
        ("how many films did Martin Scorsese direct", {"2"}, 2),
    ],
)
def test_a_certain_answer_takes_few_calls(
    films: clew.Graph, costs: Costs, question: str, answers: set[str], most_read: int
) -> None:
    result = films.ask(question)
    assert {answer.name for answer in result.answers} == answers
    assert result.confidence >= CERTAIN
    assert len(costs.embedded) <= 2
    assert len(costs.read) <= most_read
    assert len(costs.read) == len({*costs.read}), "nothing is asked twice"
    assert len(costs.planned) <= 1
    costs.clear()
    assert films.ask(question).to_dict()["answers"] == result.to_dict()["answers"]
    assert costs.embedded == []
    assert len(costs.read) < most_read
