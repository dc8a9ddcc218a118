"""The tables of a database, by SQLAlchemy's reflection: columns, types, primary and foreign keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.tools.errors import BadInput
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.source import Advance
from clew.tools.ingest.tables.sources.source_table import DeclaredReference, Hint, Row, Source

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine, Inspector, Select

_ROWS = 5000
_DRIVERS = {
    "postgres": ("postgresql+psycopg", "postgres"),
    "postgresql": ("postgresql+psycopg", "postgres"),
    "mysql": ("mysql+pymysql", "mysql"),
    "mariadb": ("mariadb+pymysql", "mysql"),
}
"""The scheme of a URL to the dialect with the driver that is used, and the extra that installs it."""
_URL = re.compile(r"[a-z][a-z0-9]+(\+[a-z0-9_]+)?://")
SQLITE_MAGIC = b"SQLite format 3\0"


def is_url(text: str) -> bool:
    """Whether the text is a database's URL, such as sqlite:///shop.db."""
    return _URL.match(text) is not None


def checked(url: str) -> str:
    """The URL without its password. Raises BadInput if it is none of the known databases."""
    scheme = url.partition("://")[0]
    if not is_url(url) or scheme not in ("sqlite", *_DRIVERS):
        message = f"{url.split('@')[-1]} is no URL of a database that Clew reads."
        raise BadInput(message, "Write postgresql://USER:PASSWORD@HOST/NAME, mysql://… or sqlite:///FILE.")
    return _without_password(url, _address(url))


def tables(url: str, shown: str | None = None) -> list[Source]:
    """The tables of a database, without views and system tables.

    Args:
        url: SQLAlchemy's URL; `postgresql://` takes the driver psycopg, `mysql://` PyMySQL.
        shown: what messages call the database, if not its URL without the password.

    Raises:
        BadInput: the database cannot be reached, its driver is missing, or it has no table.
    """
    from sqlalchemy import inspect
    from sqlalchemy.exc import SQLAlchemyError

    address = _address(url)
    shown = shown or _without_password(url, address)
    try:
        engine = _engine(address)
        inspector = inspect(engine)
        found = [_table(engine, inspector, name, shown) for name in inspector.get_table_names()]
    except ModuleNotFoundError as error:
        extra = _DRIVERS.get(url.partition("://")[0], ("", ""))[1]
        remedy = f"Install it: pip install 'clew[{extra}]'." if extra else f"Install {error.name}."
        raise BadInput(f"{shown} needs the driver {error.name}.", remedy) from error
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
        raise BadInput(f"{shown} cannot be read: {reason}.", "Check the address, the user and the password.") from error
    if not found:
        raise BadInput(f"{shown} has no table.", "Check the name of the database.")
    return found


def _without_password(url: str, address: URL) -> str:
    """The URL as the user wrote it, without the password."""
    scheme = url.partition("://")[0]
    return url if scheme == "sqlite" else address.set(drivername=scheme).render_as_string(hide_password=True)


def _address(url: str) -> URL:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    scheme, _, rest = url.partition("://")
    try:
        address = make_url(f"{_DRIVERS.get(scheme, (scheme,))[0]}://{rest}")
    except (ArgumentError, ValueError) as error:
        raise BadInput(f"{url.split('@')[-1]} is not a database URL.", "Write sqlite:///path/to/file.db.") from error
    if scheme.startswith("sqlite"):
        path = Path(address.database or "")
        if not path.is_file():
            raise BadInput(f"{path}: no such file.", "Check the path: sqlite:///file.db, sqlite:////folder/file.db.")
        return address.set(database=f"file:{path.absolute()}", query={"mode": "ro", "uri": "true"})
    return address


def _engine(address: URL) -> Engine:
    from sqlalchemy import create_engine
    from sqlalchemy.exc import NoSuchModuleError

    try:
        return create_engine(address)
    except NoSuchModuleError as error:
        message = f"Clew cannot read databases of the kind {address.drivername}."
        raise BadInput(message, "Use sqlite://, postgresql:// or mysql://, or export the tables as CSV.") from error


def _table(engine: Engine, inspector: Inspector, name: str, shown: str) -> Source:
    from sqlalchemy import types

    columns, hints, left_out = [], {}, {}
    for column in inspector.get_columns(name):
        kind = column["type"]
        if isinstance(kind, types.LargeBinary):
            left_out[column["name"]] = "binary data"
            continue
        columns.append(column["name"])
        if hint := _hint(kind):
            hints[column["name"]] = hint
    return Source(
        table=name,
        path=Path(shown),
        what=f"the table {name} of a database",
        columns=tuple(columns),
        rows=partial(_rows, engine, name, columns),
        hints=hints,
        left_out=left_out,
        key=tuple(inspector.get_pk_constraint(name)["constrained_columns"]),
        references=tuple(
            DeclaredReference(
                tuple(each["constrained_columns"]), each["referred_table"], tuple(each["referred_columns"])
            )
            for each in inspector.get_foreign_keys(name)
            if each.get("referred_schema") is None
        ),
    )  # fmt: skip


def _hint(kind: Any) -> Hint | None:
    from sqlalchemy import types

    if isinstance(kind, types.Boolean) or getattr(kind, "display_width", None) == 1:
        return "boolean"
    return "text" if isinstance(kind, types.String) else None


def _rows(
    engine: Engine, name: str, columns: Sequence[str], _advance: Advance | None = None
) -> Iterator[Row | BadLine]:
    """The rows, numbered from 1, as the driver gives them: SQLAlchemy's types refuse dates that SQLite stores."""
    from sqlalchemy import column, select, table

    query: Select[*tuple[Any, ...]] = select(*map(column, columns)).select_from(table(name))
    with engine.connect() as connection:
        found = connection.execution_options(yield_per=_ROWS).execute(query)
        for number, row in enumerate(found, start=1):
            yield number, [_plain(value) for value in row]


def _plain(value: Any) -> Any:
    """The value as text, number, boolean or date."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list | tuple | set):
        return ", ".join(str(item) for item in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return None if isinstance(value, bytes | memoryview) else value
