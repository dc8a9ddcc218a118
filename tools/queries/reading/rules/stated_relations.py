"""Which relations the words of a statement state. A question may leave a relation open; a statement that leaves it open
states nothing that can be checked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clew.tools.queries.lexical import stem
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import light
from clew.tools.queries.reading.forms.form import Path
from clew.tools.queries.reading.forms.items import Feature, Noun
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.relation_names import relation_words

IS = frozenset({"is", "are", "was", "were", "a", "an", "the", "one", "of"})
_JOINING = frozenset({"of", "in", "at", "on", "from", "for", "by", "'s", "located", "situated", "lies"}) | IS


@dataclass(frozen=True, slots=True)
class Joined:
    """A noun, and a path from a label to what another noun stands for."""

    noun: Noun
    label: str
    path: Path
    filled: bool
    """Whether the noun names the relation itself ("director of")."""


def states_relation(pair: Pair, joined: Joined, said: tuple[str, ...], last: int) -> bool:
    """Whether words state a relation: "Heat has Paris" could mean any, and "Heat is a city" says what Heat is.

    Args:
        pair: The two nouns and the words between them.
        joined: The relation.
        said: The words of the relation.
        last: Where these words or the nouns end.
    """
    between, grammar, path = pair.between, pair.grammar, joined.path
    joins, texts = grammar.joins, set(between.texts)
    if between.copula and texts <= IS:
        return False
    if joined.filled:
        return True
    if grammar.skips_thing(between) or (len(path) > 1 and joined.noun.nodes.links and not joined.noun.role):
        return False
    if between.empty or joined.noun.wild:
        return len(path) == 1 or joined.noun.wild != ""
    if any(word not in light() for word in said):
        if len(path) > 1:
            return False
        same = len(path) == 1 and joined.label == path[0].target and not path[0].either
        return not same or last != pair.right.last or joins.voices.starts_left(path[0], between) is not None
    only = len(path) == 1 and not joins.rivalry(path, joined.label)
    placing = "by" not in texts and any(joins.is_placing(step) or joins.is_placing(step.back("")) for step in path)
    return (only and texts <= _JOINING | {"has", "have", "had", "with"}) or (placing and texts <= _JOINING)


def as_said(path: Path, between: Gap, grammar: Grammar, *, head_left: bool) -> Path | None:
    """The step in the direction that the verb states, even if the schema has none there: "Heat directed Mann"; None if
    the words do not tell."""
    step = path[0]
    starts_left = grammar.joins.voices.starts_left(step, between) if len(path) == 1 and not step.either else None
    return None if starts_left is None else (replace(step, forward=starts_left == head_left),)


def literally(path: Path, said: tuple[str, ...]) -> list[Feature]:
    """What it costs that a relation is not called by its own name."""
    stems, own = {stem(word) for word in said}, {stem(word) for step in path for word in relation_words(step.relation)}
    return [("agreement", 0.1)] if said and not stems & own else []
