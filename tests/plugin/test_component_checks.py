from __future__ import annotations

from abc import ABC, abstractmethod

import pytest

from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.plugin.component_checks import component_faults, params_of
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.stages.contract import BridgeParams, ScorerParams
from graphrag_pipeline.stages.embedders.contract import EmbedderParams


class Sound(Component[Params]):
    name = "sound"
    Params = Params

    def keep(self, candidates, query, index):
        return None


def faults(cls: object, kind: str = "filter") -> str:
    return "\n".join(component_faults(cls, KINDS[kind]))


def test_a_sound_class_has_no_faults():
    assert faults(Sound) == ""


def test_a_class_need_not_inherit_from_component():
    class Plain:
        name = "plain"

        def __init__(self, *, params): ...

        def keep(self, *args): ...

    assert faults(Plain) == ""


def test_a_fault_names_the_class_and_its_place():
    class Nameless(Sound):
        name = None  # type: ignore[assignment]

    assert "filter test_a_fault_names_the_class_and_its_place.<locals>.Nameless (" in faults(Nameless)
    assert "test_component_checks.py:" in faults(Nameless)


@pytest.mark.parametrize("name", ["", "Upper", "1st", "with-dash", "with:colon", "with.dot", "trailing\n"])
def test_a_name_must_fit_the_pattern(name):
    assert "is not lower-case letters" in faults(type("Named", (Sound,), {"name": name}))


def test_params_must_extend_the_kinds_own():
    class Loose(Sound):
        Params = Params

        def score(self, signals, weights, candidates): ...

    assert "must be a subclass of graphrag_pipeline.stages.contract.ScorerParams" in faults(Loose, "scorer")


def test_params_that_are_no_model_are_told():
    assert "must be a subclass of" in faults(type("Odd", (Sound,), {"Params": dict}))


def test_absent_params_are_the_kinds_own():
    class Bare:
        name = "bare"

    assert params_of(Bare, KINDS["scorer"]) is ScorerParams
    assert params_of(Bare, KINDS["bridge"]) is BridgeParams


@pytest.mark.parametrize("key", ["use", "kind"])
def test_a_parameter_cannot_have_the_name_of_a_config_key(key):
    model = type("KeyParams", (Params,), {"__annotations__": {key: str}, key: ""})
    assert f"has a field '{key}'" in faults(type("Keyed", (Sound,), {"Params": model}))


def test_a_constructor_without_params_is_told():
    class Deaf(Sound):
        def __init__(self, model):
            self.model = model

    assert "cannot be made with params=" in faults(Deaf)


def test_an_abstract_class_is_told_with_what_it_lacks():
    class Half(ABC):
        name = "half"

        def __init__(self, params=None):
            self.params = params

        def keep(self, candidates, query, index):
            return self.judge()

        @abstractmethod
        def judge(self): ...

    assert "it is abstract: judge" in faults(Half)


def test_a_missing_method_is_told_with_its_arguments():
    class Lacking(Component[Params]):
        name = "lacking"
        Params = Params

    assert "it has no method keep(candidates, query, index)" in faults(Lacking)


def test_a_method_with_too_few_arguments_is_told():
    class Short(Component[Params]):
        name = "short"
        Params = Params

        def keep(self, candidates, query): ...

    assert "it cannot be called as keep(candidates, query, index): too many positional" in faults(Short)


def test_a_method_that_asks_for_more_is_told():
    class Long(Component[Params]):
        name = "long"
        Params = Params

        def keep(self, candidates, query, index, k): ...

    assert "missing a required argument: 'k'" in faults(Long)


def test_arguments_may_have_other_names_and_further_defaults():
    class Renamed(Sound):
        def keep(self, nodes, question, graph, extra=None): ...

    assert faults(Renamed) == ""


def test_static_and_class_methods_are_methods():
    class Static(Sound):
        @staticmethod
        def keep(candidates, query, index): ...

    class OfClass(Sound):
        @classmethod
        def keep(cls, candidates, query, index): ...

    assert faults(Static) == faults(OfClass) == ""


def test_an_async_method_is_told():
    class Later(Sound):
        async def keep(self, candidates, query, index): ...

    assert "keep is async" in faults(Later)


def test_a_bridge_must_take_by_name_what_the_contract_gives_a_default():
    class Hops(Component[BridgeParams]):
        name = "hops"
        Params = BridgeParams

        def graph_of_thought_query(self, query, hops=3): ...
        def vocab_lookup(self, term, namespace=""): ...
        def harmonic_expand(self, concept): ...

    assert faults(Hops, "bridge").endswith(
        "cannot be called with depth by name: got an unexpected keyword argument 'depth'"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_typed_contract_for_each_method(kind):
    for method in KINDS[kind].methods:
        assert all(argument.annotation for argument in KINDS[kind].arguments(method))


def test_a_class_whose_params_name_an_embedder_is_made_with_an_embedding():
    class Deaf(Sound):
        Params = EmbedderParams

    class Hearing(Deaf):
        def __init__(self, params=None, embedding=None): ...

    assert "its Params name an embedder, and it cannot be made with embedding=...:" in faults(Deaf)
    assert faults(Hearing) == ""
