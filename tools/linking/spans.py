"""Readings: runs of a question's words that are spelled like an entity's name, or nearly so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clew.tools.graph.entity import Candidate, Mention
from clew.tools.linking.index import EntityIndex, best_of
from clew.tools.linking.name_words import is_content
from clew.tools.linking.normalise import ARTICLES, compact, fold, is_word_character
from clew.tools.linking.ordinary import is_english
from clew.tools.linking.tokens import Token, Words
from clew.tools.linking.word_forms import singulars

_MOST_WORDS = 40
_FUZZY_WORDS = 10
_MOST_SIGNS = 3
_FLOOR = 0.7
_LOOSE_FLOOR = 0.6
_MOST_FUZZY_SPANS = 40
_MENTION_COST = 0.6
"""Cost of a mention: a rare word is worth more, a single ordinary word is not."""
_WORD_BONUS = 0.3
"""Bonus for every further content word, because adjacent words rarely form a name by chance."""
_FUNCTION_BONUS = 0.1
_CUT_COST = {"_": 0.5, "&": 0.5, "-": 0.15, "": 0.0}
_CUT_CAPITALS = 0.3
_PLAIN_EDGE_COST = 0.25
"""Of a lower-case "in" or "the" beside capitalised words: "in Hell" names "Hell" rather than "In Hell"."""
_GLUED_COST = 0.5
"""Of such an edge where the name has no space: "by Ron Howard" is hardly "Byron Howard"."""
_RATIO_SLOPE = 2.5
_PLURAL_SCORE = 0.94
"""Maximum score of a plural name, below that of every name as written."""
_SHORTEST_GENEROUS = 6
"""Letters from which on a single word without a capital may have one more error."""
_SHORTEST_OF_ENGLISH = 8
"""Letters from which on several words of the language may be a misspelt name; a single one is not."""
_SENTENCE_ENDS = ("?", ".")


@dataclass(frozen=True, slots=True)
class Reading:
    """The words [first, last) read as a mention.

    `value` is quality · Σ weight of the words, plus a bonus for words that stand together, less the cost of a
    mention and of cutting an identifier or a run of capitalised words; readings above 0 are worth choosing.
    """

    first: int
    last: int
    value: float
    torn: bool
    """Whether it is cut from a run of capitalised words."""
    mention: Mention


def same_spelling_readings(question: str, words: Words, index: EntityIndex, m: int) -> list[Reading]:
    """Every run of words that is spelled like a name after folding."""
    tokens = words.tokens
    spans, spellings = [], []
    for first, last, spelling in _runs(question, tokens, index.longest):
        spans.append((first, last))
        spellings.append(spelling)
    readings = []
    for (first, last), keys in zip(spans, index.keys_spelled(spellings), strict=True):
        if keys:
            start, end, candidates = _as_written(question, tokens[first].start, tokens[last - 1].end, keys, index)
            readings.append(
                reading_of(question, words, (first, last), (start, end), candidates, m, candidates[0].score)
            )
    return readings


def plural_readings(question: str, words: Words, index: EntityIndex, m: int) -> list[Reading]:
    """Runs of words whose singular is spelled like a name: "which musicals …" for the genre Musical."""
    tokens = words.tokens
    spans, spellings = [], []
    for first, last, spelling in _runs(question, tokens, index.longest + len("es")):
        word = tokens[last - 1].folded
        if index.words.count(word) and (tokens[last - 1].marked or not is_english(word)):
            continue  # "James" is not the plural of "Jam".
        for singular in singulars(word):
            spans.append((first, last))
            spellings.append(spelling.removesuffix(word) + singular)
    readings = []
    for (first, last), spelling, keys in zip(spans, spellings, index.keys_spelled(spellings), strict=True):
        if found := [c for c in index.spelled(spelling, keys) if compact(fold(c.matched)) == spelling]:
            candidates = [replace(c, score=min(c.score, _PLURAL_SCORE), matcher="normalised") for c in found]
            span = tokens[first].start, tokens[last - 1].end
            readings.append(reading_of(question, words, (first, last), span, candidates, m, candidates[0].score))
    return readings


def fuzzy_readings(
    question: str, words: Words, suspects: Sequence[int], index: EntityIndex, m: int, *, generous: bool = False
) -> list[Reading]:
    """Runs of words around the `suspects` that are one or two typing errors from a name (`generous`: one more)."""
    tokens = words.tokens
    readings = []
    for first, last in _windows(words, suspects):
        start, end = tokens[first].start, tokens[last - 1].end
        text = fold(question[start:end])
        content = [token for token in tokens[first:last] if is_content(token.folded)]
        english = [t for t in content if is_english(t.folded) and not (t.marked and len(content) > 1)]
        plain = len(content) == 1 and not content[0].marked and len(text) < _SHORTEST_GENEROUS
        if not (errors := _tolerated(len(text), generous)) or (generous and (plain or 2 * len(english) > len(content))):
            continue
        if len(english) == len(content):
            errors = 1 if len(content) > 1 and len(text) >= _SHORTEST_OF_ENGLISH else 0
        near = index.near(text, errors, 2 * m, floor=_LOOSE_FLOOR if generous else _FLOOR) if errors else []
        candidates = index.fuzzy_candidates(question[start:end], near)
        if candidates:
            quality = max(0.0, 1 - _RATIO_SLOPE * (1 - near[0][1]))
            readings.append(reading_of(question, words, (first, last), (start, end), candidates, m, quality))
    return readings


def _runs(question: str, tokens: Sequence[Token], longest: int) -> Iterator[tuple[int, int, str]]:
    """Every run of words with its letters, up to the length of the longest name."""
    for first, token in enumerate(tokens):
        if token.kind == "clitic":
            continue
        if token.kind == "symbol":
            yield first, first + 1, question[token.start : token.end]
        spelling = ""
        for last in range(first + 1, min(len(tokens), first + _MOST_WORDS) + 1):
            spelling += tokens[last - 1].folded
            if len(spelling) > longest:
                break
            if tokens[last - 1].folded:
                yield first, last, spelling


def _as_written(
    question: str, start: int, end: int, keys: list[int], index: EntityIndex
) -> tuple[int, int, list[Candidate]]:
    """The span and its entities, with the signs around it taken in where a name has them ("Who?", "[REC]")."""
    before, after = start, end
    while before and not question[before - 1].isspace() and not is_word_character(question[before - 1]):
        before -= 1
    while after < len(question) and not question[after].isspace() and not is_word_character(question[after]):
        after += 1
    best = start, end, index.spelled(question[start:end], keys)
    after = min(after, end + _MOST_SIGNS)
    for first, last in [(first, last) for first in {start, before} for last in range(end, after + 1)]:
        if (first, last) == (start, end):
            continue
        candidates = index.spelled(question[first:last], keys)
        ends_question = last > end and question[end:last] in _SENTENCE_ENDS and not question[last:].strip()
        longer = last - first > best[1] - best[0]
        if candidates[0].score == 1 and longer and not (ends_question and best[2][0].score == 1):
            best = first, last, best_of(candidates + best[2])
    return best


def _windows(words: Words, suspects: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of words with a suspect among them and a likely beginning and end, the most promising first."""
    tokens = words.tokens
    windows = set()
    for suspect in suspects:
        for first in range(max(0, suspect - _FUZZY_WORDS + 1), suspect + 1):
            for last in range(suspect + 1, min(len(tokens), first + _FUZZY_WORDS) + 1):
                whole = tokens[first].joined != "_" and (last == len(tokens) or tokens[last].joined != "_")
                if whole and _may_be_edge(words, first) and _may_be_edge(words, last - 1):
                    windows.add((first, last))
    promising = sorted(windows, key=lambda w: (-_value(tokens, w[0], w[1], 1.0), w))[:_MOST_FUZZY_SPANS]
    runs = [_marked_run(tokens, suspect) for suspect in suspects if tokens[suspect].marked]
    return list(dict.fromkeys(runs + promising))


def _may_be_edge(words: Words, position: int) -> bool:
    """Whether the word may start or end a name: content words; if case does not mark names, also "the", "we", "you"…"""
    token = words.tokens[position]
    if token.marked:
        return True
    if token.kind == "function":
        return not words.case_marks_names
    return token.kind not in ("question", "clitic", "symbol")


def _marked_run(tokens: Sequence[Token], position: int) -> tuple[int, int]:
    """The longest run around a marked word of marked words, numbers and the function words between them."""
    first, last = position, position + 1
    for reach in range(position - 1, max(-1, position - _MOST_WORDS), -1):
        if tokens[reach].marked or tokens[reach].kind == "number":
            first = reach
        elif tokens[reach].kind not in ("function", "clitic", "symbol"):
            break
    for reach in range(position + 1, min(len(tokens), position + _MOST_WORDS)):
        if tokens[reach].marked or tokens[reach].kind == "number":
            last = reach + 1
        elif tokens[reach].kind not in ("function", "clitic", "symbol"):
            break
    return first, last


def _tolerated(length: int, generous: bool) -> int:
    """Typing errors allowed in a span of that length; each is at most two insertions or deletions."""
    errors = 0 if length < 4 else 1 if length < 8 else 2 if length < 20 else 3
    return errors + (generous and length > 4)


def reading_of(
    question: str,
    words: Words,
    run: tuple[int, int],
    span: tuple[int, int],
    candidates: list[Candidate],
    m: int,
    quality: float,
) -> Reading:
    if not words.case_marks_names:
        candidates = _case_ignored(candidates)
    (start, end), (first, last) = span, run
    mention = Mention(start, end, question[start:end], tuple(candidates[:m]))
    value = _value(words.tokens, first, last, quality)
    if question[words.tokens[first].start].islower() and candidates[0].matcher != "partial":
        value -= _edge_cost(words.tokens[first:last], candidates[0].matched)
    return Reading(first, last, value, bool(_torn_from(words.tokens, first, last)), mention)


def _edge_cost(words: Sequence[Token], name: str) -> float:
    """The cost of a lower-case function word at the start of a reading of several words."""
    edge = words[0]
    if len(words) < 2 or edge.marked or edge.kind not in ("question", "function"):
        return 0.0
    if edge.folded not in ARTICLES and not fold(name).startswith(edge.folded + " "):
        return _GLUED_COST
    return _PLAIN_EDGE_COST if any(word.marked for word in words) else 0.0


def _case_ignored(candidates: list[Candidate]) -> list[Candidate]:
    """Names that differ only in case fit a question without capitals equally; the one as typed stays first."""
    best: dict[str, float] = {}
    for candidate in candidates:
        best.setdefault(candidate.matched.casefold(), candidate.score)
    return [replace(c, score=best[c.matched.casefold()]) for c in candidates]


def _torn_from(tokens: Sequence[Token], first: int, last: int) -> list[int]:
    """The capitalised or quoted neighbours of a capitalised or quoted edge."""
    edges = ((first, first - 1), (last - 1, last))
    return [o for i, o in edges if 0 <= o < len(tokens) and tokens[i].marked and tokens[o].marked]


def _value(tokens: Sequence[Token], first: int, last: int, quality: float) -> float:
    words = tokens[first:last]
    content = sum(word.kind not in ("question", "function", "clitic") or word.marked for word in words)
    function = len(words) - content
    bonus = _WORD_BONUS * max(0, content - 1) + _FUNCTION_BONUS * (function if content else max(0, function - 1))
    cuts = _CUT_COST[words[0].joined] + (_CUT_COST[tokens[last].joined] if last < len(tokens) else 0.0)
    if last < len(tokens) and tokens[last].kind == "clitic" and tokens[last].folded != "s":
        cuts += _CUT_COST["_"]
    cuts += _CUT_CAPITALS * len(_torn_from(tokens, first, last))
    return quality * (sum(word.weight for word in words) + bonus) - _MENTION_COST - cuts
