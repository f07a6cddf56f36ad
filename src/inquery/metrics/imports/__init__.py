"""Definitions of metrics that teams already have in other tools, as metrics of a glossary."""
