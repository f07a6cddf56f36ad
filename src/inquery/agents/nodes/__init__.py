"""One node a file, named by its verb."""
