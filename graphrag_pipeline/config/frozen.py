"""A whole config from one file, such as a run's ``config.yaml``, with overrides on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from graphrag_pipeline.config.compose import PRIMARY, Composition, lay_files, lay_values
from graphrag_pipeline.config.overrides import Override, option_of
from graphrag_pipeline.config.roots import Root
from graphrag_pipeline.config.search_path import SearchRoot
from graphrag_pipeline.config.tree import Branch, Node, embed, find, merge, put
from graphrag_pipeline.config.yaml_reader import Document, read_document
from graphrag_pipeline.errors import Problem


def compose_onto(file: str | Path, overrides: Sequence[Override], roots: Sequence[SearchRoot]) -> Composition:
    """Compose a config from one file and overrides; every mistake is in its ``problems``.

    A file with a defaults list takes the place of the built-in ``config.yaml``. One without is taken as it
    is, so nothing that is not in it has a value but components' defaults. There an override that chooses
    an option, ``seed=bm25``, replaces the section of its group; an option with a package ``_global_``, as
    experiments and question sets are, replaces the sections of the groups that it chooses, and its own
    values are laid upon the rest.

    Args:
        file: The file.
        overrides: As parsed.
        roots: Where options are.
    """
    return lay_values(*lay_onto(file, overrides, roots))


def lay_onto(
    file: str | Path, overrides: Sequence[Override], roots: Sequence[SearchRoot]
) -> tuple[Composition, tuple[Override, ...]]:
    """Do what :func:`compose_onto` does, but for the values: return the overrides that set them."""
    name = str(file)
    document = read_document(Path(file), name)
    if document.problems:
        return Composition(Branch(), problems=document.problems, complete=False), ()
    if not document.tree.children and not document.defaults:
        problem = Problem(name, "the file is empty; a whole configuration is wanted")
        return Composition(Branch(), problems=(problem,), complete=False), ()
    if document.defaults is not None:
        # Its name must not be taken for that of an option beside it.
        return lay_files(overrides, [Root(name, Path(file), only=PRIMARY), *roots])
    files, values = lay_files(overrides, roots)
    tree: Node = document.tree
    for override in overrides:
        if override not in values and not override.sweep:
            tree = _chosen(tree, override, files.tree, roots)
    assert isinstance(tree, Branch)
    targets = {override.target for override in overrides}
    choices = {group: choice for group, choice in files.choices.items() if group in targets}
    return replace(files, tree=tree, choices=choices), values


def _chosen(tree: Node, override: Override, composed: Branch, roots: Sequence[SearchRoot]) -> Node:
    """Return the tree with the option that an override chooses; one that is not there changes nothing."""
    if override.package is not None:
        return _replaced(tree, override.package.split("."), composed)
    group = override.key.split("/")
    if override.action == "delete":
        return _replaced(tree, group, Branch())
    document = _document(f"{override.key}/{option_of(override)}", roots)
    if document is None:
        return tree
    if document.package is None:
        return _replaced(tree, group, composed)
    for other in _groups(document):
        tree = _replaced(tree, other.split("/"), composed)
    package = [part for part in document.package.split(".") if part and part != "_global_"]
    return merge(tree, embed(document.tree, package))


def _replaced(tree: Node, path: Sequence[str], by: Branch) -> Node:
    value = find(by, path)
    return tree if value is None and find(tree, path) is None else put(tree, path, value)


def _document(config: str, roots: Sequence[SearchRoot]) -> Document | None:
    return next((root.read(config) for root in roots if root.has(config)), None)


def _groups(document: Document) -> Iterator[str]:
    """Yield the groups of which an option's defaults list chooses one."""
    for entry in document.defaults or ():
        if isinstance(entry.text, dict):
            [key] = entry.text
            yield key.split()[-1].partition("@")[0].lstrip("/")
