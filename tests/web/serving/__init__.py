"""The tests of the service's gunicorn server and worker."""
