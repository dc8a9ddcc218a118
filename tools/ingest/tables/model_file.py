"""Graph models as YAML files: written for people to edit, and read back with errors that name the line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from clew.tools.errors import BadInput
from clew.tools.ingest.tables.model import GraphModel

_HEAD = """\
# What the tables become in the graph. Edit it, then run: clew import … --model {name}
# node: the label of the rows; key: the columns that identify rows; name: the columns that name a row;
# references: columns that become relationships; columns: what becomes a property, with its type
# (text, integer, number, boolean, date, datetime). Move a column to left_out to drop it.
"""


def dump(model: GraphModel) -> str:
    """The model as YAML, without fields that have their usual value."""
    fields = {"version": model.version, **model.model_dump(exclude_defaults=True)}
    return yaml.dump(fields, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


class _Dumper(yaml.SafeDumper):
    """Writes lists of plain values in one line."""

    def represent_list(self, data: Iterable[Any]) -> yaml.SequenceNode:
        flow = not any(isinstance(item, dict | list) for item in data)
        return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flow)

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.add_representer(list, _Dumper.represent_list)


def write(model: GraphModel, path: Path) -> None:
    """Write the model to a file, with a short explanation at its head. Raises BadInput."""
    try:
        path.write_text(_HEAD.format(name=path.name) + dump(model), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}.", "Choose another path for --plan.") from error


def read(path: Path) -> GraphModel:
    """Read a model. Raises BadInput, which names the line and what is wrong there."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.", "Check the path; --plan writes a model.") from error
    return parse(text, str(path))


def parse(text: str, file: str) -> GraphModel:
    """The model in a text; `file` is what errors call it. Raises BadInput."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "not YAML"
        raise BadInput(f"{file}{line}: {problem}.", "Correct the line; --plan writes a model to start from.") from error
    _refuse_doubles(root, file)
    try:
        return GraphModel.model_validate(found)
    except ValidationError as error:
        message = _listed(error, lambda place: f"{file}:{_line(root, place)}: ")
        raise BadInput(message, "Correct these lines; --plan writes a model to start from.") from error


def checked(fields: Mapping[str, Any]) -> GraphModel:
    """The model with these fields, as a file would have them. Raises BadInput, which names what is wrong."""
    try:
        return GraphModel.model_validate(dict(fields))
    except ValidationError as error:
        raise BadInput(_listed(error, lambda place: ""), "Correct these fields of the model.") from error


def _listed(error: ValidationError, where: Callable[[Sequence[Any]], str]) -> str:
    """The first errors, one a line."""
    listed = []
    for each in error.errors()[:5]:
        place = [part for part in each["loc"] if part in ("tables",) or not str(part).startswith("function-")]
        listed.append(f"{where(place)}{_where(place)}{_reason(each)}.")
    more = error.error_count() - len(listed)
    return "\n".join(listed) + (f"\n… and {more} more" if more > 0 else "")


def _reason(error: Any) -> str:
    kind, text = error["type"], str(error["msg"])
    if kind == "extra_forbidden":
        return "there is no such field"
    if kind == "string_pattern_mismatch":
        return f"`{error['input']}` must be a letter, then letters, digits and underscores"
    return text.removeprefix("Value error, ").rstrip(".")


def _where(place: Sequence[Any]) -> str:
    return f"`{'.'.join(map(str, place))}`: " if place else ""


def _line(root: Any, place: Sequence[Any]) -> int:
    """The line of the innermost part of `place` that the file has."""
    node, line = root, 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(part)), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line


def _refuse_doubles(node: Any, file: str) -> None:
    """YAML keeps the last of two equal keys without a word."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                message = f"{file}:{key.start_mark.line + 1}: `{key.value}` is there twice."
                raise BadInput(message, "Remove one of the two.")
            seen.add(key.value)
            _refuse_doubles(value, file)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_doubles(value, file)
