"""A hook that will go is told to who uses it."""

from __future__ import annotations

from graphrag_pipeline.plugin.call_trace import CallTrace
from graphrag_pipeline.plugin.discovery import files
from graphrag_pipeline.plugin.loading import Loader
from tests.plugin.conftest import filter_source


def test_who_implements_a_hook_that_will_go_is_told_in_the_log(write, caplog):
    loader = Loader((), CallTrace(None))
    spec = loader.manager.hook.graphrag_register_filters.spec
    assert spec is not None
    spec.warn_on_impl = DeprecationWarning("graphrag_register_filters goes in 0.3; use another")
    loader.load(files([write("mine.py", filter_source("mine"))]))
    assert [record.status for record in loader.records()] == ["loaded"]
    assert "The plugin mine will need a change: graphrag_register_filters goes in 0.3" in caplog.text


def test_no_hook_is_deprecated_without_a_word_in_the_docs(root):
    from graphrag_pipeline.plugin.hookspecs import HOOK_API_VERSION

    loader = Loader((), CallTrace(None))
    specs = [caller.spec for caller in vars(loader.manager.hook).values() if getattr(caller, "spec", None)]
    page = (root / "docs" / "plugins-compatibility.md").read_text("utf-8")
    for spec in specs:
        if spec.warn_on_impl or spec.warn_on_impl_args:
            assert f"`{spec.name}`" in page
    assert f"hook API {HOOK_API_VERSION}" in page
