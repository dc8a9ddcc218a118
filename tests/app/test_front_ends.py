"""The front ends are clients of the Python API: the command line and the servers import nothing below it."""

from __future__ import annotations

from tests.test_layers import imports

FRONT_ENDS = ("app.cli", "app.serving")
ALLOWED = (
    "app.api", "app.cli", "app.serving", "app.web", "app.answer_text", "app.files", "app.progress", "app.settings",
    "tools.errors",
)  # fmt: skip
NOT_YET = {
    "app.cli.database",
    "app.cli.describe_documents",
    "app.cli.documents",
    "app.cli.evaluate",
    "app.cli.evaluate_retrieval",
    "app.cli.evaluation_report",
    "app.cli.generator",
    "app.cli.gloss",
    "app.cli.invocation",
    "app.cli.options",
    "app.cli.reading_model",
    "app.cli.skeleton",
    "app.cli.teach",
    "app.cli.trace",
    "app.cli.trace_replay",
    "app.serving.application",
    "app.serving.asking_routes",
    "app.serving.authentication",
    "app.serving.completions",
    "app.serving.errors",
    "app.serving.generator",
    "app.serving.local_backend",
    "app.serving.open_graphs",
    "app.serving.request_models",
    "app.serving.runs",
    "app.serving.service",
    "app.serving.session_routes",
    "app.serving.trace_routes",
    "app.serving.worker_pool",
}
"""Modules that still import something below the API. Remove a module when it no longer does; add none."""


def below_the_api() -> set[str]:
    return {
        name
        for name, targets in imports().items()
        if within(name, FRONT_ENDS) and not all(within(target, ALLOWED) for target in targets - {"app"})
    }


def within(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def test_front_ends_are_clients_of_the_api() -> None:
    assert below_the_api() == NOT_YET
