"""What a run leaves behind: rows by id, entries of the caches, provenance, the answer, the thread's turn."""
