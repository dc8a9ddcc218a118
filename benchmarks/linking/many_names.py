"""Linking among very many names: building, memory, and search with typing errors."""

from __future__ import annotations

import multiprocessing
import random
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.linking.as_written import cases_of, measured
from benchmarks.linking.misspelling import misspell
from benchmarks.linking.misspelt_and_topics import first_right
from benchmarks.linking.sentences import linked
from benchmarks.linking.timing import ms
from clew.tools.linking.index import EntityIndex, IndexedNode


def many_names(count: int, folder: Path, seed: int, queries: int) -> dict[str, Any]:
    """Build in a process of its own, so that its peak memory is the build's; then search with one and two edits."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        seconds, peak, base = pool.apply(_build, (count, folder, seed))
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
        "open_ms": ms(opened),
    }
    for edits in (1, 2):
        pairs = [(name, misspell(name, edits, source)) for name in names]
        found = first_right(lambda text: [c.entity.name for c in index.search(text, m=5)], pairs)
        result[f"edits_{edits}"] = {"queries": queries, "recall_at_5": found.pop("in_candidates")} | found
    return result


def written_at_scale(count: int, folder: Path, seed: int) -> dict[str, Any]:
    """Surnames, parts of titles and the like among `count` made-up names."""
    nodes = (
        IndexedNode(str(i), name, "Person" if name.count(" ") < 3 and name[-1].isalpha() else "Work")
        for i, name in enumerate(synthetic_names(count, seed))
    )
    index = EntityIndex.build(nodes, folder, "1", rebuild=True)
    return measured([(index, cases_of(index, seed, 100))]) | {"ordinary_sentences": linked(index)}


def _build(count: int, folder: Path, seed: int) -> tuple[float, int, int]:
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
