"""Answers, tables and JSON on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from clew.app.answer_text import doubt_lines, reading_line, sentence_line
from clew.app.api.evidence import PASSAGE
from clew.app.cli.terminal import bold, dim, echo, echo_lines
from clew.app.printable import printable_json, printable_line
from clew.tools.atomic_files import write_text
from clew.tools.graph.identifiers import shown, shown_label

ANSWERS_SHOWN = 20
EVIDENCE_SHOWN = 12
PASSAGE_SHOWN = 300
"""Characters."""
NOTHING = "No answer found."


def print_result(as_json: bool, value: Any, lines: Iterable[str]) -> None:
    """Print a value as JSON, or its lines as text."""
    echo(printable_json(value)) if as_json else echo_lines(lines)


def print_list(as_json: bool, values: Sequence[Any], if_none: str, lines: Iterable[str]) -> None:
    """Print values as JSON, or a table of them as text; without any, `if_none` on standard error."""
    if values or as_json:
        print_result(as_json, values, lines)
    else:
        echo(if_none, err=True)


def print_or_write(text: str, out: Path | None) -> None:
    """Write a text to the file `out`, or print it if there is none."""
    if out is None:
        echo(text, nl=False)
        return
    write_text(out, text)
    echo(f"Written to {out}.", err=True)


def local_time(seconds: float, form: str = "%Y-%m-%d %H:%M") -> str:
    """A time in seconds since 1970, in the local time zone."""
    return datetime.fromtimestamp(seconds).strftime(form)


def shortened(value: object, most: int) -> str:
    """A value on one line of at most `most` characters."""
    line = printable_line(" ".join(str(value).split()))
    return line if len(line) <= most else line[: most - 1] + "…"


def answer_lines(result: Mapping[str, Any], choose: str = "") -> Iterator[str]:
    """The answer in a sentence, its names, reading, evidence, Cypher and confidence of one result (as `ask --json` has
    it).

    Args:
        result: The result.
        choose: How another reading of the question is chosen.
    """
    answers = result["answers"]
    doubt = list(doubt_lines(result))
    if not answers:
        yield from _nothing(result)
    yield from _doubt(result, choose)
    if answers and doubt:
        yield ""
    if said := sentence_line(result):
        yield said
    yield from _named(answers)
    if reading := reading_line(result):
        yield dim(reading)
    yield ""
    if result["evidence"]:
        yield "Evidence"
        spans = {span["id"]: span for answer in answers if (span := answer.get("passage"))}
        for item in result["evidence"][:EVIDENCE_SHOWN]:
            told = passage(item, spans.get(item["tail"]["id"])) if item["tail"]["label"] == PASSAGE else triple(item)
            yield f"  {told}"
        if len(result["evidence"]) > EVIDENCE_SHOWN:
            yield f"  … {len(result['evidence'])} triples in all"
    if result.get("cypher"):
        yield "Cypher"
        yield from _indented(result["cypher"])
        parameters = _parameters(result)
        if parameters:
            yield "  with " + ", ".join(f"${name} = {value!r}" for name, value in parameters.items())
    if len(result.get("queries") or ()) > 1:
        yield "United with the nodes of"
        yield from (f"  {query['number']}: {shown(query['words'])}" for query in result["queries"][1:])
    confidence = f"confidence {result['confidence']:.2f}, " if answers else ""
    yield f"{confidence}{result['ms']:.0f} ms, trace {result['trace_id']}"
    if result.get("model"):
        yield cost_line(result["model"])


def brief_lines(result: Mapping[str, Any], choose: str = "") -> Iterator[str]:
    """The answers of one result, how the question was read, and its other readings where the answer is not sure.

    Args:
        result: The result.
        choose: How another reading of the question is chosen.
    """
    yield from _named(result["answers"]) if result["answers"] else _nothing(result)
    if reading := reading_line(result):
        yield dim(reading)
    yield from _doubt(result, choose)


def _nothing(result: Mapping[str, Any]) -> Iterator[str]:
    yield NOTHING
    yield from _indented(result["explanation"].removeprefix(NOTHING).lstrip())


def _named(answers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The first answers, a line each; what is merely near comes after them, set apart."""
    near = [answer for answer in answers[:ANSWERS_SHOWN] if answer.get("near")]
    fitting = [answer for answer in answers[:ANSWERS_SHOWN] if answer not in near]
    yield from _columns(fitting) if _have_columns(fitting) else map(_named_one, fitting)
    if near:
        yield "Near to it:" if len(near) < len(answers) else "Nothing fits all of the question. Near to it:"
        yield from _indented("\n".join(map(_named_one, near)))
    if len(answers) > ANSWERS_SHOWN:
        yield f"… {len(answers)} answers in all; --json gives every one."


def _have_columns(answers: Sequence[Mapping[str, Any]]) -> bool:
    """Whether all answers have the same values beside their names, and several of them."""
    columns = {tuple(answer.get("values") or ()) for answer in answers}
    return len(answers) > 1 and len(columns) == 1 and len(columns.pop()) > 1


def _columns(answers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A table of the answers and their values; numbers to the right."""
    names = tuple(answers[0]["values"])
    numeric = {i for i, name in enumerate(names, 1) if all(_is_number(each["values"][name]) for each in answers)}
    rows = [(shown(each["name"]), *map(_cell, each["values"].values())) for each in answers]
    label = answers[0].get("label") or ""
    yield from table(("" if label == "value" else shown_label(label).lower(), *names), rows, frozenset(numeric))


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: ""}[value]
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else shown(str(value))


def _named_one(answer: Mapping[str, Any]) -> str:
    label = f"  ({shown_label(answer['label'])})" if answer.get("label") else ""
    values = answer.get("values") or {}
    told = answer.get("detail") or ", ".join(f"{name} {_cell(value)}" for name, value in values.items())
    detail = f"  {told}" if told else ""
    return shown(answer["name"]) + label + detail + _numbers(answer) + _own(answer)


def _doubt(result: Mapping[str, Any], choose: str) -> Iterator[str]:
    """What the result says of its certainty, with the other readings."""
    doubt = list(doubt_lines(result))
    yield from doubt
    if len(doubt) > 1 and choose:
        yield dim(f"  {choose}")


def cost_line(model: Mapping[str, Any]) -> str:
    """What a run's model calls took: "model: 2 calls, 1,840 + 62 tokens, $0.0021"."""
    calls = f"{model['calls']} call{'s' if model['calls'] != 1 else ''}"
    about = "about " if model["estimated"] else ""
    price = "" if model["price"] is None else f", ${model['price']:.4f}"
    return f"model: {calls}, {about}{model['input_tokens']:,} + {model['output_tokens']:,} tokens{price}"


def _numbers(answer: Mapping[str, Any]) -> str:
    """Which of the united queries found an answer."""
    return f"  [{', '.join(map(str, answer['queries']))}]" if answer.get("queries") else ""


def _own(answer: Mapping[str, Any]) -> str:
    return "  (the model's own: not in the evidence)" if answer.get("own") else ""


def one_line(result: Mapping[str, Any]) -> str:
    """All answers on one line, for pipes; the explanation where there is none. Doubt stands behind them."""
    doubt = " ".join(" ".join(doubt_lines(result)).split())
    if result["answers"]:
        own = " (the model's own)"
        names = ", ".join(
            shown(each["name"])
            + (f" ({each['detail']})" if each.get("detail") else "")
            + (own if each.get("own") else "")
            for each in result["answers"]
        )
        return f"{names}  ({doubt})" if doubt else names
    return " ".join([NOTHING, *result["explanation"].removeprefix(NOTHING).split(), *doubt.split()])


def choice_lines(choice: Mapping[str, Any]) -> Iterator[str]:
    """The entities between which the user chooses, numbered."""
    yield f"Which “{choice['mention']}”?"
    for number, candidate in enumerate(choice["candidates"], 1):
        about = f": {candidate['about']}" if candidate["about"] else ""
        yield f"  {number}  {shown(candidate['name'])} ({', '.join(map(shown_label, candidate['labels']))}){about}"


def step_line(step: Mapping[str, Any]) -> str:
    """A step of a run as it happens."""
    return f"  {step['node']}: {step['title']} ({step['ms']:.0f} ms)"


def triple(item: Mapping[str, Any]) -> str:
    """A fact; one that was extracted from documents with where it stands."""
    told = f"{shown(item['head']['name'])} —{item['relation']}→ {shown(item['tail']['name'])}"
    extracted = any(found["strategy"] == "documents" for found in item.get("found_by", ()))
    return f"{told} [{item['properties']['source']}]" if extracted and item["properties"].get("source") else told


def passage(item: Mapping[str, Any], span: Mapping[str, Any] | None = None) -> str:
    """A piece of a document with where it stands. The span that answers is bold, and the text around it is shown."""
    place = "" if item["relation"] == "text" else f", {item['relation']}"
    text = item["tail"]["name"]
    source = f"[{item['head']['name']}{place}]"
    if span is None:
        plain = " ".join(text.split())
        return f"{source} {plain[:PASSAGE_SHOWN]}{'…' if len(plain) > PASSAGE_SHOWN else ''}"
    first = max(0, min(span["start"] - PASSAGE_SHOWN // 2, len(text) - PASSAGE_SHOWN))
    last = max(span["end"], first + PASSAGE_SHOWN)
    parts = (text[first : span["start"]], text[span["start"] : span["end"]], text[span["end"] : last])
    before, said, after = (" ".join(f"|{part}|".split())[1:-1] for part in parts)
    cut = ("…" if first else "", "…" if last < len(text) else "")
    return f"{source} {cut[0]}{before}{bold(said)}{after}{cut[1]}"


def _parameters(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Those of the query that gave the answers, as its evidence has them."""
    for item in result["evidence"]:
        for found in item["found_by"]:
            if found["cypher"] == result["cypher"]:
                parameters: Mapping[str, Any] = found["parameters"]
                return parameters
    return {}


def _indented(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield f"  {line}"


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural if it is not 1."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def table(
    header: tuple[str, ...], rows: Sequence[tuple[str, ...]], right: frozenset[int] = frozenset()
) -> Iterator[str]:
    """Columns as wide as their widest cell; those numbered in `right` are aligned to the right."""
    lines = [[printable_line(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in lines) for i in range(len(header))]
    for row in lines:
        cells = [row[i].rjust(width) if i in right else row[i].ljust(width) for i, width in enumerate(widths)]
        yield "  ".join(cells).rstrip()
