"""What Clew tells its user beside a result, in one line: a file was damaged, and what was done about it."""

from __future__ import annotations

import logging

NOTICES = logging.getLogger("clew.notice")
"""Where notices go. The command line shows them as they are."""
NOTICES.setLevel(logging.WARNING)


def tell(text: str) -> None:
    """Tell the user of the process one line."""
    NOTICES.warning("%s", text)
