"""What is installed: sdist → wheel → a project that has its own `app`, `tools` and `agents`, without a network."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from tests.film_facts import FACTS
from tests.test_layers import PACKAGES, imported, modules

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("app", "agents", "graphs", "tools", "prompts")
DATA = (".css", ".html", ".js", ".md", ".svg", ".toml", ".txt", ".json")
NOT_PACKAGED = shutil.ignore_patterns(
    ".*", "tests", "benchmarks", "shared", "build", "dist", "*.egg-info", "__pycache__"
)
ASK = """\
import sys
import agents, app, tools
import clew
assert app.MINE and tools.MINE and agents.MINE
with clew.connect("films", home=sys.argv[1]) as films:
    films.import_files(sys.argv[2])
    print(films.ask("who directed Heat?")[0].name)
    print(clew.__file__)
assert clew.__version__
"""


def distribution(requirement: str) -> str:
    """The name of a distribution, as an index spells it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


def test_every_import_is_of_a_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = chain(project["dependencies"], *project["optional-dependencies"].values())
    declared, installed = set(map(distribution, requirements)), packages_distributions()
    used = {
        module.partition(".")[0]
        for package in (*PACKAGES, "clew")
        for path in modules(package)
        for module, _ in imported(path.read_text(encoding="utf-8"), ("clew",))
    }
    others = used - sys.stdlib_module_names - {"clew", "com", "java"}
    undeclared = {each for each in others if declared.isdisjoint(map(distribution, [each, *installed.get(each, [])]))}
    assert undeclared == set()


def python(code: str, *arguments: object, cwd: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist, which is built from a copy of the tree."""
    folder = tmp_path_factory.mktemp("package")
    tree, out = folder / "tree", folder / "out"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=NOT_PACKAGED)
    build = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"
    python(build.format("sdist"), out, cwd=tree)
    with tarfile.open(next(out.glob("clew-*.tar.gz"))) as archive:
        archive.extractall(folder / "sdist", filter="data")
    python(build.format("wheel"), out, cwd=next((folder / "sdist").iterdir()))
    return next(out.glob("clew-*.whl"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel is installed into."""
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*pip, "--target", target, wheel], check=True, capture_output=True, timeout=120)
    return target


@pytest.fixture
def project(site: Path, tmp_path: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder with packages of its own, and the environment to run Python in it."""
    for name in ("app", "tools", "agents"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("MINE = True\n", encoding="utf-8")
    home = tmp_path / "home"
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{site}", "CLEW_HOME": str(home)}
    yield tmp_path, environment
    subprocess.run([site / "bin" / "clew", "database", "stop"], cwd=tmp_path, env=environment, check=True, timeout=60)


def test_the_wheel_holds_real_files_of_one_package_with_all_their_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = {info.filename: info for info in archive.infolist()}
        assert not [name for name, info in files.items() if stat.S_ISLNK(info.external_attr >> 16)]
        assert {name.split("/")[0] for name in files} == {
            "clew",
            next(n for n in files if "dist-info" in n).split("/")[0],
        }
        for room in ROOMS:
            for path in sorted((ROOT / room).rglob("*")):
                if path.suffix in (".py", *DATA) and "__pycache__" not in path.parts:
                    assert archive.read(f"clew/{path.relative_to(ROOT)}") == path.read_bytes()
        assert "clew/py.typed" in files


def test_it_is_installed_as_one_package(site: Path) -> None:
    installed = {path.name for path in site.iterdir() if not path.name.endswith(".dist-info")}
    assert installed == {"clew", "bin"}
    assert [path.name for path in (site / "bin").iterdir()] == ["clew"]


def test_it_works_beside_packages_of_the_same_names(site: Path, project: tuple[Path, dict[str, str]]) -> None:
    folder, environment = project
    shown = subprocess.run(
        [site / "bin" / "clew", "--help"], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stderr
    assert "Answers questions over a knowledge graph" in shown.stdout
    facts, script = folder / "films.txt", folder / "main.py"
    facts.write_text(FACTS, encoding="utf-8")
    script.write_text(ASK, encoding="utf-8")
    command = [sys.executable, script, folder / "home", facts]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["Michael Mann", str(site / "clew" / "__init__.py")]
