"""The API: request models, responses, problems, routes, pictures and the OpenAPI document."""
