"""The wheel, as a stranger gets it: built from the sdist, installed by the core lock, run from elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

MAX_DISTRIBUTIONS = 25
MAX_MEGABYTES = 120

PACKAGE = "graphrag_pipeline"
DEMO_DATA = f"{PACKAGE}/graph/sources/demo"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@dataclass(frozen=True, slots=True)
class Install:
    """An environment that holds the wheel and what the core lock names, and nothing else, not even pip."""

    bin: Path
    site_packages: Path
    elsewhere: Path

    def run(self, command: str, *arguments: str) -> str:
        """Run a command of the environment from a folder outside the repository; return what it printed."""
        return _run(str(self.bin / command), *arguments, cwd=self.elsewhere)


def _run(*command: str, cwd: Path) -> str:
    # Nothing that points at this session's packages or settings may reach the environment under test.
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "GRAPHRAG_"))}
    done = subprocess.run(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)} exited {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that the sdist builds."""
    out = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(root), cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def install(root: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Install:
    """The wheel installed in an environment of its own, its dependencies as the core lock pins them."""
    home = tmp_path_factory.mktemp("install")
    venv, elsewhere = home / "venv", home / "elsewhere"
    elsewhere.mkdir()
    _run(sys.executable, "-m", "venv", "--without-pip", str(venv), cwd=home)
    scripts = venv / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    _run(*pip, "install", "--require-hashes", "-r", str(root / "requirements.lock"), cwd=home)
    _run(*pip, "install", "--no-deps", "--no-index", str(wheel), cwd=home)
    _run(*pip, "check", cwd=home)
    where = _run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip()
    return Install(bin=scripts, site_packages=Path(where), elsewhere=elsewhere)


@pytest.fixture(scope="module")
def shipped(wheel: Path) -> frozenset[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder that belong to the project: no bytecode, nothing hidden."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and path.suffix != ".pyc" and not hidden:
            yield path


def test_every_config_file_is_in_the_wheel(root: Path, shipped: frozenset[str]) -> None:
    conf = root / "conf"
    expected = {f"{PACKAGE}/conf/{path.relative_to(conf).as_posix()}" for path in _files(conf)}
    assert f"{PACKAGE}/conf/config.yaml" in expected
    assert expected <= shipped, f"missing: {sorted(expected - shipped)}"


def test_every_demo_data_file_is_in_the_wheel(root: Path, shipped: frozenset[str]) -> None:
    expected = {path.relative_to(root).as_posix() for path in _files(root / DEMO_DATA)}
    assert expected, f"{DEMO_DATA} holds no file"
    assert expected <= shipped, f"missing: {sorted(expected - shipped)}"


def test_every_module_is_in_the_wheel_and_py_typed_beside_them(root: Path, shipped: frozenset[str]) -> None:
    modules = {path.relative_to(root).as_posix() for path in _files(root / PACKAGE) if path.suffix == ".py"}
    assert modules | {f"{PACKAGE}/py.typed"} <= shipped


def test_the_wheel_holds_the_package_and_nothing_beside_it(wheel: Path, shipped: frozenset[str]) -> None:
    tops = {name.split("/")[0] for name in shipped}
    assert {top for top in tops if not top.endswith(".dist-info")} == {PACKAGE}
    # W002 is two files of the same bytes: two small YAML files may well be.
    check = ("-m", "check_wheel_contents", "--no-config", "--ignore", "W002")
    _run(sys.executable, *check, str(wheel), cwd=wheel.parent)


def test_a_query_answers_from_another_folder(install: Install) -> None:
    settings = ("query.persona=FCON-001", "query.cell=architect:who", "query.max_hops=2")
    result = json.loads(install.run("graphrag-pipeline", "query", "audit", *settings, "--json"))
    assert result["scored"], "the demo query scored no node"
    scores = [score for _, score in result["scored"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_the_install_is_small(install: Install) -> None:
    distributions = sorted(path.name for path in install.site_packages.glob("*.dist-info"))
    assert len(distributions) <= MAX_DISTRIBUTIONS, distributions
    megabytes = sum(path.stat().st_size for path in install.site_packages.rglob("*") if path.is_file()) / 1e6
    assert megabytes < MAX_MEGABYTES


def test_importing_the_package_loads_nothing_heavy(install: Install) -> None:
    heavy = ("hydra", "omegaconf", "networkx", "pydantic", "numpy", "pluggy", "rich", "click", "yaml")
    code = f"import sys, {PACKAGE}; print(*sorted(sys.modules.keys() & set({heavy!r})))"
    assert install.run("python", "-c", code).split() == []


def test_the_installed_version_is_the_one_the_package_names(install: Install) -> None:
    code = f"""
from importlib.metadata import version
import {PACKAGE}
print({PACKAGE}.__version__, version("graphrag-pipeline"))
"""
    named, installed = install.run("python", "-c", code).split()
    assert named == installed
