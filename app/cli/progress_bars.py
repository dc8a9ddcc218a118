"""Progress bars on standard error where it is a terminal; a line at the end of each task elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from clew.app.cli.terminal import echo
from clew.app.printable import printable_line
from clew.app.progress import Advance

QUIET_SECONDS = 2.0
"""Shorter tasks leave no line where there is no terminal."""


class ProgressBars:
    """`clew.app.progress.Progress` for people."""

    @contextmanager
    def task(self, label: str, unit: str, total: int | None = None) -> Iterator[Advance]:
        began = time.perf_counter()
        done = 0
        if sys.stderr.isatty():
            with _bar(label, unit, total) as advance:
                yield advance
            return

        def advance_silently(completed: int) -> None:
            nonlocal done
            done = completed

        yield advance_silently
        seconds = time.perf_counter() - began
        if seconds >= QUIET_SECONDS:
            self.note(f"{label}: {done:,} {unit} in {seconds:.1f} s")

    def note(self, text: str) -> None:
        echo(text, err=True)


@contextmanager
def _bar(label: str, unit: str, total: int | None) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f} {unit}/s" if speed else "", style="cyan")

    columns = [TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.completed:,.0f}"), Rate()]
    columns.append(TimeRemainingColumn() if total else TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(printable_line(label), total=total)
        yield lambda completed: progress.update(bar, completed=completed)
