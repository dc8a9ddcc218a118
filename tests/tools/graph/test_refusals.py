"""What users read when a Neo4j cannot be reached, or does not allow something."""

from __future__ import annotations

import os
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from neo4j.exceptions import Neo4jError

from clew.tools.errors import ClewError, DatabaseUnavailable, QueryForbidden
from clew.tools.graph.store import open_database
from clew.tools.graph.store.faults import translated
from tests.conftest import NO_NEO4J


@pytest.mark.parametrize(
    ("code", "kind", "said", "remedy"),
    [
        ("Neo.ClientError.Security.Unauthorized", DatabaseUnavailable, "credentials", "CLEW_DATABASE_PASSWORD"),
        ("Neo.ClientError.Security.CredentialsExpired", DatabaseUnavailable, "changed", "ALTER CURRENT USER"),
        ("Neo.ClientError.Security.AuthenticationRateLimit", DatabaseUnavailable, "too many", "Wait"),
        ("Neo.ClientError.Security.TokenExpired", DatabaseUnavailable, "expired", "again"),
        ("Neo.ClientError.Security.Forbidden", QueryForbidden, "THE SERVER'S WORDS", "NAME MANAGEMENT"),
        ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", DatabaseUnavailable, "read-only", "READ WRITE"),
        ("Neo.ClientError.Database.DatabaseNotFound", DatabaseUnavailable, "THE SERVER'S WORDS", "clew graphs"),
        ("Neo.ClientError.Cluster.NotALeader", DatabaseUnavailable, "cluster", "neo4j+s://"),
        ("Neo.TransientError.General.DatabaseUnavailable", DatabaseUnavailable, "starting", "later"),
        ("Neo.ClientError.Statement.AccessMode", QueryForbidden, "does not allow", ""),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", ClewError, "memory", "transaction.total.max"),
    ],
)
def test_each_refusal_has_a_message_and_a_remedy(code: str, kind: type[ClewError], said: str, remedy: str) -> None:
    found = translated(Neo4jError._hydrate_neo4j(code=code, message="THE SERVER'S WORDS"), "RETURN 1")
    assert isinstance(found, kind)
    assert said in found.message
    assert remedy in found.remedy


def refused(url: str, home: Path, password: str = "") -> ClewError:
    with pytest.raises(DatabaseUnavailable) as caught:
        open_database(home, url, "neo4j", password or "wrong").names()
    return caught.value


def test_an_unknown_host_is_named(tmp_path: Path) -> None:
    found = refused("neo4j+s://no-such-host.invalid:7687", tmp_path)
    assert "no-such-host.invalid" in found.message
    assert "CLEW_DATABASE_URL" in found.remedy


def test_nothing_answers(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert "does not answer" in refused(f"bolt://127.0.0.1:{port}", tmp_path).message


@pytest.fixture(scope="module")
def tls_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server of TLS with a certificate of its own signing, before the Neo4j of NEO4J_URI if there is one."""
    folder = tmp_path_factory.mktemp("tls")
    certificate = _self_signed(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    behind = urlsplit(os.environ.get("NEO4J_URI", "bolt://127.0.0.1:1"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        target = (behind.hostname or "127.0.0.1", behind.port or 7687)
        threading.Thread(target=_accept, args=(listener, context, target), daemon=True).start()
        yield listener.getsockname()[1]


def _self_signed(folder: Path) -> Path:
    x509 = pytest.importorskip("cryptography.x509", reason="cryptography is not installed; it makes the certificate")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    built = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
    signed = built.add_extension(names, critical=False).sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "server.pem"
    path.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return path


def _accept(listener: socket.socket, context: ssl.SSLContext, target: tuple[str, int]) -> None:
    while True:
        try:
            plain, _ = listener.accept()
        except OSError:
            return  # The test is over.
        with suppress(OSError):
            client, server = context.wrap_socket(plain, server_side=True), socket.create_connection(target)
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while received := one.recv(65536):
            other.sendall(received)
    for each in (one, other):
        each.close()


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_certificate_that_nobody_trusts(tls_port: int, tmp_path: Path, scheme: str) -> None:
    found = refused(f"{scheme}://localhost:{tls_port}", tmp_path)
    assert "self-signed" in found.message
    assert "+ssc://" in found.remedy


def test_tls_where_none_was_asked_for(tls_port: int, tmp_path: Path) -> None:
    assert "neo4j+s://" in refused(f"bolt://localhost:{tls_port}", tmp_path).remedy


@pytest.fixture
def neo4j_uri() -> str:
    if not (uri := os.environ.get("NEO4J_URI")):
        pytest.skip(NO_NEO4J)
    return uri


@pytest.mark.parametrize("scheme", ["bolt+ssc", "neo4j+ssc"])
def test_any_certificate_where_that_is_asked_for(neo4j_uri: str, tls_port: int, tmp_path: Path, scheme: str) -> None:
    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
    database = open_database(tmp_path, f"{scheme}://localhost:{tls_port}", user, password)
    assert isinstance(database.names(), list)
    database.close()


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+ssc"])
def test_no_tls_where_it_was_asked_for(neo4j_uri: str, tmp_path: Path, scheme: str) -> None:
    parts = urlsplit(neo4j_uri)
    found = refused(f"{scheme}://{parts.hostname}:{parts.port}", tmp_path)
    assert "does not use TLS" in found.message
    assert "bolt://" in found.remedy


def test_a_wrong_password(neo4j_uri: str, tmp_path: Path) -> None:
    assert "refused the credentials" in refused(neo4j_uri, tmp_path).message


def test_a_graph_that_is_no_database_either(neo4j_uri: str, tmp_path: Path) -> None:
    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
    database = open_database(tmp_path, neo4j_uri, user, password)
    with pytest.raises(ClewError, match="no graph “no-such-database”"):
        database.open("no-such-database")
    database.close()
