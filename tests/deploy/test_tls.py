"""TLS in nginx, with the lines that nginx.conf has as comments."""

import re
import socket
import ssl
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path

from tests.deploy.nginx import CONFIGURATION, nginx
from tests.processes import SECONDS_TO_WAIT, completed, program
from tests.server import Server, free_port


def test_the_lines_for_tls_serve_https_and_http2(service: Server, tmp_path: Path) -> None:
    """Without their signs of comments, nginx agrees on HTTP/2, and pages know their HTTPS URL."""
    #  A certificate for 127.0.0.1, in files as certbot names them.
    openssl = program("openssl", "NGINX_REQUIRED")
    make = [openssl, "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=localhost"]
    files = ["-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"]
    completed([*make, "-addext", "subjectAltName=IP:127.0.0.1", *files], check=True)
    (tmp_path / "options-ssl-nginx.conf").write_text("ssl_protocols TLSv1.2 TLSv1.3;\n", "ascii")
    #  The lines without the listener for IPv6.
    port = free_port()
    found = re.findall(r"^ *# ((?:listen \d|ssl_|include).*\n)", CONFIGURATION, re.MULTILINE)
    lines = "".join(found).replace("listen 443", f"listen 127.0.0.1:{port}")
    lines = re.sub(r"/etc/letsencrypt/(live/example\.org/)?", f"{tmp_path}/", lines)
    text = CONFIGURATION.replace("    server_tokens off;", f"{lines}    server_tokens off;")
    trusting = ssl.create_default_context(cafile=tmp_path / "fullchain.pem")
    with nginx(service.port, text):
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
