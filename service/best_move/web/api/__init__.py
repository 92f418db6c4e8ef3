"""The JSON API: request models, responses, problems, routes and the OpenAPI document.

`pages` and `chatbots` may import this package, which imports neither of them.
"""
