"""The tests: one test module per module of the service."""
