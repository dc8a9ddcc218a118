"""Forks of traced runs: where a fork leaves a run, what it changes, and what it takes over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from clew.app.former_names import present_name
from clew.app.traces.recording import Superstep
from clew.graphs.strategies import checked_strategies
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.graphs.run import Budget

_BUDGET = {
    "seconds": "seconds", "rows": "max_rows", "tokens": "max_tokens", "iterations": "max_iterations",
    "calls": "max_model_calls",
}  # fmt: skip
ENTITY = "entity:"


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a fork leaves a run, and what it changes there."""

    step: str
    """A node, "link", or which of its several runs, "link#2". It is the last step that is taken over."""
    strategies: tuple[str, ...] | None = None
    entities: Mapping[str, str] = field(default_factory=dict)
    """Ids of entities, by the words of the question that name them."""
    budget: Mapping[str, float] = field(default_factory=dict)
    """Of "seconds", "rows", "tokens", "iterations" and "calls"."""

    def to_json(self) -> dict[str, Any]:
        changes = {
            **({"strategies": list(self.strategies)} if self.strategies else {}),
            **{ENTITY + mention: id for mention, id in self.entities.items()},
            **self.budget,
        }
        return {"from": self.step, "set": changes}

    @classmethod
    def of(cls, step: str, settings: Mapping[str, Any]) -> Fork:
        """From settings by name, as the command line and `to_json` write them. Raises BadInput."""
        entities = {name[len(ENTITY) :]: str(value) for name, value in settings.items() if name.startswith(ENTITY)}
        budget = {name: _number(name, value) for name, value in settings.items() if name in _BUDGET}
        unknown = [n for n in settings if n != "strategies" and n not in _BUDGET and not n.startswith(ENTITY)]
        if unknown:
            raise BadInput(
                f"A fork cannot set {', '.join(unknown)}.",
                f"It can set strategies, {', '.join(_BUDGET)}, and {ENTITY}WORDS=ID for an entity.",
            )
        strategies = settings.get("strategies")
        named = strategies.split(",") if isinstance(strategies, str) else strategies
        return cls(present_name(step), checked_strategies(named), entities, budget)

    def within(self, budget: Budget, most: Budget | None) -> Budget:
        """`budget` with the fork's limits, and no more than `most`."""
        values = {_BUDGET[name]: value for name, value in self.budget.items()}
        if most is not None:
            values = {name: min(value, getattr(most, name)) for name, value in values.items()}
        return replace(budget, **values)  # type: ignore[arg-type]


def steps_kept(writes: Any, run: Mapping[str, Any], step: str) -> tuple[list[Superstep], list[dict[str, Any]]]:
    """The supersteps of `run` up to the one of `step`, and their spans.

    Args:
        writes: what the run's nodes wrote, as `TraceStore.writes` has it.

    Raises BadInput if they are not kept, or there is no such step.
    """
    if writes is None or run["given"] is None:
        raise BadInput(
            f"What the steps of {run['id']} wrote was not kept: it is of an earlier release, or was too much.",
            "Replay the run, and fork the replay.",
        )
    supersteps: list[Superstep] = [[(node, update) for node, update in each] for each in writes]
    names = _step_names(supersteps)
    numbered = step if "#" in step else f"{step}#1"
    places = [number for number, each in enumerate(names) if numbered in each]
    if not places:
        there = ", ".join(name.removesuffix("#1") for each in names for name in each)
        raise BadInput(f"The run has no step {step}.", f"It has {there}.")
    if numbered.startswith("reason#"):
        raise BadInput("Nothing follows the step reason.", "Fork from an earlier one.")
    kept = supersteps[: places[0] + 1]
    return kept, _spans_of(kept, run["spans"])


def with_change(kept: Sequence[Superstep], change: Mapping[str, Any]) -> list[Superstep]:
    """The supersteps with a change in what the last step wrote, so that a fork can be forked."""
    if not change:
        return list(kept)
    *others, (node, update) = kept[-1]
    return [*kept[:-1], [*others, (node, {**update, **change})]]


def _step_names(supersteps: Sequence[Superstep]) -> list[list[str]]:
    """By superstep its steps, as "link#2"."""
    seen: Counter[str] = Counter()
    names = []
    for each in supersteps:
        seen.update(node for node, _ in each)
        names.append([f"{node}#{seen[node]}" for node, _ in each])
    return names


def _spans_of(supersteps: Sequence[Superstep], spans: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The spans of the nodes that wrote; a node that was retried after an error has one for each attempt."""
    left, taken = Counter(node for each in supersteps for node, _ in each), []
    for span in spans:
        if left[span["node"]] > 0:
            taken.append(span)
            left[span["node"]] -= span["error"] is None
    return taken


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 < number < 1e9 or (name != "seconds" and number != int(number)):
        raise BadInput(f"{name} cannot be {value!r}.", "Give a number above 0; only seconds may have a fraction.")
    return number if name == "seconds" else int(number)
