"""How often false statements are supported: thousands of statements about four graphs, in two styles, with their gold
verdicts, and 600 statements about a hospital and an issue tracker that somebody wrote by hand.

The false ones have an invented name, a real name of the wrong kind, swapped ends, another name of the right kind, a
name made from two real ones, a wrong value, count, order or superlative, or a negation. Gold verdicts follow from the
facts of the graph, which are read with plain queries. The graphs must have been imported under their names; see
benchmarks/queries/reading.py.

    python -m benchmarks.verifying.falsehoods --home HOME --json falsehoods.json
    python -m benchmarks.verifying.falsehoods --home HOME --only geography --limit 200 --wrong
    python -m benchmarks.verifying.falsehoods --home HOME --only hospital --only tracker
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.verifying.statements.build import REFUTED, SUPPORTED, UNKNOWN
from benchmarks.verifying.statements.styled import Made, StyledBuilder
from clew.app.api.client import Client
from clew.app.cli.progress_bars import ProgressBars
from clew.app.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]
BUILT = ("demo", "geography", "northwind", "metaqa")
WRITTEN = ("hospital", "tracker")
_WRITTEN_VERDICTS = {"supported": SUPPORTED, "contradicted": REFUTED, "unknown": UNKNOWN}


def written(graph: str) -> list[Made]:
    """The statements about a graph that were written by hand."""
    path = ROOT / "benchmarks/queries" / graph / "statements.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Made(row["statement"], _WRITTEN_VERDICTS[row["verdict"]], row["kind"], "by hand") for row in rows]


def measured(client: Client, graph: str, statements: Iterable[Made], *, show: bool) -> dict[str, Any]:
    """The figures of one graph; `show` prints the statements that were judged wrongly."""
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    styles: dict[str, list[bool]] = defaultdict(list)
    times: list[float] = []
    for made in statements:
        started = time.perf_counter()
        result = client.graph(graph).verify(made.text).to_dict()
        times.append(1000 * (time.perf_counter() - started))
        verdict = result["verdict"]
        confusion[f"{made.kind}: {made.verdict}"][verdict] += 1
        styles[made.style].append(verdict == made.verdict)
        if show and verdict != made.verdict:
            print(f"{made.kind} | {made.verdict} / {verdict}: {made.text}  [{result['reason']}]")
    n = sum(map(len, styles.values()))
    false = {kind: found for kind, found in confusion.items() if not kind.endswith(f": {SUPPORTED}")}
    return {
        "n": n,
        "accuracy": round(sum(map(sum, styles.values())) / max(n, 1), 4),
        "false": sum(map(Counter.total, false.values())),
        "false_supported": sum(found[SUPPORTED] for found in false.values()),
        "by_style": {style: round(sum(right) / len(right), 4) for style, right in styles.items()},
        "confusion": {kind: dict(found) for kind, found in sorted(confusion.items())},
        "ms": {"p50": round(median(times), 1), "p95": round(sorted(times)[int(0.95 * (len(times) - 1))], 1)},
    }


def main() -> None:
    arguments = _arguments()
    client = Client(load_settings(home=arguments.home), ProgressBars())
    client.keep_open(inf)
    sets: dict[str, Any] = {}
    for graph in arguments.only or (*BUILT, *WRITTEN):
        if graph in WRITTEN:
            statements = written(graph)
        else:
            styles = ROOT / "benchmarks/verifying/statements/styles.toml"
            store = client.context(graph).tools.store
            statements = StyledBuilder(graph, styles, store, arguments.seed).statements(arguments.limit)
        sets[graph] = measured(client, graph, statements, show=arguments.wrong)
        print(graph, json.dumps(sets[graph]), file=sys.stderr)
    client.close()
    built = [figures for graph, figures in sets.items() if graph in BUILT]
    report = {
        "command": " ".join(["python", "-m", "benchmarks.verifying.falsehoods", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "seed": arguments.seed,
        "false_statements": sum(figures["false"] for figures in built),
        "false_supported": sum(figures["false_supported"] for figures in built),
        "sets": sets,
    }
    if not arguments.wrong:
        print(json.dumps(report, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=900, help="statements of a graph (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=(*BUILT, *WRITTEN), metavar="GRAPH")
    parser.add_argument("--wrong", action="store_true", help="print what was judged wrongly")
    home = Path.home() / ".cache/clew-benchmarks"
    parser.add_argument("--home", type=Path, default=home, help="where the graphs are (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
