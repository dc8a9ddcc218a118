"""JSON as models write it: trailing commas, single and typographic quotes, comments, Python's words, a missing end.

Parsed as data in one pass from left to right, in linear time and with a bounded stack. The library json-repair does
not replace it: 39 KB of `["\\` take it 29 s, and it keeps lone surrogates and typographic quotes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from clew.agents.replies.prose import fenced, readable

_DEEPEST = 40
_TRIES = 30
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|#[^\n]*)+")
_KEY = re.compile(r"[^,:\[\]{}()\n=\uff1a]+")
_BARE = re.compile(r"[^,\[\]{}\n]+")
_BARE_IN_TUPLE = re.compile(r"[^,\[\]{}()\n]+")
_REMARK = re.compile(r"\s(?://|#)")
_BETWEEN = re.compile(r"\s*")
_ASSIGNS = re.compile(r"=>|[:=\uff1a]")
_NUMBER = re.compile(r"[+-]?(?:\d{1,30})(?:\.\d{0,30})?(?:[eE][+-]?\d{1,3})?\Z")
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None}
_CODE = re.compile("[0-9a-fA-F]{4}")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}
_CLOSING = {
    '"': '"', "'": "'", "`": "`", "\u201c": "\u201d\u201c", "\u201d": "\u201d", "\u201e": "\u201c\u201d",
    "\u2018": "\u2019", "\u201a": "\u2018\u2019", "\u00ab": "\u00bb", "\u300c": "\u300d", "\u300e": "\u300f",
}  # fmt: skip
_STOPS = {quote: re.compile(f"[\\\\{''.join(map(re.escape, ends))}]") for quote, ends in _CLOSING.items()}
_BRACKETS = {"[": "]", "{": "}", "(": ")"}
_OPENING = re.compile(r"[\[{]")


@dataclass(frozen=True, slots=True)
class Json:
    """The JSON of a reply."""

    value: object | None = None
    """None if there is none."""
    cut_off: bool = False
    """The text ends before the value does."""


def parse_json(text: str) -> object | None:
    """The longest object of a reply, else its longest list, within a fence or outside; None if there is neither."""
    return read_json(text).value


def read_json(text: str) -> Json:
    """As `parse_json`, and whether the reply breaks off within the value."""
    plain = readable(text)
    places = [content for language, content in fenced(plain) if language in ("", "json", "json5", "jsonc", "python")]
    for place in [*places, plain]:
        if (found := _longest(place)) is not None:
            return found
    return Json()


def read_value(text: str) -> object | None:
    """The value at the beginning of `text`, parsed tolerantly; None if it is empty or null."""
    return _Reader(text, 0).value(0)


def _longest(text: str) -> Json | None:
    found: list[tuple[bool, int, Json]] = []
    position = 0
    halves = "\\ud" in text.lower()  # lone surrogates may be escaped, which the standard parser lets through
    for _ in range(_TRIES):
        opening = _OPENING.search(text, position)
        if opening is None:
            break
        read, position = (not halves and _valid(text, opening.start())) or _readable(text, opening.start())
        if read.value:
            found.append((isinstance(read.value, dict), position - opening.start(), read))
    return max(found, key=lambda each: each[:2])[2] if found else None


def _valid(text: str, start: int) -> tuple[Json, int] | None:
    try:
        value, end = _STRICT.raw_decode(text, start)
        return Json(value), end
    except (ValueError, RecursionError):
        return None


def _readable(text: str, start: int) -> tuple[Json, int]:
    reader = _Reader(text, start)
    value = reader.value(0)
    return Json(value, reader.cut_off), max(reader.position, start + 1)


def _integer(digits: str) -> object:
    return int(digits) if len(digits) <= 30 else digits


_STRICT = json.JSONDecoder(parse_int=_integer, parse_constant=lambda _: None)


@dataclass(slots=True)
class _Reader:
    """Parses one value from `position` on; every step goes forward."""

    text: str
    position: int
    _awaited: list[str] = field(default_factory=list)
    """Closing brackets still expected, the innermost last."""
    _unclosed: set[str] = field(default_factory=set)
    """Quotes that nothing closes from here on, so that they are searched for once."""
    cut_off: bool = False
    """The text ended within a list or an object."""

    def value(self, depth: int) -> object | None:
        first = self._next()
        if first in _BRACKETS:
            if depth >= _DEEPEST:
                self.position = len(self.text)
                return None
            self._awaited.append(_BRACKETS[first])
            self.position += 1
            found = self._object(depth) if first == "{" else self._list(depth)
            self._awaited.pop()
            return found
        if first in _CLOSING:
            return self._string(first)
        return _word(self._match(_BARE_IN_TUPLE if ")" in self._awaited else _BARE))

    def _list(self, depth: int) -> list[object]:
        found: list[object] = []
        while self._more():
            before = self.position
            value = self.value(depth + 1)
            if self.position > before:
                found.append(value)
            else:
                self.position += 1
        return found

    def _object(self, depth: int) -> dict[str, object] | list[object]:
        """A list if no key has a value, as in Python's sets."""
        found: dict[str, object] = {}
        loose: list[object] = []
        while self._more():
            before = self.position
            key = self._key(depth)
            self._next()
            if isinstance(key, str) and (assigns := _ASSIGNS.match(self.text, self.position)):
                self.position = assigns.end()
                found[key] = None if self._next() in (",", *_BRACKETS.values()) else self.value(depth + 1)
            elif self.position > before:
                loose.append(key)
            else:
                self.position += 1
        return found if found or not loose else loose

    def _key(self, depth: int) -> object | None:
        first = self._next()
        if first in _BRACKETS:
            return self.value(depth + 1)
        return self._string(first) if first in _CLOSING else self._match(_KEY)

    def _more(self) -> bool:
        """Whether the current container goes on; moves past its end, but not past an outer one's."""
        while (first := self._next()) in (",", ";", ":", *_BRACKETS.values()) and first:
            if first == self._awaited[-1]:
                self.position += 1
                return False
            if first in self._awaited:
                return False
            self.position += 1
        self.cut_off = self.cut_off or not first
        return bool(first)

    def _next(self) -> str:
        """The next character outside spaces and comments; "" at the end."""
        if space := _SPACE.match(self.text, self.position):
            self.position = space.end()
        return self.text[self.position : self.position + 1]

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.position)
        if found is None:
            return ""
        self.position = found.end()
        return _REMARK.split(found.group(), maxsplit=1)[0].strip()

    def _string(self, quote: str) -> str:
        if self.text.startswith(quote * 3, self.position):
            start = self.position + 3
            end = self.text.find(quote * 3, start)
            self.position = len(self.text) if end < 0 else end + 3
            return self.text[start : end if end >= 0 else None].strip("\n")
        self.position += 1
        pieces: list[str] = []
        while quote not in self._unclosed:
            stop = _STOPS[quote].search(self.text, self.position)
            if stop is None:
                self._unclosed.add(quote)
                break
            pieces.append(self.text[self.position : stop.start()])
            self.position = stop.end()
            if stop.group() == "\\":
                pieces.append(self._escaped())
            elif self._ends():
                return _whole("".join(pieces))
            else:
                pieces.append(stop.group())
        line = self.text.find("\n", self.position)
        end = line if line >= 0 else len(self.text)
        pieces.append(self.text[self.position : end])
        self.position = end
        return _whole("".join(pieces))

    def _escaped(self) -> str:
        sign = self.text[self.position : self.position + 1]
        self.position += 1
        if sign == "u" and (code := _CODE.match(self.text, self.position)):
            self.position = code.end()
            return chr(int(code.group(), 16))
        return _ESCAPES.get(sign, sign)

    def _ends(self) -> bool:
        """Whether the quote just passed ends its string, by what follows."""
        space = _BETWEEN.match(self.text, self.position)
        after = space.end() if space else self.position
        if after >= len(self.text) or "\n" in self.text[self.position : after]:
            return True
        following = self.text[after]
        return following in ",:]};=" or (following == ")" and ")" in self._awaited) or following in "/#"


def _word(text: str) -> object:
    """A number, a boolean or None if the text is one, else the text."""
    if text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    if _NUMBER.match(text):
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    return text


def _whole(text: str) -> str:
    """`text` with surrogate pairs joined; a lone surrogate becomes a replacement character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
