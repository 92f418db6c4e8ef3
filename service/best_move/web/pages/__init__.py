"""The pages for people, the pictures of boards, and the static files."""
