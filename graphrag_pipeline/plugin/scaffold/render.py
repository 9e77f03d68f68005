"""From names to the text of every file of a new plugin, and onto the disk."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template

from graphrag_pipeline._version import __version__
from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.scaffold.forms import Form
from graphrag_pipeline.plugin.scaffold.naming import Names

HOOK = '''

@hookimpl
def $hook() -> list[type]:
    """Return the $title ``$name``."""
    return [$cls]
'''
"""What makes a module with a class a plugin of one file."""
CONF_ROW = "| `{module}/conf` | the config option in the group `{group}` |\n"
"""What the README says of a package with a config option."""


def package_files(names: Names, form: Form) -> dict[str, str]:
    """Return the text of every file of an installable package, by its path in the directory."""
    words = _words(names, form)
    files = {
        "pyproject.toml": _filled("pyproject.toml", words),
        "README.md": _filled("README.md", words),
        f"{names.module}/__init__.py": _filled("init.py" if form.group else "init_plain.py", words),
        f"{names.module}/{form.module}.py": _filled(f"{form.module}.py", words),
        f"{names.module}/py.typed": "",
        f"tests/test_{names.name}.py": _filled("test.py", {**words, **_test_words(words, form)}),
    }
    if form.group:
        option = f"{names.module}/conf/{form.group}/{names.name}.yaml"
        files[option] = _filled(f"{form.module}.yaml", words)
    return dict(sorted(files.items()))


def single_file(names: Names, form: Form) -> str:
    """Return the text of a plugin that is one file, for ``--plugin FILE.py``."""
    words = _words(names, form)
    marked = {**words, "hookimpl": ", hookimpl", "hookimpl_line": "\n    hookimpl,"}
    return _filled(f"{form.module}.py", marked) + Template(HOOK).substitute(words)


def write_package(files: Mapping[str, str], directory: Path) -> None:
    """Write a package into a directory that must not be there; all of it, or nothing.

    Raises:
        PluginError: There is something of that name.
        OSError: It cannot be written.
    """
    try:
        directory.mkdir(parents=True)
    except FileExistsError:
        raise _there(directory) from None
    try:
        for name, text in files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def write_file(text: str, path: Path) -> None:
    """Write one file that must not be there.

    Raises:
        PluginError: There is something of that name.
        OSError: It cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise _there(path) from None


def _there(path: Path) -> PluginError:
    hint = "Choose another name or --directory, or remove it: nothing is written over."
    return PluginError(f"{path} is there already.", where=str(path), hint=hint)


def _words(names: Names, form: Form) -> dict[str, str]:
    version, following = _versions(__version__)
    return {
        "name": names.name,
        "distribution": names.distribution,
        "module": names.module,
        "cls": names.cls,
        "params": names.params,
        "file": form.module,
        "hook": form.kind.hook,
        "kind": form.kind.name,
        "title": form.kind.title,
        "group": form.group,
        "suite": form.suite,
        "hookimpl": "",
        "hookimpl_line": "",
        "version": version,
        "next": following,
        "conf_row": CONF_ROW.format(module=names.module, group=form.group) if form.group else "",
        "usage": _usage(names, form),
    }


def _versions(version: str) -> tuple[str, str]:
    """Return the version that a plugin written now needs, and the first one that may break it."""
    major, minor = map(int, version.split(".")[:2])
    return f"{major}.{minor}", f"{major}.{minor + 1}" if major == 0 else f"{major + 1}"


def _usage(names: Names, form: Form) -> str:
    if form.flag == "metric":
        return f"graphrag-pipeline evaluate dataset=NAME --measure {names.name}"
    if form.flag == "tracker":
        return f"graphrag-pipeline evaluate dataset=NAME {form.use(names.name)}"
    return f'graphrag-pipeline query "audit" {form.use(names.name)}'


def _test_words(words: Mapping[str, str], form: Form) -> dict[str, str]:
    # A kind that needs a file to read or to write makes one in the suite's folder.
    path = _template(f"{form.module}.make") if form.flag in {"source", "personas", "tracker"} else ""
    make = Template(path or "return $cls()").substitute(words)
    return {"make": make.rstrip().replace("\n", "\n        ")}


def _filled(name: str, words: Mapping[str, str]) -> str:
    return Template(_template(name)).substitute(words)


def _template(name: str) -> str:
    # Named .tmpl, as they are no Python before they are filled in.
    return (resources.files(__package__) / "templates" / f"{name}.tmpl").read_text(encoding="utf-8")
