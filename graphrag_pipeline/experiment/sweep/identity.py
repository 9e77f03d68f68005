"""What a stage is, as a digest: two slots with the same one do the same with the same input."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from graphrag_pipeline.pipeline.gates import gate_of
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.contract import ContextParams, ScorerParams
from graphrag_pipeline.stages.embedders.contract import EmbedderParams

SIZE = 16
"""Bytes of a digest of a stage."""


class Identities:
    """Digests of stages: the code of the component and of what it is made with, and all parameters.

    Args:
        host: Where components come from.
    """

    def __init__(self, host: PluginHost) -> None:
        self._host = host
        self._code: dict[tuple[str, str], str] = {}

    def of_slot(self, slot: str, slots: Mapping[str, ComponentSpec], *, without: str = "") -> bytes:
        """Return the digest of what fills a slot; its name does not count.

        Args:
            slot: The slot.
            slots: The component of each slot.
            without: A parameter that does not count.
        """
        spec = slots[slot]
        params = spec.params.model_dump(mode="json", exclude={without} if without else None)
        parts: list[object] = [self._component(spec.kind, spec.use), params, *self._others(spec)]
        parts += [[name, _plain(getattr(spec, name))] for name in _POLICY]
        if gate := gate_of(spec):
            parts.append(self.of_slot(gate, slots).hex())
        # The order of the weights counts: sums are taken in that order.
        text = json.dumps(parts, ensure_ascii=True, default=str)
        return hashlib.blake2b(text.encode("ascii"), digest_size=SIZE).digest()

    def _component(self, kind: str, use: str) -> str:
        if (kind, use) not in self._code:
            info = self._host.find(kind, use)
            code = "" if info.source == "builtin" else self._host.code_digest(info.plugin)
            self._code[kind, use] = f"{info.kind} {info.qualified} {info.version} {code}"
        return self._code[kind, use]

    def _others(self, spec: ComponentSpec) -> Iterator[str]:
        """Yield the components that a component is made with; their parameters are among its own."""
        params = spec.params
        if isinstance(params, ScorerParams):
            yield from (self._component("signal", name) for name in params.weights)
        if isinstance(params, ContextParams):
            yield self._component("token_counter", params.counter)
        if isinstance(params, EmbedderParams):
            yield self._component("embedder", params.embedder)


_POLICY = tuple(field.name for field in fields(ComponentSpec) if field.name not in ("kind", "use", "params"))
"""What else a slot says of its component: what happens when it fails."""


def _plain(value: Any) -> Any:  # Any: JSON, or a model of pydantic
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def chained(upstream: bytes, identity: bytes) -> bytes:
    """Return the key of a stage behind another: its own identity, and that of everything before it."""
    return hashlib.blake2b(upstream + identity, digest_size=SIZE).digest()
