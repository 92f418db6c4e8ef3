"""The tests of pages and static files."""
