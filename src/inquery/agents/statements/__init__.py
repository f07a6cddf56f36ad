"""What becomes of a statement between writer and rows: chosen, spelled, explained when it fails, edited."""
