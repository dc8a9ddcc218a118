"""Rerankers, the graph reranker around linked entities, and its strategy."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.evidence import entity_of
from clew.graphs.run import Deadline
from clew.graphs.strategies import rerank as strategy
from clew.tools.errors import BadInput
from clew.tools.graph import neighbourhood
from clew.tools.graph.entity import Entity
from clew.tools.graph.neighbourhood import Neighbourhood, Step
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.triplets import Triplet, fairly, grouped
from clew.tools.queries.paths import graph_reranker
from clew.tools.queries.paths.cross_encoder import BiEncoder, CrossEncoder, rerank, top_relations
from clew.tools.queries.paths.graph_reranker import GraphReranker
from tests.tools.linking.letters import Letters
from tests.tools.queries.railway import facts, store_railway
from tests.tools.queries.retrieval_world import KNOWN, Kept, asked, known_schema, mention, railway_context

FACTS = {Triplet(*fact) for fact in facts()}
LIMITS = Limits()


class ByLength:
    """Longer texts are better; keeps what it read, and stops after `most`."""

    def __init__(self, most: int = 1000) -> None:
        self.most = most
        self.read: list[str] = []

    def score(self, question: str, texts: Sequence[str], out_of_time: Callable[[], bool] = bool) -> list[float]:
        self.read += texts[: self.most]
        return [float(len(text)) for text in texts[: self.most]]


class Shorter(ByLength):
    def score(self, question: str, texts: Sequence[str], out_of_time: Callable[[], bool] = bool) -> list[float]:
        return [-score for score in super().score(question, texts)]


# ---- the pure parts -------------------------------------------------------------------------------------------------

NAMES = st.text("abcd", min_size=1, max_size=3)
NODES = st.builds(lambda name: Entity(name, name, "N"), NAMES)
TRIPLETS = st.lists(st.builds(Triplet, NODES, st.sampled_from(["r", "s", "long_one"]), NODES), max_size=30, unique=True)


@given(TRIPLETS)
def test_reranking_all_is_sorting(triplets: list[Triplet]) -> None:
    ordered = sorted(triplets, key=lambda t: -len(t.sentence()))
    assert [t for t, _ in rerank("?", triplets, ByLength(), kept=100, k=100)] == ordered
    twice = rerank("?", triplets, ByLength(), Shorter(), kept=100, k=100)
    assert [t for t, _ in twice] == sorted(ordered, key=lambda t: len(t.sentence()))


@given(TRIPLETS, st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))
def test_the_second_sees_only_what_the_first_kept(triplets: list[Triplet], kept: int, k: int, most: int) -> None:
    first = [t for t, _ in rerank("?", triplets, ByLength(), kept=kept, k=kept)]
    second = Shorter(most)
    found = [t for t, _ in rerank("?", triplets, ByLength(), second, kept=kept, k=k)]
    assert second.read == [t.sentence() for t in first][:most]
    scored = sorted(first[:most], key=lambda t: len(t.sentence()))
    assert found == [*scored, *first[most:]][:k], "what it had no time for keeps its place behind"


def test_without_time_the_first_order_stands() -> None:
    second = Shorter()
    assert rerank("?", sorted(FACTS, key=Triplet.words), ByLength(), second, out_of_time=lambda: True)
    assert second.read == []


@given(TRIPLETS, st.integers(1, 12))
def test_a_fair_share(triplets: list[Triplet], most: int) -> None:
    found = fairly(triplets, most)
    assert len(found) == min(most, len(triplets))
    assert len(set(found)) == len(found)
    assert set(found) <= set(triplets)
    if len(triplets) <= most:
        assert found == triplets


def test_a_hub_leaves_places_to_others() -> None:
    hub, other = Entity("hub", "hub", "N"), Entity("other", "other", "N")
    many = [Triplet(hub, "has", Entity(str(i), str(i), "N")) for i in range(50)]
    rare = [Triplet(other, "made", hub), Triplet(hub, "kin", other)]
    assert set(rare) <= set(fairly([*many, *rare], 5))


@given(TRIPLETS)
def test_grouped_lines_hold_every_triplet(triplets: list[Triplet]) -> None:
    told = set()
    for line in grouped(triplets, most=100):
        heads, relation, tails = (part.split(" | ") for part in line.split(" → "))
        assert len(heads) == 1 or len(tails) == 1
        told |= {(head, relation[0], tail) for head in heads for tail in tails}
    assert told == {(t.head.name, t.relation, t.tail.name) for t in triplets}


def test_grouped_lines_tell_times_and_what_they_leave_out() -> None:
    vane, seats = Entity("v", "Vane", "P"), [Entity(str(i), f"Seat {i}", "S") for i in range(4)]
    held = [Triplet(vane, "HELD", seats[0], {"start": 1979, "end": 1983})]
    assert held[0].words() == "Vane → HELD (1979\u20131983) → Seat 0"
    assert held[0].sentence() == "Vane held Seat 0 (1979\u20131983)"
    assert grouped([*held, *(Triplet(vane, "WON", seat) for seat in seats)], most=3) == [
        "Vane → HELD (1979\u20131983) → Seat 0",
        "Vane → WON → Seat 0 | Seat 1 | Seat 2 | … and 1 more",
    ]


def test_relations_are_ranked_only_where_there_are_too_many() -> None:
    reranker = ByLength()
    assert top_relations("?", ["a", "b"], ["x", "xx"], reranker, 2) == ["a", "b"]
    assert reranker.read == []
    assert top_relations("?", ["a", "b", "c"], ["x", "xxx", "xx"], reranker, 2) == ["b", "c"]


def test_the_bi_encoder_gives_cosines() -> None:
    letters = Letters()
    assert BiEncoder(letters).score("abc", ["cab", "xyz"]) == [pytest.approx(1), pytest.approx(0)]
    assert BiEncoder(letters).score("abc", []) == []


# ---- the cross-encoder ----------------------------------------------------------------------------------------------


def tiny_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """A BERT of two small layers with a word for every number, and random weights."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(str(i) for i in range(20)), "which", "one"]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        num_labels=labels, initializer_range=0.5,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_a_cross_encoder_scores_pairs_whatever_the_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = CrossEncoder(str(tiny_cross_encoder(tmp_path)))
    texts = [str(i) + " one" * (i % 5) for i in range(20)]
    together = reranker.score("which one", texts)
    assert len(set(together)) > 10
    assert reranker.score("which one", texts[::-1])[::-1] == pytest.approx(together, abs=1e-5)
    monkeypatch.setattr("clew.tools.queries.paths.cross_encoder.BATCH", 3)
    assert reranker.score("which one", texts) == pytest.approx(together, abs=1e-5)
    assert reranker.score("one", texts) != pytest.approx(together, abs=1e-3), "the question is read too"


def test_a_cross_encoder_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = CrossEncoder(str(tiny_cross_encoder(tmp_path)))
    monkeypatch.setattr("clew.tools.queries.paths.cross_encoder.MOST_TEXTS", 5)
    monkeypatch.setattr("clew.tools.queries.paths.cross_encoder.BATCH", 2)
    assert len(reranker.score("which", ["one"] * 9)) == 5
    looks = iter([False, False, True])
    assert len(reranker.score("which", ["one"] * 5, lambda: next(looks))) == 4
    assert len(reranker.score("one " * 5000, ["one " * 5000])) == 1, "cut to the model's length"
    assert reranker.score("which", []) == []


def test_of_two_classes_the_second_is_the_score(tmp_path: Path) -> None:
    scores = CrossEncoder(str(tiny_cross_encoder(tmp_path, labels=2))).score("which", ["1", "2 one", "3"])
    assert len(set(scores)) == 3
    assert all(score < 0 for score in scores), "logarithms of probabilities"


def test_what_is_no_reranker_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be loaded"):
        CrossEncoder(str(tmp_path / "nothing")).score("which", ["one"])
    with pytest.raises(BadInput, match="3 classes"):
        CrossEncoder(str(tiny_cross_encoder(tmp_path / "three", labels=3))).score("which", ["one"])
    broken = tiny_cross_encoder(tmp_path / "broken")
    (broken / "config.json").write_text(json.dumps({"model_type": "no such model"}))
    with pytest.raises(BadInput, match="cannot be loaded"):
        CrossEncoder(str(broken)).score("which", ["one"])


def test_nothing_is_fetched_unless_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def refuse(name: str, *, local_files_only: bool, trust_remote_code: bool) -> None:
        asked.append(local_files_only)
        raise OSError("not here")

    monkeypatch.setattr("transformers.AutoConfig.from_pretrained", refuse)
    for downloads in (False, True):
        with pytest.raises(BadInput, match="not here"):
            CrossEncoder("some/model", downloads=downloads).score("which", ["one"])
    assert asked == [True, False]


LAYERWISE = """
from dataclasses import dataclass
import torch
from transformers import PretrainedConfig, PreTrainedModel
from transformers.utils import ModelOutput
from transformers.generation import GenerationMixin

class LayersConfig(PretrainedConfig):
    model_type = "layers"
    def __init__(self, vocab_size=40, hidden_size=8, num_hidden_layers=3, start_layer=1, **rest):
        self.vocab_size, self.hidden_size = vocab_size, hidden_size
        self.num_hidden_layers, self.start_layer = num_hidden_layers, start_layer
        super().__init__(**rest)

@dataclass
class Layers(ModelOutput):
    logits: tuple = None

class LayersForCausalLM(PreTrainedModel):
    config_class = LayersConfig
    _tied_weights_keys = {}
    def __init__(self, config):
        super().__init__(config)
        self.embed = torch.nn.Embedding(config.vocab_size, config.hidden_size)
        layers = range(config.num_hidden_layers)
        self.heads = torch.nn.ModuleList(torch.nn.Linear(config.hidden_size, 1) for _ in layers)
        self.post_init()
    def forward(self, input_ids, attention_mask, return_dict, cutoff_layers):
        seen = torch.cumsum(self.embed(input_ids) * attention_mask[..., None], 1)
        return Layers(logits=tuple(self.heads[layer - 1](seen).squeeze(-1) for layer in cutoff_layers))
"""
"""Code of a model whose score can be read after any layer: the interface of bge-reranker-v2-minicpm-layerwise."""


def _words() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = ["[PAD]", "[UNK]", "yes", "no", *(str(i) for i in range(20)), "which", "one", "A", "B", ":"]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]")


def test_a_language_model_says_yes_or_no(tmp_path: Path) -> None:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _words()
    tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }} {% endfor %}yes no :"
    tokenizer.save_pretrained(tmp_path)
    torch.manual_seed(5)
    LlamaForCausalLM(LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        initializer_range=0.5, pad_token_id=0,
    )).save_pretrained(tmp_path)  # fmt: skip
    reranker, texts = CrossEncoder(str(tmp_path)), [f"{i} one" for i in range(8)]
    together = reranker.score("which", texts)
    assert len(set(together)) == 8
    assert reranker.score("which", texts[::-1])[::-1] == pytest.approx(together, abs=1e-4), "whatever its neighbours"
    assert reranker.score("one", texts) != pytest.approx(together, abs=1e-3), "the question is read too"


def _difference(vectors: Any) -> Any:
    """Of the summed vectors of "1 one one" and "2"."""
    ids = {word: _words()(word, add_special_tokens=False)["input_ids"][0] for word in ("1", "2", "one")}
    return vectors[ids["1"]] + 2 * vectors[ids["one"]] - vectors[ids["2"]]


def test_a_layerwise_model_needs_trust(tmp_path: Path) -> None:
    _words().save_pretrained(tmp_path)
    (tmp_path / "layers.py").write_text(LAYERWISE)
    code = {"AutoConfig": "layers.LayersConfig", "AutoModelForCausalLM": "layers.LayersForCausalLM"}
    config = {"model_type": "layers", "architectures": ["LayersForCausalLM"], "auto_map": code, "start_layer": 1}
    (tmp_path / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(5)
    weights = {"embed.weight": torch.randn(40, 8)}
    for layer in range(3):
        weights |= {f"heads.{layer}.weight": torch.randn(1, 8), f"heads.{layer}.bias": torch.zeros(1)}
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(BadInput, match="cannot be loaded") as error:
        CrossEncoder(str(tmp_path)).score("which", ["one"])
    assert "CLEW_TRUST_REMOTE_CODE" in error.value.remedy
    reranker, texts = CrossEncoder(str(tmp_path), trust_remote_code=True), ["1 one one", "2", "3 one"]
    together = reranker.score("which", texts)
    assert len(set(together)) == 3
    assert [reranker.score("which", [text])[0] for text in texts] == pytest.approx(together, abs=1e-4)
    last = [weights[f"heads.{layer}.weight"][0] for layer in range(3)]
    assert together[0] - together[1] == pytest.approx(float(last[2] @ _difference(weights["embed.weight"])), abs=1e-3)


# ---- one hop around several entities --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def railway(any_database: BoltDatabase) -> Iterator[GraphStore]:
    graph = any_database.open(f"rerank-{uuid.uuid4().hex[:12]}", create=True)
    store_railway(graph)
    yield graph
    any_database.drop(graph.name)


@pytest.fixture(scope="module")
def around(railway: GraphStore) -> Neighbourhood:
    return Neighbourhood(railway, known_schema(railway))


def touching(found: Sequence[Entity]) -> set[Triplet]:
    return {t for t in FACTS if t.head in found or t.tail in found}


@pytest.mark.parametrize("tested", [150, 0])
def test_steps_are_those_that_the_entities_have(
    around: Neighbourhood, tested: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbourhood, "_TESTED_STEPS", tested)
    for names in (["Marsh Line"], ["Ada Brandt", "Thistleby"], ["Lene Maddox", "Tern Bridge", "Ada Brandt"]):
        found = [KNOWN[name] for name in names]
        has = {Step(t.relation, True) for t in FACTS if t.head in found}
        has |= {Step(t.relation, False) for t in FACTS if t.tail in found}
        steps = around.steps(found, LIMITS)
        assert set(steps) == has
        assert len(steps) == len(has)
    assert around.steps([Entity("x", "X", "Ship")], LIMITS) == []


def test_an_expansion_has_all_triplets_along_its_steps(around: Neighbourhood, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbourhood, "_PER_QUERY", 2)
    found = [KNOWN[name] for name in ("Marsh Line", "Alder Cross", "Garrick")]
    everything = around.expand(found, around.steps(found, LIMITS), 100, LIMITS)
    assert set(everything.triplets) == touching(found)
    assert len(everything.triplets) == len(touching(found))
    assert everything.cut == ()
    assert all(triplet.properties == {"since": 1990} for triplet in everything.triplets)
    towards = around.expand(found, [Step("STOPS_AT", False)], 100, LIMITS)
    assert set(towards.triplets) == {t for t in FACTS if t.relation == "STOPS_AT" and t.tail == KNOWN["Alder Cross"]}


def test_an_expansion_is_bounded_and_says_where(around: Neighbourhood, monkeypatch: pytest.MonkeyPatch) -> None:
    line, step = KNOWN["Harbour Loop"], Step("STOPS_AT", True)
    found = around.expand([line], [step, Step("OPERATED_BY", True)], 2, LIMITS)
    assert [t.relation for t in found.triplets] == ["STOPS_AT", "STOPS_AT", "OPERATED_BY"]
    assert found.cut == ((line, step),)
    monkeypatch.setattr(neighbourhood, "ROWS", 2)
    assert len(around.expand([line, KNOWN["Marsh Line"]], [step], 100, LIMITS).triplets) == 2


def test_types_beyond_the_neighbours(around: Neighbourhood) -> None:
    line = KNOWN["Marsh Line"]
    near = {end for t in touching([line]) for end in (t.head, t.tail)} - {line}
    assert around.beyond([line], 100, 1000, LIMITS) == {t.relation for t in touching(list(near))}
    assert len(around.beyond([line], 100, 1, LIMITS)) == 1


# ---- the graph reranker ---------------------------------------------------------------------------------------------


def two_hops(start: Entity) -> set[Triplet]:
    return touching([end for t in touching([start]) for end in (t.head, t.tail)])


@pytest.mark.parametrize("name", ["Marsh Line", "Ada Brandt", "Garrick"])
def test_within_its_bounds_it_is_the_whole_neighbourhood_sorted(around: Neighbourhood, name: str) -> None:
    found = GraphReranker(around, ByLength()).best("?", [KNOWN[name]], Limits, bool, k=1000)
    everything = two_hops(KNOWN[name])
    assert {t for t, _ in found.triplets} == everything
    assert found.collected == len(everything)
    lengths = sorted((len(dated(t).sentence()) for t in everything), reverse=True)
    assert [score for _, score in found.triplets] == lengths
    assert set(found.relations) >= {t.relation for t in everything}


def test_one_hop_is_one_hop(around: Neighbourhood) -> None:
    found = GraphReranker(around, ByLength()).best("?", [KNOWN["Marsh Line"]], Limits, bool, hops=1, k=1000)
    assert {t for t, _ in found.triplets} == touching([KNOWN["Marsh Line"]])


def test_only_triplets_of_the_best_relations_are_fetched(
    around: Neighbourhood, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_reranker, "RELATIONS", 2)
    line = KNOWN["Marsh Line"]
    found = GraphReranker(around, ByLength()).best("?", [line], Limits, bool, k=1000)
    present = {t.relation for t in two_hops(line)}
    best = sorted(present, key=lambda name: -len(name.replace("_", " ")))[:2]
    assert {len(name) for name in found.relations} == {len(name) for name in best}
    assert found.offered == len(present), "relations that the schema has and the neighbourhood has not take no place"
    assert {t.relation for t, _ in found.triplets} <= set(found.relations)


def test_what_is_read_is_bounded_and_joins_between_linked_entities_are_kept(
    around: Neighbourhood, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_reranker, "SCORED", 3)
    first = ByLength()
    linked = [KNOWN["Marsh Line"], KNOWN["Quill Junction"]]
    GraphReranker(around, first).best("?", linked, Limits, bool)
    assert len(first.read) == 3
    assert "Marsh Line stops at Quill Junction (since 1990)" in first.read


def test_entities_that_are_not_there_give_nothing(around: Neighbourhood) -> None:
    assert GraphReranker(around, ByLength()).best("?", [Entity("x", "X", "Ship")], Limits, bool).triplets == ()
    assert GraphReranker(around, ByLength()).best("?", [], Limits, bool).triplets == ()


# ---- the strategy ---------------------------------------------------------------------------------------------------


def test_the_strategy_keeps_evidence_best_first(railway: GraphStore) -> None:
    span, question = Kept(), "Which company operates the Marsh Line?"
    done = strategy.rerank(asked(question, [mention(KNOWN["Marsh Line"])]), railway_context(railway), span)
    items = list(done.update["evidence"].values())
    assert len(items) == strategy.KEPT
    scores = [item["score"] for item in items]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] < scores[0] < 1
    for item in items:
        assert Triplet(entity_of(item["head"]), item["relation"], entity_of(item["tail"])) in FACTS
        assert list(item["provenance"]) == ["rerank/1"]
    assert [row[:3] for row in span.of("triplets")[0]["scored"]] == [
        [item["head"]["name"], item["relation"], item["tail"]["name"]] for item in items
    ]


def test_a_configured_reranker_has_the_last_word(railway: GraphStore) -> None:
    state = asked("Which company operates the Marsh Line?", [mention(KNOWN["Marsh Line"])])
    done = strategy.rerank(state, railway_context(railway, reranker=Shorter()), Kept())
    first = next(iter(done.update["evidence"].values()))
    told = Triplet(entity_of(first["head"]), first["relation"], entity_of(first["tail"]), first["properties"])
    assert len(told.sentence()) == min(len(t.sentence()) for t in map(dated, two_hops(KNOWN["Marsh Line"])))


def dated(triplet: Triplet) -> Triplet:
    return Triplet(triplet.head, triplet.relation, triplet.tail, {"since": 1990})


def test_draft_answers_are_looked_around_too(railway: GraphStore) -> None:
    state = asked("?", [mention(KNOWN["Ada Brandt"])], drafts=[mention(KNOWN["Tern Bridge"])])
    done = strategy.rerank(state, railway_context(railway), Kept())
    assert any("Tern Bridge" in (e["head"]["name"], e["tail"]["name"]) for e in done.update["evidence"].values())


def test_nothing_to_look_around(railway: GraphStore) -> None:
    assert strategy.rerank(asked("?", []), railway_context(railway), Kept()).update == {}
    late = railway_context(railway, deadline=Deadline(0.0))
    assert strategy.rerank(asked("?", [mention(KNOWN["Garrick"])]), late, Kept()).update == {}
