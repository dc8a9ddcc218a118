"""What may be asked of a set that a question speaks of: the set itself, how many there are, or a property."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.reading.floating.parts import Floated, Part, State, Words
from clew.tools.queries.reading.forms.asked_kind import counts
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.functions import Function
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, PropertyNoun, Whole
from clew.tools.queries.reading.forms.scoring import cost, with_features
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.value_rules import measured, values_of

IMPLIED: Feature = ("guess", 0.5)
"""What it costs that no word says the head."""
_FLOATS: Feature = ("floats", 1.0)
"""What it costs that word order is not looked at."""
_PLAIN: Feature = ("floats", 1.0)
"""What it costs that nothing but relations is said: there the order of the words says which of them come first."""
_UNCOUNTED: Feature = ("asks", 0.7)
"""What it costs that "how many" is said of something else than the head."""
_KEY: Feature = ("property", 0.8)
"""What it costs that a key, such as `branch_code`, is asked for by a part of its name."""


class AskedOf:
    """What one question may ask of its sets.

    Args:
        grammar: The question.
        parts: Its parts.
        functions: The sums and averages that it asks for, with the words that do so.
    """

    def __init__(self, grammar: Grammar, parts: Sequence[Part], functions: Sequence[tuple[Function, Words]]) -> None:
        self._grammar, self._parts, self._functions = grammar, parts, functions
        tokens = grammar.tokens
        pairs = [[each.text for each in tokens[i : i + 2]] for i in range(len(tokens))]
        self._counting = ["how", "many"] in pairs or counts(tokens)
        self._amount = self._counting or ["how", "much"] in pairs

    def items(self, state: State) -> Iterator[Floated]:
        """The set itself, how many there are, or a property."""
        head = replace(state.head, cost=state.head.cost + cost([_FLOATS]), features=(*state.head.features, _FLOATS))
        plain: tuple[Feature, ...] = (_PLAIN,) if Form("nodes", head.meaning.nodes).plain else ()
        yield replace(head, cost=head.cost + cost(plain), features=(*head.features, *plain)), state.words
        if self._counting and not head.meaning.named:
            whole = Whole(Form("number", head.meaning.nodes, None, "count"))
            unsaid: tuple[Feature, ...] = (_UNCOUNTED,) if IMPLIED in head.features else ()
            yield Item(head.first, head.last, whole, head.cost + cost(unsaid), (*head.features, *unsaid)), state.words
        for part in self._parts:
            if not isinstance(part.item.meaning, PropertyNoun) or part.words & state.words:
                continue
            for owned, words, features in self._with_function(part, state):
                asked = replace(head, cost=head.cost + cost(features), features=(*head.features, *features))
                for item in values_of(asked, part.item, owned, head.meaning, self._grammar):
                    yield self._not_a_key(item), words

    def _with_function(self, part: Part, state: State) -> Iterator[tuple[PropertyNoun, Words, tuple[Feature, ...]]]:
        """A property, and its sum or average where words ask for one; "how much" may ask for a sum."""
        owned = measured(part.item.meaning, [token.text for token in self._grammar.tokens])
        words = state.words | part.words
        yield owned, words, ()
        numbers = tuple(choice for choice in owned.choices if choice.kind in ("number", "written number"))
        if owned.function is not None or not numbers:
            return
        for function, said in self._functions:
            if not said & words:
                yield replace(owned, choices=numbers, function=function), words | said, ()
        if self._amount and not state.head.meaning.nodes.entities:
            yield replace(owned, choices=numbers, function="sum"), words, (IMPLIED,)

    def _not_a_key(self, item: AnyItem) -> AnyItem:
        """A key costs more: "which branches …" asks for branches, not for `branch_code`."""
        form = item.meaning.form if isinstance(item.meaning, Whole) else None
        if form is None or form.value is None or form.value.kind != "identifier":
            return item
        return with_features(item, _KEY)
