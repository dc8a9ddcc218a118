"""Retrieval from documents and tables: MuSiQue and OTT-QA, the baselines and each channel in one run; answers as spans.

    python -m benchmarks.documents musique --data DIR --home HOME --json documents_musique.json
    python -m benchmarks.documents ottqa --data DIR --home HOME --json documents_ottqa.json
    python -m benchmarks.documents spans --data DIR --home HOME --json documents_spans.json
    python -m benchmarks.documents piles --home HOME --json documents_piles.json
    python -m benchmarks.documents cost --of ottqa --data DIR --home HOME [--chunks N]

DIR holds the folders `musique` and `ottqa`; what is in them is in README.md here.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.documents import answer_spans, building, musique, ottqa, piles
from clew.tools.embedding.token_budget import counter, estimate

SETS = ("musique", "ottqa")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*SETS, "spans", "piles", "cost"])
    parser.add_argument("--of", choices=SETS, default="musique", help="for cost: the data set")
    parser.add_argument("--chunks", type=int, metavar="N", help="for cost: only the first N chunks")
    parser.add_argument("--tokens", type=int, metavar="N", help="for musique: that CLEW_MODEL may take for a skeleton")
    parser.add_argument("--questions", type=int, metavar="N", help="for ottqa: only the first N, with their documents")
    parser.add_argument("--data", type=Path, metavar="DIR", help="for all but piles")
    parser.add_argument("--home", type=Path, required=True, help="where the index is kept between runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    given = parser.parse_args()
    if given.data is None and given.what not in ("piles", "spans"):
        parser.error(f"{given.what} needs --data")
    home = given.home / (given.what if given.questions is None else f"{given.what}-{given.questions}")
    home.mkdir(parents=True, exist_ok=True)
    if given.what == "cost":
        found = building.run(given.of, given.data, home, given.chunks)
    elif given.what == "musique":
        found = musique.run(given.data, home, given.tokens)
    elif given.what == "spans":
        found = answer_spans.run(given.data, home)
    elif given.what == "piles":
        found = piles.run(home)
    else:
        found = ottqa.run(given.data, home, given.questions)
    report = {
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("numpy", "scipy", "torch")},
        "tokens_counted_by": "an estimate of four characters a token" if counter() is estimate else "tiktoken",
        **found,
    }
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
