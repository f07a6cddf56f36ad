"""The graph and its agents."""
