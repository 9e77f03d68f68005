"""What every test may use: the data beside the repository, and property tests that CI repeats exactly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# Timings differ between machines, so there is no deadline. On CI the examples are derived from the
# test itself, so a run cannot fail by luck; at a desk they are new on each run, and find more.
settings.register_profile("graphrag", deadline=None)
settings.register_profile("graphrag-ci", deadline=None, derandomize=True)
settings.load_profile("graphrag-ci" if os.environ.get("CI", "").lower() in {"true", "1"} else "graphrag")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The data beside the repository, ../shared/data; where it is absent the test is skipped."""
    data = ROOT.parent / "shared" / "data"
    if not data.is_dir():
        pytest.skip("../shared/data is not beside this clone")
    return data


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that takes the `shared` fixture, so that -m 'not shared' leaves them out."""
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.shared)
