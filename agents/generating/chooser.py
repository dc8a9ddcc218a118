"""What chooses among texts: the contract, and a model in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from clew.tools.errors import ClewError
from clew.tools.learning.generation.chosen import Choice, Decoding, Request
from clew.tools.learning.generation.load_options import LoadOptions

if TYPE_CHECKING:
    from clew.tools.learning.generation.choosing import TextChooser

SECONDS = 60.0
"""Time for one choice, if the caller sets no limit."""


class ChooserFailed(ClewError):
    """The model made no choice: its server is down, refuses the request, or replies something else."""


class Chooser(Protocol):
    """Chooses among texts."""

    @property
    def name(self) -> str:
        """The model's name, for people."""

    @property
    def window(self) -> int | None:
        """The most tokens of a prompt with its text; None if that is not known. Raises ClewError."""

    @property
    def counter(self) -> Callable[[str], int] | None:
        """Counts the tokens of a text as the model does; None if only its server can. Raises ClewError."""

    def prepare(self) -> None:
        """Do what would make the first choice slow. Raises ClewError."""

    def choose(self, prompt: str, texts: Sequence[str], m: int, *, seconds: float = SECONDS) -> Choice:
        """The `m` likeliest texts after a prompt, or fewer. Raises ClewError."""


class SharedChooser(Chooser, Protocol):
    """A chooser that answers several requests at once."""

    def choose_all(self, requests: Sequence[Request]) -> list[Choice | ClewError]:
        """The choice of each request, or what `choose` would raise for it."""


@dataclass
class LocalChooser:
    """A model in this process, loaded when first needed."""

    model: str
    adapter: str | None = None
    decoding: Decoding = "exact"
    options: LoadOptions = field(default_factory=lambda: LoadOptions())
    """How it is loaded."""
    _lock: Lock = field(default_factory=Lock, repr=False)
    _loaded: TextChooser | ClewError | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return self.model if self.adapter is None else f"{self.model} + {self.adapter}"

    @property
    def window(self) -> int | None:
        return self.loaded().window

    @property
    def counter(self) -> Callable[[str], int] | None:
        return self.loaded().count

    def prepare(self) -> None:
        self.loaded()

    def choose(self, prompt: str, texts: Sequence[str], m: int, *, seconds: float = SECONDS) -> Choice:
        return self.loaded().choose(prompt, texts, m, seconds=seconds)

    def choose_all(self, requests: Sequence[Request]) -> list[Choice | ClewError]:
        """The choice of each request, or what `choose` would raise for it, in passes that all share."""
        return self.loaded().choose_all(requests)

    def loaded(self) -> TextChooser:
        """The model, loaded once. Raises BadInput or OutOfMemory, each time if it cannot be loaded."""
        with self._lock:
            if self._loaded is None:
                from clew.tools.learning.generation.choosing import TextChooser
                from clew.tools.learning.generation.loading import load

                try:
                    model = load(self.model, self.adapter, **self.options)
                    self._loaded = TextChooser(model, decoding=self.decoding)
                except ClewError as error:
                    self._loaded = error
            if isinstance(self._loaded, ClewError):
                raise self._loaded
            return self._loaded
