"""Stoplight's prism, a proxy that compares requests and responses with the OpenAPI document."""

import json
import os
import signal
import subprocess
from functools import partial
from http.client import HTTPConnection

from tests.clients.tools import DOCUMENT, installed
from tests.load import mixed
from tests.processes import SECONDS_TO_WAIT, wait_until
from tests.server import Server, free_port, listens


def test_prism_and_the_service_find_the_same_requests_invalid(server: Server) -> None:
    """The service rejects them with a 400 or 415, and prism finds every response valid.

    Prism forwards no HEAD, no OPTIONS and no invalid JSON, and ignores unknown parameters.
    """
    port = free_port()
    service = f"http://127.0.0.1:{server.port}"
    options = ["--port", str(port), "--verboseLevel", "fatal"]
    command = [str(installed("prism")), "proxy", str(DOCUMENT), service, *options]
    with subprocess.Popen(command, start_new_session=True) as process:  # prism starts processes
        try:
            wait_until(partial(listens, port), "prism listens")
            for request in mixed():
                is_json = request.headers.get("Content-Type") == "application/json"
                is_invalid = is_json and not (request.body or b"").endswith(b"}")
                if is_invalid or request.method in {"HEAD", "OPTIONS"}:
                    continue
                connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_WAIT)
                connection.request(request.method, request.path, request.body, request.headers)
                response = connection.getresponse()
                connection.close()
                assert response.status == request.status, request
                violations = json.loads(response.headers.get("sl-violations", "[]"))
                errors = [each for each in violations if each["severity"] == "Error"]
                assert [each for each in errors if each["location"][0] == "response"] == [], request
                is_broken = response.status in {400, 415} and "algoritm=" not in request.path
                assert bool(errors) == is_broken, (request, errors)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
