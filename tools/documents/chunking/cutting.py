"""Cutting of a document's content into chunks, with titles, places, topics and names found by rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import groupby

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import Chunking, cut
from clew.tools.documents.chunking.table_segments import Segment, segments
from clew.tools.documents.chunking.units import Count, Unit, joined
from clew.tools.documents.mentions.names import names_in, names_in_cells
from clew.tools.documents.mentions.vocabulary import Vocabulary
from clew.tools.documents.reading.blocks import Block, Content, Paragraph, Table
from clew.tools.embedding import Embedder
from clew.tools.embedding.token_budget import counter

_TOPIC_WORDS = 5
_MOST_COLUMNS = 12
"""Maximum number of columns in a table's description."""
_SEPARATOR = " \u203a "


def chunks_of(
    document: str, content: Content, chunking: Chunking, embedder: Embedder | None = None, count: Count | None = None
) -> Iterator[Chunk]:
    """The chunks of a document, in order; only the paragraphs are held in memory, a table's rows may be a stream.

    Args:
        document: its id.
        content: its title, paragraphs and tables.
        chunking: the method and the sizes.
        embedder: for `semantic` chunking.
        count: counts the tokens of a text.

    Raises:
        BadInput: the rest of the file cannot be read.
    """
    blocks = list(content.blocks)
    vocabulary = Vocabulary.of(block.text for block in blocks if isinstance(block, Paragraph))
    cutter = _Cutter(content.title, vocabulary, chunking, embedder, count or counter())
    new_id = _ids(document)
    order = 0
    for kind, run in groupby(blocks, type):
        for chunk in cutter.of_tables(run) if kind is Table else cutter.of_text(run):
            yield replace(chunk, id=new_id(chunk.text), document=document, order=order)
            order += 1


class _Cutter:
    """Cuts one document into chunks without ids and order."""

    def __init__(
        self, title: str, vocabulary: Vocabulary, chunking: Chunking, embedder: Embedder | None, count: Count
    ) -> None:
        self._title = title
        self._vocabulary = vocabulary
        self._chunking = chunking
        self._embedder = embedder
        self._count = count

    def of_text(self, run: Iterable[Block]) -> Iterator[Chunk]:
        paragraphs = [block for block in run if isinstance(block, Paragraph)]
        for units in cut(paragraphs, self._chunking, self._count, self._embedder):
            text = joined(units)
            marked = dict.fromkeys(name for unit in units for name in unit.paragraph.names)
            names = names_in(text, self._vocabulary, marked)
            place, topic = self._place(units), self._topic(units, text)
            yield Chunk("", "", self._title, text, place=place, topic=topic, entities=names)

    def of_tables(self, run: Iterable[Block]) -> Iterator[Chunk]:
        for table in run:
            if isinstance(table, Table):
                own = table.title or self._section(table.headings)
                for segment in segments(table, own, self._count, self._chunking.most):
                    yield self._of_segment(table, own, segment)

    def _of_segment(self, table: Table, own: str, segment: Segment) -> Chunk:
        title = f"{self._title}: {own}" if own and own.casefold() != self._title.casefold() else self._title
        rows = f"rows {segment.first}-{segment.last}" if segment.last > segment.first else f"row {segment.first}"
        rows = rows if segment.rows else ""
        page = f"page {table.page}" if table.page else ""
        place = ", ".join(filter(None, [page or self._section(table.headings), rows]))
        columns = ", ".join(table.header[:_MOST_COLUMNS])
        return Chunk(
            id="",
            document="",
            title=title,
            text=segment.text,
            kind="table",
            place=place,
            topic=f"{own or self._title}: {columns}" if columns else own or self._title,
            header=table.header,
            entities=names_in_cells(cell for row in segment.rows for cell in row if cell in segment.text),
        )

    def _place(self, units: Sequence[Unit]) -> str:
        pages = sorted({unit.paragraph.page for unit in units if unit.paragraph.page is not None})
        if pages:
            return f"page {pages[0]}" if len(pages) == 1 else f"pages {pages[0]}-{pages[-1]}"
        return self._section(_first_text(units).headings)

    def _topic(self, units: Sequence[Unit], text: str) -> str:
        """The topic: the headings above it, or else the words that distinguish it from the rest of the document."""
        section = self._section(_first_text(units).headings)
        return section or " ".join(self._vocabulary.distinctive(text, _TOPIC_WORDS))

    def _section(self, headings: Sequence[str]) -> str:
        """The headings as a path, without the document's own title."""
        below = headings[1:] if headings and headings[0].casefold() == self._title.casefold() else headings
        return _SEPARATOR.join(below)


def _first_text(units: Sequence[Unit]) -> Paragraph:
    """The first paragraph that is not a heading, if there is one."""
    return next((unit.paragraph for unit in units if not unit.paragraph.level), units[-1].paragraph)


def _ids(document: str) -> Callable[[str], str]:
    """Ids from the document, the text, and its earlier occurrences: other parts of the document do not change them."""
    seen: Counter[bytes] = Counter()

    def new(text: str) -> str:
        digest = blake2b(f"{document}\n{text}".encode("utf-8", "surrogatepass"), digest_size=10)
        seen[digest.digest()] += 1
        times = seen[digest.digest()]
        return f"chunk:{digest.hexdigest()}" + (f"-{times}" if times > 1 else "")

    return new
