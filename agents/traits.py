"""How the reasoner treats what a retrieval strategy found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTraits:
    """What a strategy's attempts and triplets say about their answers."""

    complete_answers: bool = False
    """Whether an attempt has all the answers of the question, rather than those of a part of it."""
    stands_alone: bool = False
    """Whether it answers only questions that ask for what it finds, so that another reading does not contradict it."""
    explain: str = ""
    """The sentence of the explanation that says how far its answers can be trusted; "" for the usual one."""
    confirms: bool = False
    """Whether its own queries, which no model wrote, confirm a model's answers by agreeing with them."""
    by_meaning: bool = False
    """Whether its triplets are scored by nearness to the question, independently of any query."""
    by_texts: bool = False
    """Whether its answers are nodes whose texts are near the question, which need not have the question's words."""
    model_origin: str = "its walk"
    """What the attempts are called in a sentence that a model wrote with this strategy. Attempts of one origin do not
    confirm each other."""


Traits = Mapping[str, AnswerTraits]
"""By the name of the strategy; a strategy without an entry has the default traits."""
DEFAULT = AnswerTraits()


def traits_of(strategy: str, traits: Traits) -> AnswerTraits:
    """The traits of a strategy; the default ones if it is not known."""
    return traits.get(strategy, DEFAULT)
