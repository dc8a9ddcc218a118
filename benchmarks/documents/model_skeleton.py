"""What a model extracts from the core chunks, kept in a file: a run that is repeated pays only for what is new."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from threading import Event

from clew.agents.writing.chunk_batches import ROLE
from clew.agents.writing.skeleton_extractor import Extractor, Limits, prompt_digest
from clew.app.models import models_of, spec_of
from clew.app.settings import Settings
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.store.extractions import Extraction, ExtractionKey
from clew.tools.embedding.token_budget import counter
from clew.tools.errors import BadInput

_SECONDS = 24 * 3600.0


def extracted_by_model(chunks: Sequence[Chunk], file: Path, tokens: int, settings: Settings) -> dict[str, Extraction]:
    """By chunk id, in the order of the chunks; those that the budget does not reach are left out. The model is the one
    that the environment names (CLEW_MODEL). Raises BadInput where it names none, and ModelFailed."""
    models, spec, digest = models_of(settings), spec_of(ROLE, settings), prompt_digest()
    model = None if models is None else models.of(ROLE, seconds=_SECONDS, cancelled=Event())
    if models is None or spec is None or model is None:
        raise BadInput("No model is named.", "Set CLEW_MODEL and CLEW_MODEL_BASE_URL.")
    known = _read(file)
    keys = {chunk.id: [spec.endpoint.name, *_key(chunk, digest)] for chunk in chunks}
    waiting = [chunk for chunk in chunks if known.get(chunk.id, ([], None))[0] != keys[chunk.id]]
    work = Extractor(model, waiting, counter(), Limits(tokens), spec.max_tokens, at_once=settings.model_concurrency)
    try:
        with file.open("a", encoding="utf-8") as kept:
            for call in chain(work, work.finish()):
                for id, extraction in call.found.items():
                    known[id] = (keys[id], extraction)
                    kept.write("\n" + json.dumps([id, keys[id], extraction.to_json()], ensure_ascii=False))
                kept.flush()
    finally:
        models.close()
    return {chunk.id: known[chunk.id][1] for chunk in chunks if known.get(chunk.id, ([], None))[0] == keys[chunk.id]}


def _key(chunk: Chunk, digest: str) -> list[str]:
    asked = ExtractionKey.of(chunk, digest)
    return [asked.content, asked.prompt]


def _read(file: Path) -> dict[str, tuple[list[str], Extraction]]:
    """What is in the file; a line that an interruption cut is passed over."""
    found = {}
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        try:
            id, key, said = json.loads(line)
        except ValueError:
            continue
        found[id] = (key, Extraction.of_json(said))
    return found
