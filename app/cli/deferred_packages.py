"""Packages whose `__init__` runs when something of it is first used, not when a module inside it is imported.

LangGraph and LangChain import one small module of each, and the rest of the package with it, which no command uses.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any

DEFERRED = ("langgraph_sdk", "langsmith.types")
_RUNNING = RLock()
"""Held while an `__init__` runs, so that no other thread sees half of it."""


class _Package(ModuleType):
    """A package whose `__init__` has not run."""

    def __getattr__(self, name: str) -> Any:
        with _RUNNING:
            if type(self) is _Package:
                self.__class__ = ModuleType  # type: ignore[assignment]
                loader = self.__loader__
                assert isinstance(loader, _Deferring)
                loader.loader.exec_module(self)
        return getattr(self, name)


class _Deferring(Loader):
    """Makes the package without running its `__init__`."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = _Package


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname in DEFERRED else None
        if spec is not None and spec.loader is not None and spec.submodule_search_locations:
            spec.loader = _Deferring(spec.loader)
        return spec


def defer_packages() -> None:
    """Defer them in this process."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
