"""The compiled part of `segments`: hashes of segments, and the search in their buckets."""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.tools.arrays.compiled import compiled

_PRIME, _MIXER, _HALF = np.uint64(1099511628211), np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


@compiled
def _segments(length: Any) -> Any:
    """The number of segments of a text of `length` letters."""
    return 2 if length < 8 else 4 if length < 16 else 5


@compiled
def _decode(text: Any, start: Any, end: Any, letters: Any) -> None:
    """Write the letters of UTF-8 bytes."""
    at, count = start, 0
    while at < end:
        first = np.int32(text[at])
        size = 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        letter = first if size == 1 else first & (0xFF >> (size + 1))
        for more in range(1, size):
            letter = letter << 6 | np.int32(text[at + more] & 0x3F)
        letters[count] = letter
        at, count = at + size, count + 1


@compiled
def _bucket(letters: Any, first: Any, last: Any, before: Any, length: Any, number: Any, buckets: Any) -> Any:
    """The bucket of letters [first, last) as a segment of a text; `before` takes the place of the first if it is not
    negative."""
    found = np.uint64(length * 8 + number + 1) * _PRIME
    for place in range(first, last):
        letter = before if place == first and before >= 0 else letters[place]
        found = (found ^ np.uint64(letter)) * _PRIME
    found *= _MIXER
    return np.int64((found ^ (found >> _HALF)) & np.uint64(buckets - 1))


@compiled
def count_segments(text: Any, ends: Any, text_starts: Any, starts: Any) -> None:
    """Add to starts[b + 1] the number of segments in bucket b."""
    letters = np.empty(len(text_starts), np.int32)
    for length in range(1, len(text_starts) - 1):
        parts = _segments(length)
        for key in range(text_starts[length], text_starts[length + 1]):
            _decode(text, ends[key], ends[key + 1], letters)
            for number in range(parts):
                first, last = number * length // parts, (number + 1) * length // parts
                if last > first:
                    starts[_bucket(letters, first, last, -1, length, number, len(starts) - 1) + 1] += 1


@compiled
def fill_segments(text: Any, ends: Any, text_starts: Any, starts: Any, owners: Any) -> None:
    """Write the owners, from the last to the first; `starts` are the ends of the buckets before, each one place on, and
    their starts afterwards."""
    letters = np.empty(len(text_starts), np.int32)
    for length in range(len(text_starts) - 2, 0, -1):
        parts = _segments(length)
        for key in range(text_starts[length + 1] - 1, text_starts[length] - 1, -1):
            _decode(text, ends[key], ends[key + 1], letters)
            for number in range(parts):
                first, last = number * length // parts, (number + 1) * length // parts
                if last > first:
                    bucket = _bucket(letters, first, last, -1, length, number, len(starts) - 1) + 1
                    starts[bucket] -= 1
                    owners[starts[bucket]] = key
    # What was the end of bucket b at b + 1 is now its start.
    for bucket in range(len(starts) - 1):
        starts[bucket] = starts[bucket + 1]
    starts[len(starts) - 1] = len(owners)


@compiled
def _bits(number: Any) -> Any:
    """The number of set bits."""
    number = number - ((number >> np.uint64(1)) & np.uint64(0x5555555555555555))
    number = (number & np.uint64(0x3333333333333333)) + ((number >> np.uint64(2)) & np.uint64(0x3333333333333333))
    number = (number + (number >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((number * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def _looked_up(query: Any, errors: Any, length: Any, starts: Any, lists: Any) -> Any:
    """Write the buckets to look into for texts of a length as rows (segment, bucket). Returns their number, or -1 if
    all texts of the length must be compared."""
    size, parts, buckets = len(query), _segments(length), len(starts) - 1
    if parts <= errors or length < parts:
        return -1
    totals, count = np.zeros(parts, np.int64), 0
    for number in range(parts):
        first, last = number * length // parts, (number + 1) * length // parts
        for shift in range(-errors, errors + 1):
            begin, end, needed = first + shift, last + shift, abs(shift) + abs(size - length - shift)
            if begin < 0 or end > size or needed > errors:
                continue
            for swapped in range(2):
                if swapped and (begin == 0 or number == 0 or needed >= errors):
                    continue
                before = query[begin - 1] if swapped else -1
                bucket = _bucket(query, begin, end, before, length, number, buckets)
                lists[count, 0], lists[count, 1], count = number, bucket, count + 1
                totals[number] += starts[bucket + 1] - starts[bucket]
    for _ in range(parts - errors - 1):
        totals[np.argmax(totals)] = -1
    kept = 0
    for place in range(count):
        if totals[lists[place, 0]] >= 0:
            lists[kept, 0], lists[kept, 1], kept = lists[place, 0], lists[place, 1], kept + 1
    return kept


@compiled
def search_segments(
    query: Any, errors: Any, starts: Any, owners: Any, text_starts: Any, signatures: Any, own: Any, cost: Any
) -> Any:
    """The positions of all texts within `errors` of the query and of others that are not, some more than once. All
    texts of a length are compared if they are fewer than `cost` for each that would be looked up."""
    size, longest, count = len(query), len(text_starts) - 2, 0
    lists = np.empty((5 * (2 * errors + 1) * 2, 2), np.int64)
    found = np.empty(1024, np.int64)
    for length in range(max(1, size - errors), min(longest, size + errors) + 1):
        # A substitution changes two bits of a signature, an insertion or a deletion one.
        most_bits = 2 * errors - abs(size - length)
        low, high = text_starts[length], text_starts[length + 1]
        kept = _looked_up(query, errors, length, starts, lists)
        total = np.int64(0)
        for place in range(max(kept, 0)):
            total += np.int64(starts[lists[place, 1] + 1]) - np.int64(starts[lists[place, 1]])
        if kept < 0 or total * cost > high - low:
            for key in range(low, high):
                if _bits(signatures[key] ^ own) <= most_bits:
                    if count == len(found):
                        found = np.concatenate((found, np.empty(len(found), np.int64)))
                    found[count] = key
                    count += 1
            continue
        for place in range(kept):
            bucket = lists[place, 1]
            for entry in range(starts[bucket], starts[bucket + 1]):
                key = owners[entry]
                if low <= key < high and _bits(signatures[key] ^ own) <= most_bits:
                    if count == len(found):
                        found = np.concatenate((found, np.empty(len(found), np.int64)))
                    found[count] = key
                    count += 1
    return found[:count]
