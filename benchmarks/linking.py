"""Entity linking measured: misspelt names, topics of questions, spurious mentions, a million names.

Development data come from `--data` (folders `metaqa` and `pathquestions`); parts whose data are absent are
left out and named. The peer is `thefuzz.process.extract` over all names, as byokg-rag links
(`pip install thefuzz`).

    python -m benchmarks.linking --json linking.json
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import platform
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.linking.mentions import find_mentions

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST_MISSPELT = 6


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
        films = _films(arguments.data)
        if films:
            index, build = _built(films, folder / "films")
            report["films"] = build
            report["misspelt_names"] = _misspelt(index, films, arguments.seed, 20 if arguments.quick else 100)
            report["topics"] = _film_topics(index, arguments)
        else:
            report["left_out"] = f"MetaQA is not in {arguments.data}"
        report["topics"] = report.get("topics", {}) | _path_topics(arguments, folder)
        names = 100_000 if arguments.quick else 1_000_000
        report["many_names"] = _many(names, folder / "many", arguments.seed, 100 if arguments.quick else 300)
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
    return parser.parse_args()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _films(data: Path) -> list[str]:
    """Every entity name of MetaQA, heads and tails, sorted."""
    path = data / "metaqa" / "kb.txt.gz"
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        triples = [line.rstrip("\n").split("|") for line in lines]
    return sorted({name for head, _, tail in triples for name in (head, tail)})


def _built(names: Sequence[str], folder: Path) -> tuple[EntityIndex, dict[str, Any]]:
    started = time.perf_counter()
    EntityIndex.build((IndexedNode(str(i), name, "Entity") for i, name in enumerate(names)), folder, "1", rebuild=True)
    built = time.perf_counter()
    index = EntityIndex.open(folder)
    opened = time.perf_counter()
    index.search("warm up")
    return index, {"names": len(index), "build_s": round(built - started, 2), "open_ms": _ms(opened - built)}


def _misspelt(index: EntityIndex, names: Sequence[str], seed: int, peer_names: int) -> dict[str, Any]:
    """100 names of six or more characters with one or two random edits; five samples, the first is the seed's."""
    result: dict[str, Any] = {"names": 100, "edits": "1-2", "at_least_characters": _SHORTEST_MISSPELT}
    long = [name for name in names if len(name) >= _SHORTEST_MISSPELT]
    per_seed = {}
    for number in range(seed, seed + 5):
        random_source = random.Random(number)
        pairs = [
            (name, misspell(name, random_source.choice((1, 2)), random_source))
            for name in random_source.sample(long, 100)
        ]
        per_seed[str(number)] = _first_right(lambda text: [c.entity.name for c in index.search(text)], pairs)
        if number == seed:
            peer = _peer(names, pairs[:peer_names])
    result["clew_by_seed"] = per_seed
    result["rank_1_mean"] = round(statistics.mean(r["rank_1"] for r in per_seed.values()), 4)
    result["thefuzz"] = peer
    return result


def misspell(name: str, edits: int, source: random.Random) -> str:
    """`edits` random substitutions, deletions, insertions or swaps of neighbours, each of them a change."""
    for _ in range(edits):
        before = name
        while name == before:
            i = source.randrange(len(before))
            name = source.choice(
                [
                    before[:i] + source.choice(_LETTERS) + before[i + 1 :],
                    before[:i] + before[i + 1 :],
                    before[:i] + source.choice(_LETTERS) + before[i:],
                    before[:i] + before[i + 1 : i + 2] + before[i] + before[i + 2 :],
                ]
            )
    return name


def _first_right(search: Callable[[str], list[str]], pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    times, first, within = [], 0, 0
    for name, text in pairs:
        started = time.process_time()
        found = search(text)
        times.append(time.process_time() - started)
        first += found[:1] == [name]
        within += name in found
    return {"rank_1": round(first / len(pairs), 4), "in_candidates": round(within / len(pairs), 4)} | _quantiles(times)


def _peer(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, Any] | str:
    try:
        from thefuzz import process  # type: ignore[import-untyped]
    except ImportError:
        return "not installed"
    choices = list(names)
    return {"names": len(pairs)} | _first_right(
        lambda t: [hit[0] for hit in process.extract(t, choices, limit=3)], pairs
    )


def _film_topics(index: EntityIndex, arguments: argparse.Namespace) -> dict[str, Any]:
    result = {}
    for hops in (1, 2, 3):
        path = arguments.data / "metaqa" / f"dev_{hops}hop.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            questions = random.Random(arguments.seed).sample([json.loads(line) for line in lines], 500)
        result[f"metaqa_{hops}hop"] = topics_found(index, questions)
        lower = [question | {"question": question["question"].lower()} for question in questions]
        result[f"metaqa_{hops}hop_lower_case"] = topics_found(index, lower)
        source = random.Random(arguments.seed)
        result[f"metaqa_{hops}hop_misspelt"] = topics_found(index, [_misspelt_topic(q, source) for q in questions])
    return result


def _misspelt_topic(question: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """The question with one or two edits in each topic of six or more characters."""
    text = question["question"]
    for topic in question["topics"]:
        if len(topic) >= _SHORTEST_MISSPELT:
            text = text.replace(topic, misspell(topic, source.choice((1, 2)), source))
    return question | {"question": text}


def _path_topics(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    result = {}
    for hops in (2, 3):
        triples = arguments.data / "pathquestions" / f"{hops}H-kb.tsv"
        if not triples.exists():
            continue
        rows = [line.split("\t") for line in triples.read_text(encoding="utf-8").splitlines()]
        index, _ = _built(sorted({name for head, _, tail in rows for name in (head, tail)}), folder / f"paths{hops}")
        lines = (arguments.data / "pathquestions" / f"PQ-{hops}H.dev.jsonl").read_text(encoding="utf-8").splitlines()
        result[f"pathquestions_{hops}hop"] = topics_found(index, [json.loads(line) for line in lines])
    return result


def topics_found(index: EntityIndex, questions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Shares of questions whose topics are all first candidates, candidates, or candidates of any reading.

    `spurious` is the mean number of mentions a question whose first candidate is no topic; `not_in_graph` the
    share of questions with a topic that the graph does not have.
    """
    first, among, anywhere, spurious, absent = 0, 0, 0, 0, 0
    times = []
    for question in questions:
        started = time.process_time()
        linking = find_mentions(question["question"], index)
        times.append(time.process_time() - started)
        topics = set(question["topics"])
        firsts = [mention.candidates[0].entity.name for mention in linking.mentions]
        named = {c.entity.name for mention in linking.mentions for c in mention.candidates}
        others = {c.entity.name for mention in linking.alternatives for c in mention.candidates}
        first += topics <= set(firsts)
        among += topics <= named
        anywhere += topics <= named | others
        spurious += sum(name not in topics for name in firsts)
        absent += not all(index.by_name(topic) for topic in topics)
    shares = {"rank_1": first, "in_candidates": among, "in_alternatives_too": anywhere, "not_in_graph": absent}
    count = len(questions)
    return (
        {"questions": count}
        | {key: round(value / count, 4) for key, value in shares.items()}
        | {"spurious": round(spurious / count, 4)}
        | _quantiles(times)
    )


def _many(count: int, folder: Path, seed: int, queries: int) -> dict[str, Any]:
    """Build in a process of its own, so that its peak memory is the build's; then search with one and two edits."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        seconds, peak, base = pool.apply(_build_many, (count, folder, seed))
    started = time.perf_counter()
    index = EntityIndex.open(folder)
    opened = time.perf_counter() - started
    index.search("warm up", m=5)
    source = random.Random(seed + 1)
    wanted = sorted(source.sample(range(count), queries))
    chosen = set(wanted)
    names = [name for i, name in enumerate(synthetic_names(count, seed)) if i in chosen]
    result: dict[str, Any] = {
        "names": count,
        "build_s": round(seconds, 1),
        "build_peak_mb": round(peak / 1024),
        "process_before_build_mb": round(base / 1024),
        "on_disk_mb": round(sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 2**20),
        "open_ms": _ms(opened),
    }
    for edits in (1, 2):
        pairs = [(name, misspell(name, edits, source)) for name in names]
        found = _first_right(lambda text: [c.entity.name for c in index.search(text, m=5)], pairs)
        result[f"edits_{edits}"] = {"queries": queries, "recall_at_5": found.pop("in_candidates")} | found
    return result


def _build_many(count: int, folder: Path, seed: int) -> tuple[float, int, int]:
    """Seconds, peak resident KiB, and resident KiB at the start."""
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    nodes = (IndexedNode(str(i), name, "Entity") for i, name in enumerate(synthetic_names(count, seed)))
    EntityIndex.build(nodes, folder, "1", rebuild=True)
    return time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, base


def synthetic_names(count: int, seed: int) -> Iterator[str]:
    """`count` different names: people, works, companies and places, numbered things, part numbers."""
    source = random.Random(seed)
    starts = [
        "b",
        "br",
        "c",
        "ch",
        "d",
        "f",
        "g",
        "gr",
        "h",
        "j",
        "k",
        "l",
        "m",
        "n",
        "p",
        "pr",
        "r",
        "s",
        "st",
        "t",
        "v",
    ]
    syllables = [a + b + c for a in [*starts, ""] for b in "aeiou" for c in ("", "n", "r", "l", "s", "m", "t", "ck")]

    def word(length: int = 0) -> str:
        return "".join(
            source.choice(syllables) for _ in range(length or source.choice((1, 2, 2, 2, 3, 3)))
        ).capitalize()

    firsts, lasts, nouns = (
        [word(2) for _ in range(2_000)],
        [word() for _ in range(40_000)],
        [word() for _ in range(20_000)],
    )
    kinds = ("Ltd", "Inc", "Group", "University", "River", "County")
    makers: tuple[tuple[float, Callable[[], str]], ...] = (
        (0.45, lambda: f"{source.choice(firsts)} {source.choice(lasts)}"),
        (0.10, lambda: f"{source.choice(firsts)} {source.choice('ABCDEFGHJKLMNPRSTW')}. {source.choice(lasts)}"),
        (0.15, lambda: f"The {source.choice(nouns)} of {source.choice(lasts)}"),
        (0.10, lambda: f"{source.choice(lasts)} {source.choice(kinds)}"),
        (0.10, lambda: f"{source.choice(nouns)} {source.choice(nouns)} {source.randrange(1, 99)}"),
        (0.10, lambda: "".join(source.choices("ABCDEFGHKLMNPRST", k=3)) + str(source.randrange(1, 9_999)) + "-X"),
    )
    weights = [share for share, _ in makers]
    seen: set[str] = set()
    while len(seen) < count:
        name = source.choices(makers, weights)[0][1]()
        if name not in seen:
            seen.add(name)
            yield name


def _quantiles(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {"p50_ms": _ms(ordered[len(ordered) // 2]), "p95_ms": _ms(ordered[int(len(ordered) * 0.95)])}


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)


if __name__ == "__main__":
    main()
