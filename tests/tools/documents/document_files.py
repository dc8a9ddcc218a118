"""Files of several formats, made without the libraries that read them where there is a way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def write_pdf(path: Path, pages: Sequence[Sequence[str]], *, title: str = "", trailer: str = "") -> Path:
    """A PDF with these lines on its pages, in Helvetica; `trailer` is put into its trailer dictionary."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    objects.append(f"<< /Title ({title}) >>")
    kids = []
    for lines in pages:
        escaped = [line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in lines]
        stream = "BT /F1 11 Tf 14 TL 50 780 Td " + " ".join(f"({line}) Tj T*" for line in escaped) + " ET"
        objects.append(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R {resources} >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>"
    body, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        places.append(len(body.encode("cp1252")))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = (
        f"trailer\n<< /Size {size} /Root 1 0 R /Info 4 0 R {trailer} >>\nstartxref\n{len(body.encode('cp1252'))}\n%%EOF"
    )
    path.write_bytes(f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode("cp1252"))
    return path


def write_word(path: Path) -> Path:
    """A Word document with a title, two sections, a link, tracked changes, a content control and a table."""
    import docx
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    document = docx.Document()
    document.core_properties.title = "Properties say this"
    document.add_heading("The lighthouse keepers", level=0)
    document.add_paragraph("Two families kept the light at Skerryvore.")
    document.add_heading("Stores", level=1)
    document.add_paragraph("Oil came by boat.\nSo did flour.")
    changed = document.add_paragraph("Kept before. ")
    changed._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>Put in later.</w:t></w:r></w:ins>"))
    changed._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>Taken out.</w:delText></w:r></w:del>"))
    control = (
        f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>In a control.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    changed._p.addnext(parse_xml(control))
    table = document.add_table(rows=3, cols=2)
    for row, cells in zip(table.rows, [("keeper", "years"), ("Alan Reid", "12"), ("Morag Bell", "7")], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.save(str(path))
    return path
