"""`clew generator examples` and `train` as a user runs them: from taught questions to a model that answers, interrupted
and resumed, and what is said where it cannot be; and the plan of the query that gave the answers, on both databases."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import torch

from clew.app.cli import run
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.graphs.ask import ask
from clew.graphs.question import build_question_graph
from clew.tools.learning.generation import training
from clew.tools.learning.generation.examples import Example, read_examples, write_examples
from clew.tools.learning.generation.fresh import fresh_model
from tests.conftest import NO_NEO4J

FILMS = ("Alien", "Heat", "Brazil", "Jaws", "Casino", "Solaris", "Tenet", "Fargo")
VERBS = {"directed_by": "who directed {}", "scored_by": "who scored {}"}
SMALL = ("--learning-rate", "3e-3", "--batch", "4")

Said = Callable[..., str]


def person(film: str, relation: str) -> str:
    return f"{film[::-1].capitalize()} {relation.split('_')[0].capitalize()}son"


def lines(path: Path, rows: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("facts") / "facts.tsv"
    path.write_text(
        "".join(f"{film}\t{relation}\t{person(film, relation)}\n" for film in FILMS for relation in VERBS),
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="module")
def films(clew_home: Path, facts: Path) -> Iterator[str]:
    """The name of a graph."""
    name = f"generated-{uuid.uuid4().hex[:8]}"
    assert run(["--home", str(clew_home), "import", str(facts), "--graph", name]) == 0
    yield name
    assert run(["--home", str(clew_home), "drop", name, "--yes"]) == 0


@pytest.fixture
def said(clew_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    """Runs a command, checks its status, and gives what it wrote."""
    for name in [name for name in os.environ if name.startswith("CLEW_")]:
        monkeypatch.delenv(name)

    def say(*arguments: object, status: int = 0) -> str:
        capsys.readouterr()
        found = run(["--home", str(clew_home), *map(str, arguments)])
        out, err = capsys.readouterr()
        assert found == status, err
        assert "Traceback" not in out + err
        return out + err

    return say


def made(path: Path) -> Path:
    """A file of examples."""
    found = [
        Example(f"Who {verb} {film}?\nCypher:", f"({film})-[:{verb.upper()}]->(x)")
        for film in FILMS
        for verb in ("directed", "scored")
    ]
    write_examples(path, found)
    return path


def base(path: Path, seed: int = 0) -> Path:
    """A model to train further."""
    model = fresh_model(["Who directed Heat?", "(Heat)-[:DIRECTED]->(x)"] * 9, vocabulary=300, hidden=16, seed=seed)
    model.model.save_pretrained(path)
    model.tokenizer.save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def taught(clew_home: Path, films: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lessons of sixteen questions."""
    folder = tmp_path_factory.mktemp("taught")
    rows = [
        {"question": asked.format(film), "answers": [person(film, relation)]}
        for film in FILMS
        for relation, asked in VERBS.items()
    ]
    questions, lessons = lines(folder / "questions.jsonl", rows), folder / "lessons.jsonl"
    given = ["teach", str(questions), "--graph", films, "--synthesize", "--out", str(lessons)]
    assert run(["--home", str(clew_home), *given]) == 0
    return lessons


@pytest.fixture(scope="module")
def examples(clew_home: Path, films: str, taught: Path) -> Path:
    out = taught.parent / "examples.jsonl"
    assert run(["--home", str(clew_home), "generator", "examples", str(taught), "-g", films, "--out", str(out)]) == 0
    return out


def test_lessons_become_examples_with_the_right_query_among_others(examples: Path) -> None:
    found = read_examples(examples)
    assert len(found) == len(FILMS) * len(VERBS)
    for example in found:
        assert example.target in example.candidates
        assert len(example.candidates) > 1
        assert example.target.startswith("MATCH (:Film {name: ")


def test_a_model_trained_on_them_chooses_the_query(examples: Path, films: str, said: Said, tmp_path: Path) -> None:
    model = tmp_path / "model"
    out = said("generator", "train", examples, "--fresh", "--number-names", "--epochs", 30, *SMALL, "--out", model)
    assert "learned from 14 examples" in out
    assert f"written to {model}" in out
    asked = said("ask", "who scored Heat", "--graph", films, "--generator", model, "--json")
    assert json.loads(asked)["answers"][0]["name"] == person("Heat", "scored_by")
    united = said("ask", "who scored Heat", "--graph", films, "--generator", model, "--method", "graphraft", "--json")
    answers = json.loads(united)["answers"]
    assert answers[0]["name"] == person("Heat", "scored_by")
    assert len(answers) > 1
    table = said("generator", "eval", examples, "--model", model, "--decoding", "exact,free").splitlines()
    rows = {cells[0]: cells[1:] for line in table if (cells := line.split()) and cells[0] in ("exact", "free")}
    assert [row[0] for row in rows.values()] == ["16", "16"]
    assert float(rows["exact"][1]) > 0.8


def test_lessons_become_examples_of_choosing_nodes(taught: Path, films: str, said: Said, tmp_path: Path) -> None:
    out = tmp_path / "nodes.jsonl"
    said("generator", "examples", taught, "--graph", films, "--nodes", "--tokens", 2000, "--out", out)
    found = read_examples(out)
    assert len(found) == len(FILMS) * len(VERBS)
    assert all(example.target in example.candidates and len(example.candidates) > 1 for example in found)
    assert all(f"name: {example.target}" in example.prompt for example in found)


def test_what_has_no_query_is_not_asked_for_and_flags_reach_the_settings(said: Said, tmp_path: Path) -> None:
    assert "needs QUESTIONS and --out" in said("teach", "--synthesize", "--status", status=2)
    examples = made(tmp_path / "examples.jsonl")
    told = said("generator", "train", examples, "--base", base(tmp_path / "base"), "--generator-device", "cuda:99",
                "--out", tmp_path / "out", status=1)  # fmt: skip
    assert "no device" in told
    assert "none of exact" in said("generator", "eval", examples, "--model", tmp_path, "--decoding", "magic", status=2)


def test_lessons_of_nothing_give_no_examples(films: str, said: Said, tmp_path: Path) -> None:
    out = tmp_path / "examples.jsonl"
    assert "There is no file" in said(
        "generator", "examples", tmp_path / "no", "--graph", films, "--out", out, status=1
    )
    unknown = {"question": "who drew Heat", "answers": ["Nobody Atall"], "status": "not in the graph", "candidates": []}
    lessons = lines(tmp_path / "lessons.jsonl", [unknown])
    told = said("generator", "examples", lessons, "--graph", films, "--out", out, status=1)
    assert "1 questions have no query that is good enough" in told
    assert "There is nothing to train with" in told


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nothing.jsonl", "--fresh"], "There is no file nothing.jsonl"),
        (["EMPTY", "--fresh"], "holds no example"),
        (["EXAMPLES"], "Give --base MODEL, or --fresh"),
        (["EXAMPLES", "--fresh", "--base", "x"], "Give --base MODEL, or --fresh"),
        (["EXAMPLES", "--base", "./nowhere"], "There is no folder ./nowhere"),
        (["EXAMPLES", "--base", "nobody/has-this-model"], "There is no model nobody/has-this-model on this machine"),
        (["EXAMPLES", "--fresh", "--longest", "9"], "longer than 9 tokens"),
    ],
)
def test_what_cannot_be_trained_with_is_named(arguments: list[str], reason: str, said: Said, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    files = {"EMPTY": str(tmp_path / "empty.jsonl"), "EXAMPLES": str(made(tmp_path / "examples.jsonl"))}
    given = [files.get(argument, argument) for argument in arguments]
    status = 2 if reason.startswith("Give") else 1
    assert reason in " ".join(said("generator", "train", *given, "--out", tmp_path / "out", status=status).split())


def test_an_adapter_of_another_model_is_refused(said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("peft")
    examples, adapter = made(tmp_path / "examples.jsonl"), tmp_path / "adapter"
    said("generator", "train", examples, "--base", base(tmp_path / "one"), "--lora", "--out", adapter)
    monkeypatch.setenv("CLEW_GENERATOR_ADAPTER", str(adapter))
    told = said("generator", "serve", base(tmp_path / "two", seed=5), "--port", 0, status=1)
    assert "does not fit" in told


def test_an_interrupted_training_is_taken_up(said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples, out = made(tmp_path / "examples.jsonl"), tmp_path / "out"
    command = ("generator", "train", examples, "--base", base(tmp_path / "base"), "--epochs", 2, *SMALL, "--out", out)
    gradients, steps = training._Run._gradients, iter(range(100))

    def interrupted(self: training._Run, rows: Sequence[training._Row]) -> None:
        if next(steps) == 5:
            raise KeyboardInterrupt
        gradients(self, rows)

    monkeypatch.setattr(training._Run, "_gradients", interrupted)
    assert "the same command continues from there" in said(*command, status=130)
    assert (out / ".training" / "now.pt").exists()
    monkeypatch.setattr(training._Run, "_gradients", gradients)
    assert "8 steps, 2 epochs, after an interruption" in said(*command)


def test_out_of_memory_is_said_and_what_was_learned_is_kept(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples, out = made(tmp_path / "examples.jsonl"), tmp_path / "out"
    command = ("generator", "train", examples, "--base", base(tmp_path / "base"), "--epochs", 2, *SMALL, "--out", out)
    loss = training._Run._loss

    def too_large(self: training._Run, rows: Sequence[training._Row]) -> torch.Tensor:
        if self._model.model.training and self._now.steps == 3:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return loss(self, rows)

    monkeypatch.setattr(training._Run, "_loss", too_large)
    told = said(*command, status=1)
    assert "does not fit in memory" in told
    assert "--lora" in told
    monkeypatch.setattr(training._Run, "_loss", loss)
    assert "8 steps, 2 epochs, after an interruption" in said(*command)


@pytest.mark.parametrize("engine", ["arcadedb", "neo4j"])
def test_the_trace_has_the_plan_of_the_query(engine: str, clew_home: Path, facts: Path, films: str) -> None:
    settings = load_settings(home=clew_home)
    if engine == "neo4j":
        if not os.environ.get("NEO4J_URI"):
            pytest.skip(NO_NEO4J)
        given = {"url": "NEO4J_URI", "user": "NEO4J_USERNAME", "password": "NEO4J_PASSWORD"}
        settings = load_settings(
            home=clew_home, **{f"database_{name}": os.environ[variable] for name, variable in given.items()}
        )
    container, name = Container(settings, NoProgress()), films
    try:
        if engine == "neo4j":
            from clew.tools.ingest import ImportOptions, load

            name = f"planned-{uuid.uuid4().hex[:8]}"
            load(container.database.open(name, create=True), [facts], ImportOptions(container.folder(name) / "import"))
        result = ask(build_question_graph(), container.context(name), "who scored Heat")
        assert [answer["name"] for answer in result["answers"]] == [person("Heat", "scored_by")]
        spans = container.traces.show(result["trace_id"])["spans"]
        [plan] = [
            event["data"]["text"]
            for span in spans
            if span["node"] == "read"
            for event in span["events"]
            if event["kind"] == "plan"
        ]
        assert plan.strip()
        if engine == "neo4j":
            operators = plan.splitlines()
            assert operators[0].startswith("ProduceResults@neo4j")
            assert any(line.startswith("  ") and "Expand(All)@neo4j" in line for line in operators)
            assert any("rows)" in line for line in operators)
    finally:
        if name != films:
            container.drop(name)
        container.close()
