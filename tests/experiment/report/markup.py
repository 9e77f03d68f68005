"""Reading a report as a browser would, and what every report must keep."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "img", "link"}
RAW = {"script", "style"}


@dataclass
class Document:
    """What a page holds.

    Args:
        tags: Every element with its attributes, in order.
        texts: Text by element that is open, in order.
        problems: Elements that are not closed in order.
    """

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        """Attributes of the elements of a tag that have some."""
        return [
            attributes
            for name, attributes in self.tags
            if name == tag and all(attributes.get(key) == value for key, value in wanted.items())
        ]

    def text(self, tag: str) -> list[str]:
        return [text for name, text in self.texts if name == tag]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.document = Document()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.document.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.document.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.document.problems.append(f"{self.getpos()}: </{tag}>")

    def handle_data(self, data):
        if self.open and data.strip():
            self.document.texts.append((self.open[-1], data))


def read(page: str) -> Document:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader.document.problems += [f"<{tag}> is never closed" for tag in reader.open]
    return reader.document


def check(page: str) -> Document:
    """Assert what holds of every report, and return what it holds."""
    document = read(page)
    assert document.problems == []
    ids = [attributes["id"] for _, attributes in document.tags if "id" in attributes]
    assert len(ids) == len(set(ids)), "an id is there twice"
    for tag, attributes in document.tags:
        assert "style" not in attributes, "the policy forbids styles in attributes"
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            value = attributes.get(name) or ""
            assert value.startswith(("#", "data:text/csv")) or not value, (tag, value[:80])
        if (value := attributes.get("href") or "").startswith("#"):
            assert value[1:] in ids, f"nothing has the id {value}"
        if tag == "svg":
            assert attributes.get("aria-hidden") == "true" or attributes.get("aria-label"), attributes
    assert len(document.all("table")) == len(document.all("caption"))
    _check_policy(page, document)
    return document


def _check_policy(page: str, document: Document) -> None:
    (policy,) = (
        attributes["content"]
        for attributes in document.all("meta")
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    blocks = re.findall(r"<(script|style)(?: id=\"[\w]+\")?>(.*?)</\1>", page, re.DOTALL)
    assert {kind for kind, _ in blocks} == RAW
    for _, text in blocks:
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        assert f"'sha256-{digest}'" in policy
    assert policy.count("sha256-") == len(blocks)
