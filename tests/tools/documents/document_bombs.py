"""Small files that a parser needs much memory or time for."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.tools.documents.document_files import write_pdf, write_word


def word_bomb(path: Path, body: str) -> Path:
    """A Word document with this body; the same elements over and over take little space in its archive."""
    whole = write_word(path.with_suffix(".whole"))
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for part in source.namelist():
            data = source.read(part)
            if part == "word/document.xml":
                head = data.partition(b"<w:body>")[0]
                data = head + f"<w:body>{body}</w:body></w:document>".encode()
            target.writestr(part, data)
    whole.unlink()
    return path


def pdf_bomb(path: Path, pages: int, lines: int) -> Path:
    """A PDF whose pages all have the same long content."""
    write_pdf(path, [[f"{chr(97 + n)} line of each page " * 25 for n in range(lines)]])
    data = path.read_bytes()
    many = b"/Count %d /Kids [%s]" % (pages, b"6 0 R " * pages)
    path.write_bytes(data.replace(b"/Count 1 /Kids [6 0 R]", many))
    return path


def web_table_bomb(path: Path, rows: int) -> Path:
    """A page with a table whose 200 long cells stand in each row."""
    cells = ("<td rowspan=1000>" + "long " * 500) * 200
    path.write_text(f"<table><tr>{cells}{'<tr><td>' * rows}</table>")
    return path


def write_all(folder: Path) -> list[Path]:
    """A file of each format."""
    elements = {
        "one_paragraph.docx": "<w:p>" + "<w:r/>" * 3_000_000 + "</w:p>",
        "one_cell.docx": "<w:tbl><w:tr><w:tc>" + "<w:p/>" * 3_000_000 + "</w:tc></w:tr></w:tbl>",
    }
    texts = {"elements.html": "<p>" * 2_000_000, "paragraphs.md": "a\n\n" * 250_000, "emphasis.md": "*a " * 250_000}
    for name, text in texts.items():
        (folder / name).write_text(text)
    words = [word_bomb(folder / name, body) for name, body in elements.items()]
    rest = [pdf_bomb(folder / "pages.pdf", 120, 26), web_table_bomb(folder / "cells.html", 900)]
    return [*words, *(folder / name for name in texts), *rest]
