"""What people ask of graphs as developers keep them: exact answers, precision, latency.

Forty graphs of 150 to 600 nodes, each with 60 questions: of a property, over two or three steps, with two conditions,
counts and averages, superlatives, values of relationships, negation, comparison, all that is reachable, yes or no, and
questions that the graph cannot answer. Twenty-nine are CSV files with neo4j-admin headers, eleven are Turtle. Their
writers saw no reader.

    python -m benchmarks.queries.networks --json networks.json
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.queries.offices import run

NETWORKS = (
    "crime", "services", "streaming", "holdings", "dynasties", "pharma", "airnet", "social", "thinkers", "fraud",
    "wildlife", "university", "cooking", "artworld", "games", "atlas", "orchestra", "metro", "politics", "supply",
    "court", "biology", "racing", "newsroom", "software", "trials", "space", "myths",
    "mountains", "cyber", "bands", "languages", "stage", "railways", "schools", "vaccines",
    "tennis", "insurance", "archaeology", "construction",
)  # fmt: skip


def main() -> None:
    run("networks", NETWORKS, lambda folder: sorted((folder / "graph").iterdir()), __doc__)


if __name__ == "__main__":
    main()
