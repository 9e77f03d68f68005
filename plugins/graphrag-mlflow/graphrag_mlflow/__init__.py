"""The tracker ``mlflow``: keeps the runs of graphrag_pipeline in MLflow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphrag_pipeline import hookimpl


@hookimpl
def graphrag_register_trackers() -> Sequence[type]:
    """Return the tracker ``mlflow``."""
    from graphrag_mlflow.tracker import Mlflow

    return [Mlflow]


@hookimpl
def graphrag_config_sources() -> Sequence[Path]:
    """Return the directory with ``trackers=mlflow``."""
    return [Path(__file__).parent / "conf"]
