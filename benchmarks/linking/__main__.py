"""Entity linking measured: misspelt names, topics of questions, names as people write them, a million names.

Development data come from `--data` (folders `metaqa` and `pathquestions`), the names of graphs from `--home`, a
CLEW_HOME with imported graphs. Parts whose data are absent are left out and named.

    python -m benchmarks.linking --home ~/.local/share/clew --json linking.json
    python -m benchmarks.linking --only written --graphs demo metaqa --home ...
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.linking.as_written import Case, cases_of, measured
from benchmarks.linking.many_names import many_names, written_at_scale
from benchmarks.linking.misspelt_and_topics import film_topics, films, misspelt, path_topics
from benchmarks.linking.sentences import linked
from benchmarks.linking.timing import built
from clew.tools.errors import BadInput
from clew.tools.linking.index import EntityIndex

DEVELOPMENT = ("demo", "metaqa", "geography", "transfer", "hospital", "pq2", "tracker")
HELD_BACK = ("university", "shipping", "pq3", "northwind")
PARTS = ("misspelt", "topics", "written", "many")


def main() -> None:
    arguments = _arguments()
    report: dict[str, Any] = {
        "command": " ".join(["python", "-m", "benchmarks.linking", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "seed": arguments.seed,
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in ("numpy", "rapidfuzz", "thefuzz")},
        "times": "milliseconds of CPU (process time)",
    }
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        names = films(arguments.data)
        if not names:
            report["left_out"] = f"MetaQA is not in {arguments.data}"
        elif {"misspelt", "topics"} & set(arguments.only):
            index, report["films"] = built(names, folder / "films")
            if "misspelt" in arguments.only:
                report["misspelt_names"] = misspelt(index, names, arguments.seed, 20 if arguments.quick else 100)
            if "topics" in arguments.only:
                report["topics"] = film_topics(index, arguments)
        if "topics" in arguments.only:
            report["topics"] = report.get("topics", {}) | path_topics(arguments, folder)
        if "written" in arguments.only and arguments.home is not None:
            report["as_people_write"] = _written(arguments, arguments.graphs)
        if "many" in arguments.only:
            count = 100_000 if arguments.quick else 1_000_000
            report["many_names"] = many_names(count, folder / "many", arguments.seed, 100 if arguments.quick else 300)
            report["as_people_write_100k"] = written_at_scale(100_000, folder / "scale", arguments.seed)
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="under a minute: fewer names and peer queries")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="default: %(default)s")
    parser.add_argument("--home", type=Path, help="CLEW_HOME with the graphs whose names are written")
    parser.add_argument("--graphs", nargs="+", default=list(DEVELOPMENT), help=f"held back: {' '.join(HELD_BACK)}")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts to measure")
    return parser.parse_args()


def _written(arguments: argparse.Namespace, graphs: Sequence[str]) -> dict[str, Any]:
    """Names as people write them, and ordinary sentences, graph by graph and all together."""
    result: dict[str, Any] = {}
    everything: list[tuple[EntityIndex, list[Case]]] = []
    for name, index in _indexes(arguments.home, graphs):
        cases = cases_of(index, arguments.seed, 10 if arguments.quick else 40)
        everything.append((index, cases))
        result[name] = {"names": len(index), **measured([(index, cases)]), "ordinary_sentences": linked(index)}
    if everything:
        result["all"] = measured(everything)
    return result


def _indexes(home: Path, graphs: Sequence[str]) -> Iterator[tuple[str, EntityIndex]]:
    for name in graphs:
        try:
            yield name, EntityIndex.open(home / "graphs" / name / "entities")
        except BadInput as error:
            print(f"{name} is left out: {error.message}", file=sys.stderr)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
