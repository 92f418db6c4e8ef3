"""WSGI middleware: the ID, log line and metrics of every request, and the CORS headers of its response."""
