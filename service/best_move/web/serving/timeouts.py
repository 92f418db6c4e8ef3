"""The time limits of a worker."""


class Timeouts:
    """Seconds that a worker waits for its clients.

    The time until the next request is gunicorn's setting `keepalive`.
    """

    headers = 10.0  # from the connection to the end of the first request's headers
    body = 10.0  # in asgi.py: from the end of a request's headers to the end of its body
    thread = 10.0  # in bounded_executor.py: from the end of a request until its thread is free
    reading = 60.0  # while the client reads nothing of a response
    closing = 2.0  # from the end of the last response until the client closes the connection
    grace = 4.0  # from the signal to stop to the end of pending requests
    idle_grace = 1.0  # from the signal to stop until idle connections are closed
