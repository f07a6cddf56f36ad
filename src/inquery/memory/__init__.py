"""Threads and long-term memory."""
