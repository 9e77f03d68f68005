"""What every swappable component is: a named class with validated parameters."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict


class Params(BaseModel):
    """Base of every component's parameters: frozen, and no key it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


P = TypeVar("P", bound=Params)


class Component(Generic[P]):
    """Convenience base that keeps the parameters; a component need not inherit from it.

    Args:
        params: Validated parameters; None means the defaults of ``Params``.
    """

    name: ClassVar[str]
    Params: type[P] = Params  # type: ignore[assignment]  # a component without parameters takes none

    def __init__(self, params: P | None = None) -> None:
        self.params: P = self.Params() if params is None else params
