"""What speaks for a reading and against it, beside its cost: signs that need no word of any one graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.lexical import Token, stem
from clew.tools.queries.reading.choosing.shape import conditions, functions, links, negates, orders, without_only
from clew.tools.queries.reading.english.expected import expects
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import NEGATIVE, is_superlative, meaning_of, tokens
from clew.tools.queries.reading.forms.form import Form, Nodes, sets
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.presentation.said import without_presentation
from clew.tools.queries.relation_names import relation_words

_DEGREES = frozenset({"most", "least", "fewest", "first", "last", "latest", "earliest", "top", "newest"})
_AMOUNTS = frozenset({"much", "long", "old", "far", "tall", "big", "high", "heavy", "deep", "wide", "fast"})
_BEFORE_HEADS = frozenset({"which", "what", "whose", "many", "all", "list", "any", "every", "show", "find"})
_POINTING = frozenset({"what", "which", "the"})
_TIMES = frozenset({"year", "date", "day", "month"})
_LONGEST = 3
_YEARS = range(1900, 2101)
_FAR = 2
Signs = dict[str, float]


@dataclass(frozen=True)
class QuestionFeatures:
    """A question's words but for those of how its answers are shown, and what they ask for."""

    text: str
    persons: frozenset[str]
    """Labels of people."""
    places: frozenset[str]
    """Labels of what other things are in."""

    @cached_property
    def tokens(self) -> Sequence[Token]:
        return tokens(without_presentation(self.text))

    @cached_property
    def words(self) -> list[str]:
        return [token.text for token in self.tokens]

    @cached_property
    def _stems(self) -> set[str]:
        return set(map(stem, self.words))

    def says(self, name: str) -> bool:
        """Whether a word of a name stands in the question."""
        return bool(set(map(stem, bare_words(name))) & self._stems)

    @cached_property
    def groups(self) -> bool:
        """Whether a number for each of several is asked for."""
        return "each" in self.functions or "by" in self.words

    @cached_property
    def repeats(self) -> int:
        """How many content words are said again: "the boss of X's boss"."""
        said = [stem(token.text) for token in self.tokens if token.content and token.text.isalpha()]
        return len(said) - len(set(said))

    @cached_property
    def nested(self) -> int:
        """How often a role is said of the same role: "the boss of X's boss"."""
        words = self.words
        roles = [stem(w) for i, w in enumerate(words) if words[max(0, i - 1)] == "'s" or words[i + 1 : i + 2] == ["of"]]
        return len(roles) - len(set(roles))

    @cached_property
    def negates(self) -> bool:
        return bool(set(self.words) & NEGATIVE)

    @cached_property
    def orders(self) -> bool:
        return any(word in _DEGREES or is_superlative(word) for word in self.words)

    @cached_property
    def functions(self) -> set[str | None]:
        """The functions that words ask for, such as a sum or an average."""
        runs = (self.words[i : i + n] for n in range(1, _LONGEST + 1) for i in range(len(self.words)))
        return {meaning_of("functions", " ".join(run)) for run in runs}

    @cached_property
    def heads_said(self) -> set[str]:
        """The stems of the words in which a question says what it asks for: those behind its question word."""
        places = [i + 1 for i, word in enumerate(self.words) if word in _BEFORE_HEADS] or [0]
        return {stem(word) for i in places for word in self.words[i : i + 2]}

    def heads(self, name: str) -> bool:
        """Whether a question asks for what has this name."""
        return bool(set(map(stem, bare_words(name))) & self.heads_said)

    @cached_property
    def kind(self) -> str:
        """What the question words ask for."""
        pairs = list(zip(self.words, self.words[1:], strict=False))
        if expects(self.text) == "truth":
            return "truth"
        if ("how", "many") in pairs or ("number", "of") in pairs or self.words[:1] == ["count"]:
            return "many"
        if any(first == "how" and second in _AMOUNTS for first, second in pairs):
            return "much"
        for word in ("who", "whose", "whom", "where", "when"):
            if word in self.words:
                return "who" if word.startswith("who") else word
        if any(first in _POINTING and second in _TIMES for first, second in pairs):
            return "when"
        if self.functions & {"sum", "avg", "median"}:
            return "sum"
        return next((word for word in ("which", "what") if word in self.words[:3]), "list")


def signs(asked: QuestionFeatures, reading: Reading) -> Signs:
    """The signs of one reading; those that are not named are 0."""
    form = replace(reading.form, nodes=without_only(reading.form.nodes))
    every = sets(form.nodes)
    relations = [step.relation for link in links(every) for step in link.path]
    inner = every[1:]
    said = sum(asked.says("_".join(relation_words(each))) for each in relations)
    found: Signs = {
        "cost": reading.cost,
        "unexplained": float(len(reading.unexplained)),
        "head unexplained": float(any(stem(word) in asked.heads_said for word in reading.unexplained)),
        "number unexplained": float(sum(number(word) is not None for word in reading.unexplained)),
        "head first": float(form.asks in ("nodes", "number", "truth") and asked.heads(form.nodes.label)),
        "any of several": float(
            sum(len({e.name for e in each.entities}) > 1 for each in every) * ("or" not in asked.words)
        ),
        "head unsaid": float(not asked.says(form.nodes.label) and not form.nodes.entities),
        "inner unsaid": float(sum(not (asked.says(each.label) or each.entities or each.conditions) for each in inner)),
        "inner said": float(sum(asked.says(each.label) for each in inner)),
        "same label": float(max(0, len(every) - len({each.label for each in every}) - asked.repeats)),
        "same relation": float(max(0, len(relations) - len(set(relations)) - asked.repeats)),
        "nesting lost": float(max(0, asked.nested - len(relations) + len(set(relations)))),
        "steps": float(len(relations)),
        "far": float(sum(len(link.path) > _FAR for link in links(every))),
        "relations said": float(said),
        "named head": float(bool(form.nodes.entities) and form.asks == "nodes"),
        "columns": float(len(form.columns)),
        "group lost": float(asked.groups and form.asks != "groups" and not form.columns),
        "group added": float(form.asks == "groups" and not asked.groups),
        f"{asked.kind}|{_kind(form, asked)}": 1.0,
    }
    found |= _of_conditions(asked, every) | _of_values(asked, form, every)
    for name, one, other in (
        ("negation", asked.negates, negates(every)),
        ("order", asked.orders, orders(form, every)),
        ("sum", "sum" in asked.functions, "sum" in functions(form)),
        ("average", bool({"avg", "median"} & asked.functions), bool({"avg", "median"} & functions(form))),
    ):
        found |= {f"{name} lost": float(one and not other), f"{name} added": float(other and not one)}
    return found


def misfit(asked: QuestionFeatures, reading: Reading) -> tuple[float, float]:
    """How much of what the question says of denials, orders, groups and sums a reading has not, or has in addition; and
    how many of its sets and conditions no word says."""
    found = signs(asked, reading)
    lost = sum(value for name, value in found.items() if name.endswith((" lost", " added")))
    return lost, sum(found.get(name, 0.0) for name in ("head unsaid", "inner unsaid", "unsaid conditions"))


def _of_conditions(asked: QuestionFeatures, every: list[Nodes]) -> Signs:
    stated = conditions(every)
    unsaid = [each for each in stated if each.property and not asked.says(each.property)]
    years = [each for each in unsaid if each.predicate is not None and _is_year(each.predicate.value)]
    return {
        "conditions": float(len(stated)),
        "unsaid conditions": float(len(unsaid)),
        "unsaid years": float(len(years)),
    }


def _is_year(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in _YEARS


def _of_values(asked: QuestionFeatures, form: Form, every: list[Nodes]) -> Signs:
    found: Signs = {}
    if form.value is not None and form.value.property:
        found["value first"] = float(asked.heads(form.value.property))
        found["value unsaid"] = float(not asked.says(form.value.property))
        found["key asked"] = float(form.value.kind == "identifier")
        found["value of a relationship"] = float(form.value.edge is not None)
    ordered = [each.order for each in every if each.order is not None and each.order.by.property]
    found["order unsaid"] = float(sum(not asked.says(each.by.property or "") for each in ordered))
    return found


def _kind(form: Form, asked: QuestionFeatures) -> str:
    """What a form gives."""
    if form.asks == "nodes" and form.nodes.entities and form.nodes.order is None:
        return "names"
    if form.asks == "nodes":
        label = form.nodes.label
        return "people" if label in asked.persons else "places" if label in asked.places else "nodes"
    if form.asks == "number":
        return f"number {form.function}"
    if form.asks == "value" and form.value is not None:
        return " ".join(filter(None, ("value", form.value.kind, form.value.function)))
    return form.asks
