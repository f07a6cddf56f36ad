"""The catalogue of a connection: its values, joins, search index and refresh."""
