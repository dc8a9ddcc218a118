"""A session as text: JSON with the whole results, or Markdown to read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from clew.app.answer_text import answer_text
from clew.app.sessions.store import SessionTurn


def as_json(name: str, turns: Sequence[SessionTurn]) -> str:
    return json.dumps({"session": name, "turns": list(turns)}, ensure_ascii=False, indent=2) + "\n"


def as_markdown(name: str, turns: Sequence[SessionTurn]) -> str:
    return "\n".join(_lines(name, turns))


def _lines(name: str, turns: Sequence[SessionTurn]) -> Iterator[str]:
    yield f"# {name}\n"
    for turn in turns:
        when = datetime.fromtimestamp(turn["asked"], UTC).strftime("%Y-%m-%d %H:%M UTC")
        yield f"## {' '.join(turn['question'].split())}\n"
        yield f"{answer_text(turn['result']).whole}\n"
        yield f"_{turn['result'].get('graph', '')}, {when}, trace {turn['result'].get('trace_id', '')}_\n"
