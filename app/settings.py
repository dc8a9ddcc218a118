"""Settings: from the command line, else `CLEW_…` environment variables, else the defaults here."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import unquote, urlsplit

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from clew.agents.answering.confidence import ENOUGH
from clew.agents.answering.union import NODES
from clew.agents.models.calls import Role
from clew.app.addresses import bolt_address, web_address
from clew.app.traces.redaction import NOT_KEPT, redacted
from clew.tools.documents.reading.options import ReadingOptions
from clew.tools.documents.search_options import EDGE_KINDS, MOST_SPLITS, Mode, SearchOptions
from clew.tools.errors import BadInput
from clew.tools.learning.generation.chosen import Decoding
from clew.tools.learning.generation.load_options import Attention, DType

OPTIONS = {"model_base_url": "base-url"}
"""Settings whose option on the command line has another name."""


class RoleModel(BaseModel):
    """The model of one role; what is not given is as for all roles."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    name: str | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int | None = Field(default=None, ge=1)

    _address = field_validator("base_url")(web_address)


class Settings(BaseSettings):
    """Every setting is an environment variable of the same name in capitals, with `CLEW_` before it."""

    model_config = SettingsConfigDict(
        env_prefix="CLEW_", env_nested_delimiter="__", frozen=True, env_ignore_empty=True, protected_namespaces=()
    )

    home: Path = Field(default_factory=lambda: user_data_path("clew", appauthor=False))
    """The folder of the embedded database, the indexes, the conversations and the traces."""
    warm: bool = True
    """Whether short commands run in the warm process of the home, which is started when needed (`clew.app.cli`)."""
    database_url: str | None = None
    """A Bolt server to use instead of the embedded database: bolt://host:7687, or neo4j+s://host for one with TLS."""
    database_user: str | None = None
    database_password: SecretStr | None = None
    """Of a user with write access, for imports."""
    reader_user: str | None = None
    reader_password: SecretStr | None = None
    """Of a user with read access only, for the queries of questions; without one, other safeguards apply."""
    database_http_url: str | None = None
    """The HTTP API of an ArcadeDB server, if it is not on port 2480 of the same host."""
    database_heap: str = Field(default="1g", pattern=r"^[1-9]\d*[mg]$")
    """The most memory of the embedded database's engine, such as 512m or 2g, from its next start on."""
    workers: int = Field(default=1, ge=1, le=1024)
    """Processes, or workers on a Ray cluster, that embed texts for indexes, find queries to teach with, and answer for
    `clew eval` (docs/scaling.md)."""
    ray: str | None = None
    """A Ray cluster that these run on: host:port, auto for the one that runs on this machine, or local to start one."""
    state_url: SecretStr | None = None
    """A PostgreSQL that several servers share for conversations, traces, feedback, tokens and rates, in place of the
    files in the home: postgresql://user:password@host/database."""
    question_seconds: float = Field(default=20.0, gt=0)
    """Seconds for one question; what was found by then is the answer."""
    question_rows: int = Field(default=2000, ge=1)
    """Rows of one query; an answer that was cut says so."""
    question_tokens: int = Field(default=4000, ge=1)
    """Evidence kept for one answer, in tokens."""
    sure_from: float = Field(default=ENOUGH, ge=0, le=1)
    """The confidence from which on an answer is sure. An answer below it says so, and comes with the next readings of
    the question."""
    path_semantics: Literal["trail", "walk", "either"] = "either"
    """Whether a path may take one relationship twice: never, always, or only if it leads nowhere otherwise."""
    embedder: str | None = None
    """The model of sentence vectors in place of the packaged one: a folder or name of a model of sentence-transformers,
    or, with `embedder_base_url`, the name of a model on that server."""
    embedder_base_url: str | None = None
    """A server with OpenAI's API of embeddings."""
    embedder_api_key: SecretStr | None = None
    """Its key, if the server needs one."""
    vectors: str | None = None
    """Where the vectors of names, texts and documents are searched in place of the home: neo4j for the vector indexes
    of the Neo4j that holds the graphs, or the address of a Chroma server, http://host:8000 or with /DATABASE."""
    vectors_token: SecretStr | None = None
    """The token of the Chroma server, if it needs one."""
    reranker: str | None = None
    """A model that orders the facts of the `rerank` strategy: a folder or name of a model of transformers that reads
    question and text together, a cross-encoder or a language model."""
    allow_downloads: bool = False
    """Whether a model that is not on this machine may be downloaded."""
    trust_remote_code: bool = False
    """Whether Python code that comes with the embedder or the reranker may run."""
    expansion: Literal["off", "edge", "no-edge", "spread"] = "no-edge"
    """Whether nodes that `hybrid` and `plan` find bring their neighbours: never, always, only where they do not come
    from a query that follows relationships, or as that with neighbours of good nodes before others."""
    document_search: Mode = SearchOptions().mode
    """How questions search documents: all channels together, as SAGE does, or as KET-RAG does
    (docs/document-search.md)."""
    document_theta: float = Field(default=SearchOptions().theta, ge=0, le=1)
    """For `ket`, and for `mix` with a skeleton: the share of the entities, relations and their chunks (θ)."""
    document_splits: int = Field(default=SearchOptions().splits, ge=0, le=MOST_SPLITS)
    """For `ket`: how often chunks are halved for the keywords (τ)."""
    document_neighbours: float = Field(default=SearchOptions().neighbours, ge=0, lt=1)
    """For `sage`: the share of the places that neighbours have."""
    document_edges: str = ",".join(EDGE_KINDS)
    """For `sage`: the kinds of edges that are followed, with commas."""
    document_memory_mb: float = Field(default=ReadingOptions().memory_mb, ge=100)
    """Megabytes of memory that the process which reads documents may take for a file."""
    document_seconds: float = Field(default=ReadingOptions().seconds, gt=0)
    """Seconds that it may take for a file."""
    document_text_mb: float = Field(default=ReadingOptions().text_mb, gt=0)
    """Megabytes of text and tables that it may take out of a file."""
    pattern_examples: str | None = None
    """Questions with their patterns that a model sees for `simgrag`: a file, or the name of a packaged one. The file
    `patterns.jsonl` of a graph comes before it."""
    token_encoding: str | None = None
    """What counts tokens: a file NAME.tiktoken or tokenizer.json, or the name of an encoding of a package that extends
    tiktoken. Without it, o200k_base where its file is on the machine, else four characters a token."""
    otel: bool = False
    """Whether runs are exported as OpenTelemetry spans, to where the OTEL_EXPORTER_OTLP_… variables say."""
    traces_kept: int = Field(default=1000, ge=1)
    """Older traces are removed."""
    traces_mb: float = Field(default=200.0, gt=0)
    """Megabytes of all traces; beyond them the oldest are removed."""
    traces_days: float = Field(default=90.0, gt=0)
    """Days after which a trace is removed."""
    serve_runs: int = Field(default=4, ge=1, le=256)
    """Questions that `clew serve` answers at the same time; more pay off with a language model, whose
    replies take time."""
    serve_workers: int = Field(default=1, ge=1, le=64)
    """Processes in which `clew serve` answers; with 1, its own. Each opens the graphs for itself."""
    serve_waiting: int = Field(default=64, ge=0)
    """Questions that wait for their turn; more are rejected (503)."""
    serve_upload_mb: float = Field(default=1000.0, gt=0)
    """Megabytes of all files of one import through the page."""
    serve_draining_seconds: float = Field(default=0.0, ge=0)
    """Seconds that a server which stops still accepts requests, while `/ready` says that it is not ready."""
    serve_closing_seconds: float = Field(default=20.0, gt=0)
    """Seconds that running questions have when the server stops."""
    model: str | None = None
    """The language model of all roles that have none of their own. Without it, and without one in `models`, questions
    are answered without a language model; a key alone changes nothing."""
    model_choices: str = ""
    """Further models that a question may name in its place, with commas."""
    model_base_url: str | None = None
    """Its server, OpenAI-compatible; else that of OPENAI_BASE_URL, else OpenAI's own."""
    model_api_key: SecretStr | None = None
    """Its key, if the server needs one; else that of OPENAI_API_KEY."""
    model_temperature: float = Field(default=0.0, ge=0, le=2)
    model_max_tokens: int | None = Field(default=None, ge=1)
    """Of one reply; without it each role has its own limit."""
    models: dict[Role, RoleModel] = Field(default_factory=dict)
    """Models of single roles: CLEW_MODELS__LINKER__NAME, …__BASE_URL, …__API_KEY, …__TEMPERATURE, …__MAX_TOKENS."""
    model_seconds: float = Field(default=120.0, gt=0)
    """Seconds for one question that is answered with a model, in place of `question_seconds`."""
    model_calls: int = Field(default=12, ge=0)
    """Calls of a model for one question."""
    model_iterations: int = Field(default=2, ge=1)
    """Readings of one question with a model (T_R in ByoKG-RAG, section 3.6)."""
    model_concurrency: int = Field(default=4, ge=1)
    """Requests to models at the same time."""
    model_cache: bool = False
    """Whether replies are cached: the same prompt is sent to the same model once."""
    model_prices: Path | None = None
    """A TOML or JSON file of the prices of tokens (docs/models.md)."""
    model_own_answers: Literal["mark", "drop"] = "mark"
    """Whether answers that a model gives without evidence are shown, marked as its own, or dropped."""

    _address = field_validator("model_base_url", "embedder_base_url")(web_address)

    generator: str | None = None
    """The language model that chooses among the valid queries of a question: a folder or name of a model of
    transformers, the address of `clew generator serve`, or of an OpenAI-compatible server (it ends in /v1)."""
    generator_adapter: str | None = None
    """A LoRA adapter for it; at an OpenAI-compatible server, the name of the model."""
    generator_device: str | None = None
    """cpu, cuda, cuda:1, …, or auto to spread it; by default a GPU if there is one."""
    generator_dtype: DType | None = None
    generator_4bit: bool | None = None
    """Whether its weights are loaded in four bits (bitsandbytes); by default only to train an adapter on a GPU."""
    generator_attention: Attention | None = None
    """Its implementation of attention; by default sdpa where the model has it."""
    generator_decoding: Decoding = "exact"
    """How it chooses: by exact search, beam search or greedily, or freely, without the constraint."""
    generator_token: SecretStr | None = None
    """The token of its service, for both the service and its clients."""
    node_reasoner: str | None = None
    """The language model that chooses among the nodes that the best queries find; named like the generator."""
    node_tokens: int = Field(default=15_000, ge=100)
    """The most tokens that it reads of a question's nodes, where its own window is not smaller."""
    union_nodes: int = Field(default=NODES, ge=1)
    """For the method `graphraft`: the nodes at which no further query is run."""

    @property
    def secrets(self) -> list[str]:
        """Passwords, keys and tokens, which must not be shown or stored."""
        own = [self.database_password, self.reader_password, self.model_api_key, self.generator_token]
        own += [self.embedder_api_key, self.vectors_token]
        given = [*own, *(role.api_key for role in self.models.values())]
        others = [os.environ.get("OPENAI_API_KEY"), _password_in(self.state_url)]
        return [*(s.get_secret_value() for s in given if s), *(each for each in others if each)]

    @property
    def in_one_process(self) -> Self:
        """The settings of a worker."""
        return self.model_copy(update={"workers": 1, "ray": None})

    @classmethod
    def settings_customise_sources(cls, *_: Any, **sources: Any) -> tuple[Any, ...]:
        """No files: reading none took half the time of making the settings."""
        return sources["init_settings"], sources["env_settings"]

    @field_validator("home")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("state_url")
    @classmethod
    def _postgres(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and urlsplit(value.get_secret_value()).scheme not in ("postgresql", "postgres"):
            raise ValueError("is not the address of a PostgreSQL server; it starts with postgresql://")
        return value

    @field_validator("vectors")
    @classmethod
    def _vector_store(cls, value: str | None) -> str | None:
        if value in (None, "neo4j"):
            return value
        try:
            return str(web_address(value)).rstrip("/")
        except ValueError:
            raise ValueError(
                "is neither neo4j nor the address of a Chroma server, such as http://localhost:8000"
            ) from None

    _bolt = field_validator("database_url")(bolt_address)


def load_settings(**given: object) -> Settings:
    """The settings with `given` (those that are not None) before the environment.

    Raises BadInput that names the setting where a value cannot be used.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    except SettingsError as error:
        raise BadInput(
            f"A setting cannot be read: {error}.", "Give each value a variable of its own: CLEW_MODELS__LINKER__NAME."
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        path = [str(part) for part in first["loc"] if part != "[key]"]
        name, variable = "_".join(path), "CLEW_" + "__".join(path).upper()
        reason = first["msg"].removeprefix("Value error, ")
        raise BadInput(
            f"The setting {name} ({_shown(name, first['input'])}) cannot be used: {reason}.",
            f"It comes from --{OPTIONS.get(name, name.replace('_', '-'))} or the environment variable {variable}.",
        ) from None


def _password_in(url: SecretStr | None) -> str | None:
    password = None if url is None else urlsplit(url.get_secret_value()).password
    return None if password is None else unquote(password)


def _shown(name: str, value: object) -> str:
    """A value for an error message, without the user and password of a URL, whatever else is wrong with it."""
    if name.endswith(("key", "password", "token", "state_url")):
        return "not shown"
    if isinstance(value, str) and "@" in value:
        scheme = re.match(r"[\w+.-]*://", value)
        value = f"{scheme[0] if scheme else ''}{NOT_KEPT}@{value.rpartition('@')[2]}"
    return redacted(repr(value))
