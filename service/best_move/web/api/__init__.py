"""The JSON API: request models, responses, problems, routes and the OpenAPI document."""
