"""A folder an engine: engine.py is its class, and beside it its dictionary queries, its errors and what runs in its own process."""
