"""Running parts of one job by a Hydra launcher: here one after the other, in processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrag_pipeline.config.yaml_writer import to_yaml
from graphrag_pipeline.errors import ConfigError, GraphRAGError, Problem

if TYPE_CHECKING:
    from hydra._internal.hydra import Hydra
    from omegaconf import DictConfig

Task = Callable[[int], Any]  # Any: what comes back is the caller's
"""What a part does, given its number; for other processes a function of a module, or a partial of one."""
CONFIG = "launch"
"""Name of the config that Hydra starts from."""


def launch(
    shards: int, task: Task, *, directory: Path, launcher: str = "basic", overrides: Sequence[str] = ()
) -> list[Any]:
    """Run a task for the numbers 0 … shards - 1, and return what came back, by number.

    All parts run, also when one fails.

    Args:
        shards: How many parts.
        task: What each does.
        directory: Where Hydra and the launcher put their files, each part in a directory of its number. Other
            machines must see it under the same name.
        launcher: An option of ``hydra/launcher``: ``basic``, ``joblib``, ``submitit_local``, …
        overrides: Of the launcher: ``hydra.launcher.n_jobs=2``.

    Raises:
        ConfigError: There is no such launcher, or it does not take the overrides.
        GraphRAGError: The launcher failed, or a process of it ended before its time.
        Exception: What the first part that failed raised.
    """
    if "${" in str(directory.absolute()):
        what = "Hydra takes a part of this directory's name for a reference to a value"
        raise ConfigError([Problem(str(directory), what, "", "choose one without ${ in its name")])
    directory.mkdir(parents=True, exist_ok=True)
    file = directory.absolute() / f"{CONFIG}.yaml"
    file.write_text(_config(directory.absolute(), launcher), "utf-8")
    with _hydra(file.parent) as hydra:
        swept = f"shard={','.join(map(str, range(shards)))}"
        try:
            batches = hydra.multirun(CONFIG, Part(task), [*overrides, swept], with_log_configuration=False)
        except _refusals() as error:
            raise _refused(error, launcher, overrides) from error
        except Exception as error:  # of whatever library the launcher is made with
            raise GraphRAGError(
                f"The launcher {launcher!r} failed: {type(error).__name__}: {error}",
                where=str(directory),
                hint="A part was killed or ran out of memory, or the launcher's settings are wrong.",
            ) from error
    outcomes = [run.return_value for batch in batches for run in batch]
    for _, failure in outcomes:
        if failure is not None:
            raise failure
    return [value for value, _ in outcomes]


@dataclass(frozen=True, slots=True)
class Part:
    """What Hydra calls for each part."""

    task: Task

    # Any: what the task gives.
    def __call__(self, config: DictConfig) -> tuple[Any, Exception | None]:
        """Run the task for the part that the config names; return what came back, or what it raised."""
        try:
            return self.task(int(config.shard)), None
        except Exception as error:  # noqa: BLE001  # Hydra would write about it to the terminal; it is raised later
            return None, error


def _config(directory: Path, launcher: str) -> str:
    """Return the config that Hydra starts from; paths are in it, since an override would need them quoted."""
    logging = [{f"override hydra/{which}_logging": "none"} for which in ("hydra", "job")]
    return to_yaml(
        {
            # Ours is the logging: Hydra's own would replace it.
            "defaults": ["_self_", *logging, {"override hydra/launcher": launcher}],
            "shard": 0,
            "hydra": {
                "sweep": {"dir": str(directory), "subdir": "${hydra.job.num}"},
                "job": {"name": "shard", "chdir": False},
            },
        }
    )


@contextmanager
def _hydra(directory: Path) -> Iterator[Hydra]:
    """Give Hydra as a program would use it, and leave what it keeps for the process as it was."""
    from hydra._internal.hydra import Hydra
    from hydra._internal.utils import create_config_search_path
    from hydra.core.global_hydra import GlobalHydra
    from hydra.core.singleton import Singleton
    from hydra.version import VersionBase
    from packaging.version import Version

    before = dict(Singleton.get_state())
    version = VersionBase.instance()
    base = version.version_base
    try:
        version.setbase(Version("1.3"))
        GlobalHydra.instance().clear()
        yield Hydra.create_main_hydra2("shard", create_config_search_path(str(directory)))
    finally:
        GlobalHydra.instance().clear()
        Singleton.set_state(before)
        version.version_base = base


def _refusals() -> tuple[type[Exception], ...]:
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    return HydraException, OmegaConfBaseException


def _refused(error: Exception, launcher: str, overrides: Sequence[str]) -> ConfigError:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if any("hydra/launcher" in line for line in lines):
        installed = 'joblib and submitit come with: pip install "graphrag-pipeline[launchers]"'
        return ConfigError([Problem("hydra/launcher", f"there is no launcher {launcher!r}", "", installed)])
    said = f"overrides: {' '.join(overrides)}" if overrides else ""
    what = f"the launcher {launcher!r} cannot run: {lines[0] if lines else type(error).__name__}"
    return ConfigError([Problem("hydra.launcher", what, "", said)])
