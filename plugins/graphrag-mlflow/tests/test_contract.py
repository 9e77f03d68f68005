"""The contract of a tracker, as the kit of graphrag_pipeline has it."""

from __future__ import annotations

import pytest
from graphrag_mlflow.tracker import Mlflow, MlflowParams

from graphrag_pipeline.testing import TrackerSuite

# MLflow asks SQLAlchemy for what it will no longer have one day.
pytestmark = pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy")


class TestContract(TrackerSuite):
    exceptions = {"test_hash_seeds_change_nothing": "its store is made once, in this process"}  # noqa: RUF012

    @pytest.fixture(autouse=True)
    def _store(self, store: str) -> None:
        self.store = store

    def make(self) -> Mlflow:
        where = {
            "tracking_uri": self.store,
            "experiment": "contract",
            "artifact_location": self.folder.as_uri(),
        }
        return Mlflow(MlflowParams.model_validate(where))
