"""Pages that the embedded database was writing when its process was killed.

A page has a version in its first bytes. After a crash the engine applies the changes in its log that are newer than a
page, and once more those of the same version, since the page may have been written in part. A write of a page often
joins several versions, though, and of one that was cut off the older changes stay lost: index entries of nodes that
exist, or records (ArcadeDB 26.10, issue 5054 of its repository). So before the engine opens such a database, each
page is given the version from before the first change that the log has of it. The engine then applies all of them.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_PAGES = re.compile(r"\.(?P<id>\d+)\.(?P<size>\d+)\.v\d+\.\w+\Z")
"""The end of the name of a file of pages."""
_NOT_CLOSED = "database.lck"
_VERSION_BYTES = 4
Change = tuple[int, int]
"""The version that a transaction gave a page, and the transaction's number."""


def rewind(database: Path) -> int:
    """Have the engine apply every change in its log to the pages of a database that was not closed.

    Nothing is changed where the log itself is damaged. The JVM must run, and the database must not be open.

    Args:
        database: The folder of the database.

    Returns:
        The number of pages.
    """
    if not (database / _NOT_CLOSED).exists():
        return 0
    files = {
        int(found["id"]): (path, int(found["size"]))
        for path in database.iterdir()
        if (found := _PAGES.search(path.name))
    }
    rewound = 0
    for (file, page), changes in _logged(database).items():
        if file in files:
            rewound += _rewind_page(*files[file], page, sorted(changes))
    return rewound


def before_first(version: int, changes: Sequence[Change]) -> int:
    """The version from which the log's changes lead without a gap to the version of a page; the page's own version
    where there are none.

    Args:
        version: The version of the page.
        changes: The changes of the page, by version.
    """
    given = dict(changes)
    if version not in given or len(given) < len(set(changes)):
        return version
    first = version
    while first - 1 in given and given[first - 1] < given[first]:
        first -= 1
    return first - 1


def _rewind_page(path: Path, size: int, page: int, changes: Sequence[Change]) -> bool:
    """Give a page the version from before its first change, unless the engine applies all of them by itself."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        version = int.from_bytes(os.pread(descriptor, _VERSION_BYTES, page * size), "big")
        first = before_first(version, changes)
        if first >= version - 1:
            return False
        os.pwrite(descriptor, first.to_bytes(_VERSION_BYTES, "big"), page * size)
        return True
    finally:
        os.close(descriptor)


def _logged(database: Path) -> Mapping[tuple[int, int], list[Change]]:
    """The changes in the log, by file and page; none where a part of the log cannot be read, so that the engine does
    not apply it either."""
    found: dict[tuple[int, int], list[Change]] = defaultdict(list)
    for path in database.glob("*.wal"):
        for transaction in _transactions(path):
            if transaction is None:
                return {}
            for each in transaction.pages:
                found[int(each.fileId), int(each.pageNumber)].append(
                    (int(each.currentPageVersion), int(transaction.txId))
                )
    return found


def _transactions(path: Path) -> Iterator[Any]:
    """The transactions of a file of the log; at last None where there are more behind one that cannot be read."""
    import jpype

    log = jpype.JClass("com.arcadedb.engine.WALFile")(str(path))
    try:
        end, transaction = 0, log.getFirstTransaction()
        while transaction is not None:
            yield transaction
            end = transaction.endPositionInLog
            transaction = log.getTransaction(end)
        if log.findNextValidTransactionPosition(end) >= 0:
            yield None
    finally:
        log.close()
