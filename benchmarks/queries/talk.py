"""What people say and ask in a chat about a graph: statements, yes-or-no questions and conversations.

Twelve of the offices of `offices.py` have 50 statements or 36 turns of conversations each, and some both; four have 40
yes-or-no questions. The graphs of `networks.py` have 60 statements and some 60 turns each, twenty-three
of the collections of `formats.py` 16 statements and 25 turns. Their writers saw no reader. Without a model.

    python -m benchmarks.queries.talk --json talk.json
    python -m benchmarks.queries.talk --sets lab port crime --only statements --wrong
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.formats import FORMATS  # noqa: E402
from benchmarks.queries.networks import NETWORKS  # noqa: E402
from benchmarks.queries.offices import OFFICES, ask  # noqa: E402
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN  # noqa: E402

SETS = (*OFFICES, *NETWORKS, *FORMATS)
GROUPS = {"offices": OFFICES, "networks": NETWORKS, "formats": FORMATS}
KINDS = ("statements", "truths", "conversations")


class _InSession:
    """A graph that is asked within a conversation."""

    def __init__(self, graph: clew.Graph) -> None:
        self._graph, self._session = graph, uuid.uuid4().hex

    def ask(self, question: str) -> clew.AskResult:
        return self._graph.ask(question, session=self._session)


def statements(graph: clew.Graph, lines: list[dict[str, Any]], *, wrong: bool) -> Counter[str]:
    """How many statements there are, are judged rightly, are false, and are false but supported; and how many true ones
    are refuted."""
    found: Counter[str] = Counter()
    for line in lines:
        result = graph.verify(line["statement"])
        told, gold = result.verdict, line["label"]
        found += Counter({
            "n": 1, "right": told == gold, "false": gold != SUPPORTED, "false supported": told == SUPPORTED != gold,
            "true refuted": (told, gold) == (REFUTED, SUPPORTED), "unknown": told == UNKNOWN,
        })  # fmt: skip
        if wrong and told != gold:
            print(f"{gold} / {told}: {line['statement']}  [{result.reason}]")
    return found


def truths(graph: clew.Graph, lines: list[dict[str, Any]], *, wrong: bool) -> Counter[str]:
    """How many questions there are, are answered rightly, surely, and both."""
    found: Counter[str] = Counter()
    for line in lines:
        asked = ask(graph, line)
        found += Counter({
            "n": 1, "right": asked.right, "sure": asked.answered, "sure and right": asked.answered and asked.right,
        })  # fmt: skip
        if wrong and not asked.right:
            print(f"{line['answers']} / {asked.answers} ({asked.confidence:.2f}): {line['question']}")
    return found


def conversations(graph: clew.Graph, lines: list[dict[str, Any]], *, wrong: bool) -> Counter[str]:
    """How many turns there are and are answered rightly, of them follow-ups; and conversations that are right
    throughout."""
    found: Counter[str] = Counter()
    for line in lines:
        session, right = _InSession(graph), []
        for number, turn in enumerate(line["turns"]):
            asked = ask(session, turn)  # type: ignore[arg-type]
            right.append(asked.right)
            follows = number > 0
            found += Counter({
                "n": 1, "right": asked.right, "follow-ups": follows, "right follow-ups": follows and asked.right,
            })  # fmt: skip
            if wrong and not asked.right:
                print(f"{line['id']}.{number + 1} {turn['question']}: {asked.answers[:5]}, not {turn['answers'][:5]}")
        found += Counter({"conversations": 1, "right throughout": all(right)})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="CLEW_HOME to use; a temporary one without it")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--wrong", action="store_true", help="print what is judged or answered wrongly")
    parser.add_argument("--json", type=Path, help="write the figures here")
    args = parser.parse_args()
    measure = {"statements": statements, "truths": truths, "conversations": conversations}
    found: dict[str, dict[str, Counter[str]]] = {kind: {} for kind in args.only}
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for name in args.sets:
            group = next(key for key, names in GROUPS.items() if name in names)
            where = HERE / group / name
            files = {kind: file for kind in args.only if (file := where / f"{kind}.jsonl").exists()}
            if not files:
                continue
            with clew.connect(name, home=args.home or folder) as graph:
                folder_of = {"networks": "graph", "formats": "data"}.get(group)
                graph.import_files(*(sorted((where / folder_of).iterdir()) if folder_of else [where / "csv"]))
                for kind, file in files.items():
                    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
                    found[kind][name] = measure[kind](graph, lines, wrong=args.wrong)
                    print(kind, name, dict(found[kind][name]), flush=True)
    together = {
        f"{kind} of {group}": sum((each for name, each in sets.items() if name in names), Counter())
        for kind, sets in found.items()
        for group, names in GROUPS.items()
    }
    for kind, figures in together.items():
        print(kind, dict(figures))
    if args.json:
        report = {**found, "together": together, "seconds": round(time.perf_counter() - started)}
        args.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
