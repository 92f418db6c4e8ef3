"""Programs that print or write: the OpenAPI document, tables, pictures and a soak test."""
