"""Tokens and rates of the server, without a server."""

from __future__ import annotations

import json
import stat
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.app.serving.authentication import Caller, TokenFile
from clew.app.serving.rate_limits import RateLimits
from clew.tools.errors import BadInput


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "tokens.json")


def test_a_token_lets_its_user_in_and_only_its_hash_is_kept(tokens: TokenFile) -> None:
    token, secret = tokens.add("ann", ("films",), 30)
    assert tokens.caller(secret) == Caller("ann", frozenset({"films"}), 30, token.id)
    text = tokens.path.read_text()
    assert secret not in text
    assert secret.removeprefix("clew_") not in text
    assert token.sha256 in text
    assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600


@pytest.mark.parametrize("secret", ["", "clew_", "ä", "\udcff", "x" * 10_000])
def test_what_is_no_token_lets_nobody_in(tokens: TokenFile, secret: str) -> None:
    token, _ = tokens.add("ann")
    assert tokens.caller(secret) is None
    assert tokens.caller(token.sha256) is None


def test_a_token_that_is_revoked_is_refused_soon(tokens: TokenFile) -> None:
    token, secret = tokens.add("ann")
    _, other = tokens.add("bob")
    assert tokens.caller(secret) is not None
    assert tokens.revoke(token.id).user == "ann"
    end = time.monotonic() + 5
    while tokens.caller(secret) is not None:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert tokens.caller(other) is not None
    with pytest.raises(BadInput, match="no token"):
        tokens.revoke(token.id)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"tokens": [{}]}',
        '{"tokens": [{"id": "a", "user": "ann", "sha256": "", "graphs": null}]}',
        "\xff",
    ],
)
def test_a_file_that_is_damaged_lets_nobody_in(tokens: TokenFile, text: str) -> None:
    _, secret = tokens.add("ann")
    tokens.path.write_text(text, encoding="latin-1")
    assert TokenFile(tokens.path).caller(secret) is None
    with pytest.raises(BadInput, match=r"tokens\.json holds no tokens"):
        tokens.all()


def test_a_token_without_its_limits_is_no_token(tokens: TokenFile) -> None:
    tokens.add("ann", ("films",))
    entry = json.loads(tokens.path.read_text())["tokens"][0]
    for broken in ({**entry, "graphs": "films"}, {**entry, "per_minute": 0}, {**entry, "user": "a/b"}):
        tokens.path.write_text(json.dumps({"tokens": [broken]}))
        with pytest.raises(BadInput):
            tokens.all()


@pytest.mark.parametrize("user", ["", "a/b", "../x", "a b", "-x", "é", "a" * 65, "a\n"])
def test_a_name_that_could_be_another_user_s_session_is_refused(tokens: TokenFile, user: str) -> None:
    with pytest.raises(BadInput, match="not a name of a user"):
        tokens.add(user)


def test_several_may_add_at_once(tokens: TokenFile) -> None:
    threads = [threading.Thread(target=tokens.add, args=(f"u{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {token.user for token in tokens.all()} == {f"u{n}" for n in range(8)}


@given(st.integers(1, 600), st.lists(st.floats(0, 10), max_size=200))
def test_nobody_asks_more_often_than_they_may(per_minute: int, pauses: list[float]) -> None:
    now = 0.0
    rates = RateLimits(lambda: now)
    let_in = 0
    for pause in pauses:
        now += pause
        let_in += rates.wait(Caller("ann", None, per_minute)) == 0
    assert let_in <= per_minute * (1 + now / 60) + 1e-6


def test_who_waits_as_long_as_told_is_let_in() -> None:
    now = 0.0
    rates = RateLimits(lambda: now)
    ann = Caller("ann", None, 7)
    assert [rates.wait(ann) for _ in range(8)] == [0] * 7 + [9]
    assert rates.wait(Caller("ann", None, 7, "other")) == 0
    now += 9
    assert rates.wait(ann) == 0
    assert rates.wait(Caller()) == 0
