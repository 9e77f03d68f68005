"""The plugin host: it loads plugins and is the only way to what they offer."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.plugin import discovery
from graphrag_pipeline.plugin.call_trace import CallTrace, Write, to_stderr
from graphrag_pipeline.plugin.causes import cause, place, plugin_errors
from graphrag_pipeline.plugin.discovery import Candidate
from graphrag_pipeline.plugin.loading import Loader, strict_error
from graphrag_pipeline.plugin.observers import Observers
from graphrag_pipeline.plugin.records import BUILTIN, ComponentInfo, ConfigSource, PluginRecord
from graphrag_pipeline.plugin.report import PluginReport

logger = logging.getLogger(__name__)


class PluginHost:
    """Holds the plugins of one application; :meth:`discover` makes one with all that there are.

    A host made by hand is empty. There is no host shared by all: whoever needs plugins is given one.

    Args:
        blocked: Names of plugins or distributions that are not even imported.
        strict: Whether a plugin that cannot be loaded is an error rather than a warning.
        trace: Takes a line about every call into a plugin; None tells nobody.
    """

    def __init__(
        self, *, blocked: Sequence[str] = (), strict: bool = False, trace: Write | None = None
    ) -> None:
        if BUILTIN in blocked:
            raise _not_without_builtins()
        self._strict = strict
        calls = CallTrace(trace)
        self._loader = Loader(blocked, calls)
        self._registry = self._loader.registry
        self._observers = Observers(self._loader.manager, calls)

    @classmethod
    def discover(
        cls,
        *,
        modules: Sequence[str] = (),
        files: Sequence[str | Path] = (),
        blocked: Sequence[str] = (),
        entry_points: bool | None = None,
        environ: Mapping[str, str] | None = None,
        strict: bool = False,
        needed: bool = False,
    ) -> Self:
        """Load the built-ins, then entry points, modules, files and what the environment lists.

        Args:
            modules: Dotted module names.
            files: Plugin files and package directories.
            blocked: Names of plugins or distributions that are not even imported.
            entry_points: Whether to load installed plugins; None lets the environment decide.
            environ: The environment; None means that of the process.
            strict: Whether a plugin that cannot be loaded is an error rather than a warning.
            needed: Whether one of the modules or files that cannot be loaded is.

        Raises:
            PluginError: A built-in cannot be loaded, with ``strict`` any plugin, or one that is needed.
        """
        environ = os.environ if environ is None else environ
        trace = to_stderr if discovery.traced(environ) else None
        host = cls(blocked=blocked, strict=strict, trace=trace)
        host.add_builtins()
        candidates: list[Candidate] = []
        if not discovery.autoload_disabled(environ) if entry_points is None else entry_points:
            candidates += discovery.entry_points()
        named = [*discovery.modules(modules), *discovery.files(files)]
        host._load([*candidates, *named, *discovery.environment(environ)], named if needed else ())
        for name in host._loader.unmatched():
            logger.warning("There is no plugin %r to leave out.", name)
        return host

    def add_builtins(self) -> None:
        """Load the built-in components.

        Raises:
            PluginError: One is broken; nothing works without them.
        """
        self._load([discovery.builtin()])

    def add_modules(self, names: Sequence[str], *, needed: bool = False) -> None:
        """Load plugins by dotted module name; one that was loaded or tried before is left as it is.

        Args:
            names: The names.
            needed: Whether one that cannot be loaded is an error, now or when it was tried before.

        Raises:
            PluginError: One cannot be loaded, and it is needed or this host is strict.
        """
        candidates = list(discovery.modules(names))
        self._load(candidates, candidates if needed else ())

    def block(self, names: Sequence[str]) -> None:
        """Leave plugins out from now on; what they registered so far is taken back.

        Plans that were built before keep their components.

        Args:
            names: Names of plugins, modules or distributions; one that nobody has is passed over.

        Raises:
            PluginError: The built-ins are among them.
        """
        if BUILTIN in names:
            raise _not_without_builtins()
        if self._loader.block(names):
            self._observers.refresh()

    def knows(self, name: str) -> bool:
        """Whether there is a plugin, module or distribution of this name, loaded or not."""
        return self._loader.knows(name)

    def add_files(self, paths: Sequence[str | Path]) -> None:
        """Load plugin files and package directories; one that was loaded or tried before is left as it is.

        Raises:
            PluginError: One cannot be loaded, and this host is strict.
        """
        self._load(discovery.files(paths))

    # -- components ----------------------------------------------------------------------------

    def components(self, kind: str) -> Mapping[str, ComponentInfo]:
        """Return the components of a kind whose bare name is enough, sorted by name.

        Raises:
            PluginError: There is no such kind.
        """
        return self._registry.usable(kind)

    def kinds_of(self, name: str) -> tuple[str, ...]:
        """Return the kinds that have a component of this name, in the order a query meets them."""
        return self._registry.kinds_of(name)

    def find(self, kind: str, use: str) -> ComponentInfo:
        """Return the component that a config calls ``use``: its bare name or ``plugin:name``.

        Raises:
            PluginError: There is no such kind or component, or more than one.
        """
        return self._registry.find(kind, use, self._loader.absent())

    def build(self, kind: str, use: str, params: Params | None = None, **given: object) -> Any:
        """Make a component; its parameters are ``params``, or the defaults of its ``Params``.

        Args:
            kind: Its kind.
            use: Its name, or ``plugin:name``.
            params: Its parameters.
            **given: What its constructor is given beside them, by keyword.

        Raises:
            PluginError: There is no such component, or it cannot be made; ``__cause__`` is what it raised.
        """
        info = self.find(kind, use)
        try:
            return info.cls(params=info.params() if params is None else params, **given)
        except plugin_errors() as error:
            raise _not_made(info, error) from error

    def config_sources(self) -> tuple[ConfigSource, ...]:
        """Return the directories of YAML that plugins ship, the one that wins first.

        What was asked for more explicitly wins: the environment's plugins, then files, modules, entry
        points; within one source by plugin name.
        """
        return tuple(self._loader.config_sources())

    @property
    def plugins(self) -> tuple[PluginRecord, ...]:
        """What became of every plugin so far; :meth:`report` adds digests of their code."""
        return self._loader.known()

    @property
    def failed(self) -> tuple[PluginRecord, ...]:
        """The plugins that could not be loaded, by name."""
        return tuple(record for record in self._loader.absent() if record.status == "failed")

    def code_digest(self, plugin: str) -> str:
        """Return the SHA-256 of a plugin's code, or the empty text when it cannot be told."""
        return self._loader.code_digest(plugin) or ""

    # -- observing -----------------------------------------------------------------------------

    def observes(self, event: str) -> bool:
        """Return whether anybody observes an event."""
        return self._observers.watching(event)

    def observe(self, event: str, **payload: object) -> None:
        """Tell every observer of an event; what they do or raise changes nothing.

        Args:
            event: The hook's name without its prefix, for example ``before_stage``.
            **payload: All arguments of that hook.
        """
        self._observers.tell(event, payload)

    # -- reporting -----------------------------------------------------------------------------

    def observer_errors(self) -> dict[str, tuple[str, ...]]:
        """Return what observers raised before they were left out, by plugin, one line each."""
        found = {record.name: self._observers.errors_of(record.name) for record in self.plugins}
        return {name: found[name] for name in sorted(found) if found[name]}

    def report(self) -> PluginReport:
        """Return what became of every plugin. Code is hashed when this is first called."""
        options: dict[str, list[str]] = {}
        for source in self._loader.config_sources():
            options.setdefault(source.plugin, []).extend(source.options())
        records = (
            replace(
                record,
                config=tuple(sorted(set(options.get(record.name, ())))),
                observer_errors=self._observers.errors_of(record.name),
            )
            for record in self._loader.records()
        )
        return PluginReport(tuple(records))

    def _load(self, candidates: Iterable[Candidate], needed: Iterable[Candidate] = ()) -> None:
        failed = self._loader.load(candidates)
        self._observers.refresh()
        # A broken built-in is a broken installation: nothing can be trusted then.
        fatal = failed if self._strict else [record for record in failed if record.source == BUILTIN]
        if fatal := fatal or self._loader.failed_of(needed):
            raise strict_error(fatal)
        for name in self._loader.idle():
            logger.warning("The plugin %s implements no hook, so it brings nothing.", name)
        for record in failed:
            if record.failure is not None:
                where = f" ({record.failure.where})" if record.failure.where else ""
                logger.warning("The plugin %s is left out: %s%s", record.origin, record.failure.text, where)


def _not_without_builtins() -> PluginError:
    return PluginError(
        "The built-in components cannot be blocked.", hint=f"Take {BUILTIN!r} out of the list."
    )


def _not_made(info: ComponentInfo, error: BaseException) -> PluginError:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    at = place(error)
    return PluginError(
        f"The {info.title} {info.name!r} could not be made: {cause(error)}",
        where=f"plugin {info.origin}{f', {at}' if at else ''}",
        hint=f"Install {missing} in this environment." if missing else getattr(error, "hint", ""),
    )
