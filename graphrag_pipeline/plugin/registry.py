"""Finding a component by name, and saying what there is when it cannot be found."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.plugin.records import ComponentInfo, PluginRecord


class Registry:
    """The components of one host, by kind and name, in an order that loading does not change."""

    def __init__(self) -> None:
        self._all: dict[str, dict[str, list[ComponentInfo]]] = {kind: {} for kind in KINDS}

    def add(self, components: Iterable[ComponentInfo]) -> None:
        """Add the components of one plugin."""
        for info in components:
            same = self._all[info.kind].setdefault(info.name, [])
            same.append(info)
            same.sort(key=lambda each: each.plugin)

    def remove(self, plugin: str) -> None:
        """Take out the components of one plugin."""
        for names in self._all.values():
            for name, infos in list(names.items()):
                names[name] = [info for info in infos if info.plugin != plugin]
                if not names[name]:
                    del names[name]

    def usable(self, kind: str) -> Mapping[str, ComponentInfo]:
        """Return the components whose bare name is enough, sorted by name."""
        named = sorted(self._kind(kind).items())
        return MappingProxyType({name: infos[0] for name, infos in named if len(infos) == 1})

    def kinds_of(self, use: str) -> tuple[str, ...]:
        """Return the kinds that have a component of this name, in the order a query meets them."""
        return tuple(kind for kind in KINDS if self._matches(kind, use))

    def of_plugin(self, plugin: str) -> list[ComponentInfo]:
        """Return the components of one plugin, by kind and name."""
        return [
            info
            for names in self._all.values()
            for name in sorted(names)
            for info in names[name]
            if info.plugin == plugin
        ]

    def find(self, kind: str, use: str, absent: Sequence[PluginRecord] = ()) -> ComponentInfo:
        """Return the component called ``use``, a bare name or ``plugin:name``.

        Args:
            kind: Name of the kind.
            use: The name.
            absent: The plugins that failed or are blocked; the error names them, as one may be the cause.

        Raises:
            PluginError: There is none, or more than one.
        """
        self._kind(kind)
        matches = self._matches(kind, use)
        if len(matches) == 1:
            return matches[0]
        raise self._ambiguous(kind, use, matches) if matches else self._unknown(kind, use, absent)

    def _kind(self, kind: str) -> dict[str, list[ComponentInfo]]:
        if kind not in self._all:
            raise PluginError(
                _missing("kind of component", kind, self._all),
                hint=f"Kinds: {', '.join(self._all)}.",
            )
        return self._all[kind]

    def _matches(self, kind: str, use: str) -> list[ComponentInfo]:
        plugin, colon, name = use.rpartition(":")
        infos = self._all[kind].get(name, [])
        if not colon:
            return infos
        by_plugin = [info for info in infos if info.plugin == plugin]
        # A distribution's name is what people know, where it has one plugin of that component.
        return by_plugin or [info for info in infos if _same_distribution(info.distribution, plugin)]

    def _ambiguous(self, kind: str, use: str, matches: list[ComponentInfo]) -> PluginError:
        owners = [info.origin for info in matches]
        return PluginError(
            f"More than one plugin has a {KINDS[kind].title} {use!r}: {' and '.join(owners)}.",
            hint=f"Name one: {', '.join(info.qualified for info in matches)}.",
        )

    def _unknown(self, kind: str, use: str, absent: Sequence[PluginRecord]) -> PluginError:
        names = [
            name
            for bare, infos in sorted(self._all[kind].items())
            for name in ([bare] if len(infos) == 1 else [info.qualified for info in infos])
        ]
        title = KINDS[kind].title
        hints = [f"Available {title}s: {', '.join(names) or 'none'}."]
        if others := self.kinds_of(use):
            hints.append(f"{use!r} is of another kind: {', '.join(KINDS[other].title for other in others)}.")
        hints += [_absence(record) for record in absent]
        return PluginError(_missing(title, use, names), hint="\n         ".join(hints))


def _absence(record: PluginRecord) -> str:
    if record.failure is None:
        return f"The plugin {record.origin} is blocked."
    where = f" ({record.failure.where})" if record.failure.where else ""
    return f"The plugin {record.origin} failed to load: {record.failure.text}{where}"


def _missing(what: str, name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f"There is no {what} {name!r}" + (f", did you mean {near[0]!r}?" if near else ".")


def _same_distribution(distribution: str | None, name: str) -> bool:
    return distribution is not None and _normalized(distribution) == _normalized(name)


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
