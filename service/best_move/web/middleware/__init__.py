"""WSGI middleware around every request."""
