"""The settings of many configs that differ in few places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graphrag_pipeline.config.compose import (
    HYDRA,
    Composition,
    apply,
    by_turn,
    lay_files,
    lay_values,
    text_list,
)
from graphrag_pipeline.config.frozen import lay_onto
from graphrag_pipeline.config.memory import Memory, Recent
from graphrag_pipeline.config.overrides import Override, is_value, parse_override
from graphrag_pipeline.config.plugin_section import asks_for_plugins, heed_plugins
from graphrag_pipeline.config.search_path import search_path
from graphrag_pipeline.config.settings import (
    Settings,
    as_settings,
    check_composition,
    compose_with_plugins,
    with_failed_plugins,
)
from graphrag_pipeline.config.sweep_axis import Axis, Choices
from graphrag_pipeline.config.tree import Branch, Node
from graphrag_pipeline.errors import ConfigError, Problem
from graphrag_pipeline.plugin.host import PluginHost

_FILES_KEPT = 256
"""Most compositions of files that are kept: one for each combination of options of groups."""


@dataclass(frozen=True, slots=True)
class _Files:
    """The files that one combination of options chooses.

    Args:
        composition: They, without the values that overrides set.
        valued: Texts of the overrides that looked like choices of options and set values.
        missing: What is wrong with the places they were looked for in.
    """

    composition: Composition
    valued: frozenset[str]
    missing: tuple[Problem, ...]


class SweepComposer:
    """Gives the settings that ``load_settings`` gives, for many configs with common overrides.

    Files are composed once for each combination of options; values are laid upon them; and a part that no
    swept value touches is checked once and shared by the settings.

    Args:
        base: The common overrides.
        axes: What is swept.
        config_dirs: Directories of the user's configs.
        host: Where components are. Plugins that any of the configs asks for are added to it.
        config_file: A whole config to start from, in place of the built-in one.
    """

    def __init__(
        self,
        base: Sequence[str],
        axes: Sequence[Axis],
        config_dirs: Sequence[str | Path],
        host: PluginHost,
        config_file: str | Path | None = None,
    ) -> None:
        self._file = config_file
        self._base = tuple(base)
        self._axes = tuple(axes)
        self._dirs = tuple(config_dirs)
        self._host = host
        self._parsed: Recent[Override | Problem] = Recent(8192)
        self._plugins_loaded = False
        self._forget()

    def _forget(self) -> None:
        self._memory = Memory()
        self._files: Recent[_Files] = Recent(_FILES_KEPT)
        # The node of the files is kept with what became of it, so that no other node gets its id.
        self._parts: Recent[tuple[Node, Node]] = Recent()
        self._groups: dict[str, bool] = {}

    def settings(self, overrides: Sequence[str]) -> Settings:
        """Return the settings of the common overrides and these.

        Raises:
            ConfigError: Something is wrong; it lists every mistake.
            PluginError: A plugin that the config asks for cannot be loaded, and the host is strict.
        """
        try:
            self._load_plugins()
            composition = self._composition(overrides)
            validated = check_composition(composition, self._host, self._memory)
        except RecursionError as error:
            raise ConfigError([Problem("", "a value or a key is nested too deeply")]) from error
        if validated.problems:
            raise ConfigError(validated.problems)
        return as_settings(validated, composition)

    def _load_plugins(self) -> None:
        """Load the plugins of every option first, so that no config depends on which one came before it."""
        if self._plugins_loaded:
            return
        self._plugins_loaded = True
        for axis in self._axes:
            texts = axis.values.texts if isinstance(axis.values, Choices) else ()
            overrides = [f"{axis.head}={text}" for text in texts]
            if any(isinstance(item, Override) and self._chooses(item) for item in self._read(overrides)):
                for override in overrides:
                    self._composition([override])

    def _composition(self, overrides: Sequence[str]) -> Composition:
        read = [*self._read(self._base), *self._read(overrides)]
        parsed = [item for item in read if isinstance(item, Override)]
        problems = [item for item in read if isinstance(item, Problem)]
        files = self._composed(parsed)
        composition = self._with_values(files, parsed)
        if any("${" in module for module in _modules(composition)):
            # Which plugins are loaded depends on other values: nothing can be shared.
            self._forget()
            overrides = [*self._base, *overrides]
            return compose_with_plugins(overrides, self._dirs, self._host, config_file=self._file)
        return with_failed_plugins(composition, self._host).with_problems([*problems, *files.missing])

    def _read(self, texts: Sequence[str]) -> list[Override | Problem]:
        return [self._parsed.get(text) or self._parsed.keep(text, _parsed(text)) for text in texts]

    def _chooses(self, override: Override) -> bool:
        """Whether an override may decide which files there are."""
        if override.package is not None or "/" in override.key or override.path[0] == "plugins":
            return True
        return not is_value(override) and ("." not in override.key or self._is_group(override.key))

    def _is_group(self, key: str) -> bool:
        if key not in self._groups:
            roots, _ = search_path(self._dirs, self._host)
            self._groups[key] = any(root.is_group(key) for root in roots)
        return self._groups[key]

    def _composed(self, parsed: Sequence[Override]) -> _Files:
        choosing = [override for override in parsed if self._chooses(override)]
        key = tuple(override.text for override in choosing)
        if (files := self._files.get(key)) is not None:
            return files
        files = self._lay(choosing)
        tree = lay_values(files.composition, self._values(files, parsed)).tree
        if asks_for_plugins(tree):
            before = self._host.plugins
            heed_plugins(tree, self._host)
            if self._host.plugins != before:
                self._forget()
            files = self._lay(choosing)
        return self._files.keep(key, files)

    def _lay(self, choosing: Sequence[Override]) -> _Files:
        roots, missing = search_path(self._dirs, self._host)
        laid = lay_files(choosing, roots) if self._file is None else lay_onto(self._file, choosing, roots)
        composition, values = laid
        return _Files(composition, frozenset(override.text for override in values), tuple(missing))

    def _values(self, files: _Files, parsed: Sequence[Override]) -> list[Override]:
        return [
            override for override in parsed if override.text in files.valued or not self._chooses(override)
        ]

    def _with_values(self, files: _Files, parsed: Sequence[Override]) -> Composition:
        """Lay values upon files so that what is touched in the same way is the same node."""
        values = self._values(files, parsed)
        laid, tree = files.composition, files.composition.tree
        touched: dict[str, list[Override]] = {}
        for override in by_turn(values):
            touched.setdefault(override.path[0], []).append(override)
        whole = any(override.action == "delete" and len(override.path) == 1 for override in values)
        if whole or not laid.complete or not touched.keys() <= tree.children.keys():
            return lay_values(laid, values)
        children = dict(tree.children)
        for name, changes in touched.items():
            changed = self._changed(name, children[name], changes)
            if changed is None:
                return lay_values(laid, values)
            children[name] = changed
        return replace(laid, tree=replace(tree, children=children))

    def _changed(self, name: str, node: Node, changes: Sequence[Override]) -> Node | None:
        """Return one part with its values set; None when something is wrong with them."""
        key = (name, id(node), tuple(override.text for override in changes))
        if (known := self._parts.get(key)) is not None:
            return known[1]
        tree, problems = Branch({name: node}), list[Problem]()
        for override in changes:
            tree = apply(tree, override, problems)
        return None if problems else self._parts.keep(key, (node, tree.children[name]))[1]


def _parsed(text: str) -> Override | Problem:
    with HYDRA:
        return parse_override(text)


def _modules(composition: Composition) -> tuple[str, ...]:
    return text_list(composition.tree, "plugins", "modules")
