"""Fine-tuning an encoder on lessons: what it learns, what it leaves alone, and what happens when it is stopped."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from clew.tools.embedding import MiniLM, Vectors
from clew.tools.errors import BadInput, ClewError
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Schema
from clew.tools.learning.teaching import stored
from clew.tools.learning.teaching.bert import BertEncoder
from clew.tools.learning.teaching.encoder import Tuning, steps, tune
from clew.tools.learning.teaching.options import FEATURES, Option
from clew.tools.learning.teaching.pattern import Pattern, pattern_of
from clew.tools.learning.teaching.preference import TunedPreference
from clew.tools.learning.teaching.training import WEIGHTS, train, tuned_on
from clew.tools.learning.teaching.training_examples import Rated, TrainingExample, f1
from clew.tools.queries.space.query import Chain, Hop, Query
from tests.tools.learning.small_encoder import small_encoder
from tests.tools.linking.letters import Letters

TUNING = Tuning(learning_rate=1e-2, batch=8, epochs=30, patience=30, set_aside=0.2, layers=1, dropout=0.0)
VERBS = {"zankle": "ALPHA", "florp": "BETA", "snarp": "GAMMA", "quib": "DELTA", "drossel": "EPSILON"}


def pattern(relation: str) -> Pattern:
    return pattern_of(Query((Chain(Entity("e", "E", "Thing"), (Hop(relation, True, "Thing"),)),)))


PATTERNS = {verb: pattern(relation) for verb, relation in VERBS.items()}
FILLERS = ["please", "now", "again", "today", "once", "kindly", "perhaps"]


def lessons(count: int) -> list[TrainingExample]:
    """Questions whose verb says which of five queries is right; untaught, the first one is taken."""
    made = []
    for number in range(count):
        verb = list(VERBS)[number % len(VERBS)]
        text = f"{FILLERS[number % len(FILLERS)]} {verb} thing"
        rated = []
        for other, of_other in PATTERNS.items():
            known = {"score": -float(other != "zankle"), "first": float(other == "zankle"), "length": 1.0}
            features = tuple(known.get(name, 0.0) for name in FEATURES)
            hit = int(other == verb)
            rated.append(Rated(Option(of_other, text, features, (1.0, 0.0, 1.0)), hit, 1, f1(hit, 1, 1)))
        rated.sort(key=lambda r: -r.f1)
        made.append(TrainingExample(text, ("a",), "found", tuple(rated)))
    return made


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [lesson.question for lesson in lessons(40)] + [p.words for p in PATTERNS.values()]
    return small_encoder(tmp_path_factory.mktemp("base"), texts)


@pytest.fixture(scope="module")
def tuned(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tune(lessons(40), base, tmp_path_factory.mktemp("tuned"), TUNING)


def right(embedder: MiniLM) -> float:
    """Share of the questions that are nearest to the query that is right for them."""
    said = {verb: embedder.embed([p.words])[0] for verb, p in PATTERNS.items()}
    hits = [
        max(said, key=lambda other: float(said[other] @ embedder.embed([f"{filler} {verb} thing"])[0])) == verb
        for verb in VERBS
        for filler in FILLERS
    ]
    return sum(hits) / len(hits)


def test_what_is_asked_for_in_invented_words_is_learned(base: Path, tuned: Path) -> None:
    assert right(MiniLM(base)) < 0.5
    assert right(MiniLM(tuned)) > 0.8


def test_only_the_topmost_layers_change(base: Path, tuned: Path) -> None:
    before, after = (load_file(folder / "model.safetensors") for folder in (base, tuned))
    assert before.keys() == after.keys()
    changed = {name for name in before if not np.array_equal(before[name].astype(np.float16), after[name])}
    assert changed
    assert all(name.startswith("encoder.layer.1.") for name in changed)


def test_the_forward_pass_is_that_of_answering(tuned: Path) -> None:
    texts = ["now florp thing", "a text with words that it does not know", "thing"]
    network = BertEncoder(tuned, 1, 0.5).eval()
    with torch.no_grad():
        assert np.allclose(network.embed(texts, size=2).numpy(), MiniLM(tuned).embed(texts), atol=1e-5)


def test_an_interrupted_run_goes_on_after_its_last_epoch(base: Path, tmp_path: Path) -> None:
    an_epoch = steps(40, TUNING) // TUNING.epochs
    heard: list[int] = []

    def interrupted(done: int) -> None:
        heard.append(done)
        if done == 3 * an_epoch + 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(lessons(40), base, tmp_path, TUNING, interrupted)
    assert not list(tmp_path.glob("encoder-*"))
    again: list[int] = []
    made = tune(lessons(40), base, tmp_path, TUNING, again.append)
    assert again[0] == 3 * an_epoch + 1
    assert again[-1] == steps(40, TUNING)
    assert [path.name for path in tmp_path.iterdir()] == [made.name]
    assert right(MiniLM(made)) > 0.8
    assert tune(lessons(40), base, tmp_path, TUNING, lambda _: pytest.fail("tuned again")) == made


def test_a_state_that_was_cut_off_is_begun_anew(base: Path, tmp_path: Path) -> None:
    def stopped(done: int) -> None:
        if done > 2 * steps(40, TUNING) // TUNING.epochs:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(lessons(40), base, tmp_path, TUNING, stopped)
    state = next(tmp_path.glob(".encoder-*"))
    (state / "now.safetensors").write_bytes((state / "now.safetensors").read_bytes()[:50])
    heard: list[int] = []
    tune(lessons(40), base, tmp_path, replace(TUNING), heard.append)
    assert heard[0] == 1


def test_it_stops_where_nothing_is_gained(base: Path, tmp_path: Path) -> None:
    heard: list[int] = []
    tune(lessons(40), base, tmp_path, replace(TUNING, learning_rate=0.0, patience=1), heard.append)
    assert len(heard) - 1 == 2 * steps(40, TUNING) // TUNING.epochs  # the last call says that all is done


def test_errors_say_what_to_do(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = small_encoder(tmp_path / "broken", ["a"])
    (broken / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ClewError, match="cannot be read"):
        tune(lessons(10), broken, tmp_path, TUNING)
    (broken / "model.safetensors").unlink()
    with pytest.raises(ClewError, match="cannot be read"):
        tune(lessons(10), broken, tmp_path, TUNING)

    def exhausted(*_: object) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes.")

    monkeypatch.setattr(BertEncoder, "forward", exhausted)
    with pytest.raises(ClewError, match="not enough memory"):
        tune(lessons(10), base, tmp_path, TUNING)


# ---- whether it is used ----------------------------------------------------------------------------------------------


class Blind:
    """An encoder to which all texts are the same."""

    dimension = 4

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), 4), 0.5, dtype=np.float32)


class Telling:
    """An encoder that knows which query is meant."""

    dimension = len(VERBS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        meant = list(zip(VERBS, [p.words for p in PATTERNS.values()], strict=True))
        return np.array([[float(verb in t or words == t) for verb, words in meant] for t in texts], dtype=np.float32)


def test_an_encoder_that_knows_more_is_used_and_one_that_knows_nothing_is_not() -> None:
    telling = train(lessons(30), Blind(), tune=lambda _: Telling())
    assert telling is not None
    assert telling.encoder is not None
    assert telling.encoder.weight in WEIGHTS[1:]
    assert isinstance(telling.preference, TunedPreference)
    assert telling.encoder.tuned.taught_f1 > telling.encoder.frozen.taught_f1
    blind = train(lessons(30), Letters(), tune=lambda _: Blind())
    assert blind is not None
    assert blind.encoder is not None
    assert blind.encoder.weight == 0
    assert not isinstance(blind.preference, TunedPreference)
    forced = train(lessons(30), Letters(), tune=lambda _: Blind(), only_tuned=True)
    assert forced is not None
    assert isinstance(forced.preference, TunedPreference)


def test_the_encoder_never_sees_the_questions_that_judge_it() -> None:
    seen: list[str] = []
    distinct = [replace(lesson, question=f"{lesson.question} {i}") for i, lesson in enumerate(lessons(30))]

    def tuner(part: Sequence[TrainingExample]) -> Telling:
        seen.extend(lesson.question for lesson in part)
        return Telling()

    trained = train(distinct, Letters(), tune=tuner)
    assert trained is not None
    assert trained.encoder is not None
    assert len(set(seen)) == len(seen) == tuned_on(30)
    assert trained.encoder.tuned.questions == trained.encoder.frozen.questions == 30 - len(seen)


def test_training_goes_on_where_no_encoder_could_be_tuned() -> None:
    trained = train(lessons(30), Letters(), tune=lambda _: None)
    assert trained is not None
    assert trained.encoder is None
    assert trained.held_back.better


# ---- on disk ---------------------------------------------------------------------------------------------------------

SCHEMA = Schema.from_json(
    {
        "version": "1",
        "labels": {"Thing": 1},
        "relations": [{"source": "Thing", "type": t, "target": "Thing", "count": 1} for t in VERBS.values()],
        "properties": [],
    }
)


@pytest.fixture
def saved(tuned: Path, tmp_path: Path) -> Path:
    """A folder with what was taught, an encoder among it."""
    made = tmp_path / tuned.name
    made.mkdir()
    for file in tuned.iterdir():
        (made / file.name).write_bytes(file.read_bytes())
    trained = train(lessons(30), Letters(), tune=lambda _: MiniLM(made), only_tuned=True)
    assert trained is not None
    (tmp_path / "encoder-old").mkdir()
    stored.save_taught(tmp_path, trained, list(PATTERNS.values()), {}, made)
    assert not (tmp_path / "encoder-old").exists()
    taught = stored.load_taught(tmp_path, SCHEMA)
    assert taught is not None
    options = [r.option for r in lessons(9)[7].rated]
    expected = trained.preference.scores(options, Letters())
    assert np.allclose(taught.preference.scores(options, Letters()), expected, atol=1e-3)
    return tmp_path


def test_a_damaged_encoder_is_not_used(saved: Path, tuned: Path) -> None:
    weights = saved / tuned.name / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    with pytest.raises(BadInput, match="is damaged"):
        stored.load_taught(saved, SCHEMA)
    weights.unlink()
    with pytest.raises(BadInput, match="cannot be read"):
        stored.load_taught(saved, SCHEMA)


def test_answering_does_not_import_torch(tuned: Path) -> None:
    """Importing it takes seconds."""
    code = (
        "import sys; from pathlib import Path; import clew.app.container\n"
        "import clew.tools.learning.teaching.learned_ranker, clew.tools.learning.teaching.stored\n"
        "from clew.tools.embedding import MiniLM\n"
        "MiniLM(Path(sys.argv[1])).embed(['a']); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(tuned)], check=True, cwd=Path(__file__).resolve().parents[3])
