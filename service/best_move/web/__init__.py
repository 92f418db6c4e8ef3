"""The web service: the application, and what surrounds and counts every request.

The folders are `api`, `pages` and `chatbots`, which answer requests, and `serving`, which runs the application.
"""
