"""Relations of any depth: "everything that depends on X, also indirectly", "all levels below Ann"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.forms.form import Form

_DEEP = frozenset({
    "indirectly", "indirect", "transitively", "recursively", "ultimately", "eventually", "ancestor", "ancestors",
    "descendant", "descendants", "forebears", "anywhere",
})  # fmt: skip
_LEVELS, _ALL = frozenset({"level", "levels", "depth", "generations"}), frozenset({"all", "any", "every"})
_PHRASES = tuple(
    tuple(each.split())
    for each in (
        "number of steps",
        "number of hops",
        "number of levels",
        "further down",
        "further up",
        "all the way",
        "chain of command",
        "or through the",
        "or via the",
        "or through its",
        "through other",
        "through another",
        "through others",
        "via other",
        "via another",
        "through a chain",
        "by way of other",
        "in the chain",
        "any level below",
        "whatever level",
        "including indirect",
        "down the line",
        "down the chain",
        "up the chain",
        "going back to",
        "however far",
        "however many levels",
        "however many steps",
        "however many stages",
        "however many generations",
        "as far back as",
        "as far down as",
        "no matter how",
        "right up to the top",
        "right down to the bottom",
    )
)
_SO_ON = (("and", "so", "on"), ("and", "so", "forth"), ("et", "cetera"))
_REPEATED = frozenset({"his", "her", "their", "its", "those", "including", "i.e", "ie"})
"""With what begins what is said again of what was said: "…, their pupils, and so on"."""
_BESIDE = frozenset({"directly", "direct", "also", "even", "somewhere", "however", "at", "or", "and", *_ALL})
_BEHIND = 3
"""Words that may end a phrase of depth: "through other companies"."""


def words_of_depth(said: Sequence[Token]) -> frozenset[int]:
    """The places of the words that say so."""
    return _places(tuple(token.text for token in said))


@lru_cache(maxsize=256)
def _places(texts: tuple[str, ...]) -> frozenset[int]:
    places = {
        i for i, text in enumerate(texts) if text in _DEEP or (text in _LEVELS and _ALL & set(texts[max(0, i - 2) : i]))
    }
    for phrase in _PHRASES:
        for i in range(1, len(texts)):
            if texts[i : i + len(phrase)] == phrase:
                rest = len(texts) - i - len(phrase)
                places |= set(range(i, len(texts) if rest <= _BEHIND else i + len(phrase)))
    places |= _said_again(texts)
    return frozenset(places | {i for i, text in enumerate(texts) if text in _BESIDE}) if places else frozenset()


def _said_again(texts: Sequence[str]) -> set[int]:
    """ "Her pupils, their pupils and so on" behind "the pupils of X"."""
    end = next(
        (i + len(each) for each in _SO_ON for i in range(len(texts)) if tuple(texts[i : i + len(each)]) == each), 0
    )
    first = next((i for i in range(2, end) if texts[i] in _REPEATED), max(0, end - 3))
    return set(range(first, len(texts) if len(texts) - end <= _BEHIND else end)) if end else set()


def at_any_depth(form: Form) -> Form | None:
    """A form whose relation between things of one kind is taken as often as there are such; None where it has none."""
    nodes = form.nodes
    for i, link in enumerate(nodes.links):
        if len(link.path) == 1 and link.path[0].target == nodes.label and not (link.conditions or link.count):
            links = (*nodes.links[:i], replace(link, deep=True), *nodes.links[i + 1 :])
            return replace(form, nodes=replace(nodes, links=links))
    return None
