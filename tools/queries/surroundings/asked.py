"""Whether a question asks, in general words, for what surrounds the nodes that it names.

Such a question has no word of its own beside names, labels and general English ("how are A and B linked"), so that
neither a relation nor a property is meant. A question with any other word is left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from clew.tools.graph.entity import Entity, Mention
from clew.tools.queries.lexical import stem
from clew.tools.queries.surroundings.said import (
    LABEL,
    NAME,
    LabelWords,
    Said,
    Word,
    is_general,
    says_nothing,
    word_list,
)

Kind = Literal["description", "way", "whether", "steps", "neighbours", "shared", "hub", "similar"]
_MOST_PASSED = 4
"""Words that may be passed over."""
_KEYWORDS = frozenset({"tag", "tags", "keyword", "keywords"})
_OF = [[word] for word in ("about", "of", "on", "for", "in", "from", "with")]
"""Behind a word that says what is to be told: "the gossip about Ann"."""
_BEFORE_KINDS = frozenset({"what", "which", "whose", "many", "much", "mutual", "common", "shared", "similar"})
"""Words before the kind of thing that is asked for."""
_IS = "(?:is |are |was |were |s |re )"
_ASKS_WHO = "(?:who|what)(?: exactly)? "
_REMINDED = "(?:(?:explain|tell|show|remind)(?: me| us| to me)? )?"
_ASKS_IDENTITY = re.compile(
    rf"(?:and )?{_REMINDED}(?:{_ASKS_WHO}{_IS}|(?:whats|whos|what's|who's) )(?:this |that |the |a |an |our )?@"
    r"(?: like| exactly)?"
    rf"|@ (?:is )?(?:{_ASKS_WHO}{_IS})(?:(?:that|this|it|he|she|they)(?: again)?)?|@ (?:is )?(?:who|what)"
    rf"|(?:what|which) # (?:is|was|are|were) @|{_ASKS_WHO}{_IS}@ again"
    r"|(?:(?:show|find|get|look up|lookup|search|search for|display|open|give|pull up|define|explain)(?: me| us)? )?@"
    r"(?: for (?:me|us))?"
    rf"|(?:now )?{_ASKS_WHO}{_IS}(?:this |that )?@ (?:i|we|you) .+|@ who (?:he|she|it|they) (?:is|are)"
    rf"|{_REMINDED}{_ASKS_WHO}(?:the |a |an )?@ (?:is|was|are|were)"
)
_KNOWN = re.compile(
    r"\b(?:we|you|they|i)(?:'ve)? (?:know|have|hold|got|have got|can find|can say|can tell)\b(?! to)"
    r"|\btell (?:me|us) of\b"
)
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
_OF_A_NUMBER = re.compile(
    r"\bdiffer(?:s|ences?)? in\b|\bhow (?:many|much|often)\b|\b(?:fewer|less)\b"
    r"|\b(?:have|has|hold|got|own) more\b|\bor more\b"
)
"""A number of something, or a difference in one property, is no description."""
_SUBJECT = re.compile(
    rf"\b(?:{_DOES}) @|@ (?:and @ )?(?:is|are|was|were|about|{_DOES})\b(?! (?:you|we|i)\b)"
    r"|\b(?:what|how) about (?:the )?@"
)
"""A name that does something, or is something else."""
_WHETHER = re.compile(
    r"\b(?:whether|if|at all|in any way|would you say|or not|somehow)\b"
    r"|\b(?:some|any) (?:\S+ ){0,2}(?:connection|link|relation|relationship|association|path)\b"
)
_GETS = re.compile(
    r"\W*(?:can|could|may) (?:you|i|we|one|some(?:body|one)) (?:get|reach|go|travel|move)\b", re.IGNORECASE
)
"""Whether one gets somewhere, which is no polite request."""
_FAR = re.compile(r"how many|how much|number of|how far|distance|how long")
_SEPARATED = re.compile(r"how far apart|degrees? of separation|graph distance|distance in the graph|hop count")
_ONE_STEP = re.compile(r"\b(?:1|one|a single) (?:hop|step|edge|link)\b")
_LIKE = re.compile(
    r"(?:^|#|\b(?:who|what|which|ones?|something|anything|things|people|others))"
    r"(?: else)?(?: is| are)?(?: most| more| just| much)? like @"
)
_BOTH = re.compile(r"\b(?:have|got|has|own|know) both\b|\bboth (?:have|got)\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks of the surroundings of nodes."""

    kind: Kind
    named: Sequence[tuple[Entity, ...]] = ()
    """For each name the nodes that have it."""
    labels: tuple[str, ...] = ()
    """The kinds of nodes that are asked for; none for any."""
    number: int = 1
    """How many nodes with the most relationships are asked for."""
    phrase: int | None = None
    """Where the words begin that say what is to be described, if these are no names: "the founder of A"."""
    passed_over: tuple[str, ...] = ()
    """Words that say nothing of the graph: "I need this by noon"."""


@dataclass(frozen=True, slots=True)
class GraphWords:
    """What a graph knows of words."""

    labels: LabelWords = field(default_factory=dict)
    persons: frozenset[str] = frozenset()
    """The labels of people, which "who" asks for."""
    schema: Callable[[], Collection[str]] = tuple
    """Gives the words of the names of the schema. One that says that nodes are related has a meaning of its own."""
    naming_nothing: Callable[[], Collection[int]] = tuple
    """Gives the places of the words of a question that name no node, value, label or property."""


def surroundings_asked(question: str, mentions: Sequence[Mention], words: GraphWords) -> Asked | None:
    """What a question asks of the surroundings of the nodes that it names; None for any other question.

    Args:
        question: The question.
        mentions: Its linked entities.
        words: What the graph knows of words.
    """
    said = Said.of(question, [each for each in mentions if _is_name(each, words.labels)], words.labels)
    if said.text.startswith(f"describe {NAME}") and not _KEYWORDS.isdisjoint(words.schema()):
        return None  # What describes a thing may be its keywords.
    beside = _beside_description(said)
    described = beside is not None and (_describes_one(said) or not (beside or said.connected or _asks_similar(said)))
    if not described and (found := _of_general_words(said, question, words)) is not None:
        asked, others = found, said.others
    elif beside is not None:
        asked, others = Asked("description", said.named), beside
    else:
        return described_phrase(question)
    if not others:
        return asked
    return replace(asked, passed_over=tuple(w.text for w in others)) if say_nothing(others, said, words) else None


def _is_name(mention: Mention, labels: LabelWords) -> bool:
    """Whether a mention is a name in the question, and no word for a label that parts of names have, too."""
    if mention.start == mention.end or not mention.candidates:
        return False
    word = mention.text.lower()
    return mention.candidates[0].matcher in ("exact", "normalised") or not (word in labels or is_general(word))


def described_phrase(question: str) -> Asked | None:
    """What a request for a description describes, as the words behind it say."""
    described = _DESCRIBES.match(question)
    return Asked("description", phrase=described.end()) if described is not None else None


def _of_general_words(said: Said, question: str, words: GraphWords) -> Asked | None:
    """What the names, the general words and the first label of a question ask."""
    who = said.has("persons") and not said.has("anything")
    wanted = said.labels or (tuple(sorted(words.persons)) if who else ())
    match len(said.named):
        case 0:
            central = (
                said.adjacent(words.schema) or (said.has("central") and not said.is_of_schema("central", words.schema))
            ) and said.has("most")
            return Asked("hub", labels=wanted, number=said.number) if central else None
        case 1 if _asks_similar(said) and not said.is_of_schema("similar", words.schema):
            return Asked("similar", said.named, wanted)
        case 1:
            beside = said.spatial and said.labels  # "Which states are next to Ohio?" is a relation of the states.
            around = (said.adjacent(words.schema) and not beside and not _counts(said)) or _ONE_STEP.search(
                said.text
            ) is not None
            return Asked("neighbours", said.named, wanted) if around else None
        case _ if _asks_shared(said):
            return Asked("shared", said.named, wanted)
        case 2 if _counts(said):
            return Asked("steps", said.named)
        case 2 if said.connected and (_asks_whether(said) or _GETS.match(question)):
            own = said.has("relating") and not said.adjacent(words.schema)
            return None if own else Asked("whether", said.named)
        case 2 if said.connected and (not said.labels or said.has("relating")):
            return Asked("way", said.named, said.labels)
    return None


def _beside_description(said: Said) -> list[Word] | None:
    """The words beside a request to say what named nodes are: "who is A", "tell me about A", the name alone. None where
    there is no such request."""
    if not said.named:
        return None
    if _ASKS_IDENTITY.fullmatch(said.text):
        is_one = not said.labels or any(node.label in said.labels for node in said.named[0])
        return [] if is_one else None  # "Which breed is Rex?"
    cues = word_list("cues") | word_list("strong")
    known = cues | word_list("described")
    marks = [i for i, text in enumerate(said.texts) if text == NAME or text in cues]
    cued = not cues.isdisjoint(said.texts) or _KNOWN.search(said.text) is not None
    if said.labels or not cued or _SUBJECT.search(said.text) or _OF_A_NUMBER.search(said.text):
        return None
    others = [i for i, text in enumerate(said.texts) if text not in known and not says_nothing(text)]
    told = any(marks[0] < i < marks[-1] or said.texts[i + 1 : i + 2] in _OF for i in others)
    owned = any(said.texts[i - 2 : i] == [NAME, "s"] for i in others) and "about" not in said.texts
    return None if told or owned else [said.words[i] for i in others]


def _describes_one(said: Said) -> bool:
    """Whether words ask for a description of one node, though other words say what it is related to: "an overview of
    Heat with its relationships"."""
    return len(said.named) == 1 and (said.has("strong") or _KNOWN.search(said.text) is not None)


def say_nothing(others: Sequence[Word], said: Said, words: GraphWords) -> bool:
    """Whether words neither name anything in the graph, nor are written as a name, nor say what is asked for."""
    if len(others) > _MOST_PASSED or any(word.as_name or word.text == LABEL for word in others):
        return False
    asked_for = (said.words[said.words.index(word) - 1].text for word in others if said.words.index(word))
    if not _BEFORE_KINDS.isdisjoint(asked_for):
        return False
    own, nothing = set(map(stem, words.schema())), set(words.naming_nothing())
    return all(word.start in nothing and stem(word.text) not in own for word in others)


def _counts(said: Said) -> bool:
    """Whether it asks how many steps lie between."""
    asks = _FAR.search(said.text) is not None and said.has("counted")
    return asks or _SEPARATED.search(said.text) is not None


def _asks_shared(said: Said) -> bool:
    """Whether it asks for what several nodes have in common; a share of something is a number."""
    both = not said.labels and _BOTH.search(said.text) is not None
    return both or (said.has("shared") and "share of" not in said.text)


def _asks_similar(said: Said) -> bool:
    """Whether it asks for what is like a node: "films like A", but not "who does A like"."""
    return said.has("similar") or _LIKE.search(said.text) is not None


def _asks_whether(said: Said) -> bool:
    """Whether it asks for yes or no: "is A linked to B", "some connection between A and B?"."""
    first, *rest = said.texts
    begins = first in word_list("truth") or (first in ("can", "could") and rest[:1] == [NAME])
    return begins or (first not in ("how", "what", "which") and bool(_WHETHER.search(said.text)))
