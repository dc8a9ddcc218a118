"""Linking of names with typing errors, and of the topics of questions. The peer is `thefuzz.process.extract` over all
names, as byokg-rag links (`pip install thefuzz`)."""

from __future__ import annotations

import argparse
import gzip
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.linking.misspelling import misspell
from benchmarks.linking.timing import built, quantiles
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.mentions import find_mentions

_SHORTEST_MISSPELT = 6


def films(data: Path) -> list[str]:
    """Every entity name of MetaQA, heads and tails, sorted."""
    path = data / "metaqa" / "kb.txt.gz"
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        triples = [line.rstrip("\n").split("|") for line in lines]
    return sorted({name for head, _, tail in triples for name in (head, tail)})


def misspelt(index: EntityIndex, names: Sequence[str], seed: int, peer_names: int) -> dict[str, Any]:
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
        per_seed[str(number)] = first_right(lambda text: [c.entity.name for c in index.search(text)], pairs)
        if number == seed:
            peer = _peer(names, pairs[:peer_names])
    result["clew_by_seed"] = per_seed
    result["rank_1_mean"] = round(statistics.mean(r["rank_1"] for r in per_seed.values()), 4)
    result["thefuzz"] = peer
    return result


def first_right(search: Callable[[str], list[str]], pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    times, first, within = [], 0, 0
    for name, text in pairs:
        started = time.process_time()
        found = search(text)
        times.append(time.process_time() - started)
        first += found[:1] == [name]
        within += name in found
    return {"rank_1": round(first / len(pairs), 4), "in_candidates": round(within / len(pairs), 4)} | quantiles(times)


def _peer(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, Any] | str:
    try:
        from thefuzz import process  # type: ignore[import-untyped]
    except ImportError:
        return "not installed"
    choices = list(names)
    return {"names": len(pairs)} | first_right(
        lambda t: [hit[0] for hit in process.extract(t, choices, limit=3)], pairs
    )


def film_topics(index: EntityIndex, arguments: argparse.Namespace) -> dict[str, Any]:
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


def path_topics(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    result = {}
    for hops in (2, 3):
        triples = arguments.data / "pathquestions" / f"{hops}H-kb.tsv"
        if not triples.exists():
            continue
        rows = [line.split("\t") for line in triples.read_text(encoding="utf-8").splitlines()]
        index, _ = built(sorted({name for head, _, tail in rows for name in (head, tail)}), folder / f"paths{hops}")
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
        | quantiles(times)
    )
