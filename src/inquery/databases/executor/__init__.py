"""The executor: the one caller of drivers, with sessions, limits, single flights and results."""
