"""The JSON Schema of the whole config, for editors: every installed component, every key described."""

from __future__ import annotations

import copy
from typing import Any

from pydantic import BaseModel

from graphrag_pipeline.config.components import STAGE_KINDS
from graphrag_pipeline.config.slots import policy_of
from graphrag_pipeline.config.trackers import TRACKERS
from graphrag_pipeline.config.validate import SECTIONS, SOURCES
from graphrag_pipeline.pipeline.spec import SLOT_KINDS
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.plugin.records import ComponentInfo
from graphrag_pipeline.stages.embedders.contract import EmbedderParams

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# Any throughout: a JSON Schema is plain data.


def json_schema(host: PluginHost) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a config with the components of this host."""
    shared: dict[str, Any] = {}
    for kind in (*SOURCES.values(), *STAGE_KINDS):
        shared[kind] = _kind(kind, host, shared)
    properties = {name: _model(model, name, shared) for name, model in SECTIONS.items()}
    for name, kind in (*SOURCES.items(), *SLOT_KINDS.items()):
        properties[name] = {"$ref": f"#/$defs/{kind}"}
    properties[TRACKERS] = _trackers(host, shared)
    properties["defaults"] = {
        "type": "array",
        "description": "Which option of each config group to start from.",
    }
    return {
        "$schema": DIALECT,
        "title": "graphrag_pipeline configuration",
        "type": "object",
        "properties": properties,
        "additionalProperties": {
            "description": "A slot: a component that pipeline.order can name.",
            "anyOf": [{"$ref": f"#/$defs/{kind}"} for kind in STAGE_KINDS],
        },
        "$defs": shared,
    }


def _trackers(host: PluginHost, shared: dict[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for name, info in host.components("tracker").items():
        named[name] = _component(info, host, shared)
        named[name]["required"].remove("use")  # the key is its name
    return {
        "type": "object",
        "description": "Who is told of a run, by name, with their parameters.",
        "properties": named,
        "additionalProperties": {"type": "object", "required": ["use"]},
    }


def _kind(kind: str, host: PluginHost, shared: dict[str, Any]) -> dict[str, Any]:
    branches = [_component(info, host, shared) for info in host.components(kind).values()]
    described = {"description": f"One {KINDS[kind].title}, chosen by name."}
    return {**described, "oneOf": branches} if branches else {**described, "not": {}}


def _component(info: ComponentInfo, host: PluginHost, shared: dict[str, Any]) -> dict[str, Any]:
    schema = _model(info.params, f"{info.kind}.{info.name}", shared)
    use = {
        "enum": [info.name, info.qualified],
        "description": f"The component, from the plugin {info.plugin}.",
    }
    common = {"use": use, "kind": {"const": info.kind}}
    if info.kind in STAGE_KINDS:
        common |= _model(policy_of(info.kind), "policy", shared)["properties"]
    schema["properties"] = {**common, **schema.get("properties", {})}
    schema["required"] = ["use", *schema.get("required", [])]
    schema["title"] = info.name
    if info.kind == "scorer":
        _name_signals(schema["properties"], host)
    if info.kind == "context_assembler":
        counters = list(host.components("token_counter"))
        schema["properties"]["counter"]["anyOf"] = [{"enum": counters}, {"pattern": ":"}]
    if issubclass(info.params, EmbedderParams):
        embedders = list(host.components("embedder"))
        schema["properties"]["embedder"]["anyOf"] = [{"enum": embedders}, {"pattern": ":"}]
    return schema


def _name_signals(properties: dict[str, Any], host: PluginHost) -> None:
    names = [*host.components("signal")]
    for key in ("weights", "signal_params", "normalise_signals"):
        if key in properties:
            properties[key]["propertyNames"] = {"anyOf": [{"enum": names}, {"pattern": ":"}]}


def _model(model: type[BaseModel], name: str, shared: dict[str, Any]) -> dict[str, Any]:
    """Return a model's schema; what it shares within itself is moved to the root under its name."""
    schema = copy.deepcopy(model.model_json_schema(ref_template=f"#/$defs/{name}.{{model}}"))
    for inner, definition in schema.pop("$defs", {}).items():
        shared[f"{name}.{inner}"] = definition
    return schema
