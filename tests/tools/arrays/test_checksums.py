"""Derived files are read as they were written, or not at all."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from clew.tools.arrays.checksums import check, checksums_of, sealed, unsealed
from clew.tools.errors import BadInput
from clew.tools.linking.index import FILES, EntityIndex
from clew.tools.linking.tables import IndexedNode

NODES = [IndexedNode(f"n{n}", f"name {n}", "Thing") for n in range(50)]


@pytest.mark.parametrize("seed", range(20))
def test_every_changed_byte_is_noticed(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    EntityIndex.build(NODES, tmp_path, "1")
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size)
    path = chance.choice(files)
    whole = bytearray(path.read_bytes())
    whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(whole))
    with pytest.raises(BadInput):
        EntityIndex.open(tmp_path)
    assert len(EntityIndex.build(NODES, tmp_path, "1")) == 50


def test_a_large_folder_is_compared_in_size_and_fully_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.tools.arrays.checksums.CHECKED_AT_ONCE", 100)
    np.save(tmp_path / "a.npy", np.arange(100))
    known = checksums_of(tmp_path)
    whole = (tmp_path / "a.npy").read_bytes()
    (tmp_path / "a.npy").write_bytes(whole[:-1] + b"\xff")
    check(tmp_path, known)
    with pytest.raises(ValueError, match=r"the content of a\.npy has changed"):
        check(tmp_path, known, fully=True)
    (tmp_path / "a.npy").write_bytes(whole[:-1])
    with pytest.raises(ValueError, match=r"a\.npy has 927 bytes in place of 928"):
        check(tmp_path, known)


def test_a_sealed_file_says_whether_it_has_changed() -> None:
    fields = {"name": "Söderåsen", "counts": [1, 2.5], "none": None}
    kept = json.loads(json.dumps(sealed(fields)))
    assert unsealed(kept) == fields
    assert unsealed(fields) == fields, "one of an earlier version"
    with pytest.raises(ValueError, match="has changed"):
        unsealed(kept | {"name": "Soderasen"})
    with pytest.raises(ValueError, match="no JSON object"):
        unsealed([])


def test_an_index_that_is_made_again_takes_over_what_is_sound(tmp_path: Path) -> None:
    EntityIndex.build(NODES, tmp_path, "1")
    folder = FILES.read(tmp_path).folder
    FILES.discard(tmp_path)
    assert FILES.read(tmp_path).version == ""
    EntityIndex.build(NODES, tmp_path, "1")
    assert FILES.check(tmp_path).folder != folder
