"""Compose a config: choices of groups first, then files merged in order, then overrides of values."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from graphrag_pipeline.config.messages import did_you_mean
from graphrag_pipeline.config.overrides import Override, is_value, option_of, several_values
from graphrag_pipeline.config.provenance import Choice
from graphrag_pipeline.config.search_path import SearchRoot, options_with_places
from graphrag_pipeline.config.tree import (
    Branch,
    Items,
    Leaf,
    Node,
    child,
    chooses_anew,
    describe,
    embed,
    find,
    leaves,
    merge,
    put,
)
from graphrag_pipeline.errors import Problem

if TYPE_CHECKING:
    from hydra.core.default_element import ResultDefault

    from graphrag_pipeline.config.repository import Repository

HYDRA = threading.RLock()
"""Held while Hydra or OmegaConf works: their parsers share caches that were not made for threads."""
if hasattr(os, "register_at_fork"):
    # A child forked while another thread composes would wait for that thread, which it does not have.
    os.register_at_fork(before=HYDRA.acquire, after_in_parent=HYDRA.release, after_in_child=HYDRA.release)
PRIMARY = "config"
"""The config every command starts from."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A composed config, not yet resolved or validated.

    Args:
        tree: The values.
        choices: The option of each group.
        notes: What is worth knowing and not wrong.
        problems: What is wrong so far.
        groups: Every group there is.
        complete: Whether every file that belongs to it is in the tree; if not, validating it says nothing.
    """

    tree: Branch
    choices: Mapping[str, Choice] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    groups: tuple[str, ...] = ()
    complete: bool = True

    def with_problems(self, problems: Sequence[Problem]) -> Composition:
        """Return this composition with problems that were found before it was made."""
        return replace(self, problems=(*problems, *self.problems))


def compose(
    overrides: Sequence[Override], roots: Sequence[SearchRoot], primary: str = PRIMARY
) -> Composition:
    """Compose a config from files and overrides; every mistake is in its ``problems``."""
    files, values = lay_files(overrides, roots, primary)
    return lay_values(files, values)


def lay_files(
    overrides: Sequence[Override], roots: Sequence[SearchRoot], primary: str = PRIMARY
) -> tuple[Composition, tuple[Override, ...]]:
    """Compose the files alone; return that, and the overrides that set values, which it does not hold."""
    with HYDRA:
        return _lay_files(overrides, roots, primary)


def lay_values(files: Composition, values: Iterable[Override]) -> Composition:
    """Return the files with values set upon them."""
    problems, tree = list(files.problems), files.tree
    for override in by_turn(values):
        if files.complete or override.action != "delete":
            tree = apply(tree, override, problems)
    return replace(files, tree=tree, problems=tuple(problems))


def by_turn(values: Iterable[Override]) -> list[Override]:
    """Return overrides of values in the order in which they are applied."""
    # Which component fills a slot decides which parameters it has, so that comes first.
    return sorted(values, key=lambda override: override.path[1:] != ("use",))


def _lay_files(
    overrides: Sequence[Override], roots: Sequence[SearchRoot], primary: str
) -> tuple[Composition, tuple[Override, ...]]:
    # Hydra takes a tenth of a second to import; commands that need no config do not pay for it.
    from graphrag_pipeline.config.defaults import settle
    from graphrag_pipeline.config.repository import Repository

    repository = Repository(roots)
    chosen, values, problems = _sort_out(overrides, repository)
    # Of two choices of one group the last wins, as of two values of one key.
    chosen = list({override.target: override for override in chosen}.values())
    listed, choices, refused = settle(repository, primary, chosen)
    problems += refused
    # An override that Hydra refuses is left out, so that the mistakes behind it are found too.
    while refused and (kept := [o for o in chosen if o.target not in {p.key for p in refused}]) != chosen:
        chosen = kept
        listed, choices, refused = settle(repository, primary, chosen)
        problems += [problem for problem in refused if problem.key not in {p.key for p in problems}]
    for document in repository.documents.values():
        problems += document.problems
    complete = not refused and not any(document.problems for document in repository.documents.values())
    tree = _merge_files(listed, repository) if not refused else _bare(repository, primary)
    if not refused:
        tree = _insist(tree, chosen, repository)
    groups = dict.fromkeys(group for root in roots for group in root.groups())
    notes = tuple(_shadow_notes(repository))
    return Composition(tree, choices, notes, tuple(problems), tuple(groups), complete), tuple(values)


def _sort_out(
    overrides: Iterable[Override], repository: Repository
) -> tuple[list[Override], list[Override], list[Problem]]:
    """Tell choices of groups from values, and leave out what cannot be either."""
    from graphrag_pipeline.config.defaults import unknown_option

    chosen: list[Override] = []
    values: list[Override] = []
    problems: list[Problem] = []
    for override in overrides:
        is_group = repository.group_exists(override.key) and not is_value(override)
        places = options_with_places(repository.roots, override.key) if is_group else {}
        if override.sweep:
            problems.append(several_values(override, list(places)))
        elif not is_group and (override.package is not None or "/" in override.key):
            problems.append(_unknown_group(override, repository.roots))
        elif not is_group:
            values.append(override)
        elif isinstance(override.value, Leaf | None):
            option = option_of(override)
            if option is None and override.action != "delete":
                what, hint = "a choice is the name of an option", f"~{override.target} takes the choice out"
                problems.append(Problem(override.target, what, str(override.origin), hint))
            elif option is None or repository.has(override.key, option) or override.action == "delete":
                chosen.append(override)
            else:
                problems.append(unknown_option(override.key, option, str(override.origin), places))
        else:
            problems.append(several_values(override, list(places)))
    return chosen, values, problems


def _unknown_group(override: Override, roots: Sequence[SearchRoot]) -> Problem:
    groups = list(dict.fromkeys(group for root in roots for group in root.groups()))
    hint = did_you_mean(override.key, groups, "groups")
    return Problem(override.key, "there is no such config group", str(override.origin), hint)


def _merge_files(listed: Sequence[ResultDefault], repository: Repository) -> Branch:
    tree: Node = Branch()
    for default in listed:
        document = repository.documents.get(default.config_path or "")
        if document is not None:
            package = [part for part in (default.package or "").split(".") if part and part != "_global_"]
            tree = merge(tree, embed(document.tree, package))
    assert isinstance(tree, Branch)
    return tree


def _insist(tree: Branch, chosen: Sequence[Override], repository: Repository) -> Branch:
    """Let a component that an override chose win over one that an experiment's values name."""
    for override in chosen:
        option = repository.documents.get(f"{override.key}/{option_of(override)}")
        if option is None or override.package is not None or option.package is not None:
            continue
        if chooses_anew(find(tree, (override.key,)), child(option.tree, "use")):
            tree = put(tree, (override.key,), option.tree)  # type: ignore[assignment]  # the root stays a branch
    return tree


def _bare(repository: Repository, primary: str) -> Branch:
    # Without a defaults list there is still `plugins.modules` to read: a plugin may bring the missing option.
    tree: Node = Branch()
    for config, document in repository.documents.items():
        if config == primary or document.package == "_global_":
            tree = merge(tree, document.tree)
    assert isinstance(tree, Branch)
    return tree


def apply(tree: Branch, override: Override, problems: list[Problem]) -> Branch:
    """Return the tree with one value set or taken out; what is wrong is added to the problems."""
    if override.action == "delete":
        changed = _delete(tree, override, problems)
    else:
        assert override.value is not None
        path, value = override.path, override.value
        if len(path) == 2 and path[1] == "use":
            path, value = path[:1], Branch({"use": value}, value.origin)
        # A mapping is laid upon the one that is there, as Hydra does; anything else replaces it.
        changed = put(tree, path, merge(find(tree, path), value))
    assert isinstance(changed, Branch)
    return changed


def _delete(tree: Branch, override: Override, problems: list[Problem]) -> Node:
    node = find(tree, override.path)
    origin = str(override.origin)
    if node is None:
        parent = _deepest(tree, override.path)
        at = next(
            i for i, step in enumerate(override.path) if child(find(tree, override.path[:i]), step) is None
        )
        names = list(parent.children) if isinstance(parent, Branch) else []
        hint = did_you_mean(override.path[at], names, "keys here")
        problems.append(Problem(override.key, "there is no such key to take out", origin, hint))
        return tree
    if override.value is not None and describe(node) != describe(override.value):
        what = f"its value is {describe(node)} and not {describe(override.value)}, so it is not taken out"
        problems.append(Problem(override.key, what, origin, f"write ~{override.key}"))
        return tree
    return put(tree, override.path, None)


def _deepest(tree: Node, path: Sequence[str]) -> Node:
    for length in range(len(path), 0, -1):
        if (node := find(tree, path[:length])) is not None:
            return node
    return tree


def _shadow_notes(repository: Repository) -> Iterable[str]:
    for config, document in repository.documents.items():
        if hidden := repository.shadowed(config):
            yield f"{document.name} is used instead of {' and '.join(hidden)}"


def text_list(tree: Branch, *path: str) -> tuple[str, ...]:
    """Return the texts of a list, if it is one; used before validation."""
    node = find(tree, path)
    values = [leaf.value for _, leaf in leaves(node)] if isinstance(node, Items) else []
    return tuple(value for value in values if isinstance(value, str))
