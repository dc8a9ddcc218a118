"""Labels and properties by meaning, for words that nothing in the schema has: "disease" for the label Diagnosis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.embedding import Embedder
from clew.tools.graph.identifiers import spoken
from clew.tools.linking.ordinary import is_english
from clew.tools.queries.lexical import UNSPECIFIC_LABELS, Span, Token
from clew.tools.queries.ranking.similarity import embedded
from clew.tools.queries.reading.anchors.asked_properties import lacking
from clew.tools.queries.reading.anchors.spans import of_unknown_kind
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import FREE, light, people, phrase
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Noun, PropertyChoice, PropertyNoun
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.said_vectors import SaidVectors
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_LEAST = 0.55
"""The cosine from which a word may mean a name."""
_LEAST_KIND, _APART, _FEWEST = 0.42, 0.08, 3
"""The cosine from which a noun may mean a label that is nearer by so much than all others, of at least so many."""
_LEAST_CALLED, _CALLED = 0.4, 0.3
"""The cosine from which a word in several names means their label, and what that costs."""
_BESIDE = 0.05
"""Names whose cosine is this much below the best one's are meant as well."""
_PER_DISTANCE = 2.0
"""What a distance of 1 costs: as much as 2 features of a label or a property."""
_LONGEST = 3
_PERIODS = frozenset({"decade", "century", "millennium", "era"})
"""Words near to "year" that do not mean it."""
_DETERMINERS = frozenset({
    "a", "an", "the", "which", "what", "each", "every", "any", "no", "all", "some", "other", "another", "per", "same",
    "of", "his", "her", "their", "its", "'s", "whose", "many", "most",
})  # fmt: skip
"""What stands before a noun for a kind of thing; without it, a rare word such as "penicillin" is the name of one."""


class NearNames:
    """The names of one schema's labels and properties with their vectors."""

    def __init__(self, words: SchemaWords, embedder: Embedder, cache: Path | None) -> None:
        labels = [label for label in words.schema.labels if spoken(label) not in UNSPECIFIC_LABELS]
        properties = words.choices
        self._words, self._persons = words, words.persons
        self._labels = labels
        self._meant: list[Nodes | PropertyChoice] = [*map(Nodes, labels), *properties]
        texts = [spoken(name) for name in (*labels, *(each.name for each in properties))]
        distinct = sorted(set(texts))
        rows = embedded(distinct, embedder, cache)
        self._vectors = rows[[distinct.index(text) for text in texts]] if texts else np.zeros((0, 1), np.float32)

    def found(
        self, tokens: Sequence[Token], open_: Iterable[Span], called: Mapping[Span, str], said: SaidVectors
    ) -> Iterator[AnyItem]:
        """What words may name that nothing explains, or that stand in the names of several nodes of one label.

        Args:
            tokens: The words of the question.
            open_: The spans that nothing explains.
            called: The spans in the names of nodes, with the label of these.
            said: The vectors of the words.
        """
        for first, last in open_:
            yield from self.items(tokens, first, last, said)
        for (first, last), label in called.items():
            if (vector := said.vector(_text(tokens, first, last))) is None:
                continue
            cosines = self._vectors[: len(self._labels)] @ vector
            best = int(cosines.argmax()) if self._labels else -1
            if best >= 0 and self._labels[best] == label and cosines[best] >= _LEAST_CALLED:
                yield anchor(first, last, Noun(Nodes(label), is_plural(tokens[last - 1].text)), ("label", _CALLED))

    def items(self, tokens: Sequence[Token], first: int, last: int, said: SaidVectors) -> Iterator[AnyItem]:
        """What tokens[first:last] may name."""
        vector = said.vector(_text(tokens, first, last))
        if vector is None or not len(self._vectors) or singular(tokens[last - 1].text) in _PERIODS:
            return
        cosines = self._vectors @ vector
        best = float(cosines.max())
        if not lacking(tokens, self._words).isdisjoint(range(first, last)):
            return
        if best < _LEAST:
            yield from self._kind(tokens, first, last, cosines)
            return
        near = [(self._meant[i], _PER_DISTANCE * (1 - float(cosines[i])))
                for i in np.flatnonzero(cosines >= max(_LEAST, best - _BESIDE))]  # fmt: skip
        plural = is_plural(tokens[last - 1].text)
        asked = first > 0 and tokens[first - 1].text in ("which", "what", "many")
        determined = first > 0 and tokens[first - 1].text in _DETERMINERS
        common = all(is_english(token.text) for token in tokens[first:last])
        person = singular(tokens[last - 1].text) in people()
        for meant, distance in near:
            if (
                isinstance(meant, Nodes)
                and (meant.label in self._persons or not person)
                and (plural or determined or common)
            ):
                yield anchor(first, last, Noun(meant, plural, asked), ("label", distance))
        choices = tuple(meant for meant, _ in near if isinstance(meant, PropertyChoice))
        if choices:
            yield anchor(first, last, PropertyNoun(choices), ("property", min(d for _, d in near)))

    def _kind(
        self, tokens: Sequence[Token], first: int, last: int, cosines: npt.NDArray[np.float32]
    ) -> Iterator[AnyItem]:
        """The label that a noun may name, if it is nearer to that than to all others: "digs" to Excavation."""
        plural = is_plural(tokens[last - 1].text)
        before = tokens[first - 1].text if first else ""
        of = [token.text for token in tokens[last : last + 1]] == ["of"]  # The kid of somebody is a role.
        if of or last - first > 1 or len(self._labels) < _FEWEST or not (plural or before in _DETERMINERS):
            return
        best, second = np.argsort(-cosines[: len(self._labels)], kind="stable")[:2]
        person = singular(tokens[last - 1].text) in people()
        label, cosine = self._labels[best], float(cosines[best])
        alone = cosine >= _LEAST_KIND and cosine - float(cosines[second]) >= _APART and is_english(tokens[first].text)
        if alone and (label in self._persons or not person):
            asked = before in ("which", "what", "many")
            yield anchor(first, last, Noun(Nodes(label), plural, asked), ("label", _PER_DISTANCE * (1 - cosine)))


def called_alike(items: Iterable[AnyItem]) -> dict[Span, str]:
    """The words that stand in the names of several nodes of one label: "digs", where excavations are called "Rescue
    Dig" and "Training Dig"."""
    found: dict[Span, set[str]] = defaultdict(set)
    for item in items:
        noun = item.meaning if isinstance(item.meaning, Noun) and item.last - item.first == 1 else None
        if noun is not None and not noun.wild and len({each.name for each in noun.nodes.entities}) >= _FEWEST:
            found[item.first, item.last].add(noun.nodes.label)
    return {span: labels.pop() for span, labels in found.items() if len(labels) == 1}


def unread(tokens: Sequence[Token], items: Sequence[AnyItem], verbs: frozenset[str]) -> list[int]:
    """The places of the words that nothing explains yet and that no relation's name has (`verbs`, as roots)."""
    taken = {i for item in items if not of_unknown_kind(item) for i in range(item.first, item.last)}
    return [
        i
        for i, token in enumerate(tokens)
        if not (i in taken or token.text in FREE or token.text in light() or root(token.text) in verbs)
        and number(token.text) is None
    ]


def spans(tokens: Sequence[Token], items: Sequence[AnyItem], verbs: frozenset[str]) -> list[tuple[int, int]]:
    """The runs of up to three words that nothing explains yet."""
    open_ = set(unread(tokens, items, verbs)) - {i for i, token in enumerate(tokens) if _counts_times(tokens, i)}
    return [
        (first, last)
        for first in range(len(tokens))
        for last in range(first + 1, min(first + _LONGEST, len(tokens)) + 1)
        if open_.issuperset(range(first, last))
    ]


def _counts_times(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word says how often: "three times", "3 or more times"."""
    before = tokens[max(0, place - _LONGEST) : place]
    return tokens[place].text == "times" and any(number(token.text) is not None for token in before)


def texts(tokens: Sequence[Token], spans: Sequence[tuple[int, int]]) -> list[str]:
    """The words of spans, as they are embedded."""
    return [_text(tokens, first, last) for first, last in spans]


def _text(tokens: Sequence[Token], first: int, last: int) -> str:
    words = phrase(tokens, first, last).split()
    return " ".join((*words[:-1], singular(words[-1])))
