"""The unit in which a property holds durations, told by how great they are."""

from __future__ import annotations

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.values import NUMBERS

DURATIONS = frozenset({"runtime", "duration", "length", "time", "running", "playtime", "lasts"})
TIMES = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_UNITS = frozenset(
    {"m", "km", "cm", "mm", "ft", "feet", "mi", "miles", "metres", "meters", "kg", "g", "l", "ml", "pages"}
)
"""Units of other measures at the end of a name."""
_LEAST = 0.1
"""The least that the greatest duration is of the unit that was said: nobody swims for days."""
_MOST_OF = {"day": 10, "hour": 24, "minute": 1000, "second": 10**9}
"""The greatest duration that is plausibly given in a unit."""


def scale_of_time(owned: Property, said: str) -> float:
    """How much of the unit that the values of a duration are likely in makes one of the unit that was said; 0 where it
    cannot be told."""
    numbers = [each for each in owned.examples if isinstance(each, int | float) and not isinstance(each, bool)]
    last = "".join(identifier_words(owned.name)[-1:])
    other = last in _UNITS  # A pool is so many metres long.
    if not numbers or owned.type not in NUMBERS or other:
        return 0.0
    told = next((unit for unit in _MOST_OF if last in (unit[0], unit[:3], unit[:3] + "s", unit, f"{unit}s")), None)
    unit = told or next((each for each in ("hour", "minute", "second") if max(numbers) <= _MOST_OF[each]), "second")
    scale = TIMES[said] / TIMES[unit]
    return scale if max(numbers) >= _LEAST * scale else 0.0
