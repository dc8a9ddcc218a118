"""Training a generator: it learns, can be interrupted, keeps the best epoch, and its adapters fit their base only."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.agents.generating.written_query import written
from clew.tools.errors import BadInput
from clew.tools.graph.entity import Entity
from clew.tools.learning.generation import optimising, training
from clew.tools.learning.generation.batches import Row, tokenised
from clew.tools.learning.generation.calibration import (
    HIGHEST,
    LOWEST,
    Branch,
    branches,
    fitted_share,
    fitted_temperature,
)
from clew.tools.learning.generation.choosing import TextChooser
from clew.tools.learning.generation.chosen import Choice, ChosenText
from clew.tools.learning.generation.evaluating import decodings
from clew.tools.learning.generation.examples import Example, read_examples, write_examples
from clew.tools.learning.generation.fresh import fresh_model
from clew.tools.learning.generation.loading import LanguageModel, OutOfMemory, end_of_turn, load, prompt_ids
from clew.tools.learning.generation.losses import Losses, bins
from clew.tools.learning.generation.numbered_names import NumberedNames, asked_with_numbers, with_numbers
from clew.tools.learning.generation.optimising import computed_in, optimiser_of, rate, with_master_weights
from clew.tools.learning.generation.recipe import L1, L2, Recipe, Schedule
from clew.tools.learning.generation.training import train
from clew.tools.queries.space.query import Chain, Hop, Query

VERBS = {"directed": "DIRECTED", "wrote": "WROTE", "scored": "COMPOSED", "saw": "SEEN_BY"}
TITLES = ("Alien", "Heat", "Brazil", "Jaws", "Casino", "Solaris", "Ran", "Up", "Tenet", "Dune", "Her", "Fargo")
RECIPE = Recipe(epochs=40, learning_rate=3e-3, batch=8, held_back=0.2, patience=40, seed=1)


def query(title: str, relation: str) -> str:
    return f"({title})<-[:{relation}]-(x)"


def examples() -> list[Example]:
    return [
        Example(f"Who {verb} {title}?\nCypher:", query(title, relation), tuple(query(title, r) for r in VERBS.values()))
        for title in TITLES
        for verb, relation in VERBS.items()
    ]


def tiny(seed: int = 0, hidden: int = 64) -> LanguageModel:
    texts = [f"{e.prompt}\n{e.target}" for e in examples()]
    return fresh_model(texts, vocabulary=400, hidden=hidden, layers=2, heads=4, seed=seed, name="tiny")


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, training.Trained]:
    folder = tmp_path_factory.mktemp("generator") / "taught"
    return folder, train(tiny(), examples(), folder, RECIPE)


def test_it_learns_what_follows_a_question(taught: tuple[Path, training.Trained]) -> None:
    _, trained = taught
    assert trained.after.loss < trained.before.loss / 5
    assert trained.before.right is not None
    assert trained.after.right is not None
    assert trained.after.right > trained.before.right
    assert trained.after.right >= 0.9


def test_what_was_written_is_loaded_and_chooses_as_it_learned(taught: tuple[Path, training.Trained]) -> None:
    folder, _ = taught
    chooser = TextChooser(load(str(folder), device="cpu"))
    texts = [query("Tenet", relation) for relation in VERBS.values()]
    found = chooser.choose("Who scored Tenet?\nCypher:", texts, 4)
    assert found.exact
    assert texts[found.chosen[0].index] == query("Tenet", "COMPOSED")
    assert sum(each.probability for each in found.chosen) == pytest.approx(1, abs=1e-4)
    assert [each.probability for each in found.chosen] == sorted((c.probability for c in found.chosen), reverse=True)
    assert found.chosen[0].steps[0].of >= 2
    assert not (folder / ".training").exists()
    assert json.loads((folder / "clew.json").read_text())["steps"] > 0


def stopping_after(steps: int) -> Callable[[int], None]:
    def step(done: int) -> None:
        if done == steps:
            raise KeyboardInterrupt

    return step


@pytest.mark.parametrize("lora", [False, True], ids=["whole", "lora"])
def test_an_interrupted_training_ends_like_one_that_was_not(tmp_path: Path, lora: bool) -> None:
    if lora:
        pytest.importorskip("peft")
    recipe = replace(RECIPE, epochs=2, lora=lora, rank=4, alpha=4, dropout=0.1, modules=("q_proj", "v_proj"))
    at_once = train(tiny(), examples(), tmp_path / "at once", recipe)
    for steps in (3, 7):
        with pytest.raises(KeyboardInterrupt):
            train(tiny(), examples(), tmp_path / "in parts", recipe, stopping_after(steps))
    in_parts = train(tiny(), examples(), tmp_path / "in parts", recipe)
    assert in_parts == replace(at_once, resumed=True)
    name = "adapter_model.safetensors" if lora else "model.safetensors"
    assert (tmp_path / "in parts" / name).read_bytes() == (tmp_path / "at once" / name).read_bytes()


def test_a_checkpoint_of_other_examples_is_not_taken_up(tmp_path: Path) -> None:
    recipe = replace(RECIPE, epochs=1)
    with pytest.raises(KeyboardInterrupt):
        train(tiny(), examples(), tmp_path, recipe, stopping_after(2))
    assert not train(tiny(), examples()[:-1], tmp_path, recipe).resumed


def test_it_ends_early_and_keeps_the_best_epoch(tmp_path: Path) -> None:
    trained = train(tiny(), examples(), tmp_path, replace(RECIPE, epochs=9, learning_rate=50.0, patience=2))
    assert trained.stopped_early
    assert trained.epochs < 9
    assert trained.after.loss <= trained.before.loss


def test_a_batch_that_does_not_fit_is_halved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    loss = training._Run._loss

    def small(self: training._Run, rows: list[Row]) -> torch.Tensor:
        sizes.append(len(rows))
        if len(rows) > 3:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return loss(self, rows)

    monkeypatch.setattr(training._Run, "_loss_held_back", lambda self: 1.0)
    monkeypatch.setattr(training._Run, "_loss", small)
    train(tiny(), examples(), tmp_path / "halved", replace(RECIPE, epochs=1))
    fitting = next(number for number, size in enumerate(sizes) if size <= 3)
    assert sizes[0] > sizes[1] > sizes[fitting]
    assert max(sizes[fitting:]) <= 3
    assert sum(sizes[fitting:]) == 38

    monkeypatch.setattr(training._Run, "_loss", lambda *_: (_ for _ in ()).throw(torch.OutOfMemoryError("no")))
    with pytest.raises(OutOfMemory, match="does not fit"):
        train(tiny(), examples(), tmp_path / "none", replace(RECIPE, epochs=1))
    assert (tmp_path / "none" / ".training" / "now.pt").exists()


def test_an_adapter_is_loaded_on_its_base_and_refused_by_another(tmp_path: Path) -> None:
    pytest.importorskip("peft")
    base, other, adapter = tmp_path / "base", tmp_path / "other", tmp_path / "adapter"
    for folder, seed in ((base, 0), (other, 5)):
        made = tiny(seed)
        made.model.save_pretrained(folder)
        made.tokenizer.save_pretrained(folder)
    recipe = replace(RECIPE, epochs=6, lora=True, rank=8, alpha=16, dropout=0.0, modules=L2.modules)
    trained = train(load(str(base)), examples(), adapter, recipe)
    assert trained.after.loss < trained.before.loss
    text = query("Heat", "WROTE")
    alone = TextChooser(load(str(base), str(adapter))).choose("Who wrote Heat?\nCypher:", [text, query("Heat", "X")], 1)
    named = TextChooser(load(str(adapter))).choose("Who wrote Heat?\nCypher:", [text, query("Heat", "X")], 1)
    assert alone.chosen == named.chosen
    with pytest.raises(BadInput, match="does not fit"):
        load(str(other), str(adapter))
    with pytest.raises(BadInput, match="holds no adapter"):
        load(str(base), str(other))


@pytest.mark.parametrize(
    ("name", "said"),
    [("./nowhere", "no folder"), ("nobody/has-this-model", "no model"), ("", "holds no model")],
)
def test_a_model_that_is_not_there_is_an_error_that_says_so(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        load(name or str(tmp_path))


def test_a_broken_model_and_an_unknown_device_say_so(taught: tuple[Path, training.Trained], tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    with pytest.raises(BadInput, match="cannot be loaded"):
        load(str(tmp_path))
    with pytest.raises(BadInput, match="no device"):
        load(str(taught[0]), device="cuda:99")


def moved(before: dict[str, torch.Tensor], model: LanguageModel) -> float:
    """The share of weights that are not what they were."""
    after = dict(model.model.named_parameters())
    changed = sum(int((after[name].float() != value).sum()) for name, value in before.items())
    return changed / sum(value.numel() for value in before.values())


def test_small_steps_move_weights_in_bfloat16_only_because_masters_are_in_float32() -> None:
    """AdamW at 2e-5 changes next to no bfloat16 weight by itself."""
    shares = {}
    for masters in (False, True):
        model = tiny()
        model.model.to(torch.bfloat16)
        model = with_master_weights(model) if masters else model
        before = {name: value.detach().float().clone() for name, value in model.model.named_parameters()}
        recipe = Recipe(optimiser="adamw")
        optimiser = optimiser_of(model.model.parameters(), recipe, torch.device("cpu"))
        rows, _ = tokenised(model, examples()[:8], 4096)
        losses = Losses(model.model, model.end_token, packing=True)
        for _ in range(3):
            with computed_in(torch.bfloat16, torch.device("cpu")) if masters else nullcontext():
                loss = losses(list(rows.values()))
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        shares[masters] = moved(before, model)
    assert shares[False] < 0.5
    assert shares[True] > 0.9


def test_a_model_in_bfloat16_is_trained_and_written_in_it(tmp_path: Path) -> None:
    made = tiny()
    made.model.to(torch.bfloat16)
    trained = train(made, examples(), tmp_path, replace(RECIPE, epochs=6, schedule="linear", checkpointing=True))
    assert trained.after.loss < trained.before.loss
    assert json.loads((tmp_path / "config.json").read_text())["dtype"] == "bfloat16"
    half = tiny()
    half.model.to(torch.float16)
    with pytest.raises(BadInput, match="underflow"):
        train(half, examples(), tmp_path / "half", RECIPE)


def test_packed_examples_do_not_see_each_other() -> None:
    model = tiny()
    rows = list(tokenised(model, examples()[:6], 4096)[0].values())
    padded, packing = (Losses(model.model, model.end_token, packing=packing) for packing in (False, True))
    expected = float(padded(rows))
    assert float(packing(rows)) == pytest.approx(expected, rel=1e-5)
    assert float(packing._packed(rows)) == pytest.approx(expected, rel=1e-5)
    assert [row for part in bins(rows, 100) for row in part] == rows
    assert all(len(part) == 1 for part in bins(rows, 1))


def test_on_a_cpu_examples_are_packed_only_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed_rows: list[int] = []

    def packed(self: Losses, rows: Sequence[Row]) -> torch.Tensor:
        packed_rows.append(len(rows))
        return self._padded(rows)

    monkeypatch.setattr(Losses, "_packed", packed)
    for packing, name in ((None, "padded"), (True, "packed")):
        train(tiny(), examples(), tmp_path / name, replace(RECIPE, epochs=1, packing=packing))
        assert bool(packed_rows) is bool(packing)


def test_a_model_that_does_not_keep_examples_apart_is_given_padded_ones() -> None:
    """BLOOM's position biases come from its mask, so that packed examples would see each other."""
    import transformers

    config = transformers.BloomConfig(vocab_size=400, hidden_size=32, n_layer=2, n_head=2)
    torch.manual_seed(0)
    bloom = transformers.AutoModelForCausalLM.from_config(config).eval()  # type: ignore[no-untyped-call]
    model = replace(tiny(), model=bloom)
    rows = list(tokenised(model, examples()[:4], 4096)[0].values())
    losses = Losses(bloom, model.end_token, packing=True)
    assert float(losses(rows)) == pytest.approx(float(losses._padded(rows)), rel=1e-5)
    assert losses._packs is False


@given(st.integers(0, 20), st.integers(1, 200), st.sampled_from(["cosine", "linear"]))
def test_the_learning_rate_rises_and_then_falls_to_0(warmup: int, steps: int, schedule: Schedule) -> None:
    recipe = Recipe(warmup=warmup, schedule=schedule)
    rates = [rate(step, steps + warmup, recipe) for step in range(steps + warmup + 1)]
    assert all(0 <= each <= 1 for each in rates)
    assert rates[:warmup] == sorted(rates[:warmup])
    assert rates[warmup:] == sorted(rates[warmup:], reverse=True)
    assert rates[warmup] == 1
    assert rates[-1] == pytest.approx(0, abs=1e-9)


def test_the_papers_optimiser_is_taken_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = [torch.nn.Parameter(torch.zeros(3))]
    assert isinstance(optimiser_of(weights, Recipe(), torch.device("cpu")), torch.optim.AdamW)
    found: list[object] = []

    def paged(parameters: object, **given: object) -> str:
        found.append(given)
        return "paged"

    fake = ModuleType("bitsandbytes")
    fake.optim = SimpleNamespace(PagedAdamW8bit=paged)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bitsandbytes", fake)
    monkeypatch.setattr(optimising.importlib.util, "find_spec", lambda name: object())
    assert optimiser_of(weights, Recipe(), torch.device("cuda")) == "paged"
    assert found == [{"lr": 2e-5, "betas": (0.9, 0.999), "weight_decay": 0.0}]
    monkeypatch.setattr(optimising.importlib.util, "find_spec", lambda name: None)
    assert isinstance(optimiser_of(weights, Recipe(), torch.device("cuda")), torch.optim.AdamW)
    with pytest.raises(BadInput, match="train-gpu"):
        optimiser_of(weights, Recipe(optimiser="paged-8bit"), torch.device("cuda"))


def test_every_way_of_decoding_chooses_among_the_texts(taught: tuple[Path, training.Trained]) -> None:
    model = load(str(taught[0]), device="cpu")
    texts = [query("Tenet", relation) for relation in VERBS.values()]
    asked = ("Who scored Tenet?\nCypher:", texts, 2)
    exact, beam, greedy, free = (
        TextChooser(model, decoding=way).choose(*asked) for way in ("exact", "beam", "greedy", "free")
    )
    assert [each.index for each in beam.chosen] == [each.index for each in exact.chosen]
    assert beam.chosen[0].probability == pytest.approx(exact.chosen[0].probability, abs=1e-4)
    assert [each.index for each in greedy.chosen] == [exact.chosen[0].index]
    assert free.written == texts[exact.chosen[0].index]
    assert not TextChooser(model, decoding="free").choose(asked[0], ["(Nobody)<-[:SAW]-(x)"], 1).chosen
    figures = decodings(model, examples()[:8], ["exact", "free"])
    assert figures["exact"]["valid"] == 1
    assert figures["exact"]["n"] == 8


def test_the_share_from_which_texts_are_taken_fits_the_right_ones() -> None:
    class Sure:
        def choose(self, prompt: str, texts: Sequence[str], m: int) -> Choice:
            return Choice(tuple(ChosenText(n, p) for n, p in enumerate((0.5, 0.3, 0.15, 0.05))), True, 4, 1, 0.0)

    texts = ("a", "b", "c", "d")
    several = [Example("?", target, texts) for target in ("a", "b")]
    assert 0.3 < fitted_share(Sure(), several, 1.0) <= 0.6
    assert fitted_share(Sure(), several[:1], 1.0) == 0.0


def test_too_few_or_too_long_examples_and_a_folder_in_use_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="too few"):
        train(tiny(), examples()[:3], tmp_path / "a", RECIPE)
    with pytest.raises(BadInput, match="longer than 9 tokens"):
        train(tiny(), examples(), tmp_path / "b", replace(RECIPE, longest=9))
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(BadInput, match="something else"):
        train(tiny(), examples(), tmp_path, RECIPE)


def test_examples_are_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    assert write_examples(path, examples()) == len(examples())
    assert read_examples(path) == examples()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not an example"),
        ("[]", "no JSON object"),
        ('{"prompt": "a"}', "target"),
        ('{"prompt": "a", "target": "b", "candidates": ["c"]}', "none of the candidates"),
    ],
)
def test_a_line_that_is_no_example_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "examples.jsonl"
    path.write_text('{"prompt": "a", "target": "b"}\n\n' + line + "\n")
    with pytest.raises(BadInput, match=f"{path.name}:3.*{said}"):
        read_examples(path)


names = st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), min_size=1, max_size=12).filter(str.strip)


@settings(deadline=None)
@given(st.lists(names, min_size=1, max_size=5, unique=True), st.data())
def test_names_are_numbered_and_the_number_leads_to_the_name(given: list[str], data: st.DataObject) -> None:
    named = data.draw(st.permutations(given))[: data.draw(st.integers(0, len(given)))]
    prompt = " | ".join(["Question:", *named]) + "\nCypher:"
    anchors = [Entity(str(number), name, "Film") for number, name in enumerate(given)]
    texts = [written(Query((Chain(anchor, (Hop("directed_by", True, "Person"),)),))) for anchor in anchors]
    numbered = NumberedNames.of(prompt, texts)
    hidden = [numbered.in_text(text) for text in texts]
    assert len(set(hidden)) == len(set(texts))
    places = [int(text.partition('{name: "#')[2].partition('"')[0]) - 1 for text in hidden]
    assert [numbered.names[place] for place in places] == [" ".join(name.split()) for name in given]
    assert asked_with_numbers(prompt, texts) == (numbered.in_prompt(prompt), hidden)


def test_what_the_prompt_names_has_the_first_numbers_and_the_longest_name_counts() -> None:
    texts = [f'MATCH (:Film {{name: "{name}"}})-[:by]->(x) RETURN x' for name in ("Moan", "Up", "Black Snake Moan")]
    prompt, said = asked_with_numbers("Question: who wrote black snake moan, or Up?\nCypher:", texts)
    assert prompt == "Question: who wrote #1, or #2?\nCypher:"
    assert [text.split('"')[1] for text in said] == ["#3", "#2", "#1"]
    odd = NumberedNames.of("Who?", ['(:Film {name: "The \\"Duke\\""})'])
    assert odd.names == ('The "Duke"',)
    assert odd.in_text('(:Film {name: "The \\"Duke\\""})') == '(:Film {name: "#1"})'


def test_nodes_to_choose_from_are_numbered_as_well() -> None:
    prompt = 'Question: who directed Alien?\n\npattern: (:Film {name: "Alien"})<--(x:Person {name: "Ridley Scott"})\n'
    prompt += "name: Ridley Scott\ndetails: none\n\nname: Alien\ndetails: by Ridley Scott\n\nAnswer:"
    asked, said = asked_with_numbers(prompt, ["Ridley Scott", "Alien"])
    assert said == ["#2", "#1"]
    assert "Ridley" not in asked
    assert 'pattern: (:Film {name: "#1"})<--(x:Person {name: "#2"})\nname: #2' in asked


def test_a_model_that_reads_numbers_knows_names_that_it_never_saw(tmp_path: Path) -> None:
    made = [
        Example(f"Who {verb} {title}?\nCypher:", texts[place], tuple(texts))
        for title in TITLES
        for texts in [[f'(:Film {{name: "{title}"}})<-[:{relation}]-(x)' for relation in VERBS.values()]]
        for place, verb in enumerate(VERBS)
    ]
    learned = [f"{each.prompt}\n{each.target}" for each in map(with_numbers, made)]
    model = fresh_model(learned, vocabulary=400, hidden=64, layers=2)
    trained = train(model, made, tmp_path, replace(RECIPE, epochs=30, number_names=True))
    assert (trained.after.right or 0) >= 0.9
    chooser = TextChooser(load(str(tmp_path), device="cpu"))
    texts = [f'(:Film {{name: "Zardoz"}})<-[:{relation}]-(x)' for relation in VERBS.values()]
    for place, verb in enumerate(VERBS):
        assert chooser.choose(f"Who {verb} Zardoz?\nCypher:", texts, 1).chosen[0].index == place


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.floats(-3, 3), min_size=2, max_size=5), min_size=1, max_size=8), st.floats(0.5, 4))
def test_the_temperature_is_the_likeliest_and_undoes_a_factor(scores: list[list[float]], factor: float) -> None:
    choices = [Branch(np.array(each), int(np.argmax(each)) if n % 3 else 0) for n, each in enumerate(scores)]
    found = fitted_temperature(choices)
    assert LOWEST <= found <= HIGHEST

    def loss(temperature: float) -> float:
        scaled = [each.scores / temperature for each in choices]
        return sum(float(np.logaddexp.reduce(s) - s[each.right]) for s, each in zip(scaled, choices, strict=True))

    assert loss(found) <= min(map(loss, (0.25, 0.5, 1.0, 2.0, 4.0, 8.0))) + 1e-3
    scaled = fitted_temperature([Branch(each.scores * factor, each.right) for each in choices])
    told = max(float(np.ptp(each.scores)) for each in choices) > 1e-3  # Of equal scores any temperature is as likely.
    if told and min(found, scaled) > LOWEST * 1.1 and max(found * factor, found, scaled) < HIGHEST / 1.1:
        assert scaled == pytest.approx(found * factor, rel=0.1)


def test_the_fitted_temperature_is_heeded_and_changes_no_order(taught: tuple[Path, training.Trained]) -> None:
    folder, trained = taught
    texts = [query("Tenet", relation) for relation in VERBS.values()]
    held = [example for example in examples() if len(example.candidates) > 1][:8]
    plain, cooled = load(str(folder), device="cpu", to_train=True), load(str(folder), device="cpu")
    for example in held:
        for one, other in zip(branches(plain, example), branches(cooled, example), strict=True):
            assert other.scores * trained.temperature == pytest.approx(one.scores, abs=1e-3)
    was, now = (TextChooser(model).choose("Who scored Tenet?\nCypher:", texts, 4).chosen for model in (plain, cooled))
    assert was[0].index == now[0].index
    assert (now[0].probability < was[0].probability) == (trained.temperature > 1)


TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<turn>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def test_a_chat_model_is_asked_in_turns_and_ends_as_it_was_trained_to() -> None:
    model = tiny()
    model.tokenizer.add_special_tokens({"additional_special_tokens": ["<turn>"]})
    model.tokenizer.chat_template = TEMPLATE
    turn = model.tokenizer.convert_tokens_to_ids("<turn>")
    assert end_of_turn(model.tokenizer) == turn
    text = model.tokenizer.decode(prompt_ids(replace(model, end_token=turn), "Who?"))
    assert text == "<|user|>Who?<turn><|assistant|>\n"


def test_the_papers_settings_are_the_defaults() -> None:
    assert (L1.epochs, L1.learning_rate, L1.rank, L1.alpha, L1.dropout) == (1, 2e-5, 64, 64, 0.05)
    assert (L2.batch, L2.accumulate, L2.warmup, L2.weight_decay, L2.longest) == (1, 4, 5, 0.01, 15_000)
