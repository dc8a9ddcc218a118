"""The parts of a Word file: XML in a zip archive, read as a stream within bounds. No entity is expanded or fetched."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput

LARGEST_UNPACKED = 512 * 1024 * 1024
"""Bytes of all parts together."""
MOST_TAGS = 10_000_000
"""Opening and closing tags of the parts that are read: a thousand pages have about two million."""
_MOST_PARTS = 20_000
_PIECE = 1 << 16
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


class WordParts:
    """The parts of one file by name."""

    def __init__(self, path: Path, data: bytes) -> None:
        """Raises BadInput for an archive that unpacks to more than any document does."""
        self._path = path
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._tags = 0
        parts = self._archive.infolist()
        size = sum(part.file_size for part in parts)  # Reading a part never unpacks more than is stated here.
        if size > LARGEST_UNPACKED or len(parts) > _MOST_PARTS:
            raise BadInput(f"{path} would unpack to {size >> 20:,} MiB in {len(parts):,} parts.", "Leave it out.")

    def __contains__(self, name: str) -> bool:
        return name in self._archive.NameToInfo

    def related(self, kind: str, source: str = "") -> str:
        """The name of the part that `source`, or the whole file, relates to in this way; "" if there is none."""
        folder, name = posixpath.split(source)
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations not in self:
            return ""
        found = ""
        for event, relation in self.events(relations, _RELATION):
            is_kind = event == "end" and relation.get("Type", "").endswith(f"/{kind}")
            if is_kind and not found and relation.get("TargetMode") != "External":
                found = posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
        return found

    def events(self, name: str, *tags: str) -> Iterator[tuple[str, Any]]:
        """The "start" and "end" of the elements with these tags in a part. Raises BadInput above MOST_TAGS."""
        from lxml import etree

        parser = etree.XMLPullParser(
            ("start", "end"), tag=tags, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
        )
        with self._archive.open(name) as part:
            while piece := part.read(_PIECE):
                self._tags += piece.count(b"<")
                if self._tags > MOST_TAGS:
                    raise BadInput(f"{self._path} has more than {MOST_TAGS:,} tags.", "Split it, or save it as text.")
                parser.feed(piece)
                yield from parser.read_events()
        parser.close()
        yield from parser.read_events()

    def outermost(self, name: str, tags: tuple[str, ...], left_out: frozenset[str], below: str = "") -> Iterator[Any]:
        """The outermost elements with these tags in a part, in order, each complete and emptied after its turn.

        Args:
            name: the part.
            tags: of the elements.
            left_out: tags of elements that are passed over with all that is in them.
            below: the tag of the element that holds them; "" for all of the part.

        Raises:
            BadInput: above MOST_TAGS.
            ValueError: there is no element `below`.
        """
        within = None if below else True
        outer: Any = None
        for event, element in self.events(name, *tags, *left_out, *filter(None, [below])):
            if element.tag == below and outer is None:
                within = event == "start"
            elif event == "start":
                outer = element if within and outer is None else outer
            elif element is outer:
                if element.tag in tags:
                    yield element
                outer = None
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
        if within is None:
            raise ValueError(f"{name} has no {below}")
