"""The source itself: what imports by a name is listed here with its reason, and nothing runs text."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import graphrag_pipeline

PACKAGE = Path(graphrag_pipeline.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

BY_NAME = {
    "plugin/discovery.py": "a module that the user names as a plugin, or an installed entry point",
    "plugin/files.py": "a plugin file that the user names",
    "testing": "the kit of plugin authors loads the plugin that it is given",
    "graph/reading/files.py": "a package of ours that reads a format; the callers name it",
    "graph/sources/auto.py": "one of our own sources, from a table in the module",
    "stages/bridges/lyra.py": "LYRA, by a constant",
    "stages/tokens/optional.py": "a package that a counter needs; the callers name it",
    "cli/app.py": "one of our own commands, from a table in the module",
    "__init__.py": "one of our own names, from a table in the module",
}
"""Modules that may import something whose name is not written in the call, and what that is."""


@functools.cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """Every call in the package: the module, the dotted name of what is called, and the call."""
    return [
        (file.relative_to(PACKAGE).as_posix(), ast.unparse(node.func), node)
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    ]


RUNS_TEXT = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen", "runpy.run_path", "runpy.run_module"),
    *("yaml.unsafe_load", "yaml.full_load", "yaml.load_all", "marshal.loads", "shelve.open", "pydoc.locate"),
    *("hydra.utils.instantiate", "instantiate", "hydra.utils.get_class", "hydra.utils.get_method"),
}
IMPORTS = ("import_module", "spec_from_file_location")
UNPICKLES = {"pickle.load", "pickle.loads", "pickle.Unpickler"}


def test_nothing_runs_text_or_unpickles():
    # The kit of plugin authors pickles a component and reads that very pickle again.
    found = [
        (module, name)
        for module, name, _ in calls()
        if name in RUNS_TEXT or (name in UNPICKLES and not module.startswith("testing/"))
    ]
    assert found == []


def test_yaml_is_loaded_by_a_loader_that_makes_plain_values_only():
    for module, name, call in calls():
        text = ast.unparse(call)
        if name == "yaml.load":
            assert "Loader=_PlainLoader" in text, module
        if name == "yaml.compose":
            assert "Loader=_UntaggedLoader" in text, module  # a subclass of SafeLoader
        if name in ("np.load", "numpy.load"):
            assert "allow_pickle=False" in text, module


def test_an_import_by_a_name_is_of_a_constant_or_is_listed():
    for module, name, call in calls():
        if name.endswith(IMPORTS) and not any(
            module == each or module.startswith(f"{each}/") for each in BY_NAME
        ):
            assert call.args, (module, ast.unparse(call))
            assert isinstance(call.args[0], ast.Constant), (module, ast.unparse(call))


def test_every_listed_module_still_imports_by_a_name():
    importing = {module for module, name, _ in calls() if name.endswith(IMPORTS)}
    assert [place for place in BY_NAME if place != "testing" and place not in importing] == []


def test_nothing_registers_a_resolver():
    assert [module for module, name, _ in calls() if "register" in name and name.endswith("resolver")] == []
