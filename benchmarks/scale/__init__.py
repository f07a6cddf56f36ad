"""How Inquery grows: with tables, cached entries, rows and people at once."""
