"""HTML: the text of a page without what surrounds it, its headings, its tables as tables. Nothing is fetched or run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clew.tools.documents.reading.blocks import (
    Block,
    Content,
    Outline,
    Paragraph,
    first_title,
    plain,
    plain_lines,
)
from clew.tools.documents.reading.files import checked_bytes, damaged, decoded, name_as_title
from clew.tools.documents.reading.web_table import table_of
from clew.tools.errors import BadInput

_UNSEEN_TAGS = (
    "script style noscript template svg nav button select datalist object embed applet iframe audio video canvas "
    "map dialog menu head"
)
_UNSEEN = frozenset(_UNSEEN_TAGS.split())
_AROUND = frozenset(("header", "footer", "aside"))
"""Around a page's text; within an article they are part of it."""
_ROLES = "navigation banner contentinfo search complementary menu menubar toolbar"
_AROUND_ROLES = frozenset(_ROLES.split())
_BLOCK_TAGS = (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer "
    "h1 h2 h3 h4 h5 h6 header hr html legend li main ol p pre section summary table tbody td tfoot th thead tr ul"
)
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_NAMES = frozenset(("a", "b", "cite", "dfn", "em", "i", "strong"))
_ANCHORS = " \u00b6\u00a7"
"""Signs beside a heading that link to it."""
_BREAK = "\u2028"
"""A line break that the author set; others are white space."""
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_XML_ENCODING = re.compile(r"^\s*<\?xml[^>]*\?>")


def read_web_page(path: Path, encoding: str | None = None) -> Content:
    """Raises BadInput."""
    data = checked_bytes(path)
    declared = _CHARSET.search(data[:4096])
    text, note = decoded(path, data, encoding, likely=declared.group(1).decode("ascii") if declared else None)
    try:
        page = parsed(text)
    except (ValueError, SyntaxError) as error:
        raise damaged(path, "HTML", error) from error
    if page is None:
        raise BadInput(f"{path} holds no HTML.", "Check that it was written completely.")
    blocks = list(blocks_of(_main(page)))
    titles = [plain("".join(found.itertext())) for found in page.iter("title")]
    return Content(first_title(blocks, *titles, name_as_title(path)), blocks, note)


def parsed(text: str) -> Any:
    """The root element, without comments; None for a text without any element. No entity is expanded from outside."""
    from lxml import etree, html

    parser = html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False, encoding="utf-8")
    data = _XML_ENCODING.sub("", text).replace("\0", "").encode("utf-8", "replace")
    try:
        return html.document_fromstring(data, parser=parser)
    except etree.ParserError:
        return None


def blocks_of(root: Any) -> Iterator[Block]:
    """The paragraphs and tables of an element in order."""
    return _Walk().through(root)


def _main(page: Any) -> Any:
    """The element that holds the page's text, where the page says which: its only <main>, or else its only article."""
    for path in ("//main | //*[@role='main']", "//article"):
        found = page.xpath(path)
        if len(found) == 1 and plain(found[0].text_content()):
            return found[0]
    return page


class _Walk:
    """Collects inline text until a block begins or ends; without recursion, since pages can be nested deeply."""

    def __init__(self) -> None:
        self._outline = Outline()
        self._text: list[str] = []
        self._names: list[str] = []
        self._within: list[str] = []

    def through(self, root: Any) -> Iterator[Block]:
        from lxml import etree

        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "end":
                yield from self._end(element, tag, is_root=element is root)
            elif element is not root and self._is_unseen(element, tag):
                walk.skip_subtree()
                self._within.append("")
            elif tag == "table" and (table := table_of(element, self._outline.headings)) is not None:
                yield from self._flush()
                yield table
                walk.skip_subtree()
                self._within.append("")
            else:
                yield from self._start(element, tag)
        yield from self._flush()

    def _start(self, element: Any, tag: str) -> Iterator[Block]:
        if tag in _BLOCKS:
            yield from self._flush()
        elif tag == "br":
            self._text.append(_BREAK)
        self._within.append(tag)
        self._text.append(self._written(element.text))

    def _end(self, element: Any, tag: str, *, is_root: bool) -> Iterator[Block]:
        seen = self._within.pop()
        if seen in _HEADINGS and (text := plain("".join(self._text)).strip(_ANCHORS)):
            self._text.clear()
            self._names.clear()
            yield self._outline.heading(text, _HEADINGS[seen])
        elif seen in _BLOCKS:
            yield from self._flush()
        elif seen in _NAMES and (name := plain("".join(element.itertext()))):
            self._names.append(name)
        if not is_root:
            self._text.append(self._written(element.tail))

    def _written(self, text: str | None) -> str:
        return (text or "").replace("\n", _BREAK) if "pre" in self._within else text or ""

    def _flush(self) -> Iterator[Block]:
        if not _HEADINGS.keys().isdisjoint(self._within):
            self._text.append(" ")  # A block within a heading is part of it.
            return
        text = plain_lines("".join(self._text), _BREAK)
        names = tuple(dict.fromkeys(self._names))
        self._text.clear()
        self._names.clear()
        if text:
            yield Paragraph(text, self._outline.headings, names=names)

    def _is_unseen(self, element: Any, tag: str) -> bool:
        if tag in _UNSEEN or not tag or element.get("hidden") is not None or element.get("aria-hidden") == "true":
            return True
        if _HIDDEN.search(element.get("style") or ""):
            return True
        outside = "article" not in self._within and "main" not in self._within
        return outside and (tag in _AROUND or element.get("role") in _AROUND_ROLES) and not element.xpath(".//h1")
