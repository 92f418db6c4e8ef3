"""The tests of the middleware."""
