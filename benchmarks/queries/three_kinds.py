"""Three kinds of questions that are hard to read, over the graphs of `networks.py`: exact answers and precision.

All that can be reached by a relation taken any number of times, two things asked at once, and totals over
relationships: 73 questions of each kind in three sets, each by a writer who saw no reader. Without a model.

    python -m benchmarks.queries.three_kinds --json three_kinds.json
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import clew
from benchmarks.queries.kinds import run
from benchmarks.queries.offices import is_exact


def main() -> None:
    run(__doc__, "three_kinds.jsonl", is_right)


def is_right(result: clew.Answer, entry: dict[str, Any]) -> bool:
    """Whether a result has exactly the gold answers."""
    return is_exact(result, entry["answers"])


if __name__ == "__main__":
    main()
