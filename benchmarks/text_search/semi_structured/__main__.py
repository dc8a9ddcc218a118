"""A semi-structured benchmark graph, in the spirit of STaRK (Wu et al. 2024), made from a seed, and its measurement.

Papers, researchers, institutes, compounds, conditions and products: 22,100 nodes of which 15,700 have a description,
over 150,000 edges, and 360 questions that mix relations, text, numbers, dates and superlatives. Questions never use the
words in which the nodes' texts tell a fact. Even and odd seeds have no fact, surname or template in common: develop on
seed 0, measure on odd ones.

    python -m benchmarks.text_search.semi_structured build DIR --seed 0
    python -m benchmarks.text_search.semi_structured baselines DIR              # peers: BM25, MiniLM, both
    python -m benchmarks.text_search.semi_structured run DIR --home HOME --scripted --json semi_structured.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from benchmarks.text_search.semi_structured.asking import QUOTA, make_questions
from benchmarks.text_search.semi_structured.world import COUNTS, make_world, write_files

QUESTIONS = "questions.jsonl"


def main() -> None:
    given = _arguments()
    if given.command == "build":
        print(json.dumps(build(given.folder, given.seed, given.scale, apart=given.apart), indent=2))
        return
    questions = read_lines(given.folder / QUESTIONS)[:: given.every]
    if given.command == "baselines":
        from benchmarks.text_search.semi_structured.baselines import measure

        report = {"graph": _manifest(given.folder), **measure(given.folder, list(COUNTS), questions)}
    else:
        from benchmarks.text_search.semi_structured.measuring import run

        report = {"graph": _manifest(given.folder), **run(given.folder, given.home, questions, given.only)}
        if given.scripted:
            from benchmarks.text_search.semi_structured.scripted import run_scripted

            report["scripted"] = run_scripted(given.folder, given.home, questions)
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")


def build(folder: Path, seed: int, scale: float = 1.0, *, apart: bool = False) -> dict[str, Any]:
    """Write the graph's files, the questions and what they are; returns the latter. If `apart`, texts are nodes."""
    world = make_world(seed, scale)
    files = write_files(world, folder, apart=apart)
    questions = make_questions(world, {kind: max(1, int(count * scale)) for kind, count in QUOTA.items()})
    (folder / QUESTIONS).write_text("".join(json.dumps(q, ensure_ascii=False) + "\n" for q in questions), "utf-8")
    manifest = {
        "seed": seed,
        "nodes": {label: len(nodes) for label, nodes in world.of_label.items()},
        "edges": world.edges,
        "questions": dict(Counter(str(q["type"]) for q in questions)),
        "files": [path.name for path in files],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    return manifest


def read_lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("build", help="write the graph's files and its questions")
    making.add_argument("--seed", type=int, default=0)
    making.add_argument("--scale", type=float, default=1.0, help="a smaller graph, for a try (default: %(default)s)")
    making.add_argument("--apart", action="store_true", help="every text is a node beside the one that it is about")
    peers = commands.add_parser("baselines", help="peers that use words and sentence embeddings only")
    running = commands.add_parser("run", help="import once, then ask with each strategy")
    running.add_argument("--home", type=Path, required=True, help="where the graph is kept between runs")
    running.add_argument(
        "--only", nargs="+", metavar="NAME", help="some of the runs, by name; also: default strategies"
    )
    running.add_argument("--scripted", action="store_true", help="then with a scripted model's plans (scripted.py)")
    for command in (making, peers, running):
        command.add_argument("folder", type=Path, metavar="DIR")
    for command in (peers, running):
        command.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th question")
        command.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
