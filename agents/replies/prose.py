"""A reply's text without what models put around what was asked for: thinking, code fences, escaped signs."""

from __future__ import annotations

import re
from collections.abc import Collection

MOST_CHARACTERS = 40_000
"""Of a reply without its thinking; of a longer one the two ends are read."""
_MOST_WITH_THINKING = 1_000_000
_THINKING = re.compile(r"<(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>", re.IGNORECASE)
_PART_ENDS = re.compile(r"</\s?(?:entities|paths|opencypher|answers?|selected|next-entities)\s?>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]{0,8}(?:```+|~~~+)[ \t]*([\w+.#-]{0,20})[^\n]{0,80}$", re.MULTILINE)
_ESCAPES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'", "&apos;": "'", "&nbsp;": " "}
_ESCAPE = re.compile("|".join(map(re.escape, _ESCAPES)))
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2060\ufeff\ud800-\udfff]")


def readable(text: str) -> str:
    """`text` without its thinking, control signs and halves of characters, at most MOST_CHARACTERS of it; one kind of
    line end."""
    spoken = without_thinking(text[-_MOST_WITH_THINKING:]).strip()
    if len(spoken) > MOST_CHARACTERS:
        spoken = spoken[: MOST_CHARACTERS // 2] + "\n" + spoken[-MOST_CHARACTERS // 2 :]
    return _UNWANTED.sub("", spoken.replace("\r\n", "\n").replace("\r", "\n")).strip()


def without_thinking(text: str) -> str:
    """`text` without its thinking blocks. One that does not begin takes all before it with it (some servers put the
    beginning into the prompt), one that does not end all after it, unless there is a whole part of a reply in it."""
    kept: list[str] = []
    depth, end = 0, 0
    for mark in _THINKING.finditer(text):
        if not mark.group(1):
            if depth == 0:
                kept.append(text[end : mark.start()])
            depth += 1
        elif depth == 0:
            kept = []
        else:
            depth -= 1
        end = mark.end()
    if depth and not _PART_ENDS.search(text, end):
        return "".join(kept)
    return "".join([*kept, text[end:]])


def unescaped(text: str) -> str:
    """`text` with HTML's names for < > & and quotes read; once, so that what was escaped twice stays escaped once."""
    return _ESCAPE.sub(lambda match: _ESCAPES[match.group()], text) if "&" in text else text


def fenced(text: str) -> list[tuple[str, str]]:
    """(language, content) of every code fence; one without an end reaches to the end of the text."""
    found = []
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark
        elif not mark.group(1):
            found.append((opened.group(1).lower(), text[opened.end() : mark.start()].strip()))
            opened = None
    if opened is not None:
        found.append((opened.group(1).lower(), text[opened.end() :].strip()))
    return found


def without_fences(text: str, languages: Collection[str]) -> str:
    """`text` without its closed code fences of those languages, content and all."""
    kept: list[str] = []
    opened: re.Match[str] | None = None
    end = 0
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark
        elif not mark.group(1):
            if opened.group(1).lower() in languages:
                kept.append(text[end : opened.start()])
                end = mark.end()
            opened = None
    return "".join([*kept, text[end:]])


def without_fence_lines(text: str) -> str:
    """`text` with the lines that only begin or end a fence left out."""
    return _FENCE.sub("", text) if "```" in text or "~~~" in text else text
