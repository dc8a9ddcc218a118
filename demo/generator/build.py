"""Trains the demo's generator: `python -m demo.generator.build` (a few minutes on two cores, no GPU, no database).

A small Llama with a tokenizer of its own learns, by the same path as any other (`tools.generation.training`), which
query answers which question of `questions.py`. The result is written to this folder in float16. The same seed gives the
same questions; weights are the same on the same machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from agents.generating.cypher_generator import query_prompt
from agents.generating.written_query import written
from demo.generator.questions import HERE, drawn_questions
from tools.generation.examples import Example
from tools.generation.fresh import fresh_model
from tools.generation.loading import MANIFEST
from tools.generation.recipe import Recipe
from tools.generation.training import steps_in_all, train

KEPT = ("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", MANIFEST)


def main() -> None:
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    began = time.monotonic()
    pairs = list(drawn_questions(arguments.questions, arguments.seed))
    examples = [Example(query_prompt(question), written(query)) for question, query in pairs]
    texts = [f"{example.prompt}\n{example.target}" for example in examples]
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
        epochs=arguments.epochs, learning_rate=2e-3, batch=64, warmup=50, held_back=0.03, seed=arguments.seed
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
        _keep(folder, arguments.out, {"seed": arguments.seed, "questions": len(examples)})
    print(f"{time.monotonic() - began:.0f} s; written to {arguments.out}")


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
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--vocabulary", type=int, default=1536)
    parser.add_argument("--threads", type=int, default=1, help="more are slower for so small a model")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--checkpoints", type=Path, help="keep the training here, to go on after an interruption")
    return parser.parse_args()


if __name__ == "__main__":
    main()
