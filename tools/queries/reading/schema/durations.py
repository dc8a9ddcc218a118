"""The unit in which a property holds durations, told by how great they are."""

from __future__ import annotations

from clew.tools.graph.schema import Property
from clew.tools.queries.values import NUMBERS

DURATIONS = frozenset({"runtime", "duration", "length", "time", "running", "playtime", "lasts"})
TIMES = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_MOST_OF = {"day": 10, "hour": 24, "minute": 1000, "second": 10**9}
"""The greatest duration that is plausibly given in a unit."""


def scale_of_time(owned: Property, said: str) -> float:
    """How much of the unit that the values of a duration are likely in makes one of the unit that was said; 0 where it
    cannot be told."""
    numbers = [each for each in owned.examples if isinstance(each, int | float) and not isinstance(each, bool)]
    if not numbers or owned.type not in NUMBERS:
        return 0.0
    unit = next((each for each in ("hour", "minute", "second") if max(numbers) <= _MOST_OF[each]), "second")
    return TIMES[said] / TIMES[unit]
