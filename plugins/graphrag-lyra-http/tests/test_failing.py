"""A server that fails in every way there is: the call ends in time, and says what happened."""

from __future__ import annotations

import gzip
import json
import socket
import struct
import time

import pytest
from graphrag_lyra_http.failures import CallError

from .conftest import ANSWER, says, sends  # noqa: TID252  # a folder with a hyphen has no other name

BODY = json.dumps(ANSWER).encode()


def slowly(head: bytes, piece: bytes, pause: float):
    """Send a head at once and then a piece again and again, which no limit for a single piece would end."""

    def behave(handler):
        handler.wfile.write(head)
        for _ in range(1000):
            time.sleep(pause)
            handler.wfile.write(piece)
            handler.wfile.flush()

    return behave


def hangs(handler):
    time.sleep(30)


def resets(handler):
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def hangs_up(handler):
    handler.connection.shutdown(socket.SHUT_RDWR)


def raw(data: bytes):
    return lambda handler: handler.wfile.write(data)


def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n"):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    return raw(head + b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + end)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"

PASSING = {
    "500": (says({}, 500), "answered 500"),
    "502": (says({}, 502), "answered 502"),
    "503": (says({}, 503), "answered 503"),
    "429": (says({}, 429, Retry_After="0"), "answered 429"),
    "reset": (resets, "the connection failed"),
    "hang up": (hangs_up, "the connection failed"),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), "the connection failed"),
    "truncated": (sends(BODY, Content_Length="100000"), "ends in the middle"),
    "truncated chunks": (chunked(BODY[:20], end=b"fff\r\nx"), "ends in the middle"),
    "truncated gzip": (sends(gzip.compress(BODY)[:-9], Content_Encoding="gzip"), "ends in the middle"),
    "no gzip": (sends(BODY, Content_Encoding="gzip"), "cannot be unpacked"),
    "huge header": (raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n"), "the connection failed"),
}
LASTING = {
    "400": (says({}, 400), "answered 400"),
    "401": (says({}, 401), "answered 401"),
    "404": (says({}, 404), "answered 404"),
    "204": (raw(b"HTTP/1.1 204 No Content\r\n\r\n"), "answered 204"),
    "HTML": (sends(b"<html>login</html>", kind="text/html; charset=utf-8"), "no JSON but text/html"),
    "no content type": (sends(BODY, kind=None), "no JSON but nothing"),
    "empty": (sends(b""), "the answer is no JSON"),
    "invalid JSON": (sends(b'{"nodes": ['), "the answer is no JSON"),
    "NaN": (sends(b'{"nodes": [NaN]}'), "NaN is no number"),
    "Infinity": (sends(b'{"nodes": [-Infinity]}'), "-Infinity is no number"),
    "deep": (sends(b'{"nodes": ' + b"[" * 200_000), "nested too deeply"),
    "long number": (sends(b'{"nodes": ' + b"1" * 10_000 + b"}"), "the answer is no JSON"),
    "latin-1": (sends('{"nodes": "é"}'.encode("latin-1")), "the answer is no JSON"),
    "a list": (says([1]), "must be an object, and is a list"),
    "null": (says(None), "must be an object, and is null"),
    "another packing": (sends(BODY, Content_Encoding="br"), "packed as 'br'"),
    "another server": (says({}, 302, Location="http://127.0.0.2:9/x"), "redirect to another server"),
    "another scheme": (says({}, 302, Location="file:///etc/passwd"), "a redirect to nowhere"),
    "a password": (says({}, 307, Location="http://me:pw@127.0.0.1/"), "a redirect to nowhere"),
    "no location": (says({}, 302), "redirects"),
    "a loop": (says({}, 308, Location="/graph-of-thought"), "more than 3 redirects"),
    "see other": (says({}, 303, Location="/else"), "answered 303"),
}


@pytest.mark.parametrize("name", [*PASSING, *LASTING])
def test_a_failure_says_what_happened(server, make, name):
    behaviour, said = {**PASSING, **LASTING}[name]
    server.behaviours = [behaviour]
    with pytest.raises(CallError, match=f"LYRA over HTTP: .*{said}"):
        make(retries=0).graph_of_thought_query("audit")


@pytest.mark.parametrize("name", PASSING)
def test_what_may_pass_is_tried_again(server, make, name):
    server.behaviours = [PASSING[name][0], says(ANSWER)]
    assert make(retries=1).graph_of_thought_query("audit") == ANSWER
    assert len(server.asked) == 2


@pytest.mark.parametrize("name", LASTING)
def test_what_will_not_pass_is_not_tried_again(server, make, name):
    server.behaviours = [LASTING[name][0]]
    with pytest.raises(CallError):
        make(retries=2).graph_of_thought_query("audit")
    assert len(server.asked) == (4 if name in ("a loop", "no location") else 1)


@pytest.mark.parametrize(
    "behaviour",
    [
        hangs,
        slowly(b"", b"", 1),
        slowly(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.05),
        slowly(b"HTTP/1.1 200 OK\r\nX: ", b"y", 0.05),
        slowly(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.05),
        slowly(HEAD, b" ", 0.05),
    ],
    ids=["hangs", "says nothing", "slow headers", "slow header", "continue for ever", "slow body"],
)
def test_a_slow_server_is_given_up_in_time(server, make, behaviour):
    server.behaviours = [behaviour]
    started = time.monotonic()
    with pytest.raises(CallError, match="no whole answer in time"):
        make(attempt_timeout_s=0.4, retries=0).graph_of_thought_query("audit")
    assert 0.3 < time.monotonic() - started < 10


def test_all_attempts_together_keep_the_time_limit(server, make):
    server.behaviours = [hangs]
    started = time.monotonic()
    with pytest.raises(CallError, match="no whole answer in time"):
        make(timeout_s=1, attempt_timeout_s=0.4, retries=10).graph_of_thought_query("audit")
    assert time.monotonic() - started < 5
    assert 1 <= len(server.asked) <= 3


def test_retry_after_is_heeded(server, make):
    server.behaviours = [says({}, 429, Retry_After="1"), says(ANSWER)]
    started = time.monotonic()
    assert make(retries=1).graph_of_thought_query("audit") == ANSWER
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize("value", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT", "9" * 400])
def test_who_is_told_to_come_back_too_late_does_not_wait(server, make, value):
    server.behaviours = [says({}, 503, Retry_After=value)]
    started = time.monotonic()
    with pytest.raises(CallError, match="answered 503"):
        make(retries=3).graph_of_thought_query("audit")
    assert time.monotonic() - started < 5
    assert len(server.asked) == 1


@pytest.mark.parametrize("value", ["soon", "-5", "1.5", "²", "Wed, 21 Oct 1015 07:28:00 GMT", "Wed, 99 Foo"])
def test_a_retry_after_that_makes_no_sense_is_ignored(server, make, value):
    server.behaviours = [says({}, 503, Retry_After=value.encode().decode("latin-1")), says(ANSWER)]
    assert make(retries=1).graph_of_thought_query("audit") == ANSWER


@pytest.mark.parametrize("said", [True, False], ids=["by its length", "as it comes"])
def test_a_long_answer_is_not_read_to_its_end(server, make, said):
    long = b'{"x": "' + b"x" * 50_000_000 + b'"}'
    server.behaviours = [sends(long) if said else chunked(long)]
    started = time.monotonic()
    with pytest.raises(CallError, match="longer than 5,000,000 bytes"):
        make(retries=0, attempt_timeout_s=60).graph_of_thought_query("audit")
    assert time.monotonic() - started < 30


def test_a_small_answer_that_unpacks_to_a_long_one_is_refused(server, make):
    server.behaviours = [sends(gzip.compress(bytes(200_000_000), 1), Content_Encoding="gzip")]
    with pytest.raises(CallError, match="longer than 1,000 bytes"):
        make(max_response_bytes=1000, retries=0).graph_of_thought_query("audit")


def test_an_answer_of_just_the_length_is_read(server, make):
    server.behaviours = [sends(gzip.compress(BODY), Content_Encoding="gzip"), sends(BODY)]
    bridge = make(max_response_bytes=len(BODY))
    assert bridge.graph_of_thought_query("audit") == ANSWER
    assert bridge.graph_of_thought_query("audit") == ANSWER


def test_nobody_there(server, make):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(CallError, match="refused") as caught:
        make(base_url=url, retries=1).graph_of_thought_query("audit")
    assert caught.value.where == f"{url}/graph-of-thought"


@pytest.mark.parametrize("host", ["nowhere.invalid", "x" * 70 + ".invalid", "a..b"])
def test_a_host_that_there_is_not(make, host):
    with pytest.raises(CallError, match="the connection failed"):
        make(base_url=f"http://{host}", retries=0).graph_of_thought_query("audit")


def test_no_port_speaks_https_by_accident(server, make):
    with pytest.raises(CallError, match="the connection failed"):
        make(base_url=server.url.replace("http:", "https:"), retries=0).graph_of_thought_query("audit")


def test_an_error_does_not_tell_what_was_asked(server, make):
    server.behaviours = [says({}, 404)]
    with pytest.raises(CallError) as caught:
        make(method="GET").graph_of_thought_query("who is ill?")
    assert caught.value.where == f"{server.url}/graph-of-thought"


@pytest.mark.parametrize("answer", [{"terms": [1]}, {"terms": "a"}, {}, "a", [["a"]]])
def test_a_list_of_another_shape_is_refused(server, make, answer):
    server.behaviours = [says(answer)]
    with pytest.raises(CallError, match="must be a list of texts, or an object with one under 'terms'"):
        make().vocab_lookup("audit")
