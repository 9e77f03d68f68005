"""Files that are nearly right: seeds with pieces cut, doubled, swapped and put in."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = r"""
null true NaN -Infinity 1e999 9007199254740993 -0 99999999999999999999999 id source target nodes edges @id _:b
<urn:a> @prefix ^^ xsi:type ../../etc/passwd file:///etc/hostname &#0; &x; < </ /> <!-- ]]> <![CDATA[ <? " ' \
\u0000 \ud800 { } [ ] [[[[[[[[ {"a":{"a": : , ; ﷺ🚀
"""
TOKENS = (
    *(word.encode() for word in WORDS.split()),
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
    b"\0",
    b"\t",
    b"\r\n",
    b"\x0c",
    b"\x1b[31m",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"1" * 5000,
)
"""What breaks parsers."""


@st.composite
def mutated(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """Return a seed after a few edits."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 4))):
        data = draw(st.sampled_from((_cut, _put, _double, _swap, _byte, _truncate)))(draw, data)
    return data


def _span(draw: st.DrawFn, data: bytes) -> tuple[int, int]:
    start = draw(st.integers(0, max(len(data) - 1, 0)))
    return start, min(len(data), start + draw(st.sampled_from((1, 2, 5, 20, 100))))


def _cut(draw: st.DrawFn, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def _put(draw: st.DrawFn, data: bytes) -> bytes:
    start, end = _span(draw, data)
    keep = draw(st.booleans())
    return data[:start] + draw(st.sampled_from(TOKENS)) + data[start if keep else end :]


def _double(draw: st.DrawFn, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:end] + data[start:end] * draw(st.sampled_from((1, 3, 50))) + data[end:]


def _swap(draw: st.DrawFn, data: bytes) -> bytes:
    start, end = _span(draw, data)
    other, stop = _span(draw, data)
    return data[:start] + data[other:stop] + data[end:]


def _byte(draw: st.DrawFn, data: bytes) -> bytes:
    start, _ = _span(draw, data)
    return data[:start] + bytes([draw(st.integers(0, 255))]) + data[start + 1 :]


def _truncate(draw: st.DrawFn, data: bytes) -> bytes:
    return data[: draw(st.integers(0, len(data)))]
