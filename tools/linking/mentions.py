"""Finds the words of a question that name an entity, without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from clew.tools.graph.entity import Mention
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.ordinary import is_english
from clew.tools.linking.partial import partial_readings
from clew.tools.linking.plain_numbers import is_number
from clew.tools.linking.spans import Reading, fuzzy_readings, plural_readings, same_spelling_readings
from clew.tools.linking.tokens import Token, Words, words_of

_MOST_ALTERNATIVES = 20
_NEAR = 2
_SUBJECTS = frozenset({"i", "you", "he", "she", "it", "we", "they", "do", "does", "did"})
_SHORT_QUESTION = 8
"""Words of a question that a film "It" may end."""
_Look = Literal["partial", "misspelt", "generous"]
_LOOKS: tuple[_Look, ...] = ("partial", "misspelt", "generous")
"""How words that no reading explains are searched, one after the other: in parts of names, with typing errors, with
more errors."""


@dataclass(frozen=True, slots=True)
class Linking:
    """What a question may be about."""

    mentions: tuple[Mention, ...]
    """Spans that do not overlap, in the order of the question."""
    alternatives: tuple[Mention, ...]
    """The rejected readings, best first: other spans, and ordinary words that are also names."""


def find_mentions(question: str, index: EntityIndex, m: int = 3) -> Linking:
    """The names in `question`, each with at most `m` entities.

    Every run of words is looked up by its spelling; runs with words that this leaves unexplained are searched
    by edit distance. Each reading has a value (see `Reading`), and the readings that do not overlap and have the
    greatest sum of values are chosen. Where none has a positive value, the single best one is taken: in "who
    acted in it" the film "It" is meant only if nothing else is.
    """
    words = words_of(question)
    tokens, size = words.tokens, len(words.tokens)
    readings = same_spelling_readings(question, words, index, m)
    readings += plural_readings(question, words, index, m)
    readings = [reading for reading in readings if not is_number(reading, words, index)]
    chosen = best_cover(readings, size)
    for look in _LOOKS:
        found = _looked_up(look, question, words, readings, chosen, index, m)
        found = [reading for reading in found if not is_number(reading, words, index)]
        readings += [reading for reading in found if not _padded(reading, readings, tokens)]
        chosen = best_cover(readings, size)
    chosen = [r for r in chosen if not _fragment(r, chosen, tokens)] or _last_resort(readings, tokens)
    spans = {(r.first, r.last) for r in chosen}
    others: dict[tuple[int, int], Reading] = {}
    for reading in sorted(readings, key=lambda r: -r.value):
        if (reading.first, reading.last) not in spans:
            others.setdefault((reading.first, reading.last), reading)
    alternatives = [reading.mention for reading in others.values()]
    return Linking(tuple(r.mention for r in chosen), tuple(alternatives[:_MOST_ALTERNATIVES]))


def _looked_up(
    look: _Look,
    question: str,
    words: Words,
    readings: Sequence[Reading],
    chosen: Sequence[Reading],
    index: EntityIndex,
    m: int,
) -> list[Reading]:
    """The readings that one kind of search adds."""
    if look == "partial":
        return partial_readings(question, words, readings, index, m)
    explained = [r for r in chosen if not _is_partial(r) or _stands_alone(r, words.tokens)]
    suspects = _unexplained(words.tokens, explained, readings)
    if not suspects or (look == "generous" and explained):
        return []
    found = fuzzy_readings(question, words, suspects, index, m, generous=look == "generous")
    if look == "misspelt":
        found += partial_readings(question, words, readings, index, m, misspelt=True)
    return found


def _is_partial(reading: Reading) -> bool:
    return reading.mention.candidates[0].matcher == "partial"


def _stands_alone(reading: Reading, tokens: Sequence[Token]) -> bool:
    """Whether no word near the reading may belong to the same name: "Zanzibar" in "West ob Zanzibar" may be a part of a
    misspelt name, "Kubrick" in "films by Kubrick" is not."""
    near = (*tokens[max(0, reading.first - _NEAR) : reading.first], *tokens[reading.last : reading.last + _NEAR])
    return not any(
        token.marked or token.kind == "number" or (token.kind == "rare" and not is_english(token.folded))
        for token in near
    )


def best_cover(readings: Sequence[Reading], words: int) -> list[Reading]:
    """The readings of positive value that do not overlap and together are worth most, in order."""
    ending: dict[int, list[Reading]] = {}
    for reading in readings:
        if reading.value > 0:
            ending.setdefault(reading.last, []).append(reading)
    worth = [0.0] * (words + 1)
    taken: list[Reading | None] = [None] * (words + 1)
    for end in range(1, words + 1):
        worth[end] = worth[end - 1]
        for reading in ending.get(end, ()):
            if worth[reading.first] + reading.value > worth[end]:
                worth[end], taken[end] = worth[reading.first] + reading.value, reading
    cover: list[Reading] = []
    end = words
    while end:
        best = taken[end]
        if best is not None:
            cover.append(best)
        end = best.first if best is not None else end - 1
    return cover[::-1]


def _padded(reading: Reading, known: Sequence[Reading], tokens: Sequence[Token]) -> bool:
    """Whether a reading only adds plain words to those that spell the same entity."""
    best = reading.mention.candidates[0]
    return any(
        reading.first <= other.first
        and other.last <= reading.last
        and other.mention.candidates[0].entity == best.entity
        and other.mention.candidates[0].score >= best.score
        and not any(t.marked for t in (*tokens[reading.first : other.first], *tokens[other.last : reading.last]))
        for other in known
    )


def _last_resort(readings: Sequence[Reading], tokens: Sequence[Token]) -> list[Reading]:
    """The one reading that is meant if the question names anything; the later one of two equals.

    Ordinary words are not taken where the question has a capitalised name that no reading explains. A single
    function word is only taken as the end of a short question: "who acted in it".
    """
    asks = 0 < len(tokens) <= _SHORT_QUESTION and tokens[0].kind in ("question", "kind")
    marked = [token.marked for token in tokens]
    left = [
        r
        for r in readings
        if not r.torn
        and any(token.kind != "question" for token in tokens[r.first : r.last])
        and (
            any(token.kind not in ("question", "function") or token.marked for token in tokens[r.first : r.last])
            or (r.last - r.first > 1 and (r.last == len(tokens) or tokens[r.first].folded not in _SUBJECTS))
            or (asks and r.last == len(tokens))
        )
        and (any(marked[r.first : r.last]) or not any(marked))
    ]
    return sorted(left, key=lambda r: (-r.value, -r.first))[:1]


def _fragment(reading: Reading, chosen: Sequence[Reading], tokens: Sequence[Token]) -> bool:
    """Whether the reading is one word of a longer unknown capitalised name: "Ann" in "Ann Nobodyknows"."""
    if not reading.torn or reading.last - reading.first > 1:
        return False
    covered = {i for other in chosen for i in range(other.first, other.last)}
    beside = [i for i in (reading.first - 1, reading.last) if 0 <= i < len(tokens) and i not in covered]
    return any(tokens[i].marked and tokens[i].kind == "rare" for i in beside)


def _unexplained(tokens: Sequence[Token], chosen: Sequence[Reading], readings: Sequence[Reading]) -> list[int]:
    """Words that no chosen reading covers and that look like a part of a name.

    Where nothing is chosen and no name is spelled by a content word, any content word may be a misspelt name.
    """
    covered = {i for reading in chosen for i in range(reading.first, reading.last)}
    left = [i for i in range(len(tokens)) if i not in covered]
    suspects = [i for i in left if tokens[i].marked or (tokens[i].kind == "rare" and len(tokens[i].folded) > 2)]
    content = ("ordinary", "number")
    if suspects or chosen or any(token.kind in content for r in readings for token in tokens[r.first : r.last]):
        return suspects
    return [i for i in left if tokens[i].kind in content and len(tokens[i].folded) > 2]
