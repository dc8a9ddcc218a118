"""Teaching, on a graph whose relations say nothing: R1 to R8, asked about in invented words."""

from __future__ import annotations

import gzip
import io
import json
import random
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from clew.agents.models.calls import ModelFailed, Reply, Usage
from clew.agents.prompting import Prompt
from clew.agents.writing.question_writer import FAILURES, WrittenQuestion, write_questions
from clew.app.cli import run
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.app.training.material import read_material
from clew.app.training.teaching import Teaching
from clew.tools.embedding import MiniLM
from clew.tools.errors import BadInput
from clew.tools.learning.teaching import stored
from clew.tools.learning.teaching.learned_ranker import LearnedRanker
from clew.tools.learning.teaching.preference import TunedPreference
from clew.tools.learning.teaching.synthesis import Pair, Synthesis
from clew.tools.learning.teaching.training_examples import TrainingExample, read_training_examples
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.ranking.ranker import Ranker
from tests.conftest import Said
from tests.tools.learning.small_encoder import small_encoder

VERBS = {
    "R1": "what does {} florp", "R2": "which glim has {}", "R3": "who zankles {}", "R4": "where do they quib {}",
    "R5": "the wumple of {}", "R6": "tell me the drossel for {}", "R7": "{} is vexed by what", "R8": "{} snarps whom",
}  # fmt: skip
STARTS = ["Amberlo", "Brindick", "Cortusa", "Drenhal", "Elvimar", "Fostrin"]
TAUGHT = 4
"""Of STARTS, those that are taught about; the others are asked about afterwards."""


def end_of(start: str, relation: str) -> str:
    return f"{start[:4]}{'aeiouyäö'[int(relation[1]) - 1]}{random.Random(start + relation).choice('kmrtv')}ex"


def rows(starts: Sequence[str]) -> list[dict[str, object]]:
    return [
        {"question": asked.format(start), "answers": [end_of(start, relation)]}
        for start in starts
        for relation, asked in VERBS.items()
    ]


def written(path: Path, lines: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def opaque(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the graph."""
    path = tmp_path_factory.mktemp("opaque") / "facts.tsv"
    facts = [f"{start}\t{relation}\t{end_of(start, relation)}" for start in STARTS for relation in VERBS]
    path.write_text("\n".join(facts) + "\n", encoding="utf-8")
    name = f"opaque-{uuid.uuid4().hex[:8]}"
    assert run(["--home", str(clew_home), "import", str(path), "--graph", name]) == 0
    yield name
    assert run(["--home", str(clew_home), "drop", name, "--yes"]) == 0


@pytest.fixture
def container(clew_home: Path) -> Iterator[Container]:
    opened = Container(load_settings(home=clew_home), NoProgress())
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def taught(clew_home: Path, opaque: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, float]]:
    """The graph after it was taught with 32 questions; the lessons; Hits@1 on the other questions before."""
    folder = tmp_path_factory.mktemp("taught")
    before = hits_at_1(clew_home, opaque)
    lessons = folder / "lessons.jsonl"
    questions = written(folder / "teach.jsonl", rows(STARTS[:TAUGHT]))
    with redirect_stdout(io.StringIO()) as out:
        assert run(["--home", str(clew_home), "teach", str(questions), "--graph", opaque, "--out", str(lessons)]) == 0
    assert "32 questions: 32 found" in out.getvalue()
    yield opaque, lessons, before
    assert run(["--home", str(clew_home), "teach", "--reset", "--graph", opaque]) == 0


def hits_at_1(home: Path, graph: str) -> float:
    """The share of the questions not taught about whose first query gives the answer."""
    container = Container(load_settings(home=home), NoProgress())
    context, asked = container.context(graph), rows(STARTS[TAUGHT:])
    hits = 0
    for row in asked:
        question = str(row["question"])
        ranked = context.tools.ranker.rank(question, find_mentions(question, context.tools.index))
        hits += bool(ranked) and [r.name for r in context.tools.space.execute(ranked[0].query).rows] == row["answers"]
    container.close()
    return hits / len(asked)


def test_words_that_mean_nothing_are_learned(taught: tuple[str, Path, float], clew_home: Path) -> None:
    graph, _, before = taught
    assert before < 0.5
    assert hits_at_1(clew_home, graph) >= 0.85


def test_synthesis_finds_the_query_behind_each_question(taught: tuple[str, Path, float]) -> None:
    found = {lesson.question: lesson for lesson in read_training_examples(taught[1])}
    assert len(found) == TAUGHT * len(VERBS)
    for start in STARTS[:TAUGHT]:
        for relation, asked in VERBS.items():
            lesson = found[asked.format(start)]
            best = lesson.rated[0]
            assert (best.hits, best.total, best.f1) == (1, 1, 1.0)
            assert [hop.key().split(":")[0] for hop in best.option.pattern.strands[0].hops] == [relation]
            assert start not in best.option.masked
            assert relation in best.cypher
            assert all(other.f1 < 1 for other in lesson.rated[1:])


def test_a_taught_ranker_only_offers_queries_that_match(taught: tuple[str, Path, float], container: Container) -> None:
    context = container.context(taught[0])
    assert isinstance(context.tools.ranker, LearnedRanker)
    for row in rows(STARTS[TAUGHT:])[:6]:
        question = str(row["question"])
        ranked = context.tools.ranker.rank(question, find_mentions(question, context.tools.index))
        assert [r.score for r in ranked] == sorted((r.score for r in ranked), reverse=True)
        assert len({r.query.key() for r in ranked}) == len(ranked) <= 20
        assert all(context.tools.space.execute(r.query).rows for r in ranked)
        assert {r.reasons["taught"] for r in ranked}
    assert isinstance(container.untaught_ranker(taught[0]), Ranker)


def test_status_says_what_was_taught(taught: tuple[str, Path, float], said: Said) -> None:
    out, _ = said("teach", "--status", "--graph", taught[0])
    assert "32 of 32 questions" in out
    assert "used           yes" in out


def test_lessons_can_be_taught_with_again(taught: tuple[str, Path, float], said: Said) -> None:
    out, _ = said("teach", taught[1], "--graph", taught[0])
    assert "32 questions: 32 found" in out
    assert "used           yes" in said("teach", "--status", "--graph", taught[0])[0]


def test_an_interrupted_run_goes_on_where_it_stopped(
    opaque: str, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [Pair(str(r["question"]), (str(r["answers"][0]),)) for r in rows(STARTS[-2:])[:6]]  # type: ignore[index]
    teaching = Teaching(container, opaque)
    journal = teaching._journal()
    lines = journal.read_text(encoding="utf-8") if journal.exists() else ""
    asked: list[str] = []
    plain = Synthesis.example

    def counted(self: Synthesis, pair: Pair) -> object:
        asked.append(pair.question)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return plain(self, pair)

    monkeypatch.setattr(Synthesis, "example", counted)
    with pytest.raises(KeyboardInterrupt):
        teaching.synthesise(pairs, threads=1)
    kept = len(journal.read_text(encoding="utf-8")) - len(lines)
    assert kept > 0
    with journal.open("a", encoding="utf-8") as file:
        file.write('{"question": "cut off in the mid')
    asked[:] = [""] * 10
    found = teaching.synthesise(pairs, threads=2)
    assert [lesson.question for lesson in found] == [pair.question for pair in pairs]
    assert all(lesson.status == "found" for lesson in found)
    again = len(asked)
    assert 10 < again < 16
    assert teaching.synthesise(pairs, threads=2) == found
    assert len(asked) == again
    journal.write_text(lines, encoding="utf-8")
    with Container(container.settings.model_copy(update={"workers": 2}), NoProgress()) as others:
        spread = Teaching(others, opaque).synthesise(pairs, threads=1)
    assert len(asked) == again, "examples were made in this process"
    assert [queries_of(example) for example in spread] == [queries_of(example) for example in found]
    journal.write_text(lines, encoding="utf-8")


def queries_of(example: TrainingExample) -> object:
    """What a database says of an example; features hold cosines, which differ in the sixth digit by what is embedded
    together."""
    rated = [(each.cypher, each.hits, each.total, each.f1) for each in example.rated]
    return example.question, example.status, rated


def test_answers_that_the_graph_lacks_are_listed(taught: tuple[str, Path, float], said: Said, tmp_path: Path) -> None:
    bad = [{"question": f"what does {STARTS[0]} florp", "answers": ["Nobody Known"]}]
    questions = written(tmp_path / "mixed.jsonl", [*rows(STARTS[:2]), *bad])
    out, _ = said("teach", questions, "--graph", taught[0])
    assert "16 found" in out
    assert "not in the graph: what does Amberlo florp" in out


def test_what_was_taught_stays_when_there_is_too_little_to_learn_from(
    taught: tuple[str, Path, float], said: Said, tmp_path: Path
) -> None:
    questions = written(tmp_path / "few.jsonl", [{"question": "who knows?", "answers": ["Nobody Known"]}])
    before = said("teach", "--status", "--graph", taught[0])
    _, err = said("teach", questions, "--graph", taught[0], status=1)
    assert "Only 0 of 1 questions" in err
    assert said("teach", "--status", "--graph", taught[0]) == before


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": 0}, "another release"),
        ({"embedder": "other"}, "another embedding model"),
        ({"weights": "weights-gone.npz"}, "cannot be read"),
        ({"patterns": [{}]}, "cannot be read"),
    ],
)
def test_what_does_not_fit_is_not_used(
    taught: tuple[str, Path, float], container: Container, change: dict[str, object], reason: str, tmp_path: Path
) -> None:
    folder = container.files(taught[0]).teaching
    for file in folder.glob("*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    schema = container.files(taught[0]).schema()
    assert stored.load_taught(tmp_path, schema) is not None
    manifest = json.loads((tmp_path / "taught.json").read_text(encoding="utf-8"))
    (tmp_path / "taught.json").write_text(json.dumps({**manifest, **change}), encoding="utf-8")
    with pytest.raises(BadInput, match=reason):
        stored.load_taught(tmp_path, schema)


def test_damaged_weights_are_not_used(taught: tuple[str, Path, float], container: Container, tmp_path: Path) -> None:
    for file in container.files(taught[0]).teaching.glob("*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    for weights in tmp_path.glob("weights-*.npz"):
        whole = bytearray(weights.read_bytes())
        whole[len(whole) // 3] ^= 1
        weights.write_bytes(bytes(whole))
    with pytest.raises(BadInput, match="cannot be read"):
        stored.load_taught(tmp_path, container.files(taught[0]).schema())


def test_a_graph_that_lost_a_relation_is_answered_as_if_untaught(
    taught: tuple[str, Path, float], clew_home: Path
) -> None:
    class Notes(NoProgress):
        said = ""

        def note(self, text: str) -> None:
            self.said += text

    notes = Notes()
    container = Container(load_settings(home=clew_home), notes)
    path = container.files(taught[0]).teaching / "taught.json"
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(text.replace('"R1"', '"R9"'), encoding="utf-8")
        assert isinstance(container.context(taught[0]).tools.ranker, Ranker)
        assert "R9" in notes.said
    finally:
        path.write_text(text, encoding="utf-8")
        container.close()


def test_candidate_queries_of_others_are_taught_by_the_same_command(
    taught: tuple[str, Path, float], said: Said, tmp_path: Path
) -> None:
    graph, lessons, _ = taught
    lines = [
        {
            "question": asked.format(start),
            "n_answers": 1,
            "queries": [
                {
                    "cypher": f'MATCH (a:E {{name: "{start}"}})-[:{r}]->(b:E) RETURN b',
                    "results": 1,
                    "hits": int(r == right),
                }
                for r in VERBS
            ],
        }
        for start in STARTS
        for right, asked in VERBS.items()
    ]
    path = tmp_path / "given.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    out, _ = said("teach", path, "--graph", graph, "--out", tmp_path / "out.jsonl")
    assert f"{len(lines)} questions: {len(lines)} found" in out
    assert "used           yes" in said("teach", "--status", "--graph", graph)[0]
    assert len(list(read_training_examples(tmp_path / "out.jsonl"))) == len(lines)
    said("teach", lessons, "--graph", graph)


def test_an_encoder_is_tuned_on_demand_and_comes_with_what_was_taught(
    taught: tuple[str, Path, float], said: Said, clew_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    graph, lessons, _ = taught
    texts = [r.option.masked for lesson in read_training_examples(lessons) for r in lesson.rated]
    base = small_encoder(tmp_path / "base", [*texts, *VERBS])
    monkeypatch.setattr("clew.app.training.teaching.bundled_minilm", lambda: base)
    out, _ = said("teach", lessons, "--graph", graph, "--encoder", "tuned")
    assert "tuned encoder  used: F1" in out
    assert "tuned encoder  used: F1" in said("teach", "--status", "--graph", graph)[0]
    container = Container(load_settings(home=clew_home), NoProgress())
    folder = container.files(graph).teaching
    encoder = next(folder.glob("encoder-*"))
    ranker: Any = container.context(graph).tools.ranker
    assert isinstance(ranker._preference, TunedPreference)
    assert hits_at_1(clew_home, graph) >= 0.7
    container.close()

    weights = encoder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-8])
    assert "damaged" in said("teach", "--status", "--graph", graph)[0]
    _, err = said("ask", rows(STARTS)[0]["question"], "--graph", graph)
    assert "as if nothing had been taught" in err
    assert "damaged" in err

    out, _ = said("teach", lessons, "--graph", graph)
    assert "tuned encoder" not in out
    assert not encoder.exists()
    assert "used           yes" in said("teach", "--status", "--graph", graph)[0]


def test_without_an_encoder_teaching_goes_on_unless_it_was_asked_for(
    taught: tuple[str, Path, float], said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    graph, lessons, _ = taught
    monkeypatch.setattr("clew.app.training.teaching.bundled_minilm", lambda: tmp_path / "none")
    _, err = said("teach", lessons, "--graph", graph, "--encoder", "tuned", status=1)
    assert "embedding model cannot be read" in err
    assert "used           yes" in said("teach", "--status", "--graph", graph)[0]
    monkeypatch.setattr("clew.app.training.teaching.TUNED_FROM", 1)
    out, err = said("teach", lessons, "--graph", graph)
    assert "No encoder was tuned" in err
    assert "32 questions: 32 found" in out


def test_too_little_memory_is_said_and_costs_nothing(
    taught: tuple[str, Path, float], said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    before = said("teach", "--status", "--graph", taught[0])
    monkeypatch.setattr("clew.app.training.teaching.train", exhausted)
    _, err = said("teach", taught[1], "--graph", taught[0], status=1)
    assert "not enough memory" in err
    assert "--limit" in err
    assert said("teach", "--status", "--graph", taught[0]) == before


def test_reset_forgets(opaque: str, said: Said, container: Container) -> None:
    folder = container.files(opaque).teaching
    aside = {file.name: file.read_bytes() for file in folder.glob("*")} if folder.exists() else {}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "taught.json").write_text("{}", encoding="utf-8")
    assert said("teach", "--reset", "--graph", opaque)[0] == "Deleted.\n"
    assert not folder.exists()
    assert "nothing" in said("teach", "--reset", "--graph", opaque)[0]
    assert "has not been taught" in said("teach", "--status", "--graph", opaque)[0]
    if aside:
        folder.mkdir()
    for name, content in aside.items():
        (folder / name).write_bytes(content)


BAD = [
    ("{", "not JSON"),
    ('"text"', "not a JSON object"),
    ('{"answers": ["a"]}', "no `question`"),
    ('{"question": "q"}', "no `answers`"),
    ('{"question": "q", "answers": []}', "no `answers`"),
    ('{"question": "q", "candidates": []}', "no `candidates`"),
    ('{"question": "q", "candidates": [{"cypher": "RETURN 1", "results": 1}]}', "not a chain"),
    ('{"question": "q", "answers": ["a"], "status": "found", "candidates": [{}]}', "pattern"),
]


@pytest.mark.parametrize(("line", "reason"), BAD)
def test_bad_lines_are_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"question": "q", "answers": ["a"]}\n\n' + line + "\n", encoding="utf-8")
    material = read_material([path])
    assert len(material.pairs) == 1
    assert len(material.bad_lines) == 1
    assert material.bad_lines[0].startswith(f"{path}:3: ")
    assert reason in material.bad_lines[0]


def test_a_file_without_a_usable_line_is_an_error(tmp_path: Path, said: Said, opaque: str) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n", encoding="utf-8")
    assert "no line to learn from" in said("teach", empty, "--graph", opaque, status=1)[1]
    assert "There is no file" in said("teach", tmp_path / "none.jsonl", "--graph", opaque, status=1)[1]


# ---- questions that a model writes -----------------------------------------------------------------------------------


class Writer:
    """A model, and the models of all roles: says for every query what `script` makes of its entity."""

    def __init__(self, script: Callable[[str], str]) -> None:
        self._script = script
        self.prompts: list[Prompt] = []

    def of(self, *_: object, **__: object) -> Writer:
        return self

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        self.prompts.append(prompt)
        entity = prompt.user.split("It starts from: ")[1].split(" (a ")[0]
        text = self._script(entity)
        if not text:
            raise ModelFailed("It is out.", reason="unavailable")
        return Reply(text, Usage(), "scripted", "stop")


def test_questions_are_written_about_what_the_graph_holds(opaque: str, container: Container) -> None:
    context = container.context(opaque)
    writer = Writer(lambda e: f"<questions>\n- what flims {e}?\n2. {e}, say what?\nunnamed thing?\n{e}\n</questions>")
    space = Teaching(container, opaque).space()
    found = [
        w for w in write_questions(writer, space, context.tools.index, 9, seed=3) if isinstance(w, WrittenQuestion)
    ]
    assert len(found) == 9 == len({w.question for w in found})
    ends = {end_of(start, relation): (start, relation) for start in STARTS for relation in VERBS}
    for item in found:
        assert "unnamed" not in item.question
        assert not item.question.startswith(("-", "2."))
        if len(item.answers) == 1 and item.answers[0] in ends:
            start, _ = ends[item.answers[0]]
            assert start in item.question or item.words
    assert all(name in writer.prompts[0].user for name in ("The query:", "Some of its answers:"))


def test_a_model_that_fails_on_and_on_ends_it(opaque: str, container: Container) -> None:
    context = container.context(opaque)
    found = write_questions(Writer(lambda _: ""), Teaching(container, opaque).space(), context.tools.index, 5)
    assert [next(found) for _ in range(FAILURES)] == ["It is out."] * FAILURES
    with pytest.raises(ModelFailed):
        next(found)


def test_write_questions_needs_a_model_and_a_file(opaque: str, said: Said, tmp_path: Path) -> None:
    assert "--out" in said("teach", "--write-questions", 3, "--graph", opaque, status=2)[1]
    out = tmp_path / "written.jsonl"
    assert "--model" in said("teach", "--write-questions", 3, "--out", out, "--graph", opaque, status=1)[1]
    assert "--status" in said("teach", "--graph", opaque, status=2)[1]


def test_the_bundled_model_is_the_one_that_is_recorded(taught: tuple[str, Path, float], container: Container) -> None:
    manifest = stored.manifest_of(container.files(taught[0]).teaching)
    assert manifest is not None
    assert manifest["embedder"] == stored.MINILM_SHA256
    assert isinstance(container.embedder, MiniLM)
