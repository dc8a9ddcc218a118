"""Workbooks are read in a process of their own, which a hostile one cannot harm; rows are where the sheet has them."""

from __future__ import annotations

import json
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest

from clew.tools.errors import BadInput, BoundPassed
from clew.tools.ingest.tables.sources import workbook_child, workbooks
from tests.tools.ingest.test_tables import write_workbook

NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook(path: Path, rows: str) -> Path:
    """A workbook with one sheet of these rows, as XML."""
    write_workbook(path.with_suffix(".made"), {"Pets": []})
    with zipfile.ZipFile(path.with_suffix(".made")) as made, zipfile.ZipFile(path, "w") as book:
        for name in made.namelist():
            sheet = f'<worksheet xmlns="{NAMESPACE}"><sheetData>{rows}</sheetData></worksheet>'
            book.writestr(name, sheet if name.endswith("s0.xml") else made.read(name))
    return path


def text(place: str, value: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'


def test_a_workbook_that_takes_too_much_memory_is_refused(tmp_path: Path) -> None:
    # Two thousand bytes, and the library asks for 549,755,813,888.
    rows = f'<row r="1">{text("A1", "a")}{text("B1", "b")}</row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    with pytest.raises(BoundPassed, match=r"far\.xlsx takes more than 2,000 MB of memory"):
        workbooks.sheets(workbook(tmp_path / "far.xlsx", rows), tmp_path)


def test_a_workbook_that_takes_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "SECONDS", 0.001)
    path = workbook(tmp_path / "slow.xlsx", "".join(f"<row>{text(f'A{n}', 'a')}</row>" for n in range(1, 20_000)))
    with pytest.raises(BoundPassed, match=r"more than 0\.001 s"):
        workbooks.sheets(path, tmp_path)


def test_what_is_no_workbook_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(BadInput, match=r"broken\.xlsx cannot be read as a workbook: .+\."):
        workbooks.sheets(tmp_path / "broken.xlsx", tmp_path)


def test_empty_rows_and_columns_before_a_table_are_passed_over(tmp_path: Path) -> None:
    rows = (
        f'<row r="3">{text("C3", "name")}{text("D3", "kind")}</row>'
        f'<row r="4">{text("C4", "Rex")}{text("D4", "dog")}</row>'
        f'<row r="6">{text("C6", "Tom")}</row>'
    )
    [source] = workbooks.sheets(workbook(tmp_path / "pets.xlsx", rows), tmp_path)
    assert source.columns == ("name", "kind")
    assert list(source.rows(None)) == [(4, ["Rex", "dog"]), (6, ["Tom", None])]


def test_values_are_what_they_were(tmp_path: Path) -> None:
    values = [
        "ü\n",
        1.5,
        3,
        True,
        date(2024, 2, 29),
        datetime(2024, 2, 29, 1, 2, 3, 4),
        time(23, 59),
        timedelta(1, 2, 3),
    ]
    file = tmp_path / "sheet.jsonl"
    file.write_text(json.dumps(values, default=workbook_child._plain) + "\n", encoding="utf-8")
    assert list(workbook_child.rows(file)) == [values]
