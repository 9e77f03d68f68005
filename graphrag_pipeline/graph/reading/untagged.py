"""What every reader of YAML here refuses: tags, which name types, and so code."""

from __future__ import annotations

from typing import Any

import yaml

_PLAIN = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map")
)


def yaml_fault(error: Exception) -> str:
    """Return what is wrong with a YAML file, where PyYAML has no words for it."""
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


class Untagged(yaml.composer.Composer):
    """Makes a loader refuse tags, but for those of plain data; a base class to name before the loader."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose the next node.

        Raises:
            ComposerError: It has a tag; the error has the place of the node.
        """
        # Any: PyYAML's mixins are typed one by one, and it is the loader that has the events.
        event: Any = self.peek_event()  # type: ignore[attr-defined]
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!" and tag not in _PLAIN:
            what = f"the tag {tag!r} is not allowed, as such a file is data"
            raise yaml.composer.ComposerError(None, None, what, event.start_mark)
        return super().compose_node(parent, index)
