"""What is said of a reply that comes in pieces: its text without the thinking that a server leaves in it."""

from __future__ import annotations

_OPEN, _CLOSE = "<think>", "</think>"


class Spoken:
    """Takes a reply piece by piece. Thinking is known by its tags, which may come in pieces, too; where a server leaves
    the first tag out, it is heard."""

    def __init__(self) -> None:
        self._waiting = ""
        self._thinks = False

    def next(self, piece: str) -> str:
        """What can be said now that `piece` has come."""
        text, said = self._waiting + piece, ""
        while True:
            before, tag, after = text.partition(_CLOSE if self._thinks else _OPEN)
            if not tag:
                break
            said += "" if self._thinks else before
            self._thinks, text = not self._thinks, after
        tag = _CLOSE if self._thinks else _OPEN
        begun = next((size for size in range(len(tag) - 1, 0, -1) if text.endswith(tag[:size])), 0)
        self._waiting = text[len(text) - begun :]
        return said if self._thinks else said + text[: len(text) - begun]
