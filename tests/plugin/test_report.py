from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from graphrag_pipeline.plugin.hookspecs import HOOK_API_VERSION
from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import filter_source


def test_a_report_tells_what_a_plugin_is_and_gives(write):
    path = write("mine.py", "__version__ = '0.3'\n" + filter_source("b", "a"))
    host = PluginHost()
    host.add_files([path])
    data = host.report().to_dict()
    record = data["plugins"][0]
    assert data["hook_api"] == HOOK_API_VERSION
    assert record.pop("import_ms") > 0
    assert record == {
        "name": "mine",
        "status": "loaded",
        "source": "file",
        "path": str(path),
        "distribution": None,
        "version": "0.3",
        "digest": hashlib.sha256(path.read_bytes()).hexdigest(),
        "hooks": ["graphrag_register_filters"],
        "components": {"filter": ["a", "b"]},
        "config": [],
        "error": None,
        "phase": None,
        "where": None,
        "observer_errors": [],
    }


def test_a_report_tells_cause_phase_and_place_of_a_failure(write):
    host = PluginHost()
    host.add_files([write("bad.py", "\n\nraise OSError('no lib')\n")])
    (record,) = host.report().failed
    data = host.report().to_dict()["plugins"][0]
    assert (record.status, data["error"], data["phase"]) == ("failed", "OSError: no lib", "import")
    assert data["where"].endswith("bad.py:3")


def test_a_report_keeps_a_path_as_it_was_given(write, monkeypatch, tmp_path):
    write("sub/mine.py", filter_source("mine"))
    monkeypatch.chdir(tmp_path)
    host = PluginHost()
    host.add_files(["sub/mine.py"])
    assert host.report().plugins[0].path == "sub/mine.py"


def test_a_module_plugins_digest_covers_the_modules_of_its_components(importable):
    (importable / "the_filters.py").write_text(filter_source("mine"))
    text = "from the_filters import *\n"
    (importable / "the_plugin.py").write_text(text)
    host = PluginHost()
    host.add_modules(["the_plugin"])
    digest = host.report().plugins[0].digest
    assert digest
    assert digest != hashlib.sha256(text.encode()).hexdigest()


def test_the_report_of_all_plugins_is_json():
    json.dumps(PluginHost.discover(environ={}).report().to_dict())


def test_a_report_does_not_depend_on_the_hash_seed(write, root: Path):
    path = write("mine.py", filter_source("b", "a", "c"))
    code = (
        "import json, sys; from graphrag_pipeline.plugin.host import PluginHost\n"
        "host = PluginHost.discover(files=sys.argv[1:], entry_points=False, environ={})\n"
        "print(json.dumps(host.report().to_dict(timings=False)))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
