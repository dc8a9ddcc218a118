"""What people ask of their data every day, over the graphs of `networks.py` and `offices.py`.

Denials, durations, comparisons, quantities, lookups in everyday verbs and lists by several conditions (300 questions in
five sets), durations of eight sorts (160 in four), the last four of those kinds (240 in four), comparisons of four
sorts (150 in three), lookups (100 in two), and quantities and lists by several conditions (300 in five), by writers
who saw no reader. Without a model. A result is right if it is exactly the gold set, numbers to a thousandth.

    python -m benchmarks.queries.everyday --json everyday.json
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.queries.analyst import is_right
from benchmarks.queries.kinds import run

if __name__ == "__main__":
    run(__doc__, "everyday.jsonl", is_right)
