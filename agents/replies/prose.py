"""The text of a reply without what models put around it: thinking, code fences, escaped characters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

MOST_CHARACTERS = 40_000
"""Longest reply that is read, without its thinking; of a longer one the two ends are read."""
_MOST_WITH_THINKING = 1_000_000
_THINKING = re.compile(r"<(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>", re.IGNORECASE)
_PART_ENDS = re.compile(r"</\s?(?:entities|paths|opencypher|answers?|selected|next-entities)\s?>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]{0,8}(?:```+|~~~+)[ \t]*([\w+.#-]{0,20})[^\n]{0,80}$", re.MULTILINE)
_ESCAPES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'", "&apos;": "'", "&nbsp;": " "}
_ESCAPE = re.compile("|".join(map(re.escape, _ESCAPES)))
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2060\ufeff\ud800-\udfff]")


def readable(text: str) -> str:
    """`text` without its thinking, control characters and lone surrogates, cut to MOST_CHARACTERS."""
    visible = without_thinking(text[-_MOST_WITH_THINKING:]).strip()
    if len(visible) > MOST_CHARACTERS:
        visible = visible[: MOST_CHARACTERS // 2] + "\n" + visible[-MOST_CHARACTERS // 2 :]
    return _UNWANTED.sub("", visible.replace("\r\n", "\n").replace("\r", "\n")).strip()


def without_thinking(text: str) -> str:
    """`text` without its thinking blocks.

    A block without a beginning reaches from the start of the text, since some servers put its tag into the prompt. One
    without an end reaches to the end of the text, unless a whole part of a reply follows.
    """
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
    """`text` with HTML's escapes of < > & and quotes decoded once; what was escaped twice stays escaped once."""
    return _ESCAPE.sub(lambda match: _ESCAPES[match.group()], text) if "&" in text else text


def fenced(text: str) -> list[tuple[str, str]]:
    """(language, content) of every code fence. One without an end reaches to the end of the text."""
    return [(language, text[start:end].strip()) for language, _, start, end, _ in _fences(text)]


def without_fences(text: str, languages: Collection[str]) -> str:
    """`text` without its closed code fences of these languages, including their content."""
    kept: list[str] = []
    position = 0
    for language, begin, _, end, after in _fences(text):
        if language in languages and after > end:
            kept.append(text[position:begin])
            position = after
    return "".join([*kept, text[position:]])


def _fences(text: str) -> Iterator[tuple[str, int, int, int, int]]:
    """(language, begin, content begin, content end, end) of every code fence; one without an end ends with its
    content."""
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark
        elif not mark.group(1):
            yield opened.group(1).lower(), *opened.span(), mark.start(), mark.end()
            opened = None
    if opened is not None:
        yield opened.group(1).lower(), *opened.span(), len(text), len(text)


def without_fence_lines(text: str) -> str:
    """`text` without the lines that only begin or end a fence."""
    return _FENCE.sub("", text) if "```" in text or "~~~" in text else text
