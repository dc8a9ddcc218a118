"""What a graph was taught, on disk: `taught.json`, and beside it the weights, and the folder of the tuned encoder where
there is one, that it names.

It is used where the graph still has every label and relationship type of the taught patterns and the embedding model
is the one that it was made with.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import BadZipFile

from safetensors import SafetensorError

from clew.tools.atomic_files import write_text
from clew.tools.embedding import MINILM_SHA256, MiniLM
from clew.tools.errors import BadInput
from clew.tools.graph.schema import Schema
from clew.tools.learning.teaching.pattern import Pattern
from clew.tools.learning.teaching.preference import Preference, Scorer, TunedPreference, load_meanings, save_meanings
from clew.tools.learning.teaching.training import Trained

FORMAT = 2
_AGAIN = "Teach it again with `clew teach`, or remove it with `clew teach --reset`."


@dataclass(frozen=True, slots=True)
class Taught:
    """A trained preference, with the patterns that it may propose."""

    preference: Scorer
    patterns: tuple[Pattern, ...]


def save_taught(
    folder: Path,
    trained: Trained,
    patterns: Sequence[Pattern],
    facts: Mapping[str, Any],
    encoder: Path | None = None,
) -> None:
    """Replace what was taught before in one step. `facts` (plain values) are kept for `--status`; `encoder` is the
    folder, inside `folder`, of the encoder that was tuned."""
    folder.mkdir(parents=True, exist_ok=True)
    preference, run = trained.preference, uuid4().hex[:12]
    names = {f"weights-{run}.npz"}
    stored = None
    if isinstance(preference, TunedPreference) and encoder is not None:
        stored = {"folder": encoder.name, "sha256": _checksum(encoder), "meanings": f"meanings-{run}.npz"}
        save_meanings(folder / stored["meanings"], preference.meanings)
        names |= {encoder.name, stored["meanings"]}
        preference = preference.preference
    assert isinstance(preference, Preference)
    preference.save(folder / f"weights-{run}.npz")
    manifest = {
        "format": FORMAT,
        "embedder": MINILM_SHA256,
        "weights": f"weights-{run}.npz",
        "used": trained.held_back.better,
        "strength": trained.strength,
        "held_back": asdict(trained.held_back),
        "tried": asdict(trained.encoder) if trained.encoder else None,
        "encoder": stored,
        **facts,
        "patterns": [pattern.to_json() for pattern in patterns],
    }
    write_text(folder / "taught.json", json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")
    for old in (*folder.glob("weights-*.npz"), *folder.glob("meanings-*.npz")):
        if old.name not in names:
            old.unlink(missing_ok=True)
    for old in (*folder.glob("encoder-*"), *folder.glob(".encoder-*")):
        if old.name not in names:
            shutil.rmtree(old, ignore_errors=True)


def manifest_of(folder: Path) -> dict[str, Any] | None:
    """The manifest, for users; None if nothing was taught. Raises BadInput if the file cannot be read."""
    path = folder / "taught.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {error}.", _AGAIN) from None
    if not isinstance(found, dict):
        raise BadInput(f"{path} is not what `clew teach` writes.", _AGAIN)
    return found


def load_taught(folder: Path, schema: Schema) -> Taught | None:
    """The taught preference; None if nothing was taught, or nothing that helps.

    Raises BadInput, with the reason, if it does not fit the graph or this release.
    """
    manifest = manifest_of(folder)
    if manifest is None or not manifest.get("used"):
        return None
    if manifest.get("format") != FORMAT:
        raise BadInput("What the graph was taught is of another release of Clew.", _AGAIN)
    if manifest.get("embedder") != MINILM_SHA256:
        raise BadInput("What the graph was taught was made with another embedding model.", _AGAIN)
    try:
        patterns = tuple(Pattern.from_json(value) for value in manifest["patterns"])
        preference = _with_encoder(Preference.load(folder / str(manifest["weights"])), folder, manifest)
    except (OSError, EOFError, KeyError, TypeError, ValueError, SafetensorError, BadZipFile, zlib.error) as error:
        raise BadInput(f"What the graph was taught cannot be read: {error}.", _AGAIN) from None
    if gone := missing(patterns, schema):
        raise BadInput(f"The graph was taught about {', '.join(gone)}, which it no longer has.", _AGAIN)
    return Taught(preference, patterns)


def _with_encoder(preference: Preference, folder: Path, manifest: Mapping[str, Any]) -> Scorer:
    """Add the tuned encoder. Raises OSError, KeyError, TypeError or ValueError if it is damaged."""
    stored = manifest["encoder"]
    if stored is None:
        return preference
    path = folder / str(stored["folder"])
    if _checksum(path) != stored["sha256"]:
        raise ValueError(f"the encoder in {path} is damaged")
    encoder = MiniLM(path)
    encoder.embed(["a"])  # Loaded now, and not by the first question.
    meanings = load_meanings(folder / str(stored["meanings"]))
    return TunedPreference(preference, encoder, float(manifest["tried"]["weight"]), meanings)


def _checksum(encoder: Path) -> str:
    with (encoder / "model.safetensors").open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def missing(patterns: Sequence[Pattern], schema: Schema) -> list[str]:
    """The labels and relationship types of the patterns that the schema does not have."""
    has = {*schema.labels, *(relation.type for relation in schema.relations)}
    used: set[str] = set()
    for strand in (strand for pattern in patterns for strand in pattern.strands):
        used |= {strand.start, *(hop.relation for hop in strand.hops), *(hop.target for hop in strand.hops)}
    return sorted(used - has)
