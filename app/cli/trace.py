"""`clew trace`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import json_option
from clew.app.cli.render import local_time, print_list, print_or_write, print_result, shortened, table
from clew.app.cli.terminal import echo
from clew.app.cli.trace_records import QUESTION_SHOWN, record_lines
from clew.app.cli.trace_replay import fork, replay
from clew.app.printable import printable_json

VALUE_SHOWN = 400
PLAN_SHOWN = 4000
PROMPT_SHOWN = 4000
"""Characters of a prompt or a model's reply."""


@click.group()
def trace() -> None:
    """Inspect how answers were found.

    Every question leaves a trace: linked entities, candidate queries with scores and reasons, the executed Cypher with
    its parameters and rows, and decisions.
    """


trace.add_command(replay)
trace.add_command(fork)


@trace.command("list")
@click.option("--graph", "-g", metavar="NAME", help="Only runs on this graph.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="How many, newest first.")
@json_option
@pass_invocation
def list_runs(invocation: Invocation, graph: str | None, limit: int, as_json: bool) -> None:
    """List the latest runs."""
    runs = invocation.client.traces.list(limit, graph)
    rows = [
        (run["id"], _when(run), run["graph"], str(run["answers"]), f"{run['ms']:.0f}", _status(run)) for run in runs
    ]
    header = ("id", "when", "graph", "answers", "ms", "question")
    none = "There is no trace yet: every `clew ask` leaves one."
    print_list(as_json, runs, none, table(header, rows, right=frozenset({3, 4})))


@trace.command()
@click.option("--graph", "-g", metavar="NAME", help="Only of this graph.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write to this file.")
@click.option("--json", "as_json", is_flag=True, help="All feedback as JSON, with ratings and notes.")
@pass_invocation
def feedback(invocation: Invocation, graph: str | None, out: Path | None, as_json: bool) -> None:
    """Print the questions that users rated, for `clew eval` and `clew teach`.

    A line has the question and its right answers: those that were given, if the user rated them as right, or those that
    the user named. Other feedback is only in --json.

    \b
    Examples:
      clew trace feedback --graph films --out rated.jsonl
      clew teach rated.jsonl --graph films
    """
    kept = invocation.client.traces.feedback
    if as_json:
        text = printable_json(kept.list(graph=graph))
    else:
        text = "".join(f"{line}\n" for line in kept.lines(graph=graph))
    if text or out is not None:
        print_or_write(text, out)


@trace.command()
@click.argument("id")
@json_option
@pass_invocation
def show(invocation: Invocation, id: str, as_json: bool) -> None:
    """Show the run ID (a prefix of the id is enough)."""
    run = invocation.client.traces.show(id)
    print_result(as_json, run, trace_lines(run))


@trace.command()
@click.argument("a")
@click.argument("b")
@json_option
@pass_invocation
def diff(invocation: Invocation, a: str, b: str, as_json: bool) -> None:
    """Show the differences between the runs A and B."""
    from clew.app.traces.diff import diff_lines, trace_diff

    traces = invocation.client.traces
    found = trace_diff(traces.show(a), traces.show(b))
    print_result(as_json, found, diff_lines(found))


@trace.command()
@click.argument("id")
@click.option("--format", "form", type=click.Choice(["json", "html"]), default="json", show_default=True,
              help="The record, or a page that shows it without a server.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="To write, else printed.")
@pass_invocation
def export(invocation: Invocation, id: str, form: str, out: Path | None) -> None:
    """Export the run ID: as JSON, or as one HTML file that opens anywhere and loads nothing.

    \b
    clew trace export 3f9a --format html --out why.html
    """
    from clew.app.traces.page import trace_page

    run = invocation.client.traces.show(id)
    text = trace_page(run) if form == "html" else printable_json(run) + "\n"
    print_or_write(text, out)


@trace.command()
@click.option("--keep", type=click.IntRange(min=0), metavar="N", help="Keep the latest N (CLEW_TRACES_KEPT).")
@click.option("--days", type=click.FloatRange(min=0), metavar="D", help="Keep those of the last D days.")
@click.option("--mb", type=click.FloatRange(min=0), metavar="M", help="Keep M megabytes of them.")
@json_option
@pass_invocation
def prune(invocation: Invocation, keep: int | None, days: float | None, mb: float | None, as_json: bool) -> None:
    """Remove old traces now, and shrink the file.

    Every question removes traces beyond the limits of the settings, but the file keeps its size. `--keep 0` removes
    all.
    """
    from dataclasses import replace

    given = {"runs": keep, "days": days, "megabytes": mb}
    limits = {name: value for name, value in given.items() if value is not None}
    client = invocation.client
    done = client.traces.prune(replace(client.retention, **limits))  # type: ignore[arg-type]
    if as_json:
        echo(json.dumps(done))
        return
    sizes = f"{done['before'] / 1e6:.1f} MB to {done['after'] / 1e6:.1f} MB"
    echo(f"Removed {done['removed']} traces; {done['kept']} are kept. The file went from {sizes}.")


def trace_lines(run: Mapping[str, Any]) -> Iterator[str]:
    """A run as text: each step with its time, outputs and events."""
    yield f"{run['question']}"
    yield f"{run['graph']}, {_when(run)}, {run['ms']:.0f} ms, {run['status']}, trace {run['id']}"
    if run.get("replay_of"):
        yield f"{'fork' if (run.get('given') or {}).get('fork') else 'replay'} of {run['replay_of']}"
    if run["error"]:
        yield f"error: {run['error']}"
    for span in run["spans"]:
        yield ""
        again = f", iteration {span['iteration']}" if span["iteration"] else ""
        yield f"{span['node']}  at {span['start_ms']:.0f} ms for {span['ms']:.1f} ms{again}"
        if span["error"]:
            yield f"  error: {span['error']}"
        outputs = span["outputs"] if isinstance(span["outputs"], dict) else {}
        for line in [outputs.get("title"), *outputs.get("details", [])]:
            if line:
                yield f"  {line}"
        for event in span["events"]:
            yield from _event_lines(event)


def _event_lines(event: Mapping[str, Any]) -> Iterator[str]:
    data = event["data"] if isinstance(event["data"], dict) else {"data": event["data"]}
    if event["kind"] == "model call" and isinstance(event["data"], dict):
        yield from _call_lines(data)
        return
    if event["kind"] == "generator" and "chosen" in data:
        yield from _generator_lines(data)
        return
    if (lines := record_lines(event["kind"], data)) is not None:
        first, *others = lines
        yield f"  - {first}"
        yield from (f"  {line}" for line in others)
        return
    yield f"  - {event['kind']}"
    for key, value in data.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines = _shown(text, PLAN_SHOWN if event["kind"] == "plan" else VALUE_SHOWN)
        yield f"      {key}: {lines[0] if lines else ''}"
        for line in lines[1:]:
            yield f"        {line}"


def _call_lines(call: Mapping[str, Any]) -> Iterator[str]:
    """A call of a model: role, model and cost on one line, then prompt and reply."""
    about = "about " if call.get("estimated") else ""
    price = call.get("price")
    facts = [
        f"{call.get('role', '')}, {call.get('model') or 'no model'}",
        f"prompt {call.get('prompt', '')} ({call.get('digest', '')})",
        f"{about}{call.get('input_tokens', 0)} + {call.get('output_tokens', 0)} tokens",
        *([f"${price:.6f}"] if isinstance(price, (int, float)) else []),
        f"{call.get('ms', 0):.0f} ms",
        *([f"{call['attempts']} attempts"] if call.get("attempts", 1) != 1 else []),
        *([f"ended by {call['finish_reason']}"] if call.get("finish_reason") else []),
    ]
    yield f"  - model call: {', '.join(facts)}"
    for part in ("system", "user", "reply", "error"):
        if call.get(part):
            yield f"      {part}"
            for line in _shown(str(call[part]), PROMPT_SHOWN):
                yield f"        | {line}"


def _generator_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """The likeliest queries of a generator, and for the first one the alternatives at each step."""
    least = "" if data.get("exact") else ", not proven the best"
    work = f"{data.get('considered')} candidates, {data.get('passes')} passes of the model, {data.get('ms', 0):.0f} ms"
    yield f"  - generator: {data.get('by')}, {work}{least}"
    chosen = data["chosen"]
    for each in chosen:
        probability = each.get("probability")
        yield f"      {f'{probability:8.2%}' if probability is not None else '       ?'}  {each.get('query', '')}"
    for choice in chosen[0].get("choices", ()) if chosen else ():
        others = [(token, p) for token, p in choice["options"] if token != choice["taken"]]
        beside = ", ".join(f"{_token(token)} {p:.1%}" for token, p in others) or "nothing likely"
        yield f"        {_token(choice['taken'])} {choice['probability']:.1%} of {choice['of']}, beside {beside}"


def _token(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if text else "(end)"


def _shown(text: str, most: int) -> list[str]:
    return (text if len(text) <= most else f"{text[:most]}… (--json has more)").splitlines()


def _status(run: Mapping[str, Any]) -> str:
    short = shortened(run["question"], QUESTION_SHOWN)
    marks = [run["status"]] if run["error"] is not None else []
    marks += [f"again {run['replay_of']}"] if run.get("replay_of") else []
    return f"{short}  [{', '.join(marks)}]" if marks else short


def _when(run: Mapping[str, Any]) -> str:
    return local_time(run["started"], "%Y-%m-%d %H:%M:%S")
