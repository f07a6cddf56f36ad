"""Trino."""
