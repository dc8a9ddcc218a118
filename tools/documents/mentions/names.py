"""Names in a text by their form: runs of capitalised words, numbers such as years, quoted titles, and marked text.

The document's own lower-case words show which capitals only begin a sentence, so that no language is assumed. In
scripts without capitals, names are what is quoted or marked, and in Japanese also katakana.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from clew.tools.documents.mentions.vocabulary import Vocabulary
from clew.tools.linking.ordinary import word_class

MOST_NAMES = 40
"""Maximum number of names in one text."""
_MOST_WORDS = 8
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['\u2019.\-\u2010&/][^\W_]+)*")
_SMALL_WORDS = "of the de la le les du des di da do dos del della van von der den zu zum al el bin ibn"
_PARTICLES = frozenset(_SMALL_WORDS.split())
"""Small words within names. Not "and": it separates names as often as it joins them."""
_SECOND = frozenset(("the", "la", "le", "les", "der", "den"))
"""Particles that can follow another one."""
_TITLE_WORDS = "mr mrs ms dr prof st mt lt sgt capt col gen jr sr"
_TITLES = frozenset(_TITLE_WORDS.split())
_POSSESSIVE = re.compile(r"['\u2019]s$")
_APOSTROPHE = re.compile("['\u2019]")
_SHORT = 3
_QUOTED = re.compile(
    "\u201c([^\u201c\u201d\n]{2,80})\u201d|\u201e([^\u201c\u201d\n]{2,80})[\u201c\u201d]|\u00ab\\s?([^\u00bb\n]{2,80}?)\\s?\u00bb"
    '|(?<!\\w)"([^"\n]{2,80})"(?!\\w)|[\u300c\u300e\u300a\u3008]([^\u300d\u300f\u300b\u3009\n]{1,40})[\u300d\u300f\u300b\u3009]'
)
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc][\u30a1-\u30fa\u30fb\u30fc]{2,}")
_YEAR_OR_LONGER = re.compile(r"\d{4}|\d[\d.,]*\d{2}\d*")
_SENTENCE_SIGNS = ".?!:\u3002\uff01\uff1f\u2026\n"
_TRIMMED = " \t\"'\u201c\u201d\u2018\u2019\u00ab\u00bb([{\u2014\u2013-*\u2022"


def names_in(text: str, vocabulary: Vocabulary, marked: Iterable[str] = ()) -> tuple[str, ...]:
    """Names in the text as they are written, each once, in order; at most MOST_NAMES.

    `marked` are the texts of links and emphasis in the paragraph; those that occur in the text count.
    """
    marked_at = [(place, name) for name in marked if (place := _place(text, name)) >= 0]
    marked_at += [(match.start(match.lastindex or 0), match[match.lastindex or 0]) for match in _QUOTED.finditer(text)]
    found = [(place, name) for place, name in marked_at if _is_title(name)]
    spans = [(place, place + len(name)) for place, name in found]
    by_form = [*capitalised(text, vocabulary), *((each.start(), each.group()) for each in _KATAKANA.finditer(text))]
    for place, name in by_form:
        if not any(first <= place and place + len(name) <= last for first, last in spans):
            found.append((place, name))
    ordered = (name.strip(" .,;:!?") for _, name in sorted(found, key=lambda each: each[0]))
    return tuple(dict.fromkeys(filter(None, ordered)))[:MOST_NAMES]


def names_in_cells(cells: Iterable[str]) -> tuple[str, ...]:
    """Short cells that are not only numbers, each once."""
    found = (cell for cell in cells if cell and len(cell) <= 60 and len(cell.split()) <= _MOST_WORDS)
    named = (cell for cell in found if any(map(str.isalpha, cell)) and not cell[0].islower())
    return tuple(dict.fromkeys(named))[:MOST_NAMES]


def _place(text: str, name: str) -> int:
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) if name and name in text else None
    return found.start() if found else -1


def _is_title(name: str) -> bool:
    """Whether quoted or marked text can be a name: short, and not beginning with a lower-case letter."""
    words = name.split()
    return 0 < len(words) <= _MOST_WORDS and not name[0].islower() and (name[-1] not in ".?!," or name.istitle())


def capitalised(text: str, vocabulary: Vocabulary) -> Iterator[tuple[int, str]]:
    """Runs of capitalised words, with particles between them, and numbers of four digits or more, each with its
    place."""
    words = list(_WORD.finditer(text))
    place = 0
    while place < len(words):
        word = words[place].group()
        if not word[0].isupper():
            if word[0].isdecimal() and _YEAR_OR_LONGER.fullmatch(word):
                yield words[place].start(), word
            place += 1
            continue
        end = _run_end(text, words, place)
        first = place
        while first < end and _only_begins(text, words[first], vocabulary, alone=end - first == 1):
            first += 1
        name = _POSSESSIVE.sub("", text[words[first].start() : words[end - 1].end()]) if first < end else ""
        if name and end - first <= _MOST_WORDS and _is_informative(name):
            yield words[first].start(), name
        place = end


def _run_end(text: str, words: Sequence[re.Match[str]], first: int) -> int:
    """The end of the run of capitalised words, with numbers and particles between them, that begins there."""
    end = first + 1
    while end < len(words) and not _POSSESSIVE.search(words[end - 1].group()):
        reach = end
        while reach < len(words) and reach - end < 2 and _is_particle(words, reach, end) and _joins(text, words, reach):
            reach += 1
        if reach >= len(words) or not _joins(text, words, reach):
            break
        word = words[reach].group()
        if not (word[0].isupper() or (reach == end and word.isdigit())):
            break
        end = reach + 1
    return end


def _is_particle(words: Sequence[re.Match[str]], place: int, first: int) -> bool:
    word = words[place].group()
    return word in _PARTICLES if place == first else word in _SECOND


def _joins(text: str, words: Sequence[re.Match[str]], place: int) -> bool:
    """Whether only a space, or the period of an initial or a title, separates a word from the one before."""
    before = words[place - 1]
    gap = text[before.end() : words[place].start()]
    if gap == " ":
        return True
    initial = len(before.group()) == 1 or before.group().lower() in _TITLES
    return gap == " & " or (gap == ". " and initial)


def _only_begins(text: str, word: re.Match[str], vocabulary: Vocabulary, *, alone: bool) -> bool:
    """Whether the capital only begins a sentence; in a run of capitals only a small word's does."""
    before = text[max(0, word.start() - 20) : word.start()].rstrip(_TRIMMED)[-1:]
    if before and before not in _SENTENCE_SIGNS and "\n" not in text[max(0, word.start() - 2) : word.start()]:
        return False
    written = word.group()
    if len(written) > 1 and written.isupper():
        return False
    folded = _APOSTROPHE.split(written)[0].lower()
    is_small = folded in vocabulary.small and (alone or len(folded) <= _SHORT)
    return is_small or word_class(folded) == "function" or (alone and word_class(folded) != "rare")


def _is_informative(name: str) -> bool:
    """Whether it is more than one letter, "I", or a capitalised pronoun."""
    folded = _APOSTROPHE.split(name)[0].lower()
    return len(name) > 1 and not (" " not in name and word_class(folded) == "function" and not name.isupper())
