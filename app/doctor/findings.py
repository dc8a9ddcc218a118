"""What is found about one part of a home."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from clew.tools.errors import ClewError
from clew.tools.full_disk import full_disk

State = Literal["sound", "stale", "damaged"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The state of one part."""

    graph: str
    """"" for a part of the whole home."""
    part: str
    state: State
    detail: str = ""
    """What is wrong, or what the part holds."""
    remedy: str = ""
    """What to do; "" for a sound part."""
    repaired: bool = False
    """Whether it was repaired just now: `detail` then says what was wrong."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class CheckFailed(Exception):
    """A part is not sound."""

    def __init__(self, state: State, detail: str, remedy: str = "") -> None:
        super().__init__(detail)
        self.state, self.detail, self.remedy = state, detail, remedy


def stale(detail: str) -> CheckFailed:
    """A check that finds a part of an earlier version."""
    return CheckFailed("stale", detail)


def damaged(detail: str, remedy: str = "") -> CheckFailed:
    """A check that finds a damaged part."""
    return CheckFailed("damaged", detail, remedy)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a home and how it is checked."""

    graph: str
    name: str
    check: Callable[[], str | None]
    """What it holds, in words; None where the home has no such part. Raises CheckFailed."""
    repair: Callable[[], object] | None = None
    """Makes it again; None where that is not possible."""

    def examined(self, *, repair: bool = False) -> Finding | None:
        """The finding, after the repair where that is wanted and possible; None where there is no such part."""
        found = self._checked()
        if not repair or self.repair is None or found is None or found.state == "sound":
            return found
        try:
            self.repair()
        except Exception as error:
            detail = f"{found.detail}; the repair failed: {_line(error)}"
            remedy = error.remedy if isinstance(error, ClewError) else ""
            return Finding(self.graph, self.name, found.state, detail, remedy or "Run `clew doctor --repair` again.")
        after = self._checked()
        if after is not None and after.state != "sound":
            return after
        return Finding(self.graph, self.name, "sound", found.detail, repaired=True)

    def _checked(self) -> Finding | None:
        try:
            detail = self.check()
        except CheckFailed as unsound:
            return self._finding(unsound.state, unsound.detail, unsound.remedy)
        except ClewError as error:
            return self._finding("damaged", error.message, "" if self.repair else error.remedy)
        except Exception as error:  # A check meets damage of every kind.
            return self._finding("damaged", _line(error))
        return None if detail is None else Finding(self.graph, self.name, "sound", detail)

    def _finding(self, state: State, detail: str, remedy: str = "") -> Finding:
        return Finding(self.graph, self.name, state, detail, remedy or ("clew doctor --repair" if self.repair else ""))


def _line(error: Exception) -> str:
    known = full_disk(error) or error
    return known.message if isinstance(known, ClewError) else f"{type(error).__name__}: {' '.join(str(error).split())}"
