"""What managers ask: measures, dimensions and plans, read from words and compiled to any dialect."""
