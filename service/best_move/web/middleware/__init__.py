"""WSGI middleware: the ID, log line and metrics of requests, and CORS headers of responses."""
