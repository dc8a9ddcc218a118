"""One-line notices for the user beside a result, such as that a file was damaged and what was done about it."""

from __future__ import annotations

import logging

NOTICES = logging.getLogger("clew.notice")
"""Where notices go. The command line shows them as they are."""
NOTICES.setLevel(logging.WARNING)


def notify(text: str) -> None:
    """Show the user of the process one line."""
    NOTICES.warning("%s", text)
