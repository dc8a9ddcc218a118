"""Trains the demo's generator: `python -m demo.generator.build` (a few minutes on two cores, no GPU, no database).

A small Llama with a tokenizer of its own learns, by the same path as any other (`learning.generation.training`), which
query answers which question of `questions.py`, beside what else could be asked of the entities that are linked in it.
It reads numbers in the place of names. The result is written to this folder in float16. The same seed gives the same
questions; weights are the same on the same machine.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from clew.agents.generating.cypher_generator import query_prompt
from clew.agents.generating.written_query import written
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.generation.fresh import fresh_model
from clew.tools.learning.generation.loading import MANIFEST
from clew.tools.learning.generation.numbered_names import with_numbers
from clew.tools.learning.generation.recipe import Recipe
from clew.tools.learning.generation.training import steps_in_all, train
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.space.around import ENTITIES, entities_of
from demo.generator.questions import HERE, World, drawn_questions

OTHERS = 40
"""Queries that are not the right one, of one question."""
KEPT = ("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", MANIFEST)


def main() -> None:
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    began = time.monotonic()
    examples = list(_examples(arguments.questions, arguments.seed))
    texts = [f"{each.prompt}\n{each.target}" for each in map(with_numbers, examples)]
    model = fresh_model(
        texts,
        vocabulary=arguments.vocabulary,
        hidden=arguments.hidden,
        layers=arguments.layers,
        seed=arguments.seed,
        name="demo/generator",
    )
    size = sum(p.numel() for p in model.model.parameters())
    recipe = Recipe(
        epochs=arguments.epochs,
        learning_rate=2e-3,
        batch=64,
        warmup=50,
        schedule="linear",
        held_back=0.03,
        number_names=True,
        seed=arguments.seed,
    )
    total = steps_in_all(len(examples), recipe)
    print(f"{len(examples)} questions, {size:,} parameters, {total} steps", flush=True)

    def step(done: int) -> None:
        if done % 50 == 0:
            print(f"step {done} of {total}, {time.monotonic() - began:.0f} s", flush=True)

    with tempfile.TemporaryDirectory() as draft:
        folder = arguments.checkpoints or Path(draft)
        trained = train(model, examples, folder, recipe, step)
        print(f"loss on held-back questions: {trained.before.loss:.3f} before, {trained.after.loss:.3f} after")
        print(f"right {trained.after.right:.3f}; temperature {trained.temperature:g}")
        _keep(folder, arguments.out, {"seed": arguments.seed, "questions": len(examples)})
    print(f"{time.monotonic() - began:.0f} s; written to {arguments.out}")


def _examples(wanted: int, seed: int) -> Iterator[Example]:
    """Drawn questions with their queries, and others around the entities that are linked in them."""
    world, chance = World(), random.Random(seed)
    around: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        nodes = [IndexedNode(node.id, node.name, node.label) for node in world.nodes.values()]
        index = EntityIndex.build(nodes, Path(folder), "1")
        for question, query in drawn_questions(wanted, seed):
            others: list[str] = []
            for entity in entities_of(find_mentions(question, index).mentions)[:ENTITIES]:
                if entity.id not in around:
                    around[entity.id] = [written(other) for other in world.around(entity)]
                others += around[entity.id]
            target = written(query)
            texts = [target, *chance.sample(others, min(len(others), OTHERS))]
            yield Example(query_prompt(question), target, tuple(dict.fromkeys(texts)))


def _keep(folder: Path, out: Path, facts: dict[str, int]) -> None:
    """The files that are needed, with weights of half the size."""
    out.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        if (folder / name).exists():
            shutil.copy(folder / name, out / name)
    weights = {name: tensor.to(torch.float16) for name, tensor in load_file(folder / "model.safetensors").items()}
    save_file(weights, out / "model.safetensors", metadata={"format": "pt"})
    manifest = json.loads((out / MANIFEST).read_text(encoding="utf-8")) | facts
    (out / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--questions", type=int, default=12_000)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--vocabulary", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1, help="more are slower for so small a model")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--checkpoints", type=Path, help="keep the training here, to go on after an interruption")
    return parser.parse_args()


if __name__ == "__main__":
    main()
