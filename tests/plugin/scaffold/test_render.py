"""What ``plugins new`` writes: it lints, types, loads, composes and passes the kit without an edit."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from graphrag_pipeline import PluginError, load_pipeline
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.scaffold.forms import FORMS
from graphrag_pipeline.plugin.scaffold.naming import LONGEST, names_of
from graphrag_pipeline.plugin.scaffold.render import package_files, single_file, write_file, write_package

ROOT = Path(__file__).resolve().parents[3]
LONG = "x" * (LONGEST - 2) + "_y"
USES = {
    "signal": ["score.weights.acme=0.2"],
    "token-counter": ["context.counter=acme"],
    "embedder": ["seed=dense", "seed.embedder=acme", "seed.cache_dir=null"],
    "reranker": ["+rerank=acme", "pipeline.order=[seed,expand,score,rerank,context]"],
    "source": ["graph=acme", "graph.path=edges.txt", "personas=none"],
    "personas": ["personas=acme", "personas.path=people.txt"],
    "tracker": ["trackers.acme={}"],
}
"""How a component of one file is used where its group has no option of it."""
OPTIONS = {**USES, "signal": ["score=acme"], "token-counter": ["context=acme"], "tracker": ["trackers=acme"]}
OPTIONS["embedder"] = ["seed=acme", "seed.cache_dir=null"]
"""How a package is used, which ships an option of its own."""


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package of each kind, `<kind>/graphrag-acme`, and a file, `<kind>/acme.py`."""
    folder = tmp_path_factory.mktemp("rendered")
    for flag, form in FORMS.items():
        names = names_of("acme", form)
        write_package(package_files(names, form), folder / flag / names.distribution)
        write_file(single_file(names, form), folder / flag / "acme.py")
        (folder / flag / "edges.txt").write_text("audit,uses,log\n", encoding="utf-8")
        (folder / flag / "people.txt").write_text("P-1, Auditor\n", encoding="utf-8")
    return folder


def run(*command: str, cwd: Path, path: Sequence[str] = (".",)) -> None:
    # Plugins of pytest that happen to be installed are not needed, and take longer to import than all tests.
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), *path]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["acme", "a", LONG, "my_{}"], ids=["acme", "short", "long", "kind"])
def test_what_is_written_is_linted_and_formatted(name: str, tmp_path: Path) -> None:
    pytest.importorskip("ruff", reason="ruff is not installed")
    for flag, form in FORMS.items():
        names = names_of(name.format(form.module), form)
        write_package(package_files(names, form), tmp_path / flag / names.distribution)
        write_file(single_file(names, form), tmp_path / flag / f"{names.name}.py")
    # A package is held to its own rules, as it will be; a file to ours.
    packages = [str(path) for path in sorted(tmp_path.glob("*/graphrag-*"))]
    files = [str(path) for path in sorted(tmp_path.glob("*/*.py"))]
    assert len(packages) == len(files) == len(FORMS)
    own = ["--config", str(ROOT / "pyproject.toml")]
    for given in (packages, [*own, *files]):
        run("ruff", "check", "--no-cache", *given, cwd=tmp_path)
        run("ruff", "format", "--no-cache", "--check", *given, cwd=tmp_path)


@pytest.mark.slow
def test_what_is_written_passes_mypy_strict(rendered: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    # One name for all would be one module many times over.
    modules = []
    for flag, form in FORMS.items():
        name = f"typed_{form.module}"
        path = tmp_path / f"{name}.py"
        write_file(single_file(names_of(name, form), form), path)
        modules.append(str(path))
        package = names_of(f"p_{form.module}", form)
        write_package(package_files(package, form), tmp_path / package.distribution)
        modules += [str(tmp_path / package.distribution / package.module)]
        assert flag in FORMS
    tests = [str(path) for path in sorted(tmp_path.glob("*/tests/*.py"))]
    paths = os.pathsep.join(str(path) for path in sorted(tmp_path.glob("graphrag-*")))
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        str(tmp_path / "cache"),
        *modules,
        *tests,
    ]
    env = {**os.environ, "MYPYPATH": os.pathsep.join([str(ROOT), paths])}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("flag", FORMS)
def test_a_file_is_a_plugin_and_is_used_by_name(flag: str, rendered: Path, monkeypatch) -> None:
    monkeypatch.chdir(rendered / flag)
    host = PluginHost.discover(files=["acme.py"], entry_points=False, environ={}, strict=True)
    assert host.find(FORMS[flag].kind.name, "acme").plugin == "acme"
    _used(flag, USES.get(flag, [f"{FORMS[flag].group}=acme"]), host)


@pytest.mark.parametrize("flag", FORMS)
def test_a_package_ships_an_option_that_is_right(flag: str, rendered: Path, monkeypatch) -> None:
    monkeypatch.chdir(rendered / flag)
    package = Path("graphrag-acme", "graphrag_acme")
    # Its hooks import their module by name, as an installed package does.
    monkeypatch.syspath_prepend(str(package.parent))
    for name in [name for name in sys.modules if name.partition(".")[0] == "graphrag_acme"]:
        monkeypatch.delitem(sys.modules, name)
    host = PluginHost.discover(modules=["graphrag_acme"], entry_points=False, environ={}, strict=True)
    (record,) = (record for record in host.report().plugins if record.name == "graphrag_acme")
    group = FORMS[flag].group
    assert record.config == ((f"{group}/acme",) if group else ())
    _used(flag, OPTIONS.get(flag, [f"{group}=acme"]), host)
    for name in [name for name in sys.modules if name.partition(".")[0] == "graphrag_acme"]:
        monkeypatch.delitem(sys.modules, name)


def _used(flag: str, overrides: list[str], host: PluginHost) -> None:
    if flag == "metric":
        return  # no config names one
    if flag == "tracker":
        assert load_settings(overrides, host=host).tree["trackers"]["acme"]["path"] == "runs.txt"
        return
    result = load_pipeline([*overrides, *([] if flag == "bridge" else ["bridge=noop"])], host=host).run(
        "audit"
    )
    assert result.nodes


@pytest.mark.parametrize("flag", ["signal", "source", "tracker"])
def test_the_test_of_a_package_passes(flag: str, rendered: Path) -> None:
    package = rendered / flag / "graphrag-acme"
    run("pytest", "-q", "-p", "no:cacheprovider", cwd=package)


@pytest.mark.slow
def test_the_tests_of_all_other_packages_pass(tmp_path: Path) -> None:
    paths = []
    for flag in (flag for flag in FORMS if flag not in ("signal", "source", "tracker")):
        names = names_of(f"p_{FORMS[flag].module}", FORMS[flag])
        write_package(package_files(names, FORMS[flag]), tmp_path / names.distribution)
        paths.append(str(tmp_path / names.distribution))
    # Other processes are tried by the packages above; here they would be two for each of eleven.
    options = ["-p", "no:cacheprovider", "-k", "not test_hash_seeds_change_nothing"]
    run("pytest", "-q", *options, *paths, cwd=tmp_path, path=paths)


def test_the_entry_point_is_that_of_plugins(rendered: Path) -> None:
    for flag in FORMS:
        text = (rendered / flag / "graphrag-acme" / "pyproject.toml").read_text("utf-8")
        project = tomllib.loads(text)["project"]
        assert project["entry-points"] == {"graphrag_pipeline.plugins": {"acme": "graphrag_acme"}}
        assert project["name"] == "graphrag-acme"
        assert project["dependencies"] == ["graphrag-pipeline>=0.1,<0.2"]


def test_the_test_of_a_package_imports_what_is_promised_alone(rendered: Path) -> None:
    for flag in FORMS:
        (test,) = (rendered / flag / "graphrag-acme" / "tests").iterdir()
        lines = test.read_text("utf-8").splitlines()
        homes = [line.partition(" import ")[0] for line in lines if line.startswith("from graphrag_pipeline")]
        assert homes == ["from graphrag_pipeline.testing"], flag


def test_the_readme_tells_of_config_where_there_is_some(rendered: Path) -> None:
    for flag, form in FORMS.items():
        package = rendered / flag / "graphrag-acme"
        told = "graphrag_acme/conf" in (package / "README.md").read_text("utf-8")
        assert told == (package / "graphrag_acme" / "conf").is_dir() == bool(form.group), flag


def test_nothing_is_left_to_fill_in(rendered: Path) -> None:
    for path in rendered.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert "$" not in path.read_text("utf-8"), path


def test_what_is_there_is_never_written_over(tmp_path: Path) -> None:
    form = FORMS["filter"]
    files = package_files(names_of("mine", form), form)
    write_package(files, tmp_path / "mine")
    (tmp_path / "mine.py").write_text("mine", encoding="utf-8")
    for write in (
        lambda: write_package(files, tmp_path / "mine"),
        lambda: write_package(files, tmp_path / "mine.py"),
        lambda: write_file("new", tmp_path / "mine.py"),
    ):
        with pytest.raises(PluginError, match="is there already"):
            write()
    assert (tmp_path / "mine.py").read_text("utf-8") == "mine"


def test_a_class_is_small(rendered: Path) -> None:
    for flag in FORMS:
        lines = (rendered / flag / "acme.py").read_text("utf-8").splitlines()
        assert len([line for line in lines if line.strip()]) <= 60, flag
