"""Choice of the answers among the nodes that the best queries find, by a language model constrained to their names.

Source: GraphRAFT section 4.3, Figure 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.agents.answering.union import FoundNode, Union
from clew.agents.generating.chooser import Chooser
from clew.agents.generating.written_query import written
from clew.agents.prompting import prompt
from clew.tools.embedding.token_budget import counter
from clew.tools.learning.generation.examples import Example

TOKENS = 15_000
"""Most tokens of a prompt (GraphRAFT B.3.2), where the model does not read fewer."""
PATTERNS = 3
"""Patterns shown for one node."""
_LEFT_OUT = ("nodeId", "id", "name", "aliases")
_RESERVED = 64
"""Tokens for what the model adds to a prompt: marks of a chat, and the end of a name."""
_ESTIMATED = 0.8
"""Share of the tokens that is filled where they are not counted by the model's own tokenizer."""


@dataclass(frozen=True, slots=True)
class Room:
    """How long a prompt may be."""

    tokens: int = TOKENS
    count: Callable[[str], int] = field(default_factory=counter)
    """The tokens of a text."""

    @classmethod
    def of(cls, chooser: Chooser, most: int = TOKENS) -> Room:
        """What a model can read, `most` tokens if it can read more or does not say."""
        window = chooser.window
        tokens = most if window is None else min(most, window - _RESERVED)
        counted = chooser.counter
        return cls(tokens, counted) if counted is not None else cls(int(tokens * _ESTIMATED), counter())


@dataclass(frozen=True, slots=True)
class Selection:
    """The nodes that the model chose, and those that it left out, likeliest first, with their probabilities."""

    kept: list[tuple[FoundNode, float]]
    left_out: list[tuple[FoundNode, float]]


def nodes_prompt(question: str, union: Union, room: Room | None = None) -> tuple[str, list[FoundNode]]:
    """The prompt, and the nodes that fit into it, best first.

    Every node has its patterns and its name, as long as there is room; what is known of the nodes takes the rest, the
    best node's first. The last text is cut where it does not fit.
    """
    room = room or Room()
    asked = " ".join(question.split())
    nodes = union.nodes
    heads = [_head(node, union) for node in nodes]
    longest = max((room.count(node.name) for node in nodes), default=0)
    left = room.tokens - longest - room.count(prompt("select_nodes", question=asked, nodes="").user)
    told: list[FoundNode] = []
    for node, head in zip(nodes, heads, strict=True):
        if (left := left - room.count(head)) < 0:
            break
        told.append(node)
    left = max(0, left)
    entries = []
    for node, head in zip(told, heads, strict=False):
        text = _fitting(_details(node.details), left, room.count)
        left -= room.count(text)
        entries.append(f"{head}{text}")
    return prompt("select_nodes", question=asked, nodes="\n\n".join(entries)).user, told


def _head(node: FoundNode, union: Union) -> str:
    patterns = [written(union.queries[number], node.name) for number in node.queries[:PATTERNS]]
    return "\n".join([*(f"pattern: {pattern}" for pattern in patterns), f"name: {node.name}", "details: "])


def _details(properties: Mapping[str, Any]) -> str:
    said = [
        f"{name}: {' '.join(str(value).split())}"
        for name, value in properties.items()
        if name not in _LEFT_OUT and value is not None and value != ""
    ]
    return "; ".join(said) or "none"


def _fitting(text: str, tokens: int, count: Callable[[str], int]) -> str:
    """The beginning of a text, in whole words, that has at most `tokens` tokens; "" if there is no room for it."""
    if count(text) <= tokens:
        return text
    words = text.split(" ")
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(" ".join(words[:middle]) + " …") <= tokens else (low, middle - 1)
    return " ".join(words[:low]) + " …" if low else ""


def node_examples(question: str, union: Union, answers: Iterable[str], room: Room | None = None) -> list[Example]:
    """Training examples of L2 from one question: one for every right answer among the nodes."""
    asked, nodes = nodes_prompt(question, union, room)
    names = tuple(dict.fromkeys(node.name for node in nodes))
    right = {answer.casefold() for answer in answers}
    return [Example(asked, name, names) for name in names if name.casefold() in right and len(names) > 1]


@dataclass(frozen=True, slots=True)
class NodeReasoner:
    """Selects among the found nodes by a model that can name only them."""

    chooser: Chooser
    tokens: int = TOKENS
    """Most tokens of a prompt."""

    def select(self, question: str, union: Union, *, seconds: float) -> Selection:
        """All nodes, likeliest first. Nodes of one name share their probability.

        Left out are nodes without room in the prompt, and those that are much less likely than the likeliest one: how
        much is fitted in training (`Choice.keep_from`), and a model without that leaves out none. Raises ClewError.
        """
        asked, nodes = nodes_prompt(question, union, Room.of(self.chooser, self.tokens))
        names = list(dict.fromkeys(node.name for node in nodes))
        if len(names) < 2:
            return Selection([(node, 1.0 if node in nodes else 0.0) for node in union.nodes], [])
        choice = self.chooser.choose(asked, names, len(names), seconds=seconds)
        probabilities = {names[each.index]: each.probability for each in choice.chosen}
        shown = {id(node) for node in nodes}
        ranked = [(node, probabilities.get(node.name, 0.0) if id(node) in shown else 0.0) for node in union.nodes]
        ranked.sort(key=lambda pair: -pair[1])
        least = choice.keep_from * ranked[0][1]
        kept = [(node, sure) for node, sure in ranked if sure >= least]
        return Selection(kept, ranked[len(kept) :])
