"""What the tests of the pages share."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """The command line sends the library's log to standard error; other tests want it where it was."""
    logger = logging.getLogger("graphrag_pipeline")
    before = (list(logger.handlers), logger.propagate, logger.level)
    yield
    logger.handlers[:], logger.propagate, logger.level = before
