"""Engines without a server run in a process of their own, which can be killed."""
