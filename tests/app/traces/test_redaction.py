"""Secrets stay out of all that is kept or sent elsewhere, wherever they stand and however they are cut."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.app.traces import redaction
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.redaction import (
    LONGEST_TEXT,
    LONGEST_VALUE,
    bounded,
    bounded_json,
    bounded_text,
    json_without_secrets,
    never_keep,
    redacted,
)
from clew.app.traces.store import TraceStore

ALPHABET = string.ascii_letters + string.digits
SECRET = st.text(ALPHABET, min_size=12, max_size=60).map(lambda text: "Zx9" + text)
CARRIERS = (
    "bolt://neo4j:{}@db:7687", "https://{}@host/repo.git", "http://me:{}@[::1]:80/a?b=c", "Authorization: Bearer {}",
    "authorization=Basic {}", "bearer {}", "sk-{}", "sk-proj-{}", "pk-{}", "clew_{}xxxx", "ghp_{}xxxx", "hf_{}xxxx",
    "password: {}", "password='{}'", '{{"password": "{}"}}', "passwd={};", "PASSWORD={}", "?api_key={}&page=2",
    "api-key: {}", "OPENAI_API_KEY={}", "access_token={}", "the token: {}", "client_secret={}", "{{'secret': '{}'}}",
    "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", "eyJhbGciOiJIUzI1NiJ9.{}.x",
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _forgotten() -> Iterator[None]:
    """What the process was given here is none of other tests' business."""
    known = redaction._known
    yield
    redaction._known = known


NAMES = (
    "password",
    "db_password",
    "apiKey",
    "api_key",
    "Authorization",
    "client_secret",
    "auth_token",
    "credentials",
    "the_secret_of_it",
    "my_credentials_here",
    "x_api_key_2",
)


@given(st.sampled_from(CARRIERS), SECRET, st.text(max_size=50), st.text(max_size=50))
def test_a_secret_in_a_text_is_not_kept(carrier: str, secret: str, before: str, after: str) -> None:
    kept = redacted(f"{before} {carrier.format(secret)} {after}")
    assert secret not in kept


@given(st.sampled_from(CARRIERS), SECRET, st.text(max_size=50), st.text(max_size=50))
def test_nor_within_a_value(carrier: str, secret: str, before: str, after: str) -> None:
    text = f"{before} {carrier.format(secret)} {after}"
    kept = json_without_secrets({"steps": [{"title": text}], text: "x", "answers": {"1": 1.5}})
    assert secret not in kept
    assert json.loads(kept)["answers"] == {"1": 1.5}


@given(st.sampled_from(CARRIERS), SECRET, st.integers(0, 90))
def test_nor_where_the_text_is_cut_within_it(carrier: str, secret: str, at: int) -> None:
    told = carrier.format(secret)
    kept = bounded_text(" " * (LONGEST_TEXT - at) + told + " " * 100)
    assert secret[:8] not in kept


@given(st.sampled_from(NAMES), SECRET, st.booleans())
def test_nor_under_a_name_that_says_so(name: str, secret: str, deep: bool) -> None:
    value: Any = {"a": [{name: {"x": secret}}]} if deep else {name: [secret]}
    for kept in (bounded_json(value), json_without_secrets(value), json.dumps(bounded(value))):
        assert secret not in kept


@given(st.sampled_from(CARRIERS), SECRET)
def test_nor_as_the_name_of_a_value(carrier: str, secret: str) -> None:
    assert secret not in bounded_json({carrier.format(secret): 1})
    assert secret not in json_without_secrets({carrier.format(secret): 1})


@given(st.text('abc!%/ é€"\\\n', min_size=8, max_size=20))
def test_what_this_process_was_given_is_known_by_itself(secret: str) -> None:
    never_keep(secret)
    assert secret not in redacted(f"x{secret}y")
    assert secret not in bounded_text("z" * (LONGEST_TEXT - 4) + secret)
    assert secret not in json.loads(json_without_secrets({"x": f"y{secret}z"}))["x"]


@pytest.mark.parametrize(
    "harmless",
    [
        "who directed Basic Instinct?", "who is the bearer of the ring in this film", "the token economy",
        "MATCH (n {token: $p0}) RETURN n.password", "Secret Agent 1996: who starred?", "what is the secret of NIMH",
        "https://example.org/a@b", "sk-short", "1979-05-25", "a password is what?", "mail me@example.org",
    ],
)  # fmt: skip
def test_plain_words_stay(harmless: str) -> None:
    assert redacted(harmless) == harmless


def test_what_tells_no_secret_is_whole() -> None:
    value = {"tokens": 17, "history": ["x" * 9000], "deep": {"er": [None, True, 1.5]}}
    assert json.loads(json_without_secrets(value)) == value


def test_the_settings_own_secrets_reach_no_trace(tmp_path: Path) -> None:
    given = {"database_password": "correct horse", "model_api_key": "battery-staple"}
    Container(load_settings(home=tmp_path, **given), NoProgress()).close()
    store = TraceStore(tmp_path / "t.sqlite")
    with pytest.raises(OSError, match="battery"):
        _break_off(store)
    store.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("t.sqlite*"))
    assert b"battery-staple" not in kept
    assert b"correct horse" not in kept


def _break_off(store: TraceStore) -> None:
    with (
        TraceRecorder(store).begin(graph="g", question="correct horse?", thread_id=None) as run,
        run.span("link", 1, {"x": "correct horse"}) as span,
    ):
        span.event("model call", system="battery-staple", user="u" * 50_000, reply="correct horse")
        raise OSError("the key battery-staple was refused")


def test_what_is_long_as_a_whole_is_cut_further_and_keeps_its_form() -> None:
    evidence = [{"head": {"name": "x" * 1500}, "found_by": [{"cypher": "y" * 500}]} for _ in range(49)]
    kept = json.loads(bounded_json({"answers": [{"name": "Mann"}], "evidence": evidence}))
    assert kept["answers"] == [{"name": "Mann"}]
    assert kept["evidence"][-1] == "… (cut: 49 items)"
    assert len(json.dumps(kept)) <= LONGEST_VALUE
