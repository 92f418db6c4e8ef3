"""The pages for people, and the static files."""
