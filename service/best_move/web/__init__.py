"""The web service: the application, its settings, the handlers of requests, and the server."""
