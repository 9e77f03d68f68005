"""What ``--version`` shows."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, entry_points, version

from graphrag_pipeline._version import __version__

LIBRARIES = ("hydra-core", "omegaconf", "pluggy", "networkx", "numpy", "pydantic")


def version_text() -> str:
    """Return the versions of everything that can change a result, without importing any of it."""
    lines = [
        f"graphrag-pipeline {__version__}",
        f"Python {platform.python_version()} ({platform.python_implementation()}, {platform.system()})",
    ]
    lines += [f"{name} {_version(name)}" for name in LIBRARIES]
    points = entry_points(group="graphrag_pipeline.plugins")
    plugins = sorted({(point.dist.name, point.dist.version) for point in points if point.dist})
    lines += [f"plugin {name} {number}" for name, number in plugins]
    return "\n".join(lines)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
