"""Constrained decoding measured: time, steps and passes against the number of valid queries.

Runs alone on a machine with torch and transformers; data, tokenizer and models are made here. Questions ask for chains
of one to three hops, candidates are the queries of such chains. Two models of one shape: with random weights, the
worst case for the search, and trained for the task. Peers, in the same run on the same model: a processor that compares
every candidate with what was generated, tensor by tensor, as the published code of GraphRAFT does; the same over Python
lists; and `prefix_allowed_tokens_fn` over a trie of dictionaries.

    python -m benchmarks.learning.decoding --quick
    python -m benchmarks.learning.decoding --json decoding.json
    python -m benchmarks.learning.decoding --device cuda --dtype bfloat16 --layers 42 --hidden 3584 --heads 16 \
        --key-value-heads 8 --intermediate 14336 --vocab 256000 --weights random
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor

from clew.tools.learning.decoding import Ranked, TokenTrie, TrieLogitsProcessor, exact_top, jump_forward

Hop = tuple[int, bool]
"""A relation, and whether it is followed forwards."""

_SYLLABLES = [a + b for a, b in product("bdfgklmnprstvz", "aeiou")]
_LONGEST_PEER_S = 120.0
_REPEATS, _QUICK_S = 3, 0.3

_clock: Callable[[], float] = time.process_time
_WHICH: dict[Callable[[], float], str] = {time.process_time: "of CPU", time.perf_counter: "of wall clock"}


def main() -> None:
    arguments = _arguments()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    _choose_clock(arguments)
    transformers.utils.logging.set_verbosity_error()
    world = World.make(arguments.seed)
    report: dict[str, Any] = {
        "command": " ".join(["python", "-m", "benchmarks.learning.decoding", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "seed": arguments.seed,
        "python": platform.python_version(),
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
        "device": torch.cuda.get_device_name() if arguments.device == "cuda" else f"CPU, {os.cpu_count()} cores",
        "threads": torch.get_num_threads(),
        "dtype": arguments.dtype,
        "questions": arguments.questions,
        "times": f"milliseconds {_WHICH[_clock]} a question, median; overhead_ms: in the processor, a step",
        "models": {},
    }
    for weights in ("random", "trained") if arguments.weights == "both" else (arguments.weights,):
        model = _model(arguments, world)
        entry: dict[str, Any] = {"parameters": sum(p.numel() for p in model.parameters())}
        if weights == "trained":
            entry["training"] = _train(model, world, arguments.train_seconds, arguments.seed)
        model = model.to(getattr(torch, arguments.dtype)).eval()
        entry["sizes"] = [_measure(model, world, size, arguments) for size in arguments.sizes]
        report["models"][weights] = entry
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="up to 1,000 candidates, two questions, little training")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=1, help="of the CPU (default: %(default)s)")
    parser.add_argument("--dtype", choices=("float32", "bfloat16", "float16"), default="float32")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--key-value-heads", type=int, help="default: as many as heads")
    parser.add_argument("--intermediate", type=int, help="default: three times the hidden size")
    parser.add_argument("--vocab", type=int, default=2048)
    parser.add_argument("--weights", choices=("both", "random", "trained"), default="both")
    parser.add_argument("--train-seconds", type=float)
    parser.add_argument("--sizes", type=int, nargs="+", metavar="M", help="numbers of candidates")
    parser.add_argument("--questions", type=int)
    arguments = parser.parse_args()
    arguments.sizes = arguments.sizes or ([100, 1000] if arguments.quick else [100, 1000, 10_000, 50_000])
    arguments.questions = arguments.questions or (2 if arguments.quick else 6)
    arguments.train_seconds = arguments.train_seconds or (5 if arguments.quick else 60)
    return arguments


def _choose_clock(arguments: argparse.Namespace) -> None:
    """On one thread of a CPU its own time, so that what else runs there does not count; else wall clock."""
    global _clock
    _clock = time.process_time if arguments.device == "cpu" and arguments.threads == 1 else time.perf_counter


@dataclass(frozen=True)
class World:
    """Relations with names, questions about chains of them, and the queries that answer."""

    relations: list[str]
    tokenizer: Any

    @classmethod
    def make(cls, seed: int) -> World:
        drawn = random.Random(seed)
        names: dict[str, None] = {}
        while len(names) < 48:
            names["_".join("".join(drawn.choices(_SYLLABLES, k=2)) for _ in range(2))] = None
        world = cls(list(names), None)
        corpus = [text for _ in range(2000) for text in world.pair(world.chain(drawn), drawn)]
        return cls(world.relations, _tokenizer(corpus))

    def chain(self, drawn: random.Random) -> tuple[Hop, ...]:
        hops = drawn.choices((1, 2, 3), (1, 3, 6))[0]
        return tuple((drawn.randrange(len(self.relations)), drawn.random() < 0.5) for _ in range(hops))

    def pair(self, chain: Sequence[Hop], drawn: random.Random) -> tuple[str, str]:
        """A question that ends with a line break, and its query."""
        entity = "".join(drawn.choices(_SYLLABLES, k=3)).title()
        said = [f"its {self._words(r)}" if forward else f"those whose {self._words(r)} it is" for r, forward in chain]
        return f"From {entity} go to {', then '.join(said)}\n", self.query(chain)

    def _words(self, relation: int) -> str:
        return self.relations[relation].replace("_", " ")

    def query(self, chain: Sequence[Hop]) -> str:
        hops = [
            f"-[:`{self.relations[r].upper()}`]->" if forward else f"<-[:`{self.relations[r].upper()}`]-"
            for r, forward in chain
        ]
        return f"MATCH (a0:`Entity` {{nodeId: $a0}}){'()'.join(hops)}(answer) RETURN answer"

    def candidates(self, size: int, gold: Sequence[Sequence[Hop]], drawn: random.Random) -> list[str]:
        """`size` different queries, the gold ones among them."""
        chosen = {self.query(chain): None for chain in gold}
        while len(chosen) < size:
            chosen[self.query(self.chain(drawn))] = None
        texts = list(chosen)[:size]
        drawn.shuffle(texts)
        return texts


def _tokenizer(corpus: Sequence[str]) -> Any:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=1500, special_tokens=["<pad>", "<eos>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(corpus, trainer)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<pad>")


def _model(arguments: argparse.Namespace, world: World) -> Any:
    config = transformers.LlamaConfig(
        vocab_size=max(arguments.vocab, len(world.tokenizer)),
        hidden_size=arguments.hidden,
        intermediate_size=arguments.intermediate or 3 * arguments.hidden,
        num_hidden_layers=arguments.layers,
        num_attention_heads=arguments.heads,
        num_key_value_heads=arguments.key_value_heads or arguments.heads,
        max_position_embeddings=512,
        bos_token_id=None,
        eos_token_id=world.tokenizer.eos_token_id,
        pad_token_id=world.tokenizer.pad_token_id,
    )
    before = torch.get_default_dtype()
    # A large model is made in its own type: in float32 it might not fit.
    torch.set_default_dtype(getattr(torch, arguments.dtype) if arguments.weights == "random" else torch.float32)
    try:
        with torch.device(arguments.device):
            return transformers.LlamaForCausalLM(config)
    finally:
        torch.set_default_dtype(before)


def _train(model: Any, world: World, seconds: float, seed: int) -> dict[str, Any]:
    """On questions drawn as they come, with the loss on the query alone."""
    drawn = random.Random(seed + 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98), weight_decay=0.01)
    started, steps, loss = _clock(), 0, torch.tensor(0.0)
    while (gone := (_clock() - started) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * min(1.0, (steps + 1) / 50) * max(0.05, 1 - gone)
        ids, labels = _batch([world.pair(world.chain(drawn), drawn) for _ in range(16)], world.tokenizer, model.device)
        loss = model(input_ids=ids, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        steps += 1
    return {"seconds": round(_clock() - started), "steps": steps, "batch": 16, "loss": round(loss.item(), 4)}


def _batch(pairs: Sequence[tuple[str, str]], tokenizer: Any, device: torch.device) -> tuple[Tensor, Tensor]:
    questions = tokenizer([question for question, _ in pairs])["input_ids"]
    queries = tokenizer([query for _, query in pairs])["input_ids"]
    longest = max(len(a) + len(b) + 1 for a, b in zip(questions, queries, strict=True))
    ids = torch.full((len(pairs), longest), tokenizer.pad_token_id)
    labels = torch.full((len(pairs), longest), -100)
    for row, (question, query) in enumerate(zip(questions, queries, strict=True)):
        tokens = torch.tensor([*question, *query, tokenizer.eos_token_id])
        ids[row, : len(tokens)] = tokens
        labels[row, len(question) : len(tokens)] = tokens[len(question) :]
    return ids.to(device), labels.to(device)


@dataclass
class ComparesTensors(transformers.LogitsProcessor):
    """A peer: every candidate is compared with what was generated, at each step and for each beam."""

    sequences: Sequence[Tensor]
    prompt_length: int

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        masked = torch.full_like(scores, -torch.inf)
        for row, ids in enumerate(input_ids):
            said = ids[self.prompt_length :]
            at = len(said)
            valid = {int(each[at]) for each in self.sequences if len(each) > at and torch.equal(each[:at], said)}
            masked[row, list(valid)] = scores[row, list(valid)]
        return masked


@dataclass
class ComparesLists(transformers.LogitsProcessor):
    """The same peer over Python lists, which are quicker to compare."""

    sequences: Sequence[list[int]]
    prompt_length: int

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        masked = torch.full_like(scores, -torch.inf)
        for row, said in enumerate(input_ids[:, self.prompt_length :].tolist()):
            at = len(said)
            valid = {each[at] for each in self.sequences if len(each) > at and each[:at] == said}
            masked[row, list(valid)] = scores[row, list(valid)]
        return masked


def _nested(sequences: Sequence[Sequence[int]]) -> dict[int, Any]:
    """A trie of dictionaries."""
    root: dict[int, Any] = {}
    for sequence in sequences:
        node = root
        for token in sequence:
            node = node.setdefault(token, {})
    return root


def _prefix_allowed(root: dict[int, Any], end: int, prompt_length: int) -> Any:
    """A peer: `prefix_allowed_tokens_fn` that walks a trie of dictionaries from its root."""

    def allowed(_: int, ids: Tensor) -> list[int]:
        node = root
        for token in ids[prompt_length:].tolist():
            node = node.get(token, {})
        return list(node) or [end]

    return transformers.PrefixConstrainedLogitsProcessor(allowed, 1)


@dataclass
class Timed(transformers.LogitsProcessor):
    """How long a processor takes a step, once the model has finished."""

    inner: Any
    seconds: list[float] = field(default_factory=list)

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        _finish(scores.device)
        started = _clock()
        found: Tensor = self.inner(input_ids, scores)
        _finish(scores.device)
        self.seconds.append(_clock() - started)
        return found


def _finish(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


@contextmanager
def _counted(model: Any) -> Iterator[list[int]]:
    """The number of tokens of each call of the model's layers."""
    calls: list[int] = []

    def note(_: Any, __: Any, given: dict[str, Any]) -> None:
        calls.append(given["input_ids"].numel())

    handle = model.base_model.register_forward_pre_hook(note, with_kwargs=True)
    try:
        yield calls
    finally:
        handle.remove()


Run = Callable[[Tensor], dict[str, Any]]


def _measure(model: Any, world: World, size: int, arguments: argparse.Namespace) -> dict[str, Any]:
    drawn = random.Random(arguments.seed + size)
    chains = [world.chain(drawn) for _ in range(arguments.questions)]
    prompts = [world.pair(chain, drawn)[0] for chain in chains]
    started = _clock()
    trie = TokenTrie.build(world.tokenizer, world.candidates(size, chains, drawn))
    entry: dict[str, Any] = {
        "candidates": size,
        "nodes": len(trie),
        "trie_build_ms": _ms(_clock() - started),
    }
    inputs = [torch.tensor([world.tokenizer(prompt)["input_ids"]], device=model.device) for prompt in prompts]
    gold = [world.query(chain) for chain in chains]
    sequences = [trie.token[trie.path(int(leaf))].tolist() for leaf in (trie.candidate >= 0).nonzero()[0]]
    _print_header(model, arguments, size, len(trie))
    exact_top(model, inputs[0], trie, 1)  # the self-check of a first use, and warm kernels
    entry["methods"] = {}

    def measured(name: str, run: Run) -> None:
        entry["methods"][name] = _print_row(name, _run(run, inputs, model))

    exact: dict[Tensor, list[str]] = {}

    def top(m: int) -> Run:
        def run(ids: Tensor) -> dict[str, Any]:
            found = exact_top(model, ids, trie, m, deadline=time.monotonic() + _LONGEST_PEER_S)
            if m == 20:
                exact[ids] = [each.text for each in found.candidates]
            return _of_search(found)

        return run

    measured("jump-forward greedy", lambda ids: _of_search(jump_forward(model, ids, trie)))
    for m in (1, 5, 20):
        measured(f"exact top {m}", top(m))
    for beams in (1, 5, 20):
        run = _generating(model, trie, beams, partial(TrieLogitsProcessor, trie))
        measured(f"trie processor, {beams} beam", run)
    tensors = [torch.tensor(sequence, device=model.device) for sequence in sequences]
    peers: dict[str, Callable[[int], Any]] = {
        "prefix_allowed_tokens_fn": partial(_prefix_allowed, _nested(sequences), trie.end_token),
        "compares lists": partial(ComparesLists, sequences),
        "compares tensors": partial(ComparesTensors, tensors),
    }
    for (name, make), beams in product(peers.items(), (1, 5)):
        step = _step_seconds(make(inputs[0].shape[1]), inputs[0], beams, model)
        if step * int(trie.depth.max()) * len(inputs) > _LONGEST_PEER_S:
            entry["methods"][f"{name}, {beams} beam"] = {"not_run": f"one step takes {step:.2g} s"}
            print(f"  {name + f', {beams} beam':<36} not run: one step takes {step:.2g} s")
        else:
            measured(f"{name}, {beams} beam", _generating(model, trie, beams, make))
    entry |= _summary(entry["methods"], [exact[ids] for ids in inputs], gold)
    print("  " + json.dumps({key: entry[key] for key in entry if key not in ("methods", "candidates", "nodes")}))
    return entry


def _run(run: Run, inputs: Sequence[Tensor], model: Any) -> dict[str, Any]:
    """Each question once, and what is quick up to three times, of which the quickest counts."""
    seconds, found = [], []
    for ids in inputs:
        times: list[float] = []
        while len(times) < _REPEATS and sum(times) < _QUICK_S:
            with _counted(model) as calls:
                _finish(ids.device)
                started = _clock()
                result = run(ids)
                _finish(ids.device)
                times.append(_clock() - started)
        seconds.append(min(times))
        found.append({**result, "passes": len(calls), "tokens": sum(calls)})
    numbers = {key: [each[key] for each in found] for key in found[0] if key != "texts"}
    row: dict[str, Any] = {"ms": _ms(median(seconds)), "ms_most": _ms(max(seconds))}
    row |= {key: round(fmean(values), 3) for key, values in numbers.items() if key != "exact"}
    if "exact" in numbers:
        row["exact"] = all(numbers["exact"])
    row["texts"] = [each["texts"] for each in found]
    return row


def _of_search(found: Ranked) -> dict[str, Any]:
    return {"expanded": found.work.expanded, "exact": found.exact, "texts": [each.text for each in found.candidates]}


def _generating(model: Any, trie: TokenTrie, beams: int, make: Callable[[int], Any]) -> Run:
    def run(ids: Tensor) -> dict[str, Any]:
        timed = Timed(make(ids.shape[1]))
        out = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=int(trie.depth.max()),
            num_beams=beams,
            num_return_sequences=beams,
            do_sample=False,
            length_penalty=0.0,
            logits_processor=transformers.LogitsProcessorList([timed]),
        )
        ended = [trie.index_of(row) for row in out[:, ids.shape[1] :].tolist()]
        return {
            "overhead_ms": 1000 * fmean(timed.seconds),
            "steps": len(timed.seconds),
            "texts": [trie.texts[index] for index in ended if index is not None],
        }

    return run


def _step_seconds(processor: Any, ids: Tensor, beams: int, model: Any) -> float:
    rows = ids.repeat(beams, 1)
    scores = torch.zeros((beams, model.config.vocab_size), device=ids.device)
    timed = Timed(processor)
    timed(rows, scores)
    return timed.seconds[0]


def _summary(methods: dict[str, Any], exact: Sequence[Sequence[str]], gold: Sequence[str]) -> dict[str, Any]:
    """What the methods found of each other's answers, and how their times compare; their texts are dropped."""
    texts = {name: row.pop("texts") for name, row in methods.items() if "texts" in row}
    beam = texts["trie processor, 20 beam"]
    peer, ours = methods["compares tensors, 5 beam"], methods["trie processor, 5 beam"]
    found: dict[str, Any] = {
        "gold_first": _share(list(zip(texts["exact top 1"], [[text] for text in gold], strict=True))),
        "greedy_finds_best": _share(list(zip(texts["jump-forward greedy"], texts["exact top 1"], strict=True))),
        "beam_20_finds_of_top_20": _share(list(zip(beam, exact, strict=True))),
        "top_5_to_greedy": round(methods["exact top 5"]["ms"] / methods["jump-forward greedy"]["ms"], 2),
    }
    if "ms" in peer:
        found["compares_tensors_to_trie_processor_5_beams"] = round(peer["ms"] / ours["ms"], 1)
        found["compares_tensors_5_beams_to_exact_top_5"] = round(peer["ms"] / methods["exact top 5"]["ms"], 1)
    return found


def _share(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> float:
    """How much of the second lists the first ones hold."""
    return round(sum(len(set(a) & set(b)) for a, b in pairs) / sum(len(b) for _, b in pairs), 3)


def _print_header(model: Any, arguments: argparse.Namespace, size: int, nodes: int) -> None:
    count = sum(p.numel() for p in model.parameters())
    print(f"\n{count / 1e6:.1f} M parameters, {arguments.device} {arguments.dtype}: {size} candidates, {nodes} nodes")
    print(f"  {'method':<36} {'ms':>9} {'passes':>7} {'tokens':>7} {'nodes':>6} {'ms a step':>10}")


def _print_row(name: str, row: dict[str, Any]) -> dict[str, Any]:
    overhead = f"{row['overhead_ms']:.3f}" if "overhead_ms" in row else ""
    nodes = f"{row['expanded']:.0f}" if "expanded" in row else ""
    print(f"  {name:<36} {row['ms']:>9.1f} {row['passes']:>7.1f} {row['tokens']:>7.0f} {nodes:>6} {overhead:>10}")
    return row


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 2)


if __name__ == "__main__":
    main()
