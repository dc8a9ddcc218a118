"""Reading files of each format, good ones and bad ones."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from clew.tools.documents.reading import read
from clew.tools.documents.reading.blocks import Content, Paragraph, Table
from clew.tools.errors import BadInput
from tests.tools.documents.document_files import write_pdf, write_word

RUSSIAN = "\u0416\u0438\u0437\u043d\u044c\n\u0414\u043e\u043c"


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def texts(content: Content) -> list[str]:
    return [block.text for block in content.blocks if isinstance(block, Paragraph)]


def tables(content: Content) -> list[Table]:
    return [block for block in content.blocks if isinstance(block, Table)]


def test_plain_text_has_paragraphs_and_the_files_name_for_a_title(tmp_path: Path) -> None:
    found = read(write(tmp_path / "field_notes-2.txt", "One line\r\nand another.\r\n\r\n \r\nSecond.\n"))
    assert found.title == "field notes 2"
    assert texts(found) == ["One line and another.", "Second."]


def test_long_lines_are_paragraphs_of_their_own(tmp_path: Path) -> None:
    lines = ["A passage that goes on. " * 10 + str(n) for n in range(3)]
    found = texts(read(write(tmp_path / "a.txt", "\n".join([*lines, "A short one."]))))
    assert found == [*lines, "A short one."]


def test_a_file_of_unknown_ending_is_text_where_it_is_text(tmp_path: Path) -> None:
    assert texts(read(write(tmp_path / "README", "Hello."))) == ["Hello."]


@pytest.mark.parametrize(
    ("data", "text", "note"),
    [
        ("Zürich “x”".encode(), "Zürich “x”", ""),
        (b"\xef\xbb\xbfplain", "plain", ""),
        ("Zürich".encode("utf-16"), "Zürich", ""),
        (
            "Zürich am See, naïve “quotes” — dash".encode("cp1252"),
            "Zürich am See, naïve “quotes” — dash",
            "Windows-1252",
        ),
    ],
)
def test_encodings_are_told_apart(tmp_path: Path, data: bytes, text: str, note: str) -> None:
    found = read(write(tmp_path / "a.txt", data))
    assert texts(found) == [text]
    assert note in found.note
    assert bool(note) == bool(found.note)


def test_what_is_neither_utf_8_nor_western_is_refused_until_its_encoding_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", RUSSIAN.encode("cp1251"))
    with pytest.raises(BadInput, match=r"a\.txt is not UTF-8 text \(byte 0x.. in line 1\)") as error:
        read(path)
    assert "--encoding" in error.value.remedy
    assert texts(read(path, "cp1251")) == [" ".join(RUSSIAN.split())]
    with pytest.raises(BadInput, match="no encoding 'klingon'"):
        read(path, "klingon")


def test_markdown_headings_become_places_and_titles(tmp_path: Path) -> None:
    source = "Intro with [Ada Lovelace](x) and *Notes*.\n\n# Top\n\n## Early life\nBorn\nin London.\n"
    source += "\n# Later\n- one\n- two\n"
    blocks = [b for b in read(write(tmp_path / "a.md", source)).blocks if isinstance(b, Paragraph)]
    assert [(b.text, b.headings, b.level) for b in blocks] == [
        ("Intro with Ada Lovelace and Notes.", (), 0),
        ("Top", ("Top",), 1),
        ("Early life", ("Top", "Early life"), 2),
        ("Born in London.", ("Top", "Early life"), 0),
        ("Later", ("Later",), 1),
        ("one", ("Later",), 0),
        ("two", ("Later",), 0),
    ]
    assert blocks[0].names == ("Ada Lovelace", "Notes")


def test_the_title_of_markdown(tmp_path: Path) -> None:
    front = '---\nlayout: post\ntitle: "What it is"\n---\n# Heading\n\nText.'
    assert read(write(tmp_path / "a.md", front)).title == "What it is"
    assert texts(read(tmp_path / "a.md")) == ["Heading", "Text."]
    assert read(write(tmp_path / "b.md", "## Second\n\n# First\n")).title == "First"
    assert read(write(tmp_path / "the_name.md", "no heading")).title == "the name"


def test_tables_and_html_in_markdown(tmp_path: Path) -> None:
    source = "# T\n\n| film | year |\n|---|---|\n| *Jaws* | 1975 |\n| Alien | |\n"
    source += "\n<p>raw <b>Bold</b><script>bad()</script></p>\n"
    found = read(write(tmp_path / "a.md", source))
    (table,) = tables(found)
    assert (table.header, table.rows, table.headings) == (("film", "year"), [("Jaws", "1975"), ("Alien", "")], ("T",))
    assert texts(found) == ["T", "raw Bold"]


PAGE = """<!DOCTYPE html><html><head><title>Site | Page</title><style>p{}</style><script>alert(1)</script></head><body>
<header>Logo <a href=/>Home</a></header><nav><ul><li>Menu</ul></nav>
<h1>The <div>page</div></h1>
<p>First   <a href="x">Grace Hopper</a> wrote<br>code.<span hidden>unseen</span></p>loose text
<h2>\u00a7Part<a href="#part">\u00b6</a></h2><div>deep <p style="display: none">unseen</p><pre>a
  b</pre></div>
<table><caption>Ships</caption><thead><tr><th>name<th>built</thead>
<tr><td rowspan="2">Vega<td>1901<tr><td>1902<tr><td>Sirius</table>
<table><tr><td><p>layout only</p></table>
<form action="x"><p>A page within a form.</p><input value="unseen"><button>unseen</button></form>
<footer>Imprint</footer></body></html>"""


def test_a_web_page_without_what_surrounds_it(tmp_path: Path) -> None:
    found = read(write(tmp_path / "a.html", PAGE))
    assert found.title == "The page"
    assert texts(found) == [
        "The page", "First Grace Hopper wrote\ncode.", "loose text", "Part", "deep", "a\nb", "layout only",
        "A page within a form.",
    ]  # fmt: skip
    (table,) = tables(found)
    assert (table.title, table.header) == ("Ships", ("name", "built"))
    assert table.rows == [("Vega", "1901"), ("Vega", "1902"), ("Sirius", "")]
    assert table.headings == ("The page", "Part")


def test_of_a_page_with_a_main_part_only_that_is_read(tmp_path: Path) -> None:
    page = "<body><div>Cookies!</div><main><header>Kept head</header><p>Text.</p></main><div>More links</div></body>"
    assert texts(read(write(tmp_path / "a.htm", page))) == ["Kept head", "Text."]


def test_a_table_whose_rows_have_heads_has_no_column_names(tmp_path: Path) -> None:
    page = "<table><tr><th>Born<td>1946<tr><th>Place<td>Cincinnati</table>"
    (table,) = tables(read(write(tmp_path / "a.html", page)))
    assert (table.header, table.rows) == ((), [("Born", "1946"), ("Place", "Cincinnati")])


def test_html_is_read_in_the_encoding_it_states(tmp_path: Path) -> None:
    page = '<html><head><meta charset="windows-1251"></head><body><p>Привет</p></body></html>'
    assert texts(read(write(tmp_path / "a.html", page.encode("cp1251")))) == ["Привет"]


def test_hostile_html_costs_little_and_reaches_nothing(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", "TOP SECRET")
    entity = f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{secret}">]><p>a &x; b</p>'
    assert "SECRET" not in " ".join(texts(read(write(tmp_path / "a.html", entity))))
    deep = "<div>" * 50_000 + "bottom" + "</div>" * 50_000
    assert isinstance(texts(read(write(tmp_path / "b.html", deep))), list)
    wide = "<table><tr>" + '<td colspan="99999" rowspan="99999">x' * 50 + "<tr><td>y</table>"
    (table,) = tables(read(write(tmp_path / "c.html", wide)))
    assert len(table.header) <= 200


def test_a_pdf_by_pages(tmp_path: Path) -> None:
    first = ["The tides were strong that", "year, and no boat could get", "through the nar-", "rows. It was late."]
    second = ["A new paragraph begins on", "this page (the second)."]
    found = read(write_pdf(tmp_path / "a.pdf", [first, second], title="Tides of the sound"))
    assert found.title == "Tides of the sound"
    assert [(b.text, b.page) for b in found.blocks if isinstance(b, Paragraph)] == [
        ("The tides were strong that year, and no boat could get through the narrows. It was late.", 1),
        ("A new paragraph begins on this page (the second).", 2),
    ]


def test_running_titles_and_page_numbers_of_a_pdf_are_left_out(tmp_path: Path) -> None:
    pages = [["Annual report", f"What page {n} says about {word}.", f"- {n} -"] for n, word in enumerate("abcdef")]
    found = texts(read(write_pdf(tmp_path / "a.pdf", pages, title="Microsoft Word - x.doc")))
    assert found == [f"What page {n} says about {word}." for n, word in enumerate("abcdef")]
    assert read(tmp_path / "a.pdf").title == "a"


def test_the_running_title_of_a_chapter_has_its_page_number(tmp_path: Path) -> None:
    chapter = [[f"Chapter 1: Tides {n}", f"Text {word} of the chapter."] for n, word in enumerate("abcd")]
    rest = [[f"Beginning {word}", f"End {word}"] for word in "efghij"]
    found = texts(read(write_pdf(tmp_path / "a.pdf", [*chapter, *rest])))
    assert found[:4] == [f"Text {word} of the chapter." for word in "abcd"]
    assert len(found) == 10


def test_pdfs_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    whole = write_pdf(tmp_path / "a.pdf", [["Text"]]).read_bytes()
    with pytest.raises(BadInput, match="not a PDF"):
        read(write(tmp_path / "b.pdf", "just text"))
    with pytest.raises(BadInput, match="damaged, or not a PDF"):
        read(write(tmp_path / "c.pdf", whole[:200]))
    with pytest.raises(BadInput, match="no text on its 2 pages") as error:
        read(write_pdf(tmp_path / "d.pdf", [[], []]))
    assert "OCR" in error.value.remedy


def test_an_encrypted_pdf_is_named(tmp_path: Path) -> None:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(write_pdf(tmp_path / "a.pdf", [["Text"]])))
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(tmp_path / "b.pdf")
    with pytest.raises(BadInput, match=r"b\.pdf is encrypted"):
        read(tmp_path / "b.pdf")


def test_a_word_document(tmp_path: Path) -> None:
    found = read(write_word(tmp_path / "a.docx"))
    assert found.title == "The lighthouse keepers"
    blocks = [(b.text, b.headings) for b in found.blocks if isinstance(b, Paragraph) and not b.level]
    stores = ("The lighthouse keepers", "Stores")
    assert blocks == [
        ("Two families kept the light at Skerryvore.", ("The lighthouse keepers",)),
        ("Oil came by boat.\nSo did flour.", stores),
        ("Kept before. Put in later.", stores),
        ("In a control.", stores),
    ]
    (table,) = tables(found)
    assert (table.header, table.rows) == (("keeper", "years"), [("Alan Reid", "12"), ("Morag Bell", "7")])


def test_merged_cells_of_a_word_table_stand_in_each_row_and_column(tmp_path: Path) -> None:
    import docx

    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row, cells in zip(table.rows, ["abc", "1-3", "--6"], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text.strip("-")
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(2, 1).merge(table.cell(2, 2))
    document.save(str(tmp_path / "a.docx"))
    (found,) = tables(read(tmp_path / "a.docx"))
    assert (found.header, found.rows) == (("a", "b", "c"), [("1", "", "3"), ("1", "6", "6")])


def test_word_documents_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    for name, data, why in [
        ("a.docx", b"PK\x03\x04 cut off", "damaged"),
        ("b.docx", b"\xd0\xcf\x11\xe0" + bytes(600), "encrypted, or a .doc"),
        ("c.docx", _zipped({"hello.txt": b"x"}), "damaged, or not a Word document"),
    ]:
        with pytest.raises(BadInput, match=rf"{name}.*{why}"):
            read(write(tmp_path / name, data))


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.tools.documents.reading.word_parts.LARGEST_UNPACKED", 1 << 20)
    path = write(tmp_path / "bomb.docx", _zipped({"word/document.xml": bytes(8 << 20)}))
    with pytest.raises(BadInput, match="would unpack to 8 MiB"):
        read(path)


def test_entities_in_a_word_document_are_not_expanded(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", "TOP SECRET")
    path, hostile = write_word(tmp_path / "a.docx"), tmp_path / "b.docx"
    doctype = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>'.encode()
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(hostile, "w") as target:
        for part in source.namelist():
            data = source.read(part)
            if part == "word/document.xml":
                head, _, rest = data.partition(b"?>")
                data = head + b"?>" + doctype + rest.replace(b"Two families", b"Two &e; families")
            target.writestr(part, data)
    assert "SECRET" not in " ".join(texts(read(hostile)))


def _zipped(parts: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return packed.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_table_of_any_delimiter(tmp_path: Path, delimiter: str) -> None:
    rows = [["film", "year", "said"], ["Jaws", "1975", f'"a {delimiter} ""b"""'], ["Alien", "1979", '"two\nlines"']]
    path = write(tmp_path / "box_office.csv", "\n".join(delimiter.join(row) for row in rows))
    found = read(path)
    (table,) = tables(found)
    assert (found.title, table.title, table.header) == ("box office", "box office", ("film", "year", "said"))
    assert list(table.rows) == [
        ("Jaws", "1975", " ".join(f'a {delimiter} "b"'.split())),
        ("Alien", "1979", "two lines"),
    ]


def test_a_table_without_column_names_gets_numbers(tmp_path: Path) -> None:
    (table,) = tables(read(write(tmp_path / "a.csv", "1,2.5\n3,4\n5\n")))
    assert (table.header, list(table.rows)) == (("column 1", "column 2"), [("1", "2.5"), ("3", "4"), ("5", "")])


def test_a_table_in_windows_1252(tmp_path: Path) -> None:
    found = read(write(tmp_path / "a.csv", "Straße;Ort\nHauptstraße;Köln\n".encode("cp1252")))
    assert tables(found)[0].header == ("Straße", "Ort")
    assert "Windows-1252" in found.note


def test_a_line_that_cannot_be_decompose_is_named(tmp_path: Path) -> None:
    found = read(write(tmp_path / "a.csv", "a,b\n" + "1,2\n" * 300 + "1,2,3\n"))
    with pytest.raises(BadInput, match=r"a\.csv:302: 3 cells where there are 2 columns"):
        list(tables(found)[0].rows)
    with pytest.raises(BadInput, match=r"b\.csv:2: a quote is not closed"):
        read(write(tmp_path / "b.csv", 'a,b\n"open,2\n3,4\n'))


def test_tables_that_are_too_wide_are_text_or_refused(tmp_path: Path) -> None:
    wide = write(tmp_path / "a.md", "|a" * 501 + "\n" + "|-" * 501 + "\n" + "|b" * 501 + "\n")
    assert [text.split(" | ") for text in texts(read(wide))] == [["a"] * 501, ["b"] * 501]
    with pytest.raises(BadInput, match=r"b\.csv has 501 columns"):
        read(write(tmp_path / "b.csv", ",".join(f"c{n}" for n in range(501))))


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("empty.txt", b"", "is empty"),
        ("image.txt", b"\x89PNG\r\n", "is an image, not text"),
        ("core", b"\x7fELF\x00\x00\x01", "is a binary file"),
        ("old.doc", b"x", r"\.doc files are not read"),
        ("sheet.xlsx", b"x", r"\.xlsx files are not read"),
    ],
)
def test_files_that_are_no_documents_say_why(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    with pytest.raises(BadInput, match=rf"{name}.*{why}|{why}") as error:
        read(write(tmp_path / name, data))
    assert name in error.value.message
    assert error.value.remedy


def test_missing_folders_and_large_files_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read(tmp_path / "none.md")
    with pytest.raises(BadInput, match="is not a file"):
        read(tmp_path)
    monkeypatch.setattr("clew.tools.documents.reading.files.LARGEST", 3)
    with pytest.raises(BadInput, match="too large"):
        read(write(tmp_path / "a.txt", "four"))
