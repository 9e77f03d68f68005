"""Loading candidates one by one: what is sound is taken in whole, what is not stays out whole."""

from __future__ import annotations

import logging
import shlex
import time
import warnings
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Literal

import pluggy

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin import hookspecs
from graphrag_pipeline.plugin.call_trace import CallTrace
from graphrag_pipeline.plugin.causes import cause, place, plugin_errors
from graphrag_pipeline.plugin.component_checks import params_of
from graphrag_pipeline.plugin.contents import Contents, component_name, read_contents
from graphrag_pipeline.plugin.digests import digest_of_library, digest_of_object
from graphrag_pipeline.plugin.discovery import Candidate
from graphrag_pipeline.plugin.records import (
    BUILTIN,
    SOURCES,
    ComponentInfo,
    ConfigSource,
    Failure,
    PluginRecord,
)
from graphrag_pipeline.plugin.registry import Registry

logger = logging.getLogger(__name__)


class Loader:
    """Takes in plugins and keeps the record of each.

    Args:
        blocked: Names of plugins, modules or distributions that are not even imported.
        calls: Makes the calls into plugins.
    """

    def __init__(self, blocked: Collection[str], calls: CallTrace) -> None:
        self._calls = calls
        self.manager = pluggy.PluginManager(hookspecs.PROJECT)
        self.manager.add_hookspecs(hookspecs)
        self.registry = Registry()
        self._specs = {name: _arguments(self.manager, name) for name in _hook_names(self.manager)}
        self._blocked = frozenset(blocked)
        self._matched: set[str | None] = set()
        self._told: set[str] = set()
        self._seen: dict[tuple[str, str], str] = {}
        self._records: dict[str, PluginRecord] = {}
        self._plugins: dict[str, object] = {}
        self._config_sources: list[ConfigSource] = []

    def load(self, candidates: Iterable[Candidate]) -> list[PluginRecord]:
        """Load what was not loaded or tried before; return the records of those that failed."""
        failed = []
        for candidate in candidates:
            if candidate.key not in self._seen:
                self._seen[candidate.key] = ""
                record = self._load(replace(candidate, name=self._free_name(candidate.name)))
                if record is not None:
                    self._seen[candidate.key] = record.name
                    self._records[record.name] = record
                    failed += [record] if record.status == "failed" else []
        return failed

    def failed_of(self, candidates: Iterable[Candidate]) -> list[PluginRecord]:
        """Return the records of those candidates that failed, now or when they were tried before."""
        records = (self._records.get(self._seen.get(candidate.key, "")) for candidate in candidates)
        failed = [record for record in records if record is not None and record.status == "failed"]
        return list({record.name: record for record in failed}.values())

    def absent(self) -> list[PluginRecord]:
        """Return the plugins that failed or are blocked, sorted by name."""
        records = (self._records[name] for name in sorted(self._records))
        return [record for record in records if record.status != "loaded"]

    def idle(self) -> list[str]:
        """Return the plugins loaded since the last call that implement no hook, by name."""
        names = sorted(
            record.origin
            for record in self._records.values()
            if record.status == "loaded" and not record.hooks and record.name not in self._told
        )
        self._told.update(self._records)
        return names

    def unmatched(self) -> list[str]:
        """Return the blocked names that no plugin had, sorted."""
        return sorted(self._blocked - self._matched)

    def block(self, names: Iterable[str]) -> bool:
        """Leave plugins out from now on; return whether one was there, whose parts are taken back."""
        self._blocked |= frozenset(names)
        found = [
            record
            for record in self._records.values()
            if record.status != "blocked" and self._blocked & _names(record)
        ]
        for record in found:
            self._matched |= self._blocked & _names(record)
            plugin = self._plugins.pop(record.name, None)
            if plugin is not None:
                self.manager.unregister(plugin)
                self.registry.remove(record.name)
            self._config_sources = [each for each in self._config_sources if each.plugin != record.name]
            self._records[record.name] = replace(
                record, status="blocked", hooks=(), components={}, failure=None
            )
        return bool(found)

    def knows(self, name: str) -> bool:
        """Whether there is a plugin, module or distribution of this name, whatever became of it."""
        return any(name in _names(record) for record in self._records.values())

    def known(self) -> tuple[PluginRecord, ...]:
        """Return the record of every plugin as it is, in loading order."""
        return tuple(self._records.values())

    def code_digest(self, plugin: str) -> str | None:
        """Return the digest of a loaded plugin's code, hashing it the first time."""
        if self._records[plugin].digest is None and plugin in self._plugins:
            digest = self._digest(plugin, self._plugins[plugin])
            self._records[plugin] = replace(self._records[plugin], digest=digest)
        return self._records[plugin].digest

    def records(self) -> list[PluginRecord]:
        """Return the record of every plugin, hashing code that was not hashed before."""
        for name in list(self._plugins):
            self.code_digest(name)
        return list(self._records.values())

    def config_sources(self) -> list[ConfigSource]:
        """Return the directories of YAML; those of later sources first, then by plugin name."""
        return sorted(
            self._config_sources,
            key=lambda config: (-SOURCES.index(self._records[config.plugin].source), config.plugin),
        )

    # -- one plugin ----------------------------------------------------------------------------

    def _load(self, candidate: Candidate) -> PluginRecord | None:
        record = PluginRecord(
            candidate.name, candidate.source, candidate.path, candidate.distribution, candidate.version
        )
        if matched := self._blocked & _names(record):
            self._matched |= matched
            return replace(record, status="blocked")
        start = time.perf_counter()
        phase: Literal["import", "contract"] = "import"
        try:
            loaded = self._calls.call("import", record.origin, candidate.load)
            if any(plugin is loaded.plugin for plugin in self._plugins.values()):
                return None
            phase = "contract"
            contents = read_contents(
                loaded.plugin,
                self.manager,
                self._specs,
                lambda hook, function: self._calls.call(hook, record.name, function),
            )
        except plugin_errors() as error:
            return _failed(record, Failure(phase, cause(error), place(error)), start, error)
        record = replace(record, digest=loaded.digest, version=candidate.version or loaded.version)
        if not contents.faults:
            self._register(loaded.plugin, candidate.name, contents)
        if contents.faults:
            return _failed(record, Failure("contract", "\n".join(contents.faults), candidate.path), start)
        return self._take_in(record, loaded.plugin, contents, start)

    def _register(self, plugin: object, name: str, contents: Contents) -> None:
        # Our own checks tell more than pluggy's and go first; these hold what they may have missed.
        try:
            with warnings.catch_warnings(record=True) as told:
                # Python shows no DeprecationWarning to those who run a command, only to those who test.
                warnings.simplefilter("always", DeprecationWarning)
                self.manager.register(plugin, name)
            self.manager.check_pending()
            for warning in told:
                logger.warning("The plugin %s will need a change: %s", name, warning.message)
        except (pluggy.PluginValidationError, ValueError) as error:
            if self.manager.is_registered(plugin):
                self.manager.unregister(plugin)
            contents.faults.append(cause(error))

    def _take_in(
        self, record: PluginRecord, plugin: object, contents: Contents, start: float
    ) -> PluginRecord:
        infos = [
            ComponentInfo(
                kind=kind.name,
                name=component_name(cls),
                cls=cls,
                params=params_of(cls, kind),
                plugin=record.name,
                distribution=record.distribution,
                version=record.version,
                source=record.source,
            )
            for kind, cls in contents.classes
        ]
        self.registry.add(infos)
        self._plugins[record.name] = plugin
        self._config_sources += [ConfigSource(record.name, path) for path in contents.config_paths]
        kinds = sorted({info.kind for info in infos})
        components = {kind: tuple(sorted(info.name for info in infos if info.kind == kind)) for kind in kinds}
        return replace(record, hooks=contents.hooks, components=components, import_ms=_since(start))

    def _free_name(self, name: str) -> str:
        number, free = 1, name
        while free in self._records:
            number += 1
            free = f"{name}_{number}"
        return free

    def _digest(self, name: str, plugin: object) -> str | None:
        if name == BUILTIN:
            return digest_of_library()
        return digest_of_object(plugin, tuple(info.cls for info in self.registry.of_plugin(name)))


def _names(record: PluginRecord) -> set[str | None]:
    """Return what a plugin may be called: its own name, that of its module, and its distribution's."""
    return {record.name, record.path, record.path.partition(":")[0], record.distribution}


def strict_error(failed: list[PluginRecord]) -> PluginError:
    """Return the error that tells of every plugin that failed."""
    failures = [(record, record.failure) for record in failed if record.failure is not None]
    if len(failures) == 1:
        record, failure = failures[0]
        what = f"The plugin {record.origin} could not be loaded: {failure.text}"
        return PluginError(what, where=failure.where, hint=_hint(record))
    lines = [f"{record.origin}: {failure.text} ({failure.where})" for record, failure in failures]
    return PluginError("Plugins could not be loaded:\n  " + "\n  ".join(lines), hint=_HINT)


_HINT = "Repair or uninstall it, or leave it out with --no-plugin NAME."


def _hint(record: PluginRecord) -> str:
    """Return what to do about a plugin that failed: of a built-in, of one that was named, or of another."""
    if record.source == BUILTIN:
        return "Install graphrag-pipeline again."
    if record.source == "file":
        check = f"graphrag-pipeline plugins check {shlex.quote(record.path)}"
        return f"Repair it, or do not name it; `{check}` tells every fault."
    return "Repair or install it, or do not name it." if record.source == "module" else _HINT


def _failed(
    record: PluginRecord, failure: Failure, start: float, error: BaseException | None = None
) -> PluginRecord:
    logger.debug("Traceback of the plugin that failed", exc_info=error)
    return replace(record, status="failed", failure=failure, import_ms=_since(start))


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000


def _hook_names(manager: pluggy.PluginManager) -> list[str]:
    return sorted(name for name in vars(manager.hook) if name.startswith(hookspecs.PREFIX))


def _arguments(manager: pluggy.PluginManager, name: str) -> tuple[str, ...]:
    spec = getattr(manager.hook, name).spec
    return tuple(spec.argnames)
