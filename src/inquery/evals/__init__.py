"""Measuring Inquery: comparison of results, and the evaluation commands."""
