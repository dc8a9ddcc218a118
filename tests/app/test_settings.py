"""Settings: their order of precedence, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clew.app.settings import Settings, load_settings
from clew.tools.errors import BadInput

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"CLEW_{name.upper()}", raising=False)


def test_defaults_are_the_platforms_folder_and_the_embedded_database() -> None:
    settings = load_settings()
    assert settings.home.is_absolute()
    assert settings.home.name == "clew"
    assert settings.database_url is None


def test_given_values_come_before_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLEW_HOME", str(tmp_path / "env"))
    monkeypatch.setenv("CLEW_QUESTION_SECONDS", "3.5")
    assert load_settings(home=None).home == tmp_path / "env"
    settings = load_settings(home=tmp_path / "given")
    assert (settings.home, settings.question_seconds) == (tmp_path / "given", 3.5)


def test_a_relative_home_and_a_tilde_are_made_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere")
    assert load_settings(home=Path("~/x")).home == Path("/somewhere/x")
    assert load_settings(home=Path("x")).home == Path.cwd() / "x"


def test_a_password_is_not_shown() -> None:
    assert "s3cret" not in repr(load_settings(database_password="s3cret"))


@pytest.mark.parametrize("url", ["http://localhost:7687", "localhost:7687", "bolt://", "bolt"])
def test_addresses_that_are_not_bolt_are_refused(url: str) -> None:
    with pytest.raises(BadInput, match="database_url") as caught:
        load_settings(database_url=url)
    assert "CLEW_DATABASE_URL" in caught.value.remedy


def test_a_bad_number_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_TRACES_KEPT", "many")
    with pytest.raises(BadInput, match="traces_kept"):
        load_settings()


def test_every_setting_is_read_by_something_and_documented() -> None:
    code = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "app").rglob("*.py") if p.name != "settings.py")
    manual = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name in Settings.model_fields:
        assert re.search(rf"settings\.{name}\b", code), f"nothing reads {name}"
        assert f"CLEW_{name.upper()}" in manual, f"docs/cli.md does not name CLEW_{name.upper()}"
