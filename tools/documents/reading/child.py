"""The process that reads files for `process`: it limits itself before it reads, and its exit status says which limit it
passed.

In: a line of JSON for each file, with its path and encoding. Out: LAST or MORE, the length of the answer in eight
bytes, and the answer. Its first line is [message, remedy] of a BadInput, [] for too much text, or null before the lines
of the content.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from pathlib import Path

from clew.tools.documents.reading import read
from clew.tools.documents.reading.block_lines import TooMuchText, encoded, line_of
from clew.tools.documents.reading.files import damaged
from clew.tools.errors import BadInput
from clew.tools.process_bounds import OUT_OF_MEMORY, end_with, limit

LAST = b"L"
MORE = b"M"
"""Before an answer, whether the process takes further files: one that still holds much memory does not."""
_MUCH = 0.5
"""Of the memory that it may take."""


def main(parent: int, memory: int, seconds: float, most: int) -> None:
    """Read files until there are no more. The numbers are the parent's id, and bytes."""
    end_with(parent)
    limit(memory)
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)  # What a library prints is not an answer.
    os.dup2(silent, 2)  # Until here, errors are of Clew itself.
    for request in requests:
        path, encoding = json.loads(request)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            answer = _answer(Path(path), encoding, most)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        signal.setitimer(signal.ITIMER_REAL, 0)
        replies.write((LAST if _held() > _MUCH * memory else MORE) + len(answer).to_bytes(8, "big"))
        replies.write(answer)
        replies.flush()
        del answer


def _answer(path: Path, encoding: str | None, most: int) -> bytes:
    try:
        return line_of(None) + encoded(read(path, encoding), most)
    except TooMuchText:
        return line_of([])
    except BadInput as error:
        return line_of([error.message, error.remedy])
    except Exception as error:  # A broken file can raise anything that Python knows, within a library.
        bad = damaged(path, f"a {path.suffix.lower()} file", error)
        return line_of([bad.message, bad.remedy])


def _held() -> int:
    """Bytes that count for the limit; 0 where the system does not say, which has no limit either."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
