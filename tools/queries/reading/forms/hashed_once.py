"""Values whose hash is worked out once: logical forms are keys many times, and deep."""

from __future__ import annotations

from typing import Any


class HashedOnce:
    """A base of frozen dataclasses with slots."""

    __slots__ = ("_hash",)
    _hash: int

    def __init_subclass__(cls) -> None:
        """Take the place of the hash that `dataclass` makes of the fields."""
        of_fields: Any = vars(cls).get("__hash__")
        if of_fields is None:  # `dataclass` makes the class a second time, with slots and the hash.
            return

        def known(self: Any) -> int:
            try:
                found: int = self._hash
            except AttributeError:
                found = of_fields(self)
                object.__setattr__(self, "_hash", found)
            return found

        cls.__hash__ = known  # type: ignore[method-assign]
