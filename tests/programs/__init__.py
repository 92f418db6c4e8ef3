"""Programs that print or write: the OpenAPI document, tables and pictures."""
