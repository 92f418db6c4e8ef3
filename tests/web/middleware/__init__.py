"""The tests of what surrounds every request."""
