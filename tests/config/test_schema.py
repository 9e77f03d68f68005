"""The JSON Schema that editors use."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.schema import json_schema


@pytest.fixture(scope="module")
def schema(host):
    return json_schema(host)


@pytest.fixture(scope="module")
def validator(schema):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_every_component_is_a_branch_of_its_kind(schema, host):
    for kind in ("graph_source", "persona_source", "seed_retriever", "bridge"):
        titles = {branch["title"] for branch in schema["$defs"][kind]["oneOf"]}
        assert titles == set(host.components(kind))


def test_keys_are_described(schema):
    kinds = {each["title"]: each for each in schema["$defs"]["context_assembler"]["oneOf"]}
    bullets = kinds["bullets"]
    assert bullets["properties"]["max_tokens"]["description"] == "Token budget of the context."


def test_the_default_config_is_valid(validator, settings):
    validator.validate(settings.tree)


@pytest.mark.parametrize(
    ("section", "value"),
    [
        ("query", {"k": "five"}),
        ("seed", {"use": "lable"}),
        ("score", {"use": "weighted_sum", "weights": {"nope": 1}}),
        ("context", {"use": "bullets", "max_tokens": 0}),
        ("extra", {"match": "cell"}),
    ],
)
def test_a_wrong_config_is_not(validator, settings, section, value):
    assert not validator.is_valid({**settings.tree, section: value})
