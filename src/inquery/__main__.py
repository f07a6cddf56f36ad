"""`python -m inquery` is the command line."""

from inquery.cli import main

main()
