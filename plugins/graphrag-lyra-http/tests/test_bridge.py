"""What the bridge sends, and what it makes of the answer."""

from __future__ import annotations

import json
import pickle
import time
from urllib.parse import parse_qs, urlsplit

import pytest
from graphrag_lyra_http.breaker import Breaker
from graphrag_lyra_http.bridge import LyraHttp
from graphrag_lyra_http.failures import CallError
from graphrag_lyra_http.params import LyraHttpParams
from graphrag_lyra_http.waits import backoff
from pydantic import ValidationError

from .conftest import ANSWER, Server, says  # noqa: TID252  # a folder with a hyphen has no other name


def test_the_three_calls(server, make):
    bridge = make(base_url=f"{server.url}/api/v1/")
    server.behaviours = [says(ANSWER), says({"terms": ["a", "b"]}), says(["c"])]
    assert bridge.graph_of_thought_query("帳簿 \udc80", depth=2) == ANSWER
    assert bridge.vocab_lookup("audit", "core") == ["a", "b"]
    assert bridge.harmonic_expand("audit") == ["c"]
    assert [(asked.path, json.loads(asked.body)) for asked in server.asked] == [
        ("/api/v1/graph-of-thought", {"query": "帳簿 \udc80", "depth": 2}),
        ("/api/v1/vocab-lookup", {"term": "audit", "namespace": "core"}),
        ("/api/v1/harmonic-expand", {"concept": "audit"}),
    ]
    for asked in server.asked:
        assert asked.headers["content-type"] == "application/json"
        assert asked.headers["accept-encoding"] == "identity"
        assert "authorization" not in asked.headers


def test_arguments_may_stand_behind_the_path(server, make):
    make(method="GET", query_path="ask").graph_of_thought_query("a&b=港 c", depth=1)
    (asked,) = server.asked
    parts = urlsplit(asked.path)
    assert (asked.method, parts.path, asked.body) == ("GET", "/ask", b"")
    assert parse_qs(parts.query) == {"query": ["a&b=港 c"], "depth": ["1"]}


def test_a_redirect_on_the_same_server_keeps_what_was_asked(server, make):
    server.behaviours = [says({}, 307, Location="/moved?x=1"), says(ANSWER)]
    assert make().graph_of_thought_query("audit") == ANSWER
    first, second = server.asked
    assert (second.path, second.method, second.body) == ("/moved?x=1", "POST", first.body)


def test_a_redirect_does_not_take_the_token_to_another_server(server, make, token):
    token(server.url)
    other = Server()
    server.behaviours = [says({}, 307, Location=other.url)]
    with pytest.raises(CallError, match="to another server"):
        make().graph_of_thought_query("audit")
    other.server_close()
    assert other.asked == []


def test_the_token_comes_from_the_environment(server, make, token):
    token(f"{server.url}/other/path", " t0 ")
    make(headers={"X-Team": "blue"}).graph_of_thought_query("audit")
    assert server.asked[0].headers["authorization"] == "Bearer t0"
    assert server.asked[0].headers["x-team"] == "blue"


@pytest.mark.parametrize("named", ["", "http://127.0.0.2:1", "https://127.0.0.1:1"])
def test_a_config_cannot_choose_the_server_that_gets_the_token(make, token, named):
    token(named)
    with pytest.raises(ValidationError, match=r"cannot have it sent to http://127\.0\.0\.1:1: set") as caught:
        make(base_url="http://127.0.0.1:1/api")
    assert "t0" not in str(caught.value)


def test_a_token_that_comes_later_does_not_go_to_another_server(server, make, token):
    bridge = make()
    token("https://lyra.invalid")
    with pytest.raises(CallError, match="GRAPHRAG_LYRA_URL names another server"):
        bridge.graph_of_thought_query("audit")
    assert server.asked == []


def test_without_a_token_any_server_may_be_asked(server, make, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_LYRA_URL", "https://lyra.invalid")
    assert make().graph_of_thought_query("audit") == ANSWER
    assert "authorization" not in server.asked[0].headers


def test_the_server_of_the_environment_is_asked_where_the_config_names_none(server, make, token):
    token(f"{server.url}/api")
    assert make(base_url=None).graph_of_thought_query("audit") == ANSWER
    assert server.asked[0].path == "/api/graph-of-thought"
    assert server.asked[0].headers["authorization"] == "Bearer t0"


def test_an_address_of_the_environment_that_is_none_is_told(make, token):
    token("lyra.example.org")
    with pytest.raises(ValidationError, match="variable GRAPHRAG_LYRA_URL: must begin with https"):
        make(base_url=None)


def test_a_token_is_not_sent_unencrypted_to_another_machine(make, token):
    token("http://lyra.invalid")
    with pytest.raises(CallError, match="not sent unencrypted"):
        make(base_url="http://lyra.invalid").graph_of_thought_query("audit")


def test_a_token_with_a_line_break_is_none(server, make, token):
    token(server.url, "t0\r\nX: y")
    with pytest.raises(CallError, match="GRAPHRAG_LYRA_TOKEN is no token") as caught:
        make().graph_of_thought_query("audit")
    assert "t0" not in str(caught.value)


def test_no_proxy_of_the_environment_is_asked(server, make, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert make(retries=0).graph_of_thought_query("audit") == ANSWER


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "base_url is needed"),
        ({"base_url": "ftp://host"}, "must begin with https:// or http://"),
        ({"base_url": "host/path"}, "must begin with https:// or http://"),
        ({"base_url": "https://"}, "must begin with https:// or http://"),
        ({"base_url": "https://me:pw@host"}, "no name and no password"),
        ({"base_url": "https://host?x=1"}, "nothing behind"),
        ({"base_url": "https://host:99999"}, "the port must be"),
        ({"base_url": "https://ho st"}, "a blank"),
        ({"base_url": "https://host\r\nX: y"}, "cannot be seen"),
        ({"base_url": "http://h", "headers": {"Authorization": "x"}}, "cannot be set here"),
        ({"base_url": "http://h", "headers": {"X y": "x"}}, "no name of a header"),
        ({"base_url": "http://h", "headers": {"X": "a\r\nY: b"}}, "printable ASCII"),
        ({"base_url": "http://h", "query_path": "x?y"}, "query_path"),
        ({"base_url": "http://h", "cassette_mode": "record"}, "cassette_mode needs a directory"),
        ({"cassette_dir": "d"}, "base_url is needed"),
    ],
)
def test_wrong_parameters_are_told_before_anything_runs(params, said):
    with pytest.raises(ValidationError, match=said):
        LyraHttpParams.model_validate(params)


def test_it_goes_to_another_process(make):
    bridge = pickle.loads(pickle.dumps(make()))
    assert bridge.graph_of_thought_query("audit") == ANSWER


# -- waits and breaker ---------------------------------------------------------------------------


def test_waits_grow_and_are_the_same_each_time():
    waits = [backoff(attempt, 0.2, 5, 0, "k") for attempt in range(12)]
    assert waits == [backoff(attempt, 0.2, 5, 0, "k") for attempt in range(12)]
    for attempt, wait in enumerate(waits):
        whole = min(5, 0.2 * 2**attempt)
        assert whole / 2 <= wait <= whole
    assert len({backoff(0, 0.2, 5, 0, key) for key in "abcdef"}) == 6
    assert backoff(0, 0.2, 5, 1, "k") != waits[0]


def test_a_server_that_is_down_is_left_alone(server, make):
    server.behaviours = [says({}, 500)]
    bridge = make(breaker_failures=3, breaker_reset_s=2, retries=0)
    for _ in range(5):
        with pytest.raises(CallError):
            bridge.graph_of_thought_query("audit")
    assert len(server.asked) == 3
    with pytest.raises(CallError, match=r"failed 3 times in a row and is not asked for [0-2]"):
        bridge.graph_of_thought_query("audit")
    server.behaviours = [says(ANSWER)]
    time.sleep(2.1)
    assert bridge.graph_of_thought_query("audit") == ANSWER
    assert bridge.graph_of_thought_query("audit") == ANSWER


def test_a_request_that_the_server_refuses_opens_nothing(server, make):
    server.behaviours = [says({}, 404)]
    bridge = make(breaker_failures=1)
    for _ in range(3):
        with pytest.raises(CallError, match="404"):
            bridge.graph_of_thought_query("audit")


def test_one_call_is_let_through_to_see():
    now = [0.0]
    breaker = Breaker(2, 10, lambda: now[0])
    assert breaker.wait() == 0
    breaker.failed()
    assert breaker.wait() == 0
    breaker.failed()
    assert breaker.wait() == 10
    now[0] = 10.5
    assert breaker.wait() == 0  # the trial
    assert breaker.wait() == 10  # others wait for it
    breaker.failed()
    assert breaker.wait() == 10
    now[0] = 21
    assert breaker.wait() == 0
    breaker.told_nothing()
    assert breaker.wait() == 0
    breaker.succeeded()
    breaker.failed()
    assert breaker.wait() == 0


def test_a_bridge_that_was_made_without_parameters_says_what_it_needs():
    with pytest.raises(ValidationError, match="base_url is needed"):
        LyraHttp()
