"""Matching of names that a model writes, with the entities and values of the evidence or the words of a question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from clew.agents.evidence import AnswerRef
from clew.tools.linking.normalise import compact, fold, without_article
from clew.tools.queries.lexical import FUNCTION_WORDS

LEAST_SIMILARITY = 0.9
"""Similarity of two folded names by edit distance from which on they are equal; numbers in them must be equal."""
_NUMBER = re.compile(r"\d+")
_NOTE = re.compile(r"\s*\([^()]*\)\s*$")
_WORD = re.compile(r"\w+(?:['\u2019](?!s\b)\w+)*")
_MOST_WORDS = 400
_MOST_READ = 2000


class KnownNames:
    """Entities and values by name. Of several with one name the first is found, entities before values."""

    def __init__(self) -> None:
        self._exact: dict[str, AnswerRef] = {}
        self._folded: dict[str, AnswerRef] = {}

    def add(self, rows: Iterable[AnswerRef]) -> None:
        for row in rows:
            name, label = row["name"], row["label"]
            for spelling in (name, f"{name} ({label})", f"{name} ({label}, {row['id']})"):
                _keep(self._exact, spelling, row)
                _keep(self._folded, fold(spelling), row)

    def add_values(self, values: Iterable[str]) -> None:
        self.add({"id": None, "name": value, "label": "value", "support": 1} for value in values)

    def find(self, name: str) -> AnswerRef | None:
        """The row with exactly that name, else the same folded name, else without a trailing note in brackets, else
        with few typing errors."""
        if not name.strip():
            return None
        if name in self._exact:
            return self._exact[name]
        folded = fold(name)
        return self._folded.get(folded) or self._folded.get(fold(_NOTE.sub("", name))) or self._nearest(folded)

    def within(self, text: str) -> list[tuple[int, int, AnswerRef]]:
        """(start, end, row) of the names that a text has as whole words, in its order; of overlapping ones the longest.

        A name of one word must have its capital, and one of function words alone ("It", "The One") its exact spelling,
        since sentences have such words too.
        """
        longest: dict[str, int] = {}
        for name in self._folded:
            first, *rest = name.split(" ")
            longest[first] = max(longest.get(first, 0), len(rest) + 1)
        words = [match.span() for match in _WORD.finditer(text)][:_MOST_READ]
        found: list[tuple[int, int, AnswerRef]] = []
        for place, (start, stop) in enumerate(words):
            most = longest.get(fold(text[start:stop]).split(" ")[0], 0)
            for _, end in reversed(words[place : place + most]):
                row = self._folded.get(fold(text[start:end]))
                if row is not None and _meant(text[start:end], row["name"]):
                    found.append((start, end, row))
        kept: list[tuple[int, int, AnswerRef]] = []
        for each in sorted(found, key=lambda one: one[0] - one[1]):
            if all(each[1] <= start or end <= each[0] for start, end, _ in kept):
                kept.append(each)
        return sorted(kept, key=lambda one: one[0])

    def _nearest(self, folded: str) -> AnswerRef | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        numbers = _NUMBER.findall(folded)
        near = process.extract(
            folded, self._folded.keys(), scorer=OSA.normalized_similarity, score_cutoff=LEAST_SIMILARITY, limit=5
        )
        return next((self._folded[key] for key, _, _ in near if _NUMBER.findall(key) == numbers), None)


def _meant(written: str, name: str) -> bool:
    if all(word in FUNCTION_WORDS for word in written.lower().split()):
        return " " in written and written == name
    return " " in written or written[:1].isupper() or not name[:1].isupper()


def _keep(rows: dict[str, AnswerRef], spelling: str, row: AnswerRef) -> None:
    known = rows.get(spelling)
    if known is None or (known["id"] is None and row["id"] is not None):
        rows[spelling] = row


_LEAST = 85.0
"""Least ratio of rapidfuzz (0 to 100) between the spelling in the question and the name."""
_SHORTEST_TYPO = 5
"""Letters of a name below which a typing error would make it another name."""
_LONGEST = 200


def locate(entity: str, question: str) -> tuple[int, int] | None:
    """The span of whole words of `question` that names `entity`; None if there is none.

    The exact spelling comes first, then one equal after folding, then the nearest by edit distance; of equals the
    first.
    """
    name = entity.strip()
    if not name or len(name) > _LONGEST:
        return None
    return _verbatim(name, question) or _by_words(name, question)


def _verbatim(name: str, question: str) -> tuple[int, int] | None:
    for text, sought in ((question, name), (question.lower(), name.lower())):
        if len(text) != len(question):
            continue  # lower case of another length: spans would not fit
        start = text.find(sought)
        while start >= 0:
            end = start + len(sought)
            if _bounded(text, start, end):
                return start, end
            start = text.find(sought, start + 1)
    return None


def _by_words(name: str, question: str) -> tuple[int, int] | None:
    from rapidfuzz.fuzz import ratio

    words = [match.span() for match in _WORD.finditer(question)][:_MOST_WORDS]
    sought = compact(without_article(fold(name)))
    count = len(_WORD.findall(name))
    if not sought or not count:
        return None
    best: tuple[float, int, int, int] | None = None
    for size in {max(1, count - 1), count, count + 1}:
        for first in range(len(words) - size + 1):
            start, end = words[first][0], words[first + size - 1][1]
            written = compact(without_article(fold(question[start:end])))
            score = 101.0 if written == sought else ratio(written, sought) if len(sought) >= _SHORTEST_TYPO else 0.0
            if score >= _LEAST and (best is None or (score, start - end, -start) > best[:3]):
                best = (score, start - end, -start, end)
    return None if best is None else (-best[2], best[3])


def _bounded(text: str, start: int, end: int) -> bool:
    """Whether the span ends at word boundaries, which scripts without spaces do not have."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_joins(before) and _joins(text[start])) and not (_joins(after) and _joins(text[end - 1]))


def _joins(character: str) -> bool:
    return bool(character) and character.isalnum() and unicodedata.category(character) != "Lo"
