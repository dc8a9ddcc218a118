"""Markdown: headings, paragraphs, tables; a title in the front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from clew.tools.documents.reading import blocks
from clew.tools.documents.reading.blocks import Block, Content, Outline, Paragraph, Table, plain, plain_lines
from clew.tools.documents.reading.files import checked_bytes, damaged, decoded, name_as_title

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A(?:---[^\S\n]*\n(.*?\n)---|\+\+\+[^\S\n]*\n(.*?\n)\+\+\+)[^\S\n]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"""^title\s*[:=]\s*["']?(.*?)["']?\s*$""", re.MULTILINE | re.IGNORECASE)
_NAMES = {"link_open": "link_close", "em_open": "em_close", "strong_open": "strong_close"}


def read_markdown(path: Path, encoding: str | None = None) -> Content:
    """Raises BadInput."""
    text, note = decoded(path, checked_bytes(path), encoding)
    front = _FRONT_MATTER.match(text)
    title = _TITLE.search(front.group(1) or front.group(2) or "") if front else None
    body = text[front.end() :] if front else text
    try:
        found = list(_blocks(_parser().parse(body)))
    except RecursionError as error:
        raise damaged(path, "Markdown", error) from error
    stated = title.group(1).strip() if title else ""
    return Content(stated or blocks.first_title(found, name_as_title(path)), found, note)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").enable("strikethrough")


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    outline = Outline()
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.type == "table_open":
            end = next(i for i in range(place, len(tokens)) if tokens[i].type == "table_close")
            yield from blocks.table_or_text(_table(tokens[place:end], outline))
            place = end
        elif token.type == "heading_open":
            if text := _text(tokens[place + 1]):
                yield outline.heading(text, int(token.tag[1:]))
            place += 1
        elif token.type == "inline":
            if text := _text(token):
                yield Paragraph(text, outline.headings, names=_names(token.children or []))
        elif token.type in ("fence", "code_block"):
            if lines := plain_lines(token.content):
                yield Paragraph(lines, outline.headings)
        elif token.type == "html_block":
            yield from _web_blocks(token.content, outline)
        place += 1


def _web_blocks(source: str, outline: Outline) -> Iterator[Block]:
    """The text of HTML within Markdown."""
    from clew.tools.documents.reading.web_page import blocks_of, parsed

    page = parsed(source)
    for block in blocks_of(page) if page is not None else ():
        if isinstance(block, Table):
            yield Table(block.rows, block.header, block.title, outline.headings)
        elif block.level:
            yield outline.heading(block.text, block.level)
        else:
            yield Paragraph(block.text, outline.headings, names=block.names)


def _table(tokens: Sequence[Token], outline: Outline) -> Table:
    header: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = []
    cells: list[str] = []
    for token in tokens:
        if token.type == "inline":
            cells.append(_text(token))
        elif token.type == "tr_close":
            if not header:
                header = blocks.column_names(cells)
            else:
                rows.append(tuple(cells))
            cells = []
    return Table(rows, header, headings=outline.headings)


def _text(inline: Token) -> str:
    return plain_lines(_inline_text(inline.children or []))


def _inline_text(children: Sequence[Token]) -> str:
    """The text of inline tokens; a hard line break becomes a newline, a soft one a space."""
    parts = []
    for token in children:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type == "softbreak":
            parts.append(" ")
        elif token.type == "hardbreak":
            parts.append("\n")
        elif token.type == "image":
            parts.append(_inline_text(token.children or []))
        elif token.type == "html_inline":
            parts.append(" " if token.content.lower().startswith(("<br", "<p", "</p", "<td", "<li")) else "")
    return "".join(parts)


def _names(children: Sequence[Token]) -> tuple[str, ...]:
    """The texts of links and what is emphasised, outermost first."""
    found = []
    for place, token in enumerate(children):
        if (closing := _NAMES.get(token.type)) is not None:
            inner = []
            for other in children[place + 1 :]:
                if other.type == closing and other.level == token.level:
                    break
                inner.append(other)
            if name := plain(_inline_text(inner)):
                found.append(name)
    return tuple(dict.fromkeys(found))
