"""Text from graphs, models and files, made safe for a terminal, a log or a Markdown file.

A name may hold anything: sequences that clear the screen or write to the clipboard (OSC 52), a direction override that
reverses what follows, a line end that imitates another line of output. Such characters are shown as escapes (`\\x1b`,
`\\u202e`), so that nothing is lost and nothing acts. Letters of every script stay, with the combining marks, joiners
and direction marks that scripts and emoji need.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

_TAGS = r"(\U0001F3F4[\U000E0020-\U000E007F]+)"
"""The flag of a region, such as Scotland: the only use of tag characters, which are invisible."""
_ALWAYS = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"  # C0 and C1 controls without tab and line ends
    r"\u202a-\u202e\u2066-\u2069\u206a-\u206f"  # embeddings, overrides and isolates of direction; deprecated controls
    r"\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff"  # interlinear annotations, noncharacters
    r"\ud800-\udfff"  # lone surrogates, which no encoding can write
    r"\U000E0000-\U000E007F"
)
_UNSAFE = re.compile(f"{_TAGS}|[{_ALWAYS}]")
_UNSAFE_IN_JSON = re.compile(rf"[{_ALWAYS}\x85\u2028\u2029]")
_LINE_ENDS = re.compile(r"\r\n|[\r\x85\u2028\u2029]")
_BREAKS = re.compile(r"[\n\t]+")
_LINK = r"[a-z][a-z0-9+.-]{0,30}://|www\.|(?:mailto|xmpp):|[\w.+-]{1,64}@(?=[\w-]+\.\w)"
_ACTIVE_IN_MARKDOWN = re.compile(
    rf"(?P<link>(?:{_LINK})[^\s`]*[^\s`.,:;!?)\]'\"])"
    r"|\\|<|`|!(?=\[)|\](?=[(:])|&(?=#?\w+;)|~(?=~~)",
    re.IGNORECASE,
)
"""Addresses, which some renderers make links of wherever they stand, and the signs of links, images, HTML, entities
and code."""


def printable(text: str) -> str:
    """`text` with an escape in place of every character that a terminal acts on; its lines stay lines."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_escape, _LINE_ENDS.sub("\n", text))


def printable_line(text: str) -> str:
    """As `printable`, on one line: a space replaces line ends and tabs."""
    if text.isascii() and text.isprintable():
        return text
    return _BREAKS.sub(" ", printable(text))


def printable_lines(lines: Iterable[str]) -> str:
    """Lines as one text, in which none of them takes more than its line."""
    return "\n".join(map(printable_line, lines))


def printable_json(value: Any, indent: int | None = 2) -> str:
    """The JSON of a value, with escapes that a parser reads as the very characters of the value.

    `json.dumps` itself escapes C0 controls, but neither C1 controls nor direction overrides.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return _UNSAFE_IN_JSON.sub(_json_escape, text)


def markdown_line(text: str) -> str:
    """As `printable_line`, without the images, links and HTML that Markdown would make of it."""
    return markdown_text(printable_line(text))


def markdown_text(text: str) -> str:
    """As `printable`, without the images, links and HTML that Markdown would make of it: addresses are shown as code,
    and signs that act are escaped."""
    return _ACTIVE_IN_MARKDOWN.sub(_inert, printable(text))


def _inert(match: re.Match[str]) -> str:
    return f"`{match[0]}`" if match["link"] else f"\\{match[0]}"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0][0])
    if match[1]:
        return match[0]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
