"""Other projects' clients: generated from the OpenAPI document, a proxy that validates against it, and MCP clients."""
