"""The pages for people, the pictures of boards, and the static files. `app.py` and `chatbots` import this package."""
