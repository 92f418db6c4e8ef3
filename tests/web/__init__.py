"""The tests of the web service."""
