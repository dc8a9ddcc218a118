"""Matching pattern graphs in a knowledge graph by graph semantic distance (SimGRAG, sections 4.2 to 5.2)."""

from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.patterns.answers import Bindings, complete
from clew.tools.patterns.pattern import Pattern, PatternEdge, PatternNode
from clew.tools.patterns.search import Match, MatchedEdge, Matches, match
from clew.tools.patterns.sources import LazyCandidates, Ranked, Sources

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
