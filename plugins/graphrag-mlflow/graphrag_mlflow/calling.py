"""Calling MLflow so that a server that does not answer costs seconds and not minutes."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

LOUD = ("mlflow", "alembic")


@contextmanager
def short_patience(timeout_s: float, retries: int) -> Iterator[None]:
    """Give MLflow a time limit and few retries while the body runs.

    MLflow reads both from the environment at each call; its own are two minutes and seven retries. A variable
    that the user has set stays. It neither reports its use to its makers from here, nor tells of each table
    that it makes.

    Args:
        timeout_s: For one call of a server, in seconds.
        retries: Of a call that a server does not answer.
    """
    wanted = {
        "MLFLOW_HTTP_REQUEST_TIMEOUT": str(max(1, round(timeout_s))),
        "MLFLOW_HTTP_REQUEST_MAX_RETRIES": str(retries),
        "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR": "1",
        "MLFLOW_DISABLE_TELEMETRY": "true",
    }
    added = [name for name in wanted if name not in os.environ]
    os.environ.update({name: wanted[name] for name in added})
    try:
        import mlflow  # noqa: F401  # it sets up its loggers when it is first imported

        with _quiet():
            yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def _quiet() -> Iterator[None]:
    levels = [(logger := logging.getLogger(name), logger.level) for name in LOUD]
    for logger, _ in levels:
        logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for logger, level in levels:
            logger.setLevel(level)
