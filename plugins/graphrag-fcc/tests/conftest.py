from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def fcc_kg() -> Path:
    """The graph as it was recorded, beside the repository; where it is absent the test is skipped."""
    folder = ROOT.parent / "shared" / "data" / "fcc-kg"
    if not folder.is_dir():
        pytest.skip("the recorded graph ../shared/data/fcc-kg is not here")
    return folder
