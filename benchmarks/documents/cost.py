"""What an index costs: time, memory and disk by step and for a million tokens, beside what a model would take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.documents.extraction_cost import Model, extraction_cost
from clew.agents.writing.skeleton_extractor import estimate
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.embedding.token_budget import counter

CORE = 0.2
_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


@dataclass(slots=True)
class Steps:
    """Takes the time and the memory of the steps of a build, in the order in which they come."""

    taken: dict[str, dict[str, float]] = field(default_factory=dict)

    @contextmanager
    def step(self, what: str, _: str = "", __: int | None = None) -> Iterator[Callable[[int], None]]:
        """As builders take it: a name, a unit and how much there is."""
        forget_peak()
        before, started, worked = peak_mb(), time.perf_counter(), time.process_time()
        yield lambda _: None
        self.taken[what] = {
            "seconds": round(time.perf_counter() - started, 2),
            "processor_seconds": round(time.process_time() - worked, 2),
            "peak_mb": round(peak_mb()),
            "added_mb": round(peak_mb() - before),
        }
        print(f"{what}: {self.taken[what]}", flush=True)

    def told(self, tokens: int, disk_bytes: int) -> dict[str, Any]:
        """All steps with their shares of the time, and what a million tokens take."""
        seconds = sum(step["seconds"] for step in self.taken.values())
        worked = sum(step["processor_seconds"] for step in self.taken.values())
        millions = max(tokens, 1) / 1e6
        return {
            "steps": {
                what: {**step, "share": round(step["seconds"] / max(seconds, 1e-9), 3)}
                for what, step in self.taken.items()
            },
            "seconds": round(seconds, 1),
            "processor_seconds": round(worked, 1),
            "peak_mb": max((step["peak_mb"] for step in self.taken.values()), default=0),
            "added_mb": max((step["added_mb"] for step in self.taken.values()), default=0),
            "per_million_tokens": {
                "seconds": round(seconds / millions, 1),
                "processor_seconds": round(worked / millions, 1),
                "disk_mb": round(disk_bytes / 1e6 / millions, 1),
            },
        }


def model_costs(index: DocumentIndex) -> dict[str, Any]:
    """What a model would take for a knowledge graph of all chunks (β = 1) and of the core (β = 0.2), both as the paper
    counts (the assumptions are in `Model`) and as `clew documents skeleton` asks, at the same
    prices. Estimates: input tokens are counted, output tokens assumed."""
    store = index.sources.store
    chosen = sorted(index.core(CORE).tolist())
    told: dict[str, Any] = {"no_model": {"input_tokens": 0, "output_tokens": 0, "price": 0.0}}
    for name, places in (("beta_1", list(range(len(store)))), (f"beta_{CORE}", chosen)):
        asked = estimate((store[place] for place in places), counter())
        prices = Model()
        price = (asked.input_tokens * prices.input_price + asked.output_tokens * prices.output_price) / 1e6
        told[name] = {
            **asdict(extraction_cost(store.tokens[places].tolist())),
            "as_clew_asks": {**asdict(asked), "price": round(price, 2)},
        }
    return told


def disk_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def peak_mb() -> float:
    """The most memory that the process has held since `forget_peak`; 0 where the system does not say."""
    try:
        line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return 0.0
    return int(line.split()[1]) / 1024


def forget_peak() -> None:
    try:
        _CLEAR.write_text("5")
    except OSError:
        return  # Peaks are then those since the process began.
