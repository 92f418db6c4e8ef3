"""The web service: the application, its settings, and the middleware of every request.

Requests are handled by the folders `api`, `pages` and `chatbots`; `middleware` wraps each request, and `serving` runs
the application.
"""
