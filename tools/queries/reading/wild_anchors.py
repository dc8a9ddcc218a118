"""Question words, and words for anybody, as nouns of whatever label fits."""

from __future__ import annotations

from clew.tools.queries.reading.form import Nodes
from clew.tools.queries.reading.inflection import is_plural, noun_forms
from clew.tools.queries.reading.items import Noun
from clew.tools.queries.reading.name_anchors import NameAnchors
from clew.tools.queries.reading.words import COPULAS, FREE, people, phrase

_ANYBODY = frozenset({"people", "persons", "everyone", "everybody", "anyone", "anybody", "those", "person"})


class WildAnchors(NameAnchors):
    """Collects the nouns of one question whose label is open."""

    def _asked(self, first: int) -> bool:
        """Whether "which" or "what" asks for the noun that begins here."""
        i = first - 1
        while i >= 0 and self.tokens[i].text in ("the", "of", "all", "are", "those", "these", "kind", "kinds", "type"):
            if self.tokens[i].text == "are":
                return False
            i -= 1
        return i >= 0 and self.tokens[i].text in ("which", "what", "whose", "many")

    def wild(self) -> None:
        for i, token in enumerate(self.tokens):
            if token.text in _ANYBODY and token.text not in self.words.labels:
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=i > 0, wild="who"), ("wild", 1.0))
            self._people(i)
        for i, token in enumerate(self.tokens[:3]):
            if token.text in ("who", "whom", "whose"):
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="who"), ("wild", 1.0))
            elif token.text == "where":
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="where"), ("wild", 0.5))
            elif token.text == "what" and self._asks_subject(i + 1):
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="what"), ("wild", 1.5))

    def _people(self, first: int) -> None:
        """ "crew members" where no label is called so: people of some kind."""
        for last in range(first + 1, min(first + 2, len(self.tokens)) + 1):
            text = phrase(self.tokens, first, last)
            known = text in self.words.labels or text in self.words.roles
            if not known and set(noun_forms(text)) & people() and self._unread(first, last):
                noun = Noun(Nodes("*"), is_plural(text.split()[-1]), self._asked(first), wild="who")
                self._add(first, last, noun, ("wild", 1.5))

    def _unread(self, first: int, last: int) -> bool:
        return not any(item.first == first and item.last >= last for item in self.items)

    def _asks_subject(self, following: int) -> bool:
        """Whether "what" is a noun of its own: "what does X treat", "what treats X"."""
        text = self.tokens[following].text if following < len(self.tokens) else ""
        behind = self.tokens[following + 1].text if following + 1 < len(self.tokens) else ""
        named = any(item.first == following + 1 and item.meaning.named for item in self.items
                    if isinstance(item.meaning, Noun))  # fmt: skip
        if text in COPULAS and behind not in ("the", "a", "an") and named:
            return True
        return text in ("do", "does", "did") or (
            text not in FREE and not any(item.first == following for item in self.items)
        )
