"""The front ends are clients of the Python API: the command line and the servers import nothing below it."""

from __future__ import annotations

from tests.test_layers import imports

FRONT_ENDS = ("app.cli", "app.serving")
ALLOWED = (
    # The API, and the classes of its `client.sessions` and `client.traces`.
    "app.api", "app.sessions.store", "app.traces.store",
    # The front ends themselves, and what they share.
    "app.cli", "app.serving", "app.web", "app.progress", "app.settings",
    # The modules that answering needs, loaded in advance.
    "app.loading",
    # What servers share, as a client gives it.
    "tools.state",
    # Errors and notices.
    "tools.errors", "tools.full_disk", "tools.notices",
    # Files that commands write.
    "tools.atomic_files",
    # What formats, compares or scores results, and knows nothing of how they came about.
    "app.answer_text", "app.printable", "app.traces.diff", "app.traces.page", "app.evaluation",
    "tools.graph.identifiers",
)  # fmt: skip
BELOW = {"app.cli.database": "it manages the process of the embedded database, which a client only connects to"}
"""Modules that import something below the API, and why. Remove a module when it no longer does; add none."""


def below_the_api() -> set[str]:
    return {
        name
        for name, targets in imports().items()
        if within(name, FRONT_ENDS) and not all(within(target, ALLOWED) for target in targets - {"app"})
    }


def within(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def test_front_ends_are_clients_of_the_api() -> None:
    assert below_the_api() == set(BELOW)
