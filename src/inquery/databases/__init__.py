"""Engines and the one place that runs SQL."""
