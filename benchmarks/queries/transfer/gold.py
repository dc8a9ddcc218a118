"""Gold answers: what a structured question (`gold` in the question files) gives over the graph."""

from __future__ import annotations

from collections import defaultdict
from typing import NotRequired, TypedDict

from benchmarks.queries.transfer.graph import Graph


class Branch(TypedDict):
    start: str
    """Node id."""
    path: list[str]
    """Relations in order; `<-R` goes against R's direction."""


class Best(TypedDict):
    property: str
    order: str
    """`most` or `least`."""


class Gold(TypedDict):
    all_of: list[Branch]
    """The answers lie at the end of every branch."""
    label: NotRequired[str]
    """Only answers of this label."""
    count: NotRequired[bool]
    best: NotRequired[Best]


class Answering:
    """Evaluates gold over one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.next: dict[tuple[str, str], list[str]] = defaultdict(list)
        for source, relation, target in graph.edges:
            self.next[source, relation].append(target)
            self.next[target, "<-" + relation].append(source)

    def reached(self, branch: Branch) -> set[str]:
        """Ends of the branch's paths. A path never comes back to its start ("the same fleet as X" leaves X out)."""
        front = {branch["start"]}
        for step in branch["path"]:
            front = {node for at in front for node in self.next[at, step]} - {branch["start"]}
        return front

    def nodes(self, gold: Gold) -> set[str]:
        """Ids of the answers, before counting or choosing the best."""
        ends = set.intersection(*(self.reached(branch) for branch in gold["all_of"]))
        ends -= {branch["start"] for branch in gold["all_of"]}
        label = gold.get("label")
        return {node for node in ends if label is None or self.graph.nodes[node].label == label}

    def answers(self, gold: Gold) -> list[str]:
        """Names, sorted; the number alone for a count; for a superlative all that share the best value."""
        ends = [self.graph.nodes[node] for node in self.nodes(gold)]
        if gold.get("count"):
            return [str(len(ends))]
        if best := gold.get("best"):
            choose = max if best["order"] == "most" else min
            value = choose(node.properties[best["property"]] for node in ends)
            ends = [node for node in ends if node.properties[best["property"]] == value]
        return sorted(node.name for node in ends)
