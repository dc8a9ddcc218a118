"""The parts of a reply: the text between its tags, or under its headings.

Tags are known by name, whatever their case, separators and brackets: `<next-entities>`, `<Next Entities>`,
`&lt;next_entities&gt;`, full-width ones. Of a repeated part the last one counts, since a model that repeats the format
or drafts its reply does so first.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from clew.agents.replies.prose import unescaped

PartName = Literal["entities", "paths", "opencypher", "answers", "selected", "next-entities"]

_SPELLINGS: dict[PartName, tuple[str, ...]] = {
    "entities": ("entities", "entity", "topicentities", "questionentities", "linkedentities"),
    "paths": ("paths", "path", "relationpaths", "relationpath", "relationshippaths", "relationshippath"),
    "opencypher": ("opencypher", "opencypherquery", "cypher", "cypherquery", "query", "graphquery"),
    "answers": ("answers", "answer", "finalanswer", "finalanswers", "draftanswer", "draftanswers"),
    "selected": ("selected", "select", "selectedrelation", "selectedrelations"),
    "next-entities": ("nextentities", "nextentity", "selectedentities"),
}
_PARTS: dict[str, PartName] = {spelling: part for part, all_of in _SPELLINGS.items() for spelling in all_of}
_ANGLES = re.compile("[<\uff1c\u3008\u300a\u2039]([^<>\uff1c\uff1e\n]{1,60}?)[>\uff1e\u3009\u300b\u203a]")
_SQUARES = re.compile(r"[\[\u3010\uff3b]([^\[\]\u3010\u3011\uff3b\uff3d\n]{1,60})[\]\u3011\uff3d]")
_HEADING = re.compile(
    r"^[ \t]{0,8}(?:#{1,6}|\d{1,2}[.)]|[-*\u2022])?[ \t]{0,4}(?:\*\*|__)?([A-Za-z][A-Za-z _-]{2,30})(?:\*\*|__)?"
    r"[ \t]{0,4}(?:[:\uff1a](?:\*\*|__)?|(?<=\*\*)|(?<=__))[ \t]*",
    re.MULTILINE,
)
_SEPARATORS = re.compile(r"[\s_\-\u2010\u2011\\]+")
_BROKEN_TAIL = re.compile(r"[<\uff1c][/\\]?[\w \-]{0,30}$")


@dataclass(slots=True)
class Parts:
    """The texts of a reply by part."""

    texts: dict[PartName, str] = field(default_factory=dict)
    unended: PartName | None = None
    """The last part, if it has no end."""


def part_named(name: str) -> PartName | None:
    """The part that a tag, a heading or a key of an object stands for."""
    return _PARTS.get(_SEPARATORS.sub("", name).lower())


def tagged(text: str) -> Parts:
    """The parts between tags: in angle brackets, else escaped ones, else in square brackets."""
    for candidate, pattern in ((text, _ANGLES), (unescaped(text), _ANGLES), (text, _SQUARES)):
        found = _between(candidate, list(_tags(candidate, pattern)))
        if found.texts:
            return found
    return Parts()


def headed(text: str) -> Parts:
    """The parts under lines such as `**Entities:**`, for replies without tags."""
    heads = [(match, part) for match in _HEADING.finditer(text) if (part := part_named(match.group(1)))]
    ends = [*(match.start() for match, _ in heads), len(text)][1:]
    return Parts({part: text[match.end() : end].strip() for (match, part), end in zip(heads, ends, strict=True)})


@dataclass(frozen=True, slots=True)
class _Tag:
    part: PartName
    spelling: str
    opens: bool
    closes: bool
    start: int
    end: int


def _tags(text: str, pattern: re.Pattern[str]) -> Iterator[_Tag]:
    """The tags that name a part; one that both opens and closes is `<entities/>`."""
    for match in pattern.finditer(text):
        inside = match.group(1).strip()
        closing, alone = inside[:1] in ("/", "\\"), inside.endswith("/")
        name = inside.strip("/\\ \t")
        part = part_named(name) or (None if closing else part_named(name.split(" ")[0]) if "=" in name else None)
        if part:
            spelling = _SEPARATORS.sub("", name).lower()
            yield _Tag(part, spelling, not closing, closing or alone, *match.span())


def _between(text: str, tags: list[_Tag]) -> Parts:
    """The last occurrence of each part that is not empty; closed ones take precedence."""
    complete: dict[PartName, list[tuple[int, int, str]]] = defaultdict(list)
    partial: dict[PartName, str] = {}
    places: dict[str, list[int]] = defaultdict(list)
    for i, tag in enumerate(tags):
        places[tag.spelling].append(i)

    def has_end(spelling: str, i: int) -> bool:
        """Whether the first tag of that spelling from the i-th on is a closing one."""
        known = places[spelling]
        at = bisect_left(known, i)
        return at < len(known) and not tags[known[at]].opens

    current: _Tag | None = None
    for i, tag in enumerate(tags):
        if current is None:
            if tag.opens and tag.closes:
                complete[tag.part].append((tag.start, tag.end, ""))
            elif tag.opens:
                current = tag
        elif tag.part == current.part and tag.spelling != current.spelling and has_end(current.spelling, i):
            continue  # <answer> inside <answers>
        elif tag.closes and not tag.opens:
            inside = text[current.end : tag.start]
            if tag.part == current.part:
                complete[tag.part].append((current.start, tag.end, inside))
            else:
                partial[current.part] = inside
            current = None
        else:
            partial[current.part] = text[current.end : tag.start]
            current = tag
    if current is not None:
        partial[current.part] = _BROKEN_TAIL.sub("", text[current.end :])
    texts = {part: inside.strip() for part, inside in partial.items()}
    texts |= {part: _last_run(text, found) for part, found in complete.items()}
    return Parts(texts, None if current is None else current.part)


def _last_run(text: str, found: list[tuple[int, int, str]]) -> str:
    """The contents of the last adjacent occurrences: `<answer>A</answer> <answer>B</answer>`."""
    filled = [each for each in found if each[2].strip()]
    if not filled:
        return ""
    run = [filled[-1]]
    for before in reversed(filled[:-1]):
        if text[before[1] : run[-1][0]].strip(" \t\n,;"):
            break
        run.append(before)
    return "\n".join(inside.strip() for _, _, inside in reversed(run))
