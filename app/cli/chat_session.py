"""One conversation at a terminal or through a pipe: its questions and its /commands."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from clew.app.api.requests import METHODS, checked_method
from clew.app.printable import printable_lines

if TYPE_CHECKING:
    from clew.app.api.asking import StreamOptions
    from clew.app.api.client import Client
    from clew.app.api.results import AskResult, Event

HELP = """\
Type a question, or:
  /graph         the graph in use, and the others
  /graph NAME    use another graph, in a new conversation
  2              answer the second of the readings that are listed with an answer
  /readings      list the readings of the last question
  /steps         show the steps of each question, and the evidence and Cypher of its answers, or (again) answers alone
  /method NAME   answer by a paper's method, such as simgrag (docs/methods.md); default for Clew's own
  /strict        answer only what is sure and explained in full, or (again) anything
  /trace         show how the last answer was found
  /sessions      list the conversations
  /resume NAME   continue one of them
  /rename NAME   rename this conversation
  /export FILE   write it to a file, as Markdown or (.json) with all details of the answers
  /delete        delete this conversation and start a new one
  /help          show this help
  /quit          quit (also Ctrl-D); Ctrl-C stops a question
Questions may refer to earlier ones: "and who wrote it?", "only the ones after 2000", "how many?\""""
_LONG = 3
"""Digits of what is not a number of a reading."""
_NEEDS = {"resume": "NAME", "rename": "NAME", "export": "FILE", "method": "NAME"}


class ChatSession:
    """One conversation with one graph."""

    def __init__(
        self, client: Client, graph: str | None, session: str | None, *, strict: bool = False, method: str | None = None
    ) -> None:
        self.client = client
        self.graph = client.graph(graph).open()
        self.session = session or _new_session()
        self.strict = strict
        self.method = method
        self.steps = False
        """Whether the steps of a question, and the evidence and Cypher of its answers, are shown at a terminal."""
        self.last: AskResult | None = None

    @property
    def last_trace(self) -> str:
        """The trace of the last answer; "" before the first one."""
        return self.last.trace_id if self.last is not None else ""

    def ask(self, question: str, *, clarify: bool = False) -> Iterator[Event]:
        """The steps of the run as they happen, then the result, or, with `clarify`, a choice.

        Args:
            question: A question, or the number of a reading of the last one.
            clarify: Whether the run may end with a choice.
        """
        options: StreamOptions = {
            "session": self.session, "clarify": clarify, "strict": self.strict, "method": self.method
        }  # fmt: skip
        if question.isdecimal() and self.last is not None and len(question) < _LONG:
            number = int(question)
            told = self.last.readings[number - 1 : number]
            question, options["reading"] = self.last.question, told[0].reading if told else number
        return self._remembering(self.graph.stream(question, **options))

    def choose(self, entity: str | None) -> Iterator[Event]:
        """Continue after a choice with the id of the chosen entity, or None for any."""
        return self._remembering(self.graph.resume(self.session, entity, strict=self.strict, method=self.method))

    def _remembering(self, events: Iterator[Event]) -> Iterator[Event]:
        for event in events:
            self.last = event.result if event.result is not None else self.last
            yield event

    def command(self, line: str) -> str:
        """Run a /command; return its output."""
        name, _, argument = line[1:].strip().partition(" ")
        argument = argument.strip()
        if name == "graph":
            return self._graph(argument)
        if name in _NEEDS:
            return getattr(self, f"_{name}")(argument) if argument else f"Usage: /{name} {_NEEDS[name]}"
        if name == "sessions":
            return self._sessions()
        if name == "delete":
            return self._delete()
        if name == "trace":
            return self._trace()
        if name == "readings":
            return self._readings()
        if name == "steps":
            self.steps = not self.steps
            return "Steps, evidence and Cypher are shown." if self.steps else "Only answers are shown."
        if name == "strict":
            self.strict = not self.strict
            return "Answers are sure and explained in full." if self.strict else "All answers are shown."
        if name in ("help", "?", ""):
            return HELP
        return f"There is no /{name}. Try /help."

    def _graph(self, name: str) -> str:
        if name:
            self._begin(name, _new_session())
            return f"Now asking {name}."
        others = ", ".join(graph.name for graph in self.client.graphs() if graph.name != self.graph.name)
        return f"Asking {self.graph.name}." + (f" There are also: {others}." if others else "")

    def _begin(self, graph: str, session: str, last: AskResult | None = None) -> None:
        self.graph = self.client.graph(graph).open()
        self.session, self.last = session, last

    def _sessions(self) -> str:
        found = self.client.sessions.overview()
        lines = [f"{each['name']}  ({each['graph']}, {each['turns']} questions): {each['title']}" for each in found]
        return printable_lines(lines) or "There is no conversation yet."

    def _resume(self, name: str) -> str:
        from clew.app.api.results import AskResult

        turns = self.client.sessions.turns(name)
        graph = self.client.sessions.graph_of(name) or self.graph.name
        self._begin(graph, name, AskResult.from_dict(turns[-1]["result"]) if turns else None)
        last = f"; the last question was: {turns[-1]['question']}" if turns else "."
        return f"Continuing {name}, about {graph}{last}"

    def _method(self, name: str) -> str:
        self.method = checked_method(name).name
        return f"Questions are answered by the method {self.method}: {METHODS[self.method].does}."

    def _rename(self, name: str) -> str:
        self.session = self.client.rename_session(self.session, name)
        return f"The conversation is now called {self.session}."

    def _export(self, file: str) -> str:
        from clew.tools.atomic_files import write_text

        write_text(Path(file), self.client.export_session(self.session, as_json=file.endswith(".json")))
        return f"Written to {file}."

    def _delete(self) -> str:
        self.client.delete_session(self.session)
        self.session, self.last = _new_session(), None
        return "Deleted. A new conversation starts."

    def _readings(self) -> str:
        if self.last is None or not self.last.readings:
            return "There is no question with readings yet."
        lines = [
            f"  {number}  {each.reading}" + (f": {each.says}" if each.says else "")
            for number, each in enumerate(self.last.readings, 1)
        ]
        return printable_lines([f"Readings of “{self.last.question}”:", *lines])

    def _trace(self) -> str:
        from clew.app.cli.trace import trace_lines

        if not self.last_trace:
            return "There is no answer to trace yet."
        return printable_lines(trace_lines(self.client.traces.show(self.last_trace)))


def _new_session() -> str:
    return f"chat-{secrets.token_hex(6)}"
