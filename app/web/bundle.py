"""The modules of a page as one script.

It supports the forms that this folder's modules use: imports of one line from a file beside, and exported functions,
classes and constants. Other forms raise an error, so that none is lost unnoticed.
"""

from __future__ import annotations

import re
from importlib.resources import files

_IMPORT = re.compile(r'^import (?:\{ (?P<names>[\w, ]+) \}|\* as (?P<whole>\w+)) from "\./(?P<file>\w+\.js)";$', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*? |class |const )(?P<name>\w+))", re.M)
_LEFT = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|<(?:/script|!--).*", re.M | re.I)


class NotBundled(Exception):
    """A module has a form that is not supported."""


def web_file(name: str) -> str:
    """The text of a file of this folder."""
    return (files("clew.app.web") / name).read_text("utf-8")


def bundled(entry: str) -> str:
    """`entry` with all that it imports, each module in a function of its own, after those it imports. Raises
    NotBundled."""
    done: dict[str, str] = {}
    _add(entry, done, ())
    return "(() => {\n" + "\n".join(done.values()) + "\n})();"


def _add(name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    if name in above:
        raise NotBundled(f"{' → '.join([*above, name])} import each other.")
    if name in done:
        return
    text = web_file(name)
    for found in _IMPORT.finditer(text):
        _add(found["file"], done, (*above, name))
    names = [found["name"] for found in _EXPORT.finditer(text)]
    body = _EXPORT.sub("", _IMPORT.sub(_taken, text))
    if left := _LEFT.search(body):
        raise NotBundled(f"{name}: “{left[0]}” cannot be put into one script.")
    done[name] = f'const {_place(name)} = (() => {{\n"use strict";\n{body}\nreturn {{ {", ".join(names)} }};\n}})();'


def _taken(found: re.Match[str]) -> str:
    """An import as a constant."""
    what = found["whole"] or f"{{ {found['names'].replace(' as ', ': ')} }}"
    return f"const {what} = {_place(found['file'])};"


def _place(name: str) -> str:
    return f"module_{name.removesuffix('.js')}"
