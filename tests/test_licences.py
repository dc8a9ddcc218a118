"""The licences of what `pip install clew` installs."""

from __future__ import annotations

import re
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

COPYLEFT = re.compile(r"\bA?GPL|(?<!Lesser )General Public", re.IGNORECASE)
CUDA = re.compile(r"nvidia-|cuda-|triton$")
"""What PyTorch's build for NVIDIA's cards brings; `make install TORCH_BACKEND=cpu` and pip's CPU index spare it."""


def installed_with(name: str) -> dict[str, set[str]]:
    """The distributions that come with one, itself included, each with its extras."""
    found: dict[str, set[str]] = {}
    waiting = [(name, set[str]())]
    while waiting:
        one, extras = waiting.pop()
        one = canonicalize_name(one)
        if one in found and extras <= found[one]:
            continue
        found[one] = found.get(one, set()) | extras
        for needed in map(Requirement, metadata.requires(one) or ()):
            marker = needed.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in found[one] | {""}):
                waiting.append((needed.name, set(needed.extras)))
    return found


def licence(name: str) -> str:
    """What a distribution says of its licence."""
    told = metadata.metadata(name)
    classifiers = [each for each in told.get_all("Classifier") or () if each.startswith("License")]
    return told.get("License-Expression") or " ".join(classifiers) or (told.get("License") or "").partition("\n")[0]


def test_the_default_installation_has_open_licences_without_copyleft() -> None:
    names = [name for name in installed_with("clew") if not CUDA.match(name)]
    assert {"torch", "neo4j", "arcadedb-embedded"} <= {*names}
    licences = {name: licence(name) for name in names}
    assert [name for name, told in licences.items() if not told] == []
    assert {name: told for name, told in licences.items() if COPYLEFT.search(told)} == {}
    assert {name: told for name, told in licences.items() if "proprietary" in told.lower()} == {}
