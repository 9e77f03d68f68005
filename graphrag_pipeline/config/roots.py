"""The directories that configs are looked for in, first to last: the user's, plugins', the built-in one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import graphrag_pipeline
from graphrag_pipeline.config.yaml_reader import Document, read_document
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.plugin.records import ConfigSource

SUFFIX = ".yaml"
MAX_NAME = 200
"""Most bytes in the name of a group or an option."""
MAX_GROUP_DEPTH = 3
"""How deep groups may be nested: a directory given by mistake, such as the home directory, is not walked."""


@dataclass(frozen=True, slots=True)
class Root:
    """One directory of configs.

    Args:
        name: How messages call it; a user's directory as the user wrote it.
        path: Where it is.
        only: The one config it holds; then ``path`` is that file and ``name`` the file's. Empty means all.
    """

    name: str
    path: Path
    only: str = ""

    def file(self, config: str) -> Path | None:
        """Return the file of a config such as ``seed/label``; None when there is none."""
        if self.only:
            return self.path if config.removesuffix(SUFFIX) == self.only else None
        parts = config.removesuffix(SUFFIX).split("/")
        if not _are_names(parts):
            return None
        path = self.path.joinpath(*parts[:-1], parts[-1] + SUFFIX)
        return path if path.is_file() else None

    def has(self, config: str) -> bool:
        """Whether there is a file for a config."""
        return self.file(config) is not None

    def read(self, config: str) -> Document:
        """Read a config that this root has."""
        file = self.file(config)
        assert file is not None
        return read_document(file, self.shown(config))

    def shown(self, config: str) -> str:
        """Return how messages call that file."""
        if self.only:
            return self.name
        return f"{'' if self.name == '.' else self.name + '/'}{config.removesuffix(SUFFIX)}{SUFFIX}"

    def is_group(self, group: str) -> bool:
        """Whether there is a directory for a group."""
        if self.only:
            return group == self.only.rpartition("/")[0] != ""
        parts = group.split("/")
        return _are_names(parts) and self.path.joinpath(*parts).is_dir()

    def options(self, group: str) -> list[str]:
        """Return the group's options, sorted."""
        if not self.is_group(group):
            return []
        if self.only:
            return [self.only.rpartition("/")[2]]
        return sorted(path.stem for path in (self.path / group).iterdir() if path.suffix == SUFFIX)

    def groups(self) -> Iterator[str]:
        """Yield every group, parents before children."""
        if self.only:
            group = self.only.rpartition("/")[0]
            yield from [group] if group else []
            return
        yield from _groups(self.path, "", MAX_GROUP_DEPTH)


def _are_names(parts: Sequence[str]) -> bool:
    # A name must not lead out of its directory, nor be longer than file systems allow.
    return not any(part in ("", ".", "..") or len(part.encode()) > MAX_NAME for part in parts)


def _groups(path: Path, prefix: str, depth: int) -> Iterator[str]:
    for entry in sorted(path.iterdir()):
        if depth and entry.is_dir() and not entry.is_symlink() and not entry.name.startswith((".", "_")):
            inner = list(_groups(entry, f"{prefix}{entry.name}/", depth - 1))
            if inner or any(file.suffix == SUFFIX for file in entry.iterdir()):
                yield f"{prefix}{entry.name}"
            yield from inner


def conf_root() -> Path:
    """Return the built-in conf directory: packaged where this is installed, else at the repository's root."""
    package = Path(graphrag_pipeline.__file__).parent
    packaged = package / "conf"
    return packaged if packaged.is_dir() else package.parent / "conf"


def find_roots(
    config_dirs: Sequence[str | Path], sources: Sequence[ConfigSource]
) -> tuple[list[Root], list[Problem]]:
    """Return every root in search order, and a problem for each directory that is not there."""
    roots, problems = [], []
    for given in config_dirs:
        path = Path(given)
        if not str(given):
            problems.append(Problem("", "the name of a config directory is empty"))
        elif path.is_dir() and not os.access(path, os.R_OK | os.X_OK):
            problems.append(Problem(str(given), "this config directory cannot be read: permission denied"))
        elif path.is_dir():
            roots.append(Root(str(given).rstrip("/") or "/", path))
        else:
            what = (
                "this config directory is not a directory"
                if path.exists()
                else "this config directory does not exist"
            )
            problems.append(
                Problem(str(given), what, hint="paths are relative to where the command is given")
            )
    roots += [
        Root(f"{source.plugin}:{source.path.name}", source.path) for source in sources if source.path.is_dir()
    ]
    return [*roots, Root("conf", conf_root())], problems
