"""What a plugin that loads may still lack: a name of its own, described parameters, docs."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema

from graphrag_pipeline.model.component import Params
from graphrag_pipeline.plugin.causes import cause, place_of
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.plugin.records import ComponentInfo, PluginRecord


@dataclass(frozen=True, slots=True)
class Remark:
    """What one check says of a plugin or of one of its components.

    Args:
        plugin: Name of the plugin.
        check: ``hooks``, ``names``, ``parameters``, ``docs``, ``config`` or ``contract``.
        status: ``ok``, ``fault``, or ``skipped`` where it could not be tried.
        component: Kind and name of the component; empty when it is about the whole plugin.
        told: What is wrong and what to change, why it was skipped, or what was found.
    """

    plugin: str
    check: str
    status: Literal["ok", "fault", "skipped"]
    component: str = ""
    told: str = ""


def components_of(record: PluginRecord, host: PluginHost) -> tuple[ComponentInfo, ...]:
    """Return the components of a plugin, by kind in the order a query meets them, then by name."""
    return tuple(
        host.find(kind, f"{record.name}:{name}") for kind in KINDS for name in record.components.get(kind, ())
    )


def check_hooks(record: PluginRecord) -> Iterator[Remark]:
    """Say whether a plugin loads and implements a hook; every fault of one that does not is a remark."""
    if record.failure is not None:
        # A fault of the contract has its place in it.
        at = record.failure.where if record.failure.phase == "import" else ""
        for fault in record.failure.error.split("\n"):
            yield Remark(record.name, "hooks", "fault", told=f"{fault} ({at})" if at else fault)
    elif record.status == "blocked":
        yield Remark(record.name, "hooks", "skipped", told="it is blocked, so it was not imported")
    elif not record.hooks:
        told = "it implements no hook, so it brings nothing: mark a function with @hookimpl"
        yield Remark(record.name, "hooks", "fault", told=told)
    else:
        yield Remark(record.name, "hooks", "ok", told=", ".join(record.hooks))


def check_component(info: ComponentInfo, host: PluginHost) -> Iterator[Remark]:
    """Check the name, the parameters and the docs of one component."""
    yield from _remarks(info, "names", _name_faults(info, host))
    yield from _remarks(info, "parameters", _parameter_faults(info.params))
    yield from _remarks(info, "docs", _docs_faults(info))


def titled(info: ComponentInfo) -> str:
    """Return kind and name as remarks have them."""
    return f"{info.title} {info.name}"


def _remarks(info: ComponentInfo, check: str, faults: Iterator[str]) -> Iterator[Remark]:
    told = list(faults)
    for fault in told:
        yield Remark(info.plugin, check, "fault", titled(info), fault)
    if not told:
        yield Remark(info.plugin, check, "ok", titled(info))


def _name_faults(info: ComponentInfo, host: PluginHost) -> Iterator[str]:
    if info.name not in host.components(info.kind):
        yield f"another plugin has a {info.title} {info.name!r} too, so both need their full names: rename it"


def _parameter_faults(params: type[Params]) -> Iterator[str]:
    if not params.__module__.startswith("graphrag_pipeline.") and not _own_doc(params):
        yield f"{params.__qualname__} has no docstring: say what can be set"
    for name, field in params.model_fields.items():
        if not field.description:
            yield f"the parameter {name!r} is not described: write a docstring under it"
        if field.annotation is inspect.Parameter.empty:
            yield f"the parameter {name!r} has no type"
    try:
        params.model_json_schema()
    except PydanticInvalidForJsonSchema as error:
        yield f"no schema can be made, so a config cannot be checked against it: {cause(error)}"
    yield from _default_faults(params)


def _default_faults(params: type[Params]) -> Iterator[str]:
    try:
        params()
    except ValidationError:
        return  # it needs a value that only a user knows
    try:
        # Pydantic takes a default as it is; a config that writes it out is validated.
        made = params.model_validate_json(params().model_dump_json(warnings=False))
    except (ValidationError, ValueError) as error:
        yield f"a default is refused when it is written into a config: {cause(error)}"
        return
    if made != params():
        yield "a default is another value when it is written into a config: give it the type it says"


def _docs_faults(info: ComponentInfo) -> Iterator[str]:
    where = place_of(info.cls)
    at = f" ({where})" if where else ""
    if not _own_doc(info.cls):
        yield f"the class has no docstring: say in one line what it does{at}"
    module = sys.modules.get(getattr(info.cls, "__module__", ""))
    if module is not None and not (module.__doc__ or "").strip():
        yield f"its module has no docstring: say in one line what is in it{at}"


def _own_doc(cls: object) -> str:
    # A docstring that is inherited says what the base is.
    return str(getattr(cls, "__dict__", {}).get("__doc__") or "").strip()
