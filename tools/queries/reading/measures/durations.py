"""The time between two dates of one thing: "from report to completion", in days, hours or minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.calculated import Calculated, Calculation, Operand, Operator
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.floating.parts import Words
from clew.tools.queries.reading.forms.functions import Function
from clew.tools.queries.reading.forms.items import Feature, PropertyChoice
from clew.tools.queries.reading.forms.quantities import HOURS, short_unit
from clew.tools.queries.reading.measures.slots import Aim, Measure, places
from clew.tools.queries.reading.rules.condition_parts import comparable
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.property_names import root

_STEM, _LEAST = 6, 3
"""Letters by which a date and the word for it are the same: "completion" of `completed_on`."""
_UNITS = frozenset({"day", "days", "week", "weeks", "long", "late", "ahead", "early", *HOURS})
_FROM = frozenset({
    "take", "takes", "took", "taken", "from", "to", "until", "till", "between", "past", "after", "before", "it",
    "passed", "went", "elapsed", "lie", "lay",
})  # fmt: skip
"""What stands between the two ends of a time."""
_SURE: Feature = ("property", 0.1)
Functions = Callable[[PropertyChoice, Aim], Iterator[tuple[Function, Words, tuple[Feature, ...]]]]
"""How the values of a property become one number, as the words of a question say."""


class Durations:
    """The times that one question may measure.

    Args:
        grammar: The question.
        heavy: The places of words that must be explained.
    """

    def __init__(self, grammar: Grammar, heavy: Words) -> None:
        self._grammar, self._heavy = grammar, heavy
        self._tokens: Sequence[Token] = grammar.tokens

    def measures(self, aim: Aim, functions: Functions, much: Words) -> Iterator[Measure]:
        """The days between two dates that are both said.

        Args:
            aim: What is asked.
            functions: How several of them become one number.
            much: The places of "how many".
        """
        units = places(self._tokens, _UNITS) - aim.words
        late = frozenset(i for i in units if self._tokens[i].text == "late")
        for choice in self._grammar.words.calculated.get("delay", ()) if late and aim.kind == "best" else ():
            yield Measure(choice.label, choice, "max" if aim.descending else "min", units, (_SURE,))
        between = places(self._tokens, _FROM) - aim.words
        for label in self._grammar.words.schema.labels if units else ():
            for choice, said in self._between(label, aim):
                words = units | between | said
                found = list(functions(choice, aim))
                for function, more, features in found:
                    if more or aim.kind == "best":
                        yield Measure(label, choice, function, words | more, (_SURE, *features))
                if much and not any(more for _, more, _ in found):
                    yield Measure(label, choice, "avg", words | much, (_SURE,))

    def _between(self, label: str, aim: Aim) -> Iterator[tuple[PropertyChoice, Words]]:
        dates = [c for c in comparable(label, self._grammar, dates=True) if c.kind == "date" and not c.of_relation]
        said = [(c, where) for c in dates if (where := self._said(c) - aim.words)]
        if len(said) != 2 or said[0][1] & said[1][1]:
            return
        first, last = sorted((c.name for c, _ in said), key=lambda name: self._begun(label, name))
        owned = (self._grammar.words.choice(label, name) for name in (first, last))
        unit: Operator = short_unit(self._tokens, owned) or "days"
        made = Calculated(Calculation(unit, Operand(last), Operand(first)))
        yield PropertyChoice(label, made, 0.0), said[0][1] | said[1][1]

    def _said(self, choice: PropertyChoice) -> Words:
        """The words that say a date: "*submitting* a claim"."""
        roots = {root(word)[:_STEM] for word in identifier_words(choice.name) if len(word) >= _LEAST}
        return frozenset(i for i in self._heavy if root(self._tokens[i].text)[:_STEM] in roots)

    def _begun(self, label: str, name: str) -> str:
        """When the first of these dates was: of two dates of one thing the earlier one begins it."""
        owned = self._grammar.words.choice(label, name)
        return min(map(str, owned.examples), default="") if owned is not None else ""
