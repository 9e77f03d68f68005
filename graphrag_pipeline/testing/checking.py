"""The kit run over the components of a plugin, without a test of its author: ``plugins check``."""

from __future__ import annotations

import importlib.util
import io
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from pydantic import ValidationError

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.pipeline.making import make
from graphrag_pipeline.plugin.causes import cause
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.records import ComponentInfo, PluginRecord
from graphrag_pipeline.stages.time_limit import LateError, TimedCalls
from graphrag_pipeline.testing.running import Checked, run_suite
from graphrag_pipeline.testing.suite import ComponentSuite
from graphrag_pipeline.testing.suites import SUITES

MODULE = "_graphrag_checked"
TEXT = """\
from graphrag_pipeline.testing.checking import suites

globals().update(suites(__name__, {plugin!r}, {source!r}, {path!r}, globals().get("HOST")))
"""
"""A test module as the author could have written it, so that other processes can load it."""


PRINTS = "prints"
"""Name of what is remarked on, and no check of a suite."""


def check_components(
    record: PluginRecord, infos: Sequence[ComponentInfo], host: PluginHost, timeout_s: float | None = None
) -> Iterator[tuple[ComponentInfo, tuple[Checked, ...] | str]]:
    """Yield what the kit says of each component, or why it was not asked.

    Args:
        record: The plugin.
        infos: Its components.
        host: Where they are.
        timeout_s: Seconds for one check; None sets no limit.
    """
    told = {(info.kind, info.name): _unfit(info, host, timeout_s) for info in infos}
    with tempfile.TemporaryDirectory(prefix="graphrag-check-") as folder:
        module = _module(record, host, Path(folder)) if not all(told.values()) else None
        for info in infos:
            why = told[info.kind, info.name]
            yield info, why or _run(getattr(module, _suite_name(info)), timeout_s)


def suites(
    module: str, plugin: str, source: str, path: str, host: PluginHost | None = None
) -> dict[str, type[ComponentSuite]]:
    """Return a suite for each component of a plugin, made from its default parameters.

    Args:
        module: Name of the module that the suites are for.
        plugin: Name of the plugin.
        source: Where it comes from.
        path: Its file or module.
        host: Where it is loaded; None loads it.
    """
    if host is None:
        files = [path] if source in ("file", "environment") and Path(path).exists() else []
        modules = [] if files or source == "entry point" else [path]
        installed = source == "entry point"
        host = PluginHost.discover(modules=modules, files=files, entry_points=installed, environ={})
    found = (info for kind in SUITES for info in host.components(kind).values() if info.plugin == plugin)
    made = [_suite(info, module, host) for info in found if not _required(info)]
    return {suite.__name__: suite for suite in made}


def _suite(info: ComponentInfo, module: str, host: PluginHost) -> type[ComponentSuite]:
    # Any: components have no base class in common.
    def ready(suite: ComponentSuite) -> Any:
        return make(host, info.kind, info.qualified, info.params())

    excepted = getattr(info.cls, "contract_exceptions", {})
    # Alone, so that one that hangs is no fault of another.
    members = {"__module__": module, "make": ready, "exceptions": excepted, "alone": True}
    return type(_suite_name(info), (SUITES[info.kind],), members)


def _suite_name(info: ComponentInfo) -> str:
    return f"{info.kind}_{info.name}"


def _required(info: ComponentInfo) -> str:
    """Return which parameters must be given, or why the defaults will not do; empty when they do."""
    names = [name for name, field in info.params.model_fields.items() if field.is_required()]
    if names:
        return f"it needs a value for {', '.join(names)}"
    try:
        info.params()
    except ValidationError as error:
        return f"its defaults alone will not do: {cause(error)}"
    return ""


class _Heard(io.TextIOBase):
    """Remembers whether anything was written, and passes it on."""

    def __init__(self, onto: TextIO) -> None:
        self._onto = onto
        self.anything = False

    def write(self, text: str) -> int:
        self.anything = True
        return self._onto.write(text)

    def flush(self) -> None:
        self._onto.flush()


def _run(suite: type[ComponentSuite], timeout_s: float | None) -> tuple[Checked, ...]:
    with redirect_stdout(_Heard(sys.stdout)) as heard:
        checked = run_suite(suite, timeout_s)
    told = "it prints, which the log of Python is for: standard output is for results"
    return (*checked, Checked(PRINTS, "passed", told)) if heard.anything else checked


def _made(info: ComponentInfo, host: PluginHost, timeout_s: float | None) -> Any:  # Any: as in `_suite`
    def made() -> Any:
        return make(host, info.kind, info.qualified, info.params())

    return made() if timeout_s is None else TimedCalls("contract make").within(timeout_s, made)


def _unfit(info: ComponentInfo, host: PluginHost, timeout_s: float | None) -> tuple[Checked, ...] | str:
    """Return why a component cannot be asked here; empty when it can."""
    test = f"test it with {SUITES[info.kind].__name__}"
    if why := _required(info):
        return f"{why}: {test}"
    if info.name not in host.components(info.kind):
        return "its name is not its own"
    if info.kind == "tracker":
        return f"it writes to the world outside: {test}"
    return _unready(info, host, timeout_s, test)


def _unready(
    info: ComponentInfo, host: PluginHost, timeout_s: float | None, test: str
) -> tuple[Checked, ...] | str:
    """Return why a component cannot be asked here once it is made; empty when it can."""
    try:
        made = _made(info, host, timeout_s)
    except LateError:
        return (Checked("make", "failed", f"it was not made within {timeout_s:g} s"),)
    except GraphRAGError as error:
        return f"it cannot be made here: {cause(error)}"
    if info.kind == "bridge" and not getattr(made, "local", False):
        return f"it may ask a service: {test}"
    return ""


def _module(record: PluginRecord, host: PluginHost, folder: Path) -> ModuleType:
    path = str(Path(record.path).resolve()) if Path(record.path).exists() else record.path
    file = folder / "checked.py"
    file.write_text(TEXT.format(plugin=record.name, source=record.source, path=path), encoding="utf-8")
    name = f"{MODULE}_{record.name.replace('.', '_')}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["HOST"] = host
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
