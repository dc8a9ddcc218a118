"""The graph that the clients ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.serving.serving_world import imported


@pytest.fixture(scope="package")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with imported(clew_home, tmp_path_factory.mktemp("facts")) as name:
        yield name
