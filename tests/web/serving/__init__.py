"""The tests of gunicorn, as it is configured and extended."""
