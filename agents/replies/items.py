"""The items of a part: one per line, or a JSON list, without bullets, numbers, quotes and words for "nothing"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from clew.agents.replies.loose_json import read_value
from clew.agents.replies.prose import unescaped, without_fence_lines

MOST_ITEMS = 200
LONGEST = 300
"""Characters of an item; longer text is prose."""
_LONGEST_LINE = 4000
_BULLET = re.compile(
    r"^(?:[-*\u2022\u2023\u2043\u2013\u2014\u00b7\u25aa\u25e6\u25cf\u30fb+]|>)[ \t\u3000]+"
    r"|^[\u2022\u2023\u25aa\u25e6\u25cf]"
)
_NUMBER = re.compile(r"^[(\uff08]?(\d{1,3})[.):\uff0e\uff09\u3001](?!\d)[ \t\u3000]*")
_LIST = re.compile(r"[\[{]\s*[\[{\]\"'\u201c\u2018\u201e\u00ab\u300c]|\[[^\n:>]*\]\Z")
"""The beginning of a JSON list; a path of Cypher may begin with a bracket too."""
_EXPLAINED = re.compile(r"\*\*([^*]{1,200})\*\*\s*(?:[:(\u2013\u2014]|-\s)")
_TAG = re.compile(r"</?[A-Za-z][\w-]{0,30}[ \t]?/?>")
_QUOTES = {
    '"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u201d": "\u201d", "\u201e": "\u201c\u201d", "\u2018": "\u2019",
    "\u201a": "\u2018\u2019", "\u00ab": "\u00bb", "\u00bb": "\u00ab", "\u300c": "\u300d", "\u300e": "\u300f",
    "\u2039": "\u203a", "\uff02": "\uff02",
}  # fmt: skip
_CLOSERS = frozenset("".join(_QUOTES.values()))
_NOTHING = frozenset({
    "", "none", "n/a", "na", "null", "nil", "nothing", "empty", "-", "--", "\u2014", "\u2013", "...", "\u2026", "n.a.",
    "none found", "no entities", "no entity", "no paths", "no path", "no answer", "no answers", "not available",
    "not applicable", "no relations", "[]", "{}", "()", "undefined", "i don't know", "i do not know", "(empty)",
})  # fmt: skip
_KEYS = ("name", "text", "value", "entity", "path", "answer", "relation", "mention", "type", "title", "id")
"""Keys that may hold the words of an item that is written as an object, likeliest first."""


def items(text: str) -> list[str]:
    """The items of a part in its order, without repeats."""
    return distinct(_written(text))


def strings(value: object) -> list[str]:
    """The items of a JSON value: a list, a text of lines, or an object for one item."""
    return distinct(_strings(value))


def distinct(found: Iterable[str]) -> list[str]:
    """At most MOST_ITEMS, without repeats and without items longer than LONGEST."""
    kept: dict[str, None] = {}
    for item in found:
        if item and len(item) <= LONGEST:
            kept.setdefault(item)
        if len(kept) == MOST_ITEMS:
            break
    return list(kept)


def bare(line: str) -> str:
    """The words of a line without bold and quotes around them; "" for words such as "none"."""
    item = unescaped(line).strip().rstrip(",;").rstrip()
    for _ in range(4):
        unwrapped = _unwrapped(item)
        if unwrapped == item:
            break
        item = unwrapped
    return "" if item.casefold().strip(" .*_()[]<>") in _NOTHING or item.casefold() in _NOTHING else item


def lines(text: str) -> list[str]:
    """The lines of a part without bullets, and without numbers that count up from 0 or 1."""
    plain = _TAG.sub("\n", without_fence_lines(text))
    found = [_BULLET.sub("", line.strip(), count=1).strip() for line in plain.split("\n")]
    found = [line for line in found if line]
    numbers = [match for line in found if (match := _NUMBER.match(line))]
    counted = [int(match.group(1)) for match in numbers]
    if counted and counted[0] in (0, 1) and counted == list(range(counted[0], counted[0] + len(counted))):
        found = [_NUMBER.sub("", line, count=1) for line in found]
    return found


def _written(text: str) -> Iterator[str]:
    stripped = without_fence_lines(text).strip()
    if _LIST.match(stripped) and isinstance(value := read_value(stripped), (list, dict)):
        yield from _strings(value)
        return
    for line in lines(text):
        for piece in _pieces(line):
            yield bare(piece)


def _pieces(line: str) -> list[str]:
    """`"A", "B"` is two items; unquoted commas may belong to a name."""
    if len(line) <= _LONGEST_LINE and line[:1] in _QUOTES and "," in line and line.rstrip(" ,;")[-1:] in _CLOSERS:
        value = read_value(f"[{line}]")
        if isinstance(value, list) and len(value) > 1 and all(isinstance(each, str) for each in value):
            return [str(each) for each in value]
    return [line]


def _strings(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield from (bare(line) for line in value.split("\n"))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list) and depth < 8:
        for each in value:
            yield from _strings(each, depth + 1)
    elif isinstance(value, dict) and depth < 8:
        plain = {str(key).casefold(): each for key, each in value.items()}
        words = [plain[key] for key in _KEYS if plain.get(key)] or [each for each in plain.values() if each]
        yield from _strings(words[0], depth + 1) if words else ()


def _unwrapped(item: str) -> str:
    """`item` without one pair of marks around all of it, or without the text after a bold beginning."""
    for mark in ("**", "__"):
        if len(item) > 4 and item.startswith(mark) and item.endswith(mark) and mark not in item[2:-2]:
            return item[2:-2].strip()
    if explained := _EXPLAINED.match(item):
        return explained.group(1).strip()
    first, last = item[:1], item[-1:]
    if len(item) > 2 and first == last == "*" and "*" not in item[1:-1]:
        return item[1:-1].strip()
    closers = _QUOTES.get(first, "")
    inside = item[1:-1]
    if len(item) > 2 and last and last in closers and first not in inside and last not in inside:
        return inside.strip()
    return item
