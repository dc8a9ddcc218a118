"""Collections of vectors in Chroma: in a folder, where Chroma runs as a part of this process, or on a Chroma server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from clew.tools.embedding.bert import Vectors
from clew.tools.embedding.vector_store import Facts, Near
from clew.tools.errors import StoreUnavailable
from clew.tools.sqlite_files import opened

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

FILE = "chroma.sqlite3"
_HNSW = {"space": "cosine", "max_neighbors": 32, "ef_construction": 128, "ef_search": 256}
_TEXT = "name"
"""The field of the metadata that holds the text of a vector."""
_PAGE = 10_000
"""Ids that are listed at once."""


class ChromaCollection:
    """A `VectorCollection` in Chroma."""

    def __init__(self, collection: Collection, where: str) -> None:
        self._collection = collection
        self._where = where

    @property
    def facts(self) -> Facts:
        return {
            name: value for name, value in (self._collection.metadata or {}).items() if isinstance(value, str | bool)
        }

    def note(self, facts: Facts) -> None:
        with _asking(self._where):
            self._collection.modify(metadata=dict(facts))

    def count(self) -> int:
        with _asking(self._where):
            return int(self._collection.count())

    def ids(self, among: Sequence[str] | None = None) -> set[str]:
        with _asking(self._where):
            if among is not None:
                return set(self._collection.get(ids=list(among), include=[])["ids"])
            pages = range(0, self._collection.count(), _PAGE)
            found = (self._collection.get(include=[], limit=_PAGE, offset=first)["ids"] for first in pages)
            return {id for page in found for id in page}

    def add(self, ids: Sequence[str], vectors: Vectors, texts: Sequence[str] | None = None) -> None:
        with _asking(self._where):
            metadata: Any = None if texts is None else [{_TEXT: text} for text in texts]
            self._collection.add(ids=list(ids), embeddings=vectors, metadatas=metadata)

    def remove(self, ids: Sequence[str]) -> None:
        with _asking(self._where):
            self._collection.delete(ids=list(ids))

    def nearest(self, vector: Vectors, k: int) -> list[Near]:
        with _asking(self._where):
            found: Any = self._collection.query(
                query_embeddings=vector[None, :], n_results=k, include=["distances", "metadatas"]
            )
        rows = zip(*(found[name][0] for name in ("ids", "metadatas", "distances")), strict=True)
        return [Near(id, str((data or {}).get(_TEXT, "")), 1 - distance) for id, data, distance in rows]


class _Client(Protocol):
    def __call__(self, *, create: bool = False) -> ClientAPI | None:
        """The client; None where there is nothing yet, unless it is to `create` something."""


class ChromaStore:
    """A `VectorStore` in Chroma. Its collections are those whose names begin with `prefix`."""

    def __init__(self, client: _Client, where: str, prefix: str = "") -> None:
        self._client = client
        self._where = where
        self._prefix = prefix

    def names(self) -> list[str]:
        with _asking(self._where):
            client = self._client()
            found = [] if client is None else [each.name for each in client.list_collections()]
        return [name.removeprefix(self._prefix) for name in found if name.startswith(self._prefix)]

    def find(self, name: str) -> ChromaCollection | None:
        from chromadb.errors import NotFoundError

        with _asking(self._where):
            if (client := self._client()) is None:
                return None
            try:
                found = client.get_collection(self._prefix + name, embedding_function=None)
            except NotFoundError:
                return None
            return ChromaCollection(found, self._where)

    def create(self, name: str, facts: Facts, dimension: int) -> ChromaCollection:
        with _asking(self._where):
            client = self._client(create=True)
            assert client is not None
            settings: Any = {"configuration": {"hnsw": _HNSW}, "embedding_function": None}
            made = client.create_collection(self._prefix + name, metadata=dict(facts) or None, **settings)
            return ChromaCollection(made, self._where)

    def delete(self, name: str) -> None:
        with _asking(self._where):
            if (client := self._client()) is not None:
                client.delete_collection(self._prefix + name)


def embedded(folder: Path) -> ChromaStore:
    """The collections in a folder. Nothing is written to it before one is created."""

    def client(*, create: bool = False) -> ClientAPI | None:
        file = folder / FILE
        if not file.exists() and not create:
            return None
        import chromadb  # takes a second
        from chromadb.config import Settings

        if file.exists():
            opened(file, lambda connection: connection.execute("SELECT count(*) FROM sqlite_master")).close()
        folder.mkdir(parents=True, exist_ok=True)
        return chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))

    return ChromaStore(client, str(folder))


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of the graph, in which Chroma runs as a part of this process."""

    address: str = ""

    def store(self, folder: Path) -> ChromaStore:
        return embedded(folder)

    def drop(self) -> None:
        """Its folders go with the graph."""


HOME = Home()


@dataclass(frozen=True, slots=True)
class ChromaServer:
    """A `VectorPlace` on a Chroma server: the collections of one graph."""

    address: str
    """Such as http://localhost:8000, or http://localhost:8000/DATABASE."""
    graph: str
    token: str | None = field(default=None, repr=False)

    def store(self, folder: Path) -> ChromaStore:
        return ChromaStore(self._client, self.address, f"{self.prefix}{folder.name}-")

    @property
    def prefix(self) -> str:
        """How the names of all collections of the graph begin."""
        return f"clew-{readable(self.graph)}-"

    def drop(self) -> None:
        """Delete all collections of the graph. Raises StoreUnavailable."""
        store = ChromaStore(self._client, self.address, self.prefix)
        for name in store.names():
            store.delete(name)

    def _client(self, *, create: bool = False) -> ClientAPI:
        return _served(self.address, self.token)


@cache
def _served(address: str, token: str | None) -> ClientAPI:
    """The client of a server. Errors are not cached."""
    import chromadb
    from chromadb.config import DEFAULT_DATABASE, Settings

    url = urlsplit(address)
    return chromadb.HttpClient(
        url.hostname or "",
        url.port or (443 if url.scheme == "https" else 8000),
        ssl=url.scheme == "https",
        headers={"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else None,
        settings=Settings(anonymized_telemetry=False),
        database=url.path.strip("/") or DEFAULT_DATABASE,
    )


def readable(name: str) -> str:
    """A short ASCII name for any name, with a digest of it if a character was replaced."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:40]
    if plain == name:
        return plain
    return f"{plain or 'x'}_{blake2b(name.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"


@contextmanager
def _asking(where: str) -> Iterator[None]:
    """Turn Chroma's errors into StoreUnavailable."""
    try:
        yield
    except StoreUnavailable:
        raise
    except Exception as error:
        if not _is_chromas(error):
            raise
        reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        raise StoreUnavailable(
            f"Chroma ({where}) failed: {reason}.",
            "Check that the server runs, and that it has the database: CLEW_VECTORS, CLEW_VECTORS_TOKEN.",
        ) from None


def _is_chromas(error: Exception) -> bool:
    """Whether Chroma's client raised the error; where it cannot connect, that is a ValueError."""
    from chromadb.errors import ChromaError
    from httpx import HTTPError

    return isinstance(error, ChromaError | HTTPError) or "Chroma server" in str(error)
