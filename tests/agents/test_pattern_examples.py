"""Examples of patterns from files: those that come with Clew, a user's, and what is wrong with a line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from clew.agents.patterns import pattern_examples
from clew.agents.patterns.pattern_examples import FOLDER, MOST, examples_of, packaged
from clew.agents.patterns.pattern_writer import read
from clew.tools.errors import BadInput

LINE = (
    '{"text": "who directed Alien", "triples": [["Alien", "directed_by", "UNKNOWN person 1"]], '
    '"asked": "UNKNOWN person 1"}'
)
DEMO = Path(__file__).parents[2] / "demo" / "graph"


@pytest.mark.parametrize("name", packaged())
def test_packaged_examples_are_patterns(name: str) -> None:
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == MOST == len(examples_of(name).splitlines())
    for line in lines:
        pattern = read(line, asks=True).pattern
        text = json.loads(line)["text"].lower()
        assert pattern.asked is not None
        named = [str(node.text).replace("_", " ") for node in pattern.nodes if node.known]
        assert all(each.lower() in text for each in named), "what is known stands in the question"


def test_examples_of_the_demo_use_its_relations() -> None:
    with (DEMO / "edges.csv").open(encoding="utf-8") as file:
        relations = {row[":TYPE"] for row in csv.DictReader(file)}
    triples = [json.loads(line)["triples"] for line in (FOLDER / "demo.jsonl").read_text().splitlines()]
    assert {relation for each in triples for _, relation, _ in each} <= relations


def test_a_file_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(f"{LINE}\n\n{LINE.replace('Alien', 'Heat')}\n")
    shown = examples_of(path).splitlines()
    assert shown[0].startswith("\u201cwho directed Alien\u201d: {")
    assert len(shown) == 2
    monkeypatch.setattr(pattern_examples, "MOST", 1)
    assert len(examples_of(path).splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("who directed Alien", "Expecting value"),
        ('{"triples": [["a", "b", "UNKNOWN c"]]}', "it has no 'text'"),
        ('{"text": "who", "triples": []}', "empty"),
        ('{"text": "who", "triples": [["UNKNOWN a", "b", "UNKNOWN c"]]}', "has a name"),
        ("[1]", "list"),
    ],
)
def test_what_is_no_example_is_told_by_its_line(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(f"{LINE}\n{line}\n")
    with pytest.raises(BadInput, match=rf"mine.jsonl:2 .*{said}"):
        examples_of(path)


def test_a_missing_file_names_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read") as error:
        examples_of(tmp_path / "none.jsonl")
    assert "metaqa" in error.value.remedy
