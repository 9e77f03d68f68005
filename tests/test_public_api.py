"""What the package exports, and what importing it costs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import graphrag_pipeline

HEAVY = ("hydra", "omegaconf", "networkx", "pydantic", "numpy", "pluggy", "click", "yaml")


def test_every_exported_name_can_be_imported() -> None:
    for name in graphrag_pipeline.__all__:
        assert getattr(graphrag_pipeline, name) is not None, name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        graphrag_pipeline.no_such_name  # noqa: B018


def test_importing_the_package_loads_no_heavy_library() -> None:
    code = (
        "import sys, json; before = set(sys.modules); import graphrag_pipeline; "
        "print(json.dumps(sorted({name.split('.')[0] for name in set(sys.modules) - before})))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not set(json.loads(output)) & set(HEAVY)
