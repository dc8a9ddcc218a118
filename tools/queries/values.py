"""Numbers, dates and years: in the text of questions and in the properties of a schema."""

from __future__ import annotations

import re

from clew.tools.graph.schema import Property

Scalar = str | int | float | bool

NUMBERS = frozenset({"INTEGER", "FLOAT"})
DATES = frozenset({"DATE", "LOCAL DATETIME", "ZONED DATETIME"})
ORDERED_TYPES = NUMBERS | DATES | {"DURATION"}
"""Types of property whose values can be compared and sorted."""
LONGEST_VALUE = 200
"""Characters of a text that are searched for a number or a date."""
_MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
MONTHS = {form: i for i, name in enumerate(_MONTH_NAMES, 1) for form in (name, name[:3])} | {"sept": 9}


def month_name(number: str) -> str:
    """The name of a month by its number, "06"."""
    return _MONTH_NAMES[int(number) - 1].capitalize()


WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS = frozenset(day for name in WEEKDAY_NAMES for day in (name, name[:3], f"{name}s"))
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
"""A regular expression."""
_NUMERALS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMERALS = {word: number for number, word in enumerate(_NUMERALS)} | {
    word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)
}
_ISO = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?:[T ]\d[\d:.Z+\-]*)?\Z")
_DAY_MONTH = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({MONTH})\.?,?\s+(\d{{4}})\Z", re.I)
_MONTH_DAY = re.compile(rf"({MONTH})\.?\s+(?:(\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?(\d{{4}})\Z", re.I)
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::\d{2})?)?(?:\s*(?P<half>[ap])\.?m\.?|\s*o'?clock)?"
    r"(?:\s*(?:in the|at) (?P<part>morning|afternoon|evening|night))?\Z",
    re.I,
)
_PAST = re.compile(r"(?P<minutes>half|quarter|a quarter|\d{1,2}) (?P<way>past|to) (?P<hour>\d{1,2})(?P<rest>.*)", re.S)
_MINUTES = {"half": 30, "quarter": 15, "a quarter": 15}
_HOUR_WORDS = re.compile(rf"\b({'|'.join(_NUMERALS[1:13])})\b")
_CLOCK_TEXT = re.compile(r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\Z")
_NAMED_HOURS = {"noon": "12:00", "midday": "12:00", "midnight": "24:00"}
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,2})?")


def holds_years(owned: Property) -> bool:
    """Whether all values of a property that are known are whole numbers that can be years."""
    ends = [each for each in (owned.least, owned.greatest) if each is not None]
    whole_numbers = bool(owned.examples) and all(isinstance(each, int) for each in owned.examples)
    return whole_numbers and all(1000 <= each <= 2100 for each in (*owned.examples, *ends))


def holds_clock_times(owned: Property) -> bool:
    """Whether all examples of a property are times of a day: "18:30"."""
    texts = [str(each) for each in owned.examples if each is not None]
    return bool(texts) and all(_CLOCK_TEXT.match(text) for text in texts)


def clock_time(value: Scalar) -> str | None:
    """A time of a day as "18:30", from "6:30 pm", "half past six" and "9 in the evening"; None for anything
    else, such as a bare number."""
    text = " ".join(str(value)[:LONGEST_VALUE].lower().split())
    text = re.sub(_HOUR_WORDS, lambda match: str(NUMERALS[match.group()]), text)
    if (past := _PAST.match(text)) is not None:
        minutes = _MINUTES.get(past["minutes"]) or int(past["minutes"])
        hour = int(past["hour"]) - (past["way"] == "to")
        text = f"{hour % 24}:{minutes if past['way'] == 'past' else 60 - minutes:02}{past['rest']}"
    if text in _NAMED_HOURS:
        return _NAMED_HOURS[text]
    match = _CLOCK.match(text)
    if match is None or text.isdecimal() or re.fullmatch(r"\d+\.\d+", text):
        return None
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    later = match["half"] == "p" or match["part"] in ("afternoon", "evening", "night")
    hour = hour % 12 + 12 * later if match["half"] or (later and hour < 12) else hour
    return f"{hour:02}:{minute:02}" if hour <= 24 and minute < 60 else None


def number(value: Scalar) -> int | float | None:
    """The one number in a value, as in "20 dollars" and "$1,200.50"; None if there is none, or more than one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if abs(value) < 2**63 else None
    found = _NUMBER.findall(value[:LONGEST_VALUE])
    if len(found) != 1:
        return None
    read = float(found[0].replace(",", ""))
    return None if abs(read) >= 2**63 else whole(read)


def whole(value: float) -> int | float:
    """The value as an int where it is whole."""
    return int(value) if value.is_integer() else value


def moment(value: Scalar) -> str | None:
    """A year, month or day as ISO text: "1979", "2016-02", "2016-02-11"; None for anything else."""
    if isinstance(value, bool | float):
        return None
    text = " ".join(str(value)[:LONGEST_VALUE].split())
    if match := _ISO.match(text):
        year, month, day = match.groups()
    elif match := _DAY_MONTH.match(text):
        day, month, year = match.group(1), str(MONTHS[match.group(2).lower()]), match.group(3)
    elif match := _MONTH_DAY.match(text):
        month, day, year = str(MONTHS[match.group(1).lower()]), match.group(2), match.group(3)
    else:
        return None
    if (month and not 1 <= int(month) <= 12) or (day and not 1 <= int(day) <= 31):
        return None
    return "-".join([year, *(f"{int(part):02}" for part in (month, day) if part)])
