"""What a question asks of a text: the kind of answer, the noun that it is asked for by, and the words to look for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from clew.tools.answer_spans.passages import name_terms
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.linking.tokens import words_of
from clew.tools.queries.lexical import Token
from clew.tools.queries.ranking.lexicon import concepts
from clew.tools.queries.reading.english.inflection import is_plural, noun_forms
from clew.tools.queries.reading.english.words import (
    COPULAS,
    FREE,
    adjectives,
    agents,
    light,
    measures_of,
    nouns,
    people,
    tokens,
)
from clew.tools.text_search.words import terms

Kind = Literal["person", "place", "time", "number", "quote", "name", "any", "text"]
"""The kind of answer; "any" where the words do not tell it; "text" where no span answers: why, "what does … do"."""
Side = Literal["before", "after", ""]

_AUXILIARIES = COPULAS | {"do", "does", "did", "has", "have", "had", "can", "will", "would", "could"}
_SAYING = frozenset({"say", "says", "said", "shout", "shouted", "reply", "replied", "exclaim", "remark", "cry"})
_CALLING = frozenset({"call", "name", "nickname", "christen", "dub"})
_SAID = frozenset({"line", "quote", "quotation", "words", "sentence", "phrase", "motto", "saying", "remark"})
_TEXTS = frozenset({
    "report", "document", "documents", "text", "article", "book", "minutes", "manual", "log", "notes", "paper", "page",
    "letter", "file", "contract", "email", "guide", "passage", "chapter", "section",
})  # fmt: skip
_TIMES = frozenset({"year", "date", "day", "month", "decade", "century", "time", "birthday"})
_PLACES = frozenset({
    "city", "town", "country", "village", "place", "location", "region", "nation", "state", "port", "spot", "venue",
    "whereabouts", "street",
})  # fmt: skip
_PERSON_ENDINGS = ("ist", "ian", "man", "woman", "master", "mistress")
_COUNTING = frozenset({"many", "much"})
_PAYING = frozenset({"cost", "costs", "pay", "paid", "worth", "spend", "spent", "charge"})
_OTHER_MEASURES = frozenset({"far", "often", "late", "soon", "hot", "cold", "warm", "thick"})
_QUANTITIES = frozenset({
    "number", "amount", "percentage", "age", "range", "distance", "temperature", "depth", "width", "sum", "value",
    "fee", "limit", "maximum", "minimum", "max", "min",
})  # fmt: skip
_BY_NAME = frozenset({"name", "names", "title", "kind", "type", "sort"})
_TELLING = frozenset({"tell", "explain", "describe", "summarise", "summarize", "about", "list", "how", "why"})
"""Words of a request that a passage answers …"""
_ALLOWING = _AUXILIARIES | {"may", "should", "must", "am", "shall", "might"}
"""… and words with which questions begin that ask for a yes or no."""


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """What a question asks for."""

    kind: Kind
    head: tuple[str, ...] = ()
    """The terms of the noun that the answer is called by: "river" of "which river"."""
    measures: tuple[str, ...] = ()
    """What the number measures, where the question says it: length, mass, money, …"""
    counted: bool = False
    """Whether things are counted: the number alone is the answer."""
    several: bool = False
    """Whether several things may be asked for: "which artists", "who wrote"."""
    terms: tuple[str, ...] = ()
    """The other words to look for, stemmed."""
    names: tuple[tuple[str, ...], ...] = ()
    """The terms of each name in the question."""
    said_names: tuple[str, ...] = ()
    """The names as they are written."""
    said_words: Mapping[str, str] = field(default_factory=dict)
    """By each term, and those of the noun, the word as it is written."""
    side: Side = ""
    """Where the answer stands beside the verb: before it as its subject ("who founded …"), or after it."""

    @property
    def by_passage(self) -> bool:
        """Whether a passage is the answer."""
        return self.kind == "text"


def expected_answer(question: str) -> ExpectedAnswer:
    """What a question asks for. A text that asks nothing is answered by passages."""
    words = tokens(question)
    place = next((i for i, token in enumerate(words) if token.text in QUESTION_WORDS), None)
    names = _names(question)
    if place is None:
        return _asked(_by_nouns(words), (), question, names)
    kind, head, measures, counted = _kind(words, place)
    known = _terms_of(head)
    asked = _asked(kind, known, question, names, measures, counted, _side(words, place))
    by_name = any(token.text in _BY_NAME for token in words)
    bare = not asked.terms and not by_name and words[place].text in ("what", "which", "who")
    return _asked("text", (), question, names) if bare or kind == "text" else asked


def _asked(
    kind: Kind,
    head: tuple[str, ...],
    question: str,
    names: Sequence[str],
    measures: tuple[str, ...] = (),
    counted: bool = False,
    side: Side = "",
) -> ExpectedAnswer:
    idle = {term for word in light() | _COUNTING | _AUXILIARIES for term in terms(word)} | {*head}
    said = tuple(tuple(name_terms(name)) for name in names)
    of_names = {term for name in said for term in name}
    own = [term for term in dict.fromkeys(_terms(question, measures)) if term not in idle or term in of_names]
    written = {term: word for word in _words(question) for term in terms(word)}
    said_words = {term: written[term] for term in (*own, *head) if term in written}
    nouns_said = [said_words[term] for term in head if term in said_words]
    several = any(map(is_plural, nouns_said)) if nouns_said else kind == "person"
    return ExpectedAnswer(kind, head, measures, counted, several, tuple(own), said, tuple(names), said_words, side)


def _by_nouns(words: Sequence[Token]) -> Kind:
    """The kind that a question without a question word asks for: "release date", "contact for the boat"."""
    said = [token.text for token in words]
    if not said or said[0] in _ALLOWING or _TELLING & {*said}:
        return "text"
    if _BY_NAME & {*said}:
        return "name"
    kinds = [kind_of(word) for word in said if word not in FREE]
    return next((kind for kind in kinds if kind in ("time", "place", "number", "person")), "any")


def _words(question: str) -> list[str]:
    return [token.text for token in tokens(question)]


def _terms(question: str, measures: Sequence[str]) -> list[str]:
    """The terms of a question without the adjective that says what is measured."""
    measuring = {term for word in question.lower().split() if measures and measures_of(word) for term in terms(word)}
    return [term for term in terms(question) if term not in measuring and term not in QUESTION_WORDS]


def _terms_of(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(term for word in words for term in terms(word))


def _kind(words: Sequence[Token], place: int) -> tuple[Kind, tuple[str, ...], tuple[str, ...], bool]:
    """The kind, the head noun, what is measured, and whether things are counted."""
    asking, behind = words[place].text, words[place + 1 :]
    following = behind[0].text if behind else ""
    if asking in ("who", "whom", "whose"):
        return "person", _noun(behind) if following in COPULAS else (), (), False
    if asking == "when":
        return "time", (), (), False
    if asking == "where":
        return "place", (), (), False
    if asking == "how":
        return _measured(following, behind)
    if asking == "why":
        return "text", (), (), False
    return _named(following, behind)


def _measured(following: str, behind: Sequence[Token]) -> tuple[Kind, tuple[str, ...], tuple[str, ...], bool]:
    if following == "many":
        return "number", _first_noun(behind[1:]), (), True
    if following == "much":
        return "number", _first_noun(behind[1:2]), measures_of("much"), False
    if following in adjectives() or following in _OTHER_MEASURES:
        return "number", (), measures_of(following), False
    return "text", (), (), False


def _named(following: str, behind: Sequence[Token]) -> tuple[Kind, tuple[str, ...], tuple[str, ...], bool]:
    if following in ("do", "does", "did") and not _PAYING & {token.text for token in behind}:
        return _done(behind[1:]), (), (), False
    if _PAYING & {token.text for token in behind}:
        return "number", (), measures_of("much"), False
    head = _noun(behind) if following in COPULAS else _first_noun(behind)
    kind, first = kind_of(head[-1] if head else ""), kind_of(following)
    if kind == "name" and first not in ("name", "text"):
        return first, (following,), (), False  # "Which neighbour brought …", where the verb is taken for a noun
    return "any" if not head and following == "of" else kind, head, measures_of(head[-1]) if head else (), False


def _done(behind: Sequence[Token]) -> Kind:
    """The kind of "what did … say", "what did … call …", and of other things that are done. What a text says about
    something is answered by its passages."""
    verbs = [token.text for token in behind]
    says = next((place for place, verb in enumerate(verbs) if verb in _SAYING), None)
    if says is None:
        return "name" if any(verb in _CALLING for verb in verbs[1:]) else "text"
    of_person = any(token.text not in FREE and kind_of(token.text) == "person" for token in behind[:says])
    of_text = any(verb in _TEXTS for verb in verbs[:says])
    return "text" if of_text and not of_person and "about" in verbs[says:] else "quote"


def _noun(behind: Sequence[Token]) -> tuple[str, ...]:
    """The noun behind a copula: "the price of …"; of "the name of the stowaway" what has the name."""
    run: list[str] = []
    for token in behind[1:]:
        if token.text in _BY_NAME:
            run = []
            continue
        if token.text not in FREE and token.text not in COPULAS:
            run.append(token.text)
        elif run:
            break
    return tuple(run[-1:])


def _first_noun(behind: Sequence[Token]) -> tuple[str, ...]:
    """The noun behind "which" or "how many"; of several words the last before a verb."""
    run = list(takewhile(lambda token: token.text not in FREE and token.text not in _AUXILIARIES, behind))
    if not run:
        return ()
    then = behind[len(run)].text if len(run) < len(behind) else ""
    if len(run) == 1:
        verb = then in ("the", "a", "an", "his", "her", "their", "its")
        return () if verb else (run[0].text,)
    return (run[-1].text,) if then in _AUXILIARIES or then == "of" else (run[-2].text,)


def kind_of(noun: str) -> Kind:
    """The kind of what a noun stands for."""
    forms = {noun, *noun_forms(noun)}
    if not noun:
        return "text"
    if forms & _SAID:
        return "quote"
    if forms & _TIMES:
        return "time"
    if forms & _PLACES or _concept_kind(noun) == "country":
        return "place"
    if forms & (people() | agents()) or noun.endswith(_PERSON_ENDINGS) or _concept_kind(noun) == "person":
        return "person"
    if forms & _QUANTITIES or any(measures_of(form) or form in _counted_nouns() for form in forms):
        return "number"
    return "name"


def _concept_kind(noun: str) -> str:
    """The kind of thing that the lexicon knows exactly by this word; "" for none."""
    for concept in concepts().values():
        for end in concept.forms:
            if noun in concept.forms[end]:
                return concept.kinds[end]
    return ""


def _counted_nouns() -> frozenset[str]:
    return frozenset(
        noun for noun, properties in nouns().items() if "population" in properties or "price" in properties
    )


def _side(words: Sequence[Token], place: int) -> Side:
    """Where the answer stands beside the verb."""
    asking, behind = words[place].text, [token.text for token in words[place + 1 :]]
    if asking not in ("who", "whom", "which", "what") or place > 0 or not behind:
        return ""
    auxiliary = next((word for word in behind if word in _AUXILIARIES), "")
    if auxiliary in ("do", "does", "did"):
        return "after"
    return "before" if behind[0] not in _AUXILIARIES and not auxiliary else ""


def _names(question: str) -> list[str]:
    """Capitalised or quoted words of a question that stand together."""
    runs: list[tuple[int, int]] = []
    for token in words_of(question).tokens:
        if not token.marked and not (runs and token.kind == "number"):
            continue
        if runs and not question[runs[-1][1] : token.start].strip(" .-&_'\u2019"):
            runs[-1] = (runs[-1][0], token.end)
        elif token.marked:
            runs.append((token.start, token.end))
    return [question[start:end] for start, end in runs]
