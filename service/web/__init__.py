"""The oracle as a web service."""
