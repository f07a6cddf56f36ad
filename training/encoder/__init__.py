"""The question encoder: prepare pairs, train a table of features, export and evaluate it."""
