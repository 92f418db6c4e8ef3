"""TLS in nginx, with the lines that nginx.conf has as comments."""

import re
import shutil
import socket
import ssl
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from tests.deploy.configuration import CONFIGURATION
from tests.deploy.nginx import nginx
from tests.processes import SECONDS_TO_WAIT, completed
from tests.server import Server, free_port

#  The lines, without the sign of a comment and the listener for IPv6.
LINES = re.findall(r"^ *# ((?:listen \d|ssl_|include).*\n)", CONFIGURATION, re.MULTILINE)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Return a folder with a certificate for 127.0.0.1 and its key, as certbot names them."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    make = [openssl, "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"]
    completed([*make, *names, *files], check=True)
    (tmp_path / "options-ssl-nginx.conf").write_text("ssl_protocols TLSv1.2 TLSv1.3;\n", "ascii")
    return tmp_path


def test_the_lines_for_tls_serve_https_and_http2(
    folder: Path, service: Server, certificate: Path
) -> None:
    """Without their signs of comments, nginx agrees on HTTP/2, and pages know their HTTPS URL."""
    place = folder / "tls"
    port = free_port()
    lines = "".join(LINES).replace("listen 443", f"listen 127.0.0.1:{port}")
    lines = re.sub(r"/etc/letsencrypt/(live/example\.org/)?", f"{certificate}/", lines)
    text = CONFIGURATION.replace("    server_tokens off;", f"{lines}    server_tokens off;")
    trusting = ssl.create_default_context(cafile=certificate / "fullchain.pem")
    with nginx(place, service.port, text):
        with closing(
            HTTPSConnection("127.0.0.1", port, timeout=SECONDS_TO_WAIT, context=trusting)
        ) as connection:
            connection.request("GET", "/")
            response = connection.getresponse()
            assert response.status == 200
            assert f"https://127.0.0.1:{port}/static/" in response.read().decode()
        trusting.set_alpn_protocols(["h2", "http/1.1"])
        with (
            socket.create_connection(("127.0.0.1", port), SECONDS_TO_WAIT) as plain,
            trusting.wrap_socket(plain, server_hostname="127.0.0.1") as secured,
        ):
            assert secured.selected_alpn_protocol() == "h2"
