"""Write a config as YAML that reads back as the same config."""

from __future__ import annotations

import re
from typing import Any

import yaml

_PLAIN = re.compile(r"[A-Za-z_][\w./-]*", re.ASCII)


def to_yaml(tree: Any) -> str:  # Any: plain data
    """Return plain data as YAML; every text that could be taken for something else is quoted."""
    return yaml.dump(tree, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        """Write equal values out: a reader should not have to follow anchors."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # YAML versions differ on what is a number or a flag; quotes leave no doubt.
    # In double quotes what cannot be printed is escaped; single quotes would fold some of it away.
    style = None if _PLAIN.fullmatch(text) else "'" if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    flow = all(not isinstance(item, dict | list) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=flow)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)
