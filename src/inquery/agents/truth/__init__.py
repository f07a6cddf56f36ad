"""What a question claims of its answer, and the rules that hold a statement against it."""
