"""Inquery beside other systems: the same questions, the same model, the same database, one run."""
