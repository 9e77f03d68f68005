"""Whether a class is what its kind promises, told before anything runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphrag_pipeline.model.component import Params
from graphrag_pipeline.plugin.causes import cause, place_of
from graphrag_pipeline.plugin.kinds import COMPONENT_NAME, Kind
from graphrag_pipeline.stages.embedders.contract import EmbedderParams


def component_faults(cls: object, kind: Kind) -> list[str]:
    """Return a line for each way in which ``cls`` is not a component of its kind."""
    if not isinstance(cls, type):
        return [f"{kind.hook} gave {cls!r:.80}, which is not a class"]
    faults = [*_name_faults(cls), *_params_faults(cls, kind), *_constructor_faults(cls, kind)]
    faults += _method_faults(cls, kind)
    if not faults:
        return []
    # Reading the source to find a class takes longer than all checks.
    where = place_of(cls)
    prefix = f"{kind.title} {cls.__qualname__}{f' ({where})' if where else ''}: "
    return [prefix + fault for fault in faults]


def params_of(cls: type, kind: Kind) -> type[Params]:
    """Return the parameter model of a class; a class without one has its kind's own."""
    params: type[Params] = getattr(cls, "Params", kind.params)
    return params


def _name_faults(cls: type) -> Iterator[str]:
    name = getattr(cls, "name", None)
    if not isinstance(name, str):
        yield 'it has no name; write name = "..." in the class'
    elif not re.fullmatch(COMPONENT_NAME, name):
        yield f"the name {name!r} is not lower-case letters, digits and _ after a first letter"


def _params_faults(cls: type, kind: Kind) -> Iterator[str]:
    params: object = params_of(cls, kind)
    if not (isinstance(params, type) and issubclass(params, kind.params)):
        base = f"{kind.params.__module__}.{kind.params.__qualname__}"
        yield f"its Params must be a subclass of {base}, not {params!r:.80}"
        return
    for field in sorted(kind.reserved & set(params.model_fields)):
        yield f"its Params has a field {field!r}, a key that the config keeps for itself"


def _constructor_faults(cls: type, kind: Kind) -> Iterator[str]:
    if inspect.isabstract(cls):
        yield f"it is abstract: {', '.join(sorted(getattr(cls, '__abstractmethods__', ())))}"
    elif error := _cannot_bind(cls, (), {"params": None}):
        yield f"it cannot be made with params=...: {error}; inherit from Component, which keeps them"
    elif _embeds(cls, kind) and (error := _cannot_bind(cls, (), {"params": None, "embedding": None})):
        yield f"its Params name an embedder, and it cannot be made with embedding=...: {error}"


def _embeds(cls: type, kind: Kind) -> bool:
    params: object = params_of(cls, kind)
    return isinstance(params, type) and issubclass(params, EmbedderParams)


def _method_faults(cls: type, kind: Kind) -> Iterator[str]:
    for name in kind.methods:
        method = getattr(cls, name, None)
        expected = kind.arguments(name)
        call = f"{name}({', '.join(argument.name for argument in expected)})"
        if not callable(method):
            yield f"it has no method {call}"
        elif inspect.iscoroutinefunction(method):
            yield f"{name} is async; stages are called directly"
        else:
            yield from _call_faults(cls, name, call, expected)


def _call_faults(cls: type, name: str, call: str, expected: tuple[inspect.Parameter, ...]) -> Iterator[str]:
    static = inspect.getattr_static(cls, name)
    bound = isinstance(static, classmethod | staticmethod) or not hasattr(static, "__get__")
    this = () if bound else (None,)
    method = getattr(cls, name)
    if error := _cannot_bind(method, (*this, *[None] * len(expected)), {}):
        yield f"it cannot be called as {call}: {error}"
        return
    # Arguments that have a default in the contract are handed over by name.
    required = [None for argument in expected if argument.default is argument.empty]
    named = {argument.name: None for argument in expected if argument.default is not argument.empty}
    if named and (error := _cannot_bind(method, (*this, *required), named)):
        yield f"it cannot be called with {', '.join(named)} by name: {error}"


def _cannot_bind(function: Any, args: tuple[object, ...], kwargs: Mapping[str, object]) -> str:
    """Return why a call would be refused; empty when it would not, or when nobody can tell."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""  # compiled code without a signature
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        return cause(error).removeprefix("TypeError: ")
    return ""
