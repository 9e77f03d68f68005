from __future__ import annotations

from pathlib import Path

import graphrag_mlflow as plugin
import pytest
import yaml
from graphrag_mlflow.tracker import MlflowParams

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


@pytest.mark.parametrize("key", MlflowParams.model_fields)
def test_every_key_is_described(key):
    assert f"`{key}`" in README


def test_the_yaml_that_is_shipped_has_every_key_with_its_default():
    (file,) = (Path(plugin.__file__).parent / "conf").rglob("*.yaml")
    section = yaml.safe_load(file.read_text("utf-8"))
    defaults = {
        name: field.get_default(call_default_factory=True)
        for name, field in MlflowParams.model_fields.items()
    }
    assert section["mlflow"] == defaults
