"""Forks of traced runs: the steps up to one are taken over, something is changed, and the rest runs anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING, Any

from clew.app.container import Container
from clew.app.traces.inputs import Superstep
from clew.app.traces.recording import Origin
from clew.app.traces.replaying import Noted, ReplayResult, budget_of, compared, differences, is_statement, opened
from clew.graphs.context import STRATEGIES
from clew.graphs.run import Budget
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.graphs.context import Context

_BUDGET = {
    "seconds": "seconds", "rows": "max_rows", "tokens": "max_tokens", "iterations": "max_iterations",
    "calls": "max_model_calls",
}  # fmt: skip
ENTITY = "entity:"


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a run is left, and what is changed there."""

    step: str
    """A node, "link", or which of several runs of it, "link#2". It is done already: what follows it runs anew."""
    strategies: tuple[str, ...] | None = None
    entities: Mapping[str, str] = field(default_factory=dict)
    budget: Mapping[str, float] = field(default_factory=dict)
    """Of "seconds", "rows", "tokens", "iterations" and "calls"."""

    def to_json(self) -> dict[str, Any]:
        set_ = {
            **({"strategies": list(self.strategies)} if self.strategies else {}),
            **{ENTITY + mention: id for mention, id in self.entities.items()},
            **self.budget,
        }
        return {"from": self.step, "set": set_}

    @classmethod
    def of(cls, step: str, settings: Mapping[str, Any]) -> Fork:
        """From settings by name, as the command line and `to_json` have them. Raises BadInput."""
        entities = {name[len(ENTITY) :]: str(value) for name, value in settings.items() if name.startswith(ENTITY)}
        budget = {name: _number(name, value) for name, value in settings.items() if name in _BUDGET}
        unknown = [n for n in settings if n != "strategies" and n not in _BUDGET and not n.startswith(ENTITY)]
        if unknown:
            raise BadInput(
                f"A fork cannot set {', '.join(unknown)}.",
                f"There are strategies, {', '.join(_BUDGET)}, and {ENTITY}WORDS=ID for an entity.",
            )
        return cls(step, _strategies(settings["strategies"]) if "strategies" in settings else None, entities, budget)


def fork(
    container: Container,
    id: str,
    wanted: Fork,
    *,
    owner: str | None = None,
    open_context: Callable[[str], Context] | None = None,
    capped: bool = False,
    cancelled: Event | None = None,
    beside: Mapping[str, Any] | None = None,
) -> ReplayResult:
    """Go on from a step of the run `id`. The fork's trace holds the steps that it took over, which took it no time, and
    those that it ran; it is compared with the run, or with the one `beside`. Raises as `traces.replaying.replay`."""
    from clew.graphs.forks import Changes, lay

    run = container.traces.show(id, owner)
    kept, taken = _kept(container, run, wanted.step)
    context = opened(run, open_context or container.context)
    given, changes = run["given"], Changes(wanted.strategies, wanted.entities)
    strategies = wanted.strategies or (tuple(given["strategies"]) if given.get("strategies") else None)
    budget = _within(wanted.budget, budget_of(given, context, capped), context.budget if capped else None)
    live = replace(context, strategies=strategies, budget=budget)
    laid = lay(kept, run["question"], given.get("history") or [], changes, live)
    origin = Origin(run["id"], run["thread"], wanted.to_json(), taken, _changed(kept, laid.change))
    noted = Noted(replace(container.recorder, owner=run["owner"], origin=origin))

    def again() -> None:
        from clew.graphs.ask import stream

        going = replace(live, recorder=noted)
        with closing(stream(laid.graph, going, run["question"], laid.thread, laid=True, cancelled=cancelled)) as told:
            for _ in told:
                pass

    return compared(container, beside or run, noted, again, differences(run, context, noted))


def _kept(container: Container, run: Mapping[str, Any], step: str) -> tuple[list[Superstep], list[dict[str, Any]]]:
    """The supersteps up to the one of `step`, and their spans. Raises BadInput."""
    if is_statement(run):
        raise BadInput("A check of a statement cannot be gone on with from a step.", "Replay it: clew trace replay.")
    writes = container.traces.writes(run["id"])
    if writes is None or run["given"] is None:
        raise BadInput(
            f"What the steps of {run['id']} wrote was not kept: it is of an earlier release, or was too much.",
            "Replay the run, and fork the replay.",
        )
    supersteps: list[Superstep] = [[(node, update) for node, update in each] for each in writes]
    names = [[name for name, _ in each] for each in _named(supersteps)]
    wanted = step if "#" in step else f"{step}#1"
    places = [number for number, each in enumerate(names) if wanted in each]
    if not places:
        there = ", ".join(name.removesuffix("#1") for each in names for name in each)
        raise BadInput(f"The run has no step {step}.", f"It has {there}.")
    if wanted.startswith("reason#"):
        raise BadInput("Nothing follows the step reason.", "Fork from an earlier one.")
    kept = supersteps[: places[0] + 1]
    return kept, _spans_of(kept, run["spans"])


def _named(supersteps: Sequence[Superstep]) -> list[list[tuple[str, int]]]:
    """Every step as ("link#2", superstep)."""
    seen: Counter[str] = Counter()
    named = []
    for number, each in enumerate(supersteps):
        seen.update(node for node, _ in each)
        named.append([(f"{node}#{seen[node]}", number) for node, _ in each])
    return named


def _spans_of(supersteps: Sequence[Superstep], spans: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The spans of the nodes that wrote; a node that was run again after an error has one for each time."""
    left, taken = Counter(node for each in supersteps for node, _ in each), []
    for span in spans:
        if left[span["node"]] > 0:
            taken.append(span)
            left[span["node"]] -= span["error"] is None
    return taken


def _changed(kept: Sequence[Superstep], change: Mapping[str, Any]) -> list[Superstep]:
    """What was written with the change in it, so that a fork can be forked."""
    if not change:
        return list(kept)
    *others, (node, update) = kept[-1]
    return [*kept[:-1], [*others, (node, {**update, **change})]]


def _within(wanted: Mapping[str, float], budget: Budget, most: Budget | None) -> Budget:
    """The budget with what is wanted, and no more than `most`."""
    values = {_BUDGET[name]: value if name == "seconds" else int(value) for name, value in wanted.items()}
    if most is not None:
        values = {name: min(value, getattr(most, name)) for name, value in values.items()}
    return replace(budget, **values)  # type: ignore[arg-type]


def _strategies(value: Any) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(value.split(",") if isinstance(value, str) else value))
    unknown = [str(name) for name in names if name not in STRATEGIES]
    if unknown or not names:
        raise BadInput(f"Unknown strategies: {', '.join(unknown) or 'none'}.", f"There are {', '.join(STRATEGIES)}.")
    return names


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 < number < 1e9 or (name != "seconds" and number != int(number)):
        raise BadInput(f"{name} cannot be {value!r}.", "Give a number above 0, and a whole one but for seconds.")
    return number
