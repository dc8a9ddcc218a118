"""Which of several labels of a node counts."""

from __future__ import annotations

import pytest

from clew.tools.graph.label_sets import counting_labels


@pytest.mark.parametrize(
    ("sets", "counting", "hidden"),
    [
        ({"Film": 3, "Person": 2}, ("Film", "Person"), ()),
        # Some persons are neither actors nor directors, and some are both.
        ({"Person": 2, "Person Actor": 5, "Person Director": 4, "Person Actor Director": 1}, ("Person",), ()),
        # Actors may be directors, too: roles of persons, and not kinds of them.
        ({"Person Actor": 5, "Person Director": 4, "Person Actor Director": 2}, ("Person",), ()),
        # Every company is of one kind.
        ({"Company Customer": 9, "Company Maker": 4, "Company Shipper": 3}, ("Customer", "Maker", "Shipper"), ()),
        ({"__Entity__ Person": 5, "__Entity__ City": 4, "Chunk": 2}, ("Person", "City", "Chunk"), ("__Entity__",)),
        ({"__Entity__ Person": 5}, ("Person",), ("__Entity__",)),
        ({"Entity Person": 5}, ("Person",), ()),
        ({"Resource Work Film": 5, "Resource Work Book": 4, "Resource Place": 3}, ("Film", "Book", "Place"), ()),
        ({"_Own": 2, "Film": 1}, ("Film", "_Own"), ()),
    ],
)  # fmt: skip
def test_the_label_that_counts(sets: dict[str, int], counting: tuple[str, ...], hidden: tuple[str, ...]) -> None:
    found = counting_labels({frozenset(labels.split()): n for labels, n in sets.items()})
    assert found == (counting, frozenset(hidden))
