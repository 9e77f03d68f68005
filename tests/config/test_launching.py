"""Parts of a job run by Hydra's launchers."""

from __future__ import annotations

import logging
import os
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from graphrag_pipeline.config.launching import launch
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.errors import ConfigError, GraphRAGError

# Another process imports the functions of this module by name.
pytestmark = pytest.mark.usefixtures("_importable")


@pytest.fixture
def _importable(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


def noted(directory: Path, part: int) -> tuple[int, str]:
    (directory / f"part-{part}").write_text(str(os.getpid()))
    return part * 10, str(Path.cwd())


def failing(part: int) -> int:
    if part == 1:
        raise GraphRAGError("this part is broken", where="part 1")
    return part


def ending(part: int) -> None:
    os._exit(3)


LAUNCHERS = [
    ("basic", ()),
    ("joblib", ("hydra.launcher.n_jobs=2",)),
    ("submitit_local", ("hydra.launcher.timeout_min=5",)),
]


def needs(launcher: str) -> None:
    package = launcher.partition("_")[0]
    if package != "basic" and find_spec(f"hydra_plugins.hydra_{package}_launcher") is None:
        pytest.skip(f"hydra-{package}-launcher is not installed")


@pytest.mark.filterwarnings("ignore")  # of the launchers' own libraries
@pytest.mark.parametrize(("launcher", "overrides"), LAUNCHERS)
def test_every_part_runs_once_and_what_it_returns_comes_back_in_order(tmp_path, launcher, overrides):
    needs(launcher)
    place = tmp_path / 'a name = with, "odd" characters'
    found = launch(3, partial(noted, tmp_path), directory=place, launcher=launcher, overrides=overrides)
    assert found == [(0, str(Path.cwd())), (10, str(Path.cwd())), (20, str(Path.cwd()))]
    processes = {(tmp_path / f"part-{part}").read_text() for part in range(3)}
    assert (str(os.getpid()) in processes) == (launcher == "basic")
    assert {"0", "1", "2"} <= {path.name for path in place.iterdir()}, "Hydra's files are inside"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("launcher", "overrides"), LAUNCHERS[:2])
def test_a_part_that_fails_raises_its_own_error_when_all_have_run(tmp_path, capfd, launcher, overrides):
    needs(launcher)
    with pytest.raises(GraphRAGError, match="this part is broken") as caught:
        launch(3, failing, directory=tmp_path, launcher=launcher, overrides=overrides)
    assert caught.value.where == "part 1"
    assert (tmp_path / "2").is_dir()
    assert capfd.readouterr().out == ""


@pytest.mark.filterwarnings("ignore")
def test_a_part_whose_process_ends_is_told(tmp_path):
    needs("joblib")
    with pytest.raises(GraphRAGError, match="The launcher 'joblib' failed: TerminatedWorkerError"):
        launch(2, ending, directory=tmp_path, launcher="joblib", overrides=("hydra.launcher.n_jobs=2",))


def test_a_launcher_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ConfigError, match="there is no launcher 'job_lib'") as caught:
        launch(2, failing, directory=tmp_path, launcher="job_lib")
    assert "graphrag-pipeline[launchers]" in caught.value.problems[0].hint


def test_overrides_that_a_launcher_does_not_take_are_told(tmp_path):
    with pytest.raises(ConfigError, match=r"Could not override 'hydra.launcher.jobs'"):
        launch(2, failing, directory=tmp_path, overrides=("hydra.launcher.jobs=2",))


def test_a_directory_that_hydra_would_misread_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="reference to a value"):
        launch(2, failing, directory=tmp_path / "${x}")


def test_nothing_is_left_behind_in_this_process(tmp_path, host):
    before = load_settings(["query.k=3"], host=host)
    handlers = list(logging.getLogger().handlers)
    launch(2, int, directory=tmp_path)
    launch(2, int, directory=tmp_path)
    assert load_settings(["query.k=3"], host=host) == before
    assert list(logging.getLogger().handlers) == handlers
    assert not logging.getLogger("graphrag_pipeline").disabled


def _load(host, part: int) -> int:
    return load_settings([f"query.k={part + 1}"], host=host).query.k


def test_a_part_may_load_settings_itself(tmp_path, host):
    assert launch(3, partial(_load, host), directory=tmp_path) == [1, 2, 3]


def test_ctrl_c_stops_the_parts_that_have_not_run(tmp_path):
    def interrupted(part: int) -> None:
        (tmp_path / f"began-{part}").touch()
        if part == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        launch(3, interrupted, directory=tmp_path / "launch")
    assert sorted(path.name for path in tmp_path.glob("began-*")) == ["began-0", "began-1"]
