"""What all commands share: the global options, and the client made from them when first needed."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.app.cli.terminal import LogFormatter

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.app.settings import Settings


QUIET = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
"""Environment variables that keep libraries from writing to standard error."""


def new_client(settings: Settings) -> Client:
    """A client that shows progress on standard error."""
    from clew.app.api.client import Client
    from clew.app.cli.progress_bars import ProgressBars

    return Client(settings, ProgressBars())


class Invocation:
    """One `clew …` command."""

    def __init__(self, client: Callable[[Settings], Client] = new_client) -> None:
        """`client` makes the client of the command from its settings."""
        self._client = client
        self.home: Path | None = None
        self._database_url: str | None = None
        self.models: dict[str, Any] = {}
        """What the command line says about language models: `model`, `base_url`, settings that begin with
        `generator`, `workers`, and `vectors`."""

    def configure(self, home: Path | None, database_url: str | None, verbose: int) -> None:
        """Take the global options, before anything is made from them."""
        self.home, self._database_url = home, database_url
        level = {0: logging.ERROR, 1: logging.INFO}.get(verbose, logging.DEBUG)
        handler = logging.StreamHandler()
        handler.setFormatter(LogFormatter("%(levelname)s %(name)s: %(message)s"))
        logging.basicConfig(level=level, handlers=[handler])
        if not verbose:
            warnings.simplefilter("ignore")
            logging.getLogger("neo4j").setLevel(logging.CRITICAL)  # Its errors are raised, too.
            for name, value in QUIET.items():
                os.environ.setdefault(name, value)

    @cached_property
    def settings(self) -> Settings:
        from clew.app.settings import load_settings
        from clew.tools.errors import BadInput

        settings = load_settings(
            home=self.home,
            database_url=self._database_url,
            model=self.models.get("model"),
            model_base_url=self.models.get("base_url"),
            **{name: value for name, value in self.models.items() if name not in ("model", "base_url")},
        )
        if "base_url" in self.models and settings.model is None and not settings.models:
            raise BadInput("--base-url says where a model is, but none is named.", "Add --model NAME.")
        return settings

    @cached_property
    def client(self) -> Client:
        return self._client(self.settings)

    def close(self) -> None:
        if "client" in self.__dict__:
            self.client.close()


pass_invocation = click.make_pass_decorator(Invocation)
