"""The JSON API: request models, response models, problems, routes and the OpenAPI document.

It imports the oracle, the metrics and `lean_flask`. `pages` and `chatbots` may import it, but not the reverse.
"""
