"""The tests of the JSON API."""
