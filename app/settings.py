"""Settings: from the command line, else `CLEW_…` environment variables, else the defaults here."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from tools.errors import BadInput

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


class Settings(BaseSettings):
    """Every setting is an environment variable of the same name in capitals, with `CLEW_` before it."""

    model_config = SettingsConfigDict(env_prefix="CLEW_", frozen=True, env_ignore_empty=True)

    home: Path = Field(default_factory=lambda: user_data_path("clew", appauthor=False))
    """The folder of the embedded database, the indexes, the conversations and the traces."""
    database_url: str | None = None
    """A Bolt server to use instead of the embedded database: bolt://host:7687 or neo4j://host:7687."""
    database_user: str | None = None
    database_password: SecretStr | None = None
    """Of a user who may write, for imports."""
    reader_user: str | None = None
    reader_password: SecretStr | None = None
    """Of a user who can only read, for what questions cause; without one, other safeguards have to do."""
    database_http_url: str | None = None
    """The HTTP API of an ArcadeDB server, where it is not on port 2480 of the same host."""
    question_seconds: float = Field(default=20.0, gt=0)
    """Time for one question; what was found by then is the answer."""
    question_rows: int = Field(default=2000, ge=1)
    """Rows of one query; an answer that was cut says so."""
    question_tokens: int = Field(default=4000, ge=1)
    """Evidence kept for one answer."""
    path_semantics: Literal["trail", "walk", "either"] = "either"
    """Whether a path may take one relationship twice: never, always, or only where it leads nowhere otherwise."""
    traces_kept: int = Field(default=1000, ge=1)
    """Older traces are removed."""

    @field_validator("home")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("database_url")
    @classmethod
    def _bolt(cls, value: str | None) -> str | None:
        if value is not None and (urlsplit(value).scheme not in SCHEMES or not urlsplit(value).hostname):
            raise ValueError(f"is no Bolt address; it begins with one of {', '.join(s + '://' for s in SCHEMES)}")
        return value


def load_settings(**given: object) -> Settings:
    """The settings with `given` (those that are not None) before the environment.

    Raises BadInput that names the setting where a value cannot be used.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        raise BadInput(
            f"The setting {name} ({first['input']!r}) cannot be used: {reason}.",
            f"It comes from --{name.replace('_', '-')} or the environment variable CLEW_{name.upper()}.",
        ) from None
