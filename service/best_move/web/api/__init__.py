"""The JSON API: request models, response models, problems, routes and the OpenAPI document.

`pages` and `chatbots` may import it. It imports the oracle, the metrics and `lean_flask`, but neither of them.
"""
