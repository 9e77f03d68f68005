"""Where plugins come from: what is there to load, without loading it yet."""

from __future__ import annotations

import importlib
import logging
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path

from graphrag_pipeline._version import __version__
from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.files import import_path, same_file_key, stem_of
from graphrag_pipeline.plugin.records import BUILTIN, Source

logger = logging.getLogger(__name__)

GROUP = "graphrag_pipeline.plugins"
"""Entry point group of installed plugins."""
LIST_VARIABLE = "GRAPHRAG_PLUGINS"
"""Environment variable that lists further plugins."""
DISABLE_VARIABLE = "GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD"
"""Environment variable that keeps installed plugins out."""
TRACE_VARIABLE = "GRAPHRAG_TRACE_PLUGINS"
"""Environment variable that has every call into a plugin told on standard error."""
_DAMAGE = (AttributeError, KeyError, OSError, TypeError, ValueError)
"""What importlib.metadata raises on metadata that is missing, cut short or not what it should be."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An imported plugin; ``digest`` and ``version`` where only its loader knows them."""

    plugin: object
    digest: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plugin that may be loaded.

    Args:
        name: The name it asks for.
        source: Where it comes from.
        path: The entry point's value, the dotted module name, or the file as it was given.
        key: Equal for two candidates that would import the same thing.
        load: Imports it.
        distribution: The installed distribution it is in, if any.
        version: Version of that distribution.
    """

    name: str
    source: Source
    path: str
    key: tuple[str, str]
    load: Callable[[], Loaded]
    distribution: str | None = None
    version: str | None = None


def builtin() -> Candidate:
    """Return the plugin that holds the built-in components."""
    module = "graphrag_pipeline.plugin.builtins"
    load = partial(_import_object, module)
    return Candidate(BUILTIN, "builtin", module, ("module", module), load, "graphrag-pipeline", __version__)


def entry_points() -> list[Candidate]:
    """Return the installed plugins, sorted by name and distribution.

    Of two distributions that use one entry point name, neither gets it: they become ``name@distribution``.
    """
    found = sorted(_installed(), key=lambda each: (each[0].name, each[1], each[0].value))
    taken = Counter(point.name for point, _, _ in found)
    return [
        Candidate(
            name=point.name if taken[point.name] == 1 else f"{point.name}@{distribution}",
            source="entry point",
            path=point.value,
            key=("module", point.value),
            load=partial(_load_entry_point, point),
            distribution=distribution,
            version=version,
        )
        for point, distribution, version in found
    ]


def _installed() -> Iterator[tuple[metadata.EntryPoint, str, str]]:
    # importlib.metadata.entry_points() raises for all when one distribution's metadata is damaged.
    seen: set[str] = set()
    for dist in metadata.distributions():
        try:
            if not {"Name", "Version"} <= set(dist.metadata):
                continue
            name, version = dist.metadata["Name"], dist.version
            points = dist.entry_points.select(group=GROUP)
        except _DAMAGE as error:
            logger.debug("A damaged distribution is passed over: %r", error)
            continue
        # A distribution further down the path is shadowed by one of its name.
        if name.lower() not in seen:
            seen.add(name.lower())
            yield from ((point, name, version) for point in points)


def modules(names: Iterable[str], source: Source = "module") -> Iterator[Candidate]:
    """Yield a candidate for each dotted module name, in the order given."""
    owners: Mapping[str, list[str]] | None = None
    for name in names:
        owners = _owners() if owners is None else owners
        distribution, version = _owner(name, owners)
        load = partial(_import_object, name)
        yield Candidate(name, source, name, ("module", name), load, distribution, version)


def files(paths: Iterable[str | Path], source: Source = "file") -> Iterator[Candidate]:
    """Yield a candidate for each plugin file or package directory, in the order given."""
    for path in paths:
        key = ("file", same_file_key(path))
        yield Candidate(stem_of(path), source, str(path), key, partial(_load_file, path))


def environment(environ: Mapping[str, str]) -> Iterator[Candidate]:
    """Yield a candidate for each entry of ``GRAPHRAG_PLUGINS``, in order."""
    entries = re.split(f"[{re.escape(os.pathsep)},]", environ.get(LIST_VARIABLE, ""))
    for entry in (text.strip() for text in entries):
        if not entry:
            continue
        if entry.endswith(".py") or os.sep in entry or Path(entry).is_dir():
            yield from files([entry], "environment")
        else:
            yield from modules([entry], "environment")


def autoload_disabled(environ: Mapping[str, str]) -> bool:
    """Return whether the environment keeps installed plugins out."""
    return _is_set(environ, DISABLE_VARIABLE)


def traced(environ: Mapping[str, str]) -> bool:
    """Return whether the environment asks for calls into plugins to be told."""
    return _is_set(environ, TRACE_VARIABLE)


def _is_set(environ: Mapping[str, str], variable: str) -> bool:
    return environ.get(variable, "").strip().lower() not in {"", "0", "false", "no", "off"}


def _owners() -> Mapping[str, list[str]]:
    try:
        with warnings.catch_warnings():
            # It asks every distribution for its name, and deprecates that one may have none.
            warnings.simplefilter("ignore", DeprecationWarning)
            return metadata.packages_distributions()
    except _DAMAGE as error:
        logger.debug("Damaged metadata: modules go without their distribution: %r", error)
        return {}


def _owner(module: str, owners: Mapping[str, list[str]]) -> tuple[str | None, str | None]:
    """Return distribution and version of a module; of a namespace package nobody can tell."""
    names = set(owners.get(module.partition(".")[0], ()))
    if len(names) != 1:
        return None, None
    (name,) = names
    try:
        return name, metadata.version(name)
    except (*_DAMAGE, metadata.PackageNotFoundError):
        return name, None


def _load_entry_point(point: metadata.EntryPoint) -> Loaded:
    return Loaded(_instance(point.load()))


def _import_object(name: str) -> Loaded:
    if not all(part.isidentifier() for part in name.split(".")):
        raise PluginError(
            f"{name!r} is not a dotted module name.",
            where=name,
            hint="Name a module as in an import statement; give files with --plugin FILE.py.",
        )
    return Loaded(importlib.import_module(name))


def _load_file(path: str | Path) -> Loaded:
    module, digest = import_path(path)
    version = getattr(module, "__version__", None)
    return Loaded(module, digest, version if isinstance(version, str) else None)


def _instance(plugin: object) -> object:
    # Hooks written as methods need an object to be called on.
    return plugin() if isinstance(plugin, type) else plugin
