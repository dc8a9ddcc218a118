"""Simulates linking and counting over many shards: a question waits for the slowest shard.

A shard's times are drawn from those that `benchmarks.scale` measured on one machine: CPU times of linking questions
whose names have a typing error, and times by the clock of counting in the database. Each call also takes a round trip
of the network, and sometimes a pause, as of a garbage collection. With hedging, a second copy of a shard is asked once
the first is slower than 95 % of all calls. There are no queues: the figures are those of a cluster with spare capacity.

    python -m benchmarks.scale.sharded ~/scale/1000000-0/figures.json --json sharded.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Times = npt.NDArray[np.float64]
SHARDS = (1, 10, 100, 1000)
WORK = {"linking": ("link", "misspelt_each_cpu_ms"), "counting": ("hubs", "count_times_ms")}
"""Of each kind of work the stage that measured it and its key."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, help="figures.json of a size")
    parser.add_argument("--questions", type=int, default=20_000, help="default: %(default)s")
    parser.add_argument("--network-ms", type=float, default=0.5, help="a round trip; default: %(default)s")
    parser.add_argument("--pause-ms", type=float, default=50.0, help="default: %(default)s")
    parser.add_argument("--pause-share", type=float, default=0.001, help="of all calls; default: %(default)s")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    measured = json.loads(given.figures.read_text(encoding="utf-8"))
    random = np.random.default_rng(given.seed)
    report: dict[str, Any] = {name: value for name, value in vars(given).items() if name not in ("figures", "json")}
    for work, (stage, key) in WORK.items():
        calls = Calls(np.array(measured[stage][key]), given.network_ms, given.pause_ms, given.pause_share, random)
        report[work] = {"measured": quantiles(np.array(measured[stage][key]))} | {
            str(shards): {
                "plain": quantiles(slowest(calls, shards, given.questions, hedged=False)),
                "hedged": quantiles(slowest(calls, shards, given.questions, hedged=True)),
            }
            for shards in SHARDS
        }
    text = json.dumps(report, indent=2)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")


class Calls:
    """Draws the times of calls to shards."""

    def __init__(
        self, times: Times, network: float, pause: float, pause_share: float, random: np.random.Generator
    ) -> None:
        self._times, self._network, self._pause, self._share, self._random = times, network, pause, pause_share, random
        self.late = float(np.quantile(self.draw(100_000), 0.95))
        """Milliseconds after which a second copy is asked."""

    def draw(self, count: int) -> Times:
        paused = self._random.random(count) < self._share
        drawn: Times = self._random.choice(self._times, count) + self._network + self._pause * paused
        return drawn


def slowest(calls: Calls, shards: int, questions: int, *, hedged: bool) -> Times:
    """Of each question the time of its slowest shard."""
    found = np.empty(questions)
    at_once = max(1, 1_000_000 // shards)
    for first in range(0, questions, at_once):
        count = min(at_once, questions - first)
        times = calls.draw(count * shards)
        if hedged:
            late = np.flatnonzero(times > calls.late)
            times[late] = np.minimum(times[late], calls.late + calls.draw(len(late)))
        found[first : first + count] = times.reshape(count, shards).max(axis=1)
    return found


def quantiles(times: Times) -> dict[str, float]:
    return {f"p{round(100 * at)}": round(float(np.quantile(times, at)), 1) for at in (0.5, 0.95, 0.99)}


if __name__ == "__main__":
    sys.exit(main())
