"""The web service: the application, its settings, and the middleware of every request.

The folders are `api`, `pages` and `chatbots`, which answer requests, and `serving`, which runs the application.
"""
