"""Matching pattern graphs in a knowledge graph by graph semantic distance (SimGRAG, sections 4.2 to 5.2)."""

from tools.gsd.answers import Bindings, complete
from tools.gsd.pattern import Pattern, PatternEdge, PatternNode
from tools.gsd.search import Match, MatchedEdge, Matches, match
from tools.gsd.snapshot import Snapshot
from tools.gsd.sources import LazyCandidates, Ranked, Sources

__all__ = [
    "Bindings",
    "LazyCandidates",
    "Match",
    "MatchedEdge",
    "Matches",
    "Pattern",
    "PatternEdge",
    "PatternNode",
    "Ranked",
    "Snapshot",
    "Sources",
    "complete",
    "match",
]
