"""YAML files whose scalars are all texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.untagged import Untagged, yaml_fault


class _PlainLoader(Untagged, yaml.BaseLoader):
    """Keeps every scalar the text it was written as, so that NO stays NO; refuses a key that comes twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:  # Any: yaml's own types
        seen: set[str] = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    what = f"the key {key.value!r} is written twice"
                    raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
                seen.add(key.value)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def read_plain_yaml(text: str, path: Path) -> Any:  # Any: YAML holds anything; callers check what they take
    """Return the data of a YAML document; every scalar is a text.

    Raises:
        GraphSourceError: It is not YAML, has a tag, or repeats a key; the message names file and line.
    """
    try:
        return yaml.load(text, Loader=_PlainLoader)  # a subclass of BaseLoader makes texts, lists and dicts
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or yaml_fault(error)
        raise GraphSourceError(f"The file is not valid YAML: {problem}.", where=f"{path}{place}") from error
