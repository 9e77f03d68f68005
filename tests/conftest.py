"""What every test may use: the data beside the repository, and property tests that CI repeats exactly."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import settings

from graphrag_pipeline.config import roots
from graphrag_pipeline.config.yaml_reader import Document, read_document

ROOT = Path(__file__).resolve().parent.parent
LONG = (
    "tests/cli/test_plugins.py",
    "tests/config/test_against_hydra.py",
    "tests/graph/sources/test_hostile.py",
    "tests/graph/sources/test_real_files.py",
    "tests/pipeline/test_growth.py",
    "tests/property/test_determinism.py",
)
"""Files of few tests that take longer than most files, beside those with a test marked as slow."""

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


@pytest.fixture(scope="session", autouse=True)
def _installed_packages_are_read_once() -> Iterator[None]:
    """Remember which distribution installed which package.

    To find out, the names of all installed files are read, which takes longer than most tests. What is
    installed stays as it is; entries of sys.path that a test adds are read anew.
    """
    installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    read_all = metadata.packages_distributions

    def read(entry: str) -> Mapping[str, list[str]]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "path", [entry])
            return read_all()

    read_once = cache(read)

    def remembered() -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for entry in sys.path:
            for package, names in (read_once if entry in installed else read)(entry).items():
                found[package] = [*found.get(package, ()), *names]
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metadata, "packages_distributions", remembered)
        yield


@pytest.fixture(scope="session", autouse=True)
def _shipped_configs_are_read_once() -> Iterator[None]:
    """Remember the documents of conf/: a config is made of fourteen, and the tests compose thousands.

    A document does not change, so tests may share it; files of users are read anew.
    """
    shipped = roots.conf_root()
    read_once = cache(read_document)

    def remembered(path: Path, name: str) -> Document:
        return (read_once if path.is_relative_to(shipped) else read_document)(path, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(roots, "read_document", remembered)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that takes the `shared` fixture, so that -m 'not shared' leaves them out."""
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.shared)
    if "PYTEST_XDIST_WORKER" in os.environ:
        _put_quick_files_last(items)


def _put_quick_files_last(items: list[pytest.Item]) -> None:
    """Sort files: those that take long, then the others by their number of tests, the most first.

    So no process of pytest-xdist waits long for another at the end. Files that are equal in that, and the
    tests of a file, stay in their order, which is a random one.
    """
    long = {ROOT / name for name in LONG}
    long |= {item.path for item in items if item.get_closest_marker("slow")}
    tests = Counter(item.path for item in items)
    place = {path: number for number, path in enumerate(tests)}
    items.sort(key=lambda item: (item.path not in long, -tests[item.path], place[item.path]))
