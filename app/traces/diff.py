"""Differences between two traces: answers, query, steps with their results, model calls and time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from clew.app.traces.rows import count

_COMPARED = ("question", "graph", "status", "error")
_OUTCOME = ("cypher", "confidence", "explanation", "verdict", "choice")


def trace_diff(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Compare two runs, as `TraceStore.show` returns them.

    Returns: `changed` holds [before, after] by key; `steps` are matched by node and iteration, and `differs` says
    whether their results are different. Nothing is said of answers that a trace does not keep: `unclear` counts those
    of each run that may be among them in the other one.
    """
    before, after = _outcome(one), _outcome(other)
    changed = {key: [one[key], other[key]] for key in _COMPARED if one[key] != other[key]}
    changed |= {key: [before.get(key), after.get(key)] for key in _OUTCOME if before.get(key) != after.get(key)}
    answers = names_of(before), names_of(after)
    kept = [len(names) for names in answers]
    total = [count(before.get("answers")), count(after.get("answers"))]
    beyond = [[name for name in one_side if name not in other] for one_side, other in (answers, answers[::-1])]
    whole = [kept[place] == total[place] for place in (0, 1)]
    first, second = _steps(one), _steps(other)
    return {
        "a": one["id"],
        "b": other["id"],
        "same": not changed and answers[0] == answers[1] and total[0] == total[1],
        "changed": changed,
        "answers": {
            "only_a": beyond[0] if whole[1] else [],
            "only_b": beyond[1] if whole[0] else [],
            "unclear": [0 if whole[1] else len(beyond[0]), 0 if whole[0] else len(beyond[1])],
            "order_changed": answers[0] != answers[1] and sorted(answers[0]) == sorted(answers[1]),
            "kept": kept,
            "total": total,
        },
        "steps": [
            {
                "step": step,
                "a": first.get(step),
                "b": second.get(step),
                "differs": _without_time(first.get(step)) != _without_time(second.get(step)),
            }
            for step in dict.fromkeys([*first, *second])
        ],
        "ms": [one["ms"], other["ms"]],
        "model_calls": [_calls(one), _calls(other)],
    }


def diff_lines(diff: Mapping[str, Any]) -> Iterator[str]:
    """A difference as text: lines with - are of the first run only, lines with + of the second."""
    if diff["same"]:
        yield "The same answers, by the same query."
    for key, (before, after) in diff["changed"].items():
        yield f"{key}"
        yield from (f"  - {line}" for line in str(before).splitlines())
        yield from (f"  + {line}" for line in str(after).splitlines())
    answers = diff["answers"]
    if answers["only_a"] or answers["only_b"] or answers["order_changed"]:
        yield "answers" + (" (in another order)" if answers["order_changed"] else "")
        yield from (f"  - {name}" for name in answers["only_a"])
        yield from (f"  + {name}" for name in answers["only_b"])
    for kept, total in zip(answers["kept"], answers["total"], strict=True):
        if kept < total:
            yield f"  (a trace keeps the first {kept:,} of {total:,} answers)"
    for name, unclear in zip("ab", answers["unclear"], strict=True):
        if unclear:
            yield f"  ({unclear:,} kept answers of {name} may be among those that the other trace does not keep)"
    differing = [step for step in diff["steps"] if step["differs"]]
    if differing:
        yield "steps"
    for step in differing:
        for mark, result in (("-", step["a"]), ("+", step["b"])):
            if result is not None:
                yield f"  {mark} {step['step']}: {_title(result)} ({result['ms']:.0f} ms)"
    yield f"{diff['ms'][0]:.0f} ms and {diff['ms'][1]:.0f} ms"


def _title(step: Mapping[str, Any]) -> str:
    outputs = step["outputs"] if isinstance(step["outputs"], dict) else {}
    return str(step["error"] or outputs.get("title") or "")


def _outcome(run: Mapping[str, Any]) -> Mapping[str, Any]:
    return run["outcome"] if isinstance(run["outcome"], dict) else {}


def names_of(outcome: Mapping[str, Any]) -> list[str]:
    """The names of the answers that the trace keeps, best first."""
    answers = outcome.get("answers")
    listed = answers if isinstance(answers, list) else []
    if len(listed) > 1 and count(listed) > len(listed):
        listed = listed[:-1]  # The mark that says how many there were.
    return [str(answer["name"]) if isinstance(answer, dict) else str(answer) for answer in listed]


def _steps(run: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By "node" or, in a later iteration, "node, iteration 2"; the last run of a node that ran twice in one."""
    return {
        span["node"] + (f", iteration {span['iteration']}" if span["iteration"] > 1 else ""): {
            "outputs": span["outputs"],
            "error": span["error"],
            "queries": [_query(event["data"]) for event in span["events"] if event["kind"] == "query"],
            "ms": span["ms"],
        }
        for span in run["spans"]
    }


def _query(data: Any) -> Any:
    return {key: data.get(key) for key in ("cypher", "parameters", "rows")} if isinstance(data, dict) else data


def _without_time(step: Mapping[str, Any] | None) -> Any:
    return None if step is None else {key: value for key, value in step.items() if key != "ms"}


def _calls(run: Mapping[str, Any]) -> int:
    return sum(event["kind"] == "model call" for span in run["spans"] for event in span["events"])
