"""Functions compiled by numba, kept on disk between runs wherever there is a place for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """`function`, compiled when it is first called.

    numba keeps what it compiled beside the source or, where that cannot be written, in the user's cache folder (or in
    NUMBA_CACHE_DIR); several processes may do so at once. Where it can write nowhere it refuses, and then every
    process compiles for itself.
    """
    from numba import njit

    found: Any
    try:
        found = njit(cache=True)(function)
    except RuntimeError:
        found = njit(function)
    return cast(F, found)


def compiled_on_call(function: F) -> F:
    """As `compiled`, but numba, whose import takes a while, is imported by the first call. Compiled functions cannot
    call such a function."""

    @cache
    def made() -> F:
        return compiled(function)

    @wraps(function)
    def call(*arguments: Any) -> Any:
        return made()(*arguments)

    return cast(F, call)
