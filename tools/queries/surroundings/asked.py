"""Whether a question asks, in general words, for what surrounds the nodes that it names.

Such a question has no word of its own beside names, labels and general English ("how are A and B linked"), so that
neither a relation nor a property is meant. A question with any other word is left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from clew.tools.graph.entity import Entity, Mention
from clew.tools.linking.ordinary import word_class
from clew.tools.queries.surroundings.said import NAME, LabelWords, Said, word_list

Kind = Literal["description", "way", "whether", "steps", "neighbours", "shared", "hub"]
_IS = "(?:is |are |was |were |s |re )?"
_ASKS_WHO = "(?:who|what|whats|whos)(?: exactly)? "
_ASKS_IDENTITY = re.compile(
    rf"(?:and )?{_ASKS_WHO}{_IS}(?:this |that |the |a |an |our )?@(?: like| exactly)?"
    rf"|@ {_ASKS_WHO}{_IS}(?:that|this|it|he|she|they)"
    r"|(?:(?:show|find|get|look up|lookup|search|search for|display|open|give|pull up|define|explain)(?: me| us)? )?@"
    r"(?: for (?:me|us))?"
    rf"|(?:(?:explain|tell|show)(?: me| us| to me)? )?{_ASKS_WHO}(?:the |a |an )?@ (?:is|was|are|were)"
)
_KNOWN = re.compile(r"\b(?:we|you|they|i) (?:know|have|hold|got|have got|can find|can say|can tell)\b(?! to)")
"""What somebody knows or has on something."""
_ALL = r"(?:all|everything|anything|something|more|a bit|a little|what you know)"
_DESCRIBES = re.compile(
    r"\W*(?:(?:please|pls|can you|could you|would you|i want to know|i'd like to know|let's hear),?\s+)*"
    rf"(?:(?:tell|give|show)\s+(?:me|us)\s+(?:{_ALL}\s+)?(?:you (?:know|have|can)\s+)?(?:about|on)"
    rf"|describe|summari[sz]e|introduce(?:\s+(?:me|us)\s+to)?|what do (?:you|we) (?:know|have) (?:about|on)"
    rf"|(?:(?:give|show)\s+(?:me|us)\s+)?(?:{_ALL}|info|information|details|facts|background|a summary|an overview)"
    r"\s+(?:about|on|of))\s+(?=\w)",
    re.IGNORECASE,
)
_DOES = "do|does|did|has|have|had|can|could|will|would"
_SUBJECT = re.compile(
    rf"\b(?:{_DOES}) @|@ (?:and @ )?(?:is|are|was|were|about|{_DOES})\b|\b(?:what|how) about (?:the )?@"
)
"""A name that does something, or is something else."""
_WHETHER = re.compile(
    r"\b(?:whether|if|at all|in any way|would you say)\b"
    r"|\b(?:some|any) (?:\S+ ){0,2}(?:connection|link|relation|relationship|association|path)\b"
)
_GETS = re.compile(
    r"\W*(?:can|could|may) (?:you|i|we|one|some(?:body|one)) (?:get|reach|go|travel|move)\b", re.IGNORECASE
)
"""Whether one gets somewhere, which is no polite request."""
_FAR = re.compile(r"how many|number of|how far|distance|how long")
_SEPARATED = re.compile(r"how far apart|degrees? of separation")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks of the surroundings of nodes."""

    kind: Kind
    named: tuple[tuple[Entity, ...], ...] = ()
    """For each name the nodes that have it."""
    labels: tuple[str, ...] = ()
    """The kinds of nodes that are asked for; none for any."""
    number: int = 1
    """How many nodes with the most relationships are asked for."""
    phrase: int | None = None
    """Where the words begin that say what is to be described, if these are no names: "the founder of A"."""


def surroundings_asked(
    question: str,
    mentions: Sequence[Mention],
    labels: LabelWords,
    persons: frozenset[str] = frozenset(),
    schema_words: Callable[[], Collection[str]] = tuple,
) -> Asked | None:
    """What a question asks of the surroundings of the nodes that it names; None for any other question.

    Args:
        question: The question.
        mentions: Its linked entities.
        labels: The words for the labels of the graph.
        persons: The labels of people, which "who" asks for.
        schema_words: Gives the words of the names of the schema. One that says that nodes
            are related has a meaning of its own.
    """
    said = Said.of(question, [each for each in mentions if each.start < each.end and each.candidates], labels)
    if said.named and not said.labels and _asks_description(said):
        return Asked("description", said.named)
    if said.general and (asked := _of_general_words(said, question, persons, schema_words)) is not None:
        return asked
    return described_phrase(question)


def described_phrase(question: str) -> Asked | None:
    """What a request for a description describes, as the words behind it say."""
    described = _DESCRIBES.match(question)
    return Asked("description", phrase=described.end()) if described is not None else None


def _of_general_words(
    said: Said, question: str, persons: frozenset[str], schema_words: Callable[[], Collection[str]]
) -> Asked | None:
    """What a question asks that has only names, general words and perhaps a label."""
    who = said.has("persons") and not said.has("anything")
    wanted = said.labels or (tuple(sorted(persons)) if who else ())
    match len(said.named):
        case 0:
            central = (said.adjacent(schema_words) or said.has("central")) and said.has("most")
            return Asked("hub", labels=wanted, number=said.number) if central else None
        case 1:
            around = said.adjacent(schema_words) and not _counts(said)
            return Asked("neighbours", said.named, wanted) if around else None
        case _ if said.has("shared"):
            return Asked("shared", said.named, wanted)
        case 2 if _counts(said):
            return Asked("steps", said.named)
        case 2 if said.connected and (_asks_whether(said) or _GETS.match(question)):
            own = said.has("relating") and not said.adjacent(schema_words)
            return None if own else Asked("whether", said.named)
        case 2 if said.connected and (not said.labels or said.has("relating")):
            return Asked("way", said.named, said.labels)
    return None


def _asks_description(said: Said) -> bool:
    """Whether the words ask what named nodes are: "who is A", "tell me about A", or nothing but the name."""
    if _ASKS_IDENTITY.fullmatch(said.text):
        return True
    known = word_list("cues") | word_list("described")
    others = [text for text in said.texts if text != NAME]
    plain = all(text in known or word_class(text) == "function" for text in others)
    return plain and (said.has("cues") or _KNOWN.search(said.text) is not None) and not _SUBJECT.search(said.text)


def _counts(said: Said) -> bool:
    """Whether it asks how many steps lie between."""
    asks = _FAR.search(said.text) is not None and said.has("apart") and said.has("counted")
    return asks or _SEPARATED.search(said.text) is not None


def _asks_whether(said: Said) -> bool:
    """Whether it asks for yes or no: "is A linked to B", "some connection between A and B?"."""
    first = said.texts[0]
    return first in word_list("truth") or (first not in ("how", "what", "which") and bool(_WHETHER.search(said.text)))
