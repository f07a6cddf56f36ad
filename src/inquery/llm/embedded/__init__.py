"""The embedded writer: a small model that writes a form, and the code around it."""
