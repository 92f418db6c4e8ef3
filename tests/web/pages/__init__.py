"""The tests of pages, pictures and static files."""
