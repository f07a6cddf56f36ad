"""Models behind one seat: prompts, providers, limits, and the embedded writer."""
