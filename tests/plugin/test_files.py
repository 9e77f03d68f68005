from __future__ import annotations

import hashlib
import os
import sys

import pytest

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.files import import_path
from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import filter_source


def test_a_package_directory_can_import_its_own_modules(write):
    write("my_plugin/names.py", "NAME = 'from_sibling'\n")
    text = filter_source("x").replace('name = "x"', "name = NAME")
    package = write("my_plugin/__init__.py", "from .names import NAME\n" + text).parent
    host = PluginHost(strict=True)
    host.add_files([package])
    assert host.find("filter", "from_sibling").plugin == "my_plugin"


def test_a_plugins_modules_do_not_become_top_level_names(write):
    write("my_plugin/util_of_mine.py", "")
    package = write("my_plugin/__init__.py", "from . import util_of_mine\n").parent
    path = list(sys.path)
    module, _ = import_path(package)
    assert "util_of_mine" not in sys.modules
    assert "my_plugin" not in sys.modules
    assert module.util_of_mine.__name__ == f"{module.__name__}.util_of_mine"
    assert sys.path == path


def test_a_package_named_by_its_init_file_is_that_package(write):
    write("my_plugin/part.py", "")
    init = write("my_plugin/__init__.py", "from . import part\n")
    assert import_path(init)[0] is import_path(init.parent)[0]


def test_two_files_of_one_name_both_load(write):
    host = PluginHost(strict=True)
    host.add_files([write("a/mine.py", filter_source("first")), write("b/mine.py", filter_source("second"))])
    assert host.find("filter", "first").plugin == "mine"
    assert host.find("filter", "second").plugin == "mine_2"


def test_one_file_spelt_in_two_ways_loads_once(write, monkeypatch):
    path = write("mine.py", filter_source("only"))
    monkeypatch.chdir(path.parent)
    host = PluginHost(strict=True)
    host.add_files([path, "mine.py", "./mine.py"])
    assert [record.path for record in host.report().plugins] == [str(path)]


def test_an_unchanged_file_is_imported_once_in_a_process(write):
    path = write("mine.py", "")
    assert import_path(path)[0] is import_path(path)[0]


def test_an_edited_file_is_imported_anew_even_within_a_second(write):
    path = write("mine.py", "VALUE = 1\n")
    stamp = path.stat()
    assert import_path(path)[0].VALUE == 1
    path.write_text("VALUE = 2\n")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert import_path(path)[0].VALUE == 2


def test_a_plugin_file_leaves_no_byte_code_beside_it(write):
    path = write("alone/mine.py", "")
    import_path(path)
    assert [entry.name for entry in path.parent.iterdir()] == ["mine.py"]


def test_a_failed_import_leaves_no_module_behind(write):
    before = set(sys.modules)
    write("broken_one/part.py", "")
    package = write("broken_one/__init__.py", "from . import part\nraise OSError('no lib')\n").parent
    with pytest.raises(OSError, match="no lib"):
        import_path(package)
    assert set(sys.modules) == before


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(PluginError, match=r"There is no plugin file .*none\.py"):
        import_path(tmp_path / "none.py")


def test_a_file_that_is_not_python_is_told(write):
    with pytest.raises(PluginError, match=r"mine\.txt is not a Python file"):
        import_path(write("mine.txt"))


def test_a_directory_without_init_is_told(tmp_path):
    with pytest.raises(PluginError, match=r"has no __init__\.py"):
        import_path(tmp_path)


def test_a_syntax_error_is_told_with_file_and_line(write, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    write("odd.py", "x = 1\ndef broken(:\n")
    with pytest.raises(PluginError) as error:
        PluginHost(strict=True).add_files(["odd.py"])
    assert "SyntaxError: invalid syntax" in str(error.value)
    assert error.value.where == "odd.py:2"


def test_the_digest_of_one_file_is_that_of_its_bytes(write):
    path = write("mine.py", filter_source("x"))
    assert import_path(path)[1] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_digest_of_a_package_depends_on_every_file_and_not_on_its_place(write):
    digests = []
    for folder, value in (("a", 1), ("b", 1), ("c", 2)):
        write(f"{folder}/mine/part.py", f"VALUE = {value}\n")
        digests.append(import_path(write(f"{folder}/mine/__init__.py", "from . import part").parent)[1])
    assert digests[0] == digests[1] != digests[2]
    assert import_path(write("a/mine/__init__.py", "from . import part").parent)[1] == digests[0]
