"""Training examples of the model as lines of JSON: prompts with the target text and its alternatives."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from clew.tools.errors import BadInput


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt and its target text."""

    prompt: str
    target: str
    candidates: tuple[str, ...] = ()
    """The candidates when the model is asked, including the target; only used by evaluation."""


def write_examples(path: Path, examples: Iterable[Example]) -> int:
    """Write the examples; returns their number."""
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for example in examples:
            file.write(json.dumps(asdict(example), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_examples(path: Path) -> list[Example]:
    """Read examples. Raises BadInput that names the first invalid line, or says that there are no examples."""
    found = []
    try:
        raw = path.read_bytes()
        lines = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8").splitlines()
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.", "`clew generator examples` writes one.") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.", "`clew generator examples` writes one.") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(_example(line))
        except (KeyError, TypeError, ValueError) as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise BadInput(
                f"{path}:{number}: not an example: {reason}.",
                'A line looks like {"prompt": "…", "target": "…", "candidates": ["…", "…"]}.',
            ) from None
    if not found:
        raise BadInput(f"{path} holds no example.", "`clew generator examples` writes some.")
    return found


def _example(line: str) -> Example:
    value = json.loads(line)
    if not isinstance(value, dict):
        raise TypeError("it is no JSON object")
    prompt, target, candidates = value["prompt"], value["target"], value.get("candidates", [])
    if not isinstance(prompt, str) or not isinstance(target, str) or not target:
        raise TypeError("prompt and target are texts")
    if not isinstance(candidates, list) or not all(isinstance(c, str) for c in candidates):
        raise TypeError("candidates are a list of texts")
    if candidates and target not in candidates:
        raise ValueError("the target is none of the candidates")
    return Example(prompt, target, tuple(candidates))
