"""Matching pattern graphs in a knowledge graph by graph semantic distance (SimGRAG, sections 4.2 to 5.2).

In: a snapshot of the graph, a `Pattern`, and candidates with distances for its known nodes and relations (`Sources`;
`pattern_sources` takes them from the graph's indexes). Out: the k best `Matches`, and from a match all bindings of the
node that is asked for (`complete`), and how many ways lead to each (`walks`).
"""

from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.patterns.answers import Bindings, complete
from clew.tools.patterns.pattern import Match, MatchedEdge, Matches, Pattern, PatternEdge, PatternNode
from clew.tools.patterns.search import match
from clew.tools.patterns.sources import Candidates, LazyCandidates, Sources
from clew.tools.patterns.walks import walks

__all__ = [
    "Bindings",
    "Candidates",
    "LazyCandidates",
    "Match",
    "MatchedEdge",
    "Matches",
    "Pattern",
    "PatternEdge",
    "PatternNode",
    "Snapshot",
    "Sources",
    "complete",
    "match",
    "walks",
]
