"""What a worker of `clew eval` does: it opens the graph for itself, and answers questions or checks statements.

What is counted from the results is the same for any number of workers; only latencies differ, where workers compete.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Literal

from clew.app.evaluation.evaluation import Answer, Timed, timed

if TYPE_CHECKING:
    from clew.app.api.asking import AskOptions
    from clew.app.api.graph import Graph
    from clew.app.settings import Settings

Task = Literal["ask", "verify"]


def answering(settings: Settings, graph: str, task: Task, options: AskOptions) -> Callable[[str], Timed]:
    """Open the graph in a worker, and give what answers one text.

    Args:
        settings: Of the home that has the graph.
        graph: Its name.
        task: Whether the texts are questions or statements.
        options: How questions are answered.
    """
    from clew.app.api.client import Client

    client = Client(settings.in_one_process)
    client.keep_open(inf)
    client.context(graph)
    return partial(timed, answers_of(client.graph(graph), task, options))


def answers_of(graph: Graph, task: Task, options: AskOptions) -> Callable[[str], Answer]:
    """What answers one text, as JSON; raises as `Graph.ask` and `Graph.verify`."""

    def answered(text: str) -> Answer:
        return (graph.verify(text) if task == "verify" else graph.ask(text, **options)).to_dict()

    return answered
