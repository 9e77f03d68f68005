"""HTTPS: certificates are checked, and an authority of one's own can be named."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from graphrag_lyra_http.failures import CallError

from .conftest import ANSWER, Server  # noqa: TID252  # a folder with a hyphen has no other name


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for this machine that nobody vouches for, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes certificates, is not here")
    folder = tmp_path_factory.mktemp("certificate")
    paths = folder / "certificate.pem", folder / "key.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject]
    subprocess.run([*made, "-out", paths[0], "-keyout", paths[1]], check=True, capture_output=True)
    return paths


@pytest.fixture
def url(server: Server, certificate: tuple[Path, Path]) -> str:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    return server.url.replace("http:", "https:")


def test_a_certificate_that_nobody_vouches_for_is_refused(server, make, url, token):
    token(url)
    with pytest.raises(CallError, match="the certificate is not valid: self-signed"):
        make(base_url=url, retries=2).graph_of_thought_query("audit")
    assert server.asked == []


def test_an_authority_may_be_named_in_the_environment(server, make, url, certificate, token, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    token(url)
    assert make(base_url=url).graph_of_thought_query("audit") == ANSWER
    assert server.asked[0].headers["authorization"] == "Bearer t0"


def test_a_certificate_of_another_name_is_refused(server, make, url, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with pytest.raises(CallError, match="the certificate is not valid"):
        make(base_url=url.replace("127.0.0.1", "localhost"), retries=0).graph_of_thought_query("audit")
