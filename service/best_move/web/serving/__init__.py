"""gunicorn: its configuration, its worker and the adapter to the application. Only `__main__.py` imports it."""
