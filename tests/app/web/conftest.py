"""The graph that the tests of the web pages ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.web.web_world import film_club


@pytest.fixture(scope="session")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with film_club(clew_home, tmp_path_factory.mktemp("films")) as name:
        yield name
