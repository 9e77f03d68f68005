"""What the host knows of components and plugins, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from graphrag_pipeline.model.component import Params

Source = Literal["builtin", "entry point", "module", "file", "environment"]
"""Where a plugin comes from."""
SOURCES: tuple[Source, ...] = ("builtin", "entry point", "module", "file", "environment")
"""Every source, in loading order."""
Status = Literal["loaded", "failed", "blocked"]
BUILTIN = "builtin"
"""Name of the plugin that holds the built-in components."""


@dataclass(frozen=True, slots=True)
class ComponentInfo:
    """One component class and where it comes from.

    Args:
        kind: Name of its kind.
        name: Its bare name.
        cls: The class; called with ``params`` by keyword.
        params: The model of its parameters.
        plugin: Name of the plugin that registered it.
        distribution: The installed distribution the plugin is in, if any.
        version: Version of the distribution, or ``__version__`` of a plugin file.
        source: Where the plugin comes from.
    """

    kind: str
    name: str
    cls: Callable[..., Any]  # Any: each kind has its own methods, checked when the plugin is loaded
    params: type[Params]
    plugin: str
    distribution: str | None
    version: str | None
    source: Source

    @property
    def qualified(self) -> str:
        """The name that is never ambiguous: ``plugin:name``."""
        return f"{self.plugin}:{self.name}"

    @property
    def title(self) -> str:
        """The kind as people read it."""
        return self.kind.replace("_", " ")

    @property
    def origin(self) -> str:
        """Plugin, distribution and version as messages show them."""
        return _origin(self.plugin, self.distribution, self.version, self.source)


@dataclass(frozen=True, slots=True)
class ConfigSource:
    """A directory of YAML config groups that a plugin ships."""

    plugin: str
    path: Path

    def options(self) -> tuple[str, ...]:
        """Return its options as ``group/option``, sorted."""
        found = (file.relative_to(self.path).with_suffix("") for file in self.path.rglob("*.yaml"))
        return tuple(sorted(option.as_posix() for option in found))


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a plugin is not there.

    Args:
        phase: ``import``, or ``contract`` when it could be imported and is not what a plugin must be.
        error: The cause, one fault a line.
        where: ``file:line`` of the cause, if known.
    """

    phase: Literal["import", "contract"]
    error: str
    where: str = ""

    @property
    def text(self) -> str:
        """The cause, indented when there are several faults."""
        faults = self.error.split("\n")
        return (
            self.error
            if len(faults) == 1
            else f"{len(faults)} faults" + "".join(f"\n    - {fault}" for fault in faults)
        )


@dataclass(frozen=True, slots=True)
class PluginRecord:
    """What became of one plugin.

    Args:
        name: Its name, unique within a host.
        source: Where it comes from.
        path: The entry point's value, the dotted module name, or the file as it was given.
        distribution: The installed distribution it is in, if any.
        version: Version of the distribution, or ``__version__`` of a plugin file.
        status: What became of it.
        digest: SHA-256 of its code (see :mod:`graphrag_pipeline.plugin.digests`).
        hooks: Names of the hooks it implements, sorted.
        components: Component names by kind, both sorted.
        config: The config options it brings, as ``group/option``, sorted; told by reports.
        failure: Why it failed, if it did.
        observer_errors: Its observers that raised and were left out, one line each.
        import_ms: Milliseconds it took to import and check.
    """

    name: str
    source: Source
    path: str
    distribution: str | None = None
    version: str | None = None
    status: Status = "loaded"
    digest: str | None = None
    hooks: tuple[str, ...] = ()
    components: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    config: tuple[str, ...] = ()
    failure: Failure | None = None
    observer_errors: tuple[str, ...] = ()
    import_ms: float = 0.0

    @property
    def origin(self) -> str:
        """Name, distribution and version as messages show them."""
        return _origin(self.name, self.distribution, self.version, self.source)


def _origin(plugin: str, distribution: str | None, version: str | None, source: Source) -> str:
    package = " ".join(part for part in (distribution, version) if part)
    return f"{plugin} ({package or source})"
