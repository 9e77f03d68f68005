from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

# They are not imported here: MLflow takes a second, and pytest reads this file whatever it is asked to run.
for needed in ("mlflow", "sqlalchemy", "alembic"):
    if find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed", allow_module_level=True)

from graphrag_mlflow.tracker import Mlflow, MlflowParams  # noqa: E402


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No variable of MLflow, and the command line's logger as it was."""
    for name in ("MLFLOW_TRACKING_URI", "MLFLOW_EXPERIMENT_NAME", "MLFLOW_HTTP_REQUEST_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    logger = logging.getLogger("graphrag_pipeline")
    before = (list(logger.handlers), logger.propagate, logger.level)
    yield
    logger.handlers[:], logger.propagate, logger.level = before


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store in a database of its own; making its tables takes seconds, so there is one for all tests."""
    return f"sqlite:///{tmp_path_factory.mktemp('store')}/mlflow.db"


@pytest.fixture
def artefacts(tmp_path: Path) -> Path:
    return tmp_path / "artefacts"


@pytest.fixture
def experiment(request: pytest.FixtureRequest) -> str:
    name: str = request.node.name
    return name


@pytest.fixture
def make(store: str, artefacts: Path, experiment: str) -> Callable[..., Mlflow]:
    """Makes trackers that keep runs in the experiment of this test."""

    def made(**params: object) -> Mlflow:
        given = {"tracking_uri": store, "experiment": experiment, "artifact_location": artefacts.as_uri()}
        return Mlflow(MlflowParams.model_validate({**given, **params}))

    return made


@pytest.fixture
def client(store: str):
    import mlflow

    return mlflow.MlflowClient(tracking_uri=store)


@pytest.fixture
def runs(client, experiment: str):
    """Reads the runs of this test back, the oldest first."""

    def read():
        found = client.get_experiment_by_name(experiment)
        return client.search_runs([found.experiment_id], order_by=["attributes.start_time ASC"])

    return read
