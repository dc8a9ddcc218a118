"""How import, indexes and questions grow with the graph: a synthetic graph of 1e4, 1e5, 1e6 nodes, and charts.

A graph of N nodes has 4 N relationships between six types, with skewed degrees; nearly a quarter of all nodes hang
at one of them. Every stage runs in a process of its own. What is measured is kept in `--folder` and not measured
again, so that the same command goes on after an interruption; `--again STAGE` measures a stage anew.

    python -m benchmarks.scale --folder ~/scale --json scale.json --charts docs/images
    python -m benchmarks.scale --folder ~/scale --size 1e7          # some two hours of CPU and 10 GB of disk
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.scale.plots import chart
from benchmarks.scale.stages import STAGES, measured
from clew.tools.graph.store import daemon

SIZES = (10_000, 100_000, 1_000_000)


def main() -> None:
    arguments = _arguments()
    sizes = [10_000] if arguments.quick else arguments.size or SIZES
    with tempfile.TemporaryDirectory() if arguments.folder is None else nullcontext(arguments.folder) as folder:
        graphs = {str(size): _measured(size, Path(folder) / f"{size}-{arguments.seed}", arguments) for size in sizes}
    report = {
        "command": " ".join(["python", "-m", "benchmarks.scale", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "seed": arguments.seed,
        "cores": os.cpu_count(),
        "versions": {name: version(name) for name in ("arcadedb-embedded", "neo4j")},
        "graphs": {size: {stage: _short(each) for stage, each in figures.items()} for size, figures in graphs.items()},
    }
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n", encoding="utf-8")
    if arguments.charts:
        _draw(graphs, arguments.charts)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=lambda text: int(float(text)), action="append", metavar="N",
        help="nodes, such as 1e6; may be given several times; default: 1e4, 1e5 and 1e6")  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="1e4 nodes only, about a minute")
    parser.add_argument("--folder", type=Path, help="keep graphs and figures here, to go on or to measure more")
    parser.add_argument("--again", action="append", default=[], choices=STAGES, help="measure this stage anew")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    parser.add_argument("--charts", type=Path, metavar="FOLDER", help="write scale-*.svg there")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def _measured(size: int, folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """The figures of one size, stage by stage."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "figures.json"
    figures: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    try:
        for stage in STAGES:
            if stage in figures and "failed" not in figures[stage] and stage not in arguments.again:
                continue
            print(f"{size:,} nodes: {stage} …", file=sys.stderr, flush=True)
            figures[stage] = measured(stage, size, folder, arguments.seed)
            kept.write_text(json.dumps(figures), encoding="utf-8")
            print(f"    {_short(figures[stage])}", file=sys.stderr, flush=True)
    finally:
        daemon.stop(folder / "home")
    return figures


def _short(figures: dict[str, Any]) -> dict[str, Any]:
    """Without single times."""
    return {name: value for name, value in figures.items() if not isinstance(value, list)}


def _draw(graphs: dict[str, Any], folder: Path) -> None:
    def line(stage: str, *keys: str) -> dict[float, float]:
        return {
            float(size): sum(figures[stage][key] for key in keys)
            for size, figures in graphs.items()
            if all(figures.get(stage, {}).get(key) is not None for key in keys)
        }

    charts = {
        "scale-building": ("Building", "seconds of CPU", {
            "import": line("import", "cpu_s", "database_cpu_s"),
            "index of names": line("index", "cpu_s", "database_cpu_s"),
        }),
        "scale-asking": ("Median time", "ms", {
            "linking": line("link", "p50_ms"),
            "linking, misspelt": line("link", "misspelt_p50_ms"),
            "a question": line("ask", "p50_ms"),
            "as a pattern": line("patterns", "p50_ms"),
        }),
        "scale-memory": ("Peak memory", "MiB", {
            "import": line("import", "peak_mib"),
            "index of names": line("index", "peak_mib"),
            "asking": line("ask", "peak_mib"),
            "patterns": line("patterns", "peak_mib"),
            "the database": line("ask", "database_mib"),
        }),
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    for name, (title, unit, lines) in charts.items():
        drawn = {label: each for label, each in lines.items() if each}
        (folder / f"{name}.svg").write_text(chart(title, unit, "nodes", drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
