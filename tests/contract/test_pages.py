"""What the pages for plugin authors show: the plugins are short, load, and keep their contracts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphrag_pipeline.plugin.checkup import check_component, components_of
from graphrag_pipeline.plugin.host import PluginHost
from tests.docs.shown import ROOT, files

PAGES = ("plugins", "plugins-bridge", "plugins-config", "plugins-filter", "plugins-scorer", "plugins-testing")
SHORT = {"best_of.py": "scorer", "fresh.py": "filter", "wiki.py": "bridge"}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file of the pages."""
    folder = tmp_path_factory.mktemp("pages")
    for page in PAGES:
        for name, text in files((ROOT / "docs" / f"{page}.md").read_text("utf-8")).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", SHORT)
def test_a_plugin_of_a_page_is_short_and_without_fault(name: str, shown: Path) -> None:
    lines = [line for line in (shown / name).read_text("utf-8").splitlines() if line.strip()]
    assert len(lines) < 40
    host = PluginHost.discover(files=[shown / name], entry_points=False, environ={}, strict=True)
    (record,) = (record for record in host.report().plugins if record.source == "file")
    (info,) = components_of(record, host)
    assert info.kind == SHORT[name]
    assert {remark.status for remark in check_component(info, host)} == {"ok"}


def test_the_tests_that_the_pages_show_pass(shown: Path) -> None:
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), "."]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    tests = sorted(path.name for path in shown.glob("test_*.py"))
    assert tests == ["test_best_of.py", "test_edge_list.py", "test_fresh.py", "test_wiki.py"]
    done = subprocess.run(
        [sys.executable, *command, *tests], cwd=shown, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
