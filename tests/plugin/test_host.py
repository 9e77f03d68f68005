from __future__ import annotations

import pickle
import random

import pytest

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS
from tests.plugin.conftest import HEAD, filter_source

BUILTINS = {
    "seed_retriever": {"label", "retriever"},
    "expander": {"bfs"},
    "filter": {"zachman"},
    "signal": {"baseline", "label_match", "persona_match"},
    "scorer": {"weighted_sum"},
    "bridge": {"auto", "lyra", "mock", "noop"},
    "context_assembler": {"bullets"},
    "token_counter": {"chars4"},
    "embedder": {"hashing", "wordllama"},
    "graph_source": {"json", "demo", "networkx"},
    "persona_source": {"file", "demo", "none"},
}


def constructed(line: str) -> str:
    """A plugin whose filter ``mine`` runs this line when it is made."""
    constructor = f"    Params = Params\n    def __init__(self, params):\n        {line}\n"
    return filter_source("mine").replace("    Params = Params\n", constructor)


@pytest.fixture
def clash(install) -> PluginHost:
    install("pkg-a", filter_source("bm25", "only_a"), entry="pkg_a")
    install("pkg-b", filter_source("bm25", "only_b"), entry="pkg_b")
    return PluginHost.discover(entry_points=True, environ={})


def test_the_built_ins_come_through_the_same_door():
    host = PluginHost.discover(entry_points=False, environ={})
    for kind, names in BUILTINS.items():
        assert names <= set(host.components(kind))
        assert all(host.find(kind, f"builtin:{name}").plugin == "builtin" for name in names)


def test_a_bare_name_that_two_plugins_have_names_both_and_the_forms_that_work(clash):
    with pytest.raises(PluginError) as error:
        clash.find("filter", "bm25")
    for part in ("pkg_a (pkg-a 1.0)", "pkg_b (pkg-b 1.0)", "pkg_a:bm25", "pkg_b:bm25"):
        assert part in str(error.value)


def test_a_qualified_name_picks_one(clash):
    assert clash.find("filter", "pkg_a:bm25").distribution == "pkg-a"
    assert clash.find("filter", "pkg_b:bm25").distribution == "pkg-b"


def test_a_distribution_name_qualifies_too(clash):
    assert clash.find("filter", "pkg-b:bm25").plugin == "pkg_b"


def test_other_names_of_clashing_plugins_still_work(clash):
    assert clash.find("filter", "only_a").plugin == "pkg_a"
    names = clash.components("filter")
    assert "bm25" not in names
    assert {"only_a", "only_b"} <= set(names)


def test_a_plugin_that_takes_a_built_in_name_makes_it_ambiguous_and_replaces_nothing(write):
    host = PluginHost.discover(
        files=[write("mine.py", filter_source("zachman"))], entry_points=False, environ={}
    )
    with pytest.raises(PluginError, match=r"builtin:zachman, mine:zachman"):
        host.find("filter", "zachman")


def test_an_unknown_name_lists_the_nearest_and_all(clash):
    with pytest.raises(PluginError) as error:
        clash.find("filter", "only_c")
    assert "There is no filter 'only_c', did you mean 'only_" in str(error.value)
    assert "Available filters: pkg_a:bm25, pkg_b:bm25, only_a, only_b, rules, zachman" in str(error.value)


def test_a_name_of_another_kind_is_told():
    host = PluginHost.discover(entry_points=False, environ={})
    with pytest.raises(PluginError, match="'label' is of another kind: seed retriever"):
        host.find("filter", "label")


def test_a_blocked_plugin_is_told_when_a_name_is_missing(install):
    install("pkg-a", filter_source("only_a"), entry="pkg_a")
    host = PluginHost.discover(blocked=["pkg_a"], entry_points=True, environ={})
    with pytest.raises(PluginError, match=r"pkg_a \(pkg-a 1.0\) is blocked"):
        host.find("filter", "only_a")


def test_an_unknown_kind_lists_the_kinds():
    with pytest.raises(PluginError, match="There is no kind of component 'filtre', did you mean 'filter'"):
        PluginHost().components("filtre")


def test_kinds_of_a_name_come_in_the_order_a_query_meets_them():
    host = PluginHost.discover(entry_points=False, environ={})
    assert host.kinds_of("demo") == ("graph_source", "persona_source")
    assert host.kinds_of("builtin:bfs") == ("expander",)
    assert host.kinds_of("nothing") == ()


def test_build_hands_over_the_parameters(write):
    host = PluginHost()
    host.add_files([write("mine.py", filter_source("mine"))])
    params = Params()
    assert host.build("filter", "mine", params).params is params
    assert host.build("filter", "mine").params == Params()


def test_a_constructor_that_raises_names_component_and_plugin_and_cause(write):
    host = PluginHost()
    host.add_files([write("plug.py", constructed("raise OSError('no lib')"))])
    with pytest.raises(PluginError) as error:
        host.build("filter", "mine")
    assert "The filter 'mine' could not be made: OSError: no lib" in str(error.value)
    assert "plugin plug (file)" in error.value.where
    assert "plug.py:" in error.value.where
    assert isinstance(error.value.__cause__, OSError)


def test_a_constructor_that_misses_a_package_says_what_to_install(write):
    host = PluginHost()
    host.add_files([write("plug.py", constructed("import not_there_at_all"))])
    with pytest.raises(PluginError, match="Install not_there_at_all"):
        host.build("filter", "mine")


def test_parameters_that_are_required_are_told_by_name(write):
    text = filter_source("mine").replace("Params = Params", "Params = Needs")
    host = PluginHost()
    host.add_files([write("plug.py", HEAD + "class Needs(Params):\n    path: str\n" + text)])
    with pytest.raises(PluginError, match="path: Field required"):
        host.build("filter", "mine")


def test_the_order_of_loading_changes_neither_components_nor_report(importable):
    names = ["plug_c", "plug_a", "plug_b"]
    for name in names:
        (importable / f"{name}.py").write_text(filter_source(f"{name}_two", "shared", f"{name}_one"))
    told = []
    for seed in range(3):
        random.Random(seed).shuffle(names)
        host = PluginHost()
        host.add_modules(names)
        with pytest.raises(PluginError) as error:
            host.find("filter", "shared")
        told.append((list(host.components("filter")), host.report().to_dict(timings=False), str(error.value)))
    assert told[0] == told[1] == told[2]
    assert told[0][0] == sorted(told[0][0])


def test_an_error_survives_the_way_back_from_a_worker_process():
    with pytest.raises(PluginError) as error:
        PluginHost().find("filter", "none")
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_hosts_share_nothing(write):
    one, two = PluginHost(), PluginHost()
    one.add_files([write("mine.py", filter_source("mine"))])
    assert "mine" in one.components("filter")
    assert "mine" not in two.components("filter")


def test_every_kind_can_be_asked_for():
    host = PluginHost()
    assert all(host.components(kind) == {} for kind in KINDS)
