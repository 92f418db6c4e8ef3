"""gunicorn: its configuration, its worker and the adapter to the application."""
