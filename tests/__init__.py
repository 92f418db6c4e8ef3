"""The tests, a module for each module of the service."""
