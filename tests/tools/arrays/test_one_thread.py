"""Matrix products in one thread: while anyone is within, and as before when nobody is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from clew.tools.arrays.one_thread import OneThread
from clew.tools.embedding.bert import Bert
from clew.tools.embedding.minilm import bundled_minilm

LIBRARIES = ThreadpoolController().select(user_api="blas")
NUMPY = LIBRARIES.info()[0]["filepath"]
"""The first library; others may be loaded later."""


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    with LIBRARIES.limit(limits=2):
        yield


def threads() -> int:
    return next(int(each["num_threads"]) for each in LIBRARIES.info() if each["filepath"] == NUMPY)


def test_the_number_of_threads_comes_back_when_the_last_one_leaves() -> None:
    limited = OneThread()
    assert threads() == 2
    with limited:
        assert threads() == 1
        with limited:
            assert threads() == 1
        assert threads() == 1
    assert threads() == 2
    with pytest.raises(ZeroDivisionError), limited:
        _ = 1 / 0
    assert threads() == 2


def test_few_texts_are_embedded_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[int] = []
    bert = Bert(bundled_minilm())
    attend = bert._attend
    monkeypatch.setattr(bert, "_attend", lambda *given: (used.append(threads()), attend(*given))[1])
    bert.forward([[101, 102]] * 4)
    assert set(used) == {1}
    used.clear()
    vectors = bert.forward([[101, 102]] * 2000)
    assert set(used) == {2}
    assert np.isfinite(vectors).all()
