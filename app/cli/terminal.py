"""The terminal: all that commands print passes through here, and is made safe on its way (`clew.app.printable`).

Commands call `echo`, `bold`, `dim` and `confirm` in place of those of click; logs have the `LogFormatter`.
"""

from __future__ import annotations

import copy
import io
import logging
import secrets
from collections.abc import Iterable

import click

from clew.app.printable import printable, printable_line, printable_lines
from clew.tools.notices import NOTICES

_MARK = secrets.token_hex(8)
"""Part of the marks of styles. It is random, so that no text from elsewhere can hold one."""
_STYLES = {f"({_MARK} bold)": "\x1b[1m", f"({_MARK} dim)": "\x1b[2m", f"({_MARK} plain)": "\x1b[0m"}
_BOLD, _DIM, _PLAIN = _STYLES


def bold(text: str) -> str:
    """`text` in bold when `echo` prints it."""
    return f"{_BOLD}{text}{_PLAIN}"


def dim(text: str) -> str:
    """`text` in a faint colour when `echo` prints it."""
    return f"{_DIM}{text}{_PLAIN}"


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text; with `err` on standard error, without `nl` with no line end after it.

    Escapes replace the characters in it that would act on the terminal; its lines stay lines.
    """
    _print(printable(text), err, nl)


def echo_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Print lines, if any. A line end within one of them is printed as a space, so that no name can imitate a line."""
    if all_lines := list(lines):
        _print(printable_lines(all_lines), err, nl=True)


def confirm(question: str, *, default: bool = False) -> bool:
    """Ask a question on standard error, to be answered with yes or no."""
    return click.confirm(printable_line(question), default=default, err=True)


def show_click_error(error: click.ClickException) -> None:
    """Print an error in the use of the command line as click does."""
    text = io.StringIO()
    error.show(text)
    echo(text.getvalue(), err=True, nl=False)


class LogFormatter(logging.Formatter):
    """Records of a log: the message on one line, then the traceback, if any. A notice is its text alone."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        notice = record.name == NOTICES.name
        return printable_line(f"Note: {record.message}" if notice else super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        own = copy.copy(record)
        own.exc_text = None  # Another formatter may have left the traceback as it is.
        return printable(super().format(own))


def _print(text: str, err: bool, nl: bool) -> None:
    for mark, codes in _STYLES.items():
        text = text.replace(mark, codes)
    click.echo(text, err=err, nl=nl)
