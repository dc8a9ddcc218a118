"""What a question is asked with, and the checks of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from clew.graphs.methods import METHODS as METHODS
from clew.graphs.methods import checked_method as checked_method
from clew.graphs.strategies import STRATEGIES as STRATEGIES
from clew.graphs.strategies import checked_strategies as checked_strategies
from clew.tools.errors import BadInput
from clew.tools.learning.generation.chosen import Decoding as Decoding
from clew.tools.learning.generation.load_options import Attention, DType

if TYPE_CHECKING:
    from clew.app.sessions.store import Waiting
    from clew.graphs.context import Context
    from clew.graphs.nodes.clarify import Chosen as Chosen
    from clew.graphs.run import Budget
    from clew.graphs.state import Turn as Turn


ATTENTIONS, DTYPES, DECODINGS = get_args(Attention), get_args(DType), get_args(Decoding)
"""How a generator can be loaded, and how it can choose."""


@dataclass(frozen=True, slots=True)
class AskRequest:
    """One question, and how to answer it."""

    question: str
    method: str | None = None
    """A method by its name; None for the default."""
    strategies: tuple[str, ...] | None = None
    """Retrieval strategies in place of a method."""
    thread: str | None = None
    """The conversation that it belongs to, if it is kept here."""
    origin: str = ""
    """Where the conversation begins, if not at the terminal: "page" or "api"."""
    history: tuple[Turn, ...] | None = None
    """The conversation that it belongs to, if the caller keeps it."""
    owner: str | None = None
    """The user who owns its trace."""
    seconds: float | None = None
    """Less time than the settings allow for a question."""
    rows: int | None = None
    tokens: int | None = None
    clarify: bool = False
    """Whether the run may end with a choice; only in a conversation that is kept here."""
    chosen: Chosen | None = None
    """The user's choice, to resume a question that waits for one (see `checked_choice`)."""
    reading: int | str | None = None
    """The reading of the question to answer: its number among the `readings` of a result, or its words. In a
    conversation, the answer takes the place of the last one, if that was to the same question."""
    strict: bool = False
    """Whether only what is sure and explained in full is an answer."""
    model: str | None = None
    """The language model of all roles, one that the settings allow; None for those of the settings."""
    without_model: bool = False
    """Whether no language model takes part, even if the settings name one."""
    steps: bool = True
    """Whether the events have each step."""
    messages: bool = False
    """Whether the events have the text of models while they write it."""
    updates: bool = False
    """Whether the events have what each node writes."""
    reread: bool = False
    """Whether it was answered before, and only its place in the conversation matters: without a language model, and
    without a trace."""

    def within(self, budget: Budget) -> Budget:
        """The limits of the settings, or less."""
        return replace(
            budget,
            seconds=min(self.seconds or budget.seconds, budget.seconds),
            max_rows=min(self.rows or budget.max_rows, budget.max_rows),
            max_tokens=min(self.tokens or budget.max_tokens, budget.max_tokens),
        )

    def configured(self, context: Context) -> Context:
        """The context of a graph as this question needs it. Raises BadInput for a method that cannot be used."""
        from clew.graphs.recorder import Recorder

        method = checked_method(self.method, self.strategies)
        changed: dict[str, Any] = {
            "budget": self.within(context.budget),
            "clarify": self.clarify and self.reading is None,
            "messages": self.messages, "reading": self.reading, "strict": self.strict,
        }  # fmt: skip
        if self.reread:
            changed["recorder"] = Recorder()
        without = self.reread or self.without_model
        chosen = replace(context, **changed).by_model(None if self.reread else self.model, without=without).by(method)
        return replace(chosen, strategies=self.strategies) if self.strategies else chosen


def checked_choice(waiting: Waiting | None, mention: str, entity: str | None) -> Chosen:
    """A user's choice for the question that a conversation waits with. Raises BadInput where it does not fit it."""
    if waiting is None:
        raise BadInput("This conversation waits for no choice.", "Ask the question again.")
    choice = waiting["choice"]
    ids = [candidate["id"] for candidate in choice["candidates"]]
    if mention != choice["mention"] or entity not in [*ids, None]:
        raise BadInput(
            f"The choice is about “{choice['mention']}”, between {', '.join(ids)}.",
            "Choose one of them, or null for any.",
        )
    return {"entity": entity}
