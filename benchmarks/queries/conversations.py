"""Conversations without a model: 60 of four to six turns over demo, MetaQA, hospital and shipping.

`conversations.jsonl` holds the questions with their gold queries. They were written before follow-ups were read on
these graphs. Where a question can be understood in two ways, either query will do; a question without a query is one
that the graph cannot answer, and is right if nothing is answered surely. Every third conversation is held out: of those
the figures are told, and nothing else.

    python -m benchmarks.queries.conversations --data ../shared/data --json conversations.json
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.blind_check import text  # noqa: E402
from benchmarks.queries.reading import files_of, spelling  # noqa: E402
from clew.app.evaluation.evaluation import percentile  # noqa: E402

SHOWN = 8
"""Answers of a turn that the report has."""


@dataclass(frozen=True)
class Turn:
    """A question of a conversation with what came of it."""

    conversation: str
    number: int
    question: str
    right: bool
    change: str
    """How it was read: as a question of its own, or which change of an earlier one."""
    reading: str
    answers: list[str]
    gold: list[str]
    ms: float


def conversations() -> list[dict[str, Any]]:
    lines = (HERE / "conversations.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def gold_of(graph: clew.Graph, queries: list[str]) -> list[set[str]]:
    """The answers of each gold query."""
    found = [graph.query(query).rows for query in queries]
    return [{spelling(text(next(iter(row.values())))) for row in rows} - {spelling("None")} for rows in found]


def held(graph: clew.Graph, conversation: dict[str, Any]) -> list[Turn]:
    """Hold one conversation."""
    session, turns = f"benchmark-{uuid.uuid4().hex[:12]}", []
    for number, turn in enumerate(conversation["turns"], 1):
        golds = gold_of(graph, turn["cypher"])
        started = time.perf_counter()
        result = graph.ask(turn["question"], session=session)
        ms = (time.perf_counter() - started) * 1000
        names = {spelling(answer.name) for answer in result.answers}
        right = names in golds if golds else not result.sure
        follow_up = result.to_dict().get("follow_up") or {}
        turns.append(
            Turn(
                conversation["id"], number, turn["question"], right, follow_up.get("change", ""), result.reading,
                sorted(names)[:SHOWN], sorted(golds[0])[:SHOWN] if golds else [], ms,
            )
        )  # fmt: skip
    graph.client.delete_session(session)
    return turns


def summary(held_ones: list[list[Turn]]) -> dict[str, Any]:
    turns = [turn for each in held_ones for turn in each]
    later = [turn for turn in turns if turn.number > 1]
    times = [turn.ms for turn in turns]
    return {
        "turns": f"{sum(turn.right for turn in turns)}/{len(turns)}",
        "right": round(sum(turn.right for turn in turns) / len(turns), 4),
        "follow_ups_right": round(sum(turn.right for turn in later) / len(later), 4),
        "whole_conversations": f"{sum(all(turn.right for turn in each) for each in held_ones)}/{len(held_ones)}",
        "ms_p50": round(percentile(times, 0.5), 1),
        "ms_p95": round(percentile(times, 0.95), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the development data; only MetaQA is taken from it")
    parser.add_argument("--home", type=Path, help="CLEW_HOME with the four graphs; they are imported without it")
    parser.add_argument("--graphs", nargs="+", help="conversations about these graphs alone")
    parser.add_argument("--part", choices=("development", "held-out"), help="this part alone")
    parser.add_argument("--only", nargs="+", help="these conversations alone")
    parser.add_argument("--json", type=Path, help="write the figures, and every turn of the development part, here")
    args = parser.parse_args()
    parts: dict[str, list[list[Turn]]] = defaultdict(list)
    by_graph: dict[str, list[list[Turn]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        opened: dict[str, clew.Graph] = {}
        for each in conversations():
            left_out = (args.graphs and each["graph"] not in args.graphs) or (args.only and each["id"] not in args.only)
            if left_out or (args.part and each["part"] != args.part):
                continue
            name = each["graph"]
            if name not in opened:
                opened[name] = clew.connect(name, home=args.home or folder)
                if args.home is None:
                    imported = (
                        sorted((args.data / "metaqa").glob("kb.txt*"))
                        if name == "metaqa"
                        else files_of(name, Path())[0]
                    )
                    opened[name].import_files(*imported)
            turns = held(opened[name], each)
            parts[each["part"]].append(turns)
            by_graph[name].append(turns)
            for turn in turns if each["part"] == "development" else ():
                if not turn.right:
                    told = f"{turn.change or 'new'}: {turn.reading} -> {turn.answers}, not {turn.gold}"
                    print(f"{turn.conversation}.{turn.number} {turn.question}\n    {told}", flush=True)
    every = [turns for part in parts.values() for turns in part]
    found: dict[str, Any] = {
        "all": summary(every),
        "parts": {part: summary(held_ones) for part, held_ones in parts.items()},
        "graphs": {name: summary(held_ones) for name, held_ones in by_graph.items()},
        "changes": Counter(turn.change or "new" for turns in every for turn in turns),
    }
    print(json.dumps(found, indent=1))
    if args.json:
        found["development_turns"] = [asdict(turn) for turns in parts["development"] for turn in turns]
        args.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
