"""Question words, and words for anybody, as nouns of whatever label fits."""

from __future__ import annotations

from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import is_past
from clew.tools.queries.reading.anchors.name_anchors import NameAnchors
from clew.tools.queries.reading.english.inflection import is_plural, noun_forms, singular
from clew.tools.queries.reading.english.words import COPULAS, FREE, NOBODY, anybody, light, listed, people, phrase
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import Noun, PropertyNoun, Wild

_ANYBODY = frozenset({"people", "persons", "everyone", "everybody", "anyone", "anybody", "those", "person"})
_ANYTHING = frozenset({"anything", "everything", "something", "stuff"})
_NARROWING = frozenset({"by", "from", "that", "with", "of"})
_COMPANIES = frozenset({"company", "firm", "business", "organisation", "organization", "corporation", "enterprise"})
_AT_THE_END: dict[str, Wild] = {"who": "who", "whom": "who", "where": "where", "what": "what"}
_LONGEST_KIND = 3
_OF_BODIES = 0.5
"""What it costs that a company is one of a certain kind."""
_IN_A_CLAUSE = 0.5
"""What it costs that people of any kind are meant who are not asked for."""
_OF_UNKNOWN = 0.6
"""How much each word of an unknown kind counts as unexplained."""


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
            own = {label for label, _ in self.words.labels.get(token.text, ())}
            if token.text in _ANYBODY and (not own or self.words.persons - own):
                asked = i > 0 and (self._asked(i) or not self._is_asked_before(i))
                # "People" may be users, though there are persons.
                other = ("wild", 2.0 if own else 1.0 if asked or i == 0 else _IN_A_CLAUSE)
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=asked, wild="who"), other)
            self._people(i)
            self._bodies(i)
        for i, token in enumerate(self.tokens[:3]):
            if token.text in ("who", "whom", "whose"):
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="who"), ("wild", 1.0))
            elif token.text == "where":
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="where"), ("wild", 0.5))
            elif (token.text in _ANYTHING and self._is_narrowed(i + 1)) or (
                token.text == "what" and (self._asks_subject(i + 1) or self._asks_contents(i + 1))
            ):
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="what"), ("wild", 1.5))
        self._at_the_end()
        self._unknown_kind()

    def _is_asked_before(self, place: int) -> bool:
        """Whether a kind of thing stands before the word before a place: "subjects taught by *people* who …"; or a
        question word that has another verb: "who do the *people* who …"."""
        before = [token.text for token in self.tokens[:place] if token.text not in ("the", "those", "these", "all")]
        if len(before) > 1 and before[0] in QUESTION_WORDS and before[-1] in ("do", "does", "did"):
            return True
        nouns = (item for item in self.items if isinstance(item.meaning, Noun) and item.last < place)
        return any(not (item.meaning.wild or item.meaning.named) for item in nouns if isinstance(item.meaning, Noun))

    def _asks_contents(self, first: int) -> bool:
        """ "What is in …", "what was on …"."""
        texts = [token.text for token in self.tokens[first : first + 2]]
        return len(texts) > 1 and texts[0] in ("is", "was", "are", "were") and texts[1] in ("in", "on", "inside")

    def _at_the_end(self) -> None:
        """ "The films of X were written by whom?" """
        last = len(self.tokens)
        kind = _AT_THE_END.get(self.tokens[-1].text)
        if kind is not None and last > len(self.tokens[:3]):
            self._add(last - 1, last, Noun(Nodes("*"), plural=True, asked=True, wild=kind), ("wild", 1.0))

    def _unknown_kind(self) -> None:
        """ "Which vendor makes X": a noun after "which" that the schema does not have."""
        for i, token in enumerate(self.tokens[:3]):
            if token.text not in ("which", "what"):
                continue
            last = i + 1
            while last < min(i + 1 + _LONGEST_KIND, len(self.tokens)) and self._is_unknown(last):
                last += 1
                words = last - i - 1
                noun = Noun(Nodes("*"), plural=True, asked=True, wild="what")
                self._add(i, last, noun, ("wild", 1.5), ("unexplained", _OF_UNKNOWN * words))

    def _is_verb(self, first: int, plural: bool) -> bool:
        """Whether a word that could name a role stands where a verb stands: "Anna *mentors* Ben", "who *coaches* X"."""
        before = self.tokens[first - 1].text if first else ""
        if before == "who" and not self.statement:
            return plural and [token.text for token in self.tokens[first + 1 : first + 2]] != ["of"]
        if before in NOBODY:
            return True
        named = any(i.last == first and isinstance(i.meaning, Noun) and i.meaning.named for i in self.items)
        if named and not self.statement:  # "How did Ann *vote*"
            return any(token.text in ("did", "do", "does") for token in self.tokens[:first]) and not plural
        return self.statement and (named or before in ("to", "not")) and not plural

    def _is_unknown(self, place: int) -> bool:
        """Whether a word is neither general English nor the name of something in the schema."""
        token = self.tokens[place]
        known = any(
            item.first == place and not (isinstance(item.meaning, Noun) and item.meaning.named) for item in self.items
        )
        return not (known or token.text in FREE or token.text in COPULAS or token.text in light() or token.quoted)

    def _people(self, first: int) -> None:
        """ "crew members" where no label is called so: people of some kind."""
        for last in range(first + 1, min(first + 2, len(self.tokens)) + 1):
            text = phrase(self.tokens, first, last)
            known = text in self.words.labels or text in self.words.roles
            if not known and set(noun_forms(text)) & people() and self._unread(first, last):
                noun = Noun(Nodes("*"), is_plural(text.split()[-1]), self._asked(first), wild="who")
                kind = [] if set(noun_forms(text)) & anybody() else [("unexplained", _OF_UNKNOWN)]
                self._add(first, last, noun, ("wild", 1.5), *kind)

    def _bodies(self, first: int) -> None:
        """ "Companies" where no label or property is called so: suppliers, operators, or the manufacturers in a
        property."""
        text = self.tokens[first].text
        if singular(text) not in _COMPANIES or not self._unread(first, first + 1):
            return
        for label in sorted(self.words.bodies):
            self._add(first, first + 1, Noun(Nodes(label), is_plural(text), self._asked(first)), ("label", _OF_BODIES))
        choices = [
            replace(each, cost=0.0)
            for each in self.words.choices
            if each.kind == "text" and identifier_words(each.name)[-1] in listed("people", "bodies")
        ]
        if choices:
            self._add(first, first + 1, PropertyNoun(tuple(choices)), ("guess", _OF_BODIES))

    def _unread(self, first: int, last: int) -> bool:
        return not any(item.first == first and item.last >= last for item in self.items)

    def _is_narrowed(self, following: int) -> bool:
        """Whether "anything" is of somebody, or somebody's: "anything by X", "everything X has made"."""
        text = self.tokens[following].text if following < len(self.tokens) else ""
        return text in _NARROWING or self._is_named(following)

    def _is_named(self, place: int) -> bool:
        """Whether a name begins at a token."""
        return any(item.first == place and item.meaning.named for item in self.items if isinstance(item.meaning, Noun))

    def _asks_subject(self, following: int) -> bool:
        """Whether "what" is a noun of its own: "what does X treat", "what treats X"."""
        text = self.tokens[following].text if following < len(self.tokens) else ""
        behind = self.tokens[following + 1].text if following + 1 < len(self.tokens) else ""
        if text in COPULAS and behind not in ("the", "a", "an") and self._is_named(following + 1):
            return True
        if is_past(behind if text in COPULAS else text):  # "What was staged at X", "what opened in 2012"
            return True
        return text in ("do", "does", "did", "have", "has", "had") or (
            text not in FREE and not any(item.first == following for item in self.items)
        )
