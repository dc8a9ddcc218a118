"""A session as text: JSON with the whole results, or Markdown to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from clew.app.answer_text import answer_text
from clew.app.printable import markdown_line, printable_json
from clew.app.sessions.store import SessionTurn


def as_json(name: str, turns: Sequence[SessionTurn]) -> str:
    """A conversation as JSON."""
    return printable_json({"session": name, "turns": list(turns)}) + "\n"


def as_markdown(name: str, turns: Sequence[SessionTurn]) -> str:
    """A conversation as Markdown."""
    return "\n".join(_lines(name, turns))


def _lines(name: str, turns: Sequence[SessionTurn]) -> Iterator[str]:
    yield f"# {markdown_line(name)}\n"
    for turn in turns:
        when = datetime.fromtimestamp(turn["asked"], UTC).strftime("%Y-%m-%d %H:%M UTC")
        yield f"## {markdown_line(turn['question'])}\n"
        yield f"{answer_text(turn['result']).markdown}\n"
        graph = markdown_line(turn["result"].get("graph", ""))
        yield f"_{graph}, {when}, trace {turn['result'].get('trace_id', '')}_\n"
