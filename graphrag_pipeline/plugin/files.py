"""Importing a plugin that is a file or a package directory, not an installed module.

Such a plugin gets a private module name made of its path and its content. So ``sys.path`` stays as it
is, two files of one name do not meet, a package's own modules never become top-level names, an edited
file is a new module, and the same file is imported once in a process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.causes import shown
from graphrag_pipeline.plugin.digests import digest_of_path

PRIVATE_PREFIX = "_graphrag_plugin_"


def stem_of(given: str | Path) -> str:
    """Return the plugin name of a path: its file or directory name without suffix."""
    path = _root(Path(given).expanduser())
    return path.stem if path.suffix == ".py" else path.name


def same_file_key(given: str | Path) -> str:
    """Return what two spellings of one path have in common."""
    return str(_root(Path(given).expanduser()))


def import_path(given: str | Path) -> tuple[ModuleType, str]:
    """Import a plugin file or package directory; return the module and the digest of its code.

    Raises:
        PluginError: There is no such plugin on disk, or it is not Python.
    """
    root = _root(Path(given).expanduser())
    source = _source(root, shown(given))
    digest = digest_of_path(root)
    unique = hashlib.sha256(f"{root}\n{digest}".encode()).hexdigest()[:16]
    name = f"{PRIVATE_PREFIX}{re.sub(r'[^0-9A-Za-z_]', '_', stem_of(root))}_{unique}"
    module = sys.modules.get(name)
    return (module or _execute(name, source)), digest


def _root(path: Path) -> Path:
    absolute = path.resolve()
    # A package may be named by its __init__.py; only as a package can it use relative imports.
    return absolute.parent if absolute.name == "__init__.py" else absolute


def _source(root: Path, given: str) -> Path:
    if root.is_dir():
        source = root / "__init__.py"
        if not source.is_file():
            raise PluginError(
                f"The directory {given} is not a plugin: it has no __init__.py.",
                where=given,
                hint="Name its plugin files one by one, or add an __init__.py with the hooks.",
            )
        return source
    if not root.is_file():
        raise PluginError(
            f"There is no plugin file {given}.",
            where=given,
            hint="Paths are relative to the directory the command is given in.",
        )
    if root.suffix != ".py":
        raise PluginError(
            f"{given} is not a Python file.", where=given, hint="Give a .py file or a package directory."
        )
    return root


class _Loader(SourceFileLoader):
    """Compiles what is on disk; a cached file of an equally old and long earlier text would win otherwise."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _execute(name: str, source: Path) -> ModuleType:
    package = [str(source.parent)] if source.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(
        name, source, loader=_Loader(name, str(source)), submodule_search_locations=package
    )
    assert spec is not None  # it is None only for a suffix that no loader takes
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses, pickle and relative imports look the module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[loaded]
        raise
    return module
