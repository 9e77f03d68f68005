"""Credentials of the environment go to the server that the environment names, and to no other."""

from __future__ import annotations

import pytest
from graphrag_mlflow.credentials import CREDENTIALS, URI, fault


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    for name in (URI, *CREDENTIALS):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", CREDENTIALS)
@pytest.mark.parametrize(
    "named", ["", "https://other.example", "http://mine.example", "https://mine.example:8443"]
)
def test_another_server_does_not_get_them(monkeypatch, name, named):
    monkeypatch.setenv(name, "s3cret")
    monkeypatch.setenv(URI, named)
    told = fault("https://mine.example/path")
    assert name in told
    assert "s3cret" not in told


@pytest.mark.parametrize(
    "uri", [None, "https://mine.example", "https://mine.example:443/x", "sqlite:///x.db"]
)
def test_the_named_server_and_a_file_may(monkeypatch, uri):
    monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", "s3cret")
    monkeypatch.setenv(URI, "https://mine.example/mlflow")
    assert fault(uri) == ""


def test_without_credentials_any_server_may_be_asked():
    assert fault("https://stranger.example") == ""


def test_a_tracker_whose_credentials_would_go_elsewhere_says_so_before_it_asks(monkeypatch, make):
    monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", "s3cret")
    from graphrag_pipeline import TrackedRun

    tracker = make(tracking_uri="http://127.0.0.1:9")
    with pytest.raises(ValueError, match="MLFLOW_TRACKING_URI does not name"):
        tracker.start(TrackedRun("5a", "one"))
