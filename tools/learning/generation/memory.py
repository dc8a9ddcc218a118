"""Running out of memory, as one error."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from clew.tools.errors import ClewError


class OutOfMemory(ClewError):
    """The model does not fit into memory."""


@contextmanager
def out_of_memory(what: str) -> Iterator[None]:
    """Convert out-of-memory errors to OutOfMemory."""
    try:
        yield
    except (MemoryError, torch.OutOfMemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        free_memory()
        raise OutOfMemory(
            f"{what} does not fit in memory.",
            "Use a smaller model, --generator-4bit on a GPU, or for training a smaller --batch or --lora.",
        ) from None


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error means that there was not enough memory."""
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or "can't allocate memory" in str(error)


def free_memory() -> None:
    """Give memory back that is no longer used, also that of the GPU."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
