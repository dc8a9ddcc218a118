"""Examples of questions with their patterns, from files: SimGRAG's few shots (section 4.1, twelve for each dataset).

A file holds one question a line: {"text": "who directed Alien", "triples": [["Alien", "directed_by", "UNKNOWN person
1"]], "asked": "UNKNOWN person 1"}. `prompts/patterns` has files for the graphs of the benchmarks.
"""

from __future__ import annotations

import json
from pathlib import Path

from clew.agents.patterns.pattern_writer import UnusableReply, read
from clew.agents.prompting import PROMPTS
from clew.tools.errors import BadInput

FOLDER = PROMPTS / "patterns"
MOST = 12
"""Examples of a file that a prompt shows."""


def packaged() -> list[str]:
    """The names of the files that come with Clew."""
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def examples_of(given: str | Path) -> str:
    """The first MOST examples of a file, or of the packaged one of that name, a line each, as the prompt shows them.

    Raises:
        BadInput: There is no such file, or a line of it is no question with a pattern.
    """
    path = FOLDER / f"{given}.jsonl" if given in packaged() else Path(given).expanduser()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        remedy = f"Name a file of examples, or one of {', '.join(packaged())} (docs/methods.md)."
        raise BadInput(f"{path} cannot be read: {error}.", remedy) from None
    shown = [_shown(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    return "\n".join(shown[:MOST])


def _shown(line: str, place: str) -> str:
    """One example for the prompt. Raises BadInput."""
    try:
        data = json.loads(line)
        text = data["text"]
        read(line, asks=True)
    except (ValueError, KeyError, TypeError, UnusableReply) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        remedy = (
            'A line is {"text": "…", "triples": [["Alien", "directed_by", "UNKNOWN person 1"]], "asked": "UNKNOWN …"}.'
        )
        raise BadInput(f"{place} is not an example of a pattern: {reason}.", remedy) from None
    pattern = {key: data[key] for key in ("triples", "asked") if key in data}
    return f"\u201c{text}\u201d: {json.dumps(pattern, ensure_ascii=False)}"
