"""The HTTP door: one FastAPI application over the runner that every door shares."""
