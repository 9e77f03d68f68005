"""Check a config file without running anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from graphrag_pipeline.config.compose import PRIMARY, Composition, compose
from graphrag_pipeline.config.model_check import REQUIRED
from graphrag_pipeline.config.overrides import Override
from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.roots import Root
from graphrag_pipeline.config.search_path import SearchRoot, search_path
from graphrag_pipeline.config.settings import check_composition
from graphrag_pipeline.config.tree import Branch, Leaf, merge
from graphrag_pipeline.config.yaml_reader import Document, read_document
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.plugin.host import PluginHost


def check_file(
    path: str | Path, *, host: PluginHost, config_dirs: Sequence[str | Path] = ()
) -> list[Problem]:
    """Return every mistake in one config file; an empty list means that there is none.

    The file may be a primary config (it has ``defaults``), an option of a config group (it stands in a
    directory that is named like one), an experiment (its header says ``# @package _global_``), or a part
    of a config, which is laid over the built-in one. Values that are ``???`` may stay so. Plugins that
    the file asks for in ``plugins.modules`` are not loaded: checking a file runs no code of it.

    Args:
        path: The file.
        host: Where components are.
        config_dirs: Directories of configs that the file may refer to.
    """
    file, name = Path(path), str(path)
    document = read_document(file, name)
    if document.problems:
        return list(document.problems)
    roots, missing = search_path(config_dirs, host)
    composition = _composed(file, name, document, roots).with_problems(missing)
    problems = check_composition(composition, host).problems
    return [problem for problem in problems if not (problem.what == REQUIRED and problem.origin)]


def _composed(file: Path, name: str, document: Document, roots: Sequence[SearchRoot]) -> Composition:
    folder = file.absolute().parent.name
    groups = {group for root in roots for group in root.groups()}
    if document.package is not None or folder in groups:
        beside = _beside(file.parent.parent) if folder in groups else []
        return _as_option(f"{folder}/{file.stem}", file, name, [*beside, *roots])
    if document.defaults is not None:
        single = Root(name, file, only=file.stem)
        return compose((), [single, *_beside(file.parent), *roots], primary=file.stem)
    composition = compose((), roots)
    tree = merge(composition.tree, document.tree)
    return replace(composition, tree=tree) if isinstance(tree, Branch) else composition


def _beside(directory: Path) -> Iterable[Root]:
    # A config directory's files refer to one another.
    return [Root(str(directory), directory)]


def _as_option(config: str, file: Path, name: str, roots: Sequence[SearchRoot]) -> Composition:
    group, _, option = config.rpartition("/")
    roots = [Root(name, file, only=config), *roots]
    has_default = group in compose((), roots, PRIMARY).choices
    origin = Origin(name)
    choice = Override(name, "set" if has_default else "add", group, value=Leaf(option, origin, option))
    return compose([choice], roots)
