"""LYRA and its stand-in, with a real package that can be imported."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from graphrag_pipeline import AutoBridge, LyraBridge, StageError
from tests.tiny import graph_of, pipeline_of

ADAPTER = """
    MADE = []

    class LyraAdapter:
        def __init__(self):
            MADE.append(self)
        def graph_of_thought_query(self, query, depth=3):
            return {"nodes": [{"node_id": f"lyra-{query}-{depth}", "node_type": "thought", "label": "L"}]}
        def vocab_lookup(self, term, namespace=""):
            return [term, namespace]
        def harmonic_expand(self, concept):
            return [concept]
"""


@pytest.fixture
def lyra(tmp_path, monkeypatch):
    """Make `lyra.api` importable with a text of its own; without one there is no such package."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def forget() -> None:
        for name in [name for name in sys.modules if name.partition(".")[0] == "lyra"]:
            del sys.modules[name]

    def _lyra(text: str | None) -> None:
        package = tmp_path / "lyra"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").touch()
        api: Path = package / "api.py"
        if text is None:
            api.unlink(missing_ok=True)
        else:
            api.write_text(dedent(text))
        forget()

    yield _lyra
    forget()


def made() -> int:
    return len(sys.modules["lyra.api"].MADE)


def test_lyra_is_not_imported_before_the_first_call(lyra):
    lyra(ADAPTER)
    bridges = (LyraBridge(), AutoBridge())
    pipeline_of(graph_of("a"), given={"bridge": AutoBridge()})
    assert "lyra.api" not in sys.modules
    assert all(not getattr(bridge, "local", False) for bridge in bridges)
    assert "lyra.api" not in sys.modules
    bridges[0].vocab_lookup("x")
    assert made() == 1


@pytest.mark.parametrize("kind", [LyraBridge, AutoBridge])
def test_every_call_is_passed_to_one_adapter(lyra, kind):
    lyra(ADAPTER)
    bridge = kind()
    assert bridge.graph_of_thought_query("q", depth=2)["nodes"][0]["node_id"] == "lyra-q-2"
    assert bridge.vocab_lookup("t", "ns") == ["t", "ns"]
    assert bridge.harmonic_expand("c") == ["c"]
    assert bridge.mode == "live"
    assert made() == 1


def test_auto_says_that_it_is_live(lyra):
    lyra(ADAPTER)
    bridge = AutoBridge()
    assert (bridge.mode, bridge.why) == ("live", "")
    assert not bridge.local


BROKEN = {
    "no module": (None, "ModuleNotFoundError: No module named 'lyra.api'"),
    "no adapter": ("x = 1", "AttributeError: module 'lyra.api' has no attribute 'LyraAdapter'"),
    "constructor raises": (
        "class LyraAdapter:\n    def __init__(self):\n        raise OSError('no licence')",
        "no licence",
    ),
    "constructor wants more": ("class LyraAdapter:\n    def __init__(self, url): pass", "missing 1 required"),
    "missing dependency": (
        "import lyra_core_that_is_not_there",
        "No module named 'lyra_core_that_is_not_there'",
    ),
    "raises while imported": ("raise RuntimeError('bad build')", "RuntimeError: bad build"),
    "does not parse": ("def (", "SyntaxError"),
    "exits": ("import sys; sys.exit(3)", "SystemExit: 3"),
}


@pytest.mark.parametrize(("text", "cause"), BROKEN.values(), ids=BROKEN)
def test_without_lyra_auto_is_the_mock_and_says_why(lyra, text, cause):
    lyra(text)
    bridge = AutoBridge()
    assert bridge.graph_of_thought_query("persona", depth=1)["nodes"]
    assert bridge.mode == "mock"
    assert bridge.why.startswith("LYRA is not available: ")
    assert cause in bridge.why
    assert bridge.local


@pytest.mark.parametrize(("text", "cause"), BROKEN.values(), ids=BROKEN)
def test_without_lyra_the_lyra_bridge_fails_and_never_falls_back(lyra, text, cause):
    lyra(text)
    with pytest.raises(StageError, match="LYRA is not available") as error:
        LyraBridge().graph_of_thought_query("persona")
    assert cause in error.value.what
    assert "bridge=mock" in error.value.hint


def test_the_lyra_bridge_tries_again_at_the_next_call(lyra):
    lyra("raise RuntimeError('not yet')")
    bridge = LyraBridge()
    with pytest.raises(StageError):
        bridge.harmonic_expand("c")
    lyra(ADAPTER)
    assert bridge.harmonic_expand("c") == ["c"]


def test_auto_chooses_once(lyra):
    lyra("raise RuntimeError('not yet')")
    bridge = AutoBridge()
    assert bridge.mode == "mock"
    lyra(ADAPTER)
    assert bridge.mode == "mock"
    assert AutoBridge().mode == "live"


def test_the_trace_tells_live_from_mock_and_why(lyra):
    lyra(ADAPTER)
    report = pipeline_of(graph_of("a"), given={"bridge": AutoBridge()}).trace("a").bridge
    assert report is not None
    assert (report.mode, report.note, report.nodes) == ("live", "", 1)
    lyra(None)
    report = pipeline_of(graph_of("a"), given={"bridge": AutoBridge()}).trace("a").bridge
    assert report is not None
    assert report.mode == "mock"
    assert "lyra.api" in report.note


def test_a_query_goes_on_without_lyra(lyra):
    lyra(None)
    trace = pipeline_of(graph_of("a"), given={"bridge": LyraBridge()}).trace("a")
    assert trace.result.scored == (("a", 0.6),)
    assert trace.bridge is not None
    assert trace.bridge.mode == "failed"
    assert "LYRA is not available" in trace.bridge.error
