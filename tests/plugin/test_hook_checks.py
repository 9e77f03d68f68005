from __future__ import annotations

import pytest

from graphrag_pipeline.plugin.host import PluginHost
from tests.plugin.conftest import HEAD


@pytest.fixture
def fault(write):
    def _fault(text: str) -> str | None:
        host = PluginHost()
        host.add_files([write("plug.py", HEAD + text)])
        failure = host.report().plugins[0].failure
        return None if failure is None else failure.error

    return _fault


def test_a_misspelt_hook_is_told_with_the_right_spelling(fault):
    told = fault("@hookimpl\ndef graphrag_register_filtrs():\n    return []\n")
    assert told.startswith("unknown hook graphrag_register_filtrs, did you mean graphrag_register_filters?")
    assert "plug.py:2" in told


def test_a_marked_function_without_the_prefix_is_told(fault):
    assert "did you mean graphrag_register_scorers?" in fault(
        "@hookimpl\ndef register_scorers():\n    return []\n"
    )


def test_a_hook_without_the_marker_is_told(fault):
    assert "graphrag_register_filters lacks @hookimpl" in fault(
        "def graphrag_register_filters():\n    return []\n"
    )


def test_a_misspelt_hook_without_the_marker_is_told(fault):
    told = fault("def graphrag_before_stag(slot, step): ...\n")
    assert "unknown hook graphrag_before_stag, did you mean graphrag_before_stage?" in told


def test_other_things_with_the_prefix_are_no_hooks(fault):
    assert fault("graphrag_version = 3\ngraphrag_table = {}\nclass graphrag_Thing: ...\n") is None


def test_an_imported_function_with_the_prefix_is_no_hook(fault, importable):
    (importable / "lib_with_prefix.py").write_text("def graphrag_home(): ...")
    assert fault("from lib_with_prefix import graphrag_home\n") is None


def test_a_marked_class_is_told(fault):
    assert "graphrag_thing is marked as a hook and is no function" in fault(
        "@hookimpl\nclass graphrag_thing: ...\n"
    )


def test_an_object_that_answers_to_every_attribute_is_no_hook(fault):
    assert fault("class Any:\n    def __getattr__(self, name): return name\nanything = Any()\n") is None


def test_a_lazy_proxy_that_raises_is_left_alone(fault):
    text = """
class Proxy:
    def __getattr__(self, name):
        raise RuntimeError("no application")
proxy = Proxy()
"""
    assert fault(text) is None


def test_an_unknown_argument_is_told_with_the_known_ones(fault):
    told = fault("@hookimpl\ndef graphrag_after_stage(slot, result): ...\n")
    assert "graphrag_after_stage has the unknown argument result; it may take slot, step, trace" in told


def test_a_hook_may_take_fewer_arguments(fault):
    assert fault("@hookimpl\ndef graphrag_after_stage(trace): ...\n") is None


def test_an_argument_that_would_never_be_given_is_told(fault):
    assert "would never be given step" in fault("@hookimpl\ndef graphrag_before_stage(slot, step=0): ...\n")


def test_wrappers_are_refused(fault):
    told = fault("@hookimpl(wrapper=True)\ndef graphrag_register_filters():\n    return (yield)\n")
    assert "graphrag_register_filters is marked as a wrapper" in told


def test_a_hook_may_be_named_by_its_marker(fault):
    assert fault("@hookimpl(specname='graphrag_run_finished')\ndef my_end(trace): ...\n") is None


def test_an_optional_hook_may_be_unknown(fault):
    assert fault("@hookimpl(optionalhook=True)\ndef graphrag_of_tomorrow(): ...\n") is None
